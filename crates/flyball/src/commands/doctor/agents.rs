//! Whether the agents that the loop asks for exist.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use flyball_policies::r#loop::feedback::Settings;
use flyball_policies::r#loop::feedback::settings::{Domain, Phase};
use serde_json::Value;

use super::installation::Installation;
use super::report::Section;
use crate::install::DetectedClient;
use crate::show::text::one_line;
use crate::views::r#loop::load_settings;

/// The most lines that the head of a definition may have.
const HEAD_LINES: usize = 40;

pub(super) fn examine(installation: &Installation) -> Section {
    let mut section = Section::new("loop");
    let Some(settings) = load_settings(&installation.here) else { return section };
    let required = required_agents(&settings);
    if required.is_empty() {
        return section;
    }
    for detected in installation.relevant_clients().filter(|detected| installation.is_registered(detected)) {
        check_client(installation, detected, (&required, &mut section));
    }
    section
}

fn check_client(
    installation: &Installation,
    detected: &DetectedClient,
    (required, section): (&BTreeSet<Alternatives>, &mut Section),
) {
    let facts = detected.client.facts();
    let title = detected.client.title();
    if facts.agents.is_empty() {
        section
            .note(format!("{title} has no files for agents; the loop asks for {}", listed(required.iter())));
        return;
    }
    let folders = facts.agents.iter().map(|(_, place)| facts.locate(place, &installation.site.places()));
    let folders: BTreeSet<PathBuf> = folders.collect();
    let known: BTreeSet<String> = folders.iter().flat_map(|folder| defined_in(folder)).collect();
    // Agents of plugins have the plugin's name in front, and their files can be anywhere.
    let is_known = |name: &String| known.contains(name) || name.contains(':');
    let missing: Vec<&Alternatives> = required.iter().filter(|names| !names.iter().any(is_known)).collect();
    if missing.is_empty() {
        section.good(format!("{title} has the agents that loop.feedback asks for"));
        return;
    }
    let missing = listed(missing.into_iter());
    section.warn(
        format!("loop.feedback asks for agents that {title} has no definition of: {missing}"),
        "`flyball init --packs loop` writes a reviewer, a test lead and a tester; define the others, or name the agents that you have in flyball.toml",
    );
}

/// Agents of which one is enough. The last one serves every domain.
type Alternatives = Vec<String>;

/// Lists the agents that serve every domain: with them, no other is needed.
fn listed<'a>(required: impl Iterator<Item = &'a Alternatives>) -> String {
    let names: BTreeSet<String> =
        required.filter_map(|names| names.last()).map(|name| one_line(name)).collect();
    names.into_iter().collect::<Vec<_>>().join(", ")
}

/// The agents that the loop asks the client to spawn.
fn required_agents(settings: &Settings) -> BTreeSet<Alternatives> {
    let pairs =
        settings.domain.iter().flat_map(|domain| settings.phase.iter().map(move |phase| (domain, phase)));
    let needed = pairs.filter(|(domain, phase)| {
        // A phase with a command is passed by that command alone, so no agent is spawned for it.
        let is_proven = phase.run.is_some() || domain.run.contains_key(&phase.name);
        !is_proven && !domain.skip.contains(&phase.name)
    });
    needed.map(|(domain, phase)| agents_for(domain, phase)).filter(|names| !names.is_empty()).collect()
}

/// The first of a domain's own agents that is a name and not a pattern, and the first of the phase's.
fn agents_for(domain: &Domain, phase: &Phase) -> Alternatives {
    // The text of a glob is private to its crate; serialised, the globs are a list of texts.
    let own = serde_json::to_value(domain.agents.get(&phase.name)).unwrap_or_default();
    let shared = serde_json::to_value(&phase.agents).unwrap_or_default();
    let first = |list: &Value| -> Option<String> {
        let mut names = list.as_array().into_iter().flatten().filter_map(Value::as_str);
        names.find(|name| !name.contains(['*', '?', '[', '{', '!'])).map(str::to_owned)
    };
    first(&own).into_iter().chain(first(&shared)).collect()
}

/// The names of the agents that are defined in a folder, also in those below it.
fn defined_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names = Vec::new();
    for path in entries.map(|entry| entry.path()) {
        // A symlink to a folder above would never end.
        if path.is_dir() && !path.is_symlink() {
            names.extend(defined_in(&path));
        } else if path.extension().is_some_and(|extension| extension == "md") {
            names.extend(name_in(&path));
        }
    }
    names
}

/// The name in the head of a definition, else that of its file.
fn name_in(path: &Path) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    // Front matter: the first line is `---`, and so is the line after the last key.
    let head = text.lines().skip(1).take(HEAD_LINES).take_while(|line| line.trim_end() != "---");
    let named = head.filter_map(|line| line.strip_prefix("name:")).next();
    let named = named.map(|name| name.trim().trim_matches(['"', '\'']).to_owned());
    named.or_else(|| path.file_stem().map(|stem| stem.to_string_lossy().into_owned()))
}
