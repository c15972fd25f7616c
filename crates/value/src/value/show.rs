//! Formats values: for messages, for `#{…}` in templates, for tests.

use super::{Data, TUPLE, Value};
use std::fmt::{self, Write as _};
use std::sync::Arc;

/// The names of a record type or constructor and of its fields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    /// The name of the record type or constructor.
    pub name: Arc<str>,
    /// The names of a record's fields; empty for constructors and tuples.
    pub fields: Vec<Arc<str>>,
}

/// The shapes of a program, by number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shapes(pub(crate) Vec<Shape>);

impl Default for Shapes {
    fn default() -> Shapes {
        Shapes(vec![Shape { name: "".into(), fields: Vec::new() }])
    }
}

impl Shapes {
    /// Formats a value as it is written in a specification.
    pub fn show(&self, value: &Value) -> String {
        let mut text = String::new();
        self.write(value, &mut text).expect("writing to a string");
        text
    }

    /// Prints a value as a template does: a string verbatim, everything else formatted by [`Shapes::show`].
    pub fn print(&self, value: &Value, out: &mut String) {
        match value.as_str() {
            Some(text) => out.push_str(text),
            None => self.write(value, out).expect("writing to a string"),
        }
    }

    /// The shape with this number.
    pub fn get(&self, shape: u32) -> Option<&Shape> {
        self.0.get(shape as usize)
    }

    fn write(&self, value: &Value, out: &mut String) -> fmt::Result {
        match value {
            Value::Nil => out.push_str("nil"),
            Value::Some(inner) => {
                out.push_str("(Some ");
                self.write(inner, out)?;
                out.push(')');
            }
            Value::Bool(truth) => write!(out, "{truth}")?,
            Value::Int(integer) => write!(out, "{integer}")?,
            Value::Big(integer) => write!(out, "{integer}")?,
            Value::Str(text) => write_string(text.as_str(), out),
            Value::Tag(shape) => out.push_str(self.name(*shape)),
            Value::Data(data) => self.write_data(data, out)?,
            Value::List(list) => self.write_all('[', list.as_slice().iter(), ']', out)?,
            Value::Set(set) => self.write_all('{', set.items().iter(), '}', out)?,
            Value::Map(map) => {
                out.push('{');
                for (at, (key, value)) in map.entries().iter().enumerate() {
                    out.push_str(if at > 0 { ", " } else { "" });
                    self.write(key, out)?;
                    out.push_str(": ");
                    self.write(value, out)?;
                }
                out.push('}');
            }
            Value::Function(_) | Value::Closure(_) => out.push_str("<function>"),
            Value::Node(node) => write!(out, "<node {}>", node.id())?,
        }
        Ok(())
    }

    fn name(&self, shape: u32) -> &str {
        self.get(shape).map_or("?", |shape| &shape.name)
    }

    fn write_data(&self, data: &Data, out: &mut String) -> fmt::Result {
        let names = self.get(data.shape()).map_or(&[][..], |shape| &shape.fields);
        if data.shape() == TUPLE {
            return self.write_all('(', data.fields().iter(), ')', out);
        }
        if names.is_empty() {
            write!(out, "({}", self.name(data.shape()))?;
            for field in data.fields() {
                out.push(' ');
                self.write(field, out)?;
            }
            out.push(')');
            return Ok(());
        }
        out.push_str("{ ");
        for (at, (name, field)) in names.iter().zip(data.fields()).enumerate() {
            write!(out, "{}{name} = ", if at > 0 { ", " } else { "" })?;
            self.write(field, out)?;
        }
        out.push_str(" }");
        Ok(())
    }

    fn write_all<'a>(
        &self,
        open: char,
        items: impl Iterator<Item = &'a Value>,
        close: char,
        out: &mut String,
    ) -> fmt::Result {
        out.push(open);
        for (at, item) in items.enumerate() {
            out.push_str(if at > 0 { ", " } else { "" });
            self.write(item, out)?;
        }
        out.push(close);
        Ok(())
    }
}

fn write_string(text: &str, out: &mut String) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => out.extend(['\\', character]),
            '\n' => out.push_str("\\n"),
            _ => out.push(character),
        }
    }
    out.push('"');
}

/// Without the shapes of a program: constructors and fields have no names.
impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Shapes::default().show(self))
    }
}
