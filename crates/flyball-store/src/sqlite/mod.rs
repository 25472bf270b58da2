//! The cold tier: an SQLite database that journals are folded into. It answers the questions, gives the records in
//! order, and is never on the path of an event.

mod agents;
mod answers;
mod arrivals;
mod chain;
mod course;
mod evidence;
mod extremes;
mod filter;
mod fold;
mod health;
mod index;
mod insert;
mod outbox;
#[cfg(test)]
mod plans;
mod progress;
mod pulse;
mod query;
mod rebuild;
mod recount;
mod report;
mod retention;
mod schema;
mod search;
mod session_tally;
mod summary;
mod tally;
mod tell;
mod texts;
mod values;

pub(crate) use index::Index;
