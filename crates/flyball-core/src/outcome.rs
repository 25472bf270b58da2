//! What a decision meant for the work: one classification for the log, reports, the status line and the board.

use serde::{Deserialize, Serialize};

use crate::event::EventKind;
use crate::verdict::Stance;

/// What came of an event. A deny is one of three things: nobody may call it a denial if the file is written already.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// No objection.
    Passed,
    /// Allowed without asking the user.
    Allowed,
    /// The user was asked.
    Asked,
    /// It had happened already, and the agent was told what is wrong with it.
    Finding,
    /// An agent was kept from ending its work.
    Held,
    /// It did not happen.
    Blocked,
}

/// What a deny is at this kind of event.
const fn denied(kind: EventKind) -> Outcome {
    match kind {
        EventKind::SessionStart
        | EventKind::SessionSetup
        | EventKind::PromptSubmit
        | EventKind::PromptExpanded
        | EventKind::BeforeTool
        | EventKind::PermissionAsked
        | EventKind::AgentStart
        | EventKind::TaskCreated
        | EventKind::BeforeCompact
        | EventKind::BeforeModelSwitch
        | EventKind::BeforeModelCall
        | EventKind::Elicitation
        | EventKind::WorktreeCreate
        | EventKind::WorktreeRemove
        | EventKind::Unknown => Outcome::Blocked,
        EventKind::Stop | EventKind::AgentStop | EventKind::TeammateIdle | EventKind::TaskCompleted => {
            Outcome::Held
        }
        EventKind::InstructionsLoaded
        | EventKind::PermissionDenied
        | EventKind::AfterTool
        | EventKind::ToolFailed
        | EventKind::AfterBatch
        | EventKind::StopFailed
        | EventKind::AfterCompact
        | EventKind::AfterModelSwitch
        | EventKind::AfterModelCall
        | EventKind::Notification
        | EventKind::ElicitationAnswered
        | EventKind::ConfigChanged
        | EventKind::CwdChanged
        | EventKind::FileChanged
        | EventKind::DirectoryAdded
        | EventKind::MessageShown
        | EventKind::Interrupted
        | EventKind::SessionEnd => Outcome::Finding,
    }
}

impl Outcome {
    /// Every outcome, weakest first.
    pub const ALL: &'static [Outcome] = &[
        Outcome::Passed,
        Outcome::Allowed,
        Outcome::Asked,
        Outcome::Finding,
        Outcome::Held,
        Outcome::Blocked,
    ];

    /// What this decision is at this kind of event.
    #[must_use]
    pub const fn new(kind: EventKind, stance: Stance) -> Outcome {
        match stance {
            Stance::Silent => Outcome::Passed,
            Stance::Allow => Outcome::Allowed,
            Stance::Ask => Outcome::Asked,
            Stance::Deny => denied(kind),
        }
    }

    /// The name used in logs, filters and docs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Outcome::Passed => "passed",
            Outcome::Allowed => "allowed",
            Outcome::Asked => "asked",
            Outcome::Finding => "finding",
            Outcome::Held => "held",
            Outcome::Blocked => "blocked",
        }
    }

    /// The outcome of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Outcome> {
        Outcome::ALL.iter().copied().find(|outcome| outcome.name() == name)
    }

    /// The decision that it comes from.
    #[must_use]
    pub const fn stance(self) -> Stance {
        match self {
            Outcome::Passed => Stance::Silent,
            Outcome::Allowed => Stance::Allow,
            Outcome::Asked => Stance::Ask,
            Outcome::Finding | Outcome::Held | Outcome::Blocked => Stance::Deny,
        }
    }

    /// The kinds of event at which its decision means this.
    pub fn kinds(self) -> impl Iterator<Item = EventKind> {
        EventKind::ALL.iter().copied().filter(move |kind| Outcome::new(*kind, self.stance()) == self)
    }

    /// What it means, in a sentence for people.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        match self {
            Outcome::Passed => "No objection: the client continued as without flyball",
            Outcome::Allowed => "Allowed without asking the user",
            Outcome::Asked => "The user was asked to decide",
            Outcome::Finding => "A finding: it had happened already, and the agent was told what to fix",
            Outcome::Held => "Held: the agent was not allowed to end its work yet",
            Outcome::Blocked => "Denied: it did not happen",
        }
    }
}

/// A number of denials, by what they were.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct DenialCounts {
    pub blocked: u64,
    pub held: u64,
    pub findings: u64,
}

impl DenialCounts {
    /// Counts `many` of an outcome; those that are not denials are left out.
    pub const fn add(&mut self, outcome: Outcome, many: u64) {
        match outcome {
            Outcome::Blocked => self.blocked += many,
            Outcome::Held => self.held += many,
            Outcome::Finding => self.findings += many,
            Outcome::Passed | Outcome::Allowed | Outcome::Asked => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deny_is_a_block_a_hold_or_a_finding() {
        let cases = [
            (EventKind::BeforeTool, Stance::Deny, Outcome::Blocked),
            (EventKind::PromptSubmit, Stance::Deny, Outcome::Blocked),
            (EventKind::AfterTool, Stance::Deny, Outcome::Finding),
            (EventKind::AfterBatch, Stance::Deny, Outcome::Finding),
            (EventKind::Stop, Stance::Deny, Outcome::Held),
            (EventKind::AgentStop, Stance::Deny, Outcome::Held),
            (EventKind::Stop, Stance::Silent, Outcome::Passed),
            (EventKind::BeforeTool, Stance::Ask, Outcome::Asked),
            (EventKind::BeforeTool, Stance::Allow, Outcome::Allowed),
        ];
        for (kind, stance, outcome) in cases {
            assert_eq!(Outcome::new(kind, stance), outcome, "{kind:?} {stance:?}");
        }
    }

    #[test]
    fn names_stances_and_kinds_lead_back_to_the_outcome() {
        for outcome in Outcome::ALL.iter().copied() {
            assert_eq!(Outcome::from_name(outcome.name()), Some(outcome));
            assert!(outcome.kinds().all(|kind| Outcome::new(kind, outcome.stance()) == outcome));
        }
        let of_a_deny = [Outcome::Blocked, Outcome::Held, Outcome::Finding].map(|it| it.kinds().count());
        assert_eq!(of_a_deny.iter().sum::<usize>(), EventKind::ALL.len());
    }
}
