//! Offers to install what the project asks for: each command is shown, and run only if the person at the terminal says so.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use flyball_quality::catalogue;

use super::commits;
use super::dialogue::Dialogue;
use crate::install::{Site, on_path};
use crate::linters::{self, State, Survey};
use crate::terminal::Terminal;

/// Asks for each command that installs a missing linter, and for the hook of pre-commit.
pub(super) fn offer(survey: &Survey, site: &Site, terminal: &Terminal) {
    let machine = linters::machine(site);
    let mut commands: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for seen in survey.linters.iter().filter(|seen| seen.state == State::Missing) {
        // Not what a config of the project names: that is a command of somebody else.
        let usual = catalogue::builtin().get(&seen.name).and_then(|entry| entry.install.as_deref());
        if let Some(usual) = usual {
            commands.entry(linters::install_command(&machine, usual)).or_default().push(&seen.name);
        }
    }
    // What installs them may be missing too; then the table of linters has said what to do.
    commands.retain(|command, _| command.split(' ').next().is_some_and(|program| on_path(program).is_some()));
    let dialogue = Dialogue::new(terminal);
    if !commands.is_empty() {
        dialogue.heading("Linters of the project that are missing");
    }
    for (command, names) in &commands {
        ask(&dialogue, (&names.join(", "), command), &site.root);
    }
    if commits::lacks_installed_hook(site) && on_path("pre-commit").is_some() {
        dialogue.heading("Git does not run .pre-commit-config.yaml yet");
        ask(&dialogue, ("its hook", "pre-commit install"), &site.root);
    }
}

fn ask(dialogue: &Dialogue<'_>, (what, command): (&str, &str), root: &Path) {
    let mut words = command.split_whitespace();
    let Some(program) = words.next() else { return };
    if !dialogue.confirm(&format!("Install {what} with `{command}`?"), false) {
        return;
    }
    let ended = Command::new(program).args(words).current_dir(root).status();
    match ended {
        Ok(status) if status.success() => dialogue.remark("installed"),
        Ok(status) => dialogue.reject(&format!("`{command}` failed ({status}); nothing else was changed")),
        Err(error) => dialogue.reject(&format!("`{command}` could not be started: {error}")),
    }
}
