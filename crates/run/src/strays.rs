//! Processes that left their group (`setsid`, daemons) and outlive the run that started them.
//!
//! A process that calls [`adopt_strays`] becomes the parent of every orphan below it, so strays can be found among
//! its children. A stray belongs to a run when it is in the run's group, has the run's folder in its environment or
//! works in it; one that belongs to no run under way is killed. A stray that cannot be told (nothing in its environment,
//! and at work elsewhere) is left alone while other runs are under way, and killed when the pool is idle.

use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitOptions, getpgid, getpid, kill_process, set_child_subreaper,
    waitid, waitpid,
};

/// Rounds of killing before we give up: each round reaches one generation of children.
const ROUNDS: usize = 64;

/// A run under way: its group and its folder.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run<'a> {
    pub(crate) group: Pid,
    pub(crate) folder: &'a Path,
}

/// Makes this process the parent of all orphans below it.
pub(crate) fn adopt_strays() -> io::Result<()> {
    Ok(set_child_subreaper(Some(getpid()))?)
}

/// Kills and reaps every child that belongs to no run under way.
pub(crate) fn sweep(running: &[Run<'_>]) {
    for _ in 0..ROUNDS {
        if has_no_children() {
            return;
        }
        let strays: Vec<Pid> = children().into_iter().filter(|child| !belongs(*child, running)).collect();
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
    let numbers: Vec<i32> = lists.flat_map(|list| parse_numbers(&list)).collect();
    numbers.into_iter().filter_map(Pid::from_raw).collect()
}

fn parse_numbers(list: &str) -> Vec<i32> {
    list.split_whitespace().filter_map(|number| number.parse().ok()).collect()
}

fn belongs(child: Pid, running: &[Run<'_>]) -> bool {
    if running.iter().any(|run| run.group == child) {
        return true;
    }
    if running.is_empty() {
        return false;
    }
    let group = getpgid(Some(child)).ok();
    if running.iter().any(|run| Some(run.group) == group) {
        return true;
    }
    let environment = fs::read(format!("/proc/{}/environ", child.as_raw_nonzero())).unwrap_or_default();
    if environment.is_empty() {
        // A zombie may be reaped by anybody; a living process that shows nothing may be anybody's.
        let place = fs::read_link(format!("/proc/{}/cwd", child.as_raw_nonzero()));
        return match place {
            Ok(place) if running.iter().any(|run| place.starts_with(run.folder)) => true,
            // In the folder of a run that has ended.
            Ok(place)
                if running
                    .iter()
                    .any(|run| run.folder.parent().is_some_and(|root| place.starts_with(root))) =>
            {
                false
            }
            _ => !is_zombie(child),
        };
    }
    let names = |folder: &Path| {
        let folder = folder.as_os_str().as_bytes();
        environment.windows(folder.len()).any(|window| window == folder)
    };
    running.iter().any(|run| names(run.folder))
}

fn is_zombie(child: Pid) -> bool {
    let stat = fs::read_to_string(format!("/proc/{}/stat", child.as_raw_nonzero())).unwrap_or_default();
    stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('Z'))
}
