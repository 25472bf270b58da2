//! Rules about git: what goes to others, what rewrites history, what throws work away.

pub(super) mod call;
pub(super) mod discard;
pub(super) mod history;
pub(super) mod push;
