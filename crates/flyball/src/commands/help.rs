//! The help: the commands in groups, and the page of each.

use clap::builder::{StyledStr, Styles};
use clap::{Args, Command};

use crate::arguments::unknown;
use crate::outcome::{Done, Failed};
use crate::show::text::{width, wrap_lines, wrap_painted};
use crate::terminal::{ColorChoice, Terminal};

/// Commands that belong together.
pub struct Group {
    pub title: &'static str,
    pub commands: &'static [&'static str],
}

/// Every command that is not hidden, once.
pub const GROUPS: &[Group] = &[
    Group {
        title: "Set up",
        commands: &["init", "doctor", "demo", "import", "completions", "update", "uninstall"],
    },
    Group {
        title: "See what happened",
        commands: &["status", "log", "explain", "dash", "top", "report", "audit"],
    },
    Group {
        title: "Decide",
        commands: &["allow", "trust", "approve", "restore", "undo", "loop", "learn", "forget"],
    },
    Group { title: "Rules", commands: &["policies", "config", "try", "test", "replay", "self-test"] },
    Group { title: "Work", commands: &["lint", "task", "knowledge", "memory", "manifest", "sound", "run"] },
    Group { title: "For programs", commands: &["hook", "statusline", "mcp", "export", "man", "help"] },
];

const MORE: &str = "`flyball --help` lists the commands with what they do, `flyball help COMMAND` shows one.";
/// Longer lines are hard to read.
const WIDEST: usize = 100;
const MARGIN: usize = 2;

/// Arguments of `flyball help`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The command, and a command below it [default: all commands]
    #[arg(value_name = "COMMAND")]
    words: Vec<String>,
}

/// Prints the help of a command, as its `--help` does.
pub(crate) fn run(arguments: &Arguments, command: Command, view: &View<'_>) -> Result<Done, Failed> {
    let mut page = &command;
    let mut name = "flyball".to_owned();
    for word in &arguments.words {
        page = page.find_subcommand(word).ok_or_else(|| no_command(&name, word, page))?;
        name = format!("{name} {word}");
    }
    let words =
        std::iter::once("flyball").chain(arguments.words.iter().map(String::as_str)).chain(["--help"]);
    let shown = view.with_groups(command.clone(), Extent::Descriptions).try_get_matches_from(words);
    if let Err(help) = shown {
        // Nobody reads any more.
        drop(help.print());
    }
    Ok(Done::Success)
}

fn no_command(parent: &str, word: &str, page: &Command) -> Failed {
    let near = flyball_core::nearest::nearest(word, page.get_subcommands().map(Command::get_name));
    unknown(
        format!("`{parent}` has no command `{word}`"),
        near,
        &format!("`{parent} --help` lists its commands"),
    )
}

/// How much the list of all commands says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    Names,
    Descriptions,
}

/// Where the help is shown.
pub(super) struct View<'a> {
    pub(super) terminal: &'a Terminal,
    pub(super) colour: ColorChoice,
}

impl View<'_> {
    /// The command line with all that its help shows, at the width of the terminal.
    pub(super) fn with_groups(&self, command: Command, extent: Extent) -> Command {
        with_groups(command, extent, self.terminal.columns().min(WIDEST)).color(self.colour)
    }
}

fn with_groups(command: Command, extent: Extent, room: usize) -> Command {
    let list = match extent {
        Extent::Names => short_list(room),
        Extent::Descriptions => long_list(&command, room),
    };
    // In the template, because clap would wrap it anywhere else.
    let template = format!("{{about}}\n\n{{usage-heading}} {{usage}}\n\n{list}\n\n{{options}}{{after-help}}");
    let more = wrap_lines(MORE, room).join("\n");
    fit(command, room).help_template(StyledStr::from(template)).after_help(more)
}

/// The command, and those below it, with lines that fit; clap wraps all texts but those after the options.
fn fit(command: Command, room: usize) -> Command {
    let command = command.term_width(room).mut_subcommands(|below| fit(below, room));
    match command.get_after_help().map(ToString::to_string) {
        Some(text) => {
            let lines = text.lines().flat_map(|line| wrap_painted(line, room));
            command.after_help(lines.collect::<Vec<_>>().join("\n"))
        }
        None => command,
    }
}

/// A line of names for each group.
fn short_list(room: usize) -> String {
    let label = GROUPS.iter().map(|group| width(group.title)).max().unwrap_or_default() + MARGIN;
    let lines = GROUPS.iter().flat_map(|group| {
        let names = wrap_lines(&group.commands.join(" "), room.saturating_sub(label));
        let title = heading(group.title, label);
        let first = names.first().map(|line| format!("{title}{line}"));
        let rest =
            names.iter().skip(1).map(|line| format!("{}{line}", " ".repeat(label))).collect::<Vec<_>>();
        first.into_iter().chain(rest)
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// A line for each command, below the title of its group.
fn long_list(command: &Command, room: usize) -> String {
    let names = GROUPS.iter().flat_map(|group| group.commands);
    let label = names.map(|name| width(name)).max().unwrap_or_default() + 2 * MARGIN;
    let groups = GROUPS.iter().map(|group| {
        let commands = group.commands.iter().flat_map(|name| {
            let about = command.find_subcommand(name).and_then(Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            let literal = Styles::styled().get_literal().to_owned();
            wrap_lines(&about, room.saturating_sub(label)).into_iter().enumerate().map(
                move |(number, line)| {
                    let name = if number == 0 { *name } else { "" };
                    let blanks = " ".repeat(label - MARGIN - width(name));
                    format!("{}{literal}{name}{literal:#}{blanks}{line}", " ".repeat(MARGIN))
                },
            )
        });
        let title = heading(&format!("{}:", group.title), 0);
        std::iter::once(title).chain(commands).collect::<Vec<_>>().join("\n")
    });
    groups.collect::<Vec<_>>().join("\n\n")
}

fn heading(title: &str, room: usize) -> String {
    let style = Styles::styled().get_header().to_owned();
    format!("{style}{title}{style:#}{}", " ".repeat(room.saturating_sub(width(title))))
}

/// The value of `--color` among these arguments. The help is printed while they are parsed, so it is needed before.
pub(super) fn colour_choice(arguments: &[String]) -> ColorChoice {
    let mut words = arguments.iter().take_while(|word| *word != "--");
    let mut choice = ColorChoice::Auto;
    while let Some(word) = words.next() {
        let value = match word.strip_prefix("--color") {
            Some("") => words.next().map(String::as_str),
            Some(rest) => rest.strip_prefix('='),
            None => None,
        };
        choice = match value {
            Some("always") => ColorChoice::Always,
            Some("never") => ColorChoice::Never,
            Some("auto") => ColorChoice::Auto,
            Some(_) | None => choice,
        };
    }
    choice
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::command_line;

    #[test]
    fn every_command_is_in_one_group() {
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|group| group.commands).copied().collect();
        grouped.sort_unstable();
        let command_line = command_line();
        let visible = command_line.get_subcommands().filter(|command| !command.is_hide_set());
        let mut commands: Vec<&str> = visible.map(Command::get_name).collect();
        commands.sort_unstable();
        assert_eq!(grouped, commands);
    }

    #[test]
    fn the_colour_is_known_before_the_arguments_are_parsed() {
        let cases = [
            ("", ColorChoice::Auto),
            ("log --color always", ColorChoice::Always),
            ("--color=never log", ColorChoice::Never),
            ("--color=never log --color auto", ColorChoice::Auto),
            ("--color=blue", ColorChoice::Auto),
            ("--colors always", ColorChoice::Auto),
            ("try -- --color always", ColorChoice::Auto),
        ];
        for (line, expected) in cases {
            let arguments: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            assert_eq!(colour_choice(&arguments), expected, "{line}");
        }
    }
}
