//! One test binary, one module per subject.

mod pipeline;
mod seen;
mod snapshots;
mod workshop;
