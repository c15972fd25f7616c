//! The engines for LALA specifications.

use super::options::CommonOptions;
use super::{Opened, Ready};
use crate::failure::Failure;
use crate::input::read_text;
use crate::load::Usable;
use polysmith_attributes::{Features, Selection, Spec};
use polysmith_guarded::{FailPatterns, Guarded, Limits, Search, Unguarded};
use polysmith_source::{SourceMap, Span, nearest};
use std::path::Path;

/// Options that only attribute grammars have.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "LALA specifications")]
pub(super) struct SpecificationOptions {
    /// Whether programs must satisfy the guards
    #[arg(long, value_name = "WHICH", default_value = "on")]
    pub(super) guards: Guards,
    /// Features to switch on, separated by commas, or `all` [default: none]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(super) features: Vec<String>,
    /// The height that recursive productions may reach [default: 11]
    #[arg(long, value_name = "N")]
    pub(super) max_height: Option<u32>,
    /// Nodes after which only the smallest productions are taken [default: 1000000]
    #[arg(long, value_name = "N")]
    pub(super) max_nodes: Option<usize>,
    /// Give each program a random subset of features and productions
    #[arg(long)]
    pub(super) swarm: bool,
    /// Recompute every attribute of each finished program with the plain evaluator
    #[arg(long, hide = true)]
    pub(super) check: bool,
    /// Say which guards fail most, which productions are tried in vain, and where the work goes
    #[arg(long)]
    pub(super) profile: bool,
    /// Alternatives that one attempt at a program may try [default: 1000000]
    #[arg(long, hide = true, value_name = "N")]
    pub(super) max_alternatives: Option<u64>,
    /// How often a program is started anew before it is given up [default: 20]
    #[arg(long, hide = true, value_name = "N")]
    pub(super) max_restarts: Option<u32>,
    /// For experiments: what is learned from a failure
    #[arg(long, hide = true, value_name = "WHICH", default_value = "general")]
    pub(super) fail_patterns: PatternWord,
    /// For experiments: whether failed contexts are remembered within a program
    #[arg(long, hide = true, value_name = "WHICH", default_value = "on")]
    pub(super) failed_contexts: Switch,
    /// For experiments: whether guards are tested before anything is built
    #[arg(long, hide = true, value_name = "WHICH", default_value = "on")]
    pub(super) hoist: Switch,
    /// For experiments: whether fail patterns are found by an index
    #[arg(long, hide = true, value_name = "WHICH", default_value = "on")]
    pub(super) pattern_index: Switch,
}

/// What is learned from a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(super) enum PatternWord {
    /// Nothing: another attempt at random.
    Off,
    /// The tree that failed, and no other.
    Specific,
    /// Every tree that has in common what the failure depends on.
    #[default]
    General,
}

/// On or off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(super) enum Switch {
    /// Yes.
    #[default]
    On,
    /// No.
    Off,
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

/// Creates the engine.
///
/// # Errors
/// The specification does not have a feature or production that was named.
pub(super) fn open(
    usable: Usable,
    options: &SpecificationOptions,
    common: &CommonOptions,
) -> anyhow::Result<Opened> {
    let Usable { description, sources } = usable;
    let extension = description.extension().to_owned();
    let spec =
        description.into_specification().ok_or_else(|| Failure::unusable("there is no specification"))?;
    let mut selection = selection(&spec, options, &common.without)?;
    if let Some(path) = &common.weights {
        read_weights(&spec, path, &mut selection)?;
    }
    let default = Limits::default();
    let limits = Limits {
        height: options.max_height.unwrap_or(default.height),
        nodes: options.max_nodes.unwrap_or(default.nodes),
    };
    if options.guards == Guards::Off {
        let engine = Box::new(Unguarded::new(spec, selection, limits));
        return Ok(Opened::Engine(Ready { engine, extension, report: None, until_done: false }));
    }
    let mut engine = Guarded::new(spec, selection, limits, search(options));
    engine.show_places(move |span| place(&sources, span));
    let report = options.profile.then(|| -> Box<dyn Fn() -> String> {
        let profile = engine.profile();
        Box::new(move || profile.table())
    });
    Ok(Opened::Engine(Ready { engine: Box::new(engine), extension, report, until_done: false }))
}

fn search(options: &SpecificationOptions) -> Search {
    let default = Search::default();
    Search {
        fail_patterns: match options.fail_patterns {
            PatternWord::Off => FailPatterns::Off,
            PatternWord::Specific => FailPatterns::Specific,
            PatternWord::General => FailPatterns::General,
        },
        memory: options.failed_contexts == Switch::On,
        hoist: options.hoist == Switch::On,
        pattern_index: options.pattern_index == Switch::On,
        max_alternatives: options.max_alternatives.unwrap_or(default.max_alternatives),
        max_restarts: options.max_restarts.unwrap_or(default.max_restarts),
        check: options.check,
        swarm: options.swarm,
    }
}

/// A location in the specification, formatted as in diagnostics.
fn place(sources: &SourceMap, span: Span) -> String {
    let at = sources.line_col(span);
    format!("{}:{}:{}", sources.get(span.source).name(), at.line, at.column + 1)
}

/// Reads `{"Class.production": weight}`: weights of productions; 0 excludes one.
fn read_weights(spec: &Spec, path: &Path, selection: &mut Selection) -> Result<(), Failure> {
    let shown = path.display();
    let text = read_text(path)?;
    let weights: serde_json::Map<String, serde_json::Value> =
        serde_json::from_str(&text).map_err(|error| {
            Failure::unusable(format!("`{shown}`: {error}")).help("write `{\"Class.production\": 3}`")
        })?;
    for (name, weight) in &weights {
        let Some(production) = spec.production_named(name) else {
            let names: Vec<String> = (0..spec.productions.len() as u32)
                .map(|id| spec.production_name(polysmith_attributes::ProductionId(id)))
                .collect();
            let failure =
                Failure::unusable(format!("`{shown}`: the specification has no production `{name}`"));
            return Err(match nearest(name, names.iter().map(String::as_str)) {
                Some(similar) => failure.help(format!("did you mean `{similar}`?")),
                None => failure.help("write it as `Class.production`"),
            });
        };
        let Some(weight) = weight.as_u64().and_then(|weight| u32::try_from(weight).ok()) else {
            return Err(Failure::unusable(format!(
                "`{shown}`: the weight of `{name}` is not a whole number"
            )));
        };
        if selection.weight(production) > 0 || spec.production(production).features.is_empty() {
            selection.set(production, weight);
        }
    }
    Ok(())
}

/// The productions that may be used.
fn selection(spec: &Spec, options: &SpecificationOptions, without: &[String]) -> Result<Selection, Failure> {
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
    for name in without {
        let Some(production) = spec.production_named(name) else {
            return Err(Failure::usage(format!("the specification has no production `{name}`"))
                .help("write it as `Class.production`"));
        };
        selection.set(production, 0);
    }
    Ok(selection)
}
