//! The only module that prints: results to stdout, everything else to stderr.
//!
//! A closed stdout (`| head`) is a normal end: writing then fails with an error that contains [`StdoutClosed`], which
//! `run` turns into success. Errors of writing to stderr are ignored.

use crate::failure::Failure;
use polysmith_source::{Diagnostics, SourceMap, render};
use std::fmt;
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};

/// How much goes to stderr.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verbosity {
    /// Only errors (`-q`).
    Quiet,
    /// Errors, warnings, and what the user needs to know.
    Normal,
    /// Also what is being done (`-v`).
    Verbose,
}

/// Prints to the user.
#[derive(Debug, Clone, Copy)]
pub struct Talk {
    verbosity: Verbosity,
}

impl Talk {
    /// Prints with this verbosity.
    pub fn new(verbosity: Verbosity) -> Talk {
        Talk { verbosity }
    }

    /// How much goes to stderr.
    pub fn verbosity(self) -> Verbosity {
        self.verbosity
    }

    /// Stdout, for results. Call `flush` at the end: later errors are lost.
    pub fn out(self) -> Out {
        Out(BufWriter::new(io::stdout().lock()))
    }

    /// Prints a result.
    ///
    /// # Errors
    /// Fails if stdout cannot be written.
    pub fn result(self, text: impl fmt::Display) -> io::Result<()> {
        let mut out = self.out();
        writeln!(out, "{text}")?;
        out.flush()
    }

    /// Prints one versioned JSON object on a line of its own.
    ///
    /// # Errors
    /// Fails if stdout cannot be written.
    pub fn json_line(self, kind: &str, mut object: serde_json::Value) -> io::Result<()> {
        if let Some(map) = object.as_object_mut() {
            map.insert("v".to_owned(), 1.into());
            map.insert("kind".to_owned(), kind.into());
        }
        self.result(object)
    }

    /// Prints a page of help on stdout, in colour on a terminal.
    ///
    /// # Errors
    /// Fails if stdout cannot be written.
    pub fn page(self, page: &clap::Error) -> io::Result<()> {
        page.print().map_err(mark_closed)
    }

    /// Prints a line on stderr, unless `-q`. For what the user needs to know, such as `seed: 7`.
    pub fn say(self, text: impl fmt::Display) {
        if self.verbosity >= Verbosity::Normal {
            err(format_args!("{text}\n"));
        }
    }

    /// Prints a line on stderr with `-v`.
    pub fn detail(self, text: impl fmt::Display) {
        if self.verbosity >= Verbosity::Verbose {
            err(format_args!("{text}\n"));
        }
    }

    /// `note: …`, unless `-q`.
    pub fn note(self, text: impl fmt::Display) {
        self.say(format_args!("{NOTE}note{NOTE:#}: {text}"));
    }

    /// `warning: …`, unless `-q`.
    pub fn warning(self, text: impl fmt::Display) {
        self.say(format_args!("{WARNING}warning{WARNING:#}: {text}"));
    }

    /// Prints `error: …` with its causes and the help, whatever the verbosity.
    pub fn failure(self, error: &anyhow::Error) {
        let causes: Vec<String> = error.chain().map(ToString::to_string).collect();
        err(format_args!("{ERROR}error{ERROR:#}: {}\n", causes.join(": ")));
        if let Some(help) = Failure::help_of(error) {
            err(format_args!("{HELP}help{HELP:#}: {help}\n"));
        }
    }

    /// Prints diagnostics on stderr, sorted by location; with `-q` only errors.
    pub fn diagnostics(self, sources: &SourceMap, diagnostics: &Diagnostics) {
        let mut sorted = diagnostics.clone();
        sorted.sort();
        let shown = sorted.iter().filter(|diagnostic| {
            self.verbosity > Verbosity::Quiet || diagnostic.severity == polysmith_source::Severity::Error
        });
        // Rendered in colour; the stream removes it if it is not supported.
        let style = render::Style { color: true, width: columns(), ..render::Style::plain() };
        err(format_args!("{}", render::human(sources, shown, &style)));
    }

    /// Prints diagnostics on stdout in a format for programs, one per line, sorted by location.
    ///
    /// # Errors
    /// Fails if stdout cannot be written.
    pub fn print_diagnostics(
        self,
        format: render::Format,
        sources: &SourceMap,
        diagnostics: &Diagnostics,
    ) -> io::Result<()> {
        let mut sorted = diagnostics.clone();
        sorted.sort();
        let mut out = self.out();
        for diagnostic in &sorted {
            writeln!(out, "{}", (format.line)(sources, diagnostic))?;
        }
        out.flush()
    }
}

/// The width of the terminal of stderr, or a default for files.
pub fn columns() -> usize {
    let size = terminal_size::terminal_size_of(io::stderr());
    size.map_or(120, |(width, _)| usize::from(width.0).max(40))
}

/// Whether stderr is a terminal.
pub fn is_watched() -> bool {
    io::stderr().is_terminal()
}

/// Makes a panic print that it is a bug of Polysmith, with the version to report.
pub fn install_panic_hook() {
    std::panic::set_hook(Box::new(|panic| {
        err(format_args!("{ERROR}error{ERROR:#}: polysmith {} {panic}\n", crate::version::SHORT));
        let help = "this is a bug, whatever the input: please report it with the command line and the files";
        err(format_args!("{HELP}help{HELP:#}: {help}\n"));
    }));
}

/// Stdout, buffered.
#[derive(Debug)]
pub struct Out(BufWriter<StdoutLock<'static>>);

impl Out {
    /// Writes what `write` formats, without buffering all of it.
    ///
    /// # Errors
    /// Fails if stdout cannot be written; `write` should then end at once.
    pub fn write_formatted(
        &mut self,
        write: impl FnOnce(&mut dyn fmt::Write) -> fmt::Result,
    ) -> io::Result<()> {
        let mut formatted = Formatted { out: self, error: None };
        match (write(&mut formatted), formatted.error) {
            (_, Some(error)) => Err(error),
            (Ok(()), None) => Ok(()),
            (Err(fmt::Error), None) => Err(io::Error::other("a result cannot be formatted")),
        }
    }
}

/// Formatted text on its way to stdout. Keeps the error that [`fmt::Write`] cannot return.
struct Formatted<'a> {
    out: &'a mut Out,
    error: Option<io::Error>,
}

impl fmt::Write for Formatted<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.out.write_all(text.as_bytes()).map_err(|error| {
            self.error = Some(error);
            fmt::Error
        })
    }
}

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(mark_closed)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(mark_closed)
    }
}

/// The reader of our stdout has closed it.
#[derive(Debug)]
pub struct StdoutClosed;

impl StdoutClosed {
    /// Whether a closed stdout ended the command.
    pub fn is_cause_of(error: &anyhow::Error) -> bool {
        error.chain().any(|cause| {
            cause
                .downcast_ref::<io::Error>()
                .and_then(io::Error::get_ref)
                .is_some_and(|inner| inner.is::<StdoutClosed>())
        })
    }
}

impl fmt::Display for StdoutClosed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("stdout is closed")
    }
}

impl std::error::Error for StdoutClosed {}

fn mark_closed(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::BrokenPipe => io::Error::new(io::ErrorKind::BrokenPipe, StdoutClosed),
        kind => io::Error::new(kind, format!("cannot write to stdout: {error}")),
    }
}

fn err(text: fmt::Arguments<'_>) {
    let _ = anstream::stderr().write_fmt(text);
}

const ERROR: anstyle::Style = anstyle::AnsiColor::BrightRed.on_default().bold();
const WARNING: anstyle::Style = anstyle::AnsiColor::Yellow.on_default().bold();
const NOTE: anstyle::Style = anstyle::AnsiColor::BrightGreen.on_default().bold();
const HELP: anstyle::Style = anstyle::AnsiColor::BrightCyan.on_default().bold();
