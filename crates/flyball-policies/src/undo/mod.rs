//! Copies the project's files before a call that may lose work, so that `flyball undo` can bring them back.

mod extent;
mod settings;

use flyball_core::config::{Mode, SectionSpec};
use flyball_core::event::EventKind;
use flyball_core::policy::{Gathered, OnError, Policy, PolicyError, PolicyId, Situation};
use flyball_core::redact::redact;
use flyball_core::snapshot::{Snapshot, SnapshotRequest};
use flyball_core::text;
use flyball_core::verdict::{FollowUp, Verdict};
use flyball_core::workshop::Workshop;
use serde::{Deserialize, Serialize};

use self::extent::needed;
pub use self::settings::Settings;

pub static POLICY: Policy = Policy {
    id: PolicyId::new("undo"),
    summary: "files are copied before a call that may lose them, for `flyball undo`",
    page: include_str!("policy.md"),
    listens: &[EventKind::BeforeTool],
    on_error: OnError::Notice,
    mode: Mode::Enforce,
    section: SectionSpec::for_type::<Settings>(),
    run: judge,
    gather: Some(gather),
    review: None,
};

/// What became of a snapshot for this call.
enum Taken {
    Snapshot(Snapshot),
    Failed(PolicyError),
}

/// What is remembered of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct State {
    /// Whether old snapshots were looked for.
    pruned: bool,
    /// Why the last snapshot could not be taken that failed.
    #[serde(skip_serializing_if = "String::is_empty")]
    failed: String,
    /// How many failed for that.
    #[serde(skip_serializing_if = "is_zero")]
    failures: u32,
}

/// The snapshot of the whole tree before this call, if there is one from which all of it can be brought back.
#[must_use]
pub(crate) fn whole_tree<'a>(situation: &Situation<'a>) -> Option<&'a Snapshot> {
    match situation.gathered_by(POLICY.id)? {
        Taken::Snapshot(snapshot) => Some(snapshot).filter(|snapshot| snapshot.has_whole_tree()),
        Taken::Failed(_) => None,
    }
}

fn gather(situation: &Situation<'_>, workshop: &dyn Workshop) -> Result<Option<Gathered>, PolicyError> {
    if situation.mode != Mode::Enforce {
        return Ok(None);
    }
    let Some(needed) = needed(situation) else { return Ok(None) };
    let settings: Settings = situation.config()?;
    let cause = cause(situation);
    let wanted = SnapshotRequest {
        extent: needed.extent(&situation.event.cwd),
        session: &situation.event.session,
        cause: &cause,
        limits: settings.limits(),
    };
    // A call is never stopped because it cannot be undone; the user is told.
    let taken = workshop.take_snapshot(&wanted).map_or_else(Taken::Failed, Taken::Snapshot);
    Ok(Some(Box::new(taken)))
}

/// The call in one line.
fn cause(situation: &Situation<'_>) -> String {
    let call = situation.event.call();
    let text = call.and_then(|call| call.tool.main_text()).filter(|_| situation.line().is_some());
    let text = text.map(str::to_owned).unwrap_or_else(|| {
        let name = call.map(|call| call.name.as_str()).unwrap_or_default();
        let file = situation.edits().ok().and_then(|edits| edits.first()).map(|edit| {
            let root = situation.world.project_root();
            edit.path.strip_folder(root).unwrap_or(&edit.path).to_owned()
        });
        format!("{name} {}", file.unwrap_or_default())
    });
    redact(text.split('\n').next().unwrap_or_default().trim()).into_owned()
}

fn judge(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    let Some(taken) = situation.gathered::<Taken>() else { return Ok(Verdict::silent()) };
    match taken {
        Taken::Failed(error) => report_failure(situation, error),
        Taken::Snapshot(snapshot) => {
            let mut verdict = Verdict::silent().with_evidence("snapshot", snapshot.id.to_string());
            if !snapshot.is_complete() {
                verdict = verdict.with_evidence("not copied", left_out(snapshot));
            }
            verdict.errands.extend(prune(situation)?);
            Ok(verdict)
        }
    }
}

fn left_out(snapshot: &Snapshot) -> String {
    match snapshot.left_out {
        0 => "there are more files than are looked at".to_owned(),
        many => text::counted(many, "file"),
    }
}

/// Tells the user that nothing can be undone: when it has failed twice, until the reason is another one. Where nothing at
/// all can be stored, not even that it has failed once, that is what the user is told, elsewhere.
fn report_failure(situation: &Situation<'_>, error: &PolicyError) -> Result<Verdict, PolicyError> {
    let what = error.to_string();
    let failures = situation.update(|state: &mut State| {
        let is_same = std::mem::replace(&mut state.failed, what.clone()) == what;
        state.failures = if is_same { state.failures.saturating_add(1) } else { 1 };
        state.failures
    })?;
    let mut verdict = Verdict::silent().with_evidence("no snapshot", what.as_str());
    if failures == 2 {
        verdict.notices.push(format!("what this call changes cannot be undone: {what}; {}", error.fix()));
    }
    Ok(verdict)
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// Has old snapshots deleted after the answer is out, once in a session.
fn prune(situation: &Situation<'_>) -> Result<Option<FollowUp>, PolicyError> {
    let is_due = situation.update(|state: &mut State| !std::mem::replace(&mut state.pruned, true))?;
    let Some(program) = situation.world.program().filter(|_| is_due) else { return Ok(None) };
    Ok(Some(FollowUp { program, arguments: ["undo", "--prune"].map(str::to_owned).to_vec() }))
}
