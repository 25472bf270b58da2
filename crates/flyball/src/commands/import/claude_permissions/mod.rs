//! `flyball import claude-permissions`: the client's own permission rules, for guard.permissions.

mod rule;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use clap::Args;
use flyball_policies::guard::permissions::check;
use serde_json::Value;

use self::rule::{Converted, List, Owner, convert};
use super::report::{Report, WriteArguments};
use super::source::{Source, locate};
use super::table::preview;
use crate::install::Site;
use crate::outcome::{Done, Failed};
use crate::terminal::Terminal;

const SECTION: &str = "guard.permissions";

/// Keys that are not rules.
const SWITCHES: &[&str] = &["defaultMode", "disableBypassPermissionsMode", "disableAutoMode"];

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
    for settings in find_settings(arguments, &site)? {
        settings.import(&site.root, &mut report);
    }
    report.finish(&arguments.outcome, terminal)
}

/// A settings file of the client.
struct Settings {
    source: Source,
    owner: Owner,
}

fn find_settings(arguments: &Arguments, site: &Site) -> Result<Vec<Settings>, Failed> {
    let user = site.home.join(".claude/settings.json");
    let owner = |path: &Path| if path == user { Owner::User } else { Owner::Project };
    if !arguments.from.is_empty() {
        let paths = arguments.from.iter().map(|path| locate(Some(path), "", site));
        let read =
            |path: PathBuf| Ok(Settings { source: Source::read_required(&path, site)?, owner: owner(&path) });
        return paths.map(read).collect();
    }
    let project = [".claude/settings.json", ".claude/settings.local.json"].map(|name| site.root.join(name));
    let mut found = Vec::new();
    for path in project.iter().chain([&user]) {
        found.extend(Source::read(path, site)?.map(|source| Settings { source, owner: owner(path) }));
    }
    if found.is_empty() {
        return Err(Failed::new(
            "no settings of Claude Code in this project or in your home",
            "name the file with --from FILE",
        ));
    }
    Ok(found)
}

impl Settings {
    fn import(&self, root: &Path, report: &mut Report) {
        let place = self.source.name.as_str();
        let permissions = match self.source.object.get("permissions") {
            Some(Value::Object(permissions)) => permissions,
            Some(_) => return report.add_skipped(place, "permissions", "not an object"),
            None => return report.add_skipped(place, "permissions", "none found"),
        };
        for list in List::ALL {
            let rules = permissions.get(list.name());
            let rules = rules.map(|rules| Rules { place, key: list.name(), value: rules, list });
            rules.into_iter().for_each(|rules| rules.import(report, |rule| convert(rule, list, self.owner)));
        }
        for (key, value) in permissions {
            let what = format!("{key} = {}", preview(value));
            match key.as_str() {
                "allow" | "deny" | "ask" => {}
                "additionalDirectories" => {
                    let rules = Rules { place, key, value, list: List::Allow };
                    rules.import(report, |folder| convert_folder(folder, root));
                }
                key if SWITCHES.contains(&key) => {
                    report.add_skipped(
                        place,
                        &what,
                        "a setting of the client, which flyball does not change",
                    );
                }
                _ => report.add_skipped(place, &what, "unknown key"),
            }
        }
    }
}

/// A list in the client's settings.
struct Rules<'a> {
    place: &'a str,
    key: &'a str,
    value: &'a Value,
    /// The list that they are added to.
    list: List,
}

impl Rules<'_> {
    fn import(&self, report: &mut Report, convert: impl Fn(&str) -> Result<Converted, String>) {
        let Value::Array(rules) = self.value else {
            return report.add_skipped(self.place, self.key, "not a list");
        };
        for rule in rules {
            let Value::String(text) = rule else {
                report.add_skipped(self.place, &format!("{} {}", self.key, preview(rule)), "not a text");
                continue;
            };
            let what = format!("{} {text}", self.key);
            match convert(text) {
                Ok(converted) => {
                    report.add_carried(self.place, &what, converted.describe());
                    let patterns = converted.patterns.iter();
                    patterns.for_each(|pattern| report.additions.push(SECTION, self.list.name(), pattern));
                }
                Err(why) => report.add_skipped(self.place, &what, why),
            }
        }
    }
}

/// A folder in which the client reads, and in some modes edits, as if it were in the project.
fn convert_folder(folder: &str, root: &Path) -> Result<Converted, String> {
    // guard.permissions expands the home itself, and the config may be shared by people with other homes.
    let path = if folder.starts_with("~/") {
        folder.to_owned()
    } else {
        flyball_world::machine::real_path(&root.join(folder)).to_string_lossy().into_owned()
    };
    // Only reads: in the client, edits there depend on the mode of the session.
    let pattern = format!("read:{}/**", path.trim_end_matches('/'));
    check(&pattern)?;
    Ok(Converted { patterns: vec![pattern], note: "edits there still ask" })
}
