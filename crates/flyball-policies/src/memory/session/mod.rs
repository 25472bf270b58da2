//! A session begins with what was learned lately.

mod messages;
mod settings;
#[cfg(test)]
mod tests;

use flyball_core::config::{Mode, SectionSpec};
use flyball_core::event::{EventData, EventKind};
use flyball_core::path::AbsolutePath;
use flyball_core::policy::{Gathered, OnError, Policy, PolicyError, PolicyId, Situation};
use flyball_core::time::DAY;
use flyball_core::verdict::{FollowUp, Snippet, Verdict};
use flyball_core::workshop::Workshop;
use flyball_knowledge::node;
use flyball_knowledge::report::ledger;

pub use self::settings::Settings;

/// The note that the hint on how to start was shown.
const BEGUN: &str = "memory.session begun";

pub static POLICY: Policy = Policy {
    id: PolicyId::new("memory.session"),
    summary: "a session begins with what was learned recently",
    page: include_str!("policy.md"),
    listens: &[EventKind::SessionStart],
    on_error: OnError::Notice,
    mode: Mode::Off,
    section: SectionSpec::for_type::<Settings>(),
    run: judge,
    gather: Some(gather),
    review: None,
};

/// The hint on how to start is due.
struct FirstTime;

fn gather(situation: &Situation<'_>, workshop: &dyn Workshop) -> Result<Option<Gathered>, PolicyError> {
    let world = situation.world;
    let is_enabled = situation.mode == Mode::Enforce && ledger::is_enabled(world);
    if !is_enabled || node::node_in(world, world.project_root()).is_some() {
        return Ok(None);
    }
    let mut is_first = false;
    // Sessions that start at the same time change the note one after the other, so only one shows the hint.
    workshop.change_note(BEGUN, &mut |note| {
        is_first = note.is_none();
        Ok(is_first.then(|| "told".to_owned()))
    })?;
    Ok(is_first.then(|| Box::new(FirstTime) as Gathered))
}

fn judge(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    let EventData::SessionStart { .. } = &situation.event.happening else { return Ok(Verdict::silent()) };
    let settings: Settings = situation.config()?;
    let world = situation.world;
    let root = world.project_root();
    let mut parts = Vec::new();
    let mut verdict = Verdict::silent();
    if ledger::is_enabled(world) {
        let summary = ledger::summary(world)?;
        let since = world.now() - DAY.saturating_mul(settings.days);
        parts.extend(messages::learned(&summary, since, settings.days));
        parts.extend(messages::pending(&summary));
        // Counting many reports takes long, so it is done in the background for the next session.
        if summary.is_stale {
            verdict.errands.extend(world.program().map(|program| recount(program, root)));
        }
    }
    let nodes = node::nodes_in(world, root);
    match node::nearest(&nodes) {
        Some(nearest) => {
            let name = nearest.path.strip_folder(root).unwrap_or(&nearest.path);
            let rules: Vec<node::Rule> = nodes.iter().flat_map(node::rules).collect();
            parts.extend(messages::rules(name, &rules));
        }
        None => parts.extend(situation.gathered().map(|FirstTime| messages::getting_started())),
    }
    let text = messages::pack(parts, settings.tokens);
    if !text.is_empty() {
        verdict.context.push(Snippet { key: "memory.session".to_owned(), rank: 5, text });
    }
    Ok(verdict)
}

/// Counts the reports again, after the answer: the folders were changed by hand.
fn recount(program: AbsolutePath, root: &str) -> FollowUp {
    let arguments = ["memory", "index", "--project", root].map(str::to_owned).to_vec();
    FollowUp { program, arguments }
}
