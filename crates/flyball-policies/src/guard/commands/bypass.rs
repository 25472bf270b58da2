//! Ways around the checks that run before a commit or a push.

use flyball_effects::{FileAct, Word};

use flyball_core::path::AbsolutePath;

use super::context::{Call, Context, is_export};
use super::finding::Finding;
use super::git::call::GitCall;
use super::rule::{Check, rules};
use super::zone::is_below;

rules! {
    "skip-hooks" Standard Deny "`--no-verify`, `git commit -n`, `HUSKY=0`, `LEFTHOOK=0`, `SKIP=…` and similar"
        => Check::Line(skip_hooks);
    "hooks-path" Standard Deny "`core.hooksPath` set to nothing or to a folder outside the project"
        => Check::Git(hooks_path);
    "remove-hooks" Standard Deny "deleting, moving or disabling files in `.git/hooks` and `.husky`, `pre-commit uninstall`"
        => Check::Line(remove_hooks);
    "skip-signing" Strict Ask "`--no-gpg-sign`, `commit.gpgSign=false`"
        => Check::Git(skip_signing);
}

/// Verbs of git that run hooks.
const HOOKED: &[&str] = &["commit", "push", "merge", "rebase", "am", "cherry-pick", "revert", "pull"];

/// Variables that disable hooks when they are set, and the values that leave the hooks enabled.
const SWITCHES: &[(&str, &[&str])] = &[
    ("HUSKY", &["1", "2", "true", ""]),
    ("HUSKY_SKIP_HOOKS", &["0", "false", ""]),
    ("HUSKY_SKIP_INSTALL", &["0", "false", ""]),
    ("LEFTHOOK", &["1", "true", ""]),
    ("LEFTHOOK_EXCLUDE", &[""]),
    ("PRE_COMMIT_ALLOW_NO_CONFIG", &["0", ""]),
    ("OVERCOMMIT_DISABLE", &["0", ""]),
    ("SKIP_SIMPLE_GIT_HOOKS", &["0", ""]),
    ("SKIP_GIT_HOOKS", &["0", ""]),
    ("GIT_HOOKS", &["1", "true", ""]),
    ("SKIP", &[""]),
];

/// Programs that install and uninstall hooks.
const TOOLS: &[&str] = &["pre-commit", "lefthook", "husky", "prek"];

/// Programs that start one of them by its name.
const STARTERS: &[&str] =
    &["uv", "uvx", "npx", "bunx", "npm", "pnpm", "yarn", "bun", "poetry", "pdm", "pipx", "hatch"];

const WHY: &str = "The project checks every commit with them";
const INSTEAD: &str = "Keep the hooks and fix what they report; if a hook is broken, tell the user";

fn skip_hooks(context: &Context<'_>) -> Option<Finding> {
    let runs_hooks = |call: &Call<'_>| match call.program {
        "git" => GitCall::read(call).is_some_and(|git| HOOKED.contains(&git.verb)),
        program => TOOLS.contains(&program),
    };
    let hooked: Vec<Call<'_>> = context.calls().filter(runs_hooks).collect();
    let by_flag = hooked.iter().find(|call| skips_by_flag(call)).map(Call::display_text);
    let by_flag = by_flag.or_else(|| context.calls().find(skips_by_alias).map(|call| call.display_text()));
    let by_variable =
        || hooked.iter().find_map(|call| call.command.assignments.iter().find_map(disabling_assignment));
    let by_shell = || (!hooked.is_empty()).then(|| set_for_shell(context)).flatten();
    let found = by_flag.or_else(by_variable).or_else(by_shell);
    let found = found.or_else(|| exported(context, !hooked.is_empty()))?;
    Finding::new(format!("`{found}` would skip the project's git hooks"), WHY, INSTEAD)
}

fn skips_by_flag(call: &Call<'_>) -> bool {
    let Some(git) = GitCall::read(call).filter(|_| call.program == "git") else { return false };
    // `-n` means something else for every other verb.
    let letter = if git.verb == "commit" { "n" } else { "" };
    git.flag("no-verify", letter) && !git.has(&["dry-run", "help"])
}

/// `git config alias.ci 'commit --no-verify'`: every later use of the alias would skip them.
fn skips_by_alias(call: &Call<'_>) -> bool {
    let Some(git) = GitCall::read(call).filter(|git| git.verb == "config") else { return false };
    let words = git.words();
    let is_alias = |word: &&str| word.get(..6).is_some_and(|start| start.eq_ignore_ascii_case("alias."));
    let value = words.iter().position(is_alias).and_then(|at| words.get(at + 1));
    value.is_some_and(|value| {
        let mut parts = value.split_whitespace();
        parts.clone().any(|part| part == "--no-verify")
            || (value.contains("commit") && parts.any(|part| part == "-n" || part == "-nm" || part == "-anm"))
    })
}

/// A variable that is set for a shell, and so for everything that the shell runs.
fn set_for_shell(context: &Context<'_>) -> Option<String> {
    let is_shell = |call: &Call<'_>| matches!(call.program, "sh" | "bash" | "zsh" | "dash" | "ksh" | "fish");
    context
        .calls()
        .filter(is_shell)
        .find_map(|call| call.command.assignments.iter().find_map(disabling_assignment))
}

fn disabling_assignment((name, value): &(String, Word)) -> Option<String> {
    let (_, on) = SWITCHES.iter().find(|(switch, _)| switch == name)?;
    // A value that is only known at run time may disable them.
    let is_on = value.text.as_deref().is_some_and(|value| on.contains(&value));
    (!is_on).then(|| format!("{name}={}", value.raw))
}

/// A variable that is set for everything that follows. Many programs read a `SKIP`, so it only
/// counts if the line also runs hooks.
fn exported(context: &Context<'_>, runs_hooks: bool) -> Option<String> {
    let exports = context.calls().filter(|call| is_export(call.program));
    exports.flat_map(|call| call.command.arguments.iter()).find_map(|word| {
        let text = word.text.as_deref()?;
        // `export HUSKY=0`, or `HUSKY=0; export HUSKY`.
        let (name, value) = text.split_once('=').or_else(|| Some((text, set_before(context, text)?)))?;
        let found = disabling_assignment(&(name.to_owned(), Word::literal(value)))?;
        (runs_hooks || name != "SKIP").then_some(found)
    })
}

/// The value that the line gives a variable before it exports it.
fn set_before<'a>(context: &Context<'a>, name: &str) -> Option<&'a str> {
    let bare = context.calls().filter(|call| call.program.is_empty());
    let mut set = bare.flat_map(|call| call.command.assignments.iter());
    set.find(|(known, _)| known == name).and_then(|(_, value)| value.text.as_deref())
}

fn hooks_path(context: &Context<'_>, git: &GitCall<'_>) -> Option<Finding> {
    let path = git
        .setting("core.hooksPath")
        .or_else(|| configured_hooks_path(git))
        .or_else(|| hidden_hooks_path(git))?;
    let place = git.path(context, path).filter(|_| !path.is_empty());
    // Many projects have a hooks folder of their own, and their README asks for this setting.
    let is_their_own = place.as_ref().is_some_and(|place| {
        context.roots().is_in_project(place) && *place != context.roots().project && context.is_folder(place)
    });
    if is_their_own {
        return None;
    }
    Finding::new(format!("`{}` would disable the project's git hooks", git.call.display_text()), WHY, INSTEAD)
}

/// Whether the value comes from the environment: `--config-env`, `GIT_CONFIG_PARAMETERS`. It counts
/// as empty, because nobody needs to hide a value that leaves the hooks in place.
fn hidden_hooks_path(git: &GitCall<'_>) -> Option<&'static str> {
    let assignments = &git.call.command.assignments;
    let mut parameters = assignments.iter().filter(|(name, _)| name == "GIT_CONFIG_PARAMETERS");
    let is_named = parameters.any(|(_, value)| value.raw.to_ascii_lowercase().contains("core.hookspath"));
    (is_named || git.hides_setting("core.hooksPath")).then_some("")
}

/// The value that `git config` gives to `core.hooksPath`; empty if it unsets it.
fn configured_hooks_path<'a>(git: &GitCall<'a>) -> Option<&'a str> {
    if git.verb != "config" || git.flag("list", "l") || git.has(&["get", "get-all", "show-origin"]) {
        return None;
    }
    let mut words = git.words();
    let first = words.first().copied();
    // Since git 2.46 these are words too: `git config get`, `list`, `set`, `unset`.
    if matches!(first, Some("get" | "list")) {
        return None;
    }
    let unsets = git.has(&["unset", "unset-all"]) || first == Some("unset");
    words.retain(|word| !matches!(*word, "set" | "unset"));
    // Git ignores the case of a setting's name.
    let at = words.iter().position(|word| word.eq_ignore_ascii_case("core.hooksPath"))?;
    if unsets { Some("") } else { words.get(at + 1).copied() }
}

fn remove_hooks(context: &Context<'_>) -> Option<Finding> {
    let uninstalls = |call: &Call<'_>| {
        let words = call.words();
        // `uv run pre-commit uninstall`
        let is_started = STARTERS.contains(&call.program)
            && words.windows(2).any(|pair| matches!(pair, [tool, "uninstall"] if TOOLS.contains(tool)));
        is_started || (TOOLS.contains(&call.program) && words.first() == Some(&"uninstall"))
    };
    if let Some(call) = context.calls().find(uninstalls) {
        return Finding::new(
            format!("`{}` would remove the project's git hooks", call.display_text()),
            WHY,
            INSTEAD,
        );
    }
    // `core.hooksPath` can also be set without `git config`, by writing to the file.
    if let Some(path) = written_config(context) {
        let what = format!("this would set another `core.hooksPath` in {path}");
        return Finding::new(what, WHY, INSTEAD).map(|finding| finding.about(path));
    }
    let deleted = context.effects().files.iter().find_map(|effect| {
        let removes = matches!(effect.act, FileAct::Delete { .. } | FileAct::Move { .. });
        let path = removes.then(|| context.locate_target(&effect.target))?.paths().first()?.clone();
        is_hook(context, &path).then_some(path)
    });
    let path = deleted.or_else(|| {
        let disables = |call: &Call<'_>| call.program == "chmod" && removes_execution(call);
        context.calls().filter(disables).find_map(|call| {
            let mut paths =
                call.operands().into_iter().filter_map(|word| context.path(word, &call.command.directory));
            paths.find(|path| is_hook(context, path))
        })
    })?;
    Finding::new(format!("this would disable the git hook {path}"), WHY, INSTEAD)
        .map(|finding| finding.about(path))
}

/// The repository's config, if the line writes text into it that names the hooks' folder.
fn written_config(context: &Context<'_>) -> Option<AbsolutePath> {
    let names_it = |act: &FileAct| match act {
        FileAct::Write(content) | FileAct::Append(content) => {
            content.text().is_some_and(|text| text.to_ascii_lowercase().contains("hookspath"))
        }
        _ => false,
    };
    let written = context.effects().files.iter().filter(|effect| names_it(&effect.act));
    written.into_iter().find_map(|effect| {
        let place = context.locate_target(&effect.target);
        place.paths().iter().find(|path| path.ends_with("/.git/config")).cloned()
    })
}

fn is_hook(context: &Context<'_>, path: &str) -> bool {
    let project = &context.roots().project;
    let is_in = |folder: &str| {
        let folder = format!("{project}/{folder}");
        path == folder || is_below(path, &folder)
    };
    // The samples do nothing.
    (is_in(".git/hooks") || is_in(".husky")) && !path.ends_with(".sample")
}

fn removes_execution(call: &Call<'_>) -> bool {
    // `-x` looks like an option.
    let mode = call.texts().find(|text| !matches!(*text, "-R" | "-v" | "-c" | "-f"));
    mode.is_some_and(|mode| {
        let is_number = mode.bytes().all(|byte| byte.is_ascii_digit());
        mode.contains("-x") || mode.ends_with("-rwx") || (is_number && !mode.contains(['1', '5', '7']))
    })
}

fn skip_signing(_: &Context<'_>, git: &GitCall<'_>) -> Option<Finding> {
    let is_off = |key: &str| git.setting(key).is_some_and(|value| value.eq_ignore_ascii_case("false"));
    if !git.has(&["no-gpg-sign"]) && !is_off("commit.gpgSign") && !is_off("tag.gpgSign") {
        return None;
    }
    Finding::new(
        format!("`{}` would skip the signature", git.call.display_text()),
        "A signature proves who made a commit",
        "Sign it; if the key is missing, tell the user",
    )
}
