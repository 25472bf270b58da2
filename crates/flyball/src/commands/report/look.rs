//! What a report looks at.

use std::path::Path;

use flyball_store::{Questions, Window};
use flyball_world::interrupt::Interrupt;

use crate::progress::Progress;

/// What a report looks at.
pub(super) struct Look<'a> {
    pub(super) index: &'a dyn Questions,
    pub(super) window: Window,
    /// Where approvals are kept.
    pub(super) state: Option<&'a Path>,
    pub(super) interrupt: &'a Interrupt,
    pub(super) progress: &'a Progress,
}
