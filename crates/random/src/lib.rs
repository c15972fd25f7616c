//! Random streams whose values never change between versions.
//!
//! Everything random in Polysmith follows from four things: the user's seed, the index of the test, the
//! attempt at it, and the purpose of the draw. [`Draw`] names the first three; [`Draw::stream`] gives the
//! [`Stream`] for a purpose. Streams of different purposes are unrelated, so drawing one more separator
//! never changes the structure of a test, and neighbouring seeds have nothing in common.
//!
//! The generator is xoshiro256++ (Blackman and Vigna), seeded by splitmix64, both written out here: the
//! `rand` crates may change how they sample in any release, and a test that cannot be replayed is lost.
//!
//! ```
//! use polysmith_random::{Draw, Purpose};
//!
//! let mut a = Draw { seed: 7, index: 3, attempt: 0 }.stream(Purpose::Structure);
//! let mut b = Draw { seed: 7, index: 3, attempt: 0 }.stream(Purpose::Structure);
//! assert_eq!(a.below(100), b.below(100));
//! ```
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod regex;
mod stream;
mod weights;

pub use stream::{Draw, Purpose, Stream};
pub use weights::Weights;
