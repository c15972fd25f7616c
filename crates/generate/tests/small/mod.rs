//! Small random grammars over two tokens, in which nearly every decision needs lookahead.

use polysmith_random::Stream;

pub(crate) const TOKENS: [char; 2] = ['a', 'b'];

/// A grammar of four small rules with groups, loops, optional parts and operators.
pub(crate) fn random_grammar(stream: &mut Stream) -> String {
    let mut text = String::from("grammar T; s : x EOF ;\n");
    for name in ["x", "y", "z"] {
        let mut alternatives: Vec<String> =
            (0..1 + stream.below(3)).map(|_| sequence(stream, name, 2)).collect();
        if stream.below(3) == 0 {
            // An operator, of which the first alternative is an operand.
            alternatives.push(format!("{name} {}", sequence(stream, name, 1)));
            alternatives[0] = format!("'a' {}", sequence(stream, name, 1));
        }
        text += &format!("{name} : {} ;\n", alternatives.join(" | "));
    }
    text
}

/// Parts of an alternative. Rules are called in the order of the alphabet, or after a token, so that nothing is
/// left-recursive by accident.
fn sequence(stream: &mut Stream, rule: &str, depth: u32) -> String {
    let n = 1 + stream.below(2);
    let parts: Vec<String> = (0..n)
        .map(|_| match stream.below(10) {
            0..5 => format!("'{}'", TOKENS[stream.index(TOKENS.len())]),
            5..7 => match rule {
                "x" => ["y", "z"][stream.index(2)].to_owned(),
                "y" => "z".to_owned(),
                _ => format!("'b' {}", ["x", "y", "z"][stream.index(3)]),
            },
            _ if depth == 0 => "'b'".to_owned(),
            _ => {
                let n = 1 + stream.below(2);
                let inner: Vec<String> = (0..n).map(|_| sequence(stream, rule, depth - 1)).collect();
                format!("({}){}", inner.join(" | "), ["?", "*", "+", ""][stream.index(4)])
            }
        })
        .collect();
    parts.join(" ")
}
