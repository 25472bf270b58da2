//! Calls that may have written files that nothing can find: the session is told once.

use flyball_core::path::AbsolutePath;
use flyball_core::policy::{PolicyError, Situation};

/// Where more files are than can be looked at, and whether that was told; empty until then.
const UNKNOWABLE: &str = "loop.feedback.unknowable";
const PROJECT: &str = "project";
const TOLD: &str = "told";

/// Notes that a call may have written files that nothing can find, where it is judged.
///
/// `link` is the symbolic link that leads to them, if they are not in the project.
pub(super) fn note(situation: &Situation<'_>, link: Option<&AbsolutePath>) -> Result<(), PolicyError> {
    if situation.memory.may_write() && situation.memory.read(UNKNOWABLE)?.is_none() {
        let place = link.map_or(PROJECT, |link| link.as_str());
        situation.memory.write(UNKNOWABLE, place.to_owned())?;
    }
    Ok(())
}

/// That there are such calls, once in a session.
pub(in super::super) fn take(situation: &Situation<'_>) -> Result<Option<PolicyError>, PolicyError> {
    let noted = situation.memory.read(UNKNOWABLE)?;
    let Some(place) = noted.as_deref().filter(|place| *place != TOLD) else { return Ok(None) };
    let (place, fix) = match place {
        PROJECT => ("the project has", "make the project a git repository that ignores its data"),
        link => (&*format!("the link {link} leads to"), "remove it, or have it lead to a smaller folder"),
    };
    let what =
        format!("{place} more files than flyball looks at, so that it is not known what commands wrote");
    situation.memory.write(UNKNOWABLE, TOLD.to_owned())?;
    Ok(Some(PolicyError::World { what, fix: fix.to_owned() }))
}
