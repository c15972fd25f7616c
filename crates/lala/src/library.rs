//! The built-in library: modules written in the language itself, parsed like any other.

/// Modules that are visible everywhere.
pub(crate) const CORE: &[(&str, &str)] = &[
    ("List", include_str!("library/List.lala")),
    ("Set", include_str!("library/Set.lala")),
    ("Map", include_str!("library/Map.lala")),
    ("Option", include_str!("library/Option.lala")),
    ("String", include_str!("library/String.lala")),
    ("Int", include_str!("library/Int.lala")),
    ("Random", include_str!("library/Random.lala")),
    ("Text", include_str!("library/Text.lala")),
];

/// Modules that are visible where they are used.
pub(crate) const MODULES: &[(&str, &str)] = &[
    ("SymbTab", include_str!("library/SymbTab.lala")),
    ("Scope", include_str!("library/Scope.lala")),
    ("Names", include_str!("library/Names.lala")),
    ("Lattice", include_str!("library/Lattice.lala")),
];
