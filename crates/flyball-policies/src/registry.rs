//! The one table of all policies, in the order in which their reasons are given.

use flyball_core::engine::Registry;

/// Every policy. Guards come first: their reasons are what an agent must read first.
pub static REGISTRY: Registry =
    &[&crate::guard::own::POLICY, &crate::rules::POLICY, &crate::observe::events::POLICY];

#[cfg(test)]
mod tests;
