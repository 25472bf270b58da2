//! What the policy promises.

mod commands;
mod corrections;
mod reports;
