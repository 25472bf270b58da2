//! The rulings of policies in a made-up history, and how long they take.

use std::time::Duration;

use flyball_core::config::Mode;
use flyball_core::event::{EventKind, ToolKind};
use flyball_core::record::RecordedRuling;
use flyball_core::verdict::{Reason, Stance};

use super::random::Random;

/// What a policy contributes to an event.
#[derive(Clone, Debug)]
pub(super) struct PolicyVerdict {
    pub(super) policy: &'static str,
    pub(super) mode: Mode,
    pub(super) stance: Stance,
    pub(super) reason: Option<Reason>,
    pub(super) error: Option<String>,
}

impl PolicyVerdict {
    pub(super) const fn new(policy: &'static str, stance: Stance) -> PolicyVerdict {
        PolicyVerdict { policy, mode: Mode::Enforce, stance, reason: None, error: None }
    }

    pub(super) fn with_reason(self, reason: Reason) -> PolicyVerdict {
        PolicyVerdict { reason: Some(reason), ..self }
    }
}

/// The policies that are asked about an event, and how many microseconds each takes.
pub(super) const fn policies_for(kind: EventKind, tool: Option<ToolKind>) -> &'static [(&'static str, u64)] {
    match (kind, tool) {
        (EventKind::BeforeTool, Some(ToolKind::Shell)) => &[
            ("guard.self", 25),
            ("guard.protected", 70),
            ("guard.commands", 110),
            ("guard.packages", 60),
            ("guard.gaming", 45),
            ("rules", 30),
            ("observe.events", 2),
        ],
        (EventKind::BeforeTool, Some(ToolKind::Edit)) => &[
            ("guard.self", 30),
            ("guard.protected", 90),
            ("guard.gaming", 140),
            ("memory.context", 420),
            ("rules", 30),
            ("observe.events", 2),
        ],
        (EventKind::BeforeTool, _) => &[("guard.self", 20), ("guard.protected", 40), ("rules", 25)],
        (EventKind::AfterTool, Some(ToolKind::Edit)) => {
            &[("quality", 140_000), ("loop.feedback", 180), ("loop.gate", 90), ("rules", 20)]
        }
        (EventKind::AfterTool, _) => &[("loop.gate", 60), ("loop.output", 40), ("rules", 20)],
        (EventKind::ToolFailed, _) => &[("memory.failures", 900), ("loop.gate", 60), ("rules", 20)],
        (EventKind::PermissionAsked, _) => &[("guard.permissions", 80), ("rules", 20)],
        (EventKind::Stop, _) => {
            &[("loop.gate", 2_400), ("quality", 9_000), ("task.stop", 300), ("memory.stop", 250)]
        }
        (EventKind::AgentStop, _) => &[("loop.completion", 350), ("rules", 20)],
        (EventKind::AgentStart, _) => &[("memory.agents", 600), ("loop.gate", 60)],
        (EventKind::SessionStart, _) => {
            &[("memory.session", 1_800), ("task.session", 400), ("loop.session", 150), ("quality", 2_200)]
        }
        (EventKind::PromptSubmit, _) => &[("loop.iterations", 60), ("task.stop", 40), ("rules", 25)],
        _ => &[("rules", 20), ("observe.events", 2)],
    }
}

/// All rulings on an event: the given verdicts, and those of the policies that stay silent.
pub(super) fn rulings(
    (kind, tool): (EventKind, Option<ToolKind>),
    verdicts: &[PolicyVerdict],
    chance: &mut Random,
) -> Vec<RecordedRuling> {
    let asked = policies_for(kind, tool);
    let also = verdicts.iter().filter(|verdict| !asked.iter().any(|(policy, _)| *policy == verdict.policy));
    let all = asked.iter().copied().chain(also.map(|verdict| (verdict.policy, 100)));
    all.map(|(policy, micros)| {
        let verdict = verdicts.iter().find(|verdict| verdict.policy == policy);
        RecordedRuling {
            policy: policy.to_owned(),
            mode: verdict.map_or(Mode::Enforce, |verdict| verdict.mode),
            skipped: false,
            stance: verdict.map_or(Stance::Silent, |verdict| verdict.stance),
            reasons: verdict.and_then(|verdict| verdict.reason.clone()).into_iter().collect(),
            evidence: Vec::new(),
            error: verdict.and_then(|verdict| verdict.error.clone()),
            took: chance.around(Duration::from_micros(micros)),
        }
    })
    .collect()
}

/// The decision: the strongest verdict that is enforced.
pub(super) fn decide(verdicts: &[PolicyVerdict]) -> Stance {
    let enforced = verdicts.iter().filter(|verdict| verdict.mode == Mode::Enforce);
    enforced.map(|verdict| verdict.stance).max().unwrap_or_default()
}

/// The message for the agent.
pub(super) fn message(verdicts: &[PolicyVerdict]) -> String {
    let enforced =
        verdicts.iter().filter(|verdict| verdict.mode == Mode::Enforce && verdict.stance >= Stance::Ask);
    enforced.filter_map(|verdict| verdict.reason.as_ref()).map(Reason::text).collect::<Vec<_>>().join("\n")
}
