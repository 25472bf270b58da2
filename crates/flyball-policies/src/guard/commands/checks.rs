//! Ways past the checks of a project's pipelines, and past its hooks by settings and plumbing.

use flyball_core::text::Words;
use flyball_effects::FileAct;

use super::context::{Call, Context};
use super::finding::Finding;
use super::git::call::GitCall;
use super::rule::{Check, rules};

rules! {
    "past-pipelines" Standard Ask "`gh pr merge --admin`, `gh workflow disable`, `[skip ci]` in a commit"
        => Check::Programs(&["gh", "glab", "git"], past_pipelines);
    "past-hooks" Standard Ask "`git commit-tree`, `include.path`, an alias that skips hooks, `~/.config/husky/init.sh`"
        => Check::Line(past_hooks);
}

/// What the hosts look for in a message.
const SKIPS: Words = Words(
    "[skip ci]|[ci skip]|[no ci]|[skip actions]|[actions skip]|[skip-ci]|***no_ci***|skip-checks: true|skip-checks:true",
);

fn past_pipelines(_: &Context<'_>, call: &Call<'_>) -> Option<Finding> {
    let words = call.words();
    let applies = match (call.program, words.as_slice()) {
        ("gh", ["pr", "merge", ..]) => call.has(&["--admin"]),
        ("gh", ["workflow", "disable", ..]) => true,
        ("gh", ["api", ..]) => {
            call.texts().any(|text| text.contains("/actions/workflows/") && text.ends_with("/disable"))
        }
        ("glab", ["mr", "merge", ..]) => call.has(&["--skip-pipeline"]),
        ("git", _) => GitCall::read(call).is_some_and(|git| skips_pipeline(&git)),
        _ => false,
    };
    (applies && !call.is_dry_run()).then_some(())?;
    Finding::new(
        format!("`{}` would go past the checks of the project's pipelines", call.display_text()),
        "They are required for a reason",
        "Let the checks run and fix what they report; if one is broken, tell the user",
    )
}

fn skips_pipeline(git: &GitCall<'_>) -> bool {
    let texts = || git.call.command.arguments.iter().map(|word| word.raw.to_lowercase());
    match git.verb {
        // The commit of a release has no other content that could be checked.
        "commit" | "merge" => {
            texts().any(|text| SKIPS.iter().any(|skip| text.contains(skip)) && !text.contains("release"))
        }
        _ => false,
    }
}

fn past_hooks(context: &Context<'_>) -> Option<Finding> {
    let by_git = context.calls().filter(|call| call.program == "git").filter_map(|call| {
        let git = GitCall::read(&call)?;
        is_past_hooks(&git).then(|| call.display_text())
    });
    let mut by_git = by_git;
    let found = by_git.next().or_else(|| start_file(context))?;
    Finding::new(
        format!("`{found}` would go past the project's git hooks"),
        "The project checks every commit with them",
        "Commit with `git commit`, and fix what the hooks report; if a hook is broken, tell the user",
    )
}

fn is_past_hooks(git: &GitCall<'_>) -> bool {
    if git.setting("include.path").is_some() {
        return true;
    }
    match git.verb {
        "commit-tree" | "fast-import" => !git.has(&["help"]),
        "config" => {
            let reads = git.flag("list", "l")
                || git.has(&["get", "get-all", "get-regexp", "unset", "unset-all", "show-origin"]);
            let words: Vec<String> = git.words().iter().map(|word| word.to_lowercase()).collect();
            let reads = reads || matches!(words.first().map(String::as_str), Some("get" | "list" | "unset"));
            let at = words.iter().position(|word| word.contains('.'));
            let (key, value) = at.map(|at| (words.get(at), words.get(at + 1))).unwrap_or_default();
            let (Some(key), Some(value)) = (key, value) else { return false };
            let skips = ["--no-verify", "--no-ver", "hookspath", "commit -n", "husky=0"]
                .iter()
                .any(|sign| value.contains(sign));
            let includes = key == "include.path" || key.starts_with("includeif.");
            !reads && (includes || (key.starts_with("alias.") && skips))
        }
        _ => false,
    }
}

/// What husky reads before every hook.
fn start_file(context: &Context<'_>) -> Option<String> {
    let writes = |act: &FileAct| matches!(act, FileAct::Write(_) | FileAct::Append(_) | FileAct::Change);
    let mut paths = context
        .effects()
        .files
        .iter()
        .filter(|effect| writes(&effect.act))
        .flat_map(|effect| context.locate_target(&effect.target).paths().to_vec());
    let found = paths.find(|path| path.ends_with("/husky/init.sh") || path.ends_with("/.huskyrc"))?;
    Some(found.to_string())
}
