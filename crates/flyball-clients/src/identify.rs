//! Who is calling? Several clients execute the settings of others, each with its own payload and
//! its own reading of answers, so the registration counts only if nothing contradicts it.

use crate::client::Client;
use crate::evidence::CallerEvidence;
use crate::exchange::CallerContext;
use crate::registry::{CLIENTS, SIGNS, find};
use crate::wire::Object;

#[derive(Clone, Copy)]
pub enum Caller {
    /// A client that we can talk to.
    Known(&'static Client),
    /// A client that would not understand our answers.
    Foreign {
        name: &'static str,
    },
    Unknown,
}

/// Who called, by the payload's keys and the environment, then by the registration, and last by the form of the payload:
/// a guard that keeps silent because it does not know who asks is no guard.
#[must_use]
pub fn identify(payload: &str, surroundings: &CallerContext) -> Caller {
    // A payload that cannot be read has no keys: the declared client's adapter reports the error.
    let evidence = CallerEvidence::new(Object::read(payload).unwrap_or_default(), surroundings, CLIENTS);
    let seen = SIGNS.iter().find(|sign| (sign.holds)(&evidence)).map(|sign| sign.caller);
    if let Some(client) = seen.or(surroundings.declared_client).and_then(find) {
        return Caller::Known(client);
    }
    if let Some(name) = seen {
        return Caller::Foreign { name };
    }
    // A registration that names somebody else is of a client that we do not know yet.
    let of_this_form =
        || CLIENTS.iter().copied().find(|client| client.protocol.event(&evidence.event).is_some());
    match surroundings.declared_client {
        None => of_this_form().map_or(Caller::Unknown, Caller::Known),
        Some(_) => Caller::Unknown,
    }
}

#[cfg(test)]
mod tests;
