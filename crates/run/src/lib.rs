//! Runs other people's programs: limited, watched, cleaned up.
//!
//! A [`Pool`] starts processes and waits for them with one thread; when a run comes back, nothing of it is alive,
//! and dropping its [`Folder`] removes what it wrote. What a result *means* is not decided here: an [`Outcome`] is
//! plain data.
//!
//! ```
//! use polysmith_run::{Ended, Limits, Pool, Scratch, Start};
//!
//! let mut scratch = Scratch::new()?;
//! let folder = scratch.folder()?;
//! let start = Start {
//!     program: "/bin/sh".as_ref(),
//!     arguments: &["-c".into(), "echo hello; exit 3".into()],
//!     folder: folder.path(),
//!     environment: &[("TMPDIR", folder.temporary().as_os_str())],
//!     stdin: None,
//!     capture: true,
//! };
//! let outcome = Pool::new().run(&start, &Limits::default())?;
//! assert_eq!(outcome.ended, Ended::Exited(3));
//! assert_eq!(outcome.stdout, b"hello\n");
//! # Ok::<(), std::io::Error>(())
//! ```

pub mod files;
mod folder;
mod limits;
mod outcome;
mod pool;
mod process;
mod strays;
mod usage;

pub use folder::{Folder, Scratch};
pub use limits::Limits;
pub use outcome::{Ended, Outcome};
pub use pool::{Pool, Ticket};
pub use process::Start;
pub use usage::Usage;
