//! Programs of a LALA specification.

use super::Opened;
use crate::failure::Failure;
use crate::language::Located;
use crate::spec::load_spec;
use crate::talk::Talk;
use polysmith_attributes::{Features, Selection, Spec};
use polysmith_guarded::{Limits, Unguarded};
use polysmith_source::nearest;

/// Options that only attribute grammars have.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "LALA specifications")]
pub(super) struct LalaOptions {
    /// Whether programs must satisfy the guards
    #[arg(long, value_name = "WHICH", default_value = "on")]
    pub(super) guards: Guards,
    /// Features to switch on, separated by commas, or `all` [default: none]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(super) features: Vec<String>,
    /// The height that recursive productions may reach [default: 11]
    #[arg(long, value_name = "N")]
    pub(super) max_height: Option<u32>,
    /// From so many nodes on only the smallest productions are taken [default: 1000000]
    #[arg(long, value_name = "N")]
    pub(super) max_nodes: Option<usize>,
    /// A production (CLASS.PRODUCTION), a rule, or an alternative of one by its number (RULE.2) to leave out
    #[arg(long, value_name = "NAME")]
    pub(super) without: Vec<String>,
}

/// Whether guards count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(super) enum Guards {
    /// Every guard is satisfied.
    #[default]
    On,
    /// Guards are not looked at: the texts have the right shape and nothing more.
    Off,
}

/// Reads the spec and makes an engine.
///
/// # Errors
/// A spec with errors, features and productions that it does not have.
pub(super) fn open(located: &Located, options: &LalaOptions, talk: Talk) -> anyhow::Result<Opened> {
    let (spec, _) = load_spec(located, talk)?;
    let selection = selection(&spec, options)?;
    let default = Limits::default();
    let limits = Limits {
        height: options.max_height.unwrap_or(default.height),
        nodes: options.max_nodes.unwrap_or(default.nodes),
    };
    match options.guards {
        Guards::Off => {
            let engine = Box::new(Unguarded::new(spec, selection, limits));
            Ok(Opened { engine, extension: "txt".to_owned() })
        }
        Guards::On => Err(Failure::unusable("programs that satisfy guards cannot be generated yet")
            .help("`--guards off` generates without looking at them")
            .into()),
    }
}

/// The productions that may be used.
fn selection(spec: &Spec, options: &LalaOptions) -> Result<Selection, Failure> {
    for name in &options.features {
        if name != "all" && !spec.features.contains(name) {
            let similar = nearest(name, spec.features.iter().map(String::as_str));
            let list = spec.features.join(", ");
            return Err(Failure::usage(format!("the specification has no feature `{name}`")).help(
                match similar {
                    Some(similar) => format!("did you mean `{similar}`?"),
                    None if list.is_empty() => "it has no features".to_owned(),
                    None => format!("it has {list}"),
                },
            ));
        }
    }
    let features = match &*options.features {
        [] => Features::None,
        names if names.iter().any(|name| name == "all") => Features::All,
        names => Features::Only(names),
    };
    let mut selection = Selection::new(spec, features);
    for name in &options.without {
        let Some(production) = spec.production_named(name) else {
            return Err(Failure::usage(format!("the specification has no production `{name}`"))
                .help("write it as `Class.production`"));
        };
        selection.set(production, 0);
    }
    Ok(selection)
}
