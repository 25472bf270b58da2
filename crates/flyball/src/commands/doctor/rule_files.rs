//! The files with the project's rules for agents, and how many rules flyball finds in each.

use flyball_core::config::Mode;
use flyball_core::path::AbsolutePath;
use flyball_core::text::counted;
use flyball_knowledge::node::{self, Topic};
use flyball_policies::memory;

use super::installation::Installation;
use super::report::Section;
use crate::commands::memory::nodes;
use crate::commands::memory::place::machine;
use crate::project_context::mode_in;

/// More files are only counted.
const MOST_FILES: usize = 20;

pub(super) fn examine(installation: &Installation) -> Section {
    let mut section = Section::new("rules for agents");
    let machine = machine(&installation.site.root);
    let files = nodes::all(&machine, &installation.site.root);
    if files.is_empty() {
        return section;
    }
    let is_on = mode_in(&installation.here.load_config().config, &memory::context::POLICY) != Mode::Off;
    for file in files.iter().take(MOST_FILES) {
        let folder = file.parent().map(AbsolutePath::from_path);
        let node = folder.and_then(|folder| node::node_in(&machine, &folder));
        let count = node.map_or(0, |node| node::rules(&node).len());
        let shown = installation.site.show(file);
        match count {
            0 if is_on => {
                section.warn(format!("{shown}: no rules, so an agent is shown none before edits"), &reason())
            }
            0 => section.note(format!("{shown}: no rules; {}", reason())),
            count => section.good(format!("{shown}: {}", counted(count, "rule"))),
        }
    }
    if files.len() > MOST_FILES {
        section.note(format!("and {} more", files.len() - MOST_FILES));
    }
    if !is_on {
        section.note("they are not shown before edits: memory is off (`flyball init --packs memory`)");
    }
    section
}

fn reason() -> String {
    let headings: Vec<&str> = Topic::ALL.iter().map(|topic| topic.heading()).collect();
    format!("write them as lists below the headings {}", headings.join(", "))
}
