//! The loop, tested with sessions, laws and a model check.

mod cases;
mod decisions;
mod defects;
mod laws;
mod limits;
mod model;
mod results;
mod table;
