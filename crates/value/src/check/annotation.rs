//! Resolves type expressions.

use super::call::count;
use super::{Checker, DeclaredKind, ModuleId};
use crate::codes;
use crate::syntax::{Arena, Name, TypeBody, TypeId, TypeKind};
use crate::types::{Ty, TyCon, Types};
use polysmith_source::{Diagnostics, Span, nearest};
use std::sync::Arc;

/// The maximum length of a chain of aliases.
const MAX_ALIASES: usize = 100;

/// The meaning of a type name that names no declared type.
pub(super) enum TypeParams<'a> {
    /// In a type declaration: its parameters. Type arguments must not be omitted.
    Params(&'a [Name]),
    /// In a function: a capital letter is a type parameter, declared by its first occurrence.
    Function {
        known: &'a mut Vec<(Arc<str>, Ty)>,
        /// Set when type arguments are omitted and must be inferred.
        open: &'a mut bool,
    },
    /// Elsewhere: type parameters are errors.
    Forbidden,
}

const BUILT_IN: [(&str, TyCon, usize); 10] = [
    ("Int", TyCon::Int, 0),
    ("int", TyCon::Int, 0),
    ("Bool", TyCon::Bool, 0),
    ("boolean", TyCon::Bool, 0),
    ("String", TyCon::String, 0),
    ("Node", TyCon::Node, 0),
    ("List", TyCon::List, 1),
    ("Set", TyCon::Set, 1),
    ("Map", TyCon::Map, 2),
    ("Option", TyCon::Option, 1),
];

impl Checker {
    pub(super) fn resolve_type(
        &mut self,
        module: ModuleId,
        arena: &Arena,
        id: TypeId,
        letters: &mut TypeParams<'_>,
        out: &mut Diagnostics,
    ) -> Ty {
        let expr = &arena[id];
        match &expr.kind {
            TypeKind::Error => Types::ERROR,
            TypeKind::Option(inner) => {
                let inner = self.resolve_type(module, arena, *inner, letters, out);
                self.types.con(TyCon::Option, &[inner])
            }
            TypeKind::Tuple(items) => {
                let items = self.resolve_types(module, arena, items, letters, out);
                self.types.con(TyCon::Tuple, &items)
            }
            TypeKind::Function { params, result } => {
                let params = self.resolve_types(module, arena, params, letters, out);
                let result = self.resolve_type(module, arena, *result, letters, out);
                self.types.function(&params, result)
            }
            TypeKind::Name { module: qualifier, name, args } => {
                let args = self.resolve_types(module, arena, args, letters, out);
                self.named_type(module, qualifier.as_ref(), name, &args, letters, out)
            }
        }
    }

    fn resolve_types(
        &mut self,
        module: ModuleId,
        arena: &Arena,
        ids: &[TypeId],
        letters: &mut TypeParams<'_>,
        out: &mut Diagnostics,
    ) -> Vec<Ty> {
        ids.iter().map(|id| self.resolve_type(module, arena, *id, letters, out)).collect()
    }

    fn named_type(
        &mut self,
        module: ModuleId,
        qualifier: Option<&Name>,
        name: &Name,
        args: &[Ty],
        letters: &mut TypeParams<'_>,
        out: &mut Diagnostics,
    ) -> Ty {
        if qualifier.is_none()
            && let TypeParams::Params(params) = letters
            && let Some(at) = params.iter().position(|param| param.text == name.text)
        {
            return self.types.quantified(u32::try_from(at).unwrap_or(u32::MAX));
        }
        if let Some(number) = self.find_type(module, qualifier, name, out) {
            return self.declared_type(number, args, name, letters, out, 0);
        }
        if qualifier.is_some() {
            return Types::ERROR;
        }
        if let Some((_, con, params)) = BUILT_IN.iter().find(|(text, _, _)| **text == *name.text) {
            return match self.type_args(args, *params, name, letters, out) {
                Some(args) => self.types.con(*con, &args),
                None => Types::ERROR,
            };
        }
        self.type_letter(module, name, letters, out)
    }

    fn type_letter(
        &mut self,
        module: ModuleId,
        name: &Name,
        letters: &mut TypeParams<'_>,
        out: &mut Diagnostics,
    ) -> Ty {
        if let TypeParams::Function { known, .. } = letters
            && is_letter(&name.text)
        {
            if let Some((_, ty)) = known.iter().find(|(text, _)| *text == name.text) {
                return *ty;
            }
            let ty = self.types.rigid(name.text.clone());
            known.push((name.text.clone(), ty));
            return ty;
        }
        let found = out.error(codes::UNKNOWN_TYPE, name.span, format!("there is no type `{}`", name.text));
        let entry = &self.modules[module.0];
        let own = entry.syntax.types.iter().map(|decl| &*decl.name.text);
        if let Some(near) = nearest(&name.text, own.chain(BUILT_IN.iter().map(|(text, _, _)| *text))) {
            found.help(format!("a type with a similar name exists: `{near}`"));
        } else if self.by_name.contains_key(&name.text) {
            found.help(format!("add `use {};`", name.text));
        }
        Types::ERROR
    }

    /// Finds a declared type: one of the module itself, a qualified one, or one with the name of a module in use.
    fn find_type(
        &self,
        module: ModuleId,
        qualifier: Option<&Name>,
        name: &Name,
        out: &mut Diagnostics,
    ) -> Option<u32> {
        if let Some(qualifier) = qualifier {
            let other = self.find_module(module, qualifier, out)?;
            let found = self.modules[other.0].types.get(&name.text).copied();
            if found.is_none() {
                let message = format!("module `{}` has no type `{}`", qualifier.text, name.text);
                out.error(codes::UNKNOWN_TYPE, name.span, message);
            }
            return found;
        }
        let entry = &self.modules[module.0];
        entry.types.get(&name.text).copied().or_else(|| {
            let other = entry.uses.get(&name.text)?;
            self.modules[other.0].types.get(&name.text).copied()
        })
    }

    /// Finds the module of a qualifier. Reports an error if it is not in use.
    pub(super) fn find_module(
        &self,
        module: ModuleId,
        name: &Name,
        out: &mut Diagnostics,
    ) -> Option<ModuleId> {
        let entry = &self.modules[module.0];
        let own = (entry.syntax.name == name.text).then_some(module);
        let found = own.or_else(|| entry.uses.get(&name.text).copied());
        if found.is_none() {
            let message = format!("there is no module `{}` here", name.text);
            let diagnostic = out.error(codes::UNKNOWN_MODULE, name.span, message);
            diagnostic.help(format!("add `use {};`", name.text));
        }
        found
    }

    fn declared_type(
        &mut self,
        number: u32,
        args: &[Ty],
        name: &Name,
        letters: &mut TypeParams<'_>,
        out: &mut Diagnostics,
        aliases: usize,
    ) -> Ty {
        let params = self.declared[number as usize].params as usize;
        let Some(args) = self.type_args(args, params, name, letters, out) else { return Types::ERROR };
        if let DeclaredKind::Pending(index) = self.declared[number as usize].kind {
            self.resolve_alias(number, index, out, aliases);
        }
        match self.declared[number as usize].kind {
            DeclaredKind::Alias(ty) => self.types.substitute(ty, &args),
            DeclaredKind::Busy => {
                let message = format!("type alias `{}` refers to itself", name.text);
                out.error(codes::ALIAS_CYCLE, name.span, message);
                Types::ERROR
            }
            DeclaredKind::Broken => Types::ERROR,
            _ => self.types.con(TyCon::Declared(number), &args),
        }
    }

    /// Resolves an alias. Leaves records and variants for later, since they may be recursive.
    pub(super) fn resolve_alias(&mut self, number: u32, index: usize, out: &mut Diagnostics, aliases: usize) {
        let module = self.declared[number as usize].module;
        let syntax = self.modules[module.0].syntax.clone();
        let decl = &syntax.types[index];
        let TypeBody::Alias(ty) = decl.body else { return };
        if aliases >= MAX_ALIASES {
            let message = format!("a chain of more than {MAX_ALIASES} type aliases");
            out.error(codes::ALIAS_CYCLE, decl.name.span, message);
            self.declared[number as usize].kind = DeclaredKind::Broken;
            return;
        }
        self.declared[number as usize].kind = DeclaredKind::Busy;
        let ty = match &syntax.arena[ty].kind {
            // Resolve an alias of a plain name here, so that `MAX_ALIASES` applies.
            TypeKind::Name { module: qualifier, name, args } if args.is_empty() => {
                let letters = &mut TypeParams::Params(&decl.params);
                match self.find_type(module, qualifier.as_ref(), name, out) {
                    Some(other) => self.declared_type(other, &[], name, letters, out, aliases + 1),
                    None => self.named_type(module, qualifier.as_ref(), name, &[], letters, out),
                }
            }
            _ => self.resolve_type(module, &syntax.arena, ty, &mut TypeParams::Params(&decl.params), out),
        };
        self.declared[number as usize].kind = DeclaredKind::Alias(ty);
    }

    /// Returns the arguments, or fresh variables if all are omitted where that is allowed.
    fn type_args(
        &mut self,
        args: &[Ty],
        params: usize,
        name: &Name,
        letters: &mut TypeParams<'_>,
        out: &mut Diagnostics,
    ) -> Option<Vec<Ty>> {
        if args.len() == params {
            return Some(args.to_vec());
        }
        let may_infer = !matches!(letters, TypeParams::Params(_));
        if args.is_empty() && may_infer {
            if let TypeParams::Function { open, .. } = letters {
                **open = true;
            }
            return Some((0..params).map(|_| self.types.fresh()).collect());
        }
        report_type_args(name.span, &name.text, params, args.len(), out);
        None
    }
}

fn report_type_args(span: Span, name: &str, params: usize, args: usize, out: &mut Diagnostics) {
    let message = format!("`{name}` takes {}, not {args}", count(params, "type argument"));
    out.error(codes::TYPE_ARGUMENTS, span, message);
}

/// Whether a name is a capital letter, optionally followed by digits.
fn is_letter(text: &str) -> bool {
    let mut characters = text.chars();
    characters.next().is_some_and(|first| first.is_ascii_uppercase())
        && characters.all(|digit| digit.is_ascii_digit())
}
