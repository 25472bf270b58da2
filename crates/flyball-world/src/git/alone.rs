//! Whether git, called by an agent, starts nothing that the agent could have written: no hook, no filter, no program of a name that
//! was put in front of the system's.
//!
//! Which files git may then change is for the caller. What cannot be known counts as started.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::places::Places;
use crate::executable::{is_of_system, is_program};

/// What git is called for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Called {
    /// Where.
    pub folder: PathBuf,
    /// What it is to do; empty if another program calls it.
    pub verb: String,
}

/// Programs that git starts by their names, and those for a commit.
const STARTED: [&str; 5] = ["git", "sh", "bash", "ssh", "ssh-keygen"];
const STARTED_FOR_COMMITS: [&str; 3] = ["gpg", "editor", "vi"];

/// Verbs that make no commit and merge nothing: no editor, no signature, no driver of a merge.
const PLAIN: [&str; 16] = [
    "branch",
    "checkout",
    "clone",
    "config",
    "fetch",
    "init",
    "log",
    "mv",
    "push",
    "remote",
    "rev-parse",
    "show",
    "sparse-checkout",
    "status",
    "switch",
    "worktree",
];

/// Settings that only other verbs heed.
const OF_COMMITS_ONLY: [&str; 3] = ["core.editor", "sequence.editor", "gpg."];

/// Programs that do what a file says.
const RUN_FILES: [&str; 22] = [
    "sh", "bash", "dash", "zsh", "fish", "env", "python", "python3", "node", "perl", "ruby", "make", "just",
    "npm", "npx", "pnpm", "yarn", "bun", "deno", "uv", "xargs", "nix",
];

/// Hooks that any verb may start.
const ALWAYS: [&str; 3] = ["reference-transaction", "post-index-change", "pre-auto-gc"];
const OF_COMMITS: [&str; 5] =
    ["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "post-rewrite"];
const OTHERS: [&str; 8] = [
    "pre-merge-commit",
    "pre-rebase",
    "post-merge",
    "post-checkout",
    "pre-push",
    "applypatch-msg",
    "pre-applypatch",
    "post-applypatch",
];

/// Whether git starts only programs of the system in some calls; `path` has the folders that are searched for programs.
#[must_use]
pub fn starts_only_the_systems(path: &str, calls: &[Called]) -> bool {
    let search = Search(path);
    let Some(program) = search.find("git") else { return false };
    let verbs: Vec<&str> = calls.iter().map(|call| call.verb.as_str()).collect();
    let folders: BTreeSet<&Path> = calls.iter().map(|call| call.folder.as_path()).collect();
    let mut started = STARTED.iter().chain(STARTED_FOR_COMMITS.iter().filter(|_| !are_plain(&verbs)));
    started.all(|name| search.is_systems(name))
        && folders
            .into_iter()
            .all(|folder| Asked { program: &program, search, verbs: &verbs }.starts_only_the_systems(folder))
}

/// What is asked of each folder.
struct Asked<'a> {
    program: &'a Path,
    search: Search<'a>,
    verbs: &'a [&'a str],
}

impl Asked<'_> {
    fn starts_only_the_systems(&self, folder: &Path) -> bool {
        if !folder.is_dir() || is_in_bare_repository(folder) {
            return false;
        }
        let Some(settings) = Settings::read(self.program, folder) else { return false };
        settings.start_nothing(self.search, self.verbs)
            && !settings.hooks(folder).is_some_and(|hooks| runs(&hooks, self.verbs))
            && (!self.verbs.iter().any(|verb| reaches_submodules(verb))
                || submodules_are_plain(folder, self.verbs))
    }
}

/// Whether verbs make no commit and merge nothing.
fn are_plain(verbs: &[&str]) -> bool {
    verbs.iter().all(|verb| PLAIN.contains(verb))
}

/// Whether git finds a repository without a working tree sooner than the one whose `.git` is above.
fn is_in_bare_repository(folder: &Path) -> bool {
    let below = folder.ancestors().take_while(|above| !above.join(".git").exists());
    below.into_iter().any(|above| ["HEAD", "objects", "refs"].iter().all(|part| above.join(part).exists()))
}

/// The folders that are searched for programs.
#[derive(Clone, Copy)]
struct Search<'a>(&'a str);

impl Search<'_> {
    fn find(self, name: &str) -> Option<PathBuf> {
        std::env::split_paths(self.0).map(|folder| folder.join(name)).find(|program| is_program(program))
    }

    /// Whether a name leads to a program of the system, or to none.
    fn is_systems(self, name: &str) -> bool {
        self.find(name).is_none_or(|program| program.is_absolute() && is_of_system(&program))
    }
}

/// Git's settings in a folder.
struct Settings(Vec<(String, String)>);

impl Settings {
    fn read(program: &Path, folder: &Path) -> Option<Settings> {
        let mut command = Command::new(program);
        command.arg("-C").arg(folder).args(["config", "--list", "--includes", "-z"]);
        let answer = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
        let text = String::from_utf8(answer.stdout).ok().filter(|_| answer.status.success())?;
        let setting = |entry: &str| {
            let (key, value) = entry.split_once('\n').unwrap_or((entry, "true"));
            (key.to_lowercase(), value.to_owned())
        };
        Some(Settings(text.split_terminator('\0').map(setting).collect()))
    }

    fn start_nothing(&self, search: Search<'_>, verbs: &[&str]) -> bool {
        let is_of_commits = |key: &str| OF_COMMITS_ONLY.iter().any(|begin| key.starts_with(begin));
        let is_heeded = |key: &str| names_program(key) && !(are_plain(verbs) && is_of_commits(key));
        let mut heeded = self.0.iter().filter(|(key, _)| is_heeded(key));
        heeded.all(|(key, value)| is_harmless(key, value, search))
    }

    /// The folder with the hooks that hold in a folder; none if it is in no repository.
    fn hooks(&self, folder: &Path) -> Option<PathBuf> {
        let places = Places::of(folder)?;
        let Some((_, path)) = self.0.iter().rfind(|(key, _)| key == "core.hookspath") else {
            return Some(places.common.join("hooks"));
        };
        let home = || std::env::home_dir().unwrap_or_default();
        let top = folder.ancestors().find(|above| above.join(".git").exists()).unwrap_or(folder);
        Some(path.strip_prefix("~/").map_or_else(|| top.join(path), |below| home().join(below)))
    }
}

/// Whether a setting names a program.
fn names_program(key: &str) -> bool {
    const WHOLE: [&str; 10] = [
        "core.fsmonitor",
        "core.sshcommand",
        "core.gitproxy",
        "core.askpass",
        "core.editor",
        "sequence.editor",
        "core.alternaterefscommand",
        "uploadpack.packobjectshook",
        "gpg.program",
        "diff.external",
    ];
    const PARTS: [(&str, &[&str]); 7] = [
        ("filter.", &[".clean", ".smudge", ".process"]),
        ("merge.", &[".driver"]),
        ("diff.", &[".textconv", ".command"]),
        ("remote.", &[".uploadpack", ".receivepack", ".vcs"]),
        ("credential.", &["helper"]),
        ("gpg.", &[".program", ".defaultkeycommand"]),
        // Another transport may be a program.
        ("url.", &[".insteadof", ".pushinsteadof"]),
    ];
    let is_part =
        |(begin, ends): &(&str, &[&str])| key.starts_with(begin) && ends.iter().any(|end| key.ends_with(end));
    WHOLE.contains(&key) || PARTS.iter().any(is_part)
}

/// Whether the program that a setting names is the system's, and does not do what a file says.
fn is_harmless(key: &str, value: &str, search: Search<'_>) -> bool {
    if key.starts_with("url.") {
        return !key.contains("::");
    }
    let mut words = value.trim_start_matches('!').split_whitespace();
    let Some(first) = words.next().filter(|first| !["true", "false"].contains(first)) else { return true };
    let rest: Vec<&str> = words.collect();
    let is_file =
        |word: &&str| word.starts_with(['.', '~', '/']) || word.to_lowercase().contains("proxycommand");
    let does_more = value.contains([';', '&', '|', '<', '>', '$', '`', '(', '\n', '\\']);
    let is_systems = match first.contains('/') {
        true => is_of_system(Path::new(first)),
        // git's own helpers come before all others.
        false => search.is_systems(first) && search.is_systems(&format!("git-credential-{first}")),
    };
    let name = first.rsplit('/').next().unwrap_or(first);
    let calls_git =
        name != "git" || rest.first().is_some_and(|verb| search.is_systems(&format!("git-{verb}")));
    let is_store = key.ends_with("helper") && ["store", "cache"].contains(&first);
    is_systems
        && calls_git
        && !does_more
        && !RUN_FILES.contains(&name)
        && (is_store || !rest.iter().any(is_file))
}

/// Whether one of these verbs runs a hook that is in a folder.
fn runs(hooks: &Path, verbs: &[&str]) -> bool {
    let of_verbs = verbs.iter().flat_map(|verb| hooks_of(verb)).flatten();
    ALWAYS.iter().chain(of_verbs).any(|name| is_active(hooks, name))
}

/// The hooks that a verb may run, besides those that any may.
fn hooks_of(verb: &str) -> Vec<&'static [&'static str]> {
    match verb {
        "add" | "branch" | "config" | "describe" | "diff" | "fetch" | "gc" | "init" | "log" | "ls-files"
        | "maintenance" | "mv" | "remote" | "reset" | "rev-parse" | "rm" | "show" | "status" | "tag" => {
            vec![]
        }
        "push" => vec![&["pre-push"]],
        "bisect" | "checkout" | "clone" | "restore" | "sparse-checkout" | "stash" | "switch" | "worktree" => {
            vec![&["post-checkout"]]
        }
        "commit" => vec![&OF_COMMITS],
        _ => vec![&OF_COMMITS, &OTHERS],
    }
}

fn is_active(hooks: &Path, name: &str) -> bool {
    // Husky has a program for each hook, which looks for one of the user beside it.
    let is_husky = hooks.ends_with(".husky/_");
    is_program(&hooks.join(name))
        && !(is_husky && hooks.parent().is_some_and(|above| !above.join(name).exists()))
}

fn reaches_submodules(verb: &str) -> bool {
    verb == "submodule" || verb.is_empty()
}

/// Whether no submodule of the repository has hooks or settings by which something is started.
fn submodules_are_plain(folder: &Path, verbs: &[&str]) -> bool {
    const STARTS: [&str; 6] =
        ["fsmonitor", "hookspath", "sshcommand", "[filter", "[include", "[remote \"ext::"];
    let Some(places) = Places::of(folder) else { return true };
    let (configs, hooks) = (places.all_configs(), places.hooks());
    let own = places.configs();
    let is_plain = |config: &PathBuf| match std::fs::read_to_string(config) {
        Ok(text) => !STARTS.iter().any(|word| text.to_lowercase().contains(word)),
        Err(cause) => cause.kind() == std::io::ErrorKind::NotFound,
    };
    configs.iter().filter(|config| !own.contains(config)).all(is_plain)
        && hooks
            .iter()
            .filter(|hooks| **hooks != places.common.join("hooks"))
            .all(|hooks| !runs(hooks, verbs))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_setting_is_harmless_if_it_names_a_program_of_the_system() {
        let search = Search("/usr/local/bin:/usr/bin:/bin");
        for (key, value, expected) in [
            ("core.fsmonitor", "true", true),
            ("core.fsmonitor", "/home/x/watch", false),
            ("core.fsmonitor", "./watch", false),
            ("filter.lfs.smudge", "git-lfs smudge -- %f", true),
            ("filter.lfs.process", "git-lfs filter-process", true),
            ("filter.x.smudge", "sh ./x", false),
            ("filter.x.smudge", "python3 x.py", false),
            ("filter.x.clean", "cat x; rm y", false),
            ("credential.helper", "store --file ~/.creds", true),
            ("credential.helper", "cache --timeout=3600", true),
            ("credential.helper", "", true),
            ("credential.https://github.com.helper", "!gh auth git-credential", true),
            ("credential.helper", "!f() { echo x; }; f", false),
            ("core.sshcommand", "ssh -i key", true),
            ("core.sshcommand", "ssh -o ProxyCommand=./x", false),
            ("core.sshcommand", "ssh -F ./x", false),
            ("core.editor", "vim", true),
            ("url.git@example.org:.insteadof", "https://example.org/", true),
            ("url.ext::sh -c x.insteadof", "https://example.org/", false),
        ] {
            assert!(names_program(key), "{key}");
            assert_eq!(is_harmless(key, value, search), expected, "{key} = {value}");
        }
        for key in ["user.name", "branch.x.merge", "remote.origin.url", "core.bare", "alias.st"] {
            assert!(!names_program(key), "{key}");
        }
    }

    #[test]
    fn a_hook_counts_for_the_verbs_that_run_it() {
        let place = tempfile::tempdir().unwrap();
        let program = |path: &Path| {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "#!/bin/sh\n").unwrap();
            fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
        };
        let hooks = place.path().join("hooks");
        program(&hooks.join("pre-push"));
        program(&hooks.join("post-checkout.sample"));
        assert!(runs(&hooks, &["push"]) && runs(&hooks, &["branch", "push"]) && runs(&hooks, &["pull"]));
        assert!(!runs(&hooks, &["checkout"]) && !runs(&hooks, &["branch"]) && !runs(&hooks, &["commit"]));
        let husky = place.path().join(".husky/_");
        program(&husky.join("post-checkout"));
        assert!(!runs(&husky, &["checkout"]));
        program(&place.path().join(".husky/post-checkout"));
        assert!(runs(&husky, &["checkout"]));
    }
}
