//! The installation that is examined.

use crate::install::{DetectedClient, HookRegistrations, Program, Site, detect, every_settings_file, plugin};
use crate::outcome::Failed;
use crate::progress::Progress;
use crate::project_context::ProjectContext;

/// What all sections of the report are made from.
pub(super) struct Installation {
    pub(super) site: Site,
    pub(super) here: ProjectContext,
    pub(super) program: Program,
    pub(super) clients: Vec<DetectedClient>,
    pub(super) files: Vec<HookRegistrations>,
}

impl Installation {
    pub(super) fn find(progress: &Progress) -> Result<Installation, Failed> {
        let site = Site::find()?;
        let here = ProjectContext::at(site.root.clone());
        let clients = detect(&site, &|_| true, progress);
        let files = every_settings_file(&site);
        Ok(Installation { here, program: Program::find()?, clients, files, site })
    }

    /// The clients that matter: in use here, or with flyball registered.
    pub(super) fn relevant_clients(&self) -> impl Iterator<Item = &DetectedClient> {
        self.clients.iter().filter(|detected| detected.in_use || self.is_registered(detected))
    }

    /// Whether it calls flyball, by its settings or by a plugin.
    pub(super) fn is_registered(&self, detected: &DetectedClient) -> bool {
        self.has_handlers(detected) || plugin::enabled(detected.client, &self.site).is_some()
    }

    /// Whether one of its settings files registers flyball.
    pub(super) fn has_handlers(&self, detected: &DetectedClient) -> bool {
        self.files_of(detected).any(|file| file.own_handlers().next().is_some())
    }

    pub(super) fn files_of(&self, detected: &DetectedClient) -> impl Iterator<Item = &HookRegistrations> {
        let id = detected.client.id();
        self.files.iter().filter(move |registered| registered.file.client.id() == id)
    }
}
