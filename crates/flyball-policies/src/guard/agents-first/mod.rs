//! Leaves the files that an agent owns to that agent.

#[cfg(test)]
mod tests;

use flyball_core::config::{Mode, SectionSpec};
use flyball_core::event::{Change, EventKind};
use flyball_core::facts::TargetPaths;
use flyball_core::path::{AbsolutePath, strip_folder};
use flyball_core::policy::{OnError, Policy, PolicyError, PolicyId, Situation};
use flyball_core::text;
use flyball_core::verdict::{Reason, Verdict};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::globs::{Glob, Globs, any_matches};
use crate::test_files::TEST_FILES;

pub static POLICY: Policy = Policy {
    id: PolicyId::new("guard.agents-first"),
    summary: "files that an agent owns are edited by that agent, not by the main thread",
    page: include_str!("policy.md"),
    listens: &[EventKind::BeforeTool],
    on_error: OnError::Deny,
    mode: Mode::Enforce,
    section: SectionSpec::for_type::<Settings>().raised_by_anyone(),
    run: judge,
    gather: None,
    review: None,
};

/// `[guard.agents-first]`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Who owns what. The first entry that matches a file decides; without any, nothing is owned.
    owner: Vec<Owner>,
    /// Globs of files that anyone may edit, even if they have an owner. Default: tests.
    free: Vec<Glob>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { owner: Vec::new(), free: TEST_FILES.map(Glob::builtin).to_vec() }
    }
}

/// The files that some agents own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Owner {
    /// Globs of the files, relative to the project.
    paths: Globs,
    /// The roles of the agents that may edit them. Globs.
    agents: Globs,
    /// What these files are, for the message: `backend code`.
    #[serde(default)]
    what: Option<String>,
}

fn judge(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    let settings: Settings = situation.config()?;
    if settings.owner.is_empty() {
        return Ok(Verdict::silent());
    }
    let touched = changed_files(situation)?;
    let mut verdict = Verdict::silent();
    for owner in &settings.owner {
        let is_owned = |path: &&String| {
            let first = settings.owner.iter().find(|owner| owner.paths.match_path(path));
            first == Some(owner) && !any_matches(&settings.free, path)
        };
        let owned: Vec<&str> = touched.iter().filter(is_owned).map(String::as_str).collect();
        if !owned.is_empty() && !may_edit(situation, owner) {
            verdict.join(denied(situation, owner, &owned));
        }
    }
    Ok(verdict)
}

/// The files of the project that this call would change. A pattern of file names is compared as a
/// text: if it matches `pkg/**`, all its files are there.
fn changed_files(situation: &Situation<'_>) -> Result<Vec<String>, PolicyError> {
    let mut paths: Vec<AbsolutePath> = Vec::new();
    for edit in situation.edits()? {
        paths.push(edit.path.clone());
        if let Some(Change::Move { to }) = &edit.change {
            paths.push(situation.world.real_path(&situation.event.cwd, to));
        }
    }
    // `edits` has only files whose names are known.
    let effects = situation.line().map(|line| line.effects.files.as_slice()).unwrap_or_default();
    for effect in effects.iter().filter(|effect| effect.act.changes_target() && effect.target.word.glob) {
        if let TargetPaths::Pattern(patterns) = situation.locate(&effect.target) {
            paths.extend(patterns);
        }
    }
    let root = situation.world.project_root();
    let mut inside: Vec<String> =
        paths.iter().filter_map(|path| strip_folder(path, root)).map(str::to_owned).collect();
    inside.sort_unstable();
    inside.dedup();
    Ok(inside)
}

/// Whether an owner makes this call. Only the role that the client reports counts.
fn may_edit(situation: &Situation<'_>, owner: &Owner) -> bool {
    let Some(agent) = &situation.event.agent else { return false };
    // A role may have a prefix: `team:backend-developer`.
    let last = agent.role.rsplit(':').next().unwrap_or_default();
    [agent.role.as_str(), last].into_iter().any(|role| owner.agents.match_path(role))
}

fn denied(situation: &Situation<'_>, owner: &Owner, paths: &[&str]) -> Verdict {
    let agents = quoted(owner.agents.iter(), " or ");
    let files = quoted(paths.iter().copied(), ", ");
    let kind = owner.what.as_deref().map_or_else(String::new, |what| format!(" ({what})"));
    let what = format!("{files}{kind} {} to {agents}", text::plural(paths.len(), "belongs", "belong"));
    let reason = match &situation.event.agent {
        None => Reason {
            instead: format!("Spawn {agents} to make this change"),
            what,
            why: "You coordinate, agents implement".to_owned(),
        },
        Some(agent) => Reason {
            instead: format!("Leave it, and say in your report what {agents} should change"),
            what,
            why: format!("You are `{}`", agent.role),
        },
    };
    let who = situation.event.agent.as_ref().map_or("the main thread", |agent| agent.role.as_str());
    Verdict::deny(reason)
        .with_evidence("files", files)
        .with_evidence("owner", agents)
        .with_evidence("by", who)
}

fn quoted<'a>(names: impl Iterator<Item = &'a str>, between: &str) -> String {
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(between)
}
