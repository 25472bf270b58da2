//! A row of a client's table of events: what it is, since when, and what it honours.

use flyball_core::event::EventKind;

use crate::install::Version;

/// One event of a client.
pub(crate) struct NativeEvent {
    /// The client's name for it.
    pub(crate) name: &'static str,
    /// What it means.
    pub(crate) kind: EventKind,
    /// The first version that is known to have it.
    pub(crate) since: Version,
    /// Whether we ask to be called for it.
    pub(crate) register: Register,
    /// What an answer can do.
    pub(crate) powers: Powers,
}

/// How it refuses, how it reaches the model, how it reaches the user.
pub(crate) type Ways = (Refusal, Channel, Channel);

/// A row, short enough for a table.
pub(crate) const fn event(
    name: &'static str,
    kind: EventKind,
    (since, register): (Version, Register),
    (refusal, context, notice): Ways,
) -> NativeEvent {
    NativeEvent { name, kind, since, register, powers: Powers { refusal, context, notice } }
}

/// Whether an event is registered.
#[derive(Clone, Copy)]
pub(crate) enum Register {
    /// With this timeout in seconds.
    Within(u32),
    /// Never: being called would cost more than it gives.
    Never,
}

/// What an answer to an event can do.
#[derive(Clone, Copy)]
pub(crate) struct Powers {
    /// How it says no.
    pub(crate) refusal: Refusal,
    /// How it tells the model something.
    pub(crate) context: Channel,
    /// How it tells the user something.
    pub(crate) notice: Channel,
}

/// How a client is told no, and what else of a stance it understands.
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
    /// Too late or too costly to stop anything: the model is told the reason.
    Tell,
    /// An elicitation is declined.
    Decline,
    /// Exit code 2 with the reason on stderr.
    Exit,
    /// Not at all: the user is told what would have been refused.
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
    /// Not at all.
    Closed,
}

/// The row of an event.
pub(crate) fn find(events: &'static [NativeEvent], name: &str) -> Option<&'static NativeEvent> {
    events.iter().find(|event| event.name == name)
}
