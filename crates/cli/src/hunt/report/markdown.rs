//! A bug report for the maintainers of a target.

use crate::hunt::tell::title;
use polysmith_hunt::Finding;
use polysmith_hunt::text::printable;

/// A report of one finding. Texts are in fences that they cannot close.
pub fn markdown(finding: &Finding) -> String {
    let commands = finding.commands.join("\n").replace("@TEST@", "test");
    format!(
        "# {}\n\nThe smallest test that shows it (file `test`, {} bytes):\n\n{}\n\nTo see it (or run `./repro.sh`):\n\n{}\n\n\
         What happens:\n\n{}\n",
        title(finding).split_once(' ').map_or("", |(_, title)| title),
        finding.best().len(),
        fenced(finding.best()),
        fenced(commands.as_bytes()),
        fenced(finding.detail.as_bytes())
    )
}

fn fenced(bytes: &[u8]) -> String {
    let text = printable(bytes);
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}text\n{}\n{fence}", text.trim_end())
}
