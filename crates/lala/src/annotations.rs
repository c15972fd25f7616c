//! Interprets the annotations of classes and productions.
//!
//! One table ([`KNOWN`]) lists every annotation, what it may annotate and its arguments. The rest of the crate sees
//! only [`ClassOptions`] and [`ProductionOptions`].

use crate::codes;
use crate::syntax::{Annotation, Argument, ArgumentValue};
use polysmith_source::{Diagnostics, Span, nearest};
use polysmith_value::syntax::Name;

/// The number of distinct texts in the pool of a literal class without `@count`.
pub(crate) const DEFAULT_COUNT: u32 = 50;

/// The annotations of a class.
#[derive(Debug, Clone, Default)]
pub(crate) struct ClassOptions {
    pub(crate) list: Option<(Option<u32>, Span)>,
    pub(crate) unit: bool,
    pub(crate) hidden: bool,
    pub(crate) count: Option<u32>,
    pub(crate) max_height: Option<(u32, Span)>,
    pub(crate) max_alternatives: Option<u64>,
    pub(crate) copy: Option<Names>,
    pub(crate) thread: Option<Thread>,
}

/// The annotations of a production.
#[derive(Debug, Clone, Default)]
pub(crate) struct ProductionOptions {
    pub(crate) weight: Option<u32>,
    pub(crate) features: Vec<String>,
    pub(crate) precedence: Option<i64>,
    pub(crate) hidden: bool,
    pub(crate) copy: Option<Names>,
    pub(crate) thread: Option<Thread>,
}

/// `@copy` or `@copy(a, b)`.
#[derive(Debug, Clone)]
pub(crate) struct Names {
    /// If empty, all attributes.
    pub(crate) names: Vec<Name>,
    pub(crate) span: Span,
}

impl Names {
    pub(crate) fn covers(&self, name: &str) -> bool {
        self.names.is_empty() || self.names.iter().any(|listed| &*listed.text == name)
    }
}

/// `@thread(in, out)`.
#[derive(Debug, Clone)]
pub(crate) struct Thread {
    pub(crate) input: Name,
    pub(crate) output: Name,
    pub(crate) span: Span,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Target {
    Class,
    Production,
    Both,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Parameters {
    Nothing,
    Int { least: i64, optional: bool },
    Text,
    Names { least: usize, most: usize },
}

const KNOWN: [(&str, Target, Parameters); 11] = [
    ("weight", Target::Production, Parameters::Int { least: 0, optional: false }),
    ("list", Target::Class, Parameters::Int { least: 1, optional: true }),
    ("unit", Target::Class, Parameters::Nothing),
    ("count", Target::Class, Parameters::Int { least: 1, optional: false }),
    ("max_height", Target::Class, Parameters::Int { least: 1, optional: false }),
    ("max_alternatives", Target::Class, Parameters::Int { least: 1, optional: false }),
    ("hidden", Target::Both, Parameters::Nothing),
    ("feature", Target::Production, Parameters::Text),
    ("precedence", Target::Production, Parameters::Int { least: i64::MIN, optional: false }),
    ("copy", Target::Both, Parameters::Names { least: 0, most: usize::MAX }),
    ("thread", Target::Both, Parameters::Names { least: 2, most: 2 }),
];

/// Reads the annotations of a class.
pub(crate) fn class(annotations: &[Annotation], is_literal: bool, found: &mut Diagnostics) -> ClassOptions {
    let mut options = ClassOptions::default();
    for annotation in checked(annotations, Target::Class, found) {
        let span = annotation.span;
        match &*annotation.name.text {
            "list" => options.list = Some((annotation.int().map(clamped), span)),
            "unit" => options.unit = true,
            "hidden" => options.hidden = true,
            "count" if !is_literal => {
                found
                    .error(
                        codes::ANNOTATION_PLACE,
                        span,
                        "`@count` cannot annotate a class that is not a literal class",
                    )
                    .help("it is the number of texts that a literal class draws for each program");
            }
            "count" => options.count = annotation.int().map(clamped),
            "max_height" => options.max_height = annotation.int().map(|n| (clamped(n), span)),
            "max_alternatives" => options.max_alternatives = annotation.int().map(|n| n.unsigned_abs()),
            "copy" => options.copy = Some(Names { names: annotation.names(), span }),
            _ => options.thread = annotation.thread(),
        }
    }
    options
}

/// Reads the annotations of a production.
pub(crate) fn production(annotations: &[Annotation], found: &mut Diagnostics) -> ProductionOptions {
    let mut options = ProductionOptions::default();
    for annotation in checked(annotations, Target::Production, found) {
        let span = annotation.span;
        match &*annotation.name.text {
            "weight" => options.weight = annotation.int().map(clamped),
            "hidden" => options.hidden = true,
            "feature" => options.features = annotation.words(),
            "precedence" => options.precedence = annotation.int(),
            "copy" => options.copy = Some(Names { names: annotation.names(), span }),
            _ => options.thread = annotation.thread(),
        }
    }
    options
}

/// Returns the annotations that are known, allowed here, and have valid arguments. Reports the others.
fn checked<'a>(
    annotations: &'a [Annotation],
    target: Target,
    found: &mut Diagnostics,
) -> Vec<&'a Annotation> {
    let mut good: Vec<&Annotation> = Vec::new();
    for annotation in annotations {
        let name = &*annotation.name.text;
        let Some((_, allowed, parameters)) = KNOWN.iter().find(|(known, ..)| *known == name) else {
            unknown(annotation, found);
            continue;
        };
        if *allowed != Target::Both && *allowed != target {
            let (here, there) = match target {
                Target::Class => ("a class", "a production"),
                _ => ("a production", "a class"),
            };
            let message = format!("`@{name}` cannot annotate {here}");
            found
                .error(codes::ANNOTATION_PLACE, annotation.span, message)
                .help(format!("it belongs before {there}"));
            continue;
        }
        if let Some(first) = good.iter().find(|other| other.name.text == annotation.name.text) {
            let message = format!("`@{name}` is repeated; only the first one has an effect");
            found.warning(codes::ANNOTATION_REPEATED, annotation.span, message).also(first.span, "the first");
            continue;
        }
        match argument_error(annotation, *parameters) {
            None => good.push(annotation),
            Some((span, expected)) => {
                let message = format!("`@{name}` takes {expected}");
                found
                    .error(codes::ANNOTATION_ARGUMENT, span, message)
                    .help(format!("write `{}`", example(name)));
            }
        }
    }
    good
}

fn unknown(annotation: &Annotation, found: &mut Diagnostics) {
    let name = &annotation.name.text;
    let known = KNOWN.iter().map(|(known, ..)| *known);
    let help = match nearest(name, known.clone()) {
        Some(similar) => format!("did you mean `@{similar}`?"),
        None => {
            format!("known are {}", known.map(|name| format!("`@{name}`")).collect::<Vec<_>>().join(", "))
        }
    };
    let message = format!("there is no annotation `@{name}`");
    found.error(codes::UNKNOWN_ANNOTATION, annotation.span, message).help(help);
}

/// The error in the arguments, if there is one: its location, and what was expected.
fn argument_error(annotation: &Annotation, parameters: Parameters) -> Option<(Span, String)> {
    let arguments = &annotation.arguments;
    let extra = |n: usize| arguments.get(n).map(|argument: &Argument| argument.span);
    match parameters {
        Parameters::Nothing => extra(0).map(|span| (span, "no argument".to_owned())),
        Parameters::Int { optional: true, .. } if arguments.is_empty() => None,
        Parameters::Int { least, .. } => {
            let expected = match least {
                0 => "one number from 0 to 4294967295",
                1 => "one number from 1 to 4294967295",
                _ => "one number",
            };
            let range = least..=i64::from(u32::MAX);
            match arguments.first() {
                Some(Argument { value: ArgumentValue::Int(n), .. }) if range.contains(n) => {
                    extra(1).map(|span| (span, expected.to_owned()))
                }
                Some(other) => Some((other.span, expected.to_owned())),
                None => Some((annotation.span, expected.to_owned())),
            }
        }
        Parameters::Text => {
            let expected = "one string with names of features, separated by commas".to_owned();
            match arguments.first() {
                Some(Argument { value: ArgumentValue::Text(text), span }) => {
                    if text.split(',').all(|word| word.trim().is_empty()) {
                        return Some((*span, expected));
                    }
                    extra(1).map(|span| (span, expected))
                }
                Some(other) => Some((other.span, expected)),
                None => Some((annotation.span, expected)),
            }
        }
        Parameters::Names { least, most } => {
            let expected = if most == 2 {
                "two attributes, the one that comes in and the one that goes out"
            } else {
                "names of attributes"
            };
            let wrong = arguments.iter().find(|argument| !matches!(argument.value, ArgumentValue::Name(_)));
            let wrong = wrong.map(|argument| argument.span).or_else(|| extra(most));
            let short = (arguments.len() < least).then_some(annotation.span);
            wrong.or(short).map(|span| (span, expected.to_owned()))
        }
    }
}

fn example(name: &str) -> &'static str {
    match name {
        "weight" => "@weight(3)",
        "list" => "@list(40)` or `@list",
        "count" => "@count(50)",
        "max_height" => "@max_height(8)",
        "max_alternatives" => "@max_alternatives(100)",
        "feature" => "@feature(\"loops,goto\")",
        "precedence" => "@precedence(10)",
        "copy" => "@copy(env)` or `@copy",
        "thread" => "@thread(before, after)",
        "unit" => "@unit",
        _ => "@hidden",
    }
}

/// Converts a number whose range the table has checked.
fn clamped(number: i64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

impl Annotation {
    fn int(&self) -> Option<i64> {
        match self.arguments.first()?.value {
            ArgumentValue::Int(number) => Some(number),
            _ => None,
        }
    }

    fn names(&self) -> Vec<Name> {
        let name = |argument: &Argument| match &argument.value {
            ArgumentValue::Name(name) => Some(Name::new(name.as_str(), argument.span)),
            _ => None,
        };
        self.arguments.iter().filter_map(name).collect()
    }

    fn words(&self) -> Vec<String> {
        match self.arguments.first().map(|argument| &argument.value) {
            Some(ArgumentValue::Text(text)) => {
                text.split(',').map(str::trim).filter(|word| !word.is_empty()).map(str::to_owned).collect()
            }
            _ => Vec::new(),
        }
    }

    fn thread(&self) -> Option<Thread> {
        let [input, output] = <[Name; 2]>::try_from(self.names()).ok()?;
        Some(Thread { input, output, span: self.span })
    }
}
