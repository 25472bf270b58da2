//! One test binary, one module per subject.

mod chosen_web;
mod data;
mod docker;
mod formatters;
mod go;
mod markdown;
mod own;
mod project;
mod python;
mod recorded;
mod rust;
mod shell;
mod support;
mod types;
mod web;
