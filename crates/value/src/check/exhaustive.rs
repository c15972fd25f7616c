//! Which values no arm covers.
//!
//! Maranget's algorithm (Warnings for pattern matching, 2007): a matrix of patterns is specialized by the constructors
//! of its first column; a row of wildcards that is still useful at the end is a value that nothing covers. Lists count
//! as `[]` or an item in front of a list. The work is exponential at worst, hence the limit: beyond it, arms are taken
//! to cover everything, and a value that fits none is a failure at run time.

use super::{Checker, DeclaredKind};
use crate::core::Fit;
use crate::value::{TUPLE, Value};

/// How many matrices one question may look at.
const MAX_WORK: u32 = 5_000;
/// How many patterns in a row: bounds the recursion.
const MAX_WIDTH: usize = 400;

pub(super) struct Cover<'c> {
    checker: &'c Checker,
    work: u32,
}

/// A pattern by its outermost constructor.
#[derive(Debug, Clone, PartialEq)]
enum Head {
    Nil,
    Some,
    Bool(bool),
    /// An integer or string: one of endlessly many.
    Constant(Value),
    /// Shape and number of fields.
    Data(u32, usize),
    Empty,
    Item,
}

type Row = Vec<Fit>;

/// The question was too big.
struct GaveUp;

impl<'c> Cover<'c> {
    pub(super) fn new(checker: &'c Checker) -> Cover<'c> {
        Cover { checker, work: 0 }
    }

    /// A value that none of the patterns fits, if there is one.
    pub(super) fn missing(&mut self, fits: &[&Fit]) -> Option<String> {
        let rows = fits.iter().map(|fit| vec![(*fit).clone()]).collect();
        let found = self.useful(rows, vec![Fit::Any]).ok()??;
        found.into_iter().next()
    }

    /// Whether the patterns above fit everything that this one fits.
    pub(super) fn is_covered(&mut self, above: &[&Fit], fit: &Fit) -> bool {
        let rows = above.iter().map(|fit| vec![(*fit).clone()]).collect();
        matches!(self.useful(rows, vec![fit.clone()]), Ok(None))
    }

    /// A row of values, as text, that `row` fits and no row of the matrix does.
    fn useful(&mut self, mut rows: Vec<Row>, mut row: Row) -> Result<Option<Vec<String>>, GaveUp> {
        self.work += 1;
        if self.work > MAX_WORK || row.len() > MAX_WIDTH {
            return Err(GaveUp);
        }
        rows = rows.into_iter().flat_map(spread).collect();
        let Some(first) = row.first() else {
            return Ok(rows.is_empty().then(Vec::new));
        };
        if let Fit::Or(choices) = first {
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

    /// All constructors of the type that one belongs to; none if they cannot be listed.
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

/// A row whose first pattern is a choice, as one row for each.
fn spread(row: Row) -> Vec<Row> {
    let mut done = Vec::new();
    let mut open = vec![row];
    while let Some(mut row) = open.pop() {
        match row.first() {
            Some(Fit::Or(choices)) => {
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

/// The outermost constructor; `None` for what fits everything.
fn head(fit: &Fit) -> Option<Head> {
    match fit {
        Fit::Any | Fit::Bind(_) | Fit::Or(_) => None,
        Fit::Const(Value::Nil) => Some(Head::Nil),
        Fit::Const(Value::Bool(truth)) => Some(Head::Bool(*truth)),
        Fit::Const(Value::Tag(shape)) => Some(Head::Data(*shape, 0)),
        Fit::Const(value) => Some(Head::Constant(value.clone())),
        Fit::Some(_) => Some(Head::Some),
        Fit::Data(shape, fields) => Some(Head::Data(*shape, fields.len())),
        Fit::List(items, Some(rest)) if items.is_empty() => head(rest),
        Fit::List(items, _) => Some(if items.is_empty() { Head::Empty } else { Head::Item }),
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

/// The row under a constructor: its fields in front of the other patterns; `None` if the row fits another one.
fn specialize(row: &Row, under: &Head) -> Option<Row> {
    let mut fields = match (&row[0], head(&row[0])) {
        (_, None) => vec![Fit::Any; arity(under)],
        (_, Some(other)) if other != *under => return None,
        (Fit::Some(inner), _) => vec![(**inner).clone()],
        (Fit::Data(_, fields), _) => fields.clone(),
        (Fit::List(items, Some(rest)), _) if items.is_empty() => {
            let tail: Row = std::iter::once((**rest).clone()).chain(row[1..].iter().cloned()).collect();
            return specialize(&tail, under);
        }
        (Fit::List(items, rest), _) => match items.split_first() {
            Some((first, others)) => vec![first.clone(), Fit::List(others.to_vec(), rest.clone())],
            None => Vec::new(),
        },
        _ => Vec::new(),
    };
    fields.extend_from_slice(&row[1..]);
    Some(fields)
}
