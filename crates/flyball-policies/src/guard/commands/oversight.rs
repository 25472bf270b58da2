//! Ways to evade flyball itself: stopping it, disabling it, starting a client without it.

use flyball_core::client::{ClientFacts, HooksOff};
use flyball_core::text::Words;
use flyball_effects::{FileAct, FileEffect, Word};

use super::context::{Call, Context, is_export};
use super::finding::Finding;
use super::hosts::{host, is_local};
use super::rule::{Check, rules};

rules! {
    "kill-flyball" Standard Deny "stopping flyball's processes"
        => Check::Line(kill_flyball);
    "flyball-variables" Standard Deny "setting `FLYBALL_SKIP` or another flyball variable for a client or a later command"
        => Check::Line(variables);
    "disable-hooks" Standard Deny "starting or setting up a client with `disableAllHooks`"
        => Check::Clients(disable_hooks);
    "extend-client" Standard Ask "adding a plugin, an extension or a tool server to a client: `plugin install`, `mcp add`"
        => Check::Clients(extend_client);
    "unguarded-client" Strict Ask "starting a client without permission prompts: `--dangerously-skip-permissions`, `--yolo`, `--settings`"
        => Check::Clients(unguarded_client);
}

/// Adds to a client: `plugin install x`, `plugin marketplace add x`, `mcp add x`, `extensions install x`.
fn extend_client(_: &Context<'_>, call: &Call<'_>) -> Option<Finding> {
    const PARTS: &[&str] = &["plugin", "plugins", "extension", "extensions", "mcp", "skill", "skills"];
    const VERBS: &[&str] = &["add", "add-json", "install", "import", "link", "marketplace"];
    const RUNNERS: Words = Words("npx|bunx|uvx|pipx|dlx|deno|docker|podman");
    const READS: &[&str] = &["list", "ls", "show", "info", "search", "remove", "update"];
    let words = call.words();
    let [part, verb, rest @ ..] = words.as_slice() else { return None };
    let only_reads = rest.first().is_some_and(|word| READS.contains(word)) || call.is_dry_run();
    // A tool server that is a program of this machine was installed before.
    let comes_from_elsewhere =
        || call.texts().any(|text| RUNNERS.contains(text) || (text.contains("://") && !is_local(host(text))));
    let is_added = PARTS.contains(part) && VERBS.contains(verb) && !only_reads;
    (is_added && (*part != "mcp" || comes_from_elsewhere())).then_some(())?;
    Finding::new(
        format!("`{}` would add to the agent's client", call.display_text()),
        "It runs in every later session, with the rights of the user",
        "Tell the user what it is for, and let them add it",
    )
}

const WHY: &str = "The user relies on flyball to supervise agents";
const INSTEAD: &str = "Work within the rules, or tell the user which rule is the problem and why";

/// Programs that send signals.
const KILLERS: &[&str] =
    &["kill", "pkill", "killall", "skill", "fuser", "slay", "xkill", "killall5", "taskkill"];

/// Programs that find processes, or select them from a list.
const FINDERS: &[&str] = &[
    "pgrep", "pidof", "ps", "grep", "egrep", "fgrep", "rg", "awk", "gawk", "mawk", "sed", "lsof", "fuser",
    "perl",
];

fn kill_flyball(context: &Context<'_>) -> Option<Finding> {
    let kills = |call: &Call<'_>| KILLERS.contains(&call.program) && kills_flyball(context, call);
    let found = context.calls().find(kills).or_else(|| context.calls().find(kills_by_code))?;
    Finding::new(format!("`{}` would stop flyball", found.display_text()), WHY, INSTEAD)
}

/// `[f]lyball` does not match its own command line, which is why lists of processes are searched for it.
fn names_flyball(word: &Word) -> bool {
    word.raw.contains("lyball") && word.raw.replace(['[', ']'], "").contains("flyball")
}

fn kills_flyball(context: &Context<'_>, call: &Call<'_>) -> bool {
    // `kill $(pgrep flyball)` and `pgrep flyball | xargs kill`.
    let looked_up = || {
        let looks = |other: &Call<'_>| FINDERS.contains(&other.program);
        let mut lookups = context.calls().filter(|other| other.index < call.index && looks(other));
        lookups.any(|other| other.command.arguments.iter().any(names_flyball))
            && call.command.arguments.iter().any(|word| word.text.is_none())
    };
    // Without these, it only shows who uses a file.
    let kills = call.program != "fuser" || call.has(&["-k", "--kill"]);
    // `-0` only asks whether a process exists.
    let is_look = call.has(&["-0", "-l", "--list"]);
    kills && !is_look && (call.command.arguments.iter().any(names_flyball) || looked_up())
}

/// Code that finds flyball's processes and sends them a signal, in a process of its own.
fn kills_by_code(call: &Call<'_>) -> bool {
    let sends = |text: &str| text.contains("kill(") || text.contains(".kill") || text.contains("terminate(");
    let mut words = call.command.arguments.iter().chain(call.command.redirects.iter().map(|it| &it.target));
    is_interpreter(call.program) && words.any(|word| names_flyball(word) && sends(&word.raw))
}

fn is_interpreter(program: &str) -> bool {
    let stem = program.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
    matches!(stem, "python" | "node" | "nodejs" | "bun" | "deno" | "ruby" | "perl" | "php" | "lua" | "tclsh")
}

fn variables(context: &Context<'_>) -> Option<Finding> {
    let is_client = |call: &Call<'_>| context.client(call.program).is_some();
    let moves_settings =
        |name: &str| context.clients().iter().any(|client| client.home_variable == Some(name));
    let for_client = || {
        let reads = context.calls().filter(|call| is_client(call) || call.program == "flyball");
        let mut names = reads.flat_map(|call| call.command.assignments.iter().map(|(name, _)| name.as_str()));
        // With another home a client reads other settings, in which flyball is not registered, and flyball another
        // configuration.
        names.find(|name| is_flyball_variable(name) || MOVES_US.contains(name) || moves_settings(name))
    };
    // `os.environ['FLYBALL_SKIP'] = …` in code that starts a client.
    let by_code = || {
        let mut words = context.calls().filter(|call| is_interpreter(call.program)).flat_map(|call| {
            call.command.arguments.iter().chain(call.command.redirects.iter().map(|it| &it.target))
        });
        let starts_client = context.calls().any(|call| is_client(&call));
        (starts_client && words.any(|word| word.raw.contains("FLYBALL_"))).then_some("FLYBALL_…")
    };
    let exported = || {
        let exports = context.calls().filter(|call| is_export(call.program));
        let mut names = exports
            .flat_map(|call| call.command.arguments.iter())
            .filter_map(|word| Some(word.raw.split_once('=')?.0));
        names.find(|name| {
            is_flyball_variable(name) || (moves_settings(name) && context.calls().any(|it| is_client(&it)))
        })
    };
    let name = for_client().or_else(exported).or_else(by_code)?;
    let what = format!("setting `{name}` here would change what flyball checks");
    Finding::new(what, "Only the person who starts the client may set it", INSTEAD)
}

/// Variables that move the folders of flyball's configuration and state.
const MOVES_US: &[&str] = &["HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"];

fn is_flyball_variable(name: &str) -> bool {
    name.starts_with("FLYBALL_")
}

/// Checks the options of all clients, because a program's name does not prove which client it is.
fn disable_hooks(context: &Context<'_>, call: &Call<'_>) -> Option<Finding> {
    let is_off = |off: &HooksOff| {
        let is_setting = |word: &Word| off.settings.iter().any(|setting| word.raw.contains(setting));
        let is_empty = |option: &&str| {
            call.values(&[option]).iter().any(|word| word.is("")) || call.attached(option) == Some("")
        };
        let is_feature = |word: &&Word| off.features.contains(&word.text.as_deref().unwrap_or_default());
        call.command.arguments.iter().any(is_setting)
            || off.settings_options.iter().any(|option| {
                off.settings.iter().any(|setting| settings_file_has(context, call, option, setting))
            })
            || off.empty_options.iter().any(is_empty)
            || call.values(off.feature_options).iter().any(is_feature)
            || call.texts().any(|text| off.words.contains(&text))
    };
    context.clients().iter().any(|client| is_off(&client.hooks_off)).then_some(())?;
    Finding::new(format!("`{}` would disable all hooks", call.display_text()), WHY, INSTEAD)
}

/// Whether the file that an option names has a setting; the line itself may write the file.
fn settings_file_has(context: &Context<'_>, call: &Call<'_>, option: &str, setting: &str) -> bool {
    const MOST_BYTES: u64 = 1024 * 1024;
    let attached = call.attached(option).map(Word::literal);
    let mut files = call.values(&[option]).into_iter().cloned().chain(attached);
    files.any(|file| {
        let Some(path) = context.path(&file, &call.command.directory) else { return false };
        let is_written = |effect: &FileEffect| match &effect.act {
            FileAct::Write(content) | FileAct::Append(content) => {
                context.locate_target(&effect.target).paths().contains(&path)
                    && content.text().is_some_and(|text| text.contains(setting))
            }
            _ => false,
        };
        context.effects().files.iter().any(is_written) || context.file_contains(&path, setting, MOST_BYTES)
    })
}

fn unguarded_client(context: &Context<'_>, call: &Call<'_>) -> Option<Finding> {
    let is_value = |client: &ClientFacts| {
        let is_given = |value: &str, text: &str| {
            text == value || text.strip_suffix(value).is_some_and(|before| before.ends_with('='))
        };
        client.unattended_values.iter().any(|value| call.texts().any(|text| is_given(value, text)))
    };
    // A short option can mean something else to another program, so it only counts for its own client.
    let applies = context.clients().iter().any(|client| call.has(client.unattended) || is_value(client))
        || context.client(call.program).is_some_and(|client| call.has(client.unattended_short));
    let is_switched = |(name, value): &(String, Word)| {
        let is_off = value.text.as_deref().is_some_and(|it| matches!(it, "off" | "0" | "false" | "none"));
        name == "OPENCODE_PURE" || (name == "PLUGINS" && is_off)
    };
    if call.has(&["--help", "--version"]) {
        return None;
    }
    let applies = applies || call.command.assignments.iter().any(is_switched) || unsets_hooks(call);
    applies.then_some(())?;
    let what = format!("`{}` would start an agent without permission prompts", call.program);
    Finding::new(what, WHY, "Leave out the option that skips the prompts")
}

/// `hermes config unset hooks.x`, `openclaw config set plugins.enabled false`.
fn unsets_hooks(call: &Call<'_>) -> bool {
    let words = call.words();
    let [first, verb, key, ..] = words.as_slice() else { return false };
    let is_about =
        ["hooks", "plugins", "permissions", "sandbox", "extensions"].iter().any(|part| key.starts_with(part));
    let is_off = matches!(*verb, "unset" | "delete" | "remove")
        || (*verb == "set"
            && words.iter().skip(3).any(|value| matches!(*value, "false" | "off" | "none" | "0")));
    *first == "config" && is_about && is_off
}
