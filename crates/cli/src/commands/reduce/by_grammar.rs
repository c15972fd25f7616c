//! Which language the files are in, and the passes that follow from it.

use super::{Args, Method};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::load::load_parser;
use crate::talk::Talk;
use polysmith_reduce::passes::{self, Pass};
use polysmith_reduce::tree::{Hdd, Language, Passes};
use polysmith_source::Disk;
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
    let loaded = load_parser(&word, &args.description, talk)?;
    talk.detail(format_args!("the files are read as {}", loaded.grammar.name()));
    let language = Language::new(loaded.grammar, loaded.start)
        .map_err(|error| Failure::unusable(format!("`{word}` cannot be parsed with: {error}")))?;
    let (language, unread) = language.with_rewrites(&loaded.description.side_file().rewrites);
    if !unread.is_empty() {
        talk.warning(format_args!(
            "{} rewrites of the side file are not used: the lexer of `{word}` cannot read them",
            unread.len()
        ));
    }
    Ok(Some(language))
}

/// The built-in language whose files have this extension.
fn by_extension(file: &Path) -> Option<String> {
    let extension = file.extension()?.to_str()?;
    polysmith_description::claiming(&Disk, extension)?.built_in.map(|folder| folder.name.to_owned())
}

/// The passes that a language brings.
pub(super) struct TreePasses<'a> {
    hdd: Hdd<'a>,
    all: Passes<'a>,
}

impl<'a> TreePasses<'a> {
    pub(super) fn new(language: &'a Language, hoist_depth: Option<u32>) -> TreePasses<'a> {
        TreePasses { hdd: Hdd::new(language), all: Passes::new(language, hoist_depth) }
    }

    /// All of them, for `--list-passes`.
    pub(super) fn listed(&self) -> Vec<&dyn Pass> {
        [&self.hdd as &dyn Pass].into_iter().chain(self.all.all()).collect()
    }
}

/// `--list-passes`: those by grammar first.
pub(super) fn list_passes(talk: Talk) -> anyhow::Result<Exit> {
    // Every language has the same passes; the smallest one will do to name them.
    let grammar = polysmith_grammar::Builder::new("None").finish();
    let language = Language::new(grammar, polysmith_grammar::RuleId::new(0)).ok();
    let trees = language.as_ref().map(|language| TreePasses::new(language, None));
    let by_tree = trees.iter().flat_map(TreePasses::listed);
    let listed: Vec<&dyn Pass> = by_tree.chain(passes::PASSES.iter().copied()).collect();
    talk.result(super::summary::manual(&listed))?;
    Ok(Exit::Yes)
}

/// What runs, in order.
pub(super) fn passes<'p>(
    trees: Option<&'p TreePasses<'_>>,
    args: &Args,
) -> anyhow::Result<Vec<&'p dyn Pass>> {
    let mut all: Vec<&'p dyn Pass> = passes::PASSES.to_vec();
    if let Some(trees) = trees {
        match args.algorithm {
            Method::Hdd => return Ok(vec![&trees.hdd]),
            Method::Perses => return Ok(vec![trees.all.alone()]),
            _ => all = beside(&trees.all.all()),
        }
    }
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

/// Passes by tree beside the others. Whole files and comments take few questions and spare the later passes many.
fn beside<'p>(trees: &[&'p dyn Pass]) -> Vec<&'p dyn Pass> {
    let is_early = |pass: &&dyn Pass| matches!(pass.name(), "files" | "comments");
    let (early, late): (Vec<&dyn Pass>, Vec<&dyn Pass>) = passes::PASSES.iter().copied().partition(is_early);
    let (perses, others) = trees.split_at(1);
    [perses, &early, others, &late].concat()
}
