//! The one table of all policies, in the order in which their reasons are given.

use flyball_core::engine::Registry;

/// Every policy. Guards come first: their reasons are what an agent must read first.
pub static REGISTRY: Registry = &[
    &crate::guard::own::POLICY,
    &crate::guard::protected::POLICY,
    &crate::guard::commands::POLICY,
    &crate::guard::packages::POLICY,
    &crate::guard::gaming::POLICY,
    &crate::guard::agents_first::POLICY,
    &crate::guard::tools::POLICY,
    &crate::guard::secrets::POLICY,
    &crate::guard::permissions::POLICY,
    &crate::seatbelt::POLICY,
    &crate::guard::denials::POLICY,
    &crate::quality::POLICY,
    &crate::r#loop::workflow::POLICY,
    // Measures what the next ones read.
    &crate::r#loop::compaction::POLICY,
    &crate::r#loop::feedback::POLICY,
    &crate::r#loop::gate::POLICY,
    &crate::r#loop::iterations::POLICY,
    &crate::r#loop::completion::POLICY,
    &crate::r#loop::output::POLICY,
    &crate::r#loop::session::POLICY,
    &crate::memory::context::POLICY,
    &crate::memory::agents::POLICY,
    &crate::memory::failures::POLICY,
    &crate::memory::instructions::POLICY,
    &crate::memory::session::POLICY,
    &crate::memory::stop::POLICY,
    &crate::task::stop::POLICY,
    &crate::task::agents::POLICY,
    &crate::task::session::POLICY,
    &crate::task::search::POLICY,
    &crate::rules::POLICY,
    &crate::undo::POLICY,
    &crate::notify::POLICY,
    &crate::observe::events::POLICY,
];

#[cfg(test)]
mod tests;
