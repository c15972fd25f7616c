//! Refuses networks in which prediction would not end.
//!
//! Front ends report these with better words (ANTLR's errors 119 and 153); a grammar made by hand comes here
//! unchecked. A walk that consumes nothing must not come back to where it was: neither through calls (left
//! recursion that is no operator table) nor round a loop (a body that can be empty).

use super::{Edge, Network, StateId};
use crate::error::CompileError;
use crate::network::Look;
use polysmith_grammar::{Grammar, RuleId};

/// An error for the first rule that goes round without consuming anything.
pub(crate) fn check(grammar: &Grammar, network: &Network, look: &Look) -> Result<(), CompileError> {
    let mut colours = vec![Colour::New; network.states.len()];
    for first in 0..network.states.len() as StateId {
        if colours[first as usize] == Colour::New
            && let Some(state) = cycle_from(network, look, first, &mut colours)
        {
            let rule = grammar.rule(RuleId::new(network.state(state).rule as usize));
            return Err(CompileError::Endless { rule: rule.name.clone() });
        }
    }
    Ok(())
}

#[derive(Clone, Copy, PartialEq)]
enum Colour {
    New,
    OnTheWay,
    Done,
}

/// Depth first over edges that consume nothing; a state met again on the present way closes a cycle.
fn cycle_from(network: &Network, look: &Look, first: StateId, colours: &mut [Colour]) -> Option<StateId> {
    let mut way: Vec<(StateId, Vec<StateId>)> = vec![(first, steps(network, look, first))];
    colours[first as usize] = Colour::OnTheWay;
    while let Some((state, todo)) = way.last_mut() {
        let Some(next) = todo.pop() else {
            colours[*state as usize] = Colour::Done;
            way.pop();
            continue;
        };
        match colours[next as usize] {
            Colour::OnTheWay => return Some(next),
            Colour::Done => {}
            Colour::New => {
                colours[next as usize] = Colour::OnTheWay;
                way.push((next, steps(network, look, next)));
            }
        }
    }
    None
}

/// Where a walk can go from a state without consuming. The end of a rule is a dead end here: what follows
/// a call that can be empty is a step of the caller.
fn steps(network: &Network, look: &Look, state: StateId) -> Vec<StateId> {
    let mut steps = Vec::new();
    for edge in network.edges(state) {
        match *edge {
            Edge::Token(..) | Edge::Set(..) | Edge::Return { .. } => {}
            Edge::Call(call) => {
                steps.push(call.start);
                if look.next(network, call.start).epsilon {
                    steps.push(call.follow);
                }
            }
            edge => steps.push(edge.target()),
        }
    }
    steps
}
