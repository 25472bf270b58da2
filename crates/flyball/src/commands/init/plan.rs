//! What `init` would write, worked out before it writes any of it.

use std::path::Path;

use flyball_clients::Client;
use flyball_clients::install::{Scope, is_ours};
use flyball_clients::registration::{Edited, Error, register, unregister};
use flyball_core::text;
use flyball_policies::r#loop::feedback;

use super::config::ConfigFile;
use super::findings::Findings;
use super::template;
use crate::commands::companions::own_sandbox;
use crate::commands::companions::server::{self, OnMissing, ServerEdit};
use crate::commands::companions::status_line::{self, LineEdit};
use crate::commands::companions::wrapper::{self, WrapperEdit};
use crate::commands::companions::{self, Companions, Packs, exclude};
use crate::config_edit::addition::Additions;
use crate::config_edit::merge;
use crate::install::{
    Access, Change, DetectedClient, FileOutcome, Program, Receipt, Site, Snapshot, Step, Steps, backup_paths,
    edit_failure, plugin, scope_name,
};
use crate::outcome::Failed;

/// What to set up, and where.
pub(super) struct SetupContext<'a> {
    pub(super) site: &'a Site,
    pub(super) program: &'a Program,
    pub(super) scope: Scope,
    pub(super) config: &'a ConfigFile,
    pub(super) clients: &'a [DetectedClient],
    pub(super) findings: &'a Findings,
    /// Settings that were asked for.
    pub(super) settings: &'a Additions,
    /// Which agents and commands are written beside the registration.
    pub(super) companions: Packs,
    /// Whether `flyball mcp` is registered if it is not yet.
    pub(super) server: OnMissing,
    /// Whether `flyball statusline` is written where there is no status line yet.
    pub(super) status_line: OnMissing,
    /// Whether commands of agents are started in the seatbelt.
    pub(super) seatbelt: SeatbeltWish,
    /// The settings of the loop; the agents get its markers.
    pub(super) feedback: &'a feedback::Settings,
}

/// Whether commands of agents are started in the seatbelt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SeatbeltWish {
    On,
    Off,
    /// Where flyball is set up for the first time; else it stays as it is.
    OnAtFirst,
    AsItIs,
}

/// Works out what there is to do. Reads files, writes none.
pub(super) fn plan(context: &SetupContext<'_>) -> Result<Steps, Failed> {
    let mut steps: Vec<Step> = config(context)?.into_iter().collect();
    for detected in context.clients {
        let is_first = !is_registered(context, detected)?;
        steps.extend(registration(context, detected, is_first)?);
        if context.scope == Scope::Project {
            steps.extend(wrapper_beside(context, detected, is_first)?);
        }
    }
    for detected in context.clients {
        steps.extend(companions::steps(&Companions {
            site: context.site,
            client: detected.client,
            scope: context.scope,
            phases: &context.feedback.phase,
            packs: context.companions,
        })?);
    }
    for detected in context.clients {
        let server = ServerEdit {
            client: detected.client,
            scope: context.scope,
            program: context.program.called_in(context.scope),
            on_missing: context.server,
        };
        steps.extend(server::step(context.site, &server)?);
    }
    if context.companions.memory && context.scope.is_of_project() {
        steps.push(companions::reports::step(context.site)?);
    }
    Ok(Steps(steps))
}

fn config(context: &SetupContext<'_>) -> Result<Option<Step>, Failed> {
    let file = context.config.file.clone();
    let name = context.site.show(&file.path);
    if file.content().is_some() {
        return plan_config_edit(context, file, name).map(Some);
    }
    // Outside of a project there is nothing to say about one.
    if !context.scope.is_of_project() && context.settings.0.is_empty() {
        return Ok(None);
    }
    let template = match context.scope.is_of_project() {
        true => template::config_file(context.findings, context.settings),
        false => String::new(),
    };
    let text = with_settings(&template, context.settings)?;
    let mut changes = Vec::new();
    if let Some(state) = context.site.state() {
        // The receipt comes before its file: after a crash in between, `uninstall` finds nothing that is
        // unaccounted for.
        changes.push(Receipt::new(&file, &text, None).save_change(state)?);
    }
    changes.push(Change::write(file, text.clone(), Access::Default));
    let about = format!("{}; the rest has its defaults", text::counted(text.lines().count(), "line"));
    Ok(Some(Step { outcome: FileOutcome::New, name, about, changes }))
}

/// A config that is there already: only what was asked for changes in it.
fn plan_config_edit(context: &SetupContext<'_>, file: Snapshot, name: String) -> Result<Step, Failed> {
    let text = with_settings(file.text(), context.settings)?;
    if text == file.text() {
        return Ok(Step::idle(FileOutcome::Kept, name, "exists, not changed"));
    }
    // Once a person has edited the file it is theirs, and a receipt would let `uninstall` delete it.
    let earlier = Receipt::find(&file.path, context.site.state()).filter(|earlier| earlier.matches(&file));
    let mut changes = Vec::new();
    if let (Some(state), Some(earlier)) = (context.site.state(), earlier) {
        // Nobody but us has written the file so far: `uninstall` may still delete it.
        let mut receipt = Receipt::new(&file, &text, earlier.original);
        receipt.created_folders = earlier.created_folders;
        changes.push(receipt.save_change(state)?);
    }
    changes.push(Change::write(file, text, Access::Default));
    let count = context.settings.0.len();
    let about = format!("{} changed", text::counted(count, "setting"));
    Ok(Step { outcome: FileOutcome::Edited, name, about, changes })
}

fn with_settings(text: &str, settings: &Additions) -> Result<String, Failed> {
    merge(text, settings).map_err(|why| {
        let fix = format!("add this by hand:\n\n{}", settings.to_toml());
        Failed::new(format!("cannot edit flyball.toml: {why}; nothing changed"), fix)
    })
}

/// Whether a client has our hooks already.
fn is_registered(context: &SetupContext<'_>, detected: &DetectedClient) -> Result<bool, Failed> {
    let path = detected.client.facts().settings_file(context.scope, &context.site.places());
    let Some(path) = path else { return Ok(false) };
    let clean = without_flyball(Snapshot::read(&path)?.text(), detected.client);
    Ok(clean.map_err(|error| edit_failure(context.site, &path, &error))?.changed)
}

fn registration(
    context: &SetupContext<'_>,
    detected: &DetectedClient,
    is_first: bool,
) -> Result<Vec<Step>, Failed> {
    let client = detected.client;
    let Some(path) = client.facts().settings_file(context.scope, &context.site.places()) else {
        let about = format!("has no {} settings: not registered", scope_name(context.scope));
        return Ok(vec![Step::idle(FileOutcome::Impossible, client.title(), about)]);
    };
    let file = Snapshot::read(&path)?;
    let is_broken = |error| edit_failure(context.site, &path, &error);
    // A client that has our hooks from a plugin would run them twice.
    let plugin = plugin::enabled(client, context.site);
    let entries = match &plugin {
        Some(_) => Vec::new(),
        None => client.entries(context.program.text(), detected.version, context.scope),
    };
    let edited = register(file.text(), &entries, &is_ours).map_err(is_broken)?;
    let (edited, line) = with_status_line(context, detected, edited);
    // What is committed cannot name a program of one machine.
    let (edited, belt) = if context.scope == Scope::Project {
        (edited, String::new())
    } else {
        with_wrapper(context, detected, edited, is_first)
    };
    let name = context.site.show(&path);
    let mut about = match &plugin {
        Some(plugin) => format!("the plugin {} has the events ({})", plugin.name, plugin.file),
        None => format!("{} events of {}", entries.len(), detected.title()),
    };
    about.push_str(line);
    about.push_str(&belt);
    if !edited.changed {
        let already = if plugin.is_some() { ", not registered again" } else { ", registered already" };
        return Ok(vec![Step::idle(FileOutcome::Kept, name, format!("{about}{already}"))]);
    }
    // What the file would be without us: it becomes the original that `uninstall` restores.
    let clean = without_flyball(file.text(), client).map_err(is_broken)?;
    let copy = backup(context.site, &file, &clean)?;
    let outcome = if file.content().is_some() { FileOutcome::Edited } else { FileOutcome::New };
    about.push_str(&difference(&edited, &clean));
    let changes = registration_changes(context.site, file, (edited, clean))?;
    let changes = copy.into_iter().chain(changes).collect();
    Ok(vec![Step { outcome, name, about, changes }])
}

/// The settings with our status line, and a remark about it.
fn with_status_line(
    context: &SetupContext<'_>,
    detected: &DetectedClient,
    edited: Edited,
) -> (Edited, &'static str) {
    let line = (context.program.called_in(context.scope), context.status_line);
    match status_line::add(&edited.text, detected.client, line) {
        LineEdit::Unchanged => (edited, ""),
        LineEdit::Foreign => (edited, "; its own status line is not changed"),
        LineEdit::Written(text) => (Edited { text, changed: true, ..edited }, ", with the status line"),
    }
}

/// The settings with the program that starts commands in the seatbelt, and a remark about it.
fn with_wrapper(
    context: &SetupContext<'_>,
    detected: &DetectedClient,
    edited: Edited,
    is_first: bool,
) -> (Edited, String) {
    let Some(state) = context.site.state() else { return (edited, String::new()) };
    match context.seatbelt {
        SeatbeltWish::On => {}
        SeatbeltWish::OnAtFirst if is_first => {}
        SeatbeltWish::OnAtFirst | SeatbeltWish::AsItIs => return (edited, String::new()),
        SeatbeltWish::Off => {
            return match wrapper::remove(&edited.text, detected.client) {
                Some(text) => {
                    (Edited { text, changed: true, ..edited }, ", commands without the seatbelt".to_owned())
                }
                None => (edited, String::new()),
            };
        }
    }
    if let Some(file) = own_sandbox::switched_on_in(detected.client, &context.site.places()) {
        return with_own_sandbox(context, (detected, &file), edited);
    }
    match wrapper::add(&edited.text, detected.client, state) {
        WrapperEdit::Unchanged => (edited, String::new()),
        WrapperEdit::Foreign => {
            let name = detected.client.facts().shared.shell_wrapper.unwrap_or_default();
            (edited, format!("; its own {name} is not changed"))
        }
        WrapperEdit::Written(text) => {
            (Edited { text, changed: true, ..edited }, ", commands in the seatbelt".to_owned())
        }
    }
}

/// The same where the client's own sandbox is on: its settings have our places, and commands are started as before.
fn with_own_sandbox(
    context: &SetupContext<'_>,
    (detected, file): (&DetectedClient, &Path),
    edited: Edited,
) -> (Edited, String) {
    let client = detected.client;
    let about = format!(", flyball's files in its own sandbox, which is on ({})", context.site.show(file));
    let without = wrapper::remove(&edited.text, client).unwrap_or_else(|| edited.text.clone());
    let places = own_sandbox::places_of_ours(context.site, &context.program.path, context.scope);
    let text = own_sandbox::add(&without, client, &places).unwrap_or(without);
    if text == edited.text {
        return (edited, about);
    }
    (Edited { text, changed: true, ..edited }, about)
}

/// The same for a registration that is committed: in the settings of this person for the project.
fn wrapper_beside(
    context: &SetupContext<'_>,
    detected: &DetectedClient,
    is_first: bool,
) -> Result<Option<Step>, Failed> {
    let client = detected.client;
    let path = client.facts().settings_file(Scope::Local, &context.site.places());
    let Some(path) = path.filter(|_| client.facts().shared.shell_wrapper.is_some()) else { return Ok(None) };
    let file = Snapshot::read(&path)?;
    let is_broken = |error| edit_failure(context.site, &path, &error);
    let clean = without_flyball(file.text(), client).map_err(is_broken)?;
    let unchanged = Edited { text: file.text().to_owned(), changed: false, added: 0, updated: 0, removed: 0 };
    let (edited, about) = with_wrapper(context, detected, unchanged, is_first);
    if !edited.changed {
        return Ok(None);
    }
    let copy = backup(context.site, &file, &clean)?;
    let outcome = if file.content().is_some() { FileOutcome::Edited } else { FileOutcome::New };
    let (name, about) = (context.site.show(&path), format!("for you alone{about}"));
    let left_out = if outcome == FileOutcome::New { exclude::add(context.site, &path)? } else { None };
    let changes = registration_changes(context.site, file, (edited, clean))?;
    let changes = copy.into_iter().chain(left_out).chain(changes).collect();
    Ok(Some(Step { outcome, name, about, changes }))
}

/// The settings without anything of ours.
fn without_flyball(text: &str, client: &Client) -> Result<Edited, Error> {
    let edited = unregister(text, &is_ours)?;
    let without = |edited: Edited, rest: Option<String>| match rest {
        Some(text) => Edited { text, changed: true, ..edited },
        None => edited,
    };
    let rest = status_line::remove(&edited.text, client);
    let edited = without(edited, rest);
    let rest = wrapper::remove(&edited.text, client);
    Ok(without(edited, rest))
}

/// How an existing registration changes.
fn difference(edited: &Edited, clean: &Edited) -> String {
    let Edited { added, updated, removed, .. } = edited;
    if clean.removed == 0 {
        String::new()
    } else {
        format!(" ({added} added, {updated} updated, {removed} removed)")
    }
}

fn registration_changes(
    site: &Site,
    file: Snapshot,
    (edited, clean): (Edited, Edited),
) -> Result<Vec<Change>, Failed> {
    let mut changes = Vec::new();
    if let Some(state) = site.state() {
        let original = file.content().map(|_| clean.text);
        let mut receipt = Receipt::new(&file, &edited.text, original);
        if let Some(earlier) = Receipt::find(&file.path, Some(state)).filter(|earlier| earlier.matches(&file))
        {
            // Nobody but us has written the file since: the earlier original is still right.
            receipt.original = earlier.original;
            receipt.created_folders = earlier.created_folders;
        }
        changes.push(receipt.save_change(state)?);
    }
    changes.push(Change::write(file, edited.text, Access::Default));
    Ok(changes)
}

/// The copy of a file that was there before us.
fn backup(site: &Site, file: &Snapshot, clean: &Edited) -> Result<Option<Change>, Failed> {
    // A file with our entries in it is not an original: a copy of it would replace the one from before.
    let Some(text) = file.content().filter(|_| !clean.changed) else { return Ok(None) };
    let Some(path) = backup_paths(&file.path, site.state()).into_iter().next() else { return Ok(None) };
    let copy = Snapshot::read(&path)?;
    if copy.content() == Some(text) {
        return Ok(None);
    }
    // Settings may hold keys: the copy must not be readable for more people than the file.
    let access = if site.state().is_some() { Access::Private } else { Access::Like(file.target.clone()) };
    Ok(Some(Change::write(copy, text, access)))
}
