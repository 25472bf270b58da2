//! The cold tier: an SQLite database that journals are folded into. It answers queries, returns the records in
//! order, and is never on the path of an event.

mod activity;
mod agents;
mod arrivals;
mod chain;
mod clock;
mod compare;
mod denials;
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
mod policy_timeline;
mod progress;
mod queries;
mod query;
mod rebuild;
mod recount;
mod report;
mod retention;
mod schema;
mod search;
mod session;
mod session_tally;
mod summary;
mod tally;
mod texts;
mod values;

pub(crate) use compare::{ForgottenTo, RowDamage};
pub(crate) use health::{SoundIndex, examine};
pub(crate) use index::Index;
pub(crate) use rebuild::salvage;
pub(crate) use session_tally::tally_session;

/// Its name below the state directory.
pub(crate) const FILE_NAME: &str = "flyball.db";
