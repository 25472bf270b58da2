//! When each event was last seen, from the record.

use flyball_clients::install::Scope;
use std::collections::BTreeMap;

use flyball_core::event::EventKind;
use flyball_core::time::Time;
use jiff::Zoned;

use super::installation::Installation;
use super::report::Section;
use crate::install::DetectedClient;
use crate::show::time::ago;

pub(super) fn examine(installation: &Installation) -> Section {
    let mut section = Section::new("last seen");
    if !installation.site.state().is_some_and(|state| state.join("sessions").exists()) {
        section.note("no event yet: start a session");
        return section;
    }
    // A record that cannot be read is reported above.
    let Ok(archive) = installation.here.archive() else { return section };
    for detected in installation.relevant_clients().filter(|detected| installation.is_registered(detected)) {
        let seen = archive.index.last_seen_by_kind(detected.client.id()).unwrap_or_default();
        report_client(installation, detected, (&seen, &mut section));
    }
    section
}

fn report_client(
    installation: &Installation,
    detected: &DetectedClient,
    (seen, section): (&BTreeMap<EventKind, Time>, &mut Section),
) {
    let now = Zoned::now();
    let client = detected.client;
    let title = client.title();
    let entries = client.entries(installation.program.text(), detected.version, Scope::User);
    let when = |event: &str| client.kinds_of(event).iter().filter_map(|kind| seen.get(kind).copied()).max();
    let (known, never): (Vec<_>, Vec<_>) =
        entries.iter().map(|entry| entry.event.as_str()).partition(|event| when(event).is_some());
    if known.is_empty() {
        section.note(format!("{title}: no event yet; start a session"));
        return;
    }
    let mut known: Vec<(Time, &str)> =
        known.into_iter().filter_map(|event| Some((when(event)?, event))).collect();
    known.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
    let known: Vec<String> =
        known.iter().map(|(at, event)| format!("{event} {} ago", ago(*at, &now))).collect();
    section.good(format!("{title}: {}", known.join(", ")));
    if !never.is_empty() {
        section.note(format!("{title}, never: {}", never.join(", ")));
    }
}
