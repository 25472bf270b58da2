//! How long a client waits for an answer.

/// Clients are configured to wait ten minutes where programs are run; half of one is for everything else. A client
/// that has waited for too long ends the hook, and what was found is lost.
pub(crate) const SECONDS: u32 = 570;
