//! Declares the names of all modules, then their types, then the signatures of functions.

use super::annotation::TypeParams;
use super::{Checker, Constructor, Declared, DeclaredKind, Field, Function, ModuleId, Origin};
use crate::codes;
use crate::native;
use crate::syntax::{Arena, ConstructorDecl, FieldDecl, FnBody, FnDecl, Name, TypeBody};
use crate::types::{Need, Scheme, Types};
use crate::value::Shape;
use polysmith_source::{Diagnostics, Span};
use rustc_hash::FxHashMap;
use std::sync::Arc;

impl Checker {
    pub(super) fn declare_names(&mut self, out: &mut Diagnostics) {
        let core: Vec<ModuleId> =
            self.module_ids().filter(|id| self.modules[id.0].origin.is_everywhere()).collect();
        for id in self.module_ids() {
            let syntax = self.modules[id.0].syntax.clone();
            if let Some(span) = syntax.arena.too_deep() {
                let limit = crate::syntax::MAX_NESTING;
                out.error(codes::TOO_DEEP, span, format!("this nests more than {limit} levels deep"))
                    .help("give a part of it a name with `let` or in a function of its own");
            }
            for core in &core {
                let name = self.modules[core.0].syntax.name.clone();
                self.modules[id.0].uses.insert(name, *core);
            }
            for used in &syntax.uses {
                match self.by_name.get(&used.text) {
                    Some(other) => drop(self.modules[id.0].uses.insert(used.text.clone(), *other)),
                    None => {
                        let message = format!("there is no module `{}`", used.text);
                        out.error(codes::UNKNOWN_MODULE, used.span, message);
                    }
                }
            }
            self.declare_type_names(id, out);
            self.declare_function_names(id, out);
        }
    }

    fn module_ids(&self) -> impl Iterator<Item = ModuleId> + use<> {
        (0..self.modules.len()).map(ModuleId)
    }

    fn declare_type_names(&mut self, id: ModuleId, out: &mut Diagnostics) {
        let syntax = self.modules[id.0].syntax.clone();
        for (index, decl) in syntax.types.iter().enumerate() {
            unique("type parameter", decl.params.iter(), out);
            let number = self.types.declare(decl.name.text.clone());
            self.declared.push(Declared {
                name: decl.name.text.clone(),
                span: decl.name.span,
                module: id,
                params: u32::try_from(decl.params.len()).unwrap_or(u32::MAX),
                kind: DeclaredKind::Pending(index),
            });
            match self.modules[id.0].types.get(&decl.name.text) {
                Some(first) => duplicate("type", &decl.name, self.declared[*first as usize].span, out),
                None => drop(self.modules[id.0].types.insert(decl.name.text.clone(), number)),
            }
        }
    }

    fn declare_function_names(&mut self, id: ModuleId, out: &mut Diagnostics) {
        let syntax = self.modules[id.0].syntax.clone();
        for (index, decl) in syntax.functions.iter().enumerate() {
            let named = decl.params.iter().map(|param| &param.name).filter(|name| &*name.text != "_");
            unique("parameter", named, out);
            let number = u32::try_from(self.functions.len()).expect("fewer than 2^32 items fit in memory");
            self.functions.push(Function {
                name: decl.name.text.clone(),
                span: decl.name.span,
                module: id,
                index,
                scheme: None,
                annotated: false,
                native: None,
                body: crate::core::Body::default(),
            });
            match self.modules[id.0].functions.get(&decl.name.text) {
                Some(first) => duplicate("function", &decl.name, self.functions[*first as usize].span, out),
                None => drop(self.modules[id.0].functions.insert(decl.name.text.clone(), number)),
            }
        }
    }

    pub(super) fn declare_types(&mut self, out: &mut Diagnostics) {
        for number in 0..self.declared.len() {
            let DeclaredKind::Pending(index) = self.declared[number].kind else { continue };
            let module = self.declared[number].module;
            let syntax = self.modules[module.0].syntax.clone();
            let decl = &syntax.types[index];
            let number = u32::try_from(number).expect("fewer than 2^32 items fit in memory");
            match &decl.body {
                TypeBody::Alias(_) => self.resolve_alias(number, index, out, 0),
                TypeBody::Record(fields) => {
                    self.declare_record(number, &syntax.arena, fields, &decl.params, out);
                }
                TypeBody::Variant(constructors) => {
                    self.declare_variant(number, &syntax.arena, constructors, &decl.params, out);
                }
            }
        }
    }

    fn declare_record(
        &mut self,
        number: u32,
        arena: &Arena,
        fields: &[FieldDecl],
        params: &[Name],
        out: &mut Diagnostics,
    ) {
        unique("field", fields.iter().map(|field| &field.name), out);
        let module = self.declared[number as usize].module;
        let resolved: Arc<[Field]> = fields
            .iter()
            .map(|field| Field {
                name: field.name.text.clone(),
                span: field.name.span,
                ty: self.resolve_type(module, arena, field.ty, &mut TypeParams::Params(params), out),
            })
            .collect();
        let names = resolved.iter().map(|field| field.name.clone()).collect();
        let shape = self.shape(self.declared[number as usize].name.clone(), names);
        self.declared[number as usize].kind = DeclaredKind::Record { shape, fields: resolved };
    }

    fn declare_variant(
        &mut self,
        number: u32,
        arena: &Arena,
        constructors: &[ConstructorDecl],
        params: &[Name],
        out: &mut Diagnostics,
    ) {
        let module = self.declared[number as usize].module;
        let mut all = Vec::new();
        for decl in constructors {
            let fields = decl
                .fields
                .iter()
                .map(|ty| self.resolve_type(module, arena, *ty, &mut TypeParams::Params(params), out))
                .collect();
            let shape = self.shape(decl.name.text.clone(), Vec::new());
            let index = u32::try_from(self.constructors.len()).expect("fewer than 2^32 items fit in memory");
            self.shape_constructor.insert(shape, index);
            let (name, span) = (decl.name.text.clone(), decl.name.span);
            self.constructors.push(Constructor { name, span, owner: number, shape, fields });
            all.push(index);
            match self.modules[module.0].constructors.get(&decl.name.text) {
                Some(first) => {
                    duplicate("constructor", &decl.name, self.constructors[*first as usize].span, out);
                }
                None => drop(self.modules[module.0].constructors.insert(decl.name.text.clone(), index)),
            }
        }
        self.declared[number as usize].kind = DeclaredKind::Variant { constructors: all.into() };
    }

    fn shape(&mut self, name: Arc<str>, fields: Vec<Arc<str>>) -> u32 {
        self.shapes.0.push(Shape { name, fields });
        u32::try_from(self.shapes.0.len() - 1).expect("fewer than 2^32 items fit in memory")
    }

    pub(super) fn declare_functions(&mut self, out: &mut Diagnostics) {
        let mut hosts = 0;
        for number in 0..self.functions.len() {
            let (module, index) = (self.functions[number].module, self.functions[number].index);
            let entry = &self.modules[module.0];
            let (syntax, origin) = (entry.syntax.clone(), entry.origin);
            let decl = &syntax.functions[index];
            self.declare_signature(number, module, &syntax.arena, decl, out);
            if decl.body == FnBody::Native {
                let found = match origin {
                    Origin::Host => native::Native::host(hosts),
                    _ => native::find(&syntax.name, &decl.name.text, decl.params.len()),
                };
                hosts += usize::from(origin == Origin::Host);
                if origin == Origin::User || found.is_none() || !self.functions[number].annotated {
                    let message =
                        format!("there is no built-in function `{}:{}`", syntax.name, decl.name.text);
                    out.error(codes::NATIVE, decl.name.span, message).help("give it a body: `= …;`");
                }
                self.functions[number].native = found;
            }
        }
    }

    fn declare_signature(
        &mut self,
        number: usize,
        module: ModuleId,
        arena: &Arena,
        decl: &FnDecl,
        out: &mut Diagnostics,
    ) {
        let (mut known, mut open) = (Vec::new(), false);
        let mut params = Vec::new();
        for param in &decl.params {
            let mut letters = TypeParams::Function { known: &mut known, open: &mut open };
            params.push(match param.annotation {
                Some(ty) => self.resolve_type(module, arena, ty, &mut letters, out),
                None => {
                    open = true;
                    self.types.fresh()
                }
            });
        }
        let mut letters = TypeParams::Function { known: &mut known, open: &mut open };
        let result = match decl.result {
            Some(ty) => self.resolve_type(module, arena, ty, &mut letters, out),
            None => {
                open = true;
                self.types.fresh()
            }
        };
        let ty = self.types.function(&params, result);
        let function = &mut self.functions[number];
        function.annotated = !open;
        let needs: Vec<Need> = if open { Vec::new() } else { self.types.generalize(&[ty]) };
        function.scheme = Some(Scheme { needs, ty });
    }

    /// The type of a function; the error type if it could not be inferred, so that checking can continue.
    pub(super) fn scheme_of(&self, function: u32) -> Scheme {
        let scheme = self.functions[function as usize].scheme.clone();
        scheme.unwrap_or(Scheme { needs: Vec::new(), ty: Types::ERROR })
    }
}

fn unique<'a>(what: &str, names: impl Iterator<Item = &'a Name>, out: &mut Diagnostics) {
    let mut seen: FxHashMap<&str, Span> = FxHashMap::default();
    for name in names {
        match seen.get(&*name.text) {
            Some(first) => duplicate(what, name, *first, out),
            None => drop(seen.insert(&name.text, name.span)),
        }
    }
}

fn duplicate(what: &str, name: &Name, first: Span, out: &mut Diagnostics) {
    out.error(codes::DUPLICATE, name.span, format!("{what} `{}` is declared twice", name.text))
        .also(first, "first declared here");
}
