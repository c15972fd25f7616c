//! Finds and reads what a spec consists of: its file, its imports, the modules that it uses.
//!
//! `import "x.lala"` and `use X` look beside the file that says it; a module may also stand in the file itself,
//! or come from the built-in library. Each file is read once, however often it is named.

use crate::codes;
use crate::externals::External;
use crate::library;
use crate::merge::{Parts, merge};
use crate::read::{self, Store};
use crate::syntax::{Dialect, Item};
use polysmith_source::codes::{NOT_TEXT, UNREADABLE};
use polysmith_source::{Diagnostics, Encoding, Files, Place, SourceMap, decode, nearest};
use polysmith_value::Origin;
use polysmith_value::syntax::{Arena, ChildId, ExprId, ExprKind, FnBody, FnDecl, Module, Name};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A spec as read, with everything that it uses.
pub(crate) struct Loaded {
    pub(crate) parts: Parts,
    pub(crate) store: Store,
    /// The modules besides the spec's own declarations.
    pub(crate) modules: Vec<(Module, Origin)>,
}

/// Reads a spec and what it names. `None` if the file itself cannot be read.
pub(crate) fn load(
    files: &dyn Files,
    path: &Path,
    sources: &mut SourceMap,
    found: &mut Diagnostics,
) -> Option<Loaded> {
    let mut loader = Loader { files, sources, found, seen: vec![path.to_owned()] };
    let mut store = Store::default();
    let items = match loader.text(path) {
        Ok(text) => loader.items(path, &text, &mut store),
        Err(Unread::Missing(reason)) => {
            let message = format!("cannot read `{}`: {reason}", path.display());
            loader.found.error(UNREADABLE, Place::Nowhere, message).help("check the path");
            return None;
        }
        Err(Unread::Reported) => return None,
    };
    let items = loader.imports(path, items, &mut store);
    let mut parts = merge(items, loader.found);
    no_externals(&parts.functions, &mut store, loader.found);
    let modules = loader.modules(path, &mut parts, &mut store);
    Some(Loaded { parts, store, modules })
}

enum Unread {
    Missing(String),
    Reported,
}

struct Loader<'a> {
    files: &'a dyn Files,
    sources: &'a mut SourceMap,
    found: &'a mut Diagnostics,
    seen: Vec<PathBuf>,
}

impl Loader<'_> {
    fn text(&mut self, path: &Path) -> Result<String, Unread> {
        let bytes = self.files.read(path).map_err(|error| Unread::Missing(error.to_string()))?;
        decode(bytes, Encoding::Utf8).map_err(|error| {
            let source = self.sources.add(path.display().to_string(), "");
            self.found.error(NOT_TEXT, source, format!("`{}` is not text: {error}", path.display()));
            Unread::Reported
        })
    }

    fn items(&mut self, path: &Path, text: &str, store: &mut Store) -> Vec<Item> {
        let source = self.sources.add(path.display().to_string(), text);
        let old = path.extension().is_some_and(|extension| extension == "ls");
        let dialect = if old { Dialect::Old } else { Dialect::Usual };
        read::file(source, text, dialect, store, self.found)
    }

    /// Puts the items of imported files in the place of the imports.
    fn imports(&mut self, path: &Path, items: Vec<Item>, store: &mut Store) -> Vec<Item> {
        let mut done = Vec::new();
        // What is still to be looked at, the next on top, each with the file that it stands in.
        let mut todo: Vec<(PathBuf, Item)> =
            items.into_iter().rev().map(|item| (path.to_owned(), item)).collect();
        while let Some((from, item)) = todo.pop() {
            let Item::Import(name) = item else {
                done.push(item);
                continue;
            };
            let path = beside(&from, &name.text);
            if self.seen.contains(&path) {
                continue;
            }
            self.seen.push(path.clone());
            match self.text(&path) {
                Ok(text) => {
                    let items = self.items(&path, &text, store);
                    todo.extend(items.into_iter().rev().map(|item| (path.clone(), item)));
                }
                Err(Unread::Missing(reason)) => {
                    let message = format!("cannot read `{}`: {reason}", name.text);
                    self.found
                        .error(codes::IMPORT, name.span, message)
                        .help("imports are looked for beside the file that names them");
                }
                Err(Unread::Reported) => {}
            }
        }
        done
    }

    /// All modules that the spec uses, directly or through others, with the core modules first.
    fn modules(&mut self, path: &Path, parts: &mut Parts, store: &mut Store) -> Vec<(Module, Origin)> {
        let mut modules: Vec<(Module, Origin)> = Vec::new();
        for (name, text) in library::CORE {
            modules.push((self.library_module(name, text), Origin::Core));
        }
        let mut wanted: Vec<Name> = parts.uses.clone();
        for module in std::mem::take(&mut parts.modules) {
            if modules.iter().any(|(known, _)| known.name == module.name.text) {
                let message = format!("there are two modules `{}`", module.name.text);
                self.found
                    .error(codes::DUPLICATE, module.name.span, message)
                    .help("the core modules are always there; choose another name");
                continue;
            }
            let inner = self.module(
                &module.name.text,
                module.items,
                &mut Store { arena: store.arena.clone(), externals: store.externals.clone() },
            );
            wanted.extend(inner.uses.iter().cloned());
            modules.push((inner, Origin::User));
        }
        let mut lost: Vec<Name> = Vec::new();
        let mut at = 0;
        while at < wanted.len() {
            let name = wanted[at].clone();
            at += 1;
            if modules.iter().any(|(known, _)| known.name == name.text) {
                continue;
            }
            let file = beside(path, &format!("{}.lala", name.text));
            let (module, origin) = if let Ok(text) = self.text(&file) {
                let mut store = Store::default();
                let items = self.items(&file, &text, &mut store);
                (self.module(&name.text, items, &mut store), Origin::User)
            } else if let Some((_, text)) = library::MODULES.iter().find(|(known, _)| *known == &*name.text) {
                (self.library_module(&name.text, text), Origin::Library)
            } else {
                self.unknown_module(&name, &modules);
                lost.push(name);
                continue;
            };
            wanted.extend(module.uses.iter().cloned());
            modules.push((module, origin));
        }
        // What was reported here need not be reported by the checker, too.
        parts.uses.retain(|name| !lost.contains(name));
        modules
    }

    fn unknown_module(&mut self, name: &Name, modules: &[(Module, Origin)]) {
        let library = library::MODULES.iter().map(|(name, _)| *name);
        let known: Vec<&str> = library.chain(modules.iter().map(|(module, _)| &*module.name)).collect();
        let message = format!("there is no module `{}`", name.text);
        let help = match nearest(&name.text, known) {
            Some(similar) => format!("did you mean `{similar}`?"),
            None => {
                format!("write `module {0} {{ … }}`, or put it into `{0}.lala` beside this file", name.text)
            }
        };
        self.found.error(codes::UNKNOWN_MODULE, name.span, message).help(help);
    }

    fn library_module(&mut self, name: &str, text: &str) -> Module {
        let mut store = Store::default();
        let source = self.sources.add(format!("<built-in {name}>"), text);
        let items = read::file(source, text, Dialect::Usual, &mut store, self.found);
        self.module(name, items, &mut store)
    }

    /// The declarations of a module. Classes do not belong there.
    fn module(&mut self, name: &str, items: Vec<Item>, store: &mut Store) -> Module {
        let mut module = Module { name: Arc::from(name), ..Module::default() };
        for item in items {
            let misplaced = match item {
                Item::Use(name) => {
                    module.uses.push(name);
                    continue;
                }
                Item::Type(declaration) => {
                    module.types.push(declaration);
                    continue;
                }
                Item::Function(function) => {
                    module.functions.push(function);
                    continue;
                }
                Item::Class(class) => ("a class", class.name.span),
                Item::Import(path) => ("an import", path.span),
                Item::Module(inner) => ("a module", inner.name.span),
                Item::Without { class, .. } => ("`without`", class.span),
            };
            self.found
                .error(
                    codes::MISPLACED,
                    misplaced.1,
                    format!("{} stands in the module `{name}`", misplaced.0),
                )
                .help("a module has types and functions only");
        }
        no_externals(&module.functions, store, self.found);
        module.arena = std::mem::take(&mut store.arena);
        module
    }
}

fn beside(from: &Path, name: &str) -> PathBuf {
    from.parent().map_or_else(|| PathBuf::from(name), |folder| folder.join(name))
}

/// `.x` and `$` mean something in productions only.
fn no_externals(functions: &[FnDecl], store: &mut Store, found: &mut Diagnostics) {
    for function in functions {
        let FnBody::Expr(body) = function.body else { continue };
        for leaf in externals_below(&store.arena, body) {
            let ExprKind::External(id) = store.arena[leaf].kind else { continue };
            let span = store.arena[leaf].span;
            let (code, message) = match store.externals.get(id) {
                External::Generated => {
                    (codes::GENERATED_OUTSIDE, "`$` stands outside of a generator".to_owned())
                }
                External::Local(name) => {
                    (codes::UNKNOWN_LOCAL, format!("`.{}` stands outside of a production", name.text))
                }
            };
            found.error(code, span, message).help("hand the value to the function as an argument");
            store.arena[leaf].kind = ExprKind::Error;
        }
    }
}

fn externals_below(arena: &Arena, root: ExprId) -> Vec<ExprId> {
    let mut leaves = Vec::new();
    let mut todo = vec![root];
    while let Some(id) = todo.pop() {
        let kind = &arena[id].kind;
        if matches!(kind, ExprKind::External(_)) {
            leaves.push(id);
        }
        kind.for_each_child(&mut |part| {
            if let ChildId::Expr(id) = part {
                todo.push(id);
            }
        });
    }
    leaves
}
