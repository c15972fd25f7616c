//! Types as people write them.

use super::{Con, MAX_TYPE_DEPTH, Node, Ty, Types};
use std::fmt::Write as _;

/// A shown type is cut here: messages stay readable when inference went astray.
const MAX_SHOWN: usize = 160;

impl Types {
    /// The type as it would be written; `_` for what is not known yet.
    pub(crate) fn show(&self, ty: Ty) -> String {
        let mut text = String::new();
        self.show_at(ty, &mut text, 0);
        text
    }

    fn show_at(&self, ty: Ty, out: &mut String, depth: u32) {
        if depth > MAX_TYPE_DEPTH || out.len() > MAX_SHOWN {
            out.push('…');
            return;
        }
        match self.node(ty) {
            Node::Free(_) | Node::Link(_) => out.push('_'),
            Node::Rigid(name) => out.push_str(name),
            Node::Quantified(index) => {
                let letter = char::from(b'A' + u8::try_from(index % 26).unwrap_or(0));
                out.push(letter);
                if *index >= 26 {
                    write!(out, "{}", index / 26).expect("writing to a string");
                }
            }
            Node::Error => out.push('?'),
            Node::Con(con, args) => self.show_con(*con, args, out, depth),
        }
    }

    fn show_con(&self, con: Con, args: &[Ty], out: &mut String, depth: u32) {
        let name = match con {
            Con::Int => "Int",
            Con::Bool => "Bool",
            Con::String => "String",
            Con::Node => "Node",
            Con::List => "List",
            Con::Set => "Set",
            Con::Map => "Map",
            Con::Declared(number) => &*self.names[number as usize],
            Con::Tuple => "",
            Con::Option => {
                self.show_at(args[0], out, depth + 1);
                out.push('?');
                return;
            }
            Con::Function => {
                let (result, params) = args.split_last().expect("a function type has a result");
                let bare = |ty: &Ty| !matches!(self.node(*ty), Node::Con(Con::Tuple | Con::Function, _));
                match params {
                    [only] if bare(only) => self.show_at(*only, out, depth + 1),
                    _ => self.show_list(params, out, depth),
                }
                out.push_str(" -> ");
                self.show_at(*result, out, depth + 1);
                return;
            }
        };
        out.push_str(name);
        if !args.is_empty() {
            self.show_list(args, out, depth);
        }
    }

    fn show_list(&self, items: &[Ty], out: &mut String, depth: u32) {
        out.push('(');
        for (at, item) in items.iter().enumerate() {
            if at > 0 {
                out.push_str(", ");
            }
            self.show_at(*item, out, depth + 1);
        }
        out.push(')');
    }
}
