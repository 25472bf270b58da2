//! Ways out of flyball's own sight: ending it, switching it off, starting a client without it.

use flyball_effects::Word;

use super::rule::{Check, Finding, rules};
use super::scene::{Call, Scene};

rules! {
    "kill-flyball" Standard Deny "ending flyball's processes"
        => Check::Programs(&["kill", "pkill", "killall"], kill_flyball);
    "flyball-variables" Standard Deny "`FLYBALL_SKIP` and other variables of flyball set for a client or a later command"
        => Check::Line(variables);
    "disable-hooks" Standard Deny "starting or setting up a client with `disableAllHooks`"
        => Check::Programs(CLIENTS, disable_hooks);
    "unguarded-client" Strict Ask "starting a client that asks nobody: `--dangerously-skip-permissions`, `--yolo`, `--settings`"
        => Check::Programs(CLIENTS, unguarded_client);
}

/// Programs that start an agent of their own.
const CLIENTS: &[&str] =
    &["claude", "codex", "gemini", "opencode", "cursor-agent", "copilot", "amp", "aider", "qwen"];

const WHY: &str = "The user relies on flyball to see what agents do";
const INSTEAD: &str = "Work within the rules, or tell the user which rule is in the way and why";

fn kill_flyball(scene: &Scene<'_>, call: &Call<'_>) -> Option<Finding> {
    let names_it = |word: &Word| word.raw.contains("flyball");
    // `kill $(pgrep flyball)` and `pgrep flyball | xargs kill`.
    let looked_up = || {
        let looks = |other: &Call<'_>| matches!(other.program, "pgrep" | "pidof" | "ps" | "grep");
        let mut lookups = scene.calls().filter(|other| other.index < call.index && looks(other));
        lookups.any(|other| other.command.arguments.iter().any(names_it))
            && call.command.arguments.iter().any(|word| word.text.is_none())
    };
    let is_look = call.has(&["-0", "-l", "--list"]);
    let is_meant = !is_look && (call.command.arguments.iter().any(names_it) || looked_up());
    is_meant.then_some(())?;
    Finding::new(format!("`{}` would end flyball", call.shown()), WHY, INSTEAD)
}

fn variables(scene: &Scene<'_>) -> Option<Finding> {
    let is_client = |call: &Call<'_>| CLIENTS.contains(&call.program);
    let for_client = || {
        let reads = scene.calls().filter(|call| is_client(call) || call.program == "flyball");
        let mut names = reads.flat_map(|call| call.command.assignments.iter().map(|(name, _)| name.as_str()));
        names.find(|name| is_own(name) || matches!(*name, "CLAUDE_CONFIG_DIR" | "CODEX_HOME" | "HOME"))
    };
    let exported = || {
        let exports = scene.calls().filter(|call| matches!(call.program, "export" | "declare" | "typeset"));
        let mut names = exports
            .flat_map(|call| call.command.arguments.iter())
            .filter_map(|word| Some(word.raw.split_once('=')?.0));
        names.find(|name| {
            is_own(name) || (*name == "CLAUDE_CONFIG_DIR" && scene.calls().any(|it| is_client(&it)))
        })
    };
    let name = for_client().or_else(exported)?;
    let what = format!("`{name}` set here would change what flyball watches");
    Finding::new(what, "Only the person who starts the client sets it", INSTEAD)
}

fn is_own(name: &str) -> bool {
    name.starts_with("FLYBALL_")
}

fn disable_hooks(_: &Scene<'_>, call: &Call<'_>) -> Option<Finding> {
    let names_it = call.command.arguments.iter().any(|word| word.raw.contains("disableAllHooks"));
    let is_off = |word: &&Word| {
        let text = word.text.as_deref().unwrap_or_default();
        text == "hooks" || text == "codex_hooks"
    };
    // Without any source of settings, none of them registers a hook.
    let no_settings = call.values(&["--setting-sources"]).iter().any(|word| word.is(""))
        || call.attached("--setting-sources") == Some("");
    let feature_off = call.values(&["--disable"]).iter().any(is_off)
        || call.texts().any(|text| matches!(text, "features.hooks=false" | "features.codex_hooks=false"));
    (names_it || no_settings || feature_off).then_some(())?;
    Finding::new(format!("`{}` would switch all hooks off", call.shown()), WHY, INSTEAD)
}

fn unguarded_client(_: &Scene<'_>, call: &Call<'_>) -> Option<Finding> {
    const OPTIONS: &[&str] = &[
        "--dangerously-skip-permissions",
        "--allow-dangerously-skip-permissions",
        "--settings",
        "--setting-sources",
        "--yolo",
        "--dangerously-bypass-approvals-and-sandbox",
        "--full-auto",
        "--allow-all-tools",
        "--yes-always",
        "--bare",
    ];
    let bypasses =
        call.texts().any(|text| text == "bypassPermissions" || text.ends_with("=bypassPermissions"));
    let is_meant = bypasses || call.has(OPTIONS) || (call.program == "gemini" && call.has(&["-y"]));
    is_meant.then_some(())?;
    let what = format!("`{}` would start an agent that asks nobody", call.program);
    Finding::new(what, WHY, "Start it without that option, so that its user is asked")
}
