//! Reads and parses one file, and formats the result.

use polysmith_grammar::RuleId;
use polysmith_parse::{Lexed, Limits, ParseError, ParseOptions, Parsed, Parser, Profile, SyntaxError, codes};
use polysmith_source::{Diagnostics, Encoding, SourceMap, Span, decode};
use polysmith_tree::save::{self, Header};
use polysmith_tree::{Tree, show};
use std::fmt;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// What to print for each file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// A node per line.
    Tree,
    /// ANTLR's LISP form, one line per file.
    Sexpr,
    /// The JSON form of saved trees.
    Json,
    /// Graphviz.
    Dot,
    /// One line per token: index, type, number, line:column, channel, start:stop, text.
    Tokens,
    /// Nothing: only errors and the exit code.
    None,
}

/// The result for a file.
pub(super) struct Done {
    pub(super) path: PathBuf,
    pub(super) result: Result<Good, Bad>,
}

/// A file that was parsed, with errors or without.
pub(super) struct Good {
    pub(super) text: String,
    pub(super) lexed: Lexed,
    /// Sorted by offset.
    pub(super) errors: Vec<SyntaxError>,
    /// Indices of `errors` in the order in which ANTLR reports them.
    pub(super) report_order: Vec<u32>,
    /// `None` for a lexer grammar.
    pub(super) tree: Option<Tree>,
    pub(super) profile: Option<Profile>,
    /// Ambiguities, as text to print.
    pub(super) ambiguities: Vec<String>,
}

/// Why a file was not parsed to its end.
pub(super) enum Bad {
    Unreadable(String),
    Stopped(ParseError),
}

/// What to do with each file.
pub(super) struct Task<'a> {
    /// The parser rule to start from; `None` makes tokens only.
    pub(super) start: Option<RuleId>,
    pub(super) encoding: Encoding,
    pub(super) limits: &'a Limits,
    pub(super) profile: bool,
    pub(super) ambiguities: bool,
}

impl Task<'_> {
    pub(super) fn perform(&self, parser: &mut Parser, path: &Path) -> Done {
        let result = read(path, self.encoding).map_err(Bad::Unreadable);
        let result = result.and_then(|text| self.parse(parser, text).map_err(Bad::Stopped));
        Done { path: path.to_path_buf(), result }
    }

    fn parse(&self, parser: &mut Parser, text: String) -> Result<Good, ParseError> {
        let Some(start) = self.start else {
            let lexed = parser.lex(&text, self.limits)?;
            let errors = polysmith_parse::lexer_errors(&lexed, &text);
            let report_order = (0..errors.len() as u32).collect();
            let (tree, profile, ambiguities) = (None, None, Vec::new());
            return Ok(Good { text, lexed, errors, report_order, tree, profile, ambiguities });
        };
        let mut profile = (self.profile || self.ambiguities).then(Profile::default);
        let parsed = match &mut profile {
            Some(profile) => parser.parse_with(
                start,
                &text,
                self.limits,
                ParseOptions { profile: Some(profile), ..ParseOptions::default() },
            )?,
            None => parser.parse(start, &text, self.limits)?,
        };
        let ambiguities = match &profile {
            Some(profile) if self.ambiguities => {
                super::ambiguity::show(parser, start, &text, self.limits, &parsed, profile)?
            }
            _ => Vec::new(),
        };
        let report_order = parsed.report_order().to_vec();
        let Parsed { tree, lexed, errors, .. } = parsed;
        Ok(Good { text, lexed, errors, report_order, tree: Some(tree), profile, ambiguities })
    }
}

fn read(path: &Path, encoding: Encoding) -> Result<String, String> {
    let mut bytes = Vec::new();
    let read = match path == Path::new("-") {
        true => std::io::stdin().lock().read_to_end(&mut bytes).map(|_| ()),
        false => std::fs::read(path).map(|read| bytes = read),
    };
    read.map_err(|error| error.to_string())?;
    decode(bytes, encoding).map_err(|error| format!("{error}; `--encoding latin-1` reads any bytes"))
}

impl Good {
    /// Writes the result for stdout piece by piece: the text of a large tree takes many times the memory of the tree.
    pub(super) fn show(&self, parser: &Parser, format: Format, out: &mut dyn fmt::Write) -> fmt::Result {
        let grammar = parser.grammar();
        match (format, &self.tree) {
            (Format::Tokens, _) => polysmith_parse::write_tokens(grammar, &self.lexed, &self.text, out),
            (Format::None, _) | (_, None) => Ok(()),
            (Format::Tree, Some(tree)) => show::write_outline(tree, grammar, out),
            (Format::Sexpr, Some(tree)) => {
                show::write_sexpr(tree, grammar, &|token| parser.token_name(token), out)?;
                out.write_char('\n')
            }
            (Format::Json, Some(tree)) => save::write_json(tree, grammar, &Header::of(grammar), out),
            (Format::Dot, Some(tree)) => show::write_dot(tree, grammar, out),
        }
    }

    /// The errors as diagnostics for people.
    pub(super) fn diagnostics(&self, path: &Path) -> (SourceMap, Diagnostics) {
        let mut sources = SourceMap::default();
        let source = sources.add(path.display().to_string(), self.text.as_str());
        let mut diagnostics = Diagnostics::default();
        for error in &self.errors {
            let span = Span::new(source, error.start, error.end);
            diagnostics.error(codes::code_of(error.kind), span, error.message.clone());
        }
        (sources, diagnostics)
    }
}

/// ANTLR's LISP form, missing tokens named as in its messages.
pub(super) fn sexpr(tree: &Tree, parser: &Parser) -> String {
    show::sexpr_with(tree, parser.grammar(), &|token| parser.token_name(token))
}
