//! Carries a task over a compaction: records its progress before, and resumes it after.

use flyball_core::path::ProjectPath;
use flyball_core::policy::PolicyError;
use flyball_core::workshop::Workshop;
use flyball_knowledge::lesson::{self, Limits};
use flyball_knowledge::plan::{self, Plan, Status};

use super::settings::Settings;

/// A longer file of lessons is not shortened while a client waits.
const MOST_LESSON_BYTES: u64 = 4 * 1024 * 1024;
/// The most open items in the note.
const MOST_ITEMS: usize = 5;

/// Records the progress of a task. Returns notices for the user.
pub(super) fn hand_over(
    workshop: &dyn Workshop,
    path: &ProjectPath,
    settings: &Settings,
) -> Result<Vec<String>, PolicyError> {
    let Some(before) = plan::read(workshop, path)? else { return Ok(Vec::new()) };
    if before.status.is_terminal() {
        return Ok(Vec::new());
    }
    let mut notices = vec![format!("compact handoff, {}", before.progress())];
    notices.extend(shorten(workshop, path, settings)?);
    leave_note(workshop, path, &before)?;
    set_status(workshop, path, |status| {
        // A custom status of the project stays.
        matches!(status, Status::Pending | Status::InProgress).then_some(Status::Handoff)
    })?;
    notices.extend(missing_report(workshop, path, &before));
    Ok(notices)
}

/// Marks a task that was handed over as being worked on.
pub(super) fn resume_task(workshop: &dyn Workshop, path: &ProjectPath) -> Result<(), PolicyError> {
    set_status(workshop, path, |status| matches!(status, Status::Handoff).then_some(Status::InProgress))
}

fn shorten(
    workshop: &dyn Workshop,
    path: &ProjectPath,
    settings: &Settings,
) -> Result<Option<String>, PolicyError> {
    let lessons = plan::absolute_path(workshop, &plan::lessons_path(path));
    match workshop.stat(&lessons) {
        None => Ok(None),
        Some(stat) if stat.bytes > MOST_LESSON_BYTES => Ok(Some(
            "the task has very many lessons; to shorten them, run `flyball knowledge compact`".to_owned(),
        )),
        Some(_) => {
            let limits = Limits { lessons: settings.max_lessons, ..Limits::default() };
            lesson::compact(workshop, &lessons, limits)?;
            Ok(None)
        }
    }
}

/// A client may prepare a compaction that never comes: the same note is not left twice.
fn leave_note(workshop: &dyn Workshop, path: &ProjectPath, plan: &Plan) -> Result<(), PolicyError> {
    let lessons = plan::absolute_path(workshop, &plan::lessons_path(path));
    let note = note(plan);
    let recent = lesson::read_recent(workshop, &lessons)?;
    if lesson::last_handoff(&recent).is_some_and(|last| last.text.ends_with(&note)) {
        return Ok(());
    }
    lesson::append_handoff(workshop, &lessons, &plan.progress(), &note)
}

fn note(plan: &Plan) -> String {
    let Some(phase) = plan.phase() else { return "all phases are complete".to_owned() };
    let items: Vec<&str> = phase.open.iter().take(MOST_ITEMS).map(String::as_str).collect();
    let open = if items.is_empty() { "nothing is listed as open".to_owned() } else { items.join("; ") };
    format!("{}. Open: {open}", phase.title)
}

/// Changes the line of the status, by what it is at that moment.
fn set_status(
    workshop: &dyn Workshop,
    path: &ProjectPath,
    next: impl Fn(&Status) -> Option<Status>,
) -> Result<(), PolicyError> {
    workshop.update(&plan::absolute_path(workshop, path), &mut |content| {
        // A plan that is not valid text stays as it is.
        let text = content.and_then(|content| std::str::from_utf8(content).ok());
        let changed = text.and_then(|text| {
            let status = next(&Plan::parse(text).status)?;
            Some(plan::with_status(text, &status).into_bytes())
        });
        Ok(changed)
    })?;
    Ok(())
}

fn missing_report(workshop: &dyn Workshop, path: &ProjectPath, plan: &Plan) -> Option<String> {
    let phase = plan.phase()?;
    let has_one = plan::artifacts(workshop, path).iter().any(|artifact| artifact.phase == phase.number);
    (!has_one).then(|| format!("phase {} has no report in the task's artifacts yet", phase.label()))
}
