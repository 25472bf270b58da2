//! What was denied stays denied, whatever tool is tried next.
//!
//! A call that would change a denied file is denied here, although no other policy objects. Repeated intents are only
//! counted; the policy that knows them denies them by itself.

mod active;
mod messages;
mod naming;
mod reach;
#[cfg(test)]
mod tests;

pub use active::Denial;

use flyball_core::config::{Mode, SectionSpec};
use flyball_core::engine::Ruling;
use flyball_core::event::{Change, EventKind, FileEdit, Tool, ToolCall};
use flyball_core::grant;
use flyball_core::policy::{OnError, Policy, PolicyError, PolicyId, Situation};
use flyball_core::time::Time;
use flyball_core::verdict::{Stance, Subject, Verdict};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::active::{ActiveDenials, Attempt};
use self::reach::Reach;
use crate::period::Period;

pub static POLICY: Policy = Policy {
    id: PolicyId::new("guard.denials"),
    summary: "what was denied stays denied by every other route",
    page: include_str!("policy.md"),
    listens: &[EventKind::BeforeTool],
    on_error: OnError::Deny,
    mode: Mode::Enforce,
    section: SectionSpec::for_type::<Settings>().raised_by_anyone(),
    // Judged last: the ruling of the policy that denied shows whether its denial still applies.
    run: |_| Ok(Verdict::silent()),
    gather: None,
    review: Some(judge),
};

/// `[guard.denials]`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// How long a denial lasts, counted from the last attempt; `0s` remembers none.
    hold: Period,
    /// From which attempt on the user gets a notice; 0 for never.
    escalate_after: u32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { hold: Period::minutes(30), escalate_after: 3 }
    }
}

/// The denials of a session that still last, the latest attempt last; none if the text cannot be read.
#[must_use]
pub fn parse_active(remembered: &str, now: Time) -> Vec<Denial> {
    serde_json::from_str::<ActiveDenials>(remembered).unwrap_or_default().active_at(now).denials
}

/// The denials that still last. Without a store there are none: every guard still denies what it sees, and the store's
/// error is reported when the event is recorded.
fn recall_active(situation: &Situation<'_>) -> ActiveDenials {
    situation.recall::<ActiveDenials>().unwrap_or_default().active_at(situation.world.now())
}

fn judge(situation: &Situation<'_>, rulings: &[Ruling]) -> Result<Verdict, PolicyError> {
    // Only these can change a file; other calls do not wait for the store.
    let changes = |call: &&ToolCall| {
        matches!(call.tool, Tool::Shell { .. } | Tool::Edit(_) | Tool::Mcp { .. } | Tool::Other)
    };
    let Some(call) = situation.event.call().filter(changes) else { return Ok(Verdict::silent()) };
    let judged = JudgedCall { situation, call, rulings };
    let mut active = recall_active(situation);
    let mut verdict = judged.deny_repeats(&mut active)?;
    let touched = verdict.subjects.clone();
    verdict.join(judged.count_attempts(&mut active, &touched)?);
    Ok(verdict)
}

/// A call and the verdicts of the other policies on it.
struct JudgedCall<'a> {
    situation: &'a Situation<'a>,
    call: &'a ToolCall,
    rulings: &'a [Ruling],
}

impl JudgedCall<'_> {
    /// Denies a call that would change a denied file.
    fn deny_repeats(&self, active: &mut ActiveDenials) -> Result<Verdict, PolicyError> {
        let JudgedCall { situation, call, rulings } = *self;
        let mut touched: Vec<&Denial> = Vec::new();
        let mut released: Vec<Subject> = Vec::new();
        let mut verdict = Verdict::silent();
        let is_file = |denial: &Denial| matches!(denial.subject, Subject::File(_));
        if !active.denials.iter().any(is_file) {
            return Ok(verdict);
        }
        let Some(reach) = Reach::from_call(situation, call)? else { return Ok(verdict) };
        // A call that is reported twice must not be denied because of its own first report.
        for denial in active.denials.iter().filter(|denial| denial.is_older_than(call.id.as_deref())) {
            let Subject::File(file) = &denial.subject else { continue };
            let Some(route) = reach.route(file) else { continue };
            if is_lifted(denial, call, rulings) {
                released.push(denial.subject.clone());
                continue;
            }
            touched.push(denial);
            // The key is in records that are already stored, so it stays as it is.
            verdict = verdict.with_evidence("held file", file.as_str()).with_evidence("route", route);
        }
        if !touched.is_empty() {
            verdict.join(Verdict::deny(messages::reason(situation, &touched)));
            verdict.subjects = touched.into_iter().map(|denial| denial.subject.clone()).collect();
        }
        if !released.is_empty() {
            active.denials.retain(|denial| !released.contains(&denial.subject));
            situation.remember(active)?;
        }
        Ok(verdict)
    }

    /// Counts what was denied now; repeats are denied with their history and, if they go on, reported to the user.
    fn count_attempts(
        &self,
        active: &mut ActiveDenials,
        touched: &[Subject],
    ) -> Result<Verdict, PolicyError> {
        let JudgedCall { situation, call, rulings } = *self;
        let mut denied = denied_subjects(situation, rulings);
        // An attempt that only this policy stops counts for the policy that denied first.
        for denial in active.denials.iter().filter(|denial| touched.contains(&denial.subject)) {
            if !denied.iter().any(|(subject, _)| *subject == denial.subject) {
                denied.push((denial.subject.clone(), denial.policy.clone()));
            }
        }
        if denied.is_empty() {
            return Ok(Verdict::silent());
        }
        let settings: Settings = situation.config()?;
        let now = situation.world.now();
        let until = now + settings.hold.duration();
        let mut counted: Vec<Denial> = Vec::new();
        for (subject, policy) in &denied {
            let attempt = Attempt { subject, policy, route: &call.name, call: call.id.as_deref() };
            counted.push(active.count(attempt, now, until));
        }
        if !settings.hold.duration().is_zero() {
            situation.remember(active)?;
        }
        Ok(self.repeat_verdict(touched, &counted, settings.escalate_after))
    }

    fn repeat_verdict(&self, touched: &[Subject], counted: &[Denial], escalate_after: u32) -> Verdict {
        let situation = self.situation;
        let is_new = |denial: &&Denial| denial.attempts > 1 && !touched.contains(&denial.subject);
        let again: Vec<&Denial> = counted.iter().filter(is_new).collect();
        let mut verdict = if again.is_empty() {
            Verdict::silent()
        } else {
            Verdict::deny(messages::reason(situation, &again))
        };
        let is_repeated = |denial: &&Denial| escalate_after > 0 && denial.attempts >= escalate_after;
        let notices = counted.iter().filter(is_repeated).map(|denial| messages::notice(situation, denial));
        verdict.notices.extend(notices);
        verdict
    }
}

/// Whether the policy that denied no longer objects: a person allowed this call for a while or, to a plain edit, has
/// changed its settings meanwhile.
fn is_lifted(denial: &Denial, call: &ToolCall, rulings: &[Ruling]) -> bool {
    let denier = rulings.iter().find(|ruling| ruling.policy.as_str() == denial.policy);
    if denier.is_some_and(|ruling| ruling.verdict.evidence.iter().any(|seen| seen.name == grant::EVIDENCE)) {
        return true;
    }
    let objects = denier.is_some_and(|ruling| ruling.verdict.stance >= Stance::Ask || ruling.error.is_some());
    let is_plain = |edit: &FileEdit| matches!(edit.change, Change::Write { .. } | Change::Replace { .. });
    matches!(&call.tool, Tool::Edit(edits) if edits.iter().all(is_plain)) && !objects
}

/// What this event was denied for, each with the policy that denied it; the others' before ours,
/// because they know why.
fn denied_subjects(situation: &Situation<'_>, rulings: &[Ruling]) -> Vec<(Subject, String)> {
    let counts = |ruling: &&Ruling| {
        // What was only observed or skipped was not denied.
        ruling.verdict.stance == Stance::Deny && ruling.mode == Mode::Enforce && !ruling.skipped
    };
    let mut denied: Vec<&Ruling> = rulings.iter().filter(counts).collect();
    denied.sort_by_key(|ruling| ruling.policy == situation.policy);
    let mut subjects: Vec<(Subject, String)> = Vec::new();
    for ruling in denied {
        for subject in &ruling.verdict.subjects {
            if !subjects.iter().any(|(known, _)| known == subject) {
                subjects.push((subject.clone(), ruling.policy.as_str().to_owned()));
            }
        }
    }
    subjects
}
