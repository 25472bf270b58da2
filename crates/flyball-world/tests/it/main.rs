//! One test binary, one module per subject.

mod pipeline;
mod snapshots;
mod workshop;
