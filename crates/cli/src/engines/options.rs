//! The options of all engines, and the engine that each belongs to.

use super::grammar::GrammarOptions;
use super::specification::SpecificationOptions;
use crate::failure::Failure;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, FromArgMatches};
use polysmith_description::{Description, DescriptionKind};
use std::path::PathBuf;

/// Options that every engine has.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "What is chosen")]
pub(super) struct CommonOptions {
    /// A rule, an alternative by its number (RULE.2) or a production (CLASS.PRODUCTION) to leave out
    #[arg(long, value_name = "NAME")]
    pub(super) without: Vec<String>,
    /// Weights: of alternatives in Grammarinator's form, or of productions; `-` is stdin
    #[arg(long, value_name = "FILE")]
    pub(super) weights: Option<PathBuf>,
}

/// The options of all engines that were given.
#[derive(Debug, Clone, Default)]
pub struct EngineOptions {
    pub(super) common: CommonOptions,
    pub(super) grammar: GrammarOptions,
    pub(super) specification: SpecificationOptions,
    /// Options of one engine only that are on the command line, with the kind of description that has them.
    given: Vec<(String, DescriptionKind)>,
}

impl EngineOptions {
    /// The first option of one engine only that is on the command line.
    pub fn given(&self) -> Option<&str> {
        self.given.first().map(|(name, _)| name.as_str())
    }

    /// Rejects options of the engine of another kind of description.
    ///
    /// # Errors
    /// Such an option was given: wrong use.
    pub(super) fn refuse_others(&self, description: &Description) -> Result<(), Failure> {
        let kind = description.kind();
        let Some((option, other)) = self.given.iter().find(|(_, other)| *other != kind) else {
            return Ok(());
        };
        Err(Failure::usage(format!("`--{option}` is an option for {}", other.plural())).help(format!(
            "`{}` is {}; leave the option out",
            description.name(),
            kind.with_article()
        )))
    }
}

/// The options of only this engine, by their names in the definition of the command line.
fn own_options(kind: DescriptionKind) -> Vec<clap::Arg> {
    let command = match kind {
        DescriptionKind::Grammar => GrammarOptions::augment_args(Command::new("")),
        DescriptionKind::Specification => SpecificationOptions::augment_args(Command::new("")),
    };
    command.get_arguments().cloned().collect()
}

impl FromArgMatches for EngineOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<EngineOptions, clap::Error> {
        let mut given = Vec::new();
        for kind in DescriptionKind::ALL {
            let options = own_options(kind).into_iter();
            let on_command_line = options.filter(|option| {
                matches.value_source(option.get_id().as_str()) == Some(ValueSource::CommandLine)
            });
            given.extend(on_command_line.filter_map(|option| Some((option.get_long()?.to_owned(), kind))));
        }
        Ok(EngineOptions {
            common: CommonOptions::from_arg_matches(matches)?,
            grammar: GrammarOptions::from_arg_matches(matches)?,
            specification: SpecificationOptions::from_arg_matches(matches)?,
            given,
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = EngineOptions::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for EngineOptions {
    fn augment_args(command: Command) -> Command {
        let command = CommonOptions::augment_args(command);
        SpecificationOptions::augment_args(GrammarOptions::augment_args(command))
    }

    fn augment_args_for_update(command: Command) -> Command {
        EngineOptions::augment_args(command)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::{LanguageOptions, load};
    use crate::talk::{Talk, Verbosity};

    fn description(word: &str) -> Description {
        load(word, None, &LanguageOptions::default(), Talk::new(Verbosity::Quiet)).unwrap().description
    }

    /// Parses a command line with one option and a valid value for it.
    fn given(option: &clap::Arg) -> EngineOptions {
        let mut words = vec!["polysmith".to_owned(), "generate".to_owned(), "x".to_owned()];
        words.push(format!("--{}", option.get_long().unwrap()));
        if option.get_action().takes_values() {
            let values = option.get_possible_values();
            words.push(values.first().map_or("1".to_owned(), |value| value.get_name().to_owned()));
        }
        match option.get_id().as_str() {
            "uniform" => words.extend(["--size".to_owned(), "5".to_owned()]),
            "size" => words.push("--uniform".to_owned()),
            _ => {}
        }
        let matches = crate::global::command().try_get_matches_from(&words).unwrap();
        EngineOptions::from_arg_matches(matches.subcommand().unwrap().1).unwrap()
    }

    #[test]
    fn every_option_of_another_engine_is_refused() {
        let languages = [description("json"), description("figure3")];
        for kind in DescriptionKind::ALL {
            for option in own_options(kind) {
                let options = given(&option);
                for description in &languages {
                    let refused = options.refuse_others(description);
                    assert_eq!(refused.is_err(), description.kind() != kind, "{option}: {refused:?}");
                }
            }
        }
    }

    #[test]
    fn options_that_were_not_given_are_not_refused() {
        let matches = crate::global::command().try_get_matches_from(["polysmith", "generate", "x"]).unwrap();
        let options = EngineOptions::from_arg_matches(matches.subcommand().unwrap().1).unwrap();
        assert!(options.refuse_others(&description("json")).is_ok());
        assert!(options.refuse_others(&description("figure3")).is_ok());
    }
}
