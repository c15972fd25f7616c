//! Whole files.

use super::define_pass;
use crate::edit::Edits;
use crate::problem::{Problem, Proposer};
use crate::question::Stop;
use crate::text::Text;

define_pass! {
    /// Leaves whole files out, the largest first.
    ///
    /// Only when several files are reduced together. The test then runs in a folder without the file.
    "files", Always, Text(run)
}

fn run(problem: &mut Problem<'_>) -> Result<(), Stop> {
    let parts = problem.text().parts();
    if parts.len() < 2 {
        return Ok(());
    }
    let mut files: Vec<usize> = (0..parts.len()).filter(|file| parts[*file].present).collect();
    files.sort_by_key(|file| std::cmp::Reverse(parts[*file].range.len()));
    problem.search(&mut Drops { files, at: 0, open: 0 })
}

struct Drops {
    files: Vec<usize>,
    at: usize,
    open: usize,
}

impl Proposer for Drops {
    fn propose(&mut self, text: &Text) -> Option<Edits> {
        // One file always stays: a test without any input is a wrong test.
        let present = text.parts().iter().filter(|part| part.present).count();
        let file = *self.files.get(self.at).filter(|_| present > 1)?;
        self.at += 1;
        self.open += 1;
        Some(Edits::drop_parts(vec![file]))
    }

    fn refused(&mut self) {
        self.open -= 1;
    }

    fn accepted(&mut self, _text: &Text, _edits: &Edits) {
        // Later proposals are withdrawn: go back to after the accepted one.
        self.at -= self.open - 1;
        self.open = 0;
    }
}
