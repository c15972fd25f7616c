//! What one process may use, by name and with a default.

use std::time::Duration;

use rustix::process::{Pid, Resource, Rlimit, prlimit};

/// The bounds of one run. Each has an option of the same name in the commands that start processes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Wall time; then the whole process group is killed.
    pub time: Duration,
    /// Processor time of each process, in whole seconds (`RLIMIT_CPU`): what several threads use adds up.
    pub processor: Option<Duration>,
    /// Processes of the run that are alive at once; then the whole process group is killed. Short runs are not watched.
    pub processes: Option<u32>,
    /// Writable private memory of each process (`RLIMIT_DATA`: address space that is only reserved does not
    /// count, so Java and V8 start; programs built with an address sanitizer need `None`).
    pub memory: Option<u64>,
    /// Size of each file that is written (`RLIMIT_FSIZE`), so that a runaway test cannot fill the disk at once.
    pub file: Option<u64>,
    /// Bytes kept of each output stream; what comes after is read and thrown away.
    pub output: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            time: Duration::from_secs(60),
            processor: None,
            processes: None,
            memory: Some(4 << 30),
            file: Some(1 << 30),
            output: 1 << 20,
        }
    }
}

impl Limits {
    /// Sets the resource limits of a child that has just been started.
    ///
    /// This happens from outside, right after the start, because a hook in the child would force `fork` where
    /// `posix_spawn` is several times faster. A child that ended meanwhile is no error.
    pub(crate) fn impose(&self, child: Pid) {
        let set = |resource, value: Option<u64>| {
            if let Some(value) = value {
                let limit = Rlimit { current: Some(value), maximum: Some(value) };
                // The only failures are "no such process" and a hard limit that is lower already.
                let _ = prlimit(Some(child), resource, limit);
            }
        };
        set(Resource::Cpu, self.processor.map(|time| time.as_secs_f64().ceil() as u64));
        set(Resource::Data, self.memory);
        set(Resource::Fsize, self.file);
        set(Resource::Core, Some(0));
    }
}
