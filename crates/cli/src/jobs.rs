//! How many threads or processes a command uses.

/// The number given by `--jobs`, or that of the machine's cores. 0 means the cores, too.
pub fn threads(jobs: Option<usize>) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    jobs.filter(|jobs| *jobs > 0).unwrap_or_else(cores)
}
