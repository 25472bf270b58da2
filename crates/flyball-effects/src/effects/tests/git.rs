//! How calls of git are read.

use crate::effects::GitCall;
use crate::model::Directory;
use crate::shell::parse;

/// Reads something from the first git call of a line.
fn first_call<T>(line: &str, read: impl Fn(&GitCall<'_>) -> T) -> T {
    let script = parse(line);
    let call = script.commands.iter().find_map(GitCall::parse).expect("a call of git");
    read(&call)
}

#[test]
fn only_git_is_git() {
    let is_git = |line: &str| parse(line).commands.iter().any(|command| GitCall::parse(command).is_some());
    let lines = ["git status", "sudo /usr/bin/git x", "gitk", "echo git", "hub x"];
    assert_eq!(lines.map(is_git), [true, true, false, false, false]);
}

#[test]
fn the_verb_comes_after_the_global_options() {
    let verb = |line: &str| first_call(line, |call| call.verb.map(str::to_owned));
    let lines = [
        "git status",
        "git -C a -c x.y=z --no-pager --git-dir=g push -f",
        "git --git-dir g --work-tree w clean",
        "git --version",
        "git \"$X\"",
    ];
    let verbs = [Some("status"), Some("push"), Some("clean"), None, None];
    assert_eq!(lines.map(verb), verbs.map(|verb| verb.map(str::to_owned)));
}

#[test]
fn directories_add_up() {
    let directory = |line: &str| first_call(line, |call| call.directory.clone());
    let one = |place: &str| Directory::OneOf(vec![place.to_owned()]);
    assert_eq!(directory("cd a && git -C b -C c status"), one("a/b/c"));
    assert_eq!(directory("git -C /x status"), one("/x"));
    assert_eq!(directory("git -C \"$X\" status"), Directory::Unknown);
}

#[test]
fn flags_are_found_in_every_spelling() {
    let forced = |line: &str| first_call(line, |call| call.flag("--force", "f"));
    for line in ["git push --force", "git push -f", "git clean -dfx", "git push origin -uf x"] {
        assert!(forced(line), "{line}");
    }
    for line in [
        "git push --force-with-lease",
        "git push --force --no-force",
        "git commit -mf",
        "git commit -m --force",
        "git commit --message -f",
        "git push -- --force",
        "git push origin f",
    ] {
        assert!(!forced(line), "{line}");
    }
    let unverified = |line: &str| first_call(line, |call| call.flag("--no-verify", "n"));
    assert!(unverified("git commit --no-veri -m x"));
    assert!(unverified("git commit -anm x"));
    assert!(!unverified("git commit -mn"));
}

#[test]
fn values_and_operands_are_distinguished() {
    let read = |line: &str| {
        first_call(line, |call| {
            let value = call.value("--message", "m").and_then(|word| word.text.clone());
            let operands: Vec<String> = call.operands().iter().map(|word| word.raw.clone()).collect();
            let behind = call.split_at_dashes().map(|(_, behind)| behind.len());
            (value, operands.join(" "), behind)
        })
    };
    assert_eq!(read("git commit -am x f"), (Some("x".to_owned()), "f".to_owned(), None));
    assert_eq!(read("git commit --message=x -- f g"), (Some("x".to_owned()), "f g".to_owned(), Some(2)));
    assert_eq!(read("git checkout HEAD -- f"), (None, "HEAD f".to_owned(), Some(1)));
}

#[test]
fn settings_come_from_options_and_from_the_environment() {
    let hooks = |line: &str| {
        first_call(line, |call| call.setting("core.hookspath").map(|value| value.map(str::to_owned)))
    };
    let known = |value: &str| Some(Some(value.to_owned()));
    assert_eq!(hooks("git -c core.hooksPath=/dev/null commit"), known("/dev/null"));
    assert_eq!(hooks("git -c core.hooksPath=$X commit"), Some(None));
    assert_eq!(hooks("git --config-env=core.hooksPath=X commit"), Some(None));
    assert_eq!(
        hooks("GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.hooksPath GIT_CONFIG_VALUE_0=x git commit"),
        known("x")
    );
    assert_eq!(hooks("git commit -m core.hooksPath=x"), None);
    let git_dir = first_call("GIT_DIR=g git status", |call| call.git_dir.clone().and_then(|word| word.text));
    assert_eq!(git_dir, Some("g".to_owned()));
}
