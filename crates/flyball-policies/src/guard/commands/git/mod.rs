//! Rules about git: pushes, rewritten history, discarded work.

pub(super) mod call;
pub(super) mod discard;
pub(super) mod history;
pub(super) mod push;
