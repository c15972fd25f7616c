//! Chains of nodes of one rule, seen as lists: `a + b + c`, `f(x)[y].z`, `stmt stmts`.

use polysmith_grammar::analysis::Symbol;
use polysmith_grammar::normal::Expected;
use polysmith_tree::{Kind as TreeKind, NodeId};

use super::{Builder, Kid, RulePosition, Todo};

impl Builder<'_> {
    /// If the node is the top of a chain along its first or last child, one list of it.
    pub(super) fn make_comb(&mut self, at: NodeId, kids: &[Kid], alt: u32, place: &RulePosition) -> bool {
        let Some(comb) = self.alternative(place.rule, alt).and_then(|alt| self.syntax.view.comb(alt)) else {
            return false;
        };
        let left = comb.left;
        let is_own = |kid: Option<&Kid>| {
            kid.is_some_and(
                |kid| matches!(self.tree.kind(kid.at), TreeKind::Rule { rule, .. } if rule == place.rule),
            )
        };
        // Steps from the outside in: the kids of each, without the one that the chain goes on with.
        let mut steps: Vec<Vec<Kid>> = Vec::new();
        let mut base = Kid { at, expected: None };
        let mut here: Vec<Kid> = kids.to_vec();
        loop {
            let next = if left { here.first().copied() } else { here.last().copied() };
            let Some(next) = next.filter(|next| is_own(Some(next)) && here.len() > 1) else { break };
            let rest = if left { here[1..].to_vec() } else { here[..here.len() - 1].to_vec() };
            steps.push(rest);
            base = next;
            let TreeKind::Rule { alt, .. } = self.tree.kind(next.at) else { break };
            let comb = self.alternative(place.rule, alt).and_then(|alt| self.syntax.view.comb(alt));
            if self.has_error(next.at) || !comb.is_some_and(|comb| if left { comb.left } else { comb.right })
            {
                break;
            }
            here = self.kids(next.at);
        }
        if steps.is_empty() {
            return false;
        }
        let own = Some(Expected::Symbol(Symbol::Rule(place.rule)));
        let operators_only = |rest: &Vec<Kid>| {
            rest.len() > 1
                && is_own(rest.last())
                && rest[..rest.len() - 1].iter().all(|kid| self.tree.is_visible_token(kid.at))
        };
        if left && steps.iter().all(operators_only) {
            let operands = std::iter::once(base)
                .chain(steps.iter().rev().filter_map(|rest| rest.last().copied()))
                .map(|kid| vec![kid])
                .collect();
            self.todo.push(Todo::List {
                min: 1,
                element: own,
                items: operands,
                parent: place.parent,
                expected: place.expected,
                symbol: Some(Symbol::Rule(place.rule)),
                rule: Some(place.top_rule),
                tokens: place.tokens.clone(),
            });
            return true;
        }
        let id = self.add_regular(place);
        let base_tokens = self.tokens(base.at);
        let tokens =
            if left { base_tokens.end..place.tokens.end } else { place.tokens.start..base_tokens.start };
        if left {
            steps.reverse();
        }
        let list = Todo::List {
            min: 0,
            element: None,
            items: steps,
            parent: id,
            expected: None,
            symbol: None,
            rule: None,
            tokens,
        };
        let base = Todo::Tree { at: base.at, parent: id, expected: own };
        // The one that comes first in the text goes on top.
        self.todo.extend(if left { [list, base] } else { [base, list] });
        true
    }
}
