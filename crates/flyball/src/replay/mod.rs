//! Judges again what was recorded, without doing anything: no program is started but git, to ask it, and nothing is
//! written. Shared by `flyball replay` and whoever explains a decision.

mod memory;
mod payload;
mod session;
mod stage;

pub(crate) use self::payload::{Exactness, Unjudged, event_of};
pub(crate) use self::session::{Again, Moment, Session};
pub(crate) use self::stage::Stage;

use std::sync::Arc;

use flyball_core::config::Config;
use flyball_core::record::Record;

/// Judges one recorded event (with its payload) by a configuration, as the first of its session: what policies
/// remembered of the session then is not known to them. For a whole session see [`Session`].
#[expect(dead_code, reason = "for the explanation of a decision")]
pub(crate) fn judge_again(record: &Record, config: &Arc<Config>) -> Result<Again, Unjudged> {
    let (event, exactness) = event_of(record)?;
    let stage = Stage::new();
    let mut session = Session::new(&stage);
    let again = session.judge(event, &Moment::of(record, Arc::clone(config)));
    Ok(Again { exactness, ..again })
}
