//! One test binary, one module per subject.

mod live;
mod pages;
mod server;
mod sessions;
mod support;
