//! Keeps what a thread starts away from the network, from other processes and from files outside temporary folders.
//!
//! A thread that calls [`enter_thread`] enters namespaces of its own (mount, network, IPC, process numbers); every process
//! that it starts from then on is in them, at no cost per process. Its view of the file system is read-only but for
//! the folder for temporary files. Processes that outlive their run are in the thread's process namespace, whose first
//! process ends when this program ends, however that happens: then the kernel kills the others.
//!
//! A user without privileges needs a user namespace first ([`enter_process`]), which the kernel only gives to a process
//! with one thread. Not confined: reading files, processor time and memory beyond the limits of a run, devices.

use std::fs;
use std::io;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use rustix::mount::{MountFlags, MountPropagationFlags, mount_bind, mount_change, mount_remount};
use rustix::process::{Pid, Signal, getegid, geteuid, kill_process};
use rustix::thread::UnshareFlags;

/// Prepares this process so that its threads can be confined. Does nothing for a privileged user.
///
/// # Errors
/// When the kernel does not allow user namespaces, or when the process has several threads already.
pub fn enter_process() -> io::Result<()> {
    let (user, group) = (geteuid().as_raw(), getegid().as_raw());
    if user == 0 {
        return Ok(());
    }
    unshare(UnshareFlags::NEWUSER)?;
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/uid_map", format!("{user} {user} 1"))?;
    fs::write("/proc/self/gid_map", format!("{group} {group} 1"))
}

/// The namespaces of a thread. When it is dropped, all processes in them are killed.
#[derive(Debug)]
pub struct Confinement {
    first: Child,
}

/// Confines what this thread starts from now on. It cannot be undone: use a thread for it.
///
/// # Errors
/// When the kernel refuses.
pub fn enter_thread() -> io::Result<Confinement> {
    unshare(UnshareFlags::NEWNS | UnshareFlags::NEWNET | UnshareFlags::NEWIPC | UnshareFlags::NEWPID)?;
    mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)?;
    let temporary = fs::canonicalize(std::env::temp_dir())?;
    mount_bind(&temporary, &temporary)?;
    make_read_only(&temporary)?;
    // The first process of the namespace waits for the end of ours. Ignoring SIGCHLD makes the kernel reap orphans.
    let first = Command::new("/bin/sh")
        .args(["-c", "trap '' CHLD HUP INT TERM; exec cat"])
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    Ok(Confinement { first })
}

impl Confinement {
    /// Kills processes that outlived their runs. Runs that are under way are not touched.
    pub fn kill_strays(&self) {
        for _ in 0..MAX_ROUNDS {
            let strays = self.strays();
            if strays.is_empty() {
                return;
            }
            for stray in strays {
                let _ = kill_process(stray, Signal::KILL);
            }
        }
    }

    /// Orphans are children of the first process of their namespace.
    fn strays(&self) -> Vec<Pid> {
        let first = self.first.id();
        let list = fs::read_to_string(format!("/proc/{first}/task/{first}/children")).unwrap_or_default();
        let numbers = list.split_whitespace().filter_map(|number| number.parse().ok());
        numbers.filter_map(Pid::from_raw).collect()
    }
}

/// Rounds of killing: each reaches one generation of orphans.
const MAX_ROUNDS: usize = 64;

impl Drop for Confinement {
    fn drop(&mut self) {
        let _ = self.first.kill();
        let _ = self.first.wait();
    }
}

/// Remounts everything read-only but `except` and what the kernel provides. What cannot be remounted must not be writable.
fn make_read_only(except: &Path) -> io::Result<()> {
    const KERNEL: [&str; 3] = ["/proc", "/sys", "/dev"];
    let mounts = fs::read_to_string("/proc/thread-self/mountinfo")?;
    for line in mounts.lines() {
        let mut words = line.split(' ').skip(4);
        let (Some(place), Some(options)) = (words.next(), words.next()) else { continue };
        let place = unescape(place);
        let path = Path::new(&place);
        if path.starts_with(except) || KERNEL.iter().any(|kernel| path.starts_with(kernel)) {
            continue;
        }
        let flags = MountFlags::BIND | MountFlags::RDONLY | kept_flags(options);
        match mount_remount(path, flags, "") {
            Ok(()) => {}
            // Covered by a later mount, or read-only for all.
            Err(_) if options.split(',').any(|option| option == "ro") || !path.exists() => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// Flags that a user namespace must not take away.
fn kept_flags(options: &str) -> MountFlags {
    options.split(',').fold(MountFlags::empty(), |flags, option| {
        flags
            | match option {
                "nosuid" => MountFlags::NOSUID,
                "nodev" => MountFlags::NODEV,
                "noexec" => MountFlags::NOEXEC,
                "noatime" => MountFlags::NOATIME,
                "nodiratime" => MountFlags::NODIRATIME,
                "relatime" => MountFlags::RELATIME,
                _ => MountFlags::empty(),
            }
    })
}

/// `mountinfo` writes blanks and backslashes as octal numbers.
fn unescape(text: &str) -> String {
    text.replace("\\040", " ").replace("\\011", "\t").replace("\\012", "\n").replace("\\134", "\\")
}

fn unshare(flags: UnshareFlags) -> io::Result<()> {
    // The call is deprecated because of a flag that unshares file descriptors, which is not used here.
    #[expect(deprecated, reason = "the other form is unsafe because of a flag that is not used here")]
    let unshared = rustix::thread::unshare(flags);
    Ok(unshared?)
}
