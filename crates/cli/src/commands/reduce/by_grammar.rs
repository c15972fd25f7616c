//! Which language the files are in, and the passes that follow from it.

use super::{Args, Method};
use crate::built_in;
use crate::failure::Failure;
use crate::language::Purpose;
use crate::load::load;
use crate::talk::Talk;
use polysmith_reduce::passes::{self, Pass};
use polysmith_reduce::tree::{Hdd, Language, Perses, Replace};
use std::path::Path;

/// The language to reduce by; `None` for plain text.
pub(super) fn language(args: &Args, talk: Talk) -> anyhow::Result<Option<Language>> {
    let by_name = args.language.clone().or_else(|| by_extension(args.files.first()?));
    let Some(word) = by_name.filter(|word| word != "none") else {
        if args.language.is_none() {
            talk.detail("no built-in language claims the extension: the files are read as plain text");
        }
        if matches!(args.algorithm, Method::Perses | Method::Hdd) {
            return Err(Failure::usage("this algorithm needs a grammar")
                .help("name one with `--language`, or use `--algorithm full`")
                .into());
        }
        return Ok(None);
    };
    let loaded = load(&word, Purpose::Parse, &args.description, talk)?;
    talk.detail(format_args!("the files are read as {}", loaded.grammar.name()));
    let language = Language::new(loaded.grammar, loaded.start)
        .map_err(|error| Failure::unusable(format!("`{word}` cannot be parsed with: {error}")))?;
    Ok(Some(language))
}

/// The built-in language whose files have this extension.
fn by_extension(file: &Path) -> Option<String> {
    let extension = file.extension()?.to_str()?;
    let claims = |folder: &&built_in::BuiltIn| {
        let side = folder.files.iter().filter(|(name, _)| name.ends_with(".toml"));
        side.filter_map(|(_, bytes)| std::str::from_utf8(bytes).ok()?.parse::<toml::Table>().ok()).any(|table| {
            let extensions = table.get("language").and_then(|language| language.get("extensions"));
            let all = extensions.and_then(toml::Value::as_array).into_iter().flatten();
            all.filter_map(toml::Value::as_str).any(|known| known.trim_start_matches('.') == extension)
        })
    };
    built_in::ALL.iter().find(claims).map(|folder| folder.name.to_owned())
}

/// The passes that a language brings.
pub(super) struct TreePasses<'a> {
    hdd: Hdd<'a>,
    perses: Perses<'a>,
    replace: Replace<'a>,
}

impl<'a> TreePasses<'a> {
    pub(super) fn new(language: &'a Language, args: &Args) -> TreePasses<'a> {
        TreePasses {
            hdd: Hdd::new(language),
            perses: Perses::new(language).hoist_depth(args.hoist_depth),
            replace: Replace::new(language),
        }
    }
}

/// What runs, in order.
pub(super) fn passes<'p>(trees: Option<&'p TreePasses<'_>>, args: &Args) -> anyhow::Result<Vec<&'p dyn Pass>> {
    let mut all: Vec<&'p dyn Pass> = Vec::new();
    if let Some(trees) = trees {
        match args.algorithm {
            Method::Hdd => return Ok(vec![&trees.hdd]),
            Method::Perses => return Ok(vec![&trees.perses]),
            _ => all.extend([&trees.perses as &dyn Pass, &trees.replace]),
        }
    }
    all.extend(passes::PASSES);
    for name in args.only.iter().chain(&args.without) {
        if !all.iter().any(|pass| pass.name() == name) {
            let help = "`polysmith reduce --list-passes` names them all; some need a grammar";
            return Err(Failure::usage(format!("there is no pass `{name}`")).help(help).into());
        }
    }
    let is_wanted = |name: &str| args.only.is_empty() || args.only.iter().any(|only| only == name);
    let is_barred = |name: &str| args.without.iter().any(|without| without == name);
    all.retain(|pass| is_wanted(pass.name()) && !is_barred(pass.name()));
    Ok(all)
}
