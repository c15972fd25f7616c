//! Drawing a diagnostic at any place of any text.

use polysmith_source::{Code, Diagnostics, Encoding, SourceMap, Span, decode, render as draw};

/// The first bytes choose the span and the width, the rest is the text.
pub fn render(bytes: &[u8]) {
    let (choice, text) = bytes.split_at(bytes.len().min(4));
    let choice = |at: usize| choice.get(at).copied().map_or(0, usize::from);
    let Ok(text) = decode(text.to_vec(), Encoding::Latin1) else { return };
    let mut sources = SourceMap::default();
    let id = sources.add("any", text.as_str());
    let boundary =
        |at: usize| (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let (start, end) = (boundary(choice(0)), boundary(choice(0) + choice(1)));
    let mut found = Diagnostics::default();
    let span = Span::new(id, start, end);
    found.error(Code::own('S', 1), span, "any message").also(span, "again").help("any help");
    let style = draw::Style { color: choice(3) % 2 == 1, width: 20 + choice(2), most: 50 };
    let drawn = draw::human(&sources, &found, &style);
    assert!(drawn.contains("any message"));
    for diagnostic in &found {
        let object = draw::json(&sources, diagnostic);
        assert_eq!(object["code"], "PS-S001");
    }
}
