//! Rules, and commands that are about to break them or not.

use flyball_core::path::AbsolutePath;
use flyball_knowledge::node::{Node, rules};

use super::*;

fn read(item: &str) -> Vec<Rule> {
    let text = format!("# App\n\n## Rules\n\n- {item}\n");
    rules(&Node::new(AbsolutePath::from_root("/p/AGENTS.md"), text))
}

/// The breach of a rule by the commands of a line: the gravest.
fn breach(item: &str, line: &str) -> Breach {
    let all: Vec<Demands> = read(item).iter().filter_map(Demands::read).collect();
    let mut index = Index::default();
    all.iter().for_each(|demands| index.add(demands));
    let line = Line::read(line);
    let of = |command: &Command| {
        let call = Call::read(command)?;
        let folder = match &command.directory {
            flyball_effects::Directory::OneOf(places) => places.first().cloned().unwrap_or_default(),
            _ => String::new(),
        };
        let running = Running { command, call: call.clone(), folders: [folder.clone(), folder] };
        let breach = all.iter().map(|demands| demands.breach(&running)).find(|it| *it != Breach::None);
        let breach = breach.unwrap_or(Breach::None);
        assert!(breach == Breach::None || index.may_be_about(command, &call), "{item} @ {line:?}");
        Some(breach)
    };
    line.script.commands.iter().filter_map(of).find(|it| *it != Breach::None).unwrap_or(Breach::None)
}

const INSTALL: &str = "Never run `npm install`; use `pnpm install`.";
const JUST: &str = "Run the tests with `just test`, not `cargo test`.";
const PNPM: &str = "Use `pnpm`.";
const MAIN: &str = "Do not push to `main`.";

#[test]
fn a_command_breaks_a_rule_by_what_it_runs() {
    let cases = [
        (INSTALL, "npm install", true),
        (INSTALL, "npm i lodash", true),
        (INSTALL, "cd web && npm i", true),
        (INSTALL, "CI=1 sudo npm install --silent", true),
        (INSTALL, "bash -c 'npm install'", true),
        (INSTALL, "npm --prefix web i", true),
        (INSTALL, "npm test && (npm ci; npm i)", true),
        (INSTALL, "yarn add react", true),
        (JUST, "cargo test --workspace", true),
        (JUST, "cargo +nightly t -p core", true),
        (PNPM, "npm install", true),
        (PNPM, "yarn add react", true),
        ("Package manager: pnpm", "yarn", true),
        ("Always use Poetry for dependencies.", "python3 -m pip install x", true),
        ("Use `pnpm install` to install dependencies.", "npm i", true),
        ("Never use `pip`.", "pip3 install x", true),
        ("We use uv, not pip.", "pip install x", true),
        ("Never run `pytest` directly; use `uv run pytest`.", "pytest tests/a.py", true),
        ("Never use `git commit` with `--no-verify`.", "git commit -nm x", true),
        ("Never use `--no-verify`.", "git push --no-verify", true),
        ("`npm install`: never, use `pnpm install`", "npm install", true),
        ("Prefer `rg` to `grep`.", "grep -r x .", true),
        ("Never `git push --force`.", "git -C web push -f origin x", true),
        ("Never run `npm run db:*` scripts.", "npm run db:reset", true),
        ("Never run `npm install` outside of `web/`.", "cd api && npm install", true),
        ("Never run `npm install` without `--ignore-scripts`.", "npm i x", true),
        // Mentions.
        (INSTALL, "echo npm install", false),
        (INSTALL, "git commit -m 'run npm install'", false),
        (INSTALL, "grep -rn \"npm install\" docs", false),
        (INSTALL, "cat <<'END' > a.md\nnpm install\nEND", false),
        (INSTALL, "# npm install\nls", false),
        // Other commands of the same programs.
        (INSTALL, "npm test", false),
        (INSTALL, "pnpm install", false),
        (JUST, "just test", false),
        (JUST, "cargo build --tests", false),
        (PNPM, "pnpm add react", false),
        (PNPM, "npm view react", false),
        (PNPM, "npm install -g pnpm", false),
        (PNPM, "pip install x", false),
        ("Use `npm` or `yarn`.", "yarn add x", false),
        ("Use `npm` scripts for tasks.", "pnpm install", false),
        ("Never run `pytest` directly; use `uv run pytest`.", "uv run pytest tests/a.py", false),
        ("Never use `git commit` with `--no-verify`.", "git commit -m x", false),
        ("Never `git push --force`.", "git push --force-with-lease", false),
        // Where it does not hold.
        ("Never run `npm install` outside of `web/`.", "cd web && npm install", false),
        ("In `web/`, use `pnpm`.", "npm install", false),
        ("Never run `npm install` without `--ignore-scripts`.", "npm i --ignore-scripts x", false),
        // Rules that describe, or are about code.
        ("`npm install` installs the packages.", "npm install", false),
        ("- `cargo test`: runs the tests", "cargo test", false),
        ("You don't need to run `npm install`.", "npm install", false),
        ("Never use `print` or `eval`.", "eval \"$(ssh-agent)\"", false),
        ("Do not use `find()` without a filter.", "find . -name x", false),
        ("Never commit secrets.", "git commit -m x", false),
    ];
    let wrong: Vec<_> = cases
        .iter()
        .filter(|(item, line, expected)| (breach(item, line) != Breach::None) != *expected)
        .map(|(item, line, _)| format!("{item} @ {line}"))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn pushes_and_commits_break_rules_by_their_branches() {
    let on = |names: &[&str]| Breach::OnBranch(names.iter().map(|name| (*name).to_owned()).collect());
    let cases = [
        (MAIN, "git push origin main", Breach::Sure),
        (MAIN, "git push -u origin HEAD:refs/heads/main", Breach::Sure),
        (MAIN, "git push --all", Breach::Sure),
        (MAIN, "git push", on(&["main"])),
        (MAIN, "git push origin HEAD", on(&["main"])),
        (MAIN, "git push origin feature", Breach::None),
        (MAIN, "git push --dry-run origin main", Breach::None),
        (MAIN, "git push --tags", Breach::None),
        (MAIN, "git commit -m main", Breach::None),
        (
            "Never commit or push directly to main or `release/*`.",
            "git commit -am x",
            on(&["main", "release/*"]),
        ),
        ("Never commit or push directly to main or `release/*`.", "git push origin release/2", Breach::Sure),
        ("No direct pushes to the default branch.", "git push origin master", Breach::Sure),
        ("Never force-push.", "git push -f origin x", Breach::Sure),
        ("Never force-push.", "git push origin +x", Breach::Sure),
        ("Never force push to shared branches.", "git push origin x", Breach::None),
        ("Don't push unless asked.", "git push origin x", Breach::Sure),
        ("Do not push to the remote without asking.", "git push", Breach::Sure),
        ("Never amend commits.", "git commit --amend", Breach::Sure),
        ("Never amend commits.", "git commit -m x", Breach::None),
        ("Push to `main` only.", "git push origin main", Breach::None),
        ("Never commit `.env` files.", "git commit -m x", Breach::None),
        ("No commit messages without a scope.", "git commit -m x", Breach::None),
    ];
    for (item, line, expected) in cases {
        assert_eq!(breach(item, line), expected, "{item} @ {line}");
    }
}

#[test]
fn a_line_may_switch_the_branch_itself() {
    let switched = |line: &str| Line::read(line).script.commands.first().and_then(switched_to);
    assert_eq!(switched("git checkout main").as_deref(), Some("main"));
    assert_eq!(switched("git switch -c work").as_deref(), Some("work"));
    assert_eq!(switched("git checkout -b work origin/main").as_deref(), Some("work"));
    assert_eq!(switched("git checkout -- a.md"), None);
    assert_eq!(switched("git status"), None);
}
