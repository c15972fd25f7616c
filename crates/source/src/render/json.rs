//! The format for programs: one JSON object per diagnostic, columns from 0, as ANTLR counts them.

use super::Format;
use crate::{Diagnostic, SourceMap, Span};
use serde_json::{Value, json as object};

/// The `v` of every object. It increases when a key changes its meaning, not when one is added.
pub const SCHEMA_VERSION: u32 = 1;

pub(super) const FORMAT: Format = Format {
    name: "json",
    about: "one object per line; columns from 0",
    line: |sources, diagnostic| json(sources, diagnostic).to_string(),
};

/// One diagnostic as a JSON object.
pub fn json(sources: &SourceMap, diagnostic: &Diagnostic) -> Value {
    let mut out = object!({
        "v": SCHEMA_VERSION,
        "code": diagnostic.code.to_string(),
        "severity": diagnostic.severity.to_string(),
        "message": diagnostic.message,
    });
    if let Some(source) = diagnostic.location.source() {
        out["file"] = sources.get(source).name().into();
    }
    if let Some(span) = diagnostic.location.span() {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Code, Diagnostics};
    use expect_test::expect;

    #[test]
    fn every_key() {
        let mut sources = SourceMap::default();
        let id = sources.add("T.g4", "é : 'x' ;\nexprr ;\n");
        let mut found = Diagnostics::default();
        let diagnostic = found
            .error(Code::tool("antlr", 56), Span::new(id, 11, 16), "rule `exprr` is not defined")
            .also(Span::new(id, 0, 2), "this one is")
            .help("write `é`");
        diagnostic.later = true;
        found.warning(Code::own('A', 7), id, "the whole file is odd");
        let lines: Vec<String> = found.iter().map(|found| json(&sources, found).to_string()).collect();
        expect![[r#"
            {"also":[{"column":0,"end":{"column":1,"line":1},"file":"T.g4","line":1,"message":"this one is"}],"code":"antlr(56)","column":0,"end":{"column":5,"line":2},"file":"T.g4","help":"write `é`","later":true,"line":2,"message":"rule `exprr` is not defined","severity":"error","v":1}
            {"code":"PS-A007","file":"T.g4","message":"the whole file is odd","severity":"warning","v":1}"#]].assert_eq(&lines.join("\n"));
    }
}
