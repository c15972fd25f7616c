//! Small specifications as files, and every valid program of each, by brute force.
//!
//! The first lines of a specification in `tests/specs` state what is known about it without an engine: `# trees: 4`
//! (the number of valid programs), `# texts: a b` (what they print), `# height: 3` (the limit), `# features: a,b`, `#
//! faults: yes` (rules fail at run time).

#![allow(dead_code, reason = "each test uses some of it")]

pub(crate) mod compare;
pub(crate) mod enumerate;

use polysmith_attributes::{Derivation, Evaluator, Features, Leaf, Machine, Selection, Spec, print};
use polysmith_guarded::Limits;
use polysmith_source::{Disk, render};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A file of `tests/specs`.
pub(crate) struct Case {
    /// Its name, for messages.
    pub name: String,
    /// The spec.
    pub spec: Spec,
    /// The productions that exist.
    pub selection: Selection,
    /// The height limit.
    pub limits: Limits,
    /// The number of valid programs, according to the file.
    pub n_trees: usize,
    /// What they print, if the file states it.
    pub texts: Option<Vec<String>>,
    /// Whether rules fail at run time.
    pub faults: bool,
}

/// All cases, by name.
pub(crate) fn cases() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/specs");
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| Case::read(path)).collect()
}

impl Case {
    fn read(path: &Path) -> Case {
        let text = std::fs::read_to_string(path).unwrap();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let said = |key: &str| {
            text.lines().find_map(|line| line.strip_prefix(&format!("# {key}: ")).map(str::to_owned))
        };
        let loaded = polysmith_lala::read(&Disk, path);
        let shown = render::human(&loaded.sources, &loaded.diagnostics, &render::Style::plain());
        let spec = loaded.spec.unwrap_or_else(|| panic!("{name}: {shown}"));
        let features: Vec<String> =
            said("features").iter().flat_map(|list| list.split(',')).map(str::to_owned).collect();
        let words = |list: String| {
            let mut words: Vec<String> = list.split_whitespace().map(str::to_owned).collect();
            words.sort();
            words
        };
        Case {
            selection: Selection::new(&spec, Features::Only(&features)),
            limits: Limits {
                height: said("height").map_or(Limits::default().height, |height| height.parse().unwrap()),
                ..Limits::default()
            },
            n_trees: said("trees")
                .unwrap_or_else(|| panic!("{name} does not say `# trees: N`"))
                .parse()
                .unwrap(),
            texts: said("texts").map(words),
            faults: said("faults").is_some(),
            name,
            spec,
        }
    }
}

/// The result of brute force, without repetitions.
pub(crate) struct Known {
    /// The valid programs, as lines.
    pub lines: BTreeSet<String>,
    /// What they print, sorted.
    pub texts: Vec<String>,
    /// Whether a rule failed at run time.
    pub faults: bool,
}

impl Known {
    pub(crate) fn of(case: &Case) -> Known {
        let found = enumerate::programs(&case.spec, &case.selection, case.limits.height);
        let mut known = Known { lines: BTreeSet::new(), texts: Vec::new(), faults: found.faults };
        let mut machine = Machine::default();
        for mut derivation in found.valid {
            known.lines.insert(line(&case.spec, &derivation));
            let evaluation = Evaluator::new(&case.spec, &mut derivation).run(&mut machine, &mut ());
            let printed = print(&case.spec, &derivation, &evaluation, &mut machine);
            known.texts.push(String::from_utf8(printed.tree.to_bytes()).unwrap());
        }
        known.texts.sort();
        known.texts.dedup();
        known
    }
}

/// A program as one line: productions in preorder with the texts and values of leaves. Equal lines mean equal programs.
pub(crate) fn line(spec: &Spec, derivation: &Derivation) -> String {
    let words = derivation.nodes.iter().map(|node| {
        let name = spec.production_name(node.production);
        match &node.leaf {
            Leaf::None => name,
            Leaf::Text(value) | Leaf::Value(value) => {
                format!("{name}={}", spec.program.shapes().show(value))
            }
            Leaf::Printed(text) => format!("{name}~{text}"),
        }
    });
    words.collect::<Vec<String>>().join(" ")
}
