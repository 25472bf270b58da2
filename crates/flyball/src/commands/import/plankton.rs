//! `flyball import plankton`: `.claude/hooks/config.json`, for quality, guard.packages and guard.protected.

use std::path::PathBuf;

use clap::Args;
use serde_json::Value as Json;
use toml_edit::Value;

use super::legacy;
use super::report::{Report, WriteArguments};
use super::source::{Source, locate};
use super::table::Convert::{Flag, Inverted, Number, OneOf, Split, Text, Texts, With};
use super::table::{Found, IS_DEFAULT, Row, flag, import, preview, row, skip, texts};
use crate::config_edit::default_value;
use crate::install::Site;
use crate::outcome::{Done, Failed};
use crate::terminal::Terminal;

const FILE: &str = ".claude/hooks/config.json";

/// What it protects by default. flyball protects all of these.
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

/// Its variables, and those of flyball.
const VARIABLES: &[(&str, &str)] = &[
    ("HOOK_SKIP_SUBPROCESS=1", "FLYBALL_FIXER=off"),
    ("HOOK_SUBPROCESS_TIMEOUT=SECONDS", "FLYBALL_FIXER_TIMEOUT=SECONDS"),
];

const TABLE: &[Row] = &[
    skip("cc_tested_version", "a note that nothing read"),
    // Despite its name, it only switched linting.
    row("hook_enabled", "quality.mode", With(hook_enabled)),
    row("phases.auto_format", "quality.format", With(auto_format)),
    row("security_linter_exclusions|exclusions", "quality.security_exclude", With(exclusions)),
    row("jscpd.advisory_only", "quality.project.blocking", Inverted),
    row("jscpd.scan_dirs", "quality.project.folders", Texts),
    row("jscpd.session_threshold", "quality.project.after_files", Number { least: 1 }),
    row(
        "languages.dockerfile|json|markdown|python|shell|toml|typescript|yaml",
        "quality.languages.*",
        With(language),
    ),
    row("languages.typescript.enabled", "quality.languages.typescript", With(language)),
    row("languages.typescript.biome_nursery", "quality.biome.nursery", OneOf(&["off", "warn", "error"])),
    row("languages.typescript.biome_unsafe_autofix", "quality.biome.unsafe_fixes", Flag),
    row(
        "languages.typescript.js_runtime",
        "quality.biome.runtime",
        OneOf(&["auto", "node", "npm", "pnpm", "bun"]),
    ),
    row("languages.typescript.knip|semgrep|tsgo", "quality.linters.*.enabled", With(linter)),
    row("languages.typescript.oxlint_tsgolint", "quality.linters.oxlint.enabled", With(linter)),
    row("phases.subprocess_delegation", "quality.fixer.enabled", Flag),
    row("subprocess.global_model_override", "quality.fixer.model", Text),
    row("subprocess.max_turns_override", "quality.fixer.max_turns", Number { least: 1 }),
    row("subprocess.settings_file", "quality.fixer.settings_file", Text),
    row("subprocess.timeout_override", "quality.fixer.timeout_seconds", Number { least: 1 }),
    row("subprocess.volume_threshold", "quality.fixer.volume", Number { least: 0 }),
    skip(
        "subprocess.model_selection",
        "an old form; write `patterns` of each tier in [quality.fixer.tiers], and `volume` in [quality.fixer]",
    ),
    skip(
        "subprocess.timeout",
        "an old form; write `timeout_seconds` in [quality.fixer] or in a tier of [quality.fixer.tiers]",
    ),
    row(
        "subprocess.tiers.haiku|opus|sonnet.max_turns",
        "quality.fixer.tiers.*.max_turns",
        Number { least: 1 },
    ),
    row(
        "subprocess.tiers.haiku|opus|sonnet.patterns",
        "quality.fixer.tiers.*.patterns",
        Split(searched_alternatives),
    ),
    row(
        "subprocess.tiers.haiku|opus|sonnet.timeout",
        "quality.fixer.tiers.*.timeout_seconds",
        Number { least: 1 },
    ),
    row("subprocess.tiers.haiku|opus|sonnet.tools", "quality.fixer.tiers.*.tools", Split(comma_separated)),
    row("package_managers.python", "guard.packages.python", With(|found| manager(found, &["uv"]))),
    row(
        "package_managers.javascript",
        "guard.packages.javascript",
        With(|found| manager(found, &["bun", "npm", "pnpm", "yarn"])),
    ),
    row("package_managers.allowed_subcommands.*", "guard.packages.allow.*", With(allowed_subcommands)),
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
    let mut source = Source::read_required(&locate(arguments.from.as_deref(), FILE, &site), &site)?;
    let mut report = Report::default();
    if let Some(typescript) =
        source.object.get_mut("languages").and_then(|it| it.get_mut("typescript")?.as_object_mut())
    {
        // Without the key it was off.
        typescript.entry("enabled").or_insert(Json::Bool(false));
    }
    if source.object.contains_key("security_linter_exclusions")
        && let Some(value) = source.object.remove("exclusions")
    {
        let what = format!("exclusions = {}", preview(&value));
        report.add_skipped(
            &source.name,
            &what,
            "the old name of `security_linter_exclusions`, which is set too",
        );
    }
    // It becomes two settings, which the table cannot express.
    let protected = source.object.remove("protected_files");
    import(&source, TABLE, &toml::Table::new(), &mut report);
    if let Some(files) = protected {
        protected_files(&source.name, &files, &mut report);
    }
    if source.object.get("subprocess").is_some_and(Json::is_object) {
        VARIABLES.iter().for_each(|(old, new)| report.add_carried("environment", old, *new));
    }
    legacy::list_remnants("plankton", &site, &mut report);
    report.finish(&arguments.outcome, terminal)
}

/// Its list replaced the defaults; ours adds to them and removes from them.
fn protected_files(place: &str, value: &Json, report: &mut Report) {
    let what = format!("protected_files = {}", preview(value));
    let names = match texts(value) {
        Ok(names) if names.is_empty() => {
            return report.add_skipped(place, &what, "empty means the defaults, which flyball protects too");
        }
        Ok(names) => names,
        Err(why) => return report.add_skipped(place, &what, why),
    };
    for name in &names {
        let what = format!("protected_files {name}");
        if PROTECTED.contains(&name.as_str()) {
            report.add_skipped(place, &what, "protected by default");
        } else {
            report.add_carried(place, &what, format!("guard.protected.paths: {name}"));
            report.additions.push("guard.protected", "paths", name);
        }
    }
    // What its list left out was not protected there, and must not be protected after the import.
    for name in PROTECTED.iter().filter(|name| !names.iter().any(|it| it == *name)) {
        let what = format!("protected_files without {name}");
        report.add_carried(place, &what, format!("guard.protected.unprotect: {name}"));
        report.additions.push("guard.protected", "unprotect", name);
    }
}

fn hook_enabled(found: &Found<'_>) -> Result<Value, String> {
    if flag(found.value)? { Err(IS_DEFAULT.to_owned()) } else { Ok("off".into()) }
}

fn auto_format(found: &Found<'_>) -> Result<Value, String> {
    Ok(if flag(found.value)? { "always" } else { "never" }.into())
}

/// Every language is on.
fn language(found: &Found<'_>) -> Result<Value, String> {
    if flag(found.value)? { Err(IS_DEFAULT.to_owned()) } else { Ok(false.into()) }
}

/// Neither is the default: that is to act where the project chose the linter.
fn linter(found: &Found<'_>) -> Result<Value, String> {
    Ok(flag(found.value)?.into())
}

fn manager(found: &Found<'_>, known: &[&str]) -> Result<Value, String> {
    match found.value {
        Json::Bool(false) => Ok("off".into()),
        Json::String(text) if known.contains(&text.strip_suffix(":warn").unwrap_or(text)) => Ok(text.into()),
        Json::Null => Err("not set, so flyball's default applies: `auto` follows the lock file".to_owned()),
        // An old setup wizard wrote `False` for `false`; it was read as on.
        Json::String(text) if text == "False" => {
            Err(format!("not a package manager; write `{} = \"off\"` if `false` was meant", found.name()))
        }
        _ => Err(format!("not one of {}", known.join(", "))),
    }
}

fn allowed_subcommands(found: &Found<'_>) -> Result<Value, String> {
    if default_value("guard.packages.allow", found.name()).is_null() {
        return Err("unknown tool of guard.packages".to_owned());
    }
    Ok(texts(found.value)?.into_iter().collect())
}

/// Paths that security linters leave out: beginnings of paths there, globs here.
fn exclusions(found: &Found<'_>) -> Result<Value, String> {
    let starts = texts(found.value)?;
    if starts.iter().any(|path| path.trim().is_empty()) {
        return Err("an empty text excludes everything; name the folders".to_owned());
    }
    Ok(starts.iter().flat_map(|start| globs(start)).collect())
}

/// The globs for all paths that begin so.
fn globs(start: &str) -> Vec<String> {
    let start = start.trim_start_matches("./");
    match start.strip_suffix('/') {
        _ if start.contains('*') => vec![start.to_owned()],
        Some(folder) => vec![format!("{folder}/**")],
        // The beginning of a path can be the beginning of a name: `test` excluded `tests/` and `test_x.py`.
        None => vec![format!("{start}*"), format!("{start}*/**")],
    }
}

fn comma_separated(text: &str) -> Vec<String> {
    text.split(',').map(str::to_owned).collect()
}

/// The same pattern as several that match a whole code: there, it was searched in the code.
fn searched_alternatives(pattern: &str) -> Vec<String> {
    alternatives(pattern).iter().map(|part| whole(part.trim())).collect()
}

/// A pattern that matches a whole text where this one is found in it.
fn whole(searched: &str) -> String {
    let (before, rest) = match searched.strip_prefix('^') {
        Some(rest) => ("", rest),
        None => (".*", searched),
    };
    let (rest, after) = match rest.strip_suffix('$') {
        Some(rest) if !rest.ends_with('\\') => (rest, ""),
        Some(_) | None => (rest, ".*"),
    };
    format!("{before}{rest}{after}")
}

/// The alternatives of a pattern: split at each `|` outside of brackets.
fn alternatives(pattern: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let (mut depth, mut in_class, mut escaped) = (0_u32, false, false);
    for letter in pattern.chars() {
        // A `|` in a group or a class belongs to one alternative.
        let is_split = letter == '|' && depth == 0 && !in_class && !escaped;
        if is_split {
            parts.push(String::new());
            continue;
        }
        match letter {
            _ if escaped => {}
            '[' => in_class = true,
            ']' => in_class = false,
            '(' if !in_class => depth += 1,
            ')' if !in_class => depth = depth.saturating_sub(1),
            _ => {}
        }
        escaped = letter == '\\' && !escaped;
        if let Some(part) = parts.last_mut() {
            part.push(letter);
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use flyball_policies::guard::protected::{Protection, Settings};

    use super::super::table::assert_targets_exist;
    use super::*;

    #[test]
    fn every_row_becomes_a_setting() {
        assert_targets_exist(TABLE, &["quality.mode"]);
    }

    #[test]
    fn all_that_it_protects_is_protected_by_default() {
        let protection = Protection::new(Settings::default(), flyball_clients::FACTS);
        let free: Vec<&&str> = PROTECTED.iter().filter(|name| protection.find_kind(name).is_none()).collect();
        assert_eq!(free, [&""; 0]);
    }

    #[test]
    fn the_linters_are_known() {
        for name in ["knip", "semgrep", "tsgo", "oxlint"] {
            assert!(flyball_quality::catalogue::builtin().contains_key(name), "{name}");
        }
    }

    #[test]
    fn a_pattern_that_was_searched_matches_what_it_matched() {
        let cases = [
            ("E[0-9]+|^W", &[".*E[0-9]+.*", "W.*"][..]),
            ("^C901$", &["C901"]),
            (r"unresolved|a\$", &[".*unresolved.*", r".*a\$.*"]),
        ];
        for (pattern, expected) in cases {
            assert_eq!(searched_alternatives(pattern), expected, "{pattern}");
        }
    }

    #[test]
    fn a_pattern_is_split_outside_of_brackets() {
        let cases: [(&str, &[&str]); 5] = [
            ("E[0-9]+|W[0-9]+", &["E[0-9]+", "W[0-9]+"]),
            ("C901", &["C901"]),
            ("(a|b)c|[|]|d", &["(a|b)c", "[|]", "d"]),
            (r"a\|b|c", &[r"a\|b", "c"]),
            (r"\(a|b\)", &[r"\(a", r"b\)"]),
        ];
        for (pattern, expected) in cases {
            assert_eq!(alternatives(pattern), expected, "{pattern}");
        }
    }
}
