//! `c c*` to `c+`, and the pair `x y`, `x c y` to `x c? y`.

use super::form::{Form, Item, Sequence, Symbol, dedup};

/// Rules with more sequences than this are not searched for pairs: the search compares each with each.
const PAIR_LIMIT: usize = 400;

/// Does both, everywhere, until nothing changes.
pub(super) fn quantify(form: &mut Form) {
    for at in 0..form.rules.len() {
        let mut sequences = std::mem::take(&mut form.rules[at]);
        for sequence in &mut sequences {
            plus(form, sequence);
        }
        dedup(&mut sequences);
        if sequences.len() <= PAIR_LIMIT {
            while let Some((short, long, prefix)) = pair(&sequences) {
                let optional = sequences[long].len() - sequences[short].len();
                let merged = merge(form, at, &sequences[long], prefix, optional);
                sequences[short.min(long)] = merged;
                sequences.remove(short.max(long));
                dedup(&mut sequences);
            }
        }
        form.rules[at] = sequences;
    }
}

/// A star directly behind or before what it repeats.
fn plus(form: &Form, sequence: &mut Sequence) {
    let mut at = 0;
    while at < sequence.len() {
        let item = sequence[at];
        if (item.min, item.max) == (0, None) {
            let repeated = content(form, item.symbol);
            let n = repeated.len();
            if sequence[..at].ends_with(&repeated) {
                sequence[at].min = 1;
                sequence.drain(at - n..at);
                at -= n;
            } else if sequence[at + 1..].starts_with(&repeated) {
                sequence[at].min = 1;
                sequence.drain(at + 1..at + 1 + n);
            }
        }
        at += 1;
    }
}

/// What one repetition of a symbol looks like when written out.
fn content(form: &Form, symbol: Symbol) -> Sequence {
    match symbol {
        Symbol::Nonterminal(at) => match form.rules[at].as_slice() {
            // Rules of the author are not seen through.
            [only] if at >= form.declared => only.clone(),
            _ => vec![Item::one(symbol)],
        },
        Symbol::Leaf(_) => vec![Item::one(symbol)],
    }
}

/// The first pair in which one sequence is the other plus a piece, with the longest common prefix: the shorter, the
/// longer, and where the piece begins.
fn pair(sequences: &[Sequence]) -> Option<(usize, usize, usize)> {
    let mut best: Option<(usize, usize, usize)> = None;
    for (short, x) in sequences.iter().enumerate() {
        for (long, y) in sequences.iter().enumerate() {
            if x.len() >= y.len() {
                continue;
            }
            let prefix = x.iter().zip(y).take_while(|(a, b)| a == b).count();
            let rest = x.len() - prefix;
            let fits = y[y.len() - rest..] == x[prefix..];
            if fits && best.is_none_or(|(_, _, longest)| prefix > longest) {
                best = Some((short, long, prefix));
            }
        }
    }
    best
}

fn merge(form: &mut Form, owner: usize, long: &Sequence, prefix: usize, optional: usize) -> Sequence {
    let piece = &long[prefix..prefix + optional];
    // A piece that may be missing already stays as it is; one item keeps its own quantifier.
    let middle = match piece {
        [item] if item.min <= 1 => vec![Item { min: 0, ..*item }],
        piece if piece.iter().all(|item| item.min == 0) => piece.to_vec(),
        piece => {
            let symbol = form.symbol_for(owner, "part", vec![piece.to_vec()]);
            vec![Item { symbol, min: 0, max: Some(1) }]
        }
    };
    [&long[..prefix], middle.as_slice(), &long[prefix + optional..]].concat()
}
