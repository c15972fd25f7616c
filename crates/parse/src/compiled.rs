//! What follows from a grammar alone: network, program, lexer network, names and tables.

use crate::coarse::{Brackets, CoarseTables};
use crate::decisions::DecisionStates;
use crate::error::CompileError;
use crate::hooks::Hooks;
use crate::lexer::network::LexerNetwork;
use crate::names::Names;
use crate::network::{self, Look, Network, NetworkFacts};
use crate::predict::conditions::{passes, reads_context};
use crate::program::{self, Program};
use polysmith_grammar::{BlockId, CodeId, Grammar};
use std::sync::{Arc, OnceLock};

/// A compiled grammar. Immutable, apart from tables that are computed on first use; shared between threads.
#[derive(Debug)]
pub(crate) struct Compiled {
    pub(crate) grammar: Arc<Grammar>,
    pub(crate) network: Network,
    pub(crate) look: Look,
    pub(crate) program: Program,
    pub(crate) lexer: LexerNetwork,
    pub(crate) names: Names,
    pub(crate) decision_states: DecisionStates,
    pub(crate) facts: Arc<NetworkFacts>,
    /// By code number: whether a predicate with this code lets the parser pass.
    pub(crate) truth: Vec<bool>,
    pub(crate) hooks: Option<Arc<dyn Hooks>>,
    /// Computed on first use: only generation needs it.
    brackets: OnceLock<Brackets>,
    /// By decision: its table, if one token decides. Computed on first use.
    tables: Vec<OnceLock<Option<Box<[u16]>>>>,
}

impl Compiled {
    pub(crate) fn new(
        grammar: Arc<Grammar>,
        hooks: Option<Arc<dyn Hooks>>,
    ) -> Result<Compiled, CompileError> {
        check_quantifiers(&grammar)?;
        let built = network::build(&grammar);
        let look = Look::new(&built.network);
        network::check(&grammar, &built.network, &look)?;
        let covers = |code| hooks.as_ref().is_some_and(|hooks| hooks.covers(code));
        let lexer = crate::lexer::network::build(&grammar, &covers);
        crate::lexer::network::check(&grammar, &lexer)?;
        let codes = || (0..grammar.n_codes()).map(CodeId::new);
        let contextual = codes().map(|code| reads_context(&grammar, code)).collect();
        Ok(Compiled {
            program: program::compile(&grammar, &built, &covers),
            facts: Arc::new(NetworkFacts::new(&built.network, &look, contextual)),
            truth: codes().map(|code| passes(grammar.code(code))).collect(),
            names: Names::new(&grammar),
            decision_states: DecisionStates::new(&built),
            brackets: OnceLock::new(),
            tables: built.network.decisions.iter().map(|_| OnceLock::new()).collect(),
            network: built.network,
            grammar,
            hooks,
            look,
            lexer,
        })
    }

    pub(crate) fn one_token_table(&self, decision: usize) -> Option<&[u16]> {
        let table = self.tables[decision].get_or_init(|| self.look.one_token_table(&self.network, decision));
        table.as_deref()
    }

    /// What coarse prediction knows of the grammar.
    pub(crate) fn coarse_tables(&self) -> CoarseTables<'_> {
        let brackets = || Brackets::new(&self.grammar, &self.network, &self.decision_states.elements);
        CoarseTables {
            network: &self.network,
            look: &self.look,
            brackets: self.brackets.get_or_init(brackets),
        }
    }
}

fn check_quantifiers(grammar: &Grammar) -> Result<(), CompileError> {
    for block in (0..grammar.n_blocks()).map(BlockId::new) {
        let quantifier = grammar.block(block).quantifier;
        if quantifier.min > 1 || quantifier.max.is_some_and(|max| max != 1) {
            let rule = grammar.rule(grammar.block(block).rule).name.clone();
            let max = quantifier.max.unwrap_or(u32::MAX);
            return Err(CompileError::Quantifier { rule, min: quantifier.min, max });
        }
    }
    Ok(())
}
