//! Servers on loopback for tests that ask models.

pub(crate) mod server;
