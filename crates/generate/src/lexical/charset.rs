//! Which character of a set is drawn.
//!
//! Sets of token rules are often huge (`~["\\]`, `\p{L}`, `.`): an even draw would give nothing but rare Chinese
//! characters. So a set is split once into *plain* ASCII letters and digits, other *visible* ASCII, ASCII
//! *controls*, *foreign* ranges, and *edges* (ends of its ranges, and where UTF-8 and UTF-16 change length), and
//! a draw first picks a part:
//!
//! | `--charset` | plain or visible | foreign | edges |
//! |---|---|---|---|
//! | `ascii` | always, while the set has any | only if there is nothing else | never, unless nothing else |
//! | `unicode` (default) | 30 of 32 | 1 of 32 | 1 of 32 |
//! | `edge` | 8 of 32 | 8 of 32 | 16 of 32 |
//!
//! Plain wins over visible three times out of four. Controls are drawn only when a set has nothing visible (blanks
//! and line ends of white space rules). Surrogates are never drawn.

use polysmith_grammar::CharSet;
use polysmith_random::Stream;

/// The policy of `--charset`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Charset {
    /// ASCII wherever a set has some.
    Ascii,
    /// Mostly ASCII, other characters sometimes.
    #[default]
    Unicode,
    /// Mostly what lies at the edge of something.
    Edge,
}

/// A set, split.
#[derive(Debug, Clone, Default)]
pub(crate) struct Palette {
    plain: Vec<char>,
    visible: Vec<char>,
    controls: Vec<char>,
    foreign: Vec<(u32, u32)>,
    edges: Vec<char>,
}

const SURROGATES: (u32, u32) = (0xD800, 0xDFFF);
/// Where encodings change length, and characters that programs treat specially.
const NOTABLE: [u32; 12] =
    [0x00, 0x7F, 0x80, 0xFF, 0x7FF, 0x800, 0x2028, 0xFEFF, 0xFFFD, 0xFFFF, 0x1_0000, 0x10_FFFF];

impl Palette {
    pub(crate) fn new(set: &CharSet) -> Palette {
        let mut palette = Palette::default();
        for code in (0..128_u32).filter(|code| set.contains(*code)) {
            let c = char::from(code as u8);
            if c.is_ascii_alphanumeric() {
                palette.plain.push(c);
            } else if c.is_ascii_graphic() || c == ' ' {
                palette.visible.push(c);
            } else {
                palette.controls.push(c);
            }
        }
        let surrogates = CharSet::from_ranges([SURROGATES]).complement();
        let foreign = CharSet::from_ranges([(128, polysmith_grammar::MAX_CODE_POINT)]);
        let usable = set.intersection(&surrogates);
        palette.foreign = usable.intersection(&foreign).ranges().to_vec();
        let ends = usable.ranges().iter().flat_map(|(low, high)| [*low, *high]).take(64);
        let notable = NOTABLE.into_iter().filter(|code| usable.contains(*code));
        palette.edges = ends.chain(notable).filter_map(char::from_u32).collect();
        palette.edges.sort_unstable();
        palette.edges.dedup();
        palette
    }

    /// Draws a character; `None` if the set has none that a text can contain.
    pub(crate) fn draw(&self, stream: &mut Stream, policy: Charset) -> Option<char> {
        let (foreign, edges) = match policy {
            Charset::Ascii => (0, 0),
            Charset::Unicode => (1, 1),
            Charset::Edge => (8, 16),
        };
        let wide = !self.foreign.is_empty();
        if foreign > 0 && (wide || policy == Charset::Edge) {
            let part = stream.below(32);
            if part < foreign && wide {
                return self.foreign(stream);
            }
            if (32 - edges..32).contains(&part) && !self.edges.is_empty() {
                return stream.pick(&self.edges).copied();
            }
        }
        self.readable(stream)
    }

    fn readable(&self, stream: &mut Stream) -> Option<char> {
        let plain = match (self.plain.is_empty(), self.visible.is_empty()) {
            (false, false) => stream.below(4) > 0,
            (empty, _) => !empty,
        };
        for part in [if plain { &self.plain } else { &self.visible }, &self.controls] {
            if let Some(c) = stream.pick(part) {
                return Some(*c);
            }
        }
        self.foreign(stream)
    }

    /// Even over the first ranges, so that scripts are met and not only the largest block.
    fn foreign(&self, stream: &mut Stream) -> Option<char> {
        let (low, high) = *stream.pick(&self.foreign)?;
        let near = high.min(low.saturating_add(0x3FF));
        let last = if stream.chance(3, 4) { near } else { high };
        let code = stream.between(low.into(), last.into());
        char::from_u32(code as u32).or_else(|| char::from_u32(low))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_stay_in_the_set_and_are_mostly_readable() {
        let set =
            CharSet::from_ranges([(u32::from('"'), u32::from('"')), (u32::from('\\'), u32::from('\\'))])
                .complement();
        let palette = Palette::new(&set);
        for policy in [Charset::Ascii, Charset::Unicode, Charset::Edge] {
            let mut stream = Stream::keyed(&[7]);
            let drawn: Vec<char> = (0..4000).filter_map(|_| palette.draw(&mut stream, policy)).collect();
            assert_eq!(drawn.len(), 4000);
            assert!(drawn.iter().all(|c| set.contains(u32::from(*c))));
            let ascii = drawn.iter().filter(|c| (' '..='~').contains(*c)).count();
            match policy {
                Charset::Ascii => assert_eq!(ascii, 4000),
                Charset::Unicode => assert!((3600..3950).contains(&ascii), "{ascii}"),
                Charset::Edge => assert!((900..3000).contains(&ascii), "{ascii}"),
            }
        }
    }

    #[test]
    fn a_set_of_surrogates_has_no_character() {
        let palette = Palette::new(&CharSet::from_ranges([SURROGATES]));
        assert_eq!(palette.draw(&mut Stream::keyed(&[1]), Charset::Edge), None);
    }
}
