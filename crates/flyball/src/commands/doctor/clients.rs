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
        if detected.version.is_none() && installation.is_registered(detected) {
            warn_of_version(detected, &mut section);
        }
    }
    section
}

/// What is missed where nobody knows which version is used.
fn warn_of_version(detected: &DetectedClient, section: &mut Section) {
    let client = detected.client;
    let programs = client.facts().shared.programs.join("` or `");
    let why = match detected.program {
        Some(_) => format!("`{programs}` does not say which version it is"),
        None => format!("`{programs}` is not on the search path, so its version is unknown"),
    };
    let newer = client.newer_events(None);
    let missed = if newer.is_empty() {
        "newer options are not used".to_owned()
    } else {
        format!("newer options are not used, and an older version never reports {}", newer.join(", "))
    };
    section.warn(format!("{why}: {missed}"), "put it on the search path, then run `flyball init` again");
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
    // Without a version there is no answer.
    let unknown = |event: &&str| detected.version.is_some_and(|version| !client.has_event(event, version));
    let unknown: Vec<&str> = ours.iter().copied().filter(unknown).collect();
    let mut missed = detected.version.map(|version| client.newer_events(Some(version))).unwrap_or_default();
    missed.extend(unknown.iter().filter(|event| !missed.contains(event)).copied().collect::<Vec<_>>());
    if !missed.is_empty() {
        section.note(format!(
            "{} does not report {}: what flyball does there is missing",
            detected.title(),
            missed.join(", ")
        ));
    }
    // An older client rejects a file for one unknown event.
    if !unknown.is_empty() && detected.version.is_some_and(|version| !client.ignores_events(version)) {
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
