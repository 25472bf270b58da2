//! What flyball keeps of what it saw.

pub mod events;
