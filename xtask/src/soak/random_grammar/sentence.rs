//! Sentences of a random grammar, and mutants of them.

use super::{Item, Rule, Token};
use polysmith_random::Stream;

/// Words over this many end a sentence early: it is then probably wrong, which is an input as well.
const MOST_WORDS: usize = 40;

/// The words of a random sentence.
pub(super) fn draw(stream: &mut Stream, rules: &[Rule], tokens: &[Token]) -> Vec<String> {
    let mut words = Vec::new();
    // What is still to be written, the next on top.
    let mut todo: Vec<(Item, u32)> = vec![(Item::Rule(0), 0)];
    while let Some((item, depth)) = todo.pop() {
        if words.len() >= MOST_WORDS {
            break;
        }
        match item {
            Item::Token(token) => words.push(word(stream, &tokens[token])),
            Item::Any => words.push(any(stream, tokens)),
            Item::Not(set) => {
                let others: Vec<usize> = (0..tokens.len()).filter(|token| !set.contains(token)).collect();
                if let Some(token) = stream.pick(&others) {
                    words.push(word(stream, &tokens[*token]));
                }
            }
            Item::RightAssociative => {}
            Item::Rule(rule) => {
                let chosen = choose(stream, &rules[rule].alternatives, depth);
                todo.extend(chosen.iter().rev().map(|item| (item.clone(), depth + 1)));
            }
            Item::Group(alternatives, suffix) => {
                let most = if depth > 6 { 1 } else { 3 };
                let n = match suffix.chars().next() {
                    None => 1,
                    Some('?') => stream.index(2),
                    Some('*') => stream.index(most + 1),
                    Some(_) => 1 + stream.index(most),
                };
                for _ in 0..n {
                    let chosen = choose(stream, &alternatives, depth);
                    todo.extend(chosen.iter().rev().map(|item| (item.clone(), depth + 1)));
                }
            }
        }
    }
    words
}

/// Any alternative; deep down one with few calls.
fn choose<'a>(stream: &mut Stream, alternatives: &'a [Vec<Item>], depth: u32) -> &'a [Item] {
    let calls = |items: &Vec<Item>| items.iter().filter(|item| matches!(item, Item::Rule(_))).count();
    if depth > 6 {
        alternatives.iter().min_by_key(|items| calls(items)).map_or(&[], Vec::as_slice)
    } else {
        stream.pick(alternatives).map_or(&[], Vec::as_slice)
    }
}

fn word(stream: &mut Stream, token: &Token) -> String {
    stream.pick(&token.texts).cloned().unwrap_or_default()
}

fn any(stream: &mut Stream, tokens: &[Token]) -> String {
    let token = stream.index(tokens.len());
    word(stream, &tokens[token])
}

/// Deletes, doubles, swaps, replaces or inserts words, once or twice.
pub(super) fn mutate(stream: &mut Stream, words: &mut Vec<String>, tokens: &[Token]) {
    for _ in 0..1 + stream.index(2) {
        let at = stream.index(words.len() + 1);
        match stream.below(6) {
            0 if at < words.len() => {
                words.remove(at);
            }
            1 if at < words.len() => words.insert(at, words[at].clone()),
            2 if at + 1 < words.len() => words.swap(at, at + 1),
            3 if at < words.len() => words[at] = any(stream, tokens),
            4 => words.insert(at, (*stream.pick(&["#", "$", "\u{e9}", "\"", "<"]).expect("five")).to_owned()),
            _ => words.insert(at, any(stream, tokens)),
        }
    }
}

/// The text of the words with something between them.
pub(super) fn join(stream: &mut Stream, words: &[String], glue: &[&str]) -> String {
    let mut out = String::new();
    for (at, word) in words.iter().enumerate() {
        if at > 0 {
            out.push_str(stream.pick(glue).expect("a lexer has some glue"));
        }
        out.push_str(word);
    }
    out
}
