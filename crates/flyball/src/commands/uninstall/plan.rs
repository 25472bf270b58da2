//! What `uninstall` would change, worked out before it changes any of it.

use std::path::{Path, PathBuf};

use flyball_clients::install::{Scope, is_ours};
use flyball_clients::registration::{self, unregister};
use flyball_clients::{CLIENTS, Client};

use crate::commands::companions::{self, exclude, status_line, wrapper};
use crate::install::{
    Access, Change, FileOutcome, HookRegistrations, Receipt, SettingsFile, Site, Snapshot, Step, Steps,
    Unreadable, backup_paths, edit_failure, every_settings_file, plugin,
};
use crate::outcome::Failed;
use crate::project_context::ProjectContext;
use crate::terminal::Terminal;

/// Which settings files to change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Selection {
    Only(Scope),
    All,
}

impl Selection {
    fn includes(self, scope: Scope) -> bool {
        match self {
            Selection::Only(only) => only == scope,
            Selection::All => true,
        }
    }

    /// In a home directory, one file is that of the project and of the user.
    fn covers(self, site: &Site, file: &SettingsFile) -> bool {
        match self {
            Selection::Only(only) => {
                let meant = file.client.facts().settings_file(only, &site.places());
                meant.is_some_and(|meant| meant == file.path)
            }
            Selection::All => true,
        }
    }
}

impl Selection {
    /// The registration of a project is for everyone, and the program through which commands are started for one person: it
    /// is in the file beside it.
    fn left_it_its_wrapper(self, registered: &HookRegistrations) -> bool {
        self == Selection::Only(Scope::Project)
            && registered.file.scope == Scope::Local
            && registered.own_handlers().next().is_none()
    }
}

/// What there is to do.
pub(super) struct Plan {
    pub(super) steps: Steps,
    /// Folders that were made for our files, outermost first.
    pub(super) folders: Vec<PathBuf>,
    /// Settings files in which flyball stays registered.
    elsewhere: Vec<PathBuf>,
}

impl Plan {
    /// Works out what there is to do. Reads files, changes none.
    pub(super) fn make(site: &Site, selection: Selection) -> Result<Plan, Failed> {
        let mut plan = Plan { steps: Steps(Vec::new()), folders: Vec::new(), elsewhere: Vec::new() };
        for registered in every_settings_file(site) {
            if selection.covers(site, &registered.file) || selection.left_it_its_wrapper(&registered) {
                plan.unregister_from(site, &registered)?;
            } else if registered.own_handlers().next().is_some() {
                plan.elsewhere.push(registered.file.path);
            }
        }
        plan.companions(site, selection)?;
        let files = ProjectContext::at(site.root.clone()).files;
        let configs = [
            (Scope::Project, Some(site.root.join("flyball.toml"))),
            (Scope::User, files.user.clone()),
            (Scope::Managed, Some(files.managed)),
        ];
        for (scope, path) in configs {
            let is_covered =
                selection.includes(scope) || (scope == Scope::Project && selection.includes(Scope::Local));
            if let Some(path) = path.filter(|_| is_covered) {
                plan.config(site, scope, &path)?;
            }
        }
        Ok(plan)
    }

    /// Whether this leaves no registration that a person has made on this machine: what is committed misses nothing then.
    pub(super) fn is_last(&self, site: &Site, selection: Selection) -> bool {
        let has_plugin = || CLIENTS.iter().any(|client| plugin::enabled(client, site).is_some());
        let has_none = || self.elsewhere.is_empty() && self.in_other_projects(site).is_empty();
        selection == Selection::All || (has_none() && !has_plugin())
    }

    /// The settings of other projects in which `flyball init` registered flyball.
    fn in_other_projects(&self, site: &Site) -> Vec<PathBuf> {
        let changed: Vec<&Path> = self
            .steps
            .0
            .iter()
            .flat_map(|step| &step.changes)
            .map(|change| change.before.path.as_path())
            .collect();
        let mut files = site.state().map(Receipt::files).unwrap_or_default();
        files.retain(|file| {
            let has_handlers = || {
                let found = Snapshot::read(file).ok().and_then(|it| registration::list(it.text()).ok());
                found.is_some_and(|found| found.iter().any(|found| is_ours(&found.handler)))
            };
            !changed.contains(&file.as_path()) && !self.elsewhere.contains(file) && has_handlers()
        });
        files
    }

    /// Says where flyball is still registered.
    pub(super) fn print_elsewhere(&self, site: &Site, terminal: &Terminal) {
        if self.steps.is_done() {
            terminal.line("flyball is not registered here: nothing to remove");
        }
        for path in &self.elsewhere {
            terminal.line(&format!("still registered in {} (`--all` removes it there too)", site.show(path)));
        }
        for path in self.in_other_projects(site) {
            terminal
                .line(&format!("still registered in {} (run `flyball uninstall` there)", site.show(&path)));
        }
    }

    fn unregister_from(&mut self, site: &Site, registered: &HookRegistrations) -> Result<(), Failed> {
        let path = &registered.file.path;
        match &registered.handlers {
            Ok(_) => {}
            // A broken file that does not mention flyball is left alone.
            Err(Unreadable::Content(_)) if !Snapshot::read(path)?.text().contains("flyball") => return Ok(()),
            Err(Unreadable::Content(error)) => return Err(edit_failure(site, path, error)),
            Err(Unreadable::File(error)) => return Err(Failed::new(error.to_string(), "make it readable")),
        }
        let ours = registered.own_handlers().count();
        let file = Snapshot::read(path)?;
        let client = registered.file.client;
        let has_more = status_line::remove(file.text(), client).is_some()
            || wrapper::remove(file.text(), client).is_some();
        if ours == 0 && !has_more {
            return Ok(());
        }
        let receipt = Receipt::find(path, site.state());
        let restored = restored_content(&file, receipt.as_ref(), registered.file.client)
            .map_err(|error| edit_failure(site, path, &error))?;
        let name = site.show(path);
        let (outcome, about) = match (&restored.content, restored.is_exact) {
            (None, _) => (FileOutcome::Deleted, "made by `flyball init`".to_owned()),
            (Some(_), true) => (FileOutcome::Edited, "as it was before `flyball init`".to_owned()),
            (Some(_), false) if ours == 0 => {
                (FileOutcome::Edited, "what starts commands in the seatbelt removed".to_owned())
            }
            (Some(_), false) => (FileOutcome::Edited, format!("{ours} handlers removed, the rest stays")),
        };
        let copies = self.backup(site, path, restored.content.as_deref())?;
        let left_out = if outcome == FileOutcome::Deleted { exclude::remove(site, path)? } else { None };
        let mut changes = vec![Change { before: file, after: restored.content, access: Access::Default }];
        // Last: without the receipt, a file that failed before could not be restored exactly.
        changes.extend(Receipt::discard_change(path, site.state())?);
        changes.extend(copies.into_iter().chain(left_out));
        self.folders.extend(receipt.into_iter().flat_map(|receipt| receipt.created_folders));
        self.steps.0.push(Step { outcome, name, about, changes });
        Ok(())
    }

    /// The copy that `init` made is not needed once the file is restored.
    fn backup(&mut self, site: &Site, path: &Path, content: Option<&str>) -> Result<Vec<Change>, Failed> {
        let mut changes = Vec::new();
        for copy in backup_paths(path, site.state()) {
            let copy = Snapshot::read(&copy)?;
            if copy.content().is_none() {
                continue;
            }
            if copy.content() == content {
                changes.push(Change { access: Access::Private, ..Change::delete(copy) });
            } else {
                let about = format!("{} as it was before `flyball init`", site.show(path));
                self.steps.0.push(Step::idle(FileOutcome::Kept, site.show(&copy.path), about));
            }
        }
        Ok(changes)
    }

    /// The agents and commands that `init` wrote beside the registration.
    fn companions(&mut self, site: &Site, selection: Selection) -> Result<(), Failed> {
        for client in CLIENTS {
            let facts = client.facts();
            let is_remaining = |scope: Scope| {
                let file = facts.settings_file(scope, &site.places());
                file.is_some_and(|file| self.elsewhere.contains(&file))
            };
            let scopes = || facts.agents.iter().map(|(scope, _)| *scope);
            let gone: Vec<Scope> = scopes().filter(|scope| selection.includes(*scope)).collect();
            let remaining: Vec<Scope> = scopes().filter(|scope| is_remaining(*scope)).collect();
            let removal = companions::removal(site, client, &gone, &remaining)?;
            self.steps.0.extend(removal.steps);
            self.folders.extend(removal.folders);
        }
        Ok(())
    }

    fn config(&mut self, site: &Site, scope: Scope, path: &Path) -> Result<(), Failed> {
        let file = Snapshot::read(path)?;
        let name = site.show(&file.path);
        if file.content().is_none() {
            return Ok(());
        }
        let receipt = Receipt::find(&file.path, site.state());
        let about = match receipt {
            // A person's own settings are not about this installation.
            None if scope != Scope::Project => return Ok(()),
            // Other registrations still read this config.
            _ if !self.elsewhere.is_empty() => "kept: still in force",
            None => "kept: not written by `flyball init`",
            Some(receipt) if !receipt.matches(&file) => "kept: changed since `flyball init`",
            Some(receipt) => {
                self.folders.extend(receipt.created_folders);
                let receipt = Receipt::discard_change(&file.path, site.state())?;
                let changes = [Change::delete(file)].into_iter().chain(receipt).collect();
                let about = "as `flyball init` wrote it".to_owned();
                self.steps.0.push(Step { outcome: FileOutcome::Deleted, name, about, changes });
                return Ok(());
            }
        };
        self.steps.0.push(Step::idle(FileOutcome::Kept, name, about));
        Ok(())
    }
}

/// The content that a file is restored to.
struct RestoredContent {
    /// `None` if it is deleted.
    content: Option<String>,
    /// Whether that is exactly the content before `init`.
    is_exact: bool,
}

fn restored_content(
    file: &Snapshot,
    receipt: Option<&Receipt>,
    client: &Client,
) -> Result<RestoredContent, flyball_clients::registration::Error> {
    // Only if nobody edited the file since: an exact restore would undo their edits.
    if let Some(receipt) = receipt.filter(|receipt| receipt.matches(file)) {
        return Ok(RestoredContent { content: receipt.original.clone(), is_exact: true });
    }
    let rest = unregister(file.text(), &is_ours)?.text;
    let rest = status_line::remove(&rest, client).unwrap_or(rest);
    let rest = wrapper::remove(&rest, client).unwrap_or(rest);
    // A file that was there before `init` stays, even if it is empty now.
    let is_empty = receipt.is_some_and(|receipt| receipt.leaves_nothing(&rest));
    Ok(RestoredContent { content: (!is_empty).then_some(rest), is_exact: false })
}
