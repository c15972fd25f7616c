//! Pages on alternatives, loops and recursion.

super::pages! {
    119 "rules are left-recursive through each other",
        "ANTLR handles a rule that begins with itself, alternative by alternative, but not a rule that comes back to itself through others, or through something that can be empty.";
        "grammar T;\ns : a EOF ;\na : b 'x' ;\nb : a 'y' | 'z' ;";
        "Put one of the rules into the other, so that the recursion is direct: `a : a 'y' 'x' | 'z' 'x' ;`";
    122 "some alternatives have labels and some have not",
        "In a rule either all outermost alternatives have a `# Label` or none has.";
        "grammar T;\ns : 'a' # A\n  | 'b'\n  ;";
        "Label the rest.";
    123 "an alternative label is used in two rules",
        "Each label becomes a class of its own, so two rules cannot share one; upper and lower case of the first letter make no difference.";
        "grammar T;\ns : t # X\n  ;\nt : 'b' # X\n  ;";
        "Use two labels.";
    124 "an alternative label is called like a rule",
        "Label and rule become classes of the same name: the first letter of the label is not counted.";
        "grammar T;\ns : t # T_\n  | 'b' # T\n  ;\nt : 'a' ;";
        "Choose another label.";
    126 "a literal has no token",
        "A parser grammar cannot make tokens from literals, and a literal that two token rules define belongs to neither.";
        "parser grammar T;\ns : 'x' ;";
        "Define a token rule for it in the lexer grammar, and use its name.";
    131 "a greedy loop over anything takes the rest of the file",
        "`.*` takes all that is left, what follows it included.";
        "grammar T;\ns : A ;\nA : '/*' .* '*/' ;";
        "Write `.*?`, which stops at the first `*/`.";
    144 "a literal of several characters where one is needed",
        "Ranges and negated sets are made of single characters.";
        "grammar T;\ns : A ;\nA : ~('ab') ;";
        "Use single characters, or a rule that says what follows what.";
    147 "a left-recursive rule has no way to begin",
        "Every alternative begins with the rule itself, so no text can ever start.";
        "grammar T;\ns : e EOF ;\ne : e '+' e ;";
        "Add an alternative that does not: `| NUMBER`.";
    148 "a left-recursive alternative may add nothing",
        "Behind the recursion there must be something that takes a token, or the rule could go round for ever.";
        "grammar T;\ns : e EOF ;\ne : e 'x'* | 'y' ;";
        "Make the rest take at least one token: `e 'x'+`.";
    153 "a loop over something that can be empty",
        "The loop could go round for ever without taking a token.";
        "grammar T;\ns : ('x'?)* EOF ;";
        "Leave one of the two out: `'x'*`.";
    154 "an optional group that can be empty anyway",
        "There are two ways to take nothing: not to enter the group, and to enter it for nothing.";
        "grammar T;\ns : ('x'?)? EOF ;";
        "Leave one `?` out.";
    157 "`assoc` where it has no effect",
        "`<assoc=right>` belongs in front of an alternative of a left-recursive rule.";
        "grammar T;\ns : 'x'<assoc=right> ;";
        "Move it to the beginning of the alternative, or leave it out.";
    169 "a left-recursive rule has a form that ANTLR does not handle",
        "The recursion must be at the very beginning of an alternative, without a group, a `+=` label or arguments around it.";
        "grammar T;\ns : e EOF ;\ne[int i] : e[1] '+' e[2] | 'x' ;";
        "Write it without.";
    186 "a loop can start with the end of the file",
        "The end can be matched any number of times, so the loop might never stop.";
        "grammar T;\ns : (EOF | 'x')* ;";
        "Put `EOF` after the loop.";
}
