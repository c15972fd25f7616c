//! Makes a parser of a grammar in the way the command line does.

use polysmith_description::{Capability, Description, ExtraChecks, LoadOptions, locate};
use polysmith_parse::Parser;
use polysmith_source::{Files, Severity};
use std::path::{Path, PathBuf};

/// The parser that `polysmith parse PATH --lexer LEXER` uses.
pub(crate) fn parser(files: &dyn Files, path: &Path, lexer: Option<PathBuf>) -> Result<Parser, String> {
    let word = path.to_str().ok_or("the path is not text")?;
    let located = locate(files, word, Some(Capability::Parse)).map_err(|error| error.to_string())?;
    let options = LoadOptions { lexer, extra_checks: ExtraChecks::Errors, ..LoadOptions::default() };
    let loaded = Description::load(&located, &options);
    let Some(grammar) = loaded.description.as_ref().and_then(Description::grammar) else {
        let error = loaded.diagnostics.iter().find(|found| found.severity == Severity::Error);
        return Err(error.map_or("not a grammar".into(), |found| format!("refused: {}", found.message)));
    };
    Parser::new(grammar.clone()).map_err(|error| error.to_string())
}
