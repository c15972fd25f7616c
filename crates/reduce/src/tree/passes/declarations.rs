//! Declarations removed together with all uses of what they declare.

use crate::passes::define_pass;
use crate::text::Text;
use crate::tree::cut::Cut;
use crate::tree::names::{Name, names, without};
use crate::tree::session::Session;
use crate::tree::sweep::{Ideas, RankedPlace, sweep};
use crate::tree::texts::Texts;

define_pass! {
    /// Deletes a declaration together with all uses of its name.
    ///
    /// A name is any word of a token type without a literal. Everything that holds it goes at once: the innermost items
    /// of lists (arguments, parameters, fields), then the items around these (statements, definitions). Or the first
    /// occurrence goes and the others become a constant.
    "declarations", Late, Tree(|language, problem| sweep(language, problem, &mut Declared::default()))
}

/// How far out to go, in items of lists.
const LEVELS: usize = 4;

/// Constants that are tried for the uses of a name.
const CONSTANTS: usize = 3;

/// Names that occur more often are not tried: too much would go.
const MOST_USES: usize = 200;

#[derive(Default)]
struct Declared {
    names: Vec<Name>,
    texts: Texts,
}

impl Ideas for Declared {
    fn places(&mut self, session: &mut Session<'_>, text: &Text) -> Vec<RankedPlace> {
        self.names = names(session, text);
        self.texts = Texts::of(session, text);
        let used = |name: &Name| name.tokens.len() <= MOST_USES;
        let places = self.names.iter().enumerate().filter(|(_, name)| used(name));
        // From the end: what is used goes after what uses it.
        places.map(|(at, name)| RankedPlace { rank: (0, u32::MAX - name.tokens[0]), id: at as u32 }).collect()
    }

    fn changes(&self, session: &Session<'_>, _text: &Text, place: u32) -> Vec<Vec<Cut>> {
        let name = &self.names[place as usize];
        let mut changes: Vec<Vec<Cut>> = Vec::new();
        let (first, uses) = (&name.tokens[..1], &name.tokens[1..]);
        for level in (0..LEVELS).rev() {
            // Items around a single occurrence are tried by Perses already.
            if !uses.is_empty() {
                changes.extend(without(session, &name.tokens, level));
            }
        }
        for level in 0..LEVELS.min(2) {
            let Some(declaration) = without(session, first, level) else { break };
            for constant in 0..CONSTANTS {
                changes.extend(self.with_constant(session, uses, &declaration, constant));
            }
        }
        changes
    }
}

impl Declared {
    /// The declaration goes and each use becomes a constant that its place accepts.
    fn with_constant(
        &self,
        session: &Session<'_>,
        uses: &[u32],
        declaration: &[Cut],
        constant: usize,
    ) -> Option<Vec<Cut>> {
        let mut cuts = declaration.to_vec();
        let gone = |token: u32| declaration.iter().any(|cut| cut.range.contains(&token));
        let left: Vec<u32> = uses.iter().copied().filter(|token| !gone(*token)).collect();
        for token in &left {
            let leaf = session.nodes.get(session.nodes.leaf(*token));
            let kind = session.token_type(*token);
            let single = self.texts.single(&session.language.syntax, leaf.expected?);
            let other = |piece: &crate::tree::cut::Piece| !matches!(piece, crate::tree::cut::Piece::Word(own, _) if *own == kind);
            let word = single.into_iter().filter(other).nth(constant)?;
            cuts.push(Cut::replace(leaf.tokens.clone(), [word]));
        }
        (!left.is_empty()).then_some(cuts)
    }
}
