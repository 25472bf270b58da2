//! One test binary, one module per subject.

mod data;
mod docker;
mod go;
mod markdown;
mod own;
mod project;
mod python;
mod rust;
mod shell;
mod support;
mod web;
