//! What a worker is given before its prompt.

use flyball_core::event::PermissionMode;
use flyball_core::policy::{Situation, Trouble};
use flyball_core::verdict::{Rewrite, Verdict};
use flyball_knowledge::lesson::{self, Chosen, Wish};
use flyball_knowledge::plan::{self, Plan};
use flyball_knowledge::role::Role;

use super::{Settings, Standing, telling};

/// Stands between what is given and the prompt. A prompt that holds it was given all this before.
pub(super) const BOUNDARY: &str = "--- The prompt as it was written: ---";

/// The section of a plan that is for every agent.
const FOR_ALL: &str = "ALL";
/// So much of the constraints is given, in bytes, to the end of a line.
const CONSTRAINT_BYTES: usize = 8_000;

/// Puts what a worker has to know before its prompt. It takes no stance: nothing is allowed by it.
pub(super) fn given(situation: &Situation<'_>, role: &str, prompt: &str) -> Result<Verdict, Trouble> {
    let is_planning = situation.event.permission_mode == Some(PermissionMode::Plan);
    if role.is_empty() || is_planning || prompt.lines().any(|line| line.trim() == BOUNDARY) {
        return Ok(Verdict::silent());
    }
    let settings: Settings = situation.config()?;
    if !settings.is_worker(role) {
        return Ok(Verdict::silent());
    }
    let Standing::Ours(path) = Standing::of(situation)? else { return Ok(Verdict::silent()) };
    let Some(text) = plan::text(situation.world, &path)? else { return Ok(Verdict::silent()) };
    let Some(plan) = plan::read(situation.world, &path)?.filter(|plan| !plan.status.is_terminal()) else {
        return Ok(Verdict::silent());
    };
    let chosen = if settings.knowledge {
        lessons(situation, &settings, (&path, role, prompt))?
    } else {
        Chosen::default()
    };
    let mut parts = Vec::new();
    if settings.constraints {
        parts.extend(constraints(&text, &path, role));
    }
    if chosen.given > 0 {
        parts.push(knowledge(&chosen, &path));
    }
    parts.push(place(situation, (&path, &plan, role)));
    let before = format!("{}\n\n{BOUNDARY}\n\n", parts.join("\n\n"));
    let verdict = Verdict { rewrites: vec![Rewrite::Prepend(before)], ..Verdict::default() };
    Ok(verdict.seen("task", path).seen("agent", role).seen("lessons", chosen.given.to_string()))
}

/// What the plan asks of every agent and of those with this role.
fn constraints(text: &str, path: &str, role: &str) -> Option<String> {
    let names = [Some(FOR_ALL), Role::of_agent(role).map(Role::section)];
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
    let mut kept = String::new();
    for line in text.split_inclusive('\n').take_while(|line| line.len() <= CONSTRAINT_BYTES) {
        if kept.len() + line.len() > CONSTRAINT_BYTES {
            break;
        }
        kept.push_str(line);
    }
    format!("{}\n(cut here; `{path}` has the rest)", kept.trim_end())
}

fn lessons(
    situation: &Situation<'_>,
    settings: &Settings,
    (path, role, prompt): (&str, &str, &str),
) -> Result<Chosen, Trouble> {
    let world = situation.world;
    let all = lesson::read_recent(world, &plan::place(world, &plan::lessons(path)))?;
    let wish = Wish { role: Role::of_agent(role), prompt, now: world.unix_millis(), tokens: settings.tokens };
    Ok(lesson::chosen(&all, &wish))
}

fn knowledge(chosen: &Chosen, path: &str) -> String {
    let more = match chosen.left_out {
        0 => String::new(),
        more => format!(" ({more} more there)"),
    };
    format!("Lessons of this task so far, from `{}`{more}:\n{}", plan::lessons(path), chosen.text)
}

/// Where the work belongs, and where what comes of it goes.
fn place(situation: &Situation<'_>, (path, plan, role): (&str, &Plan, &str)) -> String {
    let artifacts = telling::artifacts(situation.world, path, (plan, role));
    format!(
        "This is work on task `{}`, {}: its plan is `{path}`, and reports of this phase lie in `{artifacts}`. \
         `flyball knowledge add TEXT --type avoid|works|fact --source {role}` keeps a lesson for those who come next.",
        plan::name(path),
        plan.progress(),
    )
}
