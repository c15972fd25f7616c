//! Runs other people's programs: limited, watched, cleaned up.
//!
//! A [`Pool`] starts processes and waits for them with one thread; when a run comes back, nothing of it is alive,
//! and dropping its [`Folder`] removes what it wrote. What a result *means* is not decided here: an [`Outcome`] is
//! plain data. A [`Server`] is a process that answers many requests. [`files`] writes results,
//! [`shell`] quotes words of command lines.
//!
//! # What the confinement is
//!
//! Generated programs, reduced programs and the tools that read them run through this crate only. Each run has
//!
//! - a working folder and a `TMPDIR` of its own ([`Scratch`], [`Folder`]), empty at the start and emptied after the end;
//! - a process group of its own, killed as a whole when its leader ends or its time is over; after [`adopt_orphans`] also
//!   the processes that left the group, recognized by a mark that all descendants of a run inherit;
//! - [`Limits`]: wall time and number of processes of the run; processor time, memory and file size of each process; no
//!   core files; kept output.
//!
//! # What it is not
//!
//! It is no sandbox, unless the thread that starts a run entered one with [`confine`]. A run has the rights, the network and the view of the file system that the calling user has, and
//! inherits the environment (plus what [`Start::environment`] adds and the mark of the run). Limits hold for each
//! process, not for all of a run together: many processes can use more memory or disk. The limits are set a moment after
//! the start, so the first instructions of a program run without them. Programs that must not touch the machine
//! belong into a container around the whole tool.
//!
//! ```
//! use polysmith_run::{Ended, Limits, Pool, Scratch, Start, Stdin};
//!
//! let mut scratch = Scratch::new()?;
//! let folder = scratch.folder()?;
//! let start = Start {
//!     program: "/bin/sh".as_ref(),
//!     arguments: &["-c".into(), "echo hello; exit 3".into()],
//!     folder: folder.path(),
//!     environment: &[("TMPDIR", folder.temporary().as_os_str())],
//!     stdin: Stdin::Empty,
//!     capture: true,
//! };
//! let outcome = Pool::new().run(&start, &Limits::default())?;
//! assert_eq!(outcome.ended, Ended::Exited(3));
//! assert_eq!(outcome.stdout, b"hello\n");
//! # Ok::<(), std::io::Error>(())
//! ```

pub mod confine;
mod crowd;
mod file_error;
pub mod files;
mod folder;
mod limits;
mod mark;
mod outcome;
mod pool;
mod process;
mod server;
pub mod shell;
mod strays;
mod usage;

pub use file_error::FileError;
pub use folder::{Folder, Scratch};
pub use limits::Limits;
pub use outcome::{Ended, Outcome};
pub use pool::{Pool, Ticket};
pub use process::{Start, Stdin};
pub use server::{Frame, Framing, LengthPrefixed, Lines, Reply, ReplyEnd, Server, ServerCommand};
pub use strays::adopt_orphans;
pub use usage::Usage;
