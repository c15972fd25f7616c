//! Which language the files are in, and the passes that follow from it.

use super::{Args, Method};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::load::load_parser;
use crate::talk::Talk;
use polysmith_parse::TextRecognizer;
use polysmith_reduce::passes::{self, Algorithm, Pass};
use polysmith_reduce::tree::Language;
use polysmith_source::Disk;
use std::path::{Path, PathBuf};

/// What the files are reduced by.
#[derive(Debug, Default)]
pub(super) struct Chosen {
    /// The language; `None` for plain text.
    pub(super) language: Option<Language>,
    /// The name of its grammar.
    pub(super) name: Option<String>,
    /// The extension of files in the language.
    extension: Option<String>,
}

impl Chosen {
    /// What standard input is called in the folder of the test.
    pub(super) fn stdin_name(&self) -> PathBuf {
        let name = Path::new("input");
        self.extension.as_ref().map_or(name.to_owned(), |extension| name.with_extension(extension))
    }
}

/// Finds the language to reduce by, and says what it is.
pub(super) fn choose(args: &Args, talk: Talk) -> anyhow::Result<Chosen> {
    let by_name = args.language.clone().or_else(|| by_extension(args.files.first()?));
    let Some(word) = by_name.filter(|word| word != "none") else {
        announce(args, talk, without_grammar(args));
        if matches!(args.search.algorithm, Method::Perses | Method::Hdd) {
            return Err(Failure::usage("this algorithm needs a grammar")
                .help("name one with `--language`, or use `--algorithm full`")
                .into());
        }
        return Ok(Chosen::default());
    };
    let loaded = load_parser(&word, &args.description, talk)?;
    let hint = if args.language.is_some() { "" } else { "; `--language none` reduces plain text" };
    let name = loaded.grammar.name().to_owned();
    announce(args, talk, format!("reducing by the grammar {name}{hint}"));
    let parser = loaded
        .parser()
        .map_err(|error| Failure::unusable(format!("`{word}` cannot be parsed with: {error}")))?;
    let recognizer = TextRecognizer::with_parser(parser, loaded.start);
    let (language, unread) =
        Language::new(recognizer).with_rewrites(&loaded.description.side_file().rewrites);
    if !unread.is_empty() {
        talk.warning(format_args!(
            "{} rewrites of the side file are not used: the lexer of `{word}` cannot read them",
            unread.len()
        ));
    }
    let extension = loaded.description.extensions().first().cloned();
    Ok(Chosen { language: Some(language), name: Some(name), extension })
}

/// Says in one line how the reduction will work. A single question (`--ask`) is no reduction.
fn announce(args: &Args, talk: Talk, line: String) {
    if !args.question.ask {
        talk.say(line);
    }
}

/// Says that there is no grammar, and why.
fn without_grammar(args: &Args) -> String {
    let extension = args.files.first().and_then(|file| file.extension()?.to_str());
    match (&args.language, extension) {
        (Some(_), _) => "reducing plain text, without a grammar".to_owned(),
        (None, Some(extension)) => format!(
            "reducing plain text: no built-in language for `.{extension}` files; `--language FILE.g4` gives one"
        ),
        (None, None) if args.files.first().is_some_and(|file| file == Path::new("-")) => {
            "reducing plain text; `--language NAME` or `--language FILE.g4` gives a grammar".to_owned()
        }
        (None, None) => {
            "reducing plain text: the file has no extension; `--language NAME` or `--language FILE.g4` gives a grammar"
                .to_owned()
        }
    }
}

/// The built-in language whose files have this extension.
fn by_extension(file: &Path) -> Option<String> {
    let extension = file.extension()?.to_str()?;
    polysmith_description::claiming(&Disk, extension)?.built_in.map(|folder| folder.name.to_owned())
}

/// `--list-passes`: those by grammar first.
pub(super) fn list_passes(talk: Talk) -> anyhow::Result<Exit> {
    let all = Algorithm::Hdd.passes().iter().chain(passes::PASSES).copied();
    let (by_tree, by_text): (Vec<&Pass>, Vec<&Pass>) = all.partition(|pass| pass.is_by_tree());
    talk.result(super::summary::manual(&[by_tree, by_text].concat()))?;
    Ok(Exit::Yes)
}

/// What runs, in order.
pub(super) fn passes(
    algorithm: Algorithm,
    has_language: bool,
    args: &Args,
) -> anyhow::Result<Vec<&'static Pass>> {
    let mut all = algorithm.passes().to_vec();
    if algorithm != Algorithm::Full {
        return Ok(all);
    }
    all.retain(|pass| has_language || !pass.is_by_tree());
    for name in args.search.only.iter().chain(&args.search.without) {
        if !all.iter().any(|pass| pass.name == name) {
            let help = "`polysmith reduce --list-passes` names them all; some need a grammar";
            return Err(Failure::usage(format!("there is no pass `{name}`")).help(help).into());
        }
    }
    let is_wanted =
        |name: &str| args.search.only.is_empty() || args.search.only.iter().any(|only| only == name);
    let is_barred = |name: &str| args.search.without.iter().any(|without| without == name);
    all.retain(|pass| is_wanted(pass.name) && !is_barred(pass.name));
    Ok(all)
}
