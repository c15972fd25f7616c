//! Counts the processes of a run.
//!
//! `RLIMIT_NPROC` counts all processes and threads of a user and does not hold for root, so it cannot bound one run. A
//! run that lasts is looked at instead: every [`INTERVAL`], one look at the names in `/proc`. Only when the machine has
//! more processes than the run may have are those of the run counted.

use std::fs;
use std::time::{Duration, Instant};

use rustix::process::Pid;

/// How long a run may fork unwatched. A run that is shorter costs nothing.
pub(crate) const INTERVAL: Duration = Duration::from_millis(250);

/// The processes of one run, watched.
#[derive(Debug)]
pub(crate) struct Crowd {
    group: Pid,
    most: usize,
    next_look: Instant,
    is_over: bool,
}

impl Crowd {
    /// Watches a process group that has just been started and may have `most` processes.
    pub(crate) fn new(group: Pid, most: u32, now: Instant) -> Self {
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        Self { group, most, next_look: now + INTERVAL, is_over: false }
    }

    /// Time until the next look.
    pub(crate) fn rest(&self) -> Duration {
        self.next_look.saturating_duration_since(Instant::now())
    }

    /// Whether there were too many processes at the last look, which happens now if it is due.
    pub(crate) fn is_over(&mut self) -> bool {
        if !self.is_over && self.rest().is_zero() {
            let processes = processes();
            self.is_over = processes.len() > self.most && self.count(&processes) > self.most;
            self.next_look = Instant::now() + INTERVAL;
        }
        self.is_over
    }

    fn count(&self, processes: &[u32]) -> usize {
        let group = self.group.as_raw_nonzero().get().unsigned_abs();
        let is_member = |id: &&u32| {
            fs::read_to_string(format!("/proc/{id}/stat")).is_ok_and(|stat| group_of(&stat) == Some(group))
        };
        processes.iter().filter(is_member).count()
    }
}

/// All processes of the machine that this one can see.
fn processes() -> Vec<u32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

/// The process group in the text of `/proc/PID/stat`. The name of the program, in parentheses, may contain anything.
fn group_of(stat: &str) -> Option<u32> {
    stat.rsplit_once(')')?.1.split_whitespace().nth(2)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_group_is_found_after_any_name() {
        assert_eq!(group_of("12 (a) b) S 1 77 77 0"), Some(77));
        assert_eq!(group_of("12 (x"), None);
        assert!(processes().contains(&std::process::id()));
    }
}
