//! What a line does on another machine: `ssh host '…'` and its like.

use flyball_effects::argv::parse;
use flyball_effects::{Directory, FileAct, Line, RedirectKind, Word};
use flyball_programs::program;

use super::context::Call;
use super::finding::Finding;
use super::hosts::is_local;
use super::rule::{Check, rules};
use super::zone::is_build_folder;

rules! {
    "remote-harm" Standard Ask "on another machine: deleting folders, stopping services, losing data; `ssh host 'rm -rf /srv/app'`"
        => Check::Elsewhere;
}

/// Rules that hold on every machine.
pub(super) const RULES_THERE: &[&str] = &[
    "write-disk",
    "storage",
    "power-off",
    "kill-everything",
    "fork-bomb",
    "open-permissions",
    "stop-services",
    "container-data",
    "drop-data",
    "reset-database",
    "cluster-delete",
    "infrastructure",
    "firewall",
    "kernel",
    "accounts",
    "crontab-remove",
    "remove-essential",
    "erase-logs",
    "run-fetched",
];

/// The finding about what a call does on another machine.
pub(super) fn finding(call: &Call<'_>, harm: &str) -> Option<Finding> {
    Finding::new(
        format!("`{}` reaches another machine: {harm}", call.display_text()),
        "Others may depend on it, and nothing here can undo it",
        "Look first, such as with `ls` there, show the user what would be lost, and let them decide",
    )
}

/// Whether what is stopped is started again.
pub(super) fn starts_again(text: &str) -> bool {
    [" start", "restart", " up ", "up -d"].iter().any(|word| text.contains(word))
}

/// The first folder that a line deletes which is neither temporary nor made by a build.
pub(super) fn deleted_folder(line: &Line) -> Option<String> {
    let deleted = line.effects.files.iter().filter(|it| it.act == FileAct::Delete { recursive: true });
    let named = deleted.filter_map(|effect| {
        let text = effect.target.word.text.as_deref()?;
        // Behind a `cd`, a name is in the folder that it leads to.
        let folder = match &effect.target.directory {
            Directory::OneOf(places) if !text.starts_with(['/', '~']) => {
                places.last().map(|it| format!("{it}/"))
            }
            _ => None,
        };
        let path = folder.unwrap_or_default() + text;
        Some(path.trim_end_matches("/*").trim_end_matches('/').to_owned())
    });
    let is_scratch = |path: &str| {
        let parts: Vec<&str> = path.split('/').collect();
        parts.iter().any(|part| matches!(*part, "tmp" | ".cache" | "cache") || is_build_folder(part))
    };
    let is_rooted = |path: &str| path.is_empty() || path.starts_with(['/', '~']);
    let mut named = named.filter(|path| is_rooted(path) && !is_scratch(path));
    named.next().map(|path| if path.is_empty() { "/".to_owned() } else { path })
}

/// The lines that a call runs on another machine.
pub(super) fn remote_texts(call: &Call<'_>) -> Vec<String> {
    let joined = |words: &[&Word]| {
        let texts = words.iter().map(|word| word.text.as_deref().unwrap_or(&word.raw));
        texts.collect::<Vec<_>>().join(" ")
    };
    let behind = |mark: &str| {
        let at = call.command.arguments.iter().position(|word| word.is(mark));
        let words = at.and_then(|at| call.command.arguments.get(at + 1..)).unwrap_or_default();
        joined(&words.iter().collect::<Vec<_>>())
    };
    let given = |options: &[&str]| {
        let apart = call.values(options).into_iter().filter_map(|word| word.text.clone());
        let attached = options.iter().filter_map(|option| call.attached(option)).map(str::to_owned);
        apart.chain(attached).collect::<Vec<_>>()
    };
    let mut found = match call.program {
        "ssh" | "autossh" => {
            let grammar = program("ssh").map(|known| known.grammar);
            let operands = grammar.map(|it| parse(it, &call.command.arguments).operands).unwrap_or_default();
            let Some((host, rest)) = operands.split_first() else { return Vec::new() };
            let host = host.text.as_deref().unwrap_or_default();
            if is_local(host.rsplit('@').next().unwrap_or(host)) {
                return Vec::new();
            }
            vec![joined(rest)]
        }
        "mosh" | "kubectl" | "oc" if call.program == "mosh" || call.words().contains(&"exec") => {
            vec![behind("--")]
        }
        "gcloud" | "az" => given(&["--command", "--scripts"]),
        "ansible" => given(&["-a", "--args"]),
        "fly" | "flyctl" => given(&["-C", "--command"]),
        "doctl" => given(&["--ssh-command"]),
        "pdsh" | "dsh" | "clush" | "pssh" | "parallel-ssh" | "heroku" => {
            // The text is the last word, or the words behind the hosts.
            call.operands().iter().map(|word| joined(&[*word])).filter(|text| text.contains(' ')).collect()
        }
        _ => return Vec::new(),
    };
    if matches!(call.program, "ssh" | "autossh" | "mosh") {
        let documents = call
            .command
            .redirects
            .iter()
            .filter(|it| matches!(it.kind, RedirectKind::HereDoc | RedirectKind::HereString));
        found.extend(documents.map(|it| it.target.text.clone().unwrap_or_else(|| it.target.raw.clone())));
        found.extend(call.command.input.clone());
    }
    found.retain(|text| !text.trim().is_empty());
    found
}
