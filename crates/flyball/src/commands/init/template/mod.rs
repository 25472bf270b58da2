//! The `flyball.toml` of a new project: short, because everything has a default.

use toml_edit::Value;

use super::findings::Findings;
use super::packs::{LOOP, TEST_COMMAND};
use crate::commands::config::rules::{MIGRATIONS, commented};
use crate::config_edit::addition::Additions;

const ABOUT: &str = "\
#
# Guards, and checks after edits, are on by themselves: this file is for what differs. All settings
# with their defaults: `flyball config reference`. What is in force: `flyball config show --origin`.
";

const LOOP_ABOUT: &str = "\
# Review and tests before an agent may stop: `flyball init --packs loop` turns them on.
";

const RULE_ABOUT: &str = "\
# A rule of your own. Remove the `# ` to put it in force; `flyball test` runs its cases.
";

/// The config of a new project. What is known already is merged into it.
pub(super) fn config_file(findings: &Findings, known: &Additions) -> String {
    let languages: Vec<&str> = findings.languages.iter().map(|found| found.name.as_str()).collect();
    let languages = if languages.is_empty() { String::new() } else { format!(" ({})", languages.join(", ")) };
    let mut text = format!("# flyball: what coding agents may do in this project{languages}.\n{ABOUT}");
    let has_loop = known.has(LOOP, "mode");
    text.push_str(&format!("\n{}[{LOOP}]\n", if has_loop { "" } else { LOOP_ABOUT }));
    let test = |command: &str| format!("{TEST_COMMAND} = {}", Value::from(command));
    text.push_str(&match findings.test_command() {
        Some(command) => {
            format!("{}  # flyball runs it itself when an agent wants to stop\n", test(&command))
        }
        None => format!("# {}\n", test("make test")),
    });
    text.push('\n');
    text.push_str(RULE_ABOUT);
    text.extend(commented(MIGRATIONS));
    text
}

#[cfg(test)]
mod tests;
