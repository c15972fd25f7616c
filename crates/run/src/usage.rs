//! What this process itself has used, for honest figures about overhead.

use std::fs;
use std::time::Duration;

/// Time and memory of this process, without its children.
#[derive(Clone, Copy, Debug)]
pub struct Usage {
    /// Processor time, in steps of 10 ms.
    pub cpu: Duration,
    /// The most memory that was resident at once, in bytes.
    pub peak_memory: u64,
}

impl Usage {
    /// Looks it up; `None` where `/proc` is not what we know.
    #[must_use]
    pub fn now() -> Option<Self> {
        let stat = fs::read_to_string("/proc/self/stat").ok()?;
        // The name of the program may contain anything, but no field after it contains a bracket.
        let mut fields = stat.rsplit(')').next()?.split_whitespace().skip(11);
        let ticks = fields.next()?.parse::<u64>().ok()? + fields.next()?.parse::<u64>().ok()?;
        let status = fs::read_to_string("/proc/self/status").ok()?;
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        let kilobytes: u64 = peak.split_whitespace().next()?.parse().ok()?;
        Some(Self { cpu: Duration::from_millis(ticks * 10), peak_memory: kilobytes << 10 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_uses_memory() {
        assert!(Usage::now().unwrap().peak_memory > 100_000);
    }
}
