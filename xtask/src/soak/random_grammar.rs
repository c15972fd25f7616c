//! Small random grammars with inputs, for comparing two parsers.
//!
//! A case is a grammar of a few rules over a few tokens, made to be awkward: alternatives that share prefixes,
//! nested loops, greedy and not, empty alternatives, operators in left-recursive rules, token rules that
//! overlap, modes. Its inputs are sentences of the grammar and mutants of them. The grammar may still be one
//! that ANTLR's tool refuses (a loop over nothing, say): the caller asks and draws the next.

mod lexer;
mod parser;
mod sentence;

use polysmith_random::Stream;

/// A grammar with inputs.
#[derive(Debug)]
pub(crate) struct Case {
    /// File names and texts: the parser or combined grammar first, then the lexer grammar if there is one.
    pub(crate) files: Vec<(String, String)>,
    /// The start rule.
    pub(crate) start: &'static str,
    /// Texts to parse.
    pub(crate) inputs: Vec<String>,
    /// It has a left-recursive rule.
    pub(crate) left_recursive: bool,
    /// It has modes, or a non-greedy loop in lexer or parser.
    pub(crate) modes_or_lazy: bool,
}

/// A parser rule: alternatives of items, with ANTLR's order and operators.
#[derive(Debug)]
struct Rule {
    name: String,
    alternatives: Vec<Vec<Item>>,
    /// The last so many alternatives begin with the rule itself.
    left_recursive: bool,
}

/// What stands in an alternative.
#[derive(Debug, Clone)]
enum Item {
    Token(usize),
    Rule(usize),
    /// Alternatives with a suffix: "", "?", "*", "+", or one of the last three with a second "?".
    Group(Vec<Vec<Item>>, &'static str),
    /// `~(…)`.
    Not(Vec<usize>),
    /// `.`.
    Any,
    RightAssociative,
}

/// A token of the parser: how rules write it, and texts that the lexer reads as it.
#[derive(Debug, Clone)]
struct Token {
    spelled: String,
    texts: Vec<String>,
}

/// The case that follows from a stream.
pub(crate) fn case(stream: &mut Stream, n_inputs: usize) -> Case {
    let lexer = lexer::draw(stream);
    let rules = parser::draw(stream, lexer.tokens.len());
    let parser_text = parser::print(&rules, &lexer.tokens);
    let files = match &lexer.separate {
        None => vec![("T.g4".to_owned(), format!("grammar T;\n{parser_text}{}", lexer.rules))],
        Some(header) => vec![
            ("T.g4".to_owned(), format!("parser grammar T;\noptions {{ tokenVocab = L; }}\n{parser_text}")),
            ("L.g4".to_owned(), format!("lexer grammar L;\n{header}{}", lexer.rules)),
        ],
    };
    let left_recursive = rules.iter().any(|rule| rule.left_recursive);
    let lazy = |text: &String| ["*?", "+?", "??"].iter().any(|mark| text.contains(mark));
    let modes_or_lazy = lexer.separate.is_some() || files.iter().any(|(_, text)| lazy(text));
    let inputs = (0..n_inputs).map(|at| {
        let mut words = sentence::draw(stream, &rules, &lexer.tokens);
        if at % 2 == 1 {
            sentence::mutate(stream, &mut words, &lexer.tokens);
        }
        sentence::join(stream, &words, &lexer.glue)
    });
    Case { inputs: inputs.collect(), files, start: "s", left_recursive, modes_or_lazy }
}
