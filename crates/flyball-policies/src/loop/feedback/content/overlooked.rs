//! Edits of calls after which git did not answer: they are found later, and until then nothing is proven.

use flyball_core::policy::{PolicyError, Situation};
use flyball_core::time::Time;

use super::super::super::events::call_start;
use super::touched::{Noticing, Search, Touched};

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
    let touched = changed_since(situation, since)?;
    situation.memory.write(SINCE, String::new())?;
    Ok(touched)
}

/// The files that changed since a time, in all checkouts that this session may have written to.
///
/// # Errors
/// When git does not answer.
pub(in super::super) fn changed_since(
    situation: &Situation<'_>,
    since: Time,
) -> Result<Vec<Touched>, PolicyError> {
    let search = Search::new(situation, Noticing::Noticed)?;
    let mut touched = search.changed_on_disk(since)?;
    touched.extend(search.changed_in_other_trees(since)?);
    touched.extend(search.replaced(since)?);
    touched.extend(search.committed(since)?);
    search.work(touched)
}

fn since(situation: &Situation<'_>) -> Result<Option<Time>, PolicyError> {
    let stored = situation.memory.read(SINCE)?;
    Ok(stored.and_then(|millis| millis.parse().ok()).map(Time::from_millis))
}
