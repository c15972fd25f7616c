//! Exhaustiveness of `match`: finds values that no arm matches.
//!
//! Maranget's algorithm (Warnings for pattern matching, 2007): a matrix of patterns is specialized by the constructors
//! of its first column; a row of wildcards that is still useful at the end is a value that no arm matches. Lists count
//! as `[]` or an item in front of a list. The worst case is exponential, so the work is limited: beyond the limit, the
//! arms are assumed to be exhaustive, and a value that matches none of them is a run-time failure.

use super::{Checker, DeclaredKind};
use crate::core::ResolvedPattern;
use crate::value::{TUPLE, Value};

/// How many matrices one query may visit.
const MAX_WORK: u32 = 5_000;
/// The maximum width of a row. It bounds the recursion.
const MAX_WIDTH: usize = 400;

pub(super) struct Cover<'c> {
    checker: &'c Checker,
    work: u32,
}

/// The outermost constructor of a pattern.
#[derive(Debug, Clone, PartialEq)]
enum Head {
    Nil,
    Some,
    Bool(bool),
    /// An integer or string. Its type has infinitely many constructors.
    Constant(Value),
    /// Shape and number of fields.
    Data(u32, usize),
    Empty,
    Item,
}

type Row = Vec<ResolvedPattern>;

/// The query exceeded a limit.
struct GaveUp;

impl<'c> Cover<'c> {
    pub(super) fn new(checker: &'c Checker) -> Cover<'c> {
        Cover { checker, work: 0 }
    }

    /// Returns a value that none of the patterns matches, if there is one.
    pub(super) fn missing(&mut self, patterns: &[&ResolvedPattern]) -> Option<String> {
        let rows = patterns.iter().map(|pattern| vec![(*pattern).clone()]).collect();
        let found = self.useful(rows, vec![ResolvedPattern::Any]).ok()??;
        found.into_iter().next()
    }

    /// Whether the patterns `above` match everything that this one matches.
    pub(super) fn is_covered(&mut self, above: &[&ResolvedPattern], pattern: &ResolvedPattern) -> bool {
        let rows = above.iter().map(|pattern| vec![(*pattern).clone()]).collect();
        matches!(self.useful(rows, vec![pattern.clone()]), Ok(None))
    }

    /// Returns a row of values, as text, that `row` matches and no row of the matrix does.
    fn useful(&mut self, mut rows: Vec<Row>, mut row: Row) -> Result<Option<Vec<String>>, GaveUp> {
        self.work += 1;
        if self.work > MAX_WORK || row.len() > MAX_WIDTH {
            return Err(GaveUp);
        }
        rows = rows.into_iter().flat_map(expand_alternatives).collect();
        let Some(first) = row.first() else {
            return Ok(rows.is_empty().then(Vec::new));
        };
        if let ResolvedPattern::Or(choices) = first {
            for choice in choices.clone() {
                row[0] = choice;
                if let Some(found) = self.useful(rows.clone(), row.clone())? {
                    return Ok(Some(found));
                }
            }
            return Ok(None);
        }
        if let Some(head) = head(first) {
            return self.under(&rows, &row, &head);
        }
        let mut heads: Vec<Head> = Vec::new();
        for found in rows.iter().filter_map(|row| head(&row[0])) {
            if !heads.contains(&found) {
                heads.push(found);
            }
        }
        let all = self.siblings(heads.first());
        let absent = all.iter().find(|head| !heads.contains(head)).cloned();
        if let Some(all) = (!all.is_empty() && absent.is_none()).then_some(all) {
            for head in all {
                if let Some(found) = self.under(&rows, &row, &head)? {
                    return Ok(Some(found));
                }
            }
            return Ok(None);
        }
        let rest = rows.iter().filter(|row| head(&row[0]).is_none()).map(|row| row[1..].to_vec()).collect();
        let found = self.useful(rest, row[1..].to_vec())?;
        Ok(found.map(|mut found| {
            found.insert(0, absent.map_or("_".to_owned(), |head| self.show(&head, &[])));
            found
        }))
    }

    fn under(&mut self, rows: &[Row], row: &Row, head: &Head) -> Result<Option<Vec<String>>, GaveUp> {
        let rows = rows.iter().filter_map(|row| specialize(row, head)).collect();
        let Some(row) = specialize(row, head) else { return Ok(None) };
        let found = self.useful(rows, row)?;
        Ok(found.map(|mut found| {
            let fields: Vec<String> = found.drain(..arity(head)).collect();
            found.insert(0, self.show(head, &fields));
            found
        }))
    }

    /// All constructors of the type that `head` belongs to; empty if they cannot be listed.
    fn siblings(&self, head: Option<&Head>) -> Vec<Head> {
        match head {
            None | Some(Head::Constant(_)) => Vec::new(),
            Some(Head::Nil | Head::Some) => vec![Head::Nil, Head::Some],
            Some(Head::Bool(_)) => vec![Head::Bool(true), Head::Bool(false)],
            Some(Head::Empty | Head::Item) => vec![Head::Empty, Head::Item],
            Some(Head::Data(shape, arity)) => match self.checker.shape_constructor.get(shape) {
                None => vec![Head::Data(*shape, *arity)],
                Some(constructor) => {
                    let owner = self.checker.constructors[*constructor as usize].owner;
                    let DeclaredKind::Variant { constructors } = &self.checker.declared_of(owner).kind else {
                        return Vec::new();
                    };
                    let of = |at: &u32| &self.checker.constructors[*at as usize];
                    constructors.iter().map(|at| Head::Data(of(at).shape, of(at).fields.len())).collect()
                }
            },
        }
    }

    fn show(&self, head: &Head, fields: &[String]) -> String {
        let field = |at: usize| fields.get(at).map_or("_", |field| field);
        match head {
            Head::Nil => "nil".to_owned(),
            Head::Some => format!("Some({})", field(0)),
            Head::Bool(truth) => truth.to_string(),
            Head::Constant(value) => self.checker.shapes.show(value),
            Head::Empty => "[]".to_owned(),
            Head::Item => match field(1) {
                "[]" => format!("[{}]", field(0)),
                rest if rest.starts_with('[') => format!("[{}, {}", field(0), &rest[1..]),
                _ => format!("[{}, ..]", field(0)),
            },
            Head::Data(shape, arity) => {
                let names = self.checker.shapes.get(*shape);
                let inside: Vec<&str> = (0..*arity).map(field).collect();
                match names {
                    Some(shape) if !shape.fields.is_empty() => {
                        let pairs = shape.fields.iter().zip(inside);
                        let pairs: Vec<String> =
                            pairs.map(|(name, field)| format!("{name} = {field}")).collect();
                        format!("{{ {} }}", pairs.join(", "))
                    }
                    Some(named) if *shape != TUPLE && *arity == 0 => named.name.to_string(),
                    Some(named) => format!("{}({})", named.name, inside.join(", ")),
                    None => "_".to_owned(),
                }
            }
        }
    }
}

/// Expands a row whose first pattern has alternatives into one row per alternative.
fn expand_alternatives(row: Row) -> Vec<Row> {
    let mut done = Vec::new();
    let mut open = vec![row];
    while let Some(mut row) = open.pop() {
        match row.first() {
            Some(ResolvedPattern::Or(choices)) => {
                for choice in choices.clone() {
                    row[0] = choice;
                    open.push(row.clone());
                }
            }
            _ => done.push(row),
        }
    }
    done
}

/// The outermost constructor; `None` for a wildcard.
fn head(pattern: &ResolvedPattern) -> Option<Head> {
    match pattern {
        ResolvedPattern::Any | ResolvedPattern::Bind(_) | ResolvedPattern::Or(_) => None,
        ResolvedPattern::Const(Value::Nil) => Some(Head::Nil),
        ResolvedPattern::Const(Value::Bool(truth)) => Some(Head::Bool(*truth)),
        ResolvedPattern::Const(Value::Tag(shape)) => Some(Head::Data(*shape, 0)),
        ResolvedPattern::Const(value) => Some(Head::Constant(value.clone())),
        ResolvedPattern::Some(_) => Some(Head::Some),
        ResolvedPattern::Data(shape, fields) => Some(Head::Data(*shape, fields.len())),
        ResolvedPattern::List(items, Some(rest)) if items.is_empty() => head(rest),
        ResolvedPattern::List(items, _) => Some(if items.is_empty() { Head::Empty } else { Head::Item }),
    }
}

fn arity(head: &Head) -> usize {
    match head {
        Head::Some => 1,
        Head::Item => 2,
        Head::Data(_, arity) => *arity,
        _ => 0,
    }
}

/// Specializes a row by a constructor: its fields replace the first pattern. `None` if the row needs another
/// constructor.
fn specialize(row: &Row, under: &Head) -> Option<Row> {
    let mut fields = match (&row[0], head(&row[0])) {
        (_, None) => vec![ResolvedPattern::Any; arity(under)],
        (_, Some(other)) if other != *under => return None,
        (ResolvedPattern::Some(inner), _) => vec![(**inner).clone()],
        (ResolvedPattern::Data(_, fields), _) => fields.clone(),
        (ResolvedPattern::List(items, Some(rest)), _) if items.is_empty() => {
            let tail: Row = std::iter::once((**rest).clone()).chain(row[1..].iter().cloned()).collect();
            return specialize(&tail, under);
        }
        (ResolvedPattern::List(items, rest), _) => match items.split_first() {
            Some((first, others)) => {
                vec![first.clone(), ResolvedPattern::List(others.to_vec(), rest.clone())]
            }
            None => Vec::new(),
        },
        _ => Vec::new(),
    };
    fields.extend_from_slice(&row[1..]);
    Some(fields)
}
