//! Where flyball is registered, and whether the registered programs work.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use flyball_clients::install::{Version, program_of_gate};
use flyball_clients::registration::Found;
use flyball_clients::{CLIENTS, Client};

use super::handler::{self, Form};
use super::installation::Installation;
use super::report::Section;
use crate::install::{
    HookRegistrations, Program, Unreadable, is_executable, plugin, scope_name, scope_option, version_of,
};

pub(super) fn examine(installation: &Installation) -> Section {
    let mut section = Section::new("registration");
    for registered in &installation.files {
        if let Err(problem) = &registered.handlers {
            unreadable(installation, registered, problem, &mut section);
        } else if registered.own_handlers().next().is_some() {
            file(installation, registered, &mut section);
        }
    }
    plugins(installation, &mut section);
    open_gate(installation, &mut section);
    duplicates(installation, &mut section);
    section
}

fn unreadable(
    installation: &Installation,
    registered: &HookRegistrations,
    problem: &Unreadable,
    section: &mut Section,
) {
    let shown = installation.site.show(&registered.file.path);
    let client = registered.file.client.title();
    match problem {
        Unreadable::Content(error) => {
            let help = error.problem.help().unwrap_or("fix the file");
            section.bad(format!("{shown}:{error}; {client} ignores what it cannot read"), help);
        }
        Unreadable::File(error) => section.bad(error.to_string(), "make it readable"),
    }
}

fn file(installation: &Installation, registered: &HookRegistrations, section: &mut Section) {
    let file = &registered.file;
    let shown = installation.site.show(&file.path);
    let repair =
        format!("`flyball init{} --client {}` rewrites it", scope_option(file.scope), file.client.id());
    let events: BTreeSet<&str> = registered.own_handlers().map(|found| found.event.as_str()).collect();
    let owner = format!("{}, {}", file.client.title(), scope_name(file.scope));
    section.good(format!("{shown} ({owner}): {} events", events.len()));
    programs(installation, registered, (&repair, section));
    let version = installation.clients.iter().find(|detected| detected.client.id() == file.client.id());
    let version = version.and_then(|detected| detected.version);
    let entries = file.client.entries(installation.program.text(), version, file.scope);
    let has = |event: &str, key: &str| {
        let entry = entries.iter().find(|entry| entry.event == event);
        entry.is_some_and(|entry| entry.handler.iter().any(|(known, _)| known == key))
    };
    let is_gate = |found: &&Found| program_of_gate(line_of(found)).is_some();
    let through_shell = registered
        .own_handlers()
        .filter(|found| handler::form(&found.handler) == Form::Shell && !is_gate(found))
        // Older clients know only the shell form; for them it is right.
        .filter(|found| has(&found.event, "args") || entries.iter().all(|entry| entry.event != found.event))
        .count();
    let wants_gate = |found: &&Found| {
        let entry = entries.iter().find(|entry| entry.event == found.event);
        let mut fields = entry.into_iter().flat_map(|entry| &entry.handler);
        fields.any(|(key, value)| {
            let is_line =
                key == "command" && value.as_str().is_some_and(|line| program_of_gate(line).is_some());
            (is_line && !is_gate(found))
                || (is_failure_option(file.client, key) && found.handler.get(key) != Some(value))
        })
    };
    let open = registered.own_handlers().filter(wants_gate).count();
    if open > 0 {
        let what = format!("{shown}: {open} of them let everything pass if the program is missing or killed");
        section.warn(what, &repair);
    }
    if through_shell > 0 {
        section.warn(
            format!("{shown}: a shell is started first for {through_shell} of them, which is slow"),
            &repair,
        );
    }
}

/// What `uninstall` leaves behind opens the gate of registrations that are there all the same.
fn open_gate(installation: &Installation, section: &mut Section) {
    let is_registered = installation.files.iter().any(|it| it.own_handlers().next().is_some());
    if is_registered && installation.site.state().is_some_and(Program::is_forgotten) {
        section.warn(
            "flyball was uninstalled here, so its hooks let everything pass if the program is missing"
                .to_owned(),
            "`flyball init` (or `flyball init --user`) sets it up again",
        );
    }
}

/// The line or program of a handler.
fn line_of(found: &Found) -> &str {
    found.handler.get("command").and_then(serde_json::Value::as_str).unwrap_or_default()
}

/// Whether a field of a handler says what the client does if the hook fails.
fn is_failure_option(client: &Client, key: &str) -> bool {
    client.facts().failure.option.is_some_and(|option| option.key == key)
}

/// Looks at every program that the entries of a file name.
fn programs(
    installation: &Installation,
    registered: &HookRegistrations,
    (repair, section): (&str, &mut Section),
) {
    let named: BTreeSet<PathBuf> =
        registered.own_handlers().filter_map(|found| handler::program(&found.handler)).collect();
    let shown = installation.site.show(&registered.file.path);
    for program in named {
        let path = installation.site.show(&program);
        match condition(&program, installation) {
            Condition::This => {}
            Condition::Missing => {
                section.bad(format!("{shown} runs {path}, which does not exist: these hooks fail"), repair)
            }
            Condition::NotExecutable => {
                section.bad(format!("{shown} runs {path}, which cannot be executed"), repair)
            }
            Condition::Other(None) => {
                section.bad(format!("{shown} runs {path}, which does not report its version"), repair)
            }
            Condition::Other(Some(version)) if version.to_string() == env!("CARGO_PKG_VERSION") => {
                section.note(format!("{shown} runs another copy of this version, {path}"));
            }
            Condition::Other(Some(version)) => {
                let this = env!("CARGO_PKG_VERSION");
                section.warn(format!("{shown} runs flyball {version} ({path}), this is {this}"), repair);
            }
        }
    }
}

/// The state of a registered program.
enum Condition {
    /// It is this one.
    This,
    Missing,
    NotExecutable,
    /// It is another one, with its version if it reports one.
    Other(Option<Version>),
}

fn condition(program: &Path, installation: &Installation) -> Condition {
    // A bare name is looked up as the registered line does.
    let found = if program.components().count() == 1 {
        Program::started_by_projects(installation.site.state())
    } else {
        Some(program.to_owned())
    };
    let Some(real) = found.and_then(|path| path.canonicalize().ok()) else { return Condition::Missing };
    if real == installation.program.path {
        Condition::This
    } else if is_executable(&real) {
        Condition::Other(version_of(&real))
    } else {
        Condition::NotExecutable
    }
}

/// Lists the clients that have our hooks from a plugin, and warns if a settings file has them too.
fn plugins(installation: &Installation, section: &mut Section) {
    for client in CLIENTS {
        let Some(plugin) = plugin::enabled(client, &installation.site) else { continue };
        let title = client.title();
        section.good(format!("{} ({title}): hooks come from the plugin {}", plugin.file, plugin.name));
        if Program::started_by_projects(installation.site.state()).is_none() {
            let what =
                "the plugin runs `flyball`, which is not on the search path: its hooks do nothing".to_owned();
            // The plugin is the same for everyone, so it cannot name a path.
            section.bad(what, "put flyball on the search path");
        }
        let is_double = |it: &&HookRegistrations| {
            it.file.client.id() == client.id() && it.own_handlers().next().is_some()
        };
        for registered in installation.files.iter().filter(is_double) {
            let shown = installation.site.show(&registered.file.path);
            let what = format!("{title} calls flyball twice: for the plugin and for {shown}");
            let help = format!(
                "`flyball uninstall{}` removes it from the file",
                scope_option(registered.file.scope)
            );
            section.warn(what, &help);
        }
    }
}

/// Finds events that are registered more than once with one client, which then runs flyball more than once.
fn duplicates(installation: &Installation, section: &mut Section) {
    let mut places: BTreeMap<(&str, &str), Vec<String>> = BTreeMap::new();
    for registered in &installation.files {
        let shown = installation.site.show(&registered.file.path);
        for found in registered.own_handlers() {
            places.entry((registered.file.client.title(), &found.event)).or_default().push(shown.clone());
        }
    }
    // Grouped by the files, so that two full registrations are one line and not thirty.
    let mut events: BTreeMap<(&str, Vec<String>), Vec<&str>> = BTreeMap::new();
    for ((client, event), places) in places.into_iter().filter(|(_, places)| places.len() > 1) {
        events.entry((client, places)).or_default().push(event);
    }
    for ((client, places), events) in events {
        let few = if events.len() > 3 { format!("{} events", events.len()) } else { events.join(", ") };
        let what =
            format!("{client} calls flyball {} times for {few}: {}", places.len(), places.join(" and "));
        section.warn(what, "`flyball uninstall` removes it from one of them (--local, --user, --managed)");
    }
}
