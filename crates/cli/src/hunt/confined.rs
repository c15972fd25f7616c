//! The confinement of targets, as far as the command line decides about it.

use crate::failure::Failure;
use polysmith_run::confine;

/// Prepares this process for runs of targets. Call it before any other thread is started.
///
/// # Errors
/// A kernel that cannot confine, unless `is_unconfined`.
pub fn prepare(is_unconfined: bool) -> anyhow::Result<()> {
    if is_unconfined {
        return Ok(polysmith_run::adopt_orphans()?);
    }
    // One try, so that a kernel without confinement is noticed before anything runs.
    let tried = confine::enter_process().and_then(|()| {
        let thread = std::thread::spawn(|| confine::enter_thread().map(drop));
        thread.join().map_err(|_| std::io::Error::other("the thread ended unexpectedly"))?
    });
    tried.map_err(|error| {
        Failure::unusable(format!("targets cannot be confined on this machine: {error}"))
            .help("run in a container and say --unconfined, or allow user namespaces")
            .into()
    })
}

/// Runs work that starts targets, on this thread, which is confined from now on unless `is_unconfined`.
///
/// # Errors
/// Those of the work, and a kernel that cannot confine.
pub fn confined<T>(is_unconfined: bool, work: impl FnOnce() -> anyhow::Result<T>) -> anyhow::Result<T> {
    let confinement = if is_unconfined { None } else { Some(confine::enter_thread()?) };
    let done = work();
    confinement.iter().for_each(confine::Confinement::kill_strays);
    done
}
