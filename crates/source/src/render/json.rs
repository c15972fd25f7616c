//! The machine form: one object per diagnostic, columns from 0, as `docs/` and the original tools count.

use crate::{Diagnostic, SourceMap, Span};
use serde_json::{Value, json as object};

/// The `v` of every object. It grows when a key changes its meaning, not when one is added.
pub const SCHEMA_VERSION: u32 = 1;

/// One diagnostic as a JSON object.
pub fn json(sources: &SourceMap, diagnostic: &Diagnostic) -> Value {
    let mut out = object!({
        "v": SCHEMA_VERSION,
        "code": diagnostic.code.to_string(),
        "severity": diagnostic.severity.to_string(),
        "message": diagnostic.message,
    });
    if let Some(source) = diagnostic.place.source() {
        out["file"] = sources.get(source).name().into();
    }
    if let Some(span) = diagnostic.place.span() {
        merge(&mut out, position(sources, span));
    }
    if !diagnostic.labels.is_empty() {
        let labels = diagnostic.labels.iter().map(|label| {
            let mut also = object!({ "file": sources.get(label.span.source).name(), "message": label.text });
            merge(&mut also, position(sources, label.span));
            also
        });
        out["also"] = labels.collect();
    }
    if let Some(help) = &diagnostic.help {
        out["help"] = help.as_str().into();
    }
    if diagnostic.later {
        out["later"] = true.into();
    }
    out
}

fn position(sources: &SourceMap, span: Span) -> Value {
    let start = sources.line_col(span);
    let end = sources.get(span.source).line_col(span.end);
    object!({ "line": start.line, "column": start.column, "end": { "line": end.line, "column": end.column } })
}

fn merge(into: &mut Value, from: Value) {
    if let (Value::Object(into), Value::Object(from)) = (into, from) {
        into.extend(from);
    }
}
