//! What flyball records of the events it sees.

pub mod events;
