//! The plan that was accepted in the client's plan mode: a link to it in the project, and how it is found again.
//!
//! The client stores the plans of all projects in one folder. A plan that is not known to belong to this project is left
//! alone: no plan is better than another project's.

use std::time::Duration;

use flyball_core::event::ToolCall;
use flyball_core::path::AbsolutePath;
use flyball_core::policy::{PolicyError, Situation, World};
use flyball_core::time::Time;
use flyball_core::workshop::Workshop;
use flyball_core::world::real_root;
use flyball_knowledge::layout::LATEST_PLAN;
use serde_json::Value;

use super::plans_folder;
use super::settings::Settings;

/// When the link was last made.
const NOTE: &str = "task.session.linked";
/// No plan is longer.
const MOST_PLAN_BYTES: u64 = 256 * 1024;
/// How much of the end of a transcript is searched.
const MOST_TRANSCRIPT_BYTES: u64 = 512 * 1024;

/// The result for a plan that was just accepted.
pub(super) enum Linked {
    /// The link leads to it.
    To(AbsolutePath),
    /// It was not linked, and why.
    Skipped(String),
}

/// Links the plan that was just accepted; `None` if there is none of this project.
pub(super) fn link(
    situation: &Situation<'_>,
    workshop: &dyn Workshop,
    settings: &Settings,
) -> Result<Option<Linked>, PolicyError> {
    let now = workshop.now();
    let window = Duration::from_secs(settings.fresh_seconds.into());
    let linked = workshop.project_note(NOTE)?.and_then(|at| at.parse().ok()).map(Time::from_millis);
    // A `clear` right after a plan was linked is not about another plan.
    if linked.is_some_and(|at| now.since(at) < window) {
        return Ok(None);
    }
    let Some(plan) = accepted(situation, workshop, (settings, now - window))? else {
        return Ok(None);
    };
    link_to(workshop, plan).map(Some)
}

/// Links the plan that a call of the client's own tool has just accepted; `None` if the call is another one.
pub(super) fn link_accepted(
    situation: &Situation<'_>,
    workshop: &dyn Workshop,
    call: &ToolCall,
) -> Result<Option<Linked>, PolicyError> {
    let client = workshop.clients().iter().find(|client| client.id == situation.event.client);
    let Some(plans) = client.and_then(|client| client.plans) else { return Ok(None) };
    let (tool, field) = plans.accepted_by;
    if call.name != tool {
        return Ok(None);
    }
    let input: Option<Value> = serde_json::from_str(&call.input).ok();
    let file = input.as_ref().and_then(|input| input.get(field)?.as_str());
    let Some(folder) = plans_folder::find(situation, &situation.config()?) else { return Ok(None) };
    let plan = file.map(|file| workshop.real_path(&situation.event.cwd, file));
    // The input may name any file: only one where plans are is linked.
    let plan =
        plan.filter(|plan| plan.is_in(&folder) && workshop.stat(plan).is_some_and(|stat| !stat.is_folder));
    plan.map(|plan| link_to(workshop, plan)).transpose()
}

/// Makes the link in the project lead to a plan.
fn link_to(workshop: &dyn Workshop, plan: AbsolutePath) -> Result<Linked, PolicyError> {
    let root = workshop.project_root();
    let folder = LATEST_PLAN.rsplit_once('/').map_or("", |(folder, _)| folder);
    if workshop.real_path(root, folder).strip_folder(root) != Some(folder) {
        return Ok(Linked::Skipped(format!(
            "`{folder}` is a link to another place, so no plan was linked there"
        )));
    }
    if !workshop.link(&root.join(LATEST_PLAN), &plan)? {
        let why = format!("`{LATEST_PLAN}` is not a flyball link, so it was left unchanged");
        return Ok(Linked::Skipped(why));
    }
    let now = workshop.now();
    workshop.change_note(NOTE, &mut |_| Ok(Some(now.as_millis().to_string())))?;
    Ok(Linked::To(plan))
}

/// The newest plan since a time that belongs to this project.
fn accepted(
    situation: &Situation<'_>,
    world: &dyn World,
    (settings, since): (&Settings, Time),
) -> Result<Option<AbsolutePath>, PolicyError> {
    let Some(folder) = plans_folder::find(situation, settings) else { return Ok(None) };
    let latest = LATEST_PLAN.rsplit('/').next().unwrap_or_default();
    let is_plan = |name: &String| name.ends_with(".md") && name != latest;
    let mut fresh: Vec<(u64, AbsolutePath)> = Vec::new();
    for name in world.list(&folder).into_iter().filter(is_plan) {
        let path = folder.join(&name);
        let stat = world.stat(&path).filter(|stat| !stat.is_folder && stat.changed >= since);
        fresh.extend(stat.map(|stat| (stat.changed_nanos, path)));
    }
    fresh.sort_unstable_by(|one, other| other.cmp(one));
    // Without a fresh plan, the transcript is not read.
    let named = if fresh.is_empty() { None } else { named_in_transcript(situation, settings)? };
    // One in the project's own folder is the project's.
    let is_own = folder.is_in(&real_root(world));
    for (_, path) in fresh {
        if is_own || named.as_ref() == Some(&path) || names_project(world, &path)? {
            return Ok(Some(path));
        }
    }
    Ok(None)
}

/// Whether a plan names the project by its path.
fn names_project(world: &dyn World, plan: &AbsolutePath) -> Result<bool, PolicyError> {
    let Some(text) = world.read(plan, MOST_PLAN_BYTES)? else { return Ok(false) };
    let text = String::from_utf8_lossy(&text);
    let root = world.project_root().trim_end_matches('/');
    // A full stop behind the path ends a sentence, unless a name goes on behind it.
    let is_end = |rest: &str| {
        let rest = rest.strip_prefix('.').unwrap_or(rest);
        !rest.starts_with(|next: char| next.is_alphanumeric() || "-_.".contains(next))
    };
    let mut found = text.match_indices(root).filter_map(|(at, root)| text.get(at + root.len()..));
    Ok(!root.is_empty() && found.any(is_end))
}

/// The plan that the session's transcript names last, whether it is still there or not.
pub(super) fn named_in_transcript(
    situation: &Situation<'_>,
    settings: &Settings,
) -> Result<Option<AbsolutePath>, PolicyError> {
    let world = situation.world;
    let Some(transcript) = &situation.event.transcript else { return Ok(None) };
    let Some(tail) = world.tail(transcript, MOST_TRANSCRIPT_BYTES)? else { return Ok(None) };
    let text = String::from_utf8_lossy(&tail.bytes);
    let Some(folder) = plans_folder::find(situation, settings) else { return Ok(None) };
    Ok(last_named(&text, &folder).map(|name| folder.join(name)))
}

/// The name of the last file of Markdown right below a folder that a text names.
fn last_named<'a>(text: &'a str, folder: &str) -> Option<&'a str> {
    let start = format!("{folder}/");
    text.rmatch_indices(&start).find_map(|(at, _)| {
        let rest = text.get(at + start.len()..)?;
        let is_part = |letter: char| letter.is_alphanumeric() || "-_.".contains(letter);
        let word = rest.split(|letter| !is_part(letter)).next()?;
        // A full stop behind a name ends a sentence.
        let name = word.trim_end_matches('.');
        let is_whole = !rest.get(word.len()..)?.starts_with('/');
        (is_whole && name.ends_with(".md") && !name.starts_with('.')).then_some(name)
    })
}

#[cfg(test)]
mod tests {
    use super::last_named;

    #[test]
    fn the_last_plan_that_is_named_counts() {
        let cases = [
            (r#"{"a":"/p/one.md"} {"b":"/p/two-x_1.md"}"#, Some("two-x_1.md")),
            ("see /p/one.md.", Some("one.md")),
            ("see /p/one.md\\n/p/ and /p/notes", Some("one.md")),
            ("/p/sub/one.md /q/one.md /p/.hidden.md /p/../etc/x.md", None),
            ("/p/one.md/two", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(last_named(text, "/p"), expected, "{text}");
        }
    }
}
