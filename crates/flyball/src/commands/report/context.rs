//! What a report looks at.

use std::path::Path;

use flyball_store::{Queries, Window};
use flyball_world::interrupt::Interrupt;

use crate::progress::Progress;

/// What a report looks at.
pub(super) struct ReportContext<'a> {
    pub(super) index: &'a dyn Queries,
    pub(super) window: Window,
    /// Where approvals are kept.
    pub(super) state: Option<&'a Path>,
    pub(super) interrupt: &'a Interrupt,
    pub(super) progress: &'a Progress,
}
