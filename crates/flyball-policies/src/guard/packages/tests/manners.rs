//! Block, warn and rewrite.

use flyball_core::verdict::{Stance, Subject};

use super::{config, instead, judged};

#[test]
fn a_denial_of_an_install_has_the_tool_as_its_subject() {
    let subjects = |command: &str| judged(&config("uv bun"), command).rulings[0].verdict.subjects.clone();
    let intent = |name: &str| Subject::Intent(name.to_owned());
    assert_eq!(subjects("pip install x && npm i y"), [intent("packages.pip"), intent("packages.npm")]);
    assert_eq!(subjects("pip list"), []);
    assert_eq!(subjects("uv add x"), []);
}

#[test]
fn a_denial_has_evidence() {
    let judgement = judged(&config("uv"), "pip install x");
    let seen: Vec<(&str, &str)> = judgement.rulings[0]
        .verdict
        .evidence
        .iter()
        .map(|it| (it.name.as_str(), it.value.as_str()))
        .collect();
    assert_eq!(seen, [("command", "pip install x"), ("package manager", "uv, by `guard.packages.python`")]);
}

#[test]
fn a_warning_allows_with_a_hint_to_the_model() {
    let judgement = judged(&config("uv:warn"), "cd a && pip install x");
    assert_eq!(judgement.merged.stance, Stance::Silent);
    assert_eq!(judgement.merged.rewritten, None);
    assert_eq!(
        judgement.merged.context.text,
        "Use `uv add x` instead of `pip install x`: this is a uv project (`guard.packages.python`)"
    );
}

#[test]
fn a_warning_names_the_package_manager_where_it_has_no_translation() {
    let judgement = judged(&config("uv:warn"), "poetry shell");
    assert_eq!(
        judgement.merged.context.text,
        "Use uv instead of `poetry shell`: this is a uv project (`guard.packages.python`)"
    );
}

#[test]
fn a_rewrite_changes_only_the_command() {
    let rows = [
        ("cd a && pip install 'x>=1' > log # why\nls", "cd a && uv add 'x>=1' > log # why\nls"),
        ("npm ci && npm test", "npm ci && npm test"),
        ("sudo pip install x | tee log", "uv add x | tee log"),
    ];
    for (command, expected) in rows {
        let judgement = judged(&config("uv:rewrite"), command);
        assert_eq!(judgement.merged.stance, Stance::Silent, "{command}");
        let text = judgement.merged.rewritten.unwrap_or_else(|| command.to_owned());
        assert_eq!(text, expected);
    }
}

#[test]
fn a_rewrite_is_shown_to_the_model() {
    let judgement = judged(&config("uv:rewrite"), "pip install x");
    assert_eq!(
        judgement.merged.context.text,
        "The command was changed, because this is a uv project (`guard.packages.python`). This ran: uv add x"
    );
}

#[test]
fn what_cannot_be_rewritten_whole_is_stopped() {
    let rows = [
        ("bash -c 'pip install x'", "Use `uv add x` instead of `pip install x`"),
        (
            "pip install --no-compile --root /x y",
            "Use `uv pip install y` (uv has no `--no-compile`, `--root /x`)",
        ),
        (
            "poetry shell",
            "Use uv instead of `poetry shell`, or ask the user to set `poetry = [\"shell\"]` in `[guard.packages.allow]`",
        ),
        (
            "pip install a && poetry shell",
            "Use `uv add a` instead of `pip install a`; use uv instead of `poetry shell`, or ask the user to set \
             `poetry = [\"shell\"]` in `[guard.packages.allow]`",
        ),
    ];
    for (command, expected) in rows {
        let judgement = judged(&config("uv:rewrite"), command);
        assert_eq!(instead(&judgement), expected, "{command}");
        assert_eq!(judgement.merged.rewritten, None);
    }
}
