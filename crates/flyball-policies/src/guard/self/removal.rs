//! Commands that remove flyball by the program that installed it.

use flyball_core::client::Clients;
use flyball_core::verdict::Stance;
use flyball_effects::{Command, Script};

use super::access::Access;

/// Programs that install and remove others, also plugins. What removes is a word or an option.
const INSTALLERS: &[&str] = &[
    "cargo",
    "cargo-binstall",
    "brew",
    "port",
    "npm",
    "pnpm",
    "yarn",
    "bun",
    "volta",
    "corepack",
    "apt",
    "apt-get",
    "aptitude",
    "dpkg",
    "nala",
    "rpm",
    "dnf",
    "dnf5",
    "yum",
    "microdnf",
    "zypper",
    "pacman",
    "yay",
    "paru",
    "apk",
    "xbps-remove",
    "emerge",
    "eopkg",
    "swupd",
    "nix",
    "nix-env",
    "home-manager",
    "guix",
    "snap",
    "flatpak",
    "pip",
    "pip3",
    "uv",
    "pipx",
    "poetry",
    "pdm",
    "conda",
    "mamba",
    "micromamba",
    "pixi",
    "gem",
    "go",
    "mise",
    "asdf",
    "aqua",
    "proto",
    "pkgx",
    "pkg",
    "pkg_delete",
    "pkgin",
    "opkg",
    "scoop",
    "choco",
    "winget",
    "ubi",
    "eget",
    "stew",
    "mas",
];

/// Their words for it.
const VERBS: &[&str] = &[
    "uninstall",
    "remove",
    "rm",
    "un",
    "unlink",
    "purge",
    "erase",
    "del",
    "delete",
    "disable",
    "autoremove",
    "unuse",
    "deactivate",
    "unmerge",
    "--unmerge",
    "--uninstall",
    "--remove",
    "--purge",
    "--erase",
    "--delete",
    "r",
];

/// Programs whose options say it by a letter, and the letters.
const LETTERS: &[(&str, &str)] = &[
    ("dpkg", "rP"),
    ("rpm", "e"),
    ("pacman", "R"),
    ("yay", "R"),
    ("paru", "R"),
    ("nix-env", "e"),
    ("emerge", "cC"),
    ("guix", "r"),
];

/// Programs that only remove.
const REMOVERS: &[&str] = &["xbps-remove", "pkg_delete"];

const WHAT: &str = "a command that removes flyball or switches it off";

/// A command of the script that would remove flyball.
pub(super) fn find(script: &Script, clients: Clients) -> Option<Access> {
    let command = script.commands.iter().find(|command| removes(command, clients))?;
    let words = command.arguments.iter().map(|word| word.raw.as_str());
    let named = std::iter::once(command.program_name().unwrap_or_default())
        .chain(words)
        .collect::<Vec<_>>()
        .join(" ");
    Some(Access {
        is_below: false,
        stance: Stance::Deny,
        named,
        what: WHAT,
        route: "a package manager",
        path: None,
        verb: "run it",
    })
}

fn removes(command: &Command, clients: Clients) -> bool {
    let Some(program) = command.program_name() else { return false };
    // A client installs plugins, and flyball can be one.
    let is_client = || clients.iter().any(|client| client.programs.contains(&program));
    if !INSTALLERS.contains(&program) && !is_client() {
        return false;
    }
    let words: Vec<&str> = command.arguments.iter().filter_map(|word| word.text.as_deref()).collect();
    let Some(at) = words.iter().position(|word| is_our_package(word)) else { return false };
    if words.iter().any(|word| matches!(*word, "--dry-run" | "--help" | "-h" | "--simulate")) {
        return false;
    }
    // What follows `--` or comes after our name belongs to something else: `cargo run -p flyball -- rm`.
    let before = words.get(..at).unwrap_or_default();
    let has_verb = before.iter().any(|word| VERBS.contains(word));
    let has_letter = || {
        let letters = LETTERS.iter().find(|(name, _)| *name == program).map_or("", |(_, letters)| letters);
        let is_short = |word: &&&str| word.starts_with('-') && !word.starts_with("--");
        before.iter().filter(is_short).any(|word| word.contains(|letter| letters.contains(letter)))
    };
    has_verb || REMOVERS.contains(&program) || has_letter()
}

/// `flyball`, `flyball@1.2`, `@scope/flyball`, `flyball-cli`, `tap/flyball`.
fn is_our_package(word: &str) -> bool {
    let name = word.rsplit(['/', '#', ':']).next().unwrap_or(word);
    let name = name.split(['@', '=']).next().unwrap_or(name);
    // `flyball@marketplace` and `@scope/flyball` both have their name left.
    matches!(name, "flyball" | "flyball-cli" | "flyball-bin" | "flyball-git")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_known_with_scope_and_version() {
        for word in
            ["flyball", "flyball@1.2.3", "@org/flyball", "org/tap/flyball", "nixpkgs#flyball", "flyball==1.0"]
        {
            assert!(is_our_package(word), "{word}");
        }
        for word in ["flyballs", "my-flyball", "flyball.toml"] {
            assert!(!is_our_package(word), "{word}");
        }
    }
}
