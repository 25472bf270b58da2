//! The loop, told as sessions and proved as laws.

mod cases;
mod defects;
mod laws;
mod limits;
mod model;
mod results;
mod table;
mod words;
