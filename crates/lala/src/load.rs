//! Finds and reads the files of a specification: the main file, its imports, the modules that it uses.
//!
//! `import "x.lala"` and `use X` search the directory of the file that contains them; a module may also be in the file
//! itself or in the built-in library. Each file is read once.

use crate::codes;
use crate::externals::External;
use crate::library;
use crate::merge::{SpecItems, merge};
use crate::read::{self, Store};
use crate::syntax::{Dialect, Item};
use polysmith_source::codes::{NOT_TEXT, UNREADABLE};
use polysmith_source::{Diagnostics, Encoding, Files, Location, SourceMap, decode, nearest};
use polysmith_value::Origin;
use polysmith_value::syntax::{Arena, ChildId, ExprId, ExprKind, FnBody, FnDecl, Module, Name};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A parsed specification with everything that it uses.
pub(crate) struct Loaded {
    pub(crate) parts: SpecItems,
    pub(crate) store: Store,
    /// The modules, without the declarations of the specification itself.
    pub(crate) modules: Vec<(Module, Origin)>,
}

/// Reads a specification and the files that it names. `None` if the main file cannot be read.
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
        Err(ReadFailure::Io(error)) => {
            let message = format!("cannot read `{}`: {error}", path.display());
            loader.found.error(UNREADABLE, Location::Nowhere, message).help("check the path");
            return None;
        }
        Err(ReadFailure::Reported) => return None,
    };
    let items = loader.imports(path, items, &mut store);
    let mut parts = merge(items, loader.found);
    no_externals(&parts.functions, &mut store, loader.found);
    let modules = loader.modules(path, &mut parts, &mut store);
    Some(Loaded { parts, store, modules })
}

/// Why the text of a file is not available.
enum ReadFailure {
    /// The file cannot be read. The caller reports it.
    Io(std::io::Error),
    /// The file is not text, which was reported.
    Reported,
}

pub(crate) struct Loader<'a> {
    pub(crate) files: &'a dyn Files,
    pub(crate) sources: &'a mut SourceMap,
    pub(crate) found: &'a mut Diagnostics,
    pub(crate) seen: Vec<PathBuf>,
}

impl Loader<'_> {
    fn text(&mut self, path: &Path) -> Result<String, ReadFailure> {
        let bytes = self.files.read(path).map_err(ReadFailure::Io)?;
        decode(bytes, Encoding::Utf8).map_err(|error| {
            let source = self.sources.add(path.display().to_string(), "");
            self.found.error(NOT_TEXT, source, format!("`{}` is not text: {error}", path.display()));
            ReadFailure::Reported
        })
    }

    fn items(&mut self, path: &Path, text: &str, store: &mut Store) -> Vec<Item> {
        let source = self.sources.add(path.display().to_string(), text);
        let old = path.extension().is_some_and(|extension| extension == "ls");
        let dialect = if old { Dialect::Old } else { Dialect::Usual };
        read::file(source, text, dialect, store, self.found)
    }

    /// Replaces imports with the items of the imported files.
    fn imports(&mut self, path: &Path, items: Vec<Item>, store: &mut Store) -> Vec<Item> {
        let mut done = Vec::new();
        // The remaining items, the next on top, each with the file that contains it.
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
                Err(ReadFailure::Io(error)) => {
                    let message = format!("cannot read `{}`: {error}", name.text);
                    self.found
                        .error(codes::IMPORT, name.span, message)
                        .help("imports are looked for beside the file that names them");
                }
                Err(ReadFailure::Reported) => {}
            }
        }
        done
    }

    /// All modules that the specification uses, directly or indirectly, core modules first.
    fn modules(&mut self, path: &Path, parts: &mut SpecItems, store: &mut Store) -> Vec<(Module, Origin)> {
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
        // The checker need not report again what was reported here.
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

    pub(crate) fn library_module(&mut self, name: &str, text: &str) -> Module {
        let mut store = Store::default();
        let source = self.sources.add(format!("<built-in {name}>"), text);
        let items = read::file(source, text, Dialect::Usual, &mut store, self.found);
        self.module(name, items, &mut store)
    }

    /// The declarations of a module. Reports classes, which a module cannot contain.
    pub(crate) fn module(&mut self, name: &str, items: Vec<Item>, store: &mut Store) -> Module {
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
                    format!("{} is not allowed in the module `{name}`", misplaced.0),
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

/// Reports `.x` and `$` outside of productions.
fn no_externals(functions: &[FnDecl], store: &mut Store, found: &mut Diagnostics) {
    for function in functions {
        let FnBody::Expr(body) = function.body else { continue };
        for leaf in externals_below(&store.arena, body) {
            let ExprKind::External(id) = store.arena[leaf].kind else { continue };
            let span = store.arena[leaf].span;
            let (code, message) = match store.externals.get(id) {
                External::Generated => {
                    (codes::GENERATED_OUTSIDE, "`$` is used outside of a generator".to_owned())
                }
                External::Local(name) => {
                    (codes::UNKNOWN_LOCAL, format!("`.{}` is used outside of a production", name.text))
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
