//! Judges again what was recorded, without doing anything: no program is started but git, to ask it, and nothing is
//! written. Shared by `flyball replay` and whoever explains a decision.

mod machine;
mod payload;
mod session;

pub(crate) use self::machine::ReplayMachine;
pub(crate) use self::payload::{Exactness, Unjudged, parse_event};
pub(crate) use self::session::{JudgedEvent, Moment, Session};
