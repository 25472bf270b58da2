//! Folds the journals into the index. Started by the hook in a process of its own.

use std::path::PathBuf;

use crate::outcome::{Done, Failed};
use crate::project_context::ProjectContext;

pub(crate) fn run() -> Result<Done, Failed> {
    // The store belongs to the user, so no project's config decides how long events are stored.
    ProjectContext::at(PathBuf::from("/")).archive()?;
    Ok(Done::Success)
}
