//! The definitions of subagents, in the project and in the user's own folders: one that changed since the session began
//! proves nothing.

use std::collections::BTreeSet;

use flyball_core::policy::{PolicyError, Situation};

use super::super::super::pins::Pins;
use super::role_of;
use crate::client_files::agent_files;

/// Notes what the definitions are, unless that is known or the session begins `anew`.
pub(in super::super) fn note_begin(situation: &Situation<'_>, anew: bool) -> Result<(), PolicyError> {
    pins(situation).note(anew, || agent_files(situation.world))
}

/// The roles of the subagents whose definitions changed since the session began.
pub(in super::super) fn redefined_by_content(
    situation: &Situation<'_>,
) -> Result<BTreeSet<String>, PolicyError> {
    let changed = pins(situation).changed(agent_files(situation.world))?;
    Ok(changed.iter().map(|path| role_of(situation, path)).collect())
}

fn pins<'a>(situation: &'a Situation<'a>) -> Pins<'a> {
    Pins { situation, key: "loop.feedback.definitions" }
}
