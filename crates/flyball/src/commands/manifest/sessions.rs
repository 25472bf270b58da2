//! What the sessions of a project remember of their workflows.

use std::path::{Path, PathBuf};

use flyball_policies::r#loop::workflow::{self, Trail};
use flyball_store::SessionSummary;

use crate::outcome::Failed;
use crate::project_context::{Archive, ProjectContext};
use crate::session;

/// The sessions of a project, the latest first, each with what it remembers of its workflow.
pub(super) struct Sessions(Vec<(SessionSummary, Option<String>)>);

impl Sessions {
    /// Those of a project, or the one whose id begins like this.
    pub(super) fn find(
        here: &ProjectContext,
        id: Option<&str>,
        archive: &Archive,
    ) -> Result<Sessions, Failed> {
        let found = match id {
            Some(id) => vec![session::find_named(id, archive)?],
            None => session::of_project(here, archive)?,
        };
        let mut sessions = Vec::new();
        for summary in found {
            let memory = archive.memory(&summary, workflow::POLICY.id.as_str())?;
            sessions.push((summary, memory));
        }
        Ok(Sessions(sessions))
    }

    /// The manifest of the latest session that has one.
    pub(super) fn manifest(&self) -> Option<PathBuf> {
        self.known()
            .find_map(|(_, memory)| workflow::manifest_path(memory))
            .map(PathBuf::from)
            .filter(|it| it.is_file())
    }

    /// The latest session with this manifest, or, if there is none, the latest that anyone took part in.
    pub(super) fn latest_with(&self, manifest: Option<&Path>) -> Option<(&SessionSummary, &str)> {
        match manifest {
            // Never another session's trail: its agents would be taken for those of this workflow.
            Some(path) => self.known().find(|(_, memory)| {
                workflow::manifest_path(memory).is_some_and(|known| Path::new(&known) == path)
            }),
            None => self.known().find(|(_, memory)| workflow::trail(memory) != Trail::default()),
        }
    }

    fn known(&self) -> impl Iterator<Item = (&SessionSummary, &str)> {
        self.0.iter().filter_map(|(summary, memory)| Some((summary, memory.as_deref()?)))
    }
}
