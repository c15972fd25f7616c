//! Dependencies between our crates point one way: up the list below, never down, never to a sibling.

use super::{Complaints, Tracked};

/// The rooms from the ground up; rooms on one line do not use each other.
const LAYERS: &[&[&str]] = &[
    &["source", "random"],
    &["grammar"],
    &["tree"],
    &["bindings", "engine", "value"],
    &["attributes"],
    &["antlr", "lala", "daedalus"],
    &["parse"],
    &["hooks"],
    &["description"],
    &["generate", "guarded", "synthesize"],
    &["mutate", "reduce"],
    &["run"],
    &["asker"],
    &["hunt"],
    &["cli"],
];

/// Front ends and engines meet in `grammar`, `tree` and `value`, nowhere else (tests may use both).
const FRONT_ENDS: &[&str] = &["antlr", "lala", "daedalus", "description"];
const ENGINES: &[&str] = &["engine", "parse", "generate", "guarded", "synthesize", "mutate", "reduce"];

pub(crate) fn check(files: &[Tracked], complaints: &mut Complaints) {
    for file in files {
        let Some(room) = room_of(&file.path) else { continue };
        let manifest: toml::Table = match file.text.as_deref().unwrap_or_default().parse() {
            Ok(manifest) => manifest,
            Err(error) => {
                complaints.failures.push(format!("{} is not TOML: {error}", file.path));
                continue;
            }
        };
        let Some(own) = layer(room) else {
            complaints.failures.push(format!("the room `{room}` has no place in the layers of {}", file!()));
            continue;
        };
        let used = manifest.get("dependencies").and_then(toml::Value::as_table);
        for name in
            used.into_iter().flat_map(|table| table.keys()).filter_map(|k| k.strip_prefix("polysmith-"))
        {
            if layer(name).is_none_or(|other| other >= own) {
                complaints.failures.push(format!("`{room}` uses `{name}`, which does not stand above it"));
            }
            if ENGINES.contains(&room) && FRONT_ENDS.contains(&name) {
                complaints.failures.push(format!("the engine `{room}` uses the front end `{name}`"));
            }
        }
    }
}

fn room_of(path: &str) -> Option<&str> {
    path.strip_prefix("crates/")?.strip_suffix("/Cargo.toml")
}

fn layer(room: &str) -> Option<usize> {
    LAYERS.iter().position(|rooms| rooms.contains(&room))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failures(room: &str, uses: &str) -> usize {
        let text = format!("[dependencies]\npolysmith-{uses}.workspace = true\n");
        let file = Tracked { path: format!("crates/{room}/Cargo.toml"), text: Some(text) };
        let mut complaints = Complaints::default();
        check(&[file], &mut complaints);
        complaints.failures.len()
    }

    #[test]
    fn arrows_point_up_only() {
        assert_eq!(failures("tree", "grammar"), 0);
        assert_eq!(failures("grammar", "tree"), 1);
        assert_eq!(failures("antlr", "lala"), 1, "siblings do not use each other");
        assert_eq!(failures("generate", "antlr"), 1, "engines know no front end");
        assert_eq!(failures("cli", "antlr"), 0);
        assert_eq!(failures("cellar", "grammar"), 1, "a room needs a place");
    }
}
