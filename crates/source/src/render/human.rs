//! The format for people, in the style of rustc, rendered by annotate-snippets.
//!
//! Long lines are truncated around the mark. The rendering crate gets only the lines with a mark, and of a very long
//! line only the part around the mark, so a diagnostic in a file of megabytes costs no more than one in a small file.

use crate::{Diagnostic, LineCol, Severity, SourceMap, Span};
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use std::ops::Range;

/// How to render.
#[derive(Debug, Clone, Copy)]
pub struct Style {
    /// Whether to use colours. The caller knows whether there is a terminal.
    pub color: bool,
    /// The width of the terminal in columns.
    pub width: usize,
    /// The maximum number of diagnostics; the last line counts the rest.
    pub most: usize,
}

impl Style {
    /// No colour, 120 columns, at most 50 diagnostics.
    pub fn plain() -> Style {
        Style { color: false, width: 120, most: 50 }
    }
}

/// Renders diagnostics in the given order, each followed by an empty line.
pub fn human<'a>(
    sources: &SourceMap,
    diagnostics: impl IntoIterator<Item = &'a Diagnostic>,
    style: &Style,
) -> String {
    let renderer = if style.color { Renderer::styled() } else { Renderer::plain() };
    let renderer = renderer.term_width(style.width);
    let mut out = String::new();
    let mut hidden = 0;
    for (at, diagnostic) in diagnostics.into_iter().enumerate() {
        if at >= style.most {
            hidden += 1;
            continue;
        }
        out.push_str(&draw(sources, diagnostic, &renderer));
        out.push_str("\n\n");
    }
    if hidden > 0 {
        out.push_str(&format!("… and {hidden} more\n\n"));
    }
    out
}

fn draw(sources: &SourceMap, diagnostic: &Diagnostic, renderer: &Renderer) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let code = diagnostic.code.to_string();
    let mut title = level.primary_title(diagnostic.message.as_str());
    if !code.is_empty() {
        title = title.id(code.as_str());
    }
    let mut group = Group::with_title(title);
    let mut excerpts = Vec::new();
    if let Some(span) = diagnostic.shown_at.or(diagnostic.location.span()) {
        let excerpt = Excerpt::around(sources, span);
        let mut mark = AnnotationKind::Primary.span(excerpt.marked(span));
        if let Some(label) = &diagnostic.label {
            mark = mark.label(label.as_str());
        }
        group = group.element(excerpt.snippet(mark));
        excerpts.push((excerpt, span));
    } else if let Some(source) = diagnostic.location.source() {
        group = group.element(Origin::path(sources.get(source).name()));
    }
    // A separate snippet per label: two marks on one wide line could not both be visible after truncation.
    for label in &diagnostic.labels {
        let excerpt = Excerpt::around(sources, label.span);
        let mark = AnnotationKind::Context.span(excerpt.marked(label.span)).label(label.text.as_str());
        group = group.element(excerpt.snippet(mark));
        excerpts.push((excerpt, label.span));
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    let drawn = renderer.render(&[group]);
    excerpts.iter().fold(drawn, |drawn, (excerpt, span)| excerpt.correct(*span, drawn))
}

/// The lines of a span.
struct Excerpt<'a> {
    path: &'a str,
    text: &'a str,
    line: usize,
    offset: usize,
    /// The location of the mark, if the beginning of its line is not in `text`.
    cut: Option<LineCol>,
}

impl<'a> Excerpt<'a> {
    /// The maximum number of lines of a long span.
    const MOST_LINES: usize = 6;
    /// The maximum number of bytes on each side of the mark's beginning.
    const MOST_BYTES: usize = 4_000;

    fn around(sources: &'a SourceMap, span: Span) -> Excerpt<'a> {
        let source = sources.get(span.source);
        let text: &str = source.text();
        let start = (span.start as usize).min(text.len());
        let offset = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let wanted = text[start..(span.end as usize).clamp(start, text.len())].matches('\n').count() + 1;
        let lines = text[offset..].split_inclusive('\n').take(wanted.min(Self::MOST_LINES));
        let end = offset + lines.map(str::len).sum::<usize>();
        let at = source.line_col(span.start);
        let near = boundary(text, start.saturating_sub(Self::MOST_BYTES)).max(offset);
        let far = boundary(text, start.saturating_add(Self::MOST_BYTES)).min(end);
        let cut = (near > offset).then_some(at);
        Excerpt { path: source.name(), text: &text[near..far], line: at.line as usize, offset: near, cut }
    }

    fn marked(&self, span: Span) -> Range<usize> {
        let start = (span.start as usize).saturating_sub(self.offset).min(self.text.len());
        let end = (span.end as usize).saturating_sub(self.offset).clamp(start, self.text.len());
        start..end
    }

    fn snippet(&self, mark: Annotation<'a>) -> Snippet<'a, Annotation<'a>> {
        Snippet::source(self.text).line_start(self.line).path(self.path).annotation(mark)
    }

    /// annotate-snippets counts the column of a truncated line from the cut: replaces it with the right one.
    fn correct(&self, span: Span, drawn: String) -> String {
        let Some(at) = self.cut else { return drawn };
        let counted = self.text[..self.marked(span).start].chars().count();
        let place = |column: usize| format!("{}:{}:{}", self.path, self.line, column + 1);
        drawn.replacen(&place(counted), &place(at.column as usize), 1)
    }
}

/// The first character boundary at or after an offset.
fn boundary(text: &str, at: usize) -> usize {
    (at..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests;
