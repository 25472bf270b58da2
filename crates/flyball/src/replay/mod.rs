//! Judges recorded events again, without effects: the only program that is started is git, to query it, and nothing is
//! written. Shared by `flyball replay` and `flyball explain`.

mod machine;
mod payload;
mod session;

pub(crate) use self::machine::ReplayMachine;
pub(crate) use self::payload::{Exactness, Unjudged, parse_event};
pub(crate) use self::session::{JudgedEvent, Moment, Session};
