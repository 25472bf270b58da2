//! The installation that is examined.

use crate::here::Here;
use crate::install::{Detected, Program, Registered, Site, detect, every_settings_file};
use crate::outcome::Failed;
use crate::progress::Progress;

/// All that the parts of the examination look at.
pub(super) struct Patient {
    pub(super) site: Site,
    pub(super) here: Here,
    pub(super) program: Program,
    pub(super) clients: Vec<Detected>,
    pub(super) files: Vec<Registered>,
}

impl Patient {
    pub(super) fn find(progress: &Progress) -> Result<Patient, Failed> {
        let site = Site::find()?;
        let here = Here::at(site.root.clone());
        let clients = detect(&site, &|_| true, progress);
        let files = every_settings_file(&site);
        Ok(Patient { here, program: Program::find()?, clients, files, site })
    }

    /// The clients that matter: in use here, or with flyball registered.
    pub(super) fn relevant(&self) -> impl Iterator<Item = &Detected> {
        self.clients.iter().filter(|detected| detected.in_use || self.is_registered(detected))
    }

    pub(super) fn is_registered(&self, detected: &Detected) -> bool {
        self.files_of(detected).any(|file| file.ours().next().is_some())
    }

    pub(super) fn files_of(&self, detected: &Detected) -> impl Iterator<Item = &Registered> {
        let id = detected.client.id();
        self.files.iter().filter(move |registered| registered.file.client.id() == id)
    }
}
