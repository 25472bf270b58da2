//! Servers on loopback for the tests of those who ask models.

pub(crate) mod server;
