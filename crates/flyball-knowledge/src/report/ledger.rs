//! What is known about all reports of a project without reading them: small notes of the project, so that a hook costs
//! the same with ten reports as with ten thousand.
//!
//! There is one note for the summary, one per sameness and one per folder. A folder's note counts only if it is of the
//! summary's generation, so a new count of everything voids the old ones without looking for them.

mod notes;
mod rebuild;
mod repeats;
mod summary;
#[cfg(test)]
mod tests;

use flyball_core::policy::{PolicyError, World};
use flyball_core::time::Time;
use flyball_core::workshop::{Created, Workshop};

use self::notes::{KnownReport, Ledger, Stamps, Trust, folder_note, same_note};
pub use self::rebuild::rebuild;
pub use self::repeats::failure_count;
pub use self::summary::{Line, Summary};
use super::{Draft, Report, Status, load, new_id, path, render, sanitize};

/// How many file names are tried for one id.
const MOST_NAMES: usize = 100;

/// The result for a draft.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recorded {
    /// It is a new report of this id.
    New(String),
    /// It is the same as this one, which counts it.
    Again(String),
    /// It was rejected before: the person is not asked again.
    Rejected(String),
}

/// Whether the project has reports enabled.
#[must_use]
pub fn is_enabled(world: &dyn World) -> bool {
    let folder = world.real_path(world.project_root(), crate::layout::MEMORY);
    world.stat(&folder).is_some_and(|stat| stat.is_folder)
}

/// A failure that is reported only if it repeats.
#[derive(Clone, Copy, Debug)]
pub struct Repeated<'a> {
    /// Equal for the same failure on another day.
    pub key: &'a str,
    /// How often it has to be seen.
    pub after: u32,
}

/// Writes a report, or counts it if there is the same already.
///
/// # Errors
/// When it cannot be written.
pub fn record(workshop: &dyn Workshop, draft: &Draft) -> Result<Recorded, PolicyError> {
    let recorded = record_counted(workshop, draft, &|| Ok(Some(1)))?;
    recorded.ok_or_else(|| PolicyError::Bug { what: "a report was not written".to_owned() })
}

/// Counts a failure. Writes its report once it was seen often enough; `None` before that.
///
/// # Errors
/// When it cannot be written.
pub fn record_repeated(
    workshop: &dyn Workshop,
    draft: &Draft,
    failure: Repeated<'_>,
) -> Result<Option<Recorded>, PolicyError> {
    record_counted(workshop, draft, &|| {
        let times = repeats::count(workshop, failure.key)?;
        Ok((times >= failure.after).then_some(times))
    })
}

/// Writes a report unless there is the same already, if `times` says how often it was seen.
fn record_counted(
    workshop: &dyn Workshop,
    draft: &Draft,
    times: &dyn Fn() -> Result<Option<u32>, PolicyError>,
) -> Result<Option<Recorded>, PolicyError> {
    let draft = sanitize(draft);
    let at = workshop.now();
    let mut recorded = None;
    Ledger::change(workshop, Trust::IfFresh, |ledger| {
        // Counted under the lock of the ledger: of two processes, one is the second.
        let times = times()?;
        recorded = match find_same(workshop, &draft)? {
            Some((Status::Rejected, same)) => Some(Recorded::Rejected(same.id)),
            Some((status, same)) => Some(record_again(workshop, &draft, (status, same))?),
            None => {
                times.map(|times| record_new(workshop, ledger, &draft, Seen { at, times })).transpose()?
            }
        };
        Ok(())
    })?;
    Ok(recorded)
}

/// How many pending and accepted reports are about this folder itself (relative to the project's root).
///
/// # Errors
/// When the notes cannot be read.
pub fn count_for_folder(world: &dyn World, folder: &str) -> Result<u32, PolicyError> {
    let ledger = Ledger::read(world)?;
    folder_note(world, folder, ledger.generation)
}

/// All reports at a glance.
///
/// # Errors
/// When the notes cannot be read.
pub fn summary(world: &dyn World) -> Result<Summary, PolicyError> {
    let ledger = Ledger::read(world)?;
    let is_stale = ledger.stamps != Stamps::now(world);
    Ok(Summary { is_stale, ..ledger.summary })
}

/// Moves a report, or deletes it (`to` is `None`), by `act`, and updates the notes. `act` changes the file; no other
/// flyball process changes the notes meanwhile.
///
/// # Errors
/// The error of `act`, or when the notes cannot be written.
pub fn move_report(
    workshop: &dyn Workshop,
    report: &Report,
    to: Option<Status>,
    act: &mut dyn FnMut() -> Result<(), PolicyError>,
) -> Result<(), PolicyError> {
    Ledger::change(workshop, Trust::IfFresh, |ledger| {
        // The file comes first: if it cannot be changed, the notes stay as they are.
        act()?;
        ledger.record_move(workshop, report, to)
    })
}

/// Updates the notes after a report was moved.
///
/// # Errors
/// When it cannot be read in its new place, or the notes cannot be written.
pub fn record_move(workshop: &dyn Workshop, id: &str, from: Status, to: Status) -> Result<(), PolicyError> {
    let Some(report) = load(workshop, to, id)? else { return Ok(()) };
    // The file is in its new place already, but it is still counted at the old one.
    let report = Report { status: from, ..report };
    Ledger::change(workshop, Trust::Always, |ledger| ledger.record_move(workshop, &report, Some(to)))
}

/// Updates the notes after a report was deleted. The same may be reported again.
///
/// # Errors
/// When the notes cannot be written.
pub fn record_deletion(workshop: &dyn Workshop, report: &Report) -> Result<(), PolicyError> {
    Ledger::change(workshop, Trust::Always, |ledger| ledger.record_move(workshop, report, None))
}

/// The report of the same sameness, if it still exists.
fn find_same(workshop: &dyn Workshop, draft: &Draft) -> Result<Option<(Status, KnownReport)>, PolicyError> {
    let Some(same) = same_note(workshop, &draft.sameness)? else { return Ok(None) };
    // The note only has the id: people and git may have moved the file since.
    let place =
        Status::ALL.into_iter().find(|status| workshop.stat(&path(workshop, *status, &same.id)).is_some());
    Ok(place.map(|status| (status, same)))
}

/// Counts a report once more.
fn record_again(
    workshop: &dyn Workshop,
    draft: &Draft,
    (status, same): (Status, KnownReport),
) -> Result<Recorded, PolicyError> {
    let times = same.times.saturating_add(1);
    KnownReport { id: same.id.clone(), times }.note(workshop, &draft.sameness)?;
    // A loop that fails a thousand times does not write a thousand times.
    if times <= 10 || times.is_multiple_of(10) {
        let write = &mut |content: Option<&[u8]>| Ok(content.and_then(|content| with_times(content, times)));
        workshop.update(&path(workshop, status, &same.id), write)?;
    }
    Ok(Recorded::Again(same.id))
}

/// The text of a report with another number of times, otherwise unchanged.
fn with_times(content: &[u8], times: u32) -> Option<Vec<u8>> {
    const LABEL: &[u8] = b"**Times**:";
    let at = content.windows(LABEL.len()).position(|window| window == LABEL)?;
    let (before, rest) = content.split_at_checked(at)?;
    let end = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
    let (_, after) = rest.split_at_checked(end)?;
    Some([before, LABEL, format!(" {times}").as_bytes(), after].concat())
}

/// When something was seen, and how often.
#[derive(Clone, Copy)]
struct Seen {
    at: Time,
    times: u32,
}

/// Writes a new report.
fn record_new(
    workshop: &dyn Workshop,
    ledger: &mut Ledger,
    draft: &Draft,
    Seen { at, times }: Seen,
) -> Result<Recorded, PolicyError> {
    let base = new_id(draft, at);
    for number in 1..=MOST_NAMES {
        let id = if number == 1 { base.clone() } else { format!("{base}-{number}") };
        let text = render(draft, &id, at).into_bytes();
        let text = if times > 1 { with_times(&text, times).unwrap_or(text) } else { text };
        match workshop.create(&path(workshop, Status::Pending, &id), &text)? {
            Created::Yes => {
                KnownReport { id: id.clone(), times }.note(workshop, &draft.sameness)?;
                ledger.record_new(workshop, draft, Line { id: id.clone(), at, ..Line::from(draft) })?;
                return Ok(Recorded::New(id));
            }
            // The notes were lost, or two things have one hash.
            Created::AlreadyExists => {
                let there = load(workshop, Status::Pending, &id)?;
                if let Some(there) = there.filter(|there| there.draft.sameness == draft.sameness) {
                    let same = KnownReport { id, times: there.times };
                    return record_again(workshop, draft, (Status::Pending, same));
                }
            }
        }
    }
    Err(PolicyError::World {
        what: format!("no free file name for the report `{base}`"),
        fix: format!("review or delete reports in `{}`", Status::Pending.folder()),
    })
}
