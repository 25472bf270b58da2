//! Projects with more files than are looked at: that is told once in a session.

use flyball_core::policy::{PolicyError, Situation};

/// Whether there are more files than can be looked at, and whether that was told; empty until then.
const UNKNOWABLE: &str = "loop.feedback.unknowable";

/// Notes that a call may have written files that nothing can find.
pub(super) fn note(situation: &Situation<'_>) -> Result<(), PolicyError> {
    if situation.memory.read(UNKNOWABLE)?.is_none() {
        situation.memory.write(UNKNOWABLE, "noted".to_owned())?;
    }
    Ok(())
}

/// That there are such calls, once in a session.
pub(in super::super) fn take(situation: &Situation<'_>) -> Result<Option<PolicyError>, PolicyError> {
    if situation.memory.read(UNKNOWABLE)?.as_deref() != Some("noted") {
        return Ok(None);
    }
    situation.memory.write(UNKNOWABLE, "told".to_owned())?;
    Ok(Some(PolicyError::World {
        what: "the project has more files than flyball looks at, so that it is not known what commands wrote"
            .to_owned(),
        fix: "make the project a git repository that ignores its data".to_owned(),
    }))
}
