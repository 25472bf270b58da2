//! Ways to evade flyball itself: stopping it, disabling it, starting a client without it.

use flyball_core::client::{ClientFacts, HooksOff};
use flyball_effects::Word;

use super::context::{Call, Context, is_export};
use super::rule::{Check, Finding, rules};

rules! {
    "kill-flyball" Standard Deny "stopping flyball's processes"
        => Check::Programs(&["kill", "pkill", "killall"], kill_flyball);
    "flyball-variables" Standard Deny "setting `FLYBALL_SKIP` or another flyball variable for a client or a later command"
        => Check::Line(variables);
    "disable-hooks" Standard Deny "starting or setting up a client with `disableAllHooks`"
        => Check::Clients(disable_hooks);
    "unguarded-client" Strict Ask "starting a client without permission prompts: `--dangerously-skip-permissions`, `--yolo`, `--settings`"
        => Check::Clients(unguarded_client);
}

const WHY: &str = "The user relies on flyball to supervise agents";
const INSTEAD: &str = "Work within the rules, or tell the user which rule is the problem and why";

fn kill_flyball(context: &Context<'_>, call: &Call<'_>) -> Option<Finding> {
    let names_it = |word: &Word| word.raw.contains("flyball");
    // `kill $(pgrep flyball)` and `pgrep flyball | xargs kill`.
    let looked_up = || {
        let looks = |other: &Call<'_>| matches!(other.program, "pgrep" | "pidof" | "ps" | "grep");
        let mut lookups = context.calls().filter(|other| other.index < call.index && looks(other));
        lookups.any(|other| other.command.arguments.iter().any(names_it))
            && call.command.arguments.iter().any(|word| word.text.is_none())
    };
    // `-0` only asks whether a process exists.
    let is_look = call.has(&["-0", "-l", "--list"]);
    let applies = !is_look && (call.command.arguments.iter().any(names_it) || looked_up());
    applies.then_some(())?;
    Finding::new(format!("`{}` would stop flyball", call.display_text()), WHY, INSTEAD)
}

fn variables(context: &Context<'_>) -> Option<Finding> {
    let is_client = |call: &Call<'_>| context.client(call.program).is_some();
    let moves_settings =
        |name: &str| context.clients().iter().any(|client| client.home_variable == Some(name));
    let for_client = || {
        let reads = context.calls().filter(|call| is_client(call) || call.program == "flyball");
        let mut names = reads.flat_map(|call| call.command.assignments.iter().map(|(name, _)| name.as_str()));
        // With another home a client reads other settings, in which flyball is not registered.
        names.find(|name| is_flyball_variable(name) || *name == "HOME" || moves_settings(name))
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
    let name = for_client().or_else(exported)?;
    let what = format!("setting `{name}` here would change what flyball checks");
    Finding::new(what, "Only the person who starts the client may set it", INSTEAD)
}

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
            || off.empty_options.iter().any(is_empty)
            || call.values(off.feature_options).iter().any(is_feature)
            || call.texts().any(|text| off.words.contains(&text))
    };
    context.clients().iter().any(|client| is_off(&client.hooks_off)).then_some(())?;
    Finding::new(format!("`{}` would disable all hooks", call.display_text()), WHY, INSTEAD)
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
    applies.then_some(())?;
    let what = format!("`{}` would start an agent without permission prompts", call.program);
    Finding::new(what, WHY, "Leave out the option that skips the prompts")
}
