//! Calls of git servers, as calls of git.

use serde_json::Value;

use super::fields::{ARGS, Fields, plain};
use super::words::quoted;
use crate::text::Words;

/// Commands of git, as words of a tool's name. Those of two words come first.
const COMMANDS: &[(&[&str], &str)] = &[
    (&["delete", "branch"], "branch -D"),
    (&["branch", "delete"], "branch -D"),
    (&["remove", "branch"], "branch -D"),
    (&["delete", "remote", "branch"], "push --delete"),
    (&["delete", "tag"], "tag -d"),
    (&["create", "branch"], "branch"),
    (&["list", "branches"], "branch --list"),
    (&["force", "push"], "push --force"),
    (&["push", "force"], "push --force"),
    (&["hard", "reset"], "reset --hard"),
    (&["reset", "hard"], "reset --hard"),
    (&["stash", "drop"], "stash drop"),
    (&["drop", "stash"], "stash drop"),
    (&["stash", "clear"], "stash clear"),
    (&["clear", "stash"], "stash clear"),
    (&["stash", "pop"], "stash pop"),
    (&["stash", "list"], "stash list"),
    (&["config"], "config"),
    (&["worktree", "remove"], "worktree remove"),
    (&["remove", "worktree"], "worktree remove"),
    (&["discard"], "restore"),
    (&["undo"], "reset"),
    (&["amend"], "commit --amend"),
    (&["cherry", "pick"], "cherry-pick"),
    (&["filter", "branch"], "filter-branch"),
    (&["update", "ref"], "update-ref"),
    (&["delete", "ref"], "update-ref -d"),
    (&["remove"], "rm"),
];

const PLAIN: Words = Words(
    "reset|clean|push|commit|checkout|switch|restore|rebase|merge|revert|stash|branch|tag|rm|mv|reflog|gc|prune|worktree|\
     pull|fetch|add|apply|am|remote|submodule|init|clone|diff|log|show|status|blame|notes|bisect|grep",
);

/// Fields of text that are positional, in this order.
const POSITIONS: &[Words] = &[
    Words("remote|remotename|origin"),
    Words("branch|branchname|refspec|ref|tag|tagname|name|worktree|stash"),
    Words(
        "target|commit|revision|rev|sha|hash|commithash|startpoint|base|basebranch|upstream|onto|source|treeish",
    ),
    Words("key"),
    Words("value"),
];
const PATHS: Words = Words("paths|files|file|path|filepath|filepaths|pathspec|pathspecs");
const FLAGS_OF_CLEAN: &[(&str, &str)] = &[
    ("force", "-f"),
    ("directories", "-d"),
    ("dirs", "-d"),
    ("recursive", "-d"),
    ("ignored", "-x"),
    ("removeignored", "-x"),
];
const NO_VERIFY: Words = Words(
    "noverify|skiphooks|nohooks|bypasshooks|skipverify|disablehooks|skipprecommit|ignorehooks|skipverification|bypass",
);

/// The line of git that a call amounts to, with the commands in these words.
pub(super) fn line(words: &[String], fields: &Fields<'_>) -> Option<String> {
    let command = command(words)?;
    let mut line = format!("git {command}");
    push_flags(&mut line, command, fields);
    for argument in fields.take_list(ARGS) {
        line.push(' ');
        line.push_str(&quoted(argument));
    }
    for names in POSITIONS {
        if let Some(text) = fields.take(*names) {
            line.push(' ');
            line.push_str(&quoted(text));
        }
    }
    let paths: Vec<&str> = fields.take_list(PATHS);
    if !paths.is_empty() {
        line.push_str(" --");
        for path in paths {
            line.push(' ');
            line.push_str(&quoted(path));
        }
    }
    Some(line)
}

fn command(words: &[String]) -> Option<&str> {
    let has_all = |needed: &[&str]| needed.iter().all(|need| words.iter().any(|word| word == need));
    let several = COMMANDS.iter().find(|(needed, _)| has_all(needed)).map(|(_, command)| *command);
    several.or_else(|| words.iter().find(|word| PLAIN.contains(word)).map(String::as_str))
}

fn push_flags(line: &mut String, command: &str, fields: &Fields<'_>) {
    let mut add = |flag: &str| {
        line.push(' ');
        line.push_str(flag);
    };
    for (key, value) in fields.rest() {
        let name = plain(key);
        match value {
            Value::Bool(false) if name == "verify" || name == "runhooks" => add("--no-verify"),
            Value::Bool(true) if NO_VERIFY.contains(&name) => add("--no-verify"),
            Value::Bool(true) => match FLAGS_OF_CLEAN.iter().find(|(flag, _)| *flag == name) {
                Some((_, flag)) if command == "clean" => add(flag),
                _ if command == "branch" && (name == "delete" || name == "force") => add("-D"),
                _ => add(&format!("--{}", dashed(key))),
            },
            Value::String(mode) if name == "mode" || name == "resettype" => {
                let flag = format!("--{}", mode.trim_start_matches('-'));
                // The word may have been read as a part of the command already.
                if !command.ends_with(&flag) {
                    add(&flag);
                }
            }
            Value::String(text) if name == "message" || name == "commitmessage" => {
                add(&format!("-m {}", quoted(text)))
            }
            Value::String(scope) if name == "scope" => add(&format!("--{scope}")),
            Value::String(action) if name == "action" && command == "stash" => add(&quoted(action)),
            _ => continue,
        }
        fields.mark(key);
    }
}

/// `forceWithLease` and `force_with_lease` as an option.
fn dashed(key: &str) -> String {
    super::name::split(key).join("-")
}
