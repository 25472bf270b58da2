//! The same checks before every commit: shows what to add to the git hooks in use. It does not edit
//! them, because those files belong to the project.

use std::fs;

use crate::install::Site;
use crate::terminal::Terminal;

/// What is run before a commit.
const COMMAND: &str = "flyball lint --staged";

/// For `.pre-commit-config.yaml`, below `repos:`.
const PRE_COMMIT: &[&str] = &[
    "- repo: local",
    "  hooks:",
    "    - id: flyball",
    "      name: flyball",
    "      entry: flyball lint --staged",
    "      language: system",
    "      pass_filenames: false",
];

/// Scripts that git runs before a commit.
const SCRIPTS: &[&str] = &[".git/hooks/pre-commit", ".husky/pre-commit"];

/// Whether a config of pre-commit is there that git does not run yet.
pub(super) fn lacks_installed_hook(site: &Site) -> bool {
    let has = |name: &str| site.root.join(name).is_file();
    has(".pre-commit-config.yaml") && site.root.join(".git").is_dir() && !has(".git/hooks/pre-commit")
}

/// Shows what to add, for each way that is in use and does not run it yet.
pub(super) fn offer(site: &Site, terminal: &Terminal) {
    let lacks_it = |name: &&str| {
        let text = fs::read_to_string(site.root.join(name));
        text.is_ok_and(|text| !text.contains("flyball lint"))
    };
    if lacks_it(&".pre-commit-config.yaml") {
        terminal.line("  The same checks before every commit, below `repos:` of .pre-commit-config.yaml:");
        terminal.line("");
        terminal.lines(PRE_COMMIT.iter().map(|line| format!("      {line}")));
        terminal.line("");
    }
    if lacks_installed_hook(site) {
        terminal
            .line("  .pre-commit-config.yaml has no effect yet: git does not run it. To install its hook:");
        terminal.line("");
        terminal.line("      pre-commit install");
        terminal.line("");
    }
    for script in SCRIPTS.iter().filter(|name| lacks_it(name)) {
        terminal.line(&format!("  The same checks before every commit, a line for {script}:"));
        terminal.line("");
        terminal.line(&format!("      {COMMAND} || exit 1"));
        terminal.line("");
    }
}
