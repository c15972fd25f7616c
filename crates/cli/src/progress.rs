//! The progress line of long work, in one style for all commands.
//!
//! On a terminal the line is redrawn ten times a second: what is being done, how much is done, the rate, the remaining
//! or elapsed time, and a detail. Elsewhere nothing is shown, except one line every 30 seconds with `-v`. The line
//! disappears when the work ends. Without the detail it fits 60 columns; the detail is truncated to the terminal.

use crate::talk::{Talk, Verbosity, is_watched};
use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// A progress line.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    talk: Talk,
    state: State,
    begin: Instant,
    last_shown: Instant,
    audience: Audience,
}

/// The reader of the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Audience {
    /// A person at a terminal.
    Terminal,
    /// A log file, with `-v`.
    Log,
    Nobody,
}

impl Audience {
    /// The time between two updates.
    fn interval(self) -> Duration {
        match self {
            Audience::Terminal => Duration::from_millis(100),
            Audience::Log | Audience::Nobody => Duration::from_secs(30),
        }
    }
}

/// What the line shows.
#[derive(Debug, Clone, Default)]
struct State {
    /// What is being done: `generating`.
    activity: &'static str,
    done: u64,
    total: Option<u64>,
    /// What is counted: `questions`. Empty if the activity implies it.
    unit: &'static str,
    detail: String,
}

impl Progress {
    /// Starts the line for work of `total` pieces; `None` if the number is unknown.
    pub fn begin(talk: Talk, total: Option<u64>, activity: &'static str) -> Progress {
        let audience = match (is_watched(), talk.verbosity()) {
            (true, Verbosity::Normal | Verbosity::Verbose) => Audience::Terminal,
            (false, Verbosity::Verbose) => Audience::Log,
            _ => Audience::Nobody,
        };
        Progress::new(talk, audience, State { activity, total, ..State::default() })
    }

    /// Creates a line that is never shown: the work is short, or its results are printed on the same terminal.
    pub fn hidden(talk: Talk) -> Progress {
        Progress::new(talk, Audience::Nobody, State::default())
    }

    fn new(talk: Talk, audience: Audience, state: State) -> Progress {
        let target = match audience {
            Audience::Terminal => ProgressDrawTarget::stderr(),
            Audience::Log | Audience::Nobody => ProgressDrawTarget::hidden(),
        };
        let bar = ProgressBar::with_draw_target(None, target);
        bar.set_style(ProgressStyle::with_template("{wide_msg}").expect("the template is a constant"));
        let begin = Instant::now();
        Progress { bar, talk, state, begin, last_shown: begin, audience }
    }

    /// Sets what is counted.
    #[must_use]
    pub fn unit(mut self, unit: &'static str) -> Progress {
        self.state.unit = unit;
        self
    }

    /// Counts one more piece.
    pub fn step(&mut self) {
        self.state.done += 1;
        self.show_if_due();
    }

    /// Sets the number of completed pieces. Calls `detail` only when the line is about to be shown.
    pub fn set(&mut self, done: u64, detail: impl FnOnce() -> String) {
        self.state.done = done;
        if self.is_due() {
            self.state.detail = detail();
            self.show_if_due();
        }
    }

    /// Calls `print` while the line is hidden, so that the output does not mix with it.
    pub fn aside(&self, print: impl FnOnce()) {
        self.bar.suspend(print);
    }

    /// Removes the line from the terminal.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }

    fn is_due(&self) -> bool {
        self.audience != Audience::Nobody && self.last_shown.elapsed() >= self.audience.interval()
    }

    fn show_if_due(&mut self) {
        if !self.is_due() {
            return;
        }
        self.last_shown = Instant::now();
        let line = self.state.line(self.begin.elapsed());
        match self.audience {
            Audience::Terminal => {
                self.bar.set_message(line);
                self.bar.tick();
            }
            Audience::Log => self.talk.detail(line),
            Audience::Nobody => {}
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}

impl State {
    fn line(&self, elapsed: Duration) -> String {
        let mut line = format!("{} {}", self.activity, HumanCount(self.done));
        if let Some(total) = self.total {
            let _ = write!(line, "/{}", HumanCount(total));
        }
        if !self.unit.is_empty() {
            let _ = write!(line, " {}", self.unit);
        }
        let rate = self.done as f64 / elapsed.as_secs_f64().max(1e-6);
        let _ = write!(line, "  {}/s", rounded(rate));
        let _ = match self.total {
            Some(total) if self.done > 0 => {
                let left = total.saturating_sub(self.done) as f64 / rate;
                write!(line, "  {} left", duration(left))
            }
            Some(_) => Ok(()),
            None => write!(line, "  {}", duration(elapsed.as_secs_f64())),
        };
        if !self.detail.is_empty() {
            let _ = write!(line, "  {}", self.detail);
        }
        line
    }
}

/// Formats a number with three significant digits: `0.12`, `7.17k`, `284`.
pub(crate) fn rounded(number: f64) -> String {
    const UNITS: [&str; 7] = ["", "k", "M", "G", "T", "P", "E"];
    let mut scaled = number;
    let mut unit = 0;
    // 999.5 and more would round to four digits.
    while scaled >= 999.5 && unit + 1 < UNITS.len() {
        scaled /= 1000.0;
        unit += 1;
    }
    let digits = match scaled {
        _ if scaled >= 99.95 => 0,
        _ if scaled >= 9.995 => 1,
        _ => 2,
    };
    let text = format!("{scaled:.digits$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("{text}{}", UNITS[unit])
}

/// Formats a time in its two largest units: `12s`, `3m 5s`, `2h 10m`, `4d 1h`.
fn duration(seconds: f64) -> String {
    let seconds = seconds.min(1e15).round() as u64;
    let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86400);
    match () {
        () if days > 999 => ">999d".to_owned(),
        () if days > 0 => format!("{days}d {}h", hours % 24),
        () if hours > 0 => format!("{hours}h {}m", minutes % 60),
        () if minutes > 0 => format!("{minutes}m {}s", seconds % 60),
        () => format!("{seconds}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_have_three_digits() {
        let cases = [
            (0.0, "0"),
            (0.123, "0.12"),
            (2.0, "2"),
            (9.999, "10"),
            (42.25, "42.2"),
            (999.4, "999"),
            (999.6, "1k"),
            (7172.4, "7.17k"),
            (99_960.0, "100k"),
            (4.5e6, "4.5M"),
            (1e15, "1P"),
        ];
        for (number, text) in cases {
            assert_eq!(rounded(number), text);
        }
    }

    #[test]
    fn lines_of_every_command_fit_sixty_columns() {
        let generating =
            State { activity: "generating", done: 9_999_999, total: Some(10_000_000), ..State::default() };
        let line = generating.line(Duration::from_secs_f64(1234.5));
        assert_eq!(line, "generating 9,999,999/10,000,000  8.1k/s  0s left");
        assert!(line.len() <= 60);
        let endless = State { total: None, ..generating.clone() };
        assert_eq!(endless.line(Duration::from_secs(200)), "generating 9,999,999  50k/s  3m 20s");
        let reducing = State {
            activity: "reducing",
            done: 6453,
            total: None,
            unit: "questions",
            detail: "412/5178 tokens, lines".to_owned(),
        };
        let line = reducing.line(Duration::from_secs(54));
        assert_eq!(line, "reducing 6,453 questions  120/s  54s  412/5178 tokens, lines");
        assert!(line.len() <= 60, "{}", line.len());
    }

    #[test]
    fn times_have_two_units() {
        assert_eq!([5.4, 185.0, 7800.0, 349_200.0].map(duration), ["5s", "3m 5s", "2h 10m", "4d 1h"]);
        assert_eq!(duration(f64::INFINITY), ">999d");
    }
}
