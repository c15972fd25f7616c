//! The program under test of `polysmith demo`: a calculator with three planted bugs, and one without.
//!
//! - The optimizer rewrites `-(a - b)` to `-a - b`: a wrong result.
//! - The remainder by zero is not checked: a panic.
//! - The greatest common divisor is computed by subtraction and never ends if one number is zero: a hang.

use std::io::{self, BufRead, Read as _, Write};

/// The grammar of the calculator's language.
pub const GRAMMAR: &str = include_str!("demo/Calc.g4");

/// The campaign against it; PROGRAM is the path of this program.
pub const CAMPAIGN: &str = include_str!("demo/hunt.toml");

/// Which calculator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Calculator {
    /// The one with the bugs
    Optimizing,
    /// The one without
    Plain,
}

/// Nested expressions, at most: a limit of the calculator that is no bug.
const MAX_DEPTH: u32 = 500;

/// Answers tests by the protocol of persistent drivers until the input ends.
///
/// # Errors
/// Fails if a stream cannot be used.
pub fn serve(calculator: Calculator, input: &mut impl BufRead, output: &mut impl Write) -> io::Result<()> {
    writeln!(output, "{}", polysmith_hunt::driver::HELLO)?;
    output.flush()?;
    let mut line = String::new();
    for number in 0u64.. {
        line.clear();
        input.read_line(&mut line)?;
        let Ok(length) = line.trim().parse::<u64>() else { break };
        let mut test = Vec::new();
        input.take(length).read_to_end(&mut test)?;
        let (status, text) = match calculator.run(&test) {
            Ok(values) => ("ok", values.iter().map(i64::to_string).collect::<Vec<_>>().join("\n")),
            Err(why) => ("reject", why.to_owned()),
        };
        write!(output, "{status} {number} {}\n{text}\n", text.len())?;
        output.flush()?;
    }
    Ok(())
}

/// An expression.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Expression {
    Number(i64),
    Negated(Box<Expression>),
    Binary(u8, Box<(Expression, Expression)>),
}

impl Calculator {
    /// The values of all expressions of a program.
    fn run(self, program: &[u8]) -> Result<Vec<i64>, &'static str> {
        let mut reader = Reader { rest: program, depth: 0 };
        let mut values = Vec::new();
        loop {
            let expression = reader.sum()?;
            values.push(self.value(&expression));
            match reader.peek() {
                Some(b';') => reader.next(),
                None => return Ok(values),
                Some(_) => return Err("syntax error"),
            }
        }
    }

    fn value(self, expression: &Expression) -> i64 {
        match expression {
            Expression::Number(number) => *number,
            Expression::Negated(inner) => match (self, inner.as_ref()) {
                (Self::Optimizing, Expression::Binary(b'-', parts)) => {
                    self.value(&parts.0).wrapping_neg().wrapping_sub(self.value(&parts.1))
                }
                _ => self.value(inner).wrapping_neg(),
            },
            Expression::Binary(operator, parts) => {
                self.combine(*operator, self.value(&parts.0), self.value(&parts.1))
            }
        }
    }

    fn combine(self, operator: u8, a: i64, b: i64) -> i64 {
        match (operator, self) {
            (b'+', _) => a.wrapping_add(b),
            (b'-', _) => a.wrapping_sub(b),
            (b'*', _) => a.wrapping_mul(b),
            // Division by zero is zero in this language.
            (b'/', _) => a.checked_div(b).unwrap_or_default(),
            (b'%', Self::Optimizing) => a % b,
            (b'%', Self::Plain) => a.checked_rem(b).unwrap_or_default(),
            (_, Self::Optimizing) => gcd_by_subtraction(a.unsigned_abs(), b.unsigned_abs()),
            (_, Self::Plain) => gcd(a.unsigned_abs(), b.unsigned_abs()),
        }
    }
}

fn gcd_by_subtraction(mut a: u64, mut b: u64) -> i64 {
    while a != b {
        // Many steps at once, as long as it makes no difference.
        match a > b {
            true if b > 0 && a / b > 2 => a -= b * (a / b - 1),
            true => a -= b,
            false if a > 0 && b / a > 2 => b -= a * (b / a - 1),
            false => b -= a,
        }
    }
    a as i64
}

fn gcd(mut a: u64, mut b: u64) -> i64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a as i64
}

/// Reads expressions by recursive descent.
struct Reader<'a> {
    rest: &'a [u8],
    depth: u32,
}

impl Reader<'_> {
    fn peek(&mut self) -> Option<u8> {
        self.rest = self.rest.trim_ascii_start();
        self.rest.first().copied()
    }

    fn next(&mut self) {
        self.rest = self.rest.get(1..).unwrap_or_default();
    }

    fn expect(&mut self, byte: u8) -> Result<(), &'static str> {
        match self.peek() == Some(byte) {
            true => {
                self.next();
                Ok(())
            }
            false => Err("syntax error"),
        }
    }

    fn sum(&mut self) -> Result<Expression, &'static str> {
        self.chain(b"+-", Self::product)
    }

    fn product(&mut self) -> Result<Expression, &'static str> {
        self.chain(b"*/%", Self::factor)
    }

    fn chain(
        &mut self,
        operators: &[u8],
        part: fn(&mut Self) -> Result<Expression, &'static str>,
    ) -> Result<Expression, &'static str> {
        let mut left = part(self)?;
        while let Some(operator) = self.peek().filter(|byte| operators.contains(byte)) {
            self.next();
            left = Expression::Binary(operator, Box::new((left, part(self)?)));
        }
        Ok(left)
    }

    fn factor(&mut self) -> Result<Expression, &'static str> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err("nested too deeply");
        }
        let expression = match self.peek() {
            Some(b'-') => {
                self.next();
                Expression::Negated(Box::new(self.factor()?))
            }
            Some(b'(') => {
                self.next();
                let inner = self.sum()?;
                self.expect(b')')?;
                inner
            }
            Some(b'g') => {
                self.rest = self.rest.strip_prefix(b"gcd").ok_or("syntax error")?;
                self.expect(b'(')?;
                let first = self.sum()?;
                self.expect(b',')?;
                let second = self.sum()?;
                self.expect(b')')?;
                Expression::Binary(b'g', Box::new((first, second)))
            }
            _ => Expression::Number(self.number()?),
        };
        self.depth -= 1;
        Ok(expression)
    }

    fn number(&mut self) -> Result<i64, &'static str> {
        self.peek();
        let digits = self.rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (number, rest) = self.rest.split_at(digits);
        self.rest = rest;
        std::str::from_utf8(number).ok().and_then(|text| text.parse().ok()).ok_or("syntax error")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_calculators_agree_where_no_bug_is_planted() {
        for (program, expected) in [
            ("1 + 2 * 3", vec![7]),
            ("(1 + 2) * 3; 9 / 0", vec![9, 0]),
            ("- 2 - - 3", vec![1]),
            ("gcd(12, 18); gcd(1, 99)", vec![6, 1]),
            ("7 % 4 % 2", vec![1]),
        ] {
            for calculator in [Calculator::Optimizing, Calculator::Plain] {
                assert_eq!(calculator.run(program.as_bytes()), Ok(expected.clone()), "{program}");
            }
        }
        assert_eq!(Calculator::Plain.run(b"-(1 - 2); 1 % 0; gcd(0, 3)"), Ok(vec![1, 0, 3]));
        assert_eq!(Calculator::Optimizing.run(b"-(1 - 2)"), Ok(vec![-3]));
        for wrong in ["", "1 +", "gcd(1)", "x", "(1", "1 2"] {
            assert!(Calculator::Plain.run(wrong.as_bytes()).is_err(), "{wrong}");
        }
    }

    #[test]
    fn tests_are_answered_by_the_protocol() {
        let mut output = Vec::new();
        serve(Calculator::Plain, &mut &b"3\n1+12\n(("[..], &mut output).unwrap();
        let expected = "polysmith driver 1\nok 0 1\n2\nreject 1 12\nsyntax error\n";
        assert_eq!(String::from_utf8(output).unwrap(), expected);
    }
}
