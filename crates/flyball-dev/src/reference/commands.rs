//! The page of all commands and options.

use clap::{Arg, Command};

use super::markdown::{code, head, table};
use flyball::command_line;

pub(super) fn page() -> String {
    let mut root = command_line();
    root.build();
    let about = "Every command prints for people by default, with colours on a terminal, and takes `--help` \
        and `--color auto|always|never` (`auto`: NO_COLOR turns colours off, CLICOLOR_FORCE on). Output of `--json` keeps its fields: new ones may come, none change their meaning.";
    let mut page = head("Commands", about);
    let rows = root
        .get_subcommands()
        .filter(|command| !command.is_hide_set())
        .map(|command| vec![format!("[`flyball {0}`](#flyball-{0})", command.get_name()), about_of(command)]);
    page.push_str(&table(&["command", "what it does"], rows));
    for command in root.get_subcommands().filter(|command| !command.is_hide_set()) {
        describe(command, &format!("flyball {}", command.get_name()), &mut page);
    }
    page
}

fn describe(command: &Command, name: &str, page: &mut String) {
    let level = "#".repeat(name.split(' ').count());
    page.push_str(&format!("\n{level} `{name}`\n\n{}.\n", about_of(command)));
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage:").trim().replace("\n       ", "\n");
    page.push_str(&format!("\n```sh\n{usage}\n```\n"));
    let arguments: Vec<&Arg> = command
        .get_arguments()
        .filter(|it| !it.is_hide_set() && it.get_id() != "help" && it.get_id() != "color")
        .collect();
    if !arguments.is_empty() {
        let rows = arguments.iter().map(|argument| vec![code(&written(argument)), meaning(argument)]);
        page.push_str(&table(&["argument", "meaning"], rows));
    }
    if let Some(more) = command.get_after_help() {
        page.push_str(&format!("\n```text\n{}\n```\n", more.to_string().trim_end()));
    }
    for below in command.get_subcommands().filter(|below| !below.is_hide_set() && below.get_name() != "help")
    {
        describe(below, &format!("{name} {}", below.get_name()), page);
    }
}

fn about_of(command: &Command) -> String {
    command.get_about().map(ToString::to_string).unwrap_or_default()
}

/// An argument as it is typed: `-n, --number <N>`.
fn written(argument: &Arg) -> String {
    let values: Vec<String> =
        argument.get_value_names().unwrap_or_default().iter().map(ToString::to_string).collect();
    let takes_value = argument.get_action().takes_values();
    let value = if takes_value { format!(" <{}>", values.join("> <")) } else { String::new() };
    let short = argument.get_short().map(|letter| format!("-{letter}"));
    let long = argument.get_long().map(|word| format!("--{word}"));
    let names: Vec<String> = short.into_iter().chain(long).collect();
    if names.is_empty() { format!("[{}]", values.join(" ")) } else { format!("{}{value}", names.join(", ")) }
}

fn meaning(argument: &Arg) -> String {
    let mut meaning = argument.get_help().map(ToString::to_string).unwrap_or_default();
    let takes_value = argument.get_action().takes_values();
    let values: Vec<String> =
        argument.get_possible_values().iter().map(|value| code(value.get_name())).collect();
    if takes_value && argument.is_hide_possible_values_set() {
        meaning.push_str("; the names are in [events](events.md)");
    } else if takes_value && !values.is_empty() {
        meaning.push_str(&format!("; one of {}", values.join(", ")));
    }
    let defaults: Vec<String> =
        argument.get_default_values().iter().map(|value| code(&value.to_string_lossy())).collect();
    if takes_value && !defaults.is_empty() {
        meaning.push_str(&format!("; default {}", defaults.join(", ")));
    }
    meaning
}
