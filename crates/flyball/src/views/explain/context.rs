//! What an explanation is made from, besides the record.

use flyball_core::record::Record;

use crate::views::project::Project;

pub(crate) struct ExplainContext<'a> {
    /// The project as it is now.
    pub(crate) project: &'a Project,
    /// What was denied before in the session, the newest first.
    pub(crate) denials: Vec<Record>,
}
