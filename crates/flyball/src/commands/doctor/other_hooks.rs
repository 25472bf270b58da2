//! Other hooks on the events that flyball is registered for: not an error, but good to know.

use std::collections::{BTreeMap, BTreeSet};

use super::handler;
use super::installation::Installation;
use super::report::Section;
use crate::show::text::{cut, one_line};

/// The longest name of a handler that is shown.
const LONGEST: usize = 60;

pub(super) fn examine(installation: &Installation) -> Section {
    let mut section = Section::new("other hooks");
    let mut hooks: BTreeMap<(String, String), Vec<&str>> = BTreeMap::new();
    for detected in installation.relevant_clients() {
        let ours = installation
            .files_of(detected)
            .flat_map(|file| file.own_handlers().map(|found| found.event.as_str()));
        let ours: BTreeSet<&str> = ours.collect();
        for registered in installation.files_of(detected) {
            let shared = registered.foreign_handlers().filter(|found| ours.contains(found.event.as_str()));
            for found in shared {
                let name = cut(&one_line(&handler::name(&found.handler)), LONGEST);
                let events = hooks.entry((installation.site.show(&registered.file.path), name)).or_default();
                if !events.contains(&found.event.as_str()) {
                    events.push(&found.event);
                }
            }
        }
    }
    for ((file, name), events) in hooks {
        section.note(format!("`{name}` also runs on {} ({file})", events.join(", ")));
    }
    section
}
