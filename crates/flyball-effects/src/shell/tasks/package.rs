//! The scripts of `package.json` and `composer.json`.

use serde_json::Value;

use super::{Runner, Tasks, texts, value};
use crate::shell::quoting::quote;
use crate::shell::reader::Reader;

/// Verbs of npm that run the script of their name.
const OWN_VERBS: &[&str] = &["test", "start", "stop", "restart"];
/// Verbs of the other managers, which are no scripts.
const OTHER_VERBS: &[&str] = &[
    "add",
    "remove",
    "upgrade",
    "update",
    "up",
    "why",
    "list",
    "ls",
    "info",
    "view",
    "config",
    "cache",
    "init",
    "create",
    "dlx",
    "exec",
    "x",
    "audit",
    "outdated",
    "link",
    "unlink",
    "login",
    "logout",
    "whoami",
    "version",
    "pack",
    "set",
    "get",
    "help",
    "store",
    "workspaces",
    "plugin",
    "dedupe",
    "import",
    "node",
    "pm",
    "upgrade-interactive",
];

impl Reader<'_> {
    pub(super) fn package_scripts(&mut self, runner: &Runner<'_>) -> Option<Tasks> {
        if runner.has(&["--dry-run", "--ignore-scripts"]) {
            return None;
        }
        let parsed = runner.parsed("CwF", "prefix dir cwd workspace filter");
        let folder = value(&parsed, "prefix C dir cwd");
        let words = texts(&parsed);
        let names = script_names(runner.name, &words)?;
        let text = self.first_file(folder.as_deref(), &["package.json"], runner.directory)?;
        let package: Value = serde_json::from_str(&text).ok()?;
        let scripts = package.get("scripts")?;
        let end = parsed.before_dashes.unwrap_or(parsed.operands.len());
        let more: String = parsed
            .operands
            .iter()
            .skip(end)
            .filter_map(|word| word.text.as_deref())
            .map(|text| format!(" {}", quote(text)))
            .collect();
        let mut lines = Vec::new();
        for name in names {
            let main = scripts.get(&name).and_then(Value::as_str);
            let around = |mark: &str| scripts.get(format!("{mark}{name}")).and_then(Value::as_str);
            // The scripts around one run only with it.
            let (before, after) =
                (around("pre").filter(|_| main.is_some()), around("post").filter(|_| main.is_some()));
            lines.extend(before.map(str::to_owned));
            lines.extend(main.map(|script| format!("{script}{more}")));
            lines.extend(after.map(str::to_owned));
        }
        Some(Tasks { lines, folder })
    }

    pub(super) fn composer(&mut self, runner: &Runner<'_>) -> Option<Tasks> {
        let parsed = runner.parsed("d", "working-dir");
        let words = texts(&parsed);
        let name = match words.as_slice() {
            ["run" | "run-script", name, ..] | [name, ..] => *name,
            [] => return None,
        };
        let text = self.task_file("composer.json", runner.directory)?;
        let package: Value = serde_json::from_str(&text).ok()?;
        let lines = match package.get("scripts")?.get(name)? {
            Value::Array(items) => items.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            one => one.as_str().map(str::to_owned).into_iter().collect(),
        };
        Some(Tasks::here(lines))
    }
}

/// The scripts that a verb runs.
fn script_names(manager: &str, words: &[&str]) -> Option<Vec<String>> {
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    Some(match words {
        ["run" | "run-script" | "rum" | "urn", name, ..] => owned(&[name]),
        ["t" | "tst", ..] => owned(&["test"]),
        [verb, ..] if OWN_VERBS.contains(verb) && (manager != "bun" || *verb == "start") => owned(&[verb]),
        ["install" | "i" | "ci" | "add", ..] => owned(&["preinstall", "install", "postinstall", "prepare"]),
        ["publish" | "pack", ..] => owned(&["prepublishOnly", "prepack", "prepare", "postpack"]),
        [] if manager != "npm" && manager != "bun" => {
            owned(&["preinstall", "install", "postinstall", "prepare"])
        }
        [name, ..] if manager != "npm" && !OTHER_VERBS.contains(name) => owned(&[name]),
        _ => return None,
    })
}
