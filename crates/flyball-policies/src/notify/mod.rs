//! Notifies the user by a sound and on the desktop when something needs them.
//!
//! It decides nothing. Sounds and notifications start after the answer is out, so that it is never delayed.

mod equipment;
mod notifier;
mod player;
pub mod settings;
#[cfg(test)]
mod tests;
mod tone;

use std::time::Duration;

use flyball_core::config::{Mode, SectionSpec};
use flyball_core::engine::Ruling;
use flyball_core::event::{EventData, EventKind};
use flyball_core::policy::{Gathered, OnError, Policy, PolicyError, PolicyId, Situation};
use flyball_core::redact::redact;
use flyball_core::time::{self, Time};
use flyball_core::verdict::{Signal, Stance, Verdict};
use flyball_core::workshop::Workshop;
use serde::{Deserialize, Serialize};

pub use self::equipment::{Equipment, Sound};
use self::notifier::Delivery;
use self::settings::{Occasion, Rule, Settings};

pub static POLICY: Policy = Policy {
    id: PolicyId::new("notify"),
    summary: "sound and desktop notices, by rule",
    page: include_str!("policy.md"),
    listens: &[
        EventKind::Notification,
        EventKind::BeforeTool,
        EventKind::PermissionAsked,
        EventKind::Stop,
        EventKind::AgentStop,
    ],
    on_error: OnError::Notice,
    mode: Mode::Off,
    section: SectionSpec::for_type::<Settings>(),
    run: |_| Ok(Verdict::silent()),
    gather: Some(gather),
    review: Some(review),
};

/// The evidence of a policy that reached a limit; its value is shown.
const ESCALATION: &str = "escalation";

/// Within this time after a sound no other one is played.
const PAUSE: Duration = Duration::from_millis(1_500);

/// Looks for programs only if a rule may need one.
fn gather(situation: &Situation<'_>, workshop: &dyn Workshop) -> Result<Option<Gathered>, PolicyError> {
    if situation.mode != Mode::Enforce {
        return Ok(None);
    }
    let settings: Settings = situation.config()?;
    let happening = &situation.event.happening;
    let may_notify =
        settings.rule.iter().any(|rule| may_fit(rule, happening) && (rule.sound || rule.desktop));
    let is_on = settings.sound || settings.desktop;
    Ok((may_notify && is_on).then(|| Box::new(Equipment::find(&settings, workshop)) as Gathered))
}

/// Whether an event can be the occasion of a rule, before anything is judged.
fn may_fit(rule: &Rule, happening: &EventData) -> bool {
    match (rule.on, happening) {
        (Occasion::Notification, EventData::Notification { topic, .. }) => fits_topic(rule, topic),
        (Occasion::Denied, EventData::BeforeTool(_) | EventData::PermissionAsked(_))
        | (Occasion::Stop, EventData::Stop(_))
        | (Occasion::AgentStop, EventData::AgentStop { .. })
        | (Occasion::Held | Occasion::Escalation, EventData::Stop(_) | EventData::AgentStop { .. }) => true,
        (
            Occasion::Notification
            | Occasion::Denied
            | Occasion::Stop
            | Occasion::AgentStop
            | Occasion::Held
            | Occasion::Escalation,
            _,
        ) => false,
    }
}

fn fits_topic(rule: &Rule, topic: &str) -> bool {
    rule.topic.as_ref().is_none_or(|glob| glob.matches(topic))
}

/// Something that happened, and its notification.
struct Occurrence {
    what: Occasion,
    text: String,
}

/// Runs last, because whether an agent stops is known only after all policies.
fn review(situation: &Situation<'_>, rulings: &[Ruling]) -> Result<Verdict, PolicyError> {
    let Some(equipment) = situation.gathered::<Equipment>() else { return Ok(Verdict::silent()) };
    let settings: Settings = situation.config()?;
    let occurred = find_occurrences(&situation.event.happening, rulings);
    let first = settings.rule.iter().find_map(|rule| {
        let fits = |it: &&Occurrence| it.what == rule.on && may_fit(rule, &situation.event.happening);
        Some((rule, occurred.iter().find(fits)?))
    });
    let Some((rule, occurred)) = first else { return Ok(Verdict::silent()) };
    let mut verdict = Verdict::silent();
    if settings.desktop && rule.desktop {
        show(situation, equipment, rule.text.as_ref().unwrap_or(&occurred.text), &mut verdict);
    }
    let is_quiet = || situation.world.local_minutes().is_some_and(|minute| settings.is_quiet(minute));
    let may_sound = settings.sound && rule.sound && !(has_quiet_hours(&settings) && is_quiet());
    if may_sound && is_due(situation)? {
        let file = rule.file.as_ref().or(settings.file.as_ref());
        match equipment.sound(settings.volume, file, situation.world) {
            Sound::Played { follow_up, .. } => verdict.errands.push(follow_up),
            Sound::Bell(_) => verdict.terminal.push(Signal::Bell),
            Sound::Nothing => {}
        }
    }
    Ok(verdict.with_evidence("occasion", occurred.what.name()))
}

/// When the last sound was played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct LastSound {
    #[serde(with = "time::millis")]
    at: Time,
}

/// Whether the last sound of this session is long enough ago; if so, this one is recorded as the last.
fn is_due(situation: &Situation<'_>) -> Result<bool, PolicyError> {
    let now = situation.world.now();
    // An unreadable time counts as no sound.
    let LastSound { at } = situation.recall().unwrap_or_default();
    // A clock may be set back.
    let is_due = now.since(at).max(at.since(now)) >= PAUSE;
    if is_due {
        situation.remember(&LastSound { at: now })?;
    }
    Ok(is_due)
}

/// Checked first, because the local time needs the time zone's file.
fn has_quiet_hours(settings: &Settings) -> bool {
    !settings.quiet.is_empty()
}

fn show(situation: &Situation<'_>, equipment: &Equipment, text: &str, verdict: &mut Verdict) {
    let project = situation.world.project_root().rsplit('/').next().unwrap_or_default();
    let title = if project.is_empty() { "flyball".to_owned() } else { format!("flyball: {project}") };
    // A locked screen shows notices to everybody.
    match equipment.notifier.show(&title, &redact(text)) {
        Delivery::Program(follow_up) => verdict.errands.push(follow_up),
        Delivery::Terminal(signal) => verdict.terminal.push(signal),
    }
}

/// Everything that this event is an occasion for, the most important first.
fn find_occurrences(happening: &EventData, rulings: &[Ruling]) -> Vec<Occurrence> {
    let counted = || rulings.iter().filter(|ruling| ruling.mode == Mode::Enforce && !ruling.skipped);
    let mut all = Vec::new();
    let mut add = |what, text: &str| all.push(Occurrence { what, text: text.to_owned() });
    let evidence = counted().flat_map(|ruling| &ruling.verdict.evidence);
    for escalated in evidence.filter(|evidence| evidence.name == ESCALATION) {
        add(Occasion::Escalation, &escalated.value);
    }
    let denial = counted().find(|ruling| ruling.verdict.stance == Stance::Deny);
    let why = denial.and_then(|ruling| ruling.verdict.reasons.first()).map_or("", |reason| &reason.what);
    match happening {
        EventData::Notification { message, .. } => add(Occasion::Notification, message),
        EventData::BeforeTool(_) | EventData::PermissionAsked(_) if denial.is_some() => {
            add(Occasion::Denied, why)
        }
        EventData::Stop(_) | EventData::AgentStop { .. } if denial.is_some() => add(Occasion::Held, why),
        EventData::Stop(stopping) if !stopping.has_running_subagent() => {
            add(Occasion::Stop, "the agent is done");
        }
        EventData::AgentStop { .. } => add(Occasion::AgentStop, "a subagent is done"),
        _ => {}
    }
    all
}
