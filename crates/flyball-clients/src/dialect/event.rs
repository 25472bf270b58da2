//! A row of a client's table of events: what it is, since when, and what it honours.

use flyball_core::event::EventKind;

use crate::install::Version;
use crate::wire::Object;

/// One event of a client.
pub(crate) struct NativeEvent {
    /// The client's name for it.
    pub(crate) name: &'static str,
    pub(crate) meaning: Meaning,
    /// The first version that is known to have it.
    pub(crate) since: Version,
    /// Whether we ask to be called for it.
    pub(crate) register: Register,
    /// What an answer can do.
    pub(crate) powers: Powers,
}

/// What an event means.
#[derive(Clone, Copy)]
pub(crate) enum Meaning {
    Always(EventKind),
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "a made-up client in the tests is the only one with such an event")
    )]
    /// It depends on the payload: one event for calls that succeed and calls that fail.
    ByOutcome {
        /// Whether the payload is about a call that failed.
        has_failed: fn(&Object<'_>) -> bool,
        succeeded: EventKind,
        failed: EventKind,
    },
}

impl Meaning {
    /// What the event of this payload means.
    pub(crate) fn resolve(self, payload: &Object<'_>) -> EventKind {
        match self {
            Meaning::Always(kind) => kind,
            Meaning::ByOutcome { has_failed, failed, .. } if has_failed(payload) => failed,
            Meaning::ByOutcome { succeeded, .. } => succeeded,
        }
    }

    /// All that it can mean, the usual one first.
    pub(crate) fn kinds(self) -> Vec<EventKind> {
        match self {
            Meaning::Always(kind) => vec![kind],
            Meaning::ByOutcome { succeeded, failed, .. } => vec![succeeded, failed],
        }
    }

    /// Whether it never means anything else.
    pub(crate) fn is_always(self, expected: EventKind) -> bool {
        matches!(self, Meaning::Always(kind) if kind == expected)
    }
}

/// Since when there is an event, and whether we ask for it.
#[derive(Clone, Copy)]
pub(crate) struct Availability {
    since: Version,
    register: Register,
}

/// An event that is there since this version.
pub(crate) const fn since(since: Version, register: Register) -> Availability {
    Availability { since, register }
}

/// A row, short enough for a table.
pub(crate) const fn event(
    name: &'static str,
    kind: EventKind,
    offer: Availability,
    powers: Powers,
) -> NativeEvent {
    NativeEvent { name, meaning: Meaning::Always(kind), since: offer.since, register: offer.register, powers }
}

/// Whether an event is registered.
#[derive(Clone, Copy)]
pub(crate) enum Register {
    /// With this timeout in seconds.
    Within(u32),
    /// Never: being called would cost more than it gives.
    Never,
}

impl Register {
    /// The timeout to register it with; `None` if it is not registered.
    pub(crate) const fn timeout(self) -> Option<u32> {
        match self {
            Register::Within(seconds) => Some(seconds),
            Register::Never => None,
        }
    }
}

/// What an answer to an event can do.
#[derive(Clone, Copy)]
pub(crate) struct Powers {
    /// How it refuses.
    pub(crate) refusal: Refusal,
    /// How context reaches the model.
    pub(crate) context: Channel,
    /// How a notice reaches the user.
    pub(crate) notice: Channel,
}

/// How it refuses, how it reaches the model, how it reaches the user.
pub(crate) const fn powers(refusal: Refusal, context: Channel, notice: Channel) -> Powers {
    Powers { refusal, context, notice }
}

/// How an event is refused, and which other stances the client understands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// `permissionDecision`: deny, ask and allow, each with a reason.
    Permission,
    /// `permissionDecision`: deny, and allow only together with a rewrite.
    PermissionToDeny,
    /// `decision.behavior`: allow, or deny with a message. Silence lets the user decide.
    Behavior,
    /// `decision: block` with a reason.
    Block,
    /// Too late or too costly to stop anything: the reason is added to the model's context.
    Inform,
    /// An elicitation is declined.
    Decline,
    /// Exit code 2 with the reason on stderr.
    Exit,
    /// Not at all: the user gets a notice of what would have been refused.
    Never,
}

/// How text gets through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Channel {
    /// As the field that the document has for it.
    Field,
    /// As all of stdout, without any document.
    Stdout,
    /// Only behind the reason of a refusal: as a field it would itself be one.
    WithRefusal,
    Closed,
}
