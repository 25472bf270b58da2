//! Which files have to be copied before a call.

use flyball_core::event::Tool;
use flyball_core::facts::TargetPaths;
use flyball_core::path::AbsolutePath;
use flyball_core::policy::Situation;
use flyball_core::snapshot::Extent;
use flyball_effects::{Command, FileAct, FileEffect, GitCall, Line, Target};

use crate::worktree_updates::updates_worktree;

/// More files of one call are covered by the tree.
const MOST_FILES: usize = 64;

/// What has to be copied.
pub(super) enum Needed {
    /// The whole tree, and these files besides.
    Tree(Vec<AbsolutePath>),
    Files(Vec<AbsolutePath>),
}

impl Needed {
    pub(super) fn extent<'a>(&'a self, cwd: &'a AbsolutePath) -> Extent<'a> {
        match self {
            Needed::Tree(named) => Extent::Tree { folder: cwd, named },
            Needed::Files(files) => Extent::Files(files),
        }
    }
}

/// What has to be copied before this call; `None` if nothing can be lost by it.
pub(super) fn needed(situation: &Situation<'_>) -> Option<Needed> {
    let call = situation.event.call()?;
    let has_edits = situation.server_call().is_some_and(|server| !server.edits.is_empty());
    if has_edits || matches!(call.tool, Tool::Edit(_)) {
        return edited(situation);
    }
    let line = situation.effective_line()?;
    let changed = changed_files(situation, line);
    if may_change_tree(situation, line) {
        return Some(Needed::Tree(changed));
    }
    (!changed.is_empty()).then_some(Needed::Files(changed))
}

/// The files of an edit tool, or of a tool server that edits.
fn edited(situation: &Situation<'_>) -> Option<Needed> {
    let files: Vec<AbsolutePath> =
        situation.edits().ok()?.iter().take(MOST_FILES).map(|edit| edit.path.clone()).collect();
    (!files.is_empty()).then_some(Needed::Files(files))
}

/// Files outside of the project in these folders are nobody's work.
const SCRATCH: [&str; 5] = ["/dev", "/proc", "/sys", "/tmp", "/var/tmp"];

/// The files that a line changes by names that are known before it runs, and that are there.
fn changed_files(situation: &Situation<'_>, line: &Line) -> Vec<AbsolutePath> {
    let root = situation.world.project_root();
    let changed = line.effects.files.iter().filter(|effect| effect.act.changes_target());
    let targets = changed.flat_map(|effect| {
        let replaced = match &effect.act {
            FileAct::Move { to } => Some(to),
            FileAct::Link { name } => Some(name),
            _ => None,
        };
        std::iter::once(&effect.target).chain(replaced)
    });
    let is_scratch = |path: &AbsolutePath| !path.is_in(root) && SCRATCH.iter().any(|it| path.is_in(it));
    let is_file = |path: &AbsolutePath| situation.world.stat(path).is_some_and(|stat| !stat.is_folder);
    let mut found = Vec::new();
    for target in targets {
        let TargetPaths::Known(paths) = situation.locate(target) else { continue };
        for path in paths.into_iter().filter(|path| !is_scratch(path) && is_file(path)) {
            if !found.contains(&path) && found.len() < MOST_FILES {
                found.push(path);
            }
        }
    }
    found
}

/// Whether a line may change files of the project.
fn may_change_tree(situation: &Situation<'_>, line: &Line) -> bool {
    !line.effects.opaque.is_empty()
        || !line.script.unknown.is_empty()
        || line.script.commands.iter().any(changes_names)
        || updates_worktree(line)
        || line.effects.files.iter().any(|effect| may_reach_tree(situation, effect))
}

fn may_reach_tree(situation: &Situation<'_>, effect: &FileEffect) -> bool {
    let root = situation.world.project_root();
    let reaches = |target: &Target| match situation.locate(target) {
        TargetPaths::Known(paths) => paths.iter().any(|path| path.is_in(root) || root.is_in(path)),
        TargetPaths::Pattern(_) | TargetPaths::Unknown(_) => true,
    };
    match &effect.act {
        FileAct::Read | FileAct::Run => false,
        FileAct::ApplyPatch => true,
        FileAct::Move { to } => reaches(&effect.target) || reaches(to),
        FileAct::Link { name } => reaches(&effect.target) || reaches(name),
        _ => reaches(&effect.target),
    }
}

/// Whether a call of git moves or deletes names of commits: a snapshot notes them.
fn changes_names(command: &Command) -> bool {
    let Some(call) = GitCall::parse(command) else { return false };
    let mut options = call.arguments.iter().filter_map(|word| word.text.as_deref());
    match call.verb {
        Some("branch") => options.any(|option| {
            let is_long = ["--delete", "--move", "--force", "--copy"].contains(&option);
            is_long || option.starts_with('-') && !option.starts_with("--") && option.contains(SHORT_OPTIONS)
        }),
        // The branch leaves the commit that it replaces.
        Some("commit") => options.any(|option| option == "--amend"),
        Some("update-ref" | "symbolic-ref" | "filter-branch" | "checkout-index" | "apply" | "rm" | "mv") => {
            true
        }
        _ => false,
    }
}

/// `git branch -d`, `-m`, `-f`, `-c`, small or large.
const SHORT_OPTIONS: [char; 7] = ['d', 'D', 'm', 'M', 'f', 'c', 'C'];
