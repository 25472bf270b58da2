//! Linting after edits: languages, phases, exclusions, project checks.

use flyball_policies::quality;
use flyball_quality::catalogue;
use serde_json::Value;

use super::{Import, texts};
use crate::commands::import::source::preview;
use crate::config_edit::addition;

/// Languages that both know by the same name.
const LANGUAGES: &[&str] = &["python", "shell", "yaml", "json", "toml", "markdown", "dockerfile"];

/// Options of `languages.typescript` that switch a linter, and its name.
const LINTERS: &[(&str, &str)] =
    &[("oxlint_tsgolint", "oxlint"), ("tsgo", "tsgo"), ("semgrep", "semgrep"), ("knip", "knip")];

/// Why a value says nothing new.
pub(super) const IS_DEFAULT: &str = "it is the default";

/// A value of the config: where it stands there, and what it is.
#[derive(Clone, Copy)]
pub(super) struct SourceValue<'a> {
    /// `phases.auto_format`.
    pub(super) key: &'a str,
    pub(super) value: &'a Value,
}

impl SourceValue<'_> {
    pub(super) fn describe(&self) -> String {
        format!("{} = {}", self.key, preview(self.value))
    }
}

/// A setting of flyball, `[section] key`.
#[derive(Clone, Copy)]
pub(super) struct TargetKey<'a> {
    pub(super) section: &'a str,
    pub(super) key: &'a str,
}

impl Import {
    /// `hook_enabled`: despite its name it only ever switched the linting.
    pub(super) fn hook_enabled(&mut self, value: &Value) {
        let old = SourceValue { key: "hook_enabled", value };
        match self.flag(old) {
            Some(true) => self.skip(&old.describe(), IS_DEFAULT),
            Some(false) => {
                let off = addition::Value::Text("off".to_owned());
                self.set(old, TargetKey { section: "quality", key: "mode" }, off);
            }
            None => {}
        }
    }

    pub(super) fn languages(&mut self, value: &Value) {
        let Value::Object(languages) = value else {
            return self.skip("languages", format!("{} is no object", preview(value)));
        };
        for (name, value) in languages {
            let key = format!("languages.{name}");
            let old = SourceValue { key: &key, value };
            match (name.as_str(), value) {
                ("typescript", Value::Object(options)) => {
                    // Without the word it was off.
                    let enabled = options.get("enabled").unwrap_or(&Value::Bool(false));
                    self.language(
                        "typescript",
                        SourceValue { key: "languages.typescript.enabled", value: enabled },
                    );
                    for (name, value) in options.iter().filter(|(name, _)| *name != "enabled") {
                        let key = format!("{key}.{name}");
                        self.typescript(name, SourceValue { key: &key, value });
                    }
                }
                ("typescript", _) => self.language("typescript", old),
                (name, _) if LANGUAGES.contains(&name) => self.language(name, old),
                ("_comment", _) => {}
                _ => self.skip_unsupported(&key, value),
            }
        }
    }

    fn language(&mut self, language: &str, old: SourceValue<'_>) {
        match self.flag(old) {
            Some(true) => self.skip(&old.describe(), IS_DEFAULT),
            Some(false) => {
                let new = TargetKey { section: "quality.languages", key: language };
                self.set(old, new, addition::Value::Flag(false));
            }
            None => {}
        }
    }

    fn typescript(&mut self, option: &str, old: SourceValue<'_>) {
        let new = |key| TargetKey { section: "quality.biome", key };
        if let Some((_, linter)) = LINTERS.iter().find(|(known, _)| *known == option) {
            return self.linter(linter, old);
        }
        match option {
            "js_runtime" => {
                self.choice(old, new("runtime"), ("auto", &["auto", "node", "npm", "pnpm", "bun"]));
            }
            "biome_nursery" => self.choice(old, new("nursery"), ("warn", &["off", "warn", "error"])),
            "biome_unsafe_autofix" => self.switch(old, new("unsafe_fixes"), (false, |on| on)),
            "_comment" => {}
            _ => self.skip_unsupported(old.key, old.value),
        }
    }

    fn linter(&mut self, name: &str, old: SourceValue<'_>) {
        let Some(entry) = catalogue::builtin().get(name) else {
            return self.skip(&old.describe(), format!("flyball has no linter `{name}`"));
        };
        let section = format!("quality.linters.{name}");
        let new = TargetKey { section: &section, key: "enabled" };
        self.switch(old, new, (entry.enabled.unwrap_or(true), |on| on));
    }

    pub(super) fn phases(&mut self, value: &Value) {
        let Value::Object(phases) = value else {
            return self.skip("phases", format!("{} is no object", preview(value)));
        };
        for (name, value) in phases {
            let key = format!("phases.{name}");
            let old = SourceValue { key: &key, value };
            match name.as_str() {
                "auto_format" => {
                    if let Some(on) = self.flag(old) {
                        let format = if on { "always" } else { "never" }.to_owned();
                        let new = TargetKey { section: "quality", key: "format" };
                        self.set(old, new, addition::Value::Text(format));
                    }
                }
                "subprocess_delegation" => {
                    let new = TargetKey { section: "quality.fixer", key: "enabled" };
                    self.switch(old, new, (false, |on| on));
                }
                "_comment" => {}
                _ => self.skip_unsupported(&key, value),
            }
        }
    }

    /// Paths that security linters leave out. They were the beginnings of paths and are globs here.
    pub(super) fn exclusions(&mut self, key: &str, value: &Value) {
        let old = SourceValue { key, value };
        let Some(list) = texts(value) else { return self.skip(&old.describe(), "it is no list of texts") };
        if list.iter().any(|path| path.trim().is_empty()) {
            return self.skip(&old.describe(), "an empty text leaves everything out; name the folders");
        }
        let globs: Vec<String> = list.iter().flat_map(|path| globs(path)).collect();
        if Some(&globs) == texts(&default("security_exclude")).as_ref() {
            return self.skip(&old.describe(), IS_DEFAULT);
        }
        let new = TargetKey { section: "quality", key: "security_exclude" };
        self.set(old, new, addition::Value::List(globs));
    }

    pub(super) fn duplicates(&mut self, value: &Value) {
        let Value::Object(options) = value else {
            return self.skip("jscpd", format!("{} is no object", preview(value)));
        };
        for (name, value) in options {
            let key = format!("jscpd.{name}");
            let old = SourceValue { key: &key, value };
            let new = |key| TargetKey { section: "quality.project", key };
            match name.as_str() {
                "session_threshold" => self.number(old, new("after_files"), (1, Some(3))),
                "scan_dirs" => match texts(value) {
                    Some(list) if texts(&default("project.folders")).as_ref() == Some(&list) => {
                        self.skip(&old.describe(), IS_DEFAULT);
                    }
                    Some(list) => self.set(old, new("folders"), addition::Value::List(list)),
                    None => self.skip(&old.describe(), "it is no list of texts"),
                },
                "advisory_only" => self.switch(old, new("blocking"), (false, |advisory| !advisory)),
                "_comment" => {}
                _ => self.skip_unsupported(&key, value),
            }
        }
    }

    /// Carries a value over as it is to be written.
    pub(super) fn set(&mut self, old: SourceValue<'_>, new: TargetKey<'_>, value: addition::Value) {
        self.add_carried(&old.describe(), format!("{}.{} = {}", new.section, new.key, value.inline()));
        self.report.additions.set(new.section, new.key, value);
    }

    /// A switch that is written unless it says what is so anyway.
    pub(super) fn switch(
        &mut self,
        old: SourceValue<'_>,
        new: TargetKey<'_>,
        (default, means): (bool, fn(bool) -> bool),
    ) {
        match self.flag(old).map(means) {
            Some(on) if on == default => self.skip(&old.describe(), IS_DEFAULT),
            Some(on) => self.set(old, new, addition::Value::Flag(on)),
            None => {}
        }
    }

    /// A word of a few.
    fn choice(&mut self, old: SourceValue<'_>, new: TargetKey<'_>, (default, known): (&str, &[&str])) {
        match old.value.as_str() {
            Some(word) if word == default => self.skip(&old.describe(), IS_DEFAULT),
            Some(word) if known.contains(&word) => {
                self.set(old, new, addition::Value::Text(word.to_owned()));
            }
            _ => self.skip(&old.describe(), format!("it is none of {}", known.join(", "))),
        }
    }

    /// A whole number that is not too small.
    pub(super) fn number(
        &mut self,
        old: SourceValue<'_>,
        new: TargetKey<'_>,
        (least, default): (u32, Option<u32>),
    ) {
        let number = old.value.as_u64().and_then(|number| u32::try_from(number).ok());
        match number {
            _ if old.value.is_null() => self.skip(&old.describe(), "it is not set"),
            Some(number) if Some(number) == default => self.skip(&old.describe(), IS_DEFAULT),
            Some(number) if number >= least => self.set(old, new, addition::Value::Number(number)),
            _ => self.skip(&old.describe(), format!("it is no whole number from {least}")),
        }
    }

    /// The switch, or `None` after saying that it is none.
    fn flag(&mut self, old: SourceValue<'_>) -> Option<bool> {
        let flag = old.value.as_bool();
        if flag.is_none() {
            let why = match old.value.as_str() {
                // What a wizard made of `false`.
                Some("False" | "false") => "it is a text; write `false` without quotes if that is meant",
                Some("True" | "true") => "it is a text; write `true` without quotes if that is meant",
                _ if old.value.is_null() => "it is not set",
                _ => "it is neither true nor false",
            };
            self.skip(&old.describe(), why);
        }
        flag
    }
}

/// What a setting is when nobody says anything: `project.folders`.
fn default(path: &str) -> Value {
    let (key, below) = path.split_once('.').unwrap_or((path, ""));
    let settings = quality::POLICY.section.settings();
    let value =
        settings.into_iter().find(|setting| setting.key == key).map(|it| it.default).unwrap_or_default();
    if below.is_empty() { value } else { value.get(below).cloned().unwrap_or_default() }
}

/// The globs for all paths that begin so.
fn globs(start: &str) -> Vec<String> {
    let start = start.trim_start_matches("./");
    match start.strip_suffix('/') {
        _ if start.contains('*') => vec![start.to_owned()],
        Some(folder) => vec![format!("{folder}/**")],
        None => vec![format!("{start}*"), format!("{start}*/**")],
    }
}
