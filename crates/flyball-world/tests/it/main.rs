//! One test binary, one module per subject.

mod pipeline;
mod store;
mod workshop;
