//! The number of threads or processes of a command.

/// The number given by `--jobs`; without it, or if it is 0, the number of cores.
pub fn threads(jobs: Option<usize>) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    jobs.filter(|jobs| *jobs > 0).unwrap_or_else(cores)
}
