//! Processes that left the group of their run (`setsid`, daemons) and outlive it.
//!
//! A process that calls [`adopt_orphans`] becomes the parent of every orphan below it, so strays can be found among
//! its children. Only a child that carries the [mark](crate::mark) of the run that ends is killed, and then what the
//! child leaves behind, until nothing is left. Children that this program started in other ways are never touched.

use std::fs;
use std::io;
use std::path::Path;

use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitOptions, child_subreaper, getpid, kill_process,
    set_child_subreaper, waitid, waitpid,
};

use crate::mark::Mark;

/// Rounds of killing before we give up: each round reaches one generation of children.
const MAX_ROUNDS: usize = 64;

/// Makes this process the parent of all orphans below it, so that runs can be cleaned up to the last process.
///
/// It holds for the whole process and has a cost: orphans of children that were started in other ways are adopted too,
/// and stay as zombies after their end. Without it, only the process group of a run is cleaned up.
///
/// # Errors
/// When the system refuses.
pub fn adopt_orphans() -> io::Result<()> {
    Ok(set_child_subreaper(Some(getpid()))?)
}

/// Kills and reaps every child that carries the mark. `others` are known not to.
pub(crate) fn sweep(mark: &Mark, folder: &Path, others: &[Pid]) {
    if !child_subreaper().is_ok_and(|adopts| adopts.is_some()) {
        return;
    }
    for _ in 0..MAX_ROUNDS {
        if has_no_children() {
            return;
        }
        let unknown = children().into_iter().filter(|child| !others.contains(child));
        let strays: Vec<Pid> = unknown.filter(|child| mark.is_on(*child, folder)).collect();
        if strays.is_empty() {
            return;
        }
        for stray in strays {
            let _ = kill_process(stray, Signal::KILL);
            let _ = waitpid(Some(stray), WaitOptions::empty());
        }
    }
}

/// One call that answers the usual case, without a look at `/proc`.
fn has_no_children() -> bool {
    let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    matches!(waitid(WaitId::All, look), Err(rustix::io::Errno::CHILD))
}

fn children() -> Vec<Pid> {
    let Ok(threads) = fs::read_dir("/proc/self/task") else { return Vec::new() };
    let lists =
        threads.flatten().filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists.flat_map(|list| parse_pids(&list)).collect()
}

fn parse_pids(list: &str) -> Vec<Pid> {
    list.split_whitespace().filter_map(|number| Pid::from_raw(number.parse().ok()?)).collect()
}
