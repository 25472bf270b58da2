//! The text that is put before a worker's prompt.

use flyball_core::event::PermissionMode;
use flyball_core::path::ProjectPath;
use flyball_core::policy::{PolicyError, Situation, World};
use flyball_core::verdict::{Rewrite, Verdict};
use flyball_knowledge::lesson::{self, Request, Selection};
use flyball_knowledge::plan::{self, Plan};
use flyball_knowledge::role::Role;

use super::messages;
use super::settings::Settings;
use super::status::TaskStatus;

/// Separates the brief from the prompt. A prompt that contains it has a brief already.
pub(super) const BOUNDARY: &str = "--- The prompt as it was written: ---";

/// The section of a plan that is for every agent.
const FOR_ALL: &str = "ALL";
/// The most bytes of constraints, cut at the end of a line.
const CONSTRAINT_BYTES: usize = 8_000;

/// Puts the brief before a worker's prompt. It does not allow the call.
pub(super) fn prepend_brief(
    situation: &Situation<'_>,
    role: &str,
    prompt: &str,
) -> Result<Verdict, PolicyError> {
    let is_planning = situation.event.permission_mode == Some(PermissionMode::Plan);
    if role.is_empty() || is_planning || prompt.lines().any(|line| line.trim() == BOUNDARY) {
        return Ok(Verdict::silent());
    }
    let settings: Settings = situation.config()?;
    if !settings.is_worker(role) {
        return Ok(Verdict::silent());
    }
    let TaskStatus::Bound(path) = TaskStatus::read(situation)? else { return Ok(Verdict::silent()) };
    let Some(text) = plan::read_text(situation.world, &path)? else { return Ok(Verdict::silent()) };
    let Some(plan) = plan::read(situation.world, &path)?.filter(|plan| !plan.status.is_terminal()) else {
        return Ok(Verdict::silent());
    };
    let chosen = if settings.knowledge {
        let request = Request {
            role: Role::from_agent(role),
            prompt,
            now: situation.world.now(),
            tokens: settings.tokens,
        };
        lessons(situation.world, &path, &request)?
    } else {
        Selection::default()
    };
    let mut parts = Vec::new();
    if settings.constraints {
        parts.extend(constraints(&text, &path, role));
    }
    if chosen.included > 0 {
        parts.push(knowledge(&chosen, &path));
    }
    parts.push(work_location(situation, (&path, &plan, role)));
    let before = format!("{}\n\n{BOUNDARY}\n\n", parts.join("\n\n"));
    // Without a stance: where the client would ask whether the agent may start, it still asks.
    let verdict = Verdict { rewrites: vec![Rewrite::Prepend(before)], ..Verdict::default() };
    Ok(verdict
        .with_evidence("task", path)
        .with_evidence("agent", role)
        .with_evidence("lessons", chosen.included.to_string()))
}

/// What the plan asks of every agent and of those with this role.
fn constraints(text: &str, path: &ProjectPath, role: &str) -> Option<String> {
    let names = [Some(FOR_ALL), Role::from_agent(role).map(Role::section)];
    let sections = names.into_iter().flatten().filter_map(|name| plan::role_section(text, name));
    let sections: Vec<String> = sections.filter(|section| !section.trim().is_empty()).collect();
    if sections.is_empty() {
        return None;
    }
    Some(format!("Constraints of this task, from `{path}`:\n{}", within(&sections.join("\n\n"), path)))
}

/// The text, as far as there is room, to the end of a line.
fn within(text: &str, path: &str) -> String {
    if text.len() <= CONSTRAINT_BYTES {
        return text.to_owned();
    }
    let mut start = String::new();
    for line in text.split_inclusive('\n').take_while(|line| line.len() <= CONSTRAINT_BYTES) {
        if start.len() + line.len() > CONSTRAINT_BYTES {
            break;
        }
        start.push_str(line);
    }
    format!("{}\n(cut here; `{path}` has the rest)", start.trim_end())
}

fn lessons(world: &dyn World, path: &ProjectPath, request: &Request<'_>) -> Result<Selection, PolicyError> {
    let all = lesson::read_recent(world, &plan::absolute_path(world, &plan::lessons_path(path)))?;
    Ok(lesson::choose(&all, request))
}

fn knowledge(chosen: &Selection, path: &ProjectPath) -> String {
    let more = match chosen.left_out {
        0 => String::new(),
        more => format!(" ({more} more there)"),
    };
    format!("Lessons of this task so far, from `{}`{more}:\n{}", plan::lessons_path(path), chosen.text)
}

/// The task of the work, and where its reports go.
fn work_location(situation: &Situation<'_>, (path, plan, role): (&ProjectPath, &Plan, &str)) -> String {
    let artifacts = messages::artifacts(situation.world, path, (plan, role));
    format!(
        "This is work on task `{}`, {}: its plan is `{path}`, reports of this phase go to `{artifacts}`. To record a \
         lesson for later agents, run `flyball knowledge add TEXT --type avoid|works|fact --source {role}`.",
        plan::task_name(path),
        plan.progress(),
    )
}
