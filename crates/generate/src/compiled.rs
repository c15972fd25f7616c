//! A grammar compiled for generation: everything that does not change from draft to draft.

use crate::decisions::one_token::OneTokenDecisions;
use crate::decisions::questions::QuestionTable;
use crate::error::SetupError;
use crate::lexical::automata::LexerAutomata;
use crate::lexical::lexicon::Lexicon;
use crate::lexical::token_text::Texts;
use crate::lexical::writer::LexicalTables;
use crate::setup::{self, Options, Setup};
use crate::tables::Tables;
use crate::tables::sums::WeightSums;
use polysmith_grammar::analysis::Uses;
use polysmith_grammar::{Grammar, RuleId, RuleKind};
use polysmith_parse::Parser;
use std::sync::Arc;

/// The tables of a grammar and a start rule.
#[derive(Debug)]
pub(crate) struct Compiled {
    pub(crate) grammar: Arc<Grammar>,
    pub(crate) start: RuleId,
    pub(crate) uses: Uses,
    pub(crate) tables: Tables,
    pub(crate) sums: WeightSums,
    pub(crate) one_token: OneTokenDecisions,
    pub(crate) questions: QuestionTable,
    pub(crate) lexical: Arc<LexicalTables>,
    pub(crate) automata: LexerAutomata,
    /// A parser that has learned nothing. Workers clone it.
    pub(crate) parser: Parser,
    /// Token rules can match the end of the input, so only parsing the whole text tells which tokens the parser gets.
    pub(crate) reads_end: bool,
}

impl Compiled {
    pub(crate) fn new(grammar: Grammar, options: &Options) -> Result<Compiled, SetupError> {
        let grammar = Arc::new(grammar);
        let start = options.start.or(grammar.start()).ok_or(SetupError::NoStart)?;
        if grammar.rule(start).kind == RuleKind::Fragment {
            return Err(SetupError::Fragment(grammar.rule(start).name.clone()));
        }
        let parser = Parser::new(Arc::clone(&grammar))?;
        let mut automata = LexerAutomata::new(parser.clone());
        let Setup { uses, nullable, weights, repetitions } = setup::setup(&grammar, options);
        let texts = Texts::new(&grammar, &uses, &weights, options.charset);
        let lexicon = Lexicon::new(&grammar, &texts, &mut automata, &options.dictionary);
        let is_producible = |token| lexicon.is_producible(token);
        let tables = Tables::new(&grammar, &uses, &nullable, weights, &repetitions, &is_producible);
        let one_token = OneTokenDecisions::new(&grammar, &uses, &nullable, &tables, start);
        Ok(Compiled {
            sums: WeightSums::new(&tables, &one_token, &lexicon),
            questions: QuestionTable::new(&grammar, &parser, &tables, &one_token),
            lexical: Arc::new(LexicalTables {
                grammar: Arc::clone(&grammar),
                texts,
                lexicon,
                style: options.style,
                separator: options.separator.clone(),
            }),
            reads_end: setup::reads_end(&grammar),
            grammar,
            start,
            uses,
            tables,
            one_token,
            automata,
            parser,
        })
    }

    /// Whether the start rule is a parser rule, else a token rule.
    pub(crate) fn starts_with_parser_rule(&self) -> bool {
        self.grammar.rule(self.start).kind == RuleKind::Parser
    }

    /// The least tokens of any text within a depth.
    pub(crate) fn least_tokens(&self, depth: u32) -> u32 {
        self.tables.rule_curves[self.start.index()].at(depth)
    }
}
