//! Guards: what an agent may not do. They fail closed.

#[path = "self/mod.rs"]
pub mod own;
