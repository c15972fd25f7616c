//! The typed expression core: what LALA's rules and functions are made of, whatever their surface looks like.
//!
//! A front end parses its own notation into [`syntax`].

pub mod syntax;
