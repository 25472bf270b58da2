//! Judges again what was recorded, without doing anything: no program is started but git, to ask it, and nothing is
//! written. Shared by `flyball replay` and whoever explains a decision.

mod payload;
mod session;
mod stage;

pub(crate) use self::payload::{Exactness, Unjudged, event_of};
pub(crate) use self::session::{Again, Moment, Session};
pub(crate) use self::stage::Stage;
