//! The clients in use: which version, which events it honours, which of them are registered.

use std::collections::BTreeSet;

use super::installation::Installation;
use super::report::Section;
use crate::install::DetectedClient;

pub(super) fn examine(patient: &Installation) -> Section {
    let mut section = Section::new("clients");
    let nobody = !patient.clients.iter().any(|detected| patient.is_registered(detected));
    if nobody {
        section.bad(
            "flyball is registered with no client: nothing is enforced",
            "to register it: `flyball init`",
        );
    }
    for detected in patient.relevant_clients() {
        if patient.is_registered(detected) {
            check_events(patient, detected, &mut section);
        } else if nobody {
            section.note(format!("{} is in use", named(patient, detected)));
        } else {
            let fix = format!("to register it: `flyball init --client {}`", detected.client.id());
            section.warn(
                format!("{} is in use, and flyball is not registered with it", named(patient, detected)),
                &fix,
            );
        }
    }
    section
}

fn named(patient: &Installation, detected: &DetectedClient) -> String {
    match (&detected.program, detected.version) {
        (Some(program), Some(_)) => format!("{} ({})", detected.title(), patient.site.show(program)),
        (Some(program), None) => {
            format!("{} ({}, version unknown)", detected.title(), patient.site.show(program))
        }
        (None, _) => format!("{} (program not found)", detected.title()),
    }
}

fn check_events(patient: &Installation, detected: &DetectedClient, section: &mut Section) {
    let client = detected.client;
    let wanted = client.entries(patient.program.text(), detected.version);
    let wanted: BTreeSet<&str> = wanted.iter().map(|entry| entry.event.as_str()).collect();
    let ours =
        patient.files_of(detected).flat_map(|file| file.own_handlers().map(|found| found.event.as_str()));
    let ours: BTreeSet<&str> = ours.collect();
    let missing: Vec<&str> = wanted.difference(&ours).copied().collect();
    let honoured = wanted.intersection(&ours).count();
    section.good(format!("{} honours {honoured} registered events", named(patient, detected)));
    if !missing.is_empty() {
        section.warn(format!("not registered: {}", missing.join(", ")), "to add them: `flyball init`");
    }
    let unknown = |event: &&str| detected.version.is_some_and(|version| !client.has_event(event, version));
    let unknown: Vec<&str> = ours.iter().copied().filter(unknown).collect();
    if !unknown.is_empty() {
        let what =
            format!("this version does not know {}; that can cost all hooks of the file", unknown.join(", "));
        section.bad(what, "update the client, or let `flyball init` fit the registration to it");
    }
    if let Some(step) = client.facts().after_install {
        section.note(step);
    }
}
