//! The crate that the samples are parts of.

pub mod bad;
pub mod good;
