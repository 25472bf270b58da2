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
    &crate::guard::permissions::POLICY,
    &crate::guard::denials::POLICY,
    &crate::quality::POLICY,
    &crate::rules::POLICY,
    &crate::observe::events::POLICY,
];

#[cfg(test)]
mod tests;
