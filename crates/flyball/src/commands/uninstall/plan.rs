//! What `uninstall` would change, worked out before it changes any of it.

use std::path::{Path, PathBuf};

use flyball_clients::install::{Scope, is_ours};
use flyball_clients::registration::unregister;
use flyball_clients::{CLIENTS, Client};

use crate::commands::companions::{self, status_line};
use crate::install::{
    Access, Change, FileOutcome, HookRegistrations, Receipt, Site, Snapshot, Step, Steps, Unreadable,
    backup_path, edit_failure, every_settings_file,
};
use crate::outcome::Failed;
use crate::terminal::Terminal;

/// Which settings files are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    Only(Scope),
    All,
}

impl Wanted {
    fn covers(self, scope: Scope) -> bool {
        match self {
            Wanted::Only(only) => only == scope,
            Wanted::All => true,
        }
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
    pub(super) fn make(site: &Site, wanted: Wanted) -> Result<Plan, Failed> {
        let mut plan = Plan { steps: Steps(Vec::new()), folders: Vec::new(), elsewhere: Vec::new() };
        for registered in every_settings_file(site) {
            if wanted.covers(registered.file.scope) {
                plan.unregister_from(site, &registered)?;
            } else if registered.own_handlers().next().is_some() {
                plan.elsewhere.push(registered.file.path);
            }
        }
        plan.companions(site, wanted)?;
        plan.config(site)?;
        Ok(plan)
    }

    /// Says where flyball is still registered.
    pub(super) fn print_elsewhere(&self, site: &Site, terminal: &Terminal) {
        if self.steps.is_done() {
            terminal.line("flyball is not registered here: nothing to remove");
        }
        for path in &self.elsewhere {
            terminal.line(&format!("still registered in {} (`--all` removes it there too)", site.show(path)));
        }
    }

    fn unregister_from(&mut self, site: &Site, registered: &HookRegistrations) -> Result<(), Failed> {
        let path = &registered.file.path;
        match &registered.handlers {
            Ok(_) => {}
            // A broken file that does not even mention us is not our business.
            Err(Unreadable::Content(_)) if !Snapshot::read(path)?.text().contains("flyball") => return Ok(()),
            Err(Unreadable::Content(error)) => return Err(edit_failure(site, path, error)),
            Err(Unreadable::File(error)) => return Err(Failed::new(error.to_string(), "")),
        }
        let ours = registered.own_handlers().count();
        let file = Snapshot::read(path)?;
        if ours == 0 && status_line::remove(file.text(), registered.file.client).is_none() {
            return Ok(());
        }
        let receipt = Receipt::find(path, site.state());
        let back = restored_content(&file, receipt.as_ref(), registered.file.client)
            .map_err(|error| edit_failure(site, path, &error))?;
        let name = site.show(path);
        let (outcome, about) = match (&back.content, back.is_exact) {
            (None, _) => (FileOutcome::Deleted, "made by `flyball init`".to_owned()),
            (Some(_), true) => (FileOutcome::Edited, "as it was before `flyball init`".to_owned()),
            (Some(_), false) => (FileOutcome::Edited, format!("{ours} handlers removed, the rest stays")),
        };
        self.backup(site, path, back.content.as_deref())?;
        let mut changes = vec![Change { before: file, after: back.content, access: Access::Default }];
        // Last: without it, a file that we could not get to would not be given back as it was.
        changes.extend(Receipt::discard_change(path, site.state())?);
        self.folders.extend(receipt.into_iter().flat_map(|receipt| receipt.created_folders));
        self.steps.0.push(Step { outcome, name, about, changes });
        Ok(())
    }

    /// The copy that `init` made has served once the file is the same again.
    fn backup(&mut self, site: &Site, path: &Path, content: Option<&str>) -> Result<(), Failed> {
        let copy = Snapshot::read(&backup_path(path))?;
        let name = site.show(&copy.path);
        if copy.content().is_none() {
            return Ok(());
        }
        self.steps.0.push(if copy.content() == content {
            let changes = vec![Change::delete(copy)];
            Step { outcome: FileOutcome::Deleted, name, about: "not needed any more".to_owned(), changes }
        } else {
            Step::idle(FileOutcome::Kept, name, "the file as it was before `flyball init`")
        });
        Ok(())
    }

    /// The agents and commands that `init` wrote beside the registration.
    fn companions(&mut self, site: &Site, wanted: Wanted) -> Result<(), Failed> {
        for client in CLIENTS {
            let facts = client.facts();
            let is_kept = |scope: Scope| {
                let file = facts.settings_file(scope, &site.places());
                file.is_some_and(|file| self.elsewhere.contains(&file))
            };
            let scopes = || facts.agents.iter().map(|(scope, _)| *scope);
            let gone: Vec<Scope> = scopes().filter(|scope| wanted.covers(*scope)).collect();
            let kept: Vec<Scope> = scopes().filter(|scope| is_kept(*scope)).collect();
            let removal = companions::removal(site, client, &gone, &kept)?;
            self.steps.0.extend(removal.steps);
            self.folders.extend(removal.folders);
        }
        Ok(())
    }

    fn config(&mut self, site: &Site) -> Result<(), Failed> {
        let file = Snapshot::read(&site.root.join("flyball.toml"))?;
        let name = site.show(&file.path);
        if file.content().is_none() {
            return Ok(());
        }
        let receipt = Receipt::find(&file.path, site.state());
        let kept = match receipt {
            _ if !self.elsewhere.is_empty() => "kept: still in force",
            None => "kept: not written by `flyball init`",
            Some(receipt) if !receipt.matches(&file) => "kept: changed since `flyball init`",
            Some(_) => {
                let receipt = Receipt::discard_change(&file.path, site.state())?;
                let changes = [Change::delete(file)].into_iter().chain(receipt).collect();
                let about = "as `flyball init` wrote it".to_owned();
                self.steps.0.push(Step { outcome: FileOutcome::Deleted, name, about, changes });
                return Ok(());
            }
        };
        self.steps.0.push(Step::idle(FileOutcome::Kept, name, kept));
        Ok(())
    }
}

/// What a file is to say again.
struct RestoredContent {
    /// Nothing if it goes.
    content: Option<String>,
    /// Whether that is to the byte what stood there before.
    is_exact: bool,
}

fn restored_content(
    file: &Snapshot,
    receipt: Option<&Receipt>,
    client: &Client,
) -> Result<RestoredContent, flyball_clients::registration::Error> {
    if let Some(receipt) = receipt.filter(|receipt| receipt.matches(file)) {
        return Ok(RestoredContent { content: receipt.original.clone(), is_exact: true });
    }
    let rest = unregister(file.text(), &is_ours)?.text;
    let rest = status_line::remove(&rest, client).unwrap_or(rest);
    let was_ours = receipt.is_some_and(|receipt| receipt.original.is_none());
    let is_empty = rest.split_whitespace().collect::<String>() == "{}";
    Ok(RestoredContent { content: (!(was_ours && is_empty)).then_some(rest), is_exact: false })
}
