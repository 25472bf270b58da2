//! Edits of calls after which git did not answer: they are found later, and until then nothing is proven.

use flyball_core::policy::{PolicyError, Situation};
use flyball_core::time::Time;

use super::super::super::events::call_start;
use super::{Touched, changed_on_disk, committed, replaced, root};

/// When the first such call began, in milliseconds; empty if there is none.
const SINCE: &str = "loop.feedback.overlooked";

/// Notes that it is not known what this call edited.
pub(in super::super) fn note_overlooked(situation: &Situation<'_>) -> Result<(), PolicyError> {
    if since(situation)?.is_none() {
        situation.memory.write(SINCE, call_start(situation).as_millis().to_string())?;
    }
    Ok(())
}

/// The files that were edited since the first call of which that is not known.
///
/// # Errors
/// When git still does not answer.
pub(in super::super) fn find_overlooked(situation: &Situation<'_>) -> Result<Vec<Touched>, PolicyError> {
    let Some(since) = since(situation)? else { return Ok(Vec::new()) };
    let root = root(situation);
    let mut touched = changed_on_disk(situation, &root, since)?;
    touched.extend(replaced(situation, &root, since)?);
    touched.extend(committed(situation, &root, since)?.into_iter().flatten());
    touched.sort_unstable();
    touched.dedup_by(|later, first| later.name == first.name);
    situation.memory.write(SINCE, String::new())?;
    Ok(touched)
}

fn since(situation: &Situation<'_>) -> Result<Option<Time>, PolicyError> {
    let stored = situation.memory.read(SINCE)?;
    Ok(stored.and_then(|millis| millis.parse().ok()).map(Time::from_millis))
}
