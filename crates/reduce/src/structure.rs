//! What the items of a piece of text are, guessed from its brackets, separators, lines and indentation.
//!
//! A piece is cut at one of four levels: statements (`;` and blocks), lines (with what is indented deeper or closes
//! them), comma lists, and single units (tokens and groups). The next level is used for the items of the one before.

use std::ops::Range;

use crate::lex::{LexemeKind, Unit, lex, units};
use crate::list::Run;
use crate::measure::is_space;

/// How a piece is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    Statements,
    Lines,
    Commas,
    Units,
}

impl Level {
    /// The level at which the items of this one are cut.
    pub(crate) fn next(self) -> Self {
        match self {
            Self::Statements => Self::Lines,
            Self::Lines => Self::Commas,
            Self::Commas | Self::Units => Self::Units,
        }
    }
}

/// A piece of text, cut.
#[derive(Debug)]
pub(crate) struct Split {
    /// The items.
    pub(crate) run: Run,
    /// The level at which they were found.
    pub(crate) level: Level,
}

/// Cuts a piece at the first level, from `level` on, that gives at least two items.
pub(crate) fn cut(text: &[u8], piece: &Range<u32>, level: Level, markup: bool) -> Option<Split> {
    let slice = &text[piece.start as usize..piece.end as usize];
    let lexemes = lex(slice, piece.start, markup);
    let units = units(&lexemes);
    let comma = |unit: &Unit| unit.kind == LexemeKind::Mark(b',') && unit.inside.is_none();
    let attempts = [
        (Level::Statements, if markup { Vec::new() } else { statements(text, &units) }),
        (Level::Lines, if markup || is_comma_list(text, &units) { Vec::new() } else { lines(text, &units) }),
        (Level::Commas, if markup { Vec::new() } else { separated(&units, comma) }),
        (Level::Units, if markup { elements(&units) } else { tiles(&units) }),
    ];
    let (level, items) = attempts.into_iter().find(|(at, items)| *at >= level && items.len() > 1)?;
    Some(Split { run: Run { items }, level })
}

/// Every item of a piece of text on every level but that of single units, as the range that goes with it. An item
/// comes before the items inside it.
pub(crate) fn items(text: &[u8], piece: &Range<u32>, markup: bool) -> Vec<Range<u32>> {
    let mut found = Vec::new();
    let mut waiting = vec![(piece.clone(), Level::Statements, markup)];
    while let Some((piece, level, markup)) = waiting.pop() {
        match cut(text, &piece, level, markup) {
            Some(Split { run, level }) if level != Level::Units || markup => {
                found.extend((0..run.items.len()).map(|at| run.range(&(at..at + 1))));
                waiting.extend(run.items.into_iter().map(|item| (item, level.next(), markup)));
            }
            _ => {
                let slice = &text[piece.start as usize..piece.end as usize];
                let units = units(&lex(slice, piece.start, markup));
                let groups = units.iter().filter_map(|unit| unit.group(text, markup));
                waiting.extend(groups.map(|(inside, markup)| (inside, Level::Statements, markup)));
            }
        }
    }
    found
}

/// Items end after `;` or after a block that nothing continues. Empty if there is no such end.
fn statements(text: &[u8], units: &[Unit]) -> Vec<Range<u32>> {
    let mut starts = Vec::new();
    let mut fresh = true;
    let mut marked = false;
    for (at, unit) in units.iter().enumerate() {
        if fresh {
            starts.push(unit.range.start);
        }
        let ends_block = unit.kind == LexemeKind::Mark(b'{') && unit.inside.is_some();
        fresh = match unit.kind {
            LexemeKind::Mark(b';') => true,
            _ if ends_block => units.get(at + 1).is_some_and(|next| starts_statement(text, unit, next)),
            _ => false,
        };
        marked |= fresh;
    }
    if marked { close(starts, units) } else { Vec::new() }
}

fn starts_statement(text: &[u8], block: &Unit, next: &Unit) -> bool {
    let between = &text[block.range.end as usize..next.range.start as usize];
    let word = &text[next.range.start as usize..next.range.end as usize];
    match next.kind {
        LexemeKind::Word => !matches!(word, b"else" | b"catch" | b"finally" | b"while" | b"as" | b"of"),
        LexemeKind::Mark(b';' | b',' | b')' | b'.' | b'=' | b'?' | b':' | b'[' | b'(') => false,
        _ => between.contains(&b'\n'),
    }
}

/// One item per line of the least indentation, with the deeper lines after it and the line that closes it.
fn lines(text: &[u8], units: &[Unit]) -> Vec<Range<u32>> {
    let mut first: Vec<(&Unit, usize)> = Vec::new();
    let mut line_end = 0;
    for unit in units {
        let start = unit.range.start as usize;
        let line_start = text[..start].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        if line_start >= line_end && text[line_start..start].iter().all(|byte| is_space(*byte)) {
            first.push((unit, start - line_start));
        }
        let end = unit.range.end as usize;
        line_end = text[end..].iter().position(|byte| *byte == b'\n').map_or(text.len(), |at| end + at + 1);
    }
    let Some(least) = first.iter().map(|(_, indent)| *indent).min() else { return Vec::new() };
    let head = units.first().map(|unit| unit.range.start);
    let opens = |(unit, indent): &&(&Unit, usize)| *indent == least && !closes(text, unit);
    let mut starts: Vec<u32> = first.iter().filter(opens).map(|(unit, _)| unit.range.start).collect();
    if let Some(head) = head
        && starts.first() != Some(&head)
    {
        starts.insert(0, head);
    }
    close(starts, units)
}

/// Words and marks that end what a line of the same indentation began.
fn closes(text: &[u8], unit: &Unit) -> bool {
    const CLOSERS: [&[u8]; 14] = [
        b"end", b"else", b"elseif", b"elsif", b"elif", b"until", b"fi", b"done", b"esac", b"then", b"do",
        b"endif", b"except", b"rescue",
    ];
    let word = &text[unit.range.start as usize..unit.range.end as usize];
    matches!(unit.kind, LexemeKind::Mark(b')' | b']' | b'}' | b',' | b';')) || CLOSERS.contains(&word)
}

/// Whether the lines of a piece are the items of a comma list: then most of them end with a comma.
fn is_comma_list(text: &[u8], units: &[Unit]) -> bool {
    let commas = units.iter().filter(|unit| unit.kind == LexemeKind::Mark(b',')).count();
    let at_line_end = units.iter().filter(|unit| {
        let rest = &text[unit.range.end as usize..];
        let gap = rest.iter().take_while(|byte| is_space(**byte)).take_while(|byte| **byte != b'\n').count();
        unit.kind == LexemeKind::Mark(b',') && rest.get(gap) == Some(&b'\n')
    });
    let at_line_end = at_line_end.count();
    let lines = units
        .windows(2)
        .filter(|pair| text[pair[0].range.end as usize..pair[1].range.start as usize].contains(&b'\n'));
    commas > 0 && 2 * at_line_end >= lines.count()
}

/// Items between separators, which belong to none of them.
fn separated(units: &[Unit], is_separator: impl Fn(&Unit) -> bool) -> Vec<Range<u32>> {
    if !units.iter().any(&is_separator) {
        return Vec::new();
    }
    let groups = units.split(|unit| is_separator(unit));
    groups.filter_map(|group| Some(group.first()?.range.start..group.last()?.range.end)).collect()
}

/// Elements of markup; text between two of them is one item.
fn elements(units: &[Unit]) -> Vec<Range<u32>> {
    let is_plain =
        |unit: &Unit| matches!(unit.kind, LexemeKind::Word | LexemeKind::Mark(_) | LexemeKind::Text);
    let mut starts = Vec::new();
    let mut plain = false;
    for unit in units {
        if !(plain && is_plain(unit)) {
            starts.push(unit.range.start);
        }
        plain = is_plain(unit);
    }
    close(starts, units)
}

fn tiles(units: &[Unit]) -> Vec<Range<u32>> {
    close(units.iter().map(|unit| unit.range.start).collect(), units)
}

/// Items that follow each other without gaps, the last one up to the end of the last unit.
fn close(starts: Vec<u32>, units: &[Unit]) -> Vec<Range<u32>> {
    let Some(last) = units.last() else { return Vec::new() };
    let ends = starts.iter().skip(1).copied().chain([last.range.end]);
    starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect()
}
