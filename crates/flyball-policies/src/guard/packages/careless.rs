//! Installs that get past what the package manager objects to: its lock file, its checks of the server.

use flyball_core::facts::SeenEdit;
use flyball_core::text::Words;
use flyball_core::verdict::{Reason, Verdict};
use flyball_effects::{Command, FileAct, Line};

/// Files that pin the versions of everything.
const LOCKS: Words = Words(
    "package-lock.json|npm-shrinkwrap.json|yarn.lock|pnpm-lock.yaml|bun.lock|bun.lockb|uv.lock|poetry.lock|Pipfile.lock|\
     pdm.lock|Cargo.lock|Gemfile.lock|composer.lock",
);

/// The verdict on a line that gets past its package manager.
pub(super) fn verdict(line: &Line) -> Verdict {
    let found = line.script.commands.iter().find_map(careless_command).or_else(|| deleted_lock(line));
    found.map_or_else(Verdict::silent, Verdict::ask)
}

fn careless_command(command: &Command) -> Option<Reason> {
    let name = command.program_name()?;
    let words: Vec<&str> = command.arguments.iter().filter_map(|word| word.text.as_deref()).collect();
    let has = |option: &str| words.contains(&option);
    let operands: Vec<&str> = words.iter().filter(|word| !word.starts_with('-')).copied().collect();
    match (name, operands.as_slice()) {
        ("npm", ["audit", "fix", ..]) if has("--force") || has("-f") => Some(Reason {
            what: "`npm audit fix --force` installs new major versions".to_owned(),
            why: "They may break what works today".to_owned(),
            instead: "Run `npm audit fix`, and update the rest one by one".to_owned(),
        }),
        ("npm" | "pnpm" | "yarn", ["config", "set", rest @ ..] | ["set", rest @ ..])
            if turns_checks_off(rest) =>
        {
            Some(Reason {
                what: format!(
                    "`{name} {}` turns a check of the package manager off for good",
                    operands.join(" ")
                ),
                why: "Every later install goes without it".to_owned(),
                instead: "Fix what it reports, or ask the user".to_owned(),
            })
        }
        _ => None,
    }
}

/// A check of the package manager that an edit turns off in its config.
pub(super) fn edited_config(edits: &[SeenEdit]) -> Option<Reason> {
    let is_config = |edit: &&SeenEdit| edit.path.ends_with("/.npmrc") || edit.path.ends_with("/.yarnrc.yml");
    let added = edits.iter().filter(is_config).filter_map(|edit| edit.change.as_ref());
    let line = added.flat_map(|change| change.added().lines()).find(|line| {
        let plain: String = line.chars().filter(|letter| !letter.is_whitespace() && *letter != '"').collect();
        turns_checks_off(&[plain.replace(':', "=").as_str()])
    })?;
    Some(Reason {
        what: format!("`{}` turns a check of the package manager off for good", line.trim()),
        why: "Every later install goes without it".to_owned(),
        instead: "Fix what it reports, or ask the user".to_owned(),
    })
}

fn turns_checks_off(words: &[&str]) -> bool {
    let joined = words.join("=").to_lowercase();
    [
        "strict-ssl=false",
        "strictssl=false",
        "legacy-peer-deps=true",
        "ignore-engines=true",
        "audit=false",
        "verify-store-integrity=false",
    ]
    .iter()
    .any(|setting| joined.starts_with(setting))
}

/// A lock file that is deleted so that everything is resolved again.
fn deleted_lock(line: &Line) -> Option<Reason> {
    let deleted = line.effects.files.iter().filter(|effect| matches!(effect.act, FileAct::Delete { .. }));
    let name = deleted.into_iter().find_map(|effect| {
        let name = effect.target.word.text.as_deref()?.rsplit('/').next()?;
        LOCKS.contains(name).then(|| name.to_owned())
    })?;
    let resolves = |command: &Command| {
        let words: Vec<&str> =
            command.arguments.iter().filter_map(|word| word.text.as_deref()).take(1).collect();
        let is_manager = matches!(
            command.program_name(),
            Some(
                "npm"
                    | "yarn"
                    | "pnpm"
                    | "bun"
                    | "uv"
                    | "poetry"
                    | "pipenv"
                    | "cargo"
                    | "bundle"
                    | "composer"
            )
        );
        is_manager
            && matches!(
                words.as_slice(),
                [] | ["install" | "i" | "lock" | "sync" | "update" | "add" | "build"]
            )
    };
    line.script.commands.iter().any(resolves).then(|| Reason {
        what: format!("without `{name}`, every package may get another version"),
        why: "What was tested is no longer what is installed".to_owned(),
        instead: "Keep it and update the packages that have to change; if it is broken, ask the user"
            .to_owned(),
    })
}
