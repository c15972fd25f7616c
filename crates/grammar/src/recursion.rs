//! Direct left recursion, as data beside the rule as written.
//!
//! A rule such as `e : e '*' e | e '+' e | NUM` is read as an operator table: earlier alternatives bind
//! tighter. The rule itself is not rewritten; engines read this table. Built by the front end, because the
//! exact patterns are its language's (ANTLR: the last recursive reference, labels, associativity).

/// The operator table of a left-recursive rule: one entry per alternative of its body, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftRecursion {
    /// One per alternative.
    pub operators: Vec<Operator>,
}

/// How an alternative takes part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operator {
    /// Its kind.
    pub class: OperatorClass,
    /// How tightly it binds: the number of alternatives for the first one, 1 for the last.
    pub precedence: u32,
    /// The least precedence that its trailing operand accepts (0 where it has none): for a binary operator its
    /// own precedence if it is right-associative, else one more; for a prefix operator its own.
    pub operand: u32,
}

/// The kinds of alternatives of a left-recursive rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OperatorClass {
    /// Does not begin with the rule, and does not end with it: `NUM`, `'(' e ')'`.
    Primary,
    /// Ends with the rule: `'-' e`.
    Prefix,
    /// Begins and ends with it: `e '+' e`, also `e '?' e ':' e`.
    Binary,
    /// Begins with it: `e '!'`, `e '[' e ']'`.
    Suffix,
}

impl OperatorClass {
    /// Whether the alternative begins with its own rule.
    pub fn is_left_recursive(self) -> bool {
        matches!(self, OperatorClass::Binary | OperatorClass::Suffix)
    }
}
