//! The format of compilers, `FILE:LINE:COLUMN: SEVERITY: MESSAGE [CODE]`, which editors and CI services understand.

use super::Format;
use crate::{Diagnostic, SourceMap};

pub(super) const FORMAT: Format =
    Format { name: "short", about: "FILE:LINE:COLUMN: SEVERITY: MESSAGE [CODE]; columns from 1", line };

fn line(sources: &SourceMap, diagnostic: &Diagnostic) -> String {
    let mut out = String::new();
    if let Some(source) = diagnostic.location.source() {
        out.push_str(sources.get(source).name());
        out.push(':');
    }
    if let Some(span) = diagnostic.location.span() {
        let start = sources.line_col(span);
        out.push_str(&format!("{}:{}:", start.line, start.column + 1));
    }
    if !out.is_empty() {
        out.push(' ');
    }
    // The format promises one line per diagnostic.
    let message = diagnostic.message.replace(['\n', '\r'], " ");
    out + &format!("{}: {message} [{}]", diagnostic.severity, diagnostic.code)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Code, Diagnostics, Span};

    #[test]
    fn a_place_and_a_whole_file() {
        let mut sources = SourceMap::default();
        let file = sources.add("a.g4", "grammar a;\ns : x;\n");
        let mut found = Diagnostics::default();
        found.error(Code::tool("antlr", 56), Span::new(file, 15, 16), "rule `x` is not\ndefined");
        found.warning(Code::own('A', 7), file, "the whole file is odd");
        let lines: Vec<String> = found.iter().map(|found| line(&sources, found)).collect();
        assert_eq!(lines[0], "a.g4:2:5: error: rule `x` is not defined [antlr(56)]");
        assert_eq!(lines[1], "a.g4: warning: the whole file is odd [PS-A007]");
    }
}
