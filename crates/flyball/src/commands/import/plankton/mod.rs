//! `flyball import plankton`: `.claude/hooks/config.json`, for quality, guard.packages and
//! guard.protected.

mod fixer;
mod quality;

use std::path::PathBuf;

use clap::Args;
use flyball_policies::guard::packages;
use serde_json::Value;

use super::WriteArguments;
use super::addition;
use super::report::Report;
use super::source::{Source, preview};
use crate::environment;
use crate::install::Site;
use crate::outcome::{Done, Failed};
use crate::terminal::Terminal;

/// Where the file lies.
const FILE: &str = ".claude/hooks/config.json";

/// What it protects if nobody says otherwise: flyball protects all of these.
const PROTECTED: &[&str] = &[
    ".markdownlint.jsonc",
    ".markdownlint-cli2.jsonc",
    ".shellcheckrc",
    ".yamllint",
    ".hadolint.yaml",
    ".jscpd.json",
    ".flake8",
    "taplo.toml",
    ".ruff.toml",
    "ty.toml",
    "biome.json",
    ".oxlintrc.json",
    ".semgrep.yml",
    "knip.json",
];

/// Keys, or the beginnings of keys, that flyball has no place for, and what they would be. The
/// longest that fits counts.
const UNSUPPORTED: &[(&str, &str)] = &[
    (
        "subprocess.timeout",
        "it is of the old form; write `timeout_seconds` below [quality.fixer], or in a tier below [quality.fixer.tiers]",
    ),
    (
        "subprocess.model_selection",
        "it is of the old form; write `patterns` of each tier below [quality.fixer.tiers], and `volume` below [quality.fixer]",
    ),
    ("cc_tested_version", "a note that nothing read"),
];

/// Arguments of `flyball import plankton`.
#[derive(Args)]
pub(super) struct Arguments {
    /// Read this file [default: .claude/hooks/config.json of the project]
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    #[command(flatten)]
    outcome: WriteArguments,
}

pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    let site = Site::find()?;
    let here = environment::working_directory().unwrap_or_else(|| site.root.clone());
    let path = arguments.from.as_ref().map_or_else(|| site.root.join(FILE), |path| here.join(path));
    let source = Source::read_required(&path, &site.root)?;
    let mut import = Import { place: source.name, report: Report::default() };
    for (key, value) in &source.object {
        match key.as_str() {
            "package_managers" => import.package_managers(value),
            "protected_files" => import.protected_files(value),
            "hook_enabled" => import.hook_enabled(value),
            "languages" => import.languages(value),
            "phases" => import.phases(value),
            "subprocess" => import.subprocess(value),
            "jscpd" => import.duplicates(value),
            "security_linter_exclusions" => import.exclusions(key, value),
            "exclusions" if source.object.contains_key("security_linter_exclusions") => {
                let what = format!("{key} = {}", preview(value));
                import.skip(&what, "it is the old name of `security_linter_exclusions`, which counts");
            }
            "exclusions" => import.exclusions(key, value),
            // Remarks for editors and readers.
            "$schema" | "_comment" => {}
            _ => import.skip_unsupported(key, value),
        }
    }
    import.report.finish(&arguments.outcome, terminal)
}

struct Import {
    place: String,
    report: Report,
}

impl Import {
    fn add_carried(&mut self, what: &str, into: impl Into<String>) {
        self.report.add_carried(&self.place, what, into);
    }

    fn skip(&mut self, what: &str, why: impl Into<String>) {
        self.report.add_skipped(&self.place, what, why);
    }

    fn package_managers(&mut self, value: &Value) {
        let Value::Object(managers) = value else {
            return self.skip("package_managers", format!("{} is no object", preview(value)));
        };
        let known = ["python", "javascript", "allowed_subcommands"];
        let is_known = |key: &str| known.contains(&key);
        let others = managers.iter().filter(|(key, _)| !is_known(key));
        // The section before the one below it.
        let ordered = known.iter().filter_map(|key| managers.get_key_value(*key)).chain(others);
        for (key, value) in ordered {
            match key.as_str() {
                "python" => self.manager(key, value, &["uv"]),
                "javascript" => self.manager(key, value, &["bun", "npm", "pnpm", "yarn"]),
                "allowed_subcommands" => self.allowed_subcommands(value),
                _ => {
                    let what = format!("package_managers.{key} = {}", preview(value));
                    self.skip(&what, "flyball does not know this key");
                }
            }
        }
    }

    fn manager(&mut self, ecosystem: &str, value: &Value, known: &[&str]) {
        let what = format!("package_managers.{ecosystem} = {}", preview(value));
        let choice = match value {
            Value::Bool(false) => Ok("off"),
            Value::String(text) if known.contains(&text.strip_suffix(":warn").unwrap_or(text)) => {
                Ok(text.as_str())
            }
            Value::Null => {
                Err("it says nothing, so flyball's default holds: `auto` follows the lock file".to_owned())
            }
            // What a wizard made of `false`. It meant the opposite.
            Value::String(text) if text == "False" => {
                Err(format!("it is no package manager; write `{ecosystem} = \"off\"` if `false` was meant"))
            }
            _ => Err("it is no package manager that can be chosen".to_owned()),
        };
        match choice {
            Ok(choice) => {
                self.add_carried(&what, format!("guard.packages.{ecosystem} = \"{choice}\""));
                let value = addition::Value::Text(choice.to_owned());
                self.report.additions.set("guard.packages", ecosystem, value);
            }
            Err(why) => self.skip(&what, why),
        }
    }

    fn allowed_subcommands(&mut self, value: &Value) {
        let Value::Object(tools) = value else {
            return self
                .skip("package_managers.allowed_subcommands", format!("{} is no object", preview(value)));
        };
        let free = default_allowed();
        for (tool, value) in tools {
            let what = format!("package_managers.allowed_subcommands.{tool} = {}", preview(value));
            match (free.get(tool).map(texts), texts(value)) {
                (None, _) => self.skip(&what, "guard.packages does not know this tool"),
                (_, None) => self.skip(&what, "it is no list of texts"),
                (Some(Some(free)), Some(list)) if same(&free, &list) => self.skip(&what, "it is the default"),
                (Some(_), Some(list)) => {
                    let value = addition::Value::List(list);
                    self.add_carried(&what, format!("guard.packages.allow.{tool} = {}", value.inline()));
                    self.report.additions.set("guard.packages.allow", tool, value);
                }
            }
        }
    }

    fn protected_files(&mut self, value: &Value) {
        let what = format!("protected_files = {}", preview(value));
        let Some(names) = texts(value) else { return self.skip(&what, "it is no list of texts") };
        if names.is_empty() {
            return self.skip(&what, "an empty list means the defaults, which flyball protects anyway");
        }
        for name in &names {
            let what = format!("protected_files {name}");
            if PROTECTED.contains(&name.as_str()) {
                self.skip(&what, "it is protected by default");
            } else {
                self.add_carried(&what, format!("guard.protected.paths: {name}"));
                self.report.additions.push("guard.protected", "paths", name);
            }
        }
        for name in PROTECTED.iter().filter(|name| !names.iter().any(|it| it == *name)) {
            self.add_carried(
                &format!("protected_files without {name}"),
                format!("guard.protected.unprotect: {name}"),
            );
            self.report.additions.push("guard.protected", "unprotect", name);
        }
    }

    /// Says of every value below a key that it has no place.
    fn skip_unsupported(&mut self, key: &str, value: &Value) {
        if let Value::Object(below) = value {
            return below
                .iter()
                .for_each(|(name, value)| self.skip_unsupported(&format!("{key}.{name}"), value));
        }
        let is_about = |known: &str| {
            key.strip_prefix(known).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let known = UNSUPPORTED.iter().find(|(known, _)| is_about(known));
        let why = known.map_or("flyball does not know this key", |(_, why)| *why);
        self.skip(&format!("{key} = {}", preview(value)), why);
    }
}

fn texts(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|item| item.as_str().map(str::to_owned)).collect()
}

/// The subcommands of each tool that guard.packages leaves free if nobody says otherwise.
fn default_allowed() -> Value {
    let settings = packages::POLICY.section.settings();
    settings.into_iter().find(|setting| setting.key == "allow").map(|it| it.default).unwrap_or_default()
}

/// Whether two lists hold the same, in whatever order.
fn same(one: &[String], other: &[String]) -> bool {
    one.len() == other.len() && other.iter().all(|item| one.contains(item))
}

#[cfg(test)]
mod tests {
    use flyball_policies::guard::protected::{Protection, Settings};

    use super::*;

    #[test]
    fn all_that_it_protects_is_protected_by_default() {
        let protection = Protection::new(Settings::default(), flyball_clients::FACTS);
        let free: Vec<&&str> = PROTECTED.iter().filter(|name| protection.find_kind(name).is_none()).collect();
        assert_eq!(free, [&""; 0]);
    }

    #[test]
    fn the_tools_are_those_of_the_policy() {
        assert_eq!(texts(&default_allowed()["pip"]).unwrap(), ["download"]);
    }
}
