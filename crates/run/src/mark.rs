//! The mark of a run: how its descendants are told from every other process.
//!
//! A descendant may leave its process group, lose its parent, close its files and change its folder. Two things are
//! inherited by every process that a run starts and are practically never changed:
//!
//! - the environment variable [`VARIABLE`], which lists the runs that a process belongs to (runs can be nested);
//! - the hard limit of POSIX message queues (`RLIMIT_MSGQUEUE`), set to a number of the run. It survives `env -i`.
//!
//! A process without either mark that works in the run's folder belongs to the run as well.

use std::ffi::OsString;
use std::fs;
use std::hash::{BuildHasher as _, RandomState};
use std::path::Path;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::process::{Pid, Resource, Rlimit, getrlimit, prlimit};

/// The variable that lists the runs a process belongs to, separated by commas.
pub(crate) const VARIABLE: &str = "POLYSMITH_RUN";

/// The system's usual limit of message queues in bytes: marks are below it.
const USUAL_LIMIT: u64 = 819_200;

/// Limits below this leave too few numbers to tell runs apart.
const LEAST_LIMIT: u64 = 1 << 16;

/// Differs from process to process.
static PROCESS: LazyLock<RandomState> = LazyLock::new(RandomState::new);

/// Identifies one run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    name: String,
    /// `None` where the system's limit is too low to be used.
    limit: Option<u64>,
}

impl Mark {
    /// A mark that no other run has.
    pub(crate) fn new() -> Self {
        static RUNS: AtomicU64 = AtomicU64::new(0);
        let number = RUNS.fetch_add(1, Ordering::Relaxed);
        let random = PROCESS.hash_one(number);
        let most = getrlimit(Resource::Msgqueue).maximum.unwrap_or(u64::MAX).min(USUAL_LIMIT);
        let limit = (most >= LEAST_LIMIT).then(|| most / 2 + random % (most / 2));
        Self { name: format!("{:016x}.{number}", PROCESS.hash_one("process")), limit }
    }

    /// The value of [`VARIABLE`] for the run.
    pub(crate) fn variable(&self) -> OsString {
        match std::env::var_os(VARIABLE) {
            Some(mut outer) => {
                outer.push(",");
                outer.push(&self.name);
                outer
            }
            None => OsString::from(&self.name),
        }
    }

    /// Marks a process that has just been started. One that ended meanwhile is no error.
    pub(crate) fn impose(&self, process: Pid) {
        if self.limit.is_some() {
            let limit = Rlimit { current: self.limit, maximum: self.limit };
            let _ = prlimit(Some(process), Resource::Msgqueue, limit);
        }
    }

    /// Whether a process descends from the run, whose folder is `folder`.
    pub(crate) fn is_on(&self, process: Pid, folder: &Path) -> bool {
        let look = |file: &str| format!("/proc/{}/{file}", process.as_raw_nonzero());
        let environment = fs::read(look("environ")).unwrap_or_default();
        if self.is_in(&environment) {
            return true;
        }
        let limits = fs::read_to_string(look("limits")).unwrap_or_default();
        self.limit.is_some_and(|limit| message_queue_limit(&limits) == Some(limit))
            || fs::read_link(look("cwd")).is_ok_and(|working| working.starts_with(folder))
    }

    fn is_in(&self, environment: &[u8]) -> bool {
        let values = environment.split(|byte| *byte == 0).filter_map(|variable| {
            variable.strip_prefix(VARIABLE.as_bytes()).and_then(|rest| rest.strip_prefix(b"="))
        });
        values.flat_map(|value| value.split(|byte| *byte == b',')).any(|name| name == self.name.as_bytes())
    }
}

/// The hard limit in the text of `/proc/PID/limits`.
fn message_queue_limit(limits: &str) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max msgqueue size"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_found_among_the_marks_of_outer_runs() {
        let (mark, other) = (Mark::new(), Mark::new());
        let environment = format!("A=1\0{VARIABLE}=outer.1,{}\0B=2\0", mark.name);
        assert!(mark.is_in(environment.as_bytes()) && !other.is_in(environment.as_bytes()));
        assert!(!mark.is_in(format!("X={}\0", mark.name).as_bytes()));
    }

    #[test]
    fn the_limit_is_read_from_the_table_of_the_kernel() {
        let table = "Limit                     Soft Limit           Hard Limit           Units\n\
                     Max msgqueue size         400001               400002               bytes\n";
        assert_eq!(message_queue_limit(table), Some(400_002));
        assert!(message_queue_limit(&fs::read_to_string("/proc/self/limits").unwrap()).is_some());
    }
}
