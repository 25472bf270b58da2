//! The clients in use: their versions, the events they support, and which of them are registered.

use flyball_clients::install::Scope;
use std::collections::BTreeSet;

use super::installation::Installation;
use super::report::Section;
use crate::install::DetectedClient;

pub(super) fn examine(installation: &Installation) -> Section {
    let mut section = Section::new("clients");
    let unregistered = !installation.clients.iter().any(|detected| installation.is_registered(detected));
    if unregistered {
        section.bad(
            "flyball is registered with no client: nothing is enforced",
            "to register it: `flyball init`",
        );
    }
    for detected in installation.relevant_clients() {
        if installation.has_handlers(detected) {
            check_events(installation, detected, &mut section);
        } else if installation.is_registered(detected) {
            section.good(format!("{} has the hooks of the plugin", named(installation, detected)));
        } else if !detected.in_project && !unregistered {
            let id = detected.client.id();
            let name = named(installation, detected);
            section.note(format!(
                "{name} is not used in this project; `flyball init --client {id}` registers it"
            ));
        } else if unregistered {
            section.note(format!("{} is in use", named(installation, detected)));
        } else {
            let fix = format!("to register it: `flyball init --client {}`", detected.client.id());
            section.warn(
                format!("{} is in use, and flyball is not registered with it", named(installation, detected)),
                &fix,
            );
        }
        if detected.program.is_none() && installation.is_registered(detected) {
            let programs = detected.client.facts().shared.programs.join("` or `");
            section.warn(
                format!("`{programs}` is not on the search path: its version is unknown, so newer events may be missing"),
                "put it on the search path, then run `flyball init` again",
            );
        }
    }
    section
}

fn named(installation: &Installation, detected: &DetectedClient) -> String {
    match (&detected.program, detected.version) {
        (Some(program), Some(_)) => format!("{} ({})", detected.title(), installation.site.show(program)),
        (Some(program), None) => {
            format!("{} ({}, version unknown)", detected.title(), installation.site.show(program))
        }
        (None, _) => format!("{} (program not found)", detected.title()),
    }
}

fn check_events(installation: &Installation, detected: &DetectedClient, section: &mut Section) {
    let client = detected.client;
    let supported = client.entries(installation.program.text(), detected.version, Scope::User);
    let supported: BTreeSet<&str> = supported.iter().map(|entry| entry.event.as_str()).collect();
    let ours = installation
        .files_of(detected)
        .flat_map(|file| file.own_handlers().map(|found| found.event.as_str()));
    let ours: BTreeSet<&str> = ours.collect();
    let missing: Vec<&str> = supported.difference(&ours).copied().collect();
    let honoured = supported.intersection(&ours).count();
    section.good(format!("{} honours {honoured} registered events", named(installation, detected)));
    if !missing.is_empty() {
        section.warn(format!("not registered: {}", missing.join(", ")), "to add them: `flyball init`");
    }
    // Without a version there is no answer: an older client may reject a file for one unknown event.
    let unknown = |event: &&str| detected.version.is_some_and(|version| !client.has_event(event, version));
    let unknown: Vec<&str> = ours.iter().copied().filter(unknown).collect();
    if !unknown.is_empty() {
        let what = format!(
            "this version does not know {}, so it may ignore all hooks of the file",
            unknown.join(", ")
        );
        section.bad(what, "update the client, or run `flyball init` to fit the registration to this version");
    }
    if let Some(step) = client.facts().after_install {
        section.note(step);
    }
}
