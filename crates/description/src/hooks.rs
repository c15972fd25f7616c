//! Finds the hooks of a grammar: a script that the side file names, one that is named after the grammar, or a built-in
//! one for its base class.

use crate::load::LoadOptions;
use crate::locate::Located;
use crate::side_file::SideFile;
use polysmith_antlr::ExtraChecks;
use polysmith_grammar::Grammar;
use polysmith_hooks::{Script, built_in};
use polysmith_source::{Diagnostics, Encoding, Location, SourceMap, codes, decode};
use std::io;
use std::path::PathBuf;

/// A grammar whose hooks are looked for.
pub(crate) struct Lookup<'a> {
    pub(crate) located: &'a Located<'a>,
    pub(crate) grammar: &'a Grammar,
    pub(crate) super_classes: &'a [String],
    pub(crate) options: &'a LoadOptions,
}

/// At most this many pieces of code are named in a message.
const MAX_NAMED: usize = 8;

impl Lookup<'_> {
    /// Reads the script, and says which code of the grammar it does not cover.
    pub(crate) fn load(
        &self,
        side_file: &SideFile,
        sources: &mut SourceMap,
        found: &mut Diagnostics,
    ) -> Option<Script> {
        let (name, text) = self.text(side_file, sources, found)?;
        let script = Script::read(self.grammar, (&name, &text), sources, found)?;
        let missing = script.coverage(self.grammar).missing;
        let target_code = found.iter().find(|found| found.code == polysmith_antlr::codes::TARGET_CODE);
        let place = target_code.map_or(Location::Nowhere, |found| found.location);
        if missing.is_empty() || !self.options.no_target_code {
            found.retain(|found| found.code != polysmith_antlr::codes::TARGET_CODE);
        }
        if !missing.is_empty() && self.options.extra_checks == ExtraChecks::All {
            let shown: Vec<String> =
                missing.iter().take(MAX_NAMED).map(|code| format!("`{{{code}}}`")).collect();
            let more = missing.len().saturating_sub(MAX_NAMED);
            let more = if more == 0 { String::new() } else { format!(" and {more} more") };
            let message = format!("`{name}` does not cover {}{more}", shown.join(", "));
            found.warning(polysmith_hooks::codes::NOT_COVERED, place, message).help(
                "these predicates count as true and these actions do nothing, so more or fewer texts are accepted than \
                 by the real parser",
            );
        }
        Some(script)
    }

    /// The name and the text of the script.
    fn text(
        &self,
        side_file: &SideFile,
        sources: &mut SourceMap,
        found: &mut Diagnostics,
    ) -> Option<(String, String)> {
        let (path, place) = match &side_file.script {
            Some((script, span)) => {
                let folder = self.located.path.parent().map(PathBuf::from).unwrap_or_default();
                (folder.join(script), Some(*span))
            }
            None => (self.located.path.with_extension("hooks"), None),
        };
        let name = path.display().to_string();
        match self.located.files().read(&path) {
            Ok(bytes) => match decode(bytes, Encoding::Utf8) {
                Ok(text) => Some((name, text)),
                Err(error) => {
                    let source = sources.add(name, "");
                    found.error(codes::NOT_TEXT, source, format!("the script is not text: {error}"));
                    None
                }
            },
            Err(error) if place.is_none() && error.kind() == io::ErrorKind::NotFound => {
                let script = built_in::find(self.super_classes, self.grammar)?;
                Some((script.name.to_owned(), script.text.to_owned()))
            }
            Err(error) => {
                let place = place.map_or(Location::Nowhere, Location::Span);
                found.error(codes::UNREADABLE, place, format!("cannot read the script `{name}`: {error}"));
                None
            }
        }
    }
}
