//! What keeps registered hooks from running.

use flyball_clients::install::Blocker;
use serde_json::Value;

use super::installation::Installation;
use super::report::Section;
use crate::install::{DetectedClient, Snapshot};

pub(super) fn examine(installation: &Installation) -> Section {
    let mut section = Section::new("blockers");
    for detected in installation.relevant_clients() {
        for blocker in detected.client.facts().blockers {
            check_blocker(installation, detected, (blocker, &mut section));
        }
    }
    if !section.has_findings() {
        section.good("no settings keep hooks from running");
    }
    section
}

fn check_blocker(
    installation: &Installation,
    detected: &DetectedClient,
    (blocker, section): (&Blocker, &mut Section),
) {
    let path = detected.client.facts().locate(&blocker.place, &installation.site.places());
    // A settings file that cannot be read is reported with the registrations; others do not matter.
    let Ok(file) = Snapshot::read(&path) else { return };
    let is_toml = path.extension().is_some_and(|extension| extension == "toml");
    let value =
        if is_toml { toml_value(file.text(), blocker.key) } else { json_value(file.text(), blocker.key) };
    if value == Some(blocker.harmful) {
        let key = blocker.key.join(".");
        let shown = installation.site.show(&path);
        let what = format!(
            "`{key} = {}` in {shown}: {} in {}",
            blocker.harmful,
            blocker.effect,
            detected.client.title()
        );
        section.bad(what, "remove it from the file");
    }
}

fn json_value(text: &str, key: &[&str]) -> Option<bool> {
    // Editors on Windows start a file with a byte order mark, which JSON does not allow.
    let root: Value = serde_json::from_str(text.trim_start_matches('\u{feff}')).ok()?;
    key.iter().try_fold(&root, |value, key| value.get(key))?.as_bool()
}

/// The value of a key in a TOML file that belongs to somebody else, line by line: the rest of it
/// may be newer than any parser of ours.
fn toml_value(text: &str, key: &[&str]) -> Option<bool> {
    let path = key.join(".");
    let mut table = String::new();
    for line in text.lines() {
        // A `#` within quotes is cut as well, which cannot change a value that is true or false.
        let line = line.split('#').next().unwrap_or_default().trim();
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            table = format!("{}.", spaceless(name));
        } else if let Some((name, value)) = line.split_once('=')
            && format!("{table}{}", spaceless(name)) == path
        {
            return value.trim().parse().ok();
        }
    }
    None
}

fn spaceless(name: &str) -> String {
    name.chars().filter(|letter| !letter.is_whitespace() && *letter != '"').collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_found_in_both_kinds_of_files() {
        let json = [
            (r#"{"disableAllHooks": true}"#, Some(true)),
            ("{}", None),
            ("{", None),
            (r#"{"disableAllHooks": 1}"#, None),
        ];
        for (text, expected) in json {
            assert_eq!(json_value(text, &["disableAllHooks"]), expected, "{text}");
        }
        let toml = [
            ("[features]\nhooks = false # off\n", Some(false)),
            ("features.hooks=false", Some(false)),
            ("[features]\n\"hooks\" = true", Some(true)),
            ("[other]\nhooks = false\n", None),
            ("[features]\n# hooks = false\n", None),
        ];
        for (text, expected) in toml {
            assert_eq!(toml_value(text, &["features", "hooks"]), expected, "{text}");
        }
    }
}
