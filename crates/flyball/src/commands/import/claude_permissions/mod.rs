//! `flyball import claude-permissions`: the client's own permission rules, for guard.permissions.

mod rule;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::Value;

use self::rule::{List, Owner, convert};
use super::WriteArguments;
use super::report::Report;
use super::source::{Source, preview};
use crate::environment;
use crate::install::Site;
use crate::outcome::{Done, Failed};
use crate::terminal::Terminal;

/// The section that is written.
const SECTION: &str = "guard.permissions";

/// What keys of the client's that are no rules are.
const SWITCHES: &[(&str, &str)] = &[
    ("defaultMode", "the client's own mode, which flyball leaves as it is"),
    ("disableBypassPermissionsMode", "a switch of the client's, which flyball leaves as it is"),
    ("disableAutoMode", "a switch of the client's, which flyball leaves as it is"),
];

/// Arguments of `flyball import claude-permissions`.
#[derive(Args)]
pub(super) struct Arguments {
    /// Read this settings file (repeatable) [default: those of the project and of the user]
    #[arg(long, value_name = "FILE")]
    from: Vec<PathBuf>,
    #[command(flatten)]
    outcome: WriteArguments,
}

pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    let site = Site::find()?;
    let mut report = Report::default();
    let sources = sources(arguments, &site)?;
    for (source, owner) in &sources {
        import_file(source, *owner, &site.root, &mut report);
    }
    report.finish(&arguments.outcome, terminal)
}

fn sources(arguments: &Arguments, site: &Site) -> Result<Vec<(Source, Owner)>, Failed> {
    let user = site.home.join(".claude/settings.json");
    if !arguments.from.is_empty() {
        let here = environment::working_directory().unwrap_or_else(|| site.root.clone());
        let owner = |path: &Path| if path == user { Owner::User } else { Owner::Project };
        let paths = arguments.from.iter().map(|path| here.join(path));
        return paths.map(|path| Ok((Source::read_required(&path, &site.root)?, owner(&path)))).collect();
    }
    let files = [
        (site.root.join(".claude/settings.json"), Owner::Project),
        (site.root.join(".claude/settings.local.json"), Owner::Project),
        (user, Owner::User),
    ];
    let mut found = Vec::new();
    for (path, owner) in files {
        found.extend(Source::read(&path, &site.root)?.map(|source| (source, owner)));
    }
    if found.is_empty() {
        return Err(Failed::new(
            "there are no settings of Claude Code, neither in this project nor in your home",
            "--from FILE names one elsewhere",
        ));
    }
    Ok(found)
}

/// Takes over what one file says.
fn import_file(source: &Source, owner: Owner, root: &Path, report: &mut Report) {
    let permissions = match source.object.get("permissions") {
        Some(Value::Object(permissions)) => permissions,
        Some(other) => {
            return report.add_skipped(
                &source.name,
                "permissions",
                format!("{} is no object", preview(other)),
            );
        }
        None => return report.add_skipped(&source.name, "permissions", "there are none"),
    };
    for list in List::ALL {
        match permissions.get(list.name()) {
            Some(Value::Array(rules)) => {
                rules.iter().for_each(|rule| import_rule(rule, (list, owner), &source.name, report));
            }
            Some(other) => {
                report.add_skipped(&source.name, list.name(), format!("{} is no list", preview(other)))
            }
            None => {}
        }
    }
    for (key, value) in permissions {
        match key.as_str() {
            "allow" | "deny" | "ask" => {}
            "additionalDirectories" => import_folders(value, root, &source.name, report),
            other => {
                let known = SWITCHES.iter().find(|(name, _)| *name == other);
                let why = known.map_or("flyball does not know this key", |(_, why)| *why);
                report.add_skipped(&source.name, &format!("{other} = {}", preview(value)), why);
            }
        }
    }
}

fn import_rule(rule: &Value, (list, owner): (List, Owner), place: &str, report: &mut Report) {
    let Value::String(text) = rule else {
        return report.add_skipped(place, &format!("{} {}", list.name(), preview(rule)), "it is no text");
    };
    let what = format!("{} {text}", list.name());
    match convert(text, list, owner) {
        Ok(turned) => {
            let mut into = turned.patterns.join(", ");
            if !turned.note.is_empty() {
                into.push_str(&format!(" ({})", turned.note));
            }
            report.add_carried(place, &what, into);
            let patterns = turned.patterns.iter();
            patterns.for_each(|pattern| report.additions.push(SECTION, list.name(), pattern));
        }
        Err(why) => report.add_skipped(place, &what, why),
    }
}

/// Folders in which the client reads, and edits where its mode says so, as if they were the
/// project's.
fn import_folders(value: &Value, root: &Path, place: &str, report: &mut Report) {
    let Value::Array(folders) = value else {
        return report.add_skipped(place, "additionalDirectories", format!("{} is no list", preview(value)));
    };
    for folder in folders {
        let Value::String(text) = folder else {
            report.add_skipped(place, &format!("additionalDirectories {}", preview(folder)), "it is no text");
            continue;
        };
        let what = format!("additionalDirectories {text}");
        let pattern = format!("read:{}/**", absolute(text, root).trim_end_matches('/'));
        match flyball_policies::guard::permissions::check(&pattern) {
            Ok(()) => {
                report.add_carried(place, &what, format!("{pattern} (edits there are still asked about)"));
                report.additions.push(SECTION, List::Allow.name(), &pattern);
            }
            Err(why) => report.add_skipped(place, &what, why),
        }
    }
}

/// A folder by its absolute path, or from the home.
fn absolute(folder: &str, root: &Path) -> String {
    if folder.starts_with("~/") {
        return folder.to_owned();
    }
    flyball_world::machine::real_path(&root.join(folder)).to_string_lossy().into_owned()
}
