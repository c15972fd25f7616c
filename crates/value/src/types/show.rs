//! Formats types as they are written.

use super::{MAX_TYPE_DEPTH, Ty, TyCon, TyNode, Types};
use std::fmt::Write as _;

/// Longer types are truncated, so that messages stay readable when inference went wrong.
const MAX_SHOWN: usize = 160;

impl Types {
    /// Formats a type as it is written; `_` is a free variable.
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
            TyNode::Free(_) | TyNode::Link(_) => out.push('_'),
            TyNode::Rigid(name) => out.push_str(name),
            TyNode::Quantified(index) => {
                let letter = char::from(b'A' + u8::try_from(index % 26).unwrap_or(0));
                out.push(letter);
                if *index >= 26 {
                    write!(out, "{}", index / 26).expect("writing to a string");
                }
            }
            TyNode::Error => out.push('?'),
            TyNode::Apply(con, args) => self.show_con(*con, args, out, depth),
        }
    }

    fn show_con(&self, con: TyCon, args: &[Ty], out: &mut String, depth: u32) {
        let name = match con {
            TyCon::Int => "Int",
            TyCon::Bool => "Bool",
            TyCon::String => "String",
            TyCon::Node => "Node",
            TyCon::List => "List",
            TyCon::Set => "Set",
            TyCon::Map => "Map",
            TyCon::Declared(number) => &*self.names[number as usize],
            TyCon::Tuple => "",
            TyCon::Option => {
                self.show_at(args[0], out, depth + 1);
                out.push('?');
                return;
            }
            TyCon::Function => {
                let (result, params) = args.split_last().expect("a function type has a result");
                let bare =
                    |ty: &Ty| !matches!(self.node(*ty), TyNode::Apply(TyCon::Tuple | TyCon::Function, _));
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
