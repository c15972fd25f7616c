//! The one line that says how far long work is.
//!
//! On a terminal a line that redraws itself: done and total, rate, time left, what is being done. Elsewhere
//! nothing, except a line per 30 seconds with `-v`. It is gone when the work ends.

use crate::talk::{Talk, Verbosity, is_watched};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::{Duration, Instant};

/// A progress line.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    talk: Talk,
    lines: bool,
    last_line: Instant,
}

impl Progress {
    /// How often a line comes where nobody watches.
    const EVERY: Duration = Duration::from_secs(30);

    /// Begins work of `total` pieces, or of nobody knows how many.
    pub fn begin(talk: Talk, total: Option<u64>, what: &'static str) -> Progress {
        let watched = is_watched() && talk.verbosity() > Verbosity::Quiet;
        let target = match watched {
            true => ProgressDrawTarget::stderr_with_hz(10),
            false => ProgressDrawTarget::hidden(),
        };
        let bar = ProgressBar::with_draw_target(total, target).with_message(what);
        let template = match total {
            Some(_) => "{msg} {human_pos}/{human_len}  {per_sec}  {eta} left",
            None => "{msg} {human_pos}  {per_sec}  {elapsed}",
        };
        bar.set_style(ProgressStyle::with_template(template).expect("the template is written right here"));
        let lines = !watched && talk.verbosity() >= Verbosity::Verbose;
        Progress { bar, talk, lines, last_line: Instant::now() }
    }

    /// A line that is never shown: the work is short, or its results stand on the same terminal.
    pub fn hidden(talk: Talk) -> Progress {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        Progress { bar, talk, lines: false, last_line: Instant::now() }
    }

    /// One more piece is done.
    pub fn step(&mut self) {
        self.bar.inc(1);
        if self.lines && self.last_line.elapsed() >= Self::EVERY {
            self.last_line = Instant::now();
            let total = self.bar.length().map_or(String::new(), |total| format!("/{total}"));
            self.talk.detail(format_args!("{} {}{total}", self.bar.message(), self.bar.position()));
        }
    }

    /// Says something else what is being done.
    pub fn doing(&self, what: impl Into<String>) {
        self.bar.set_message(what.into());
    }

    /// Prints through `speak` without tearing the line.
    pub fn aside(&self, speak: impl FnOnce()) {
        self.bar.suspend(speak);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
