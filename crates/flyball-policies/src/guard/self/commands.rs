//! flyball's own commands that are for people only.

use flyball_core::shell::{Command, Script};
use flyball_core::verdict::Stance;

use super::Reach;

/// What those are that end or prolong the loop of review and tests.
const DECIDES: &str = "a command by which a person decides about the loop";

/// What an agent may not run, and what it is.
const FOR_PEOPLE: &[(&[&str], &str)] = &[
    (&["init"], "a command that changes flyball's installation"),
    (&["uninstall"], "a command that changes flyball's installation"),
    (&["import"], "a command that changes flyball's configuration"),
    (&["config", "set"], "a command that changes flyball's configuration"),
    (&["approve"], "a command by which a person accepts a change"),
    (&["loop", "continue"], DECIDES),
    (&["loop", "accept"], DECIDES),
    (&["loop", "abort"], DECIDES),
    (&["loop", "handoff"], DECIDES),
];

/// Flags with which such a command only looks.
const ONLY_LOOKS: &[&str] = &["--dry-run", "--list", "--diff", "--help", "-h"];

/// Programs that run a command in a terminal of its own making, and interpreters, whose code can.
const TERMINALS: &[&str] = &[
    "script", "unbuffer", "expect", "tmux", "screen", "socat", "python", "node", "ruby", "perl", "php",
    "deno", "bun",
];

/// The first command of a script that only people may run.
pub(super) fn forbidden(script: &Script) -> Option<Reach> {
    script.commands.iter().find_map(|command| direct(command).or_else(|| in_a_terminal(command)))
}

fn direct(command: &Command) -> Option<Reach> {
    if command.program_name() != Some("flyball") {
        return None;
    }
    let words: Vec<&str> = command.arguments.iter().filter_map(|word| word.text.as_deref()).collect();
    let (named, what) = meant(&words)?;
    Some(Reach { stance: Stance::Deny, named, what, route: "flyball's own commands", path: None })
}

/// `script -c "flyball approve"`: the text is somewhere in the arguments.
fn in_a_terminal(command: &Command) -> Option<Reach> {
    let program = command.program_name()?;
    if !TERMINALS.iter().any(|name| program.starts_with(name)) {
        return None;
    }
    let words = command.arguments.iter().chain(command.redirects.iter().map(|redirect| &redirect.target));
    let text: Vec<&str> = words.map(|word| word.text.as_deref().unwrap_or(&word.raw)).collect();
    let text = text.join(" ");
    let is_part = |letter: char| letter.is_alphanumeric() || "._-/".contains(letter);
    let words: Vec<&str> = text.split(|letter| !is_part(letter)).filter(|word| !word.is_empty()).collect();
    let at = words.iter().position(|word| *word == "flyball" || word.ends_with("/flyball"))?;
    let (named, what) = meant(words.get(at + 1..)?)?;
    Some(Reach {
        stance: Stance::Deny,
        named,
        what,
        route: "a terminal that the agent makes itself",
        path: None,
    })
}

fn meant(words: &[&str]) -> Option<(String, &'static str)> {
    // Behind `--` stand values, whatever they look like.
    if words.iter().take_while(|word| **word != "--").any(|word| ONLY_LOOKS.contains(word)) {
        return None;
    }
    // Without it an import only shows what it would write.
    if words.contains(&"import") && !words.contains(&"--write") {
        return None;
    }
    let given: Vec<&str> = words.iter().copied().filter(|word| !word.starts_with('-')).collect();
    let (path, what) = FOR_PEOPLE.iter().find(|(path, _)| given.starts_with(path))?;
    Some((format!("flyball {}", path.join(" ")), what))
}
