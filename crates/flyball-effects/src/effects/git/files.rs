//! What git does to files and to the network.

use super::super::call::{Call, base_name, below, input_file};
use super::super::collector::Collector;
use super::super::content;
use super::super::network::is_remote;
use super::super::patch::{self, Application, Strip};
use super::GitCall;
use crate::model::{Content, Directory, FileAct, OpaqueReason, Sent, Target, Word};

/// A git call, and the command it is in.
struct GitEffects<'c, 'a> {
    git: &'c GitCall<'a>,
    call: &'c Call<'a>,
}

/// `git`
pub(in super::super) fn git(call: &Call, found: &mut Collector) {
    let git = GitCall::read(call.command, call.arguments);
    let work = GitEffects { git: &git, call };
    let Some(verb) = git.verb else {
        // `git --version` starts nothing.
        if call.arguments.iter().any(|word| word.text.is_none()) {
            found.opaque(OpaqueReason::Program, "git");
        }
        return;
    };
    work.shared_outputs(found);
    match verb {
        "checkout" => work.checkout(found),
        "restore" => work.restore(found),
        "reset" => work.reset(found),
        "rm" => work.remove(found),
        "mv" => work.rename(found),
        "apply" | "am" => work.apply(found),
        "stash" => work.stash(found),
        "clean" => work.clean(found),
        "config" => work.config(found),
        "worktree" => work.worktree(found),
        "clone" => work.clone_repository(found),
        "init" => work.init(found),
        "archive" => work.write_value("--output", "o", found),
        "format-patch" => work.format_patch(found),
        "bundle" => work.bundle(found),
        "push" => work.push(found),
        "fetch" | "ls-remote" => work.fetch(found),
        "pull" => {
            work.fetch(found);
            // Which files the merge changes is known only after the fetch.
            found.opaque(OpaqueReason::Program, "git pull");
        }
        "commit" => work.read_value("--file", "F", found),
        _ if is_quiet(verb) => {}
        _ if is_rewriting(verb) => found.opaque(OpaqueReason::Program, "git"),
        _ => work.unknown(found),
    }
}

/// Verbs that change no file of the work tree.
fn is_quiet(verb: &str) -> bool {
    matches!(
        verb,
        "add"
            | "annotate"
            | "blame"
            | "branch"
            | "cat-file"
            | "check-ignore"
            | "check-attr"
            | "cherry"
            | "commit"
            | "commit-tree"
            | "count-objects"
            | "describe"
            | "diff"
            | "diff-tree"
            | "diff-index"
            | "diff-files"
            | "for-each-ref"
            | "fsck"
            | "gc"
            | "grep"
            | "hash-object"
            | "help"
            | "log"
            | "ls-files"
            | "ls-tree"
            | "maintenance"
            | "merge-base"
            | "name-rev"
            | "notes"
            | "pack-refs"
            | "prune"
            | "range-diff"
            | "reflog"
            | "remote"
            | "replace"
            | "repack"
            | "rev-list"
            | "rev-parse"
            | "shortlog"
            | "show"
            | "show-branch"
            | "show-ref"
            | "stage"
            | "status"
            | "symbolic-ref"
            | "tag"
            | "update-index"
            | "update-ref"
            | "var"
            | "verify-commit"
            | "verify-tag"
            | "version"
            | "whatchanged"
            | "write-tree"
    )
}

/// Verbs that rewrite files of the work tree; which ones, is known only at run time.
fn is_rewriting(verb: &str) -> bool {
    matches!(
        verb,
        "bisect"
            | "cherry-pick"
            | "filter-branch"
            | "filter-repo"
            | "merge"
            | "rebase"
            | "revert"
            | "sparse-checkout"
            | "submodule"
            | "subtree"
            | "switch"
    )
}

impl GitEffects<'_, '_> {
    fn target(&self, word: &Word) -> Target {
        Target::new(word, &self.git.directory)
    }

    fn each(&self, words: &[&Word], act: &FileAct, by: &'static str, found: &mut Collector) {
        for word in words.iter().copied().filter(|word| !word.is("--")) {
            found.file(act.clone(), self.target(&pathspec(word)), by);
        }
    }

    /// Every verb that shows a difference can write it to a file.
    fn shared_outputs(&self, found: &mut Collector) {
        if matches!(self.git.verb, Some("diff" | "log" | "show")) {
            self.write_value("--output", "", found);
        }
    }

    fn write_value(&self, long: &str, short: &str, found: &mut Collector) {
        if let Some(file) = self.git.value(long, short) {
            found.file(FileAct::Write(Content::Unknown), self.target(file), "git");
        }
    }

    fn read_value(&self, long: &str, short: &str, found: &mut Collector) {
        if let Some(file) = self.git.value(long, short) {
            found.file(FileAct::Read, self.target(file), "git");
        }
    }

    /// `git checkout -- f`, `git checkout commit f`; a single word may be a branch or a file.
    fn checkout(&self, found: &mut Collector) {
        const BY: &str = "git checkout";
        if let Some((_, paths)) = self.git.split_at_dashes().filter(|(_, paths)| !paths.is_empty()) {
            return self.each(paths, &FileAct::Change, BY, found);
        }
        let makes_branch = ["b", "B"].iter().any(|letter| self.git.flag("--orphan", letter));
        if makes_branch || self.git.flag("--detach", "d") {
            return found.opaque(OpaqueReason::Program, BY);
        }
        let takes_side = self.git.flag("--ours", "") || self.git.flag("--theirs", "");
        match self.git.operands() {
            [] if self.git.flag("--patch", "p") => found.opaque(OpaqueReason::Program, BY),
            [] => {}
            [only] if is_surely_path(only) => self.each(&[only], &FileAct::Change, BY, found),
            paths if takes_side => self.each(paths, &FileAct::Change, BY, found),
            // git itself decides by what exists: a branch first, then a file.
            [only] => {
                found.opaque(OpaqueReason::Program, BY);
                found.file(FileAct::Anything, self.target(only), BY);
            }
            [first, paths @ ..] => {
                if is_surely_path(first) {
                    self.each(&[first], &FileAct::Change, BY, found);
                }
                self.each(paths, &FileAct::Change, BY, found);
            }
        }
    }

    fn restore(&self, found: &mut Collector) {
        // `--staged` alone leaves the files as they are.
        let only_index = self.git.flag("--staged", "S") && !self.git.flag("--worktree", "W");
        if !only_index {
            self.each(self.git.operands(), &FileAct::Change, "git restore", found);
        }
    }

    fn reset(&self, found: &mut Collector) {
        // The other modes move the branch and the index only.
        if ["--hard", "--merge", "--keep"].iter().any(|mode| self.git.flag(mode, "")) {
            found.opaque(OpaqueReason::Program, "git reset");
        }
    }

    fn remove(&self, found: &mut Collector) {
        // `--cached` removes files from the index only.
        if !self.git.flag("--cached", "") && !self.git.flag("--dry-run", "n") {
            let act = FileAct::Delete { recursive: self.git.flag("", "r") };
            self.each(self.git.operands(), &act, "git rm", found);
        }
    }

    fn rename(&self, found: &mut Collector) {
        let Some((to, sources)) = self.git.operands().split_last() else { return };
        if self.git.flag("--dry-run", "n") {
            return;
        }
        for source in sources {
            let mut place = self.target(to);
            place.or_below = source.text.as_deref().and_then(base_name).map(str::to_owned);
            found.file(FileAct::Move { to: place }, self.target(source), "git mv");
        }
    }

    /// Patches: of files that are named, or of text that is on the line.
    fn apply(&self, found: &mut Collector) {
        let only_checks = ["--check", "--stat", "--numstat", "--summary", "--cached", "--abort", "--quit"];
        let is_forced = self.git.flag("--apply", "");
        // `--apply` applies the patch even where another option only shows something.
        if only_checks.iter().any(|flag| self.git.flag(flag, "")) && !is_forced {
            return;
        }
        let is_mail = self.git.verb == Some("am");
        let by = if is_mail { "git am" } else { "git apply" };
        let files: Vec<&Word> = self.git.operands().iter().copied().filter(|word| !word.is("-")).collect();
        if !files.is_empty() {
            return self.each(&files, &FileAct::ApplyPatch, by, found);
        }
        if let Some(file) = input_file(self.call.command) {
            return found.file(FileAct::ApplyPatch, self.call.target(file), by);
        }
        match content::input(self.call.script, self.call.index) {
            Content::Text(text) => self.apply_text(&text, by, found),
            Content::Unknown => found.opaque(OpaqueReason::Program, by),
        }
    }

    fn apply_text(&self, text: &str, by: &'static str, found: &mut Collector) {
        // git removes one leading part by default.
        let strip = self.git.value("", "p").and_then(|word| word.text.as_deref()?.parse().ok()).unwrap_or(1);
        let directory = match self.git.value("--directory", "") {
            None => self.git.directory.clone(),
            Some(Word { text: Some(folder), .. }) => self.git.directory.join(folder),
            Some(_) => Directory::Unknown,
        };
        let strip = Strip::Parts(strip);
        patch::apply(text, &Application { directory: &directory, by, strip }, found);
    }

    fn stash(&self, found: &mut Collector) {
        let verb = self.git.operands().first().and_then(|word| word.text.as_deref());
        if !matches!(verb, Some("list" | "show" | "drop" | "clear" | "create" | "store")) {
            found.opaque(OpaqueReason::Program, "git stash");
        }
        if verb == Some("push") {
            // The files that are named go back to what was committed.
            let named = self.git.split_at_dashes().map(|(_, paths)| paths);
            let paths = named.unwrap_or_else(|| self.git.operands().get(1..).unwrap_or_default());
            self.each(paths, &FileAct::Change, "git stash", found);
        }
    }

    /// Deletes what git does not track; which files those are is not on the line.
    fn clean(&self, found: &mut Collector) {
        // Without `-f` git refuses to clean, unless the configuration says otherwise.
        if self.git.flag("--dry-run", "n") || !self.git.flag("--force", "f") {
            return;
        }
        found.opaque(OpaqueReason::Program, "git clean");
    }

    fn config(&self, found: &mut Collector) {
        let operands = self.git.operands();
        let verb = operands.first().and_then(|word| word.text.as_deref()).unwrap_or_default();
        let has_verb =
            matches!(verb, "set" | "unset" | "get" | "list" | "edit" | "rename-section" | "remove-section");
        let writes = if has_verb {
            !matches!(verb, "get" | "list")
        } else {
            let changes = ["--add", "--unset", "--unset-all", "--replace-all", "--rename-section"];
            // A key alone is read, a key and a value is written.
            operands.len() > 1 && !["--get", "--get-all"].iter().any(|flag| self.git.flag(flag, ""))
                || changes.iter().any(|flag| self.git.flag(flag, ""))
                || self.git.flag("--edit", "e")
        };
        let act = if writes { FileAct::Change } else { FileAct::Read };
        if let Some(file) = self.git.value("--file", "f") {
            found.file(act, self.target(file), "git config");
        } else if self.git.flag("--global", "") {
            found.file(act, self.target(&Word::literal("~/.gitconfig")), "git config");
        } else if self.git.flag("--system", "") {
            found.file(act, self.target(&Word::literal("/etc/gitconfig")), "git config");
        }
    }

    fn worktree(&self, found: &mut Collector) {
        const BY: &str = "git worktree";
        match self.git.operands() {
            [verb, path, ..] if verb.is("add") => {
                found.file(FileAct::Write(Content::Unknown), self.target(path), BY);
            }
            [verb, path] if verb.is("remove") => {
                found.file(FileAct::Delete { recursive: true }, self.target(path), BY);
            }
            [verb, path, to] if verb.is("move") => {
                found.file(FileAct::Move { to: self.target(to) }, self.target(path), BY);
            }
            _ => {}
        }
    }

    fn clone_repository(&self, found: &mut Collector) {
        let Some((address, rest)) = self.git.operands().split_first() else { return };
        if address.text.is_none() || is_remote(address) {
            found.network(address.text.clone(), Vec::new());
        } else {
            found.file(FileAct::Read, self.target(address), "git clone");
        }
        let folder = rest.first().map(|folder| (*folder).clone()).or_else(|| folder_of(address));
        let folder = folder.unwrap_or_else(|| Word::unknown(&address.raw));
        found.file(FileAct::Write(Content::Unknown), self.target(&folder), "git clone");
    }

    fn init(&self, found: &mut Collector) {
        if let Some(folder) = self.git.operands().first() {
            let inner = below(Some(folder), &Word::literal(".git")).into_owned();
            found.file(FileAct::Write(Content::Unknown), self.target(&inner), "git init");
        }
    }

    fn format_patch(&self, found: &mut Collector) {
        if self.git.flag("--stdout", "") {
            return;
        }
        let folder = self.git.value("--output-directory", "o");
        let name = Word { glob: true, ..Word::literal("*.patch") };
        found.file(FileAct::Write(Content::Unknown), self.target(&below(folder, &name)), "git format-patch");
    }

    fn bundle(&self, found: &mut Collector) {
        if let [verb, file, ..] = self.git.operands()
            && verb.is("create")
        {
            found.file(FileAct::Write(Content::Unknown), self.target(file), "git bundle");
        }
    }

    fn push(&self, found: &mut Collector) {
        let operands = self.git.operands();
        let remote = operands.first().copied().or_else(|| self.git.value("--repo", ""));
        let refs: Vec<&str> = operands.iter().skip(1).map(|word| word.raw.as_str()).collect();
        found.network(remote.and_then(|word| word.text.clone()), vec![Sent::Text(refs.join(" "))]);
    }

    fn fetch(&self, found: &mut Collector) {
        let remote = self.git.operands().first();
        found.network(remote.and_then(|word| word.text.clone()), Vec::new());
    }

    /// An alias, or a program of its own: `git-lfs`.
    fn unknown(&self, found: &mut Collector) {
        found.opaque(OpaqueReason::Program, "git");
        for word in self.git.operands().iter().filter(|word| is_like_path(word)) {
            found.file(FileAct::Anything, self.target(word), "git");
        }
    }
}

/// Whether a word can only be a path, never a branch.
fn is_surely_path(word: &Word) -> bool {
    word.glob
        || word.text.as_deref().is_some_and(|text| {
            matches!(text, "." | "..")
                || text.starts_with(['/', '~', ':'])
                || text.starts_with("./")
                || text.starts_with("../")
        })
}

fn is_like_path(word: &Word) -> bool {
    word.text.as_deref().is_some_and(|text| text.contains(['/', '.']) && !text.contains("://"))
}

/// `:/x` and `:(top)x` are relative to the root of the repository, which the line does not say.
fn pathspec(word: &Word) -> Word {
    match word.text.as_deref() {
        Some(text) if text.starts_with(':') => Word::unknown(&word.raw),
        _ => word.clone(),
    }
}

/// The folder that a clone makes if none is named.
fn folder_of(address: &Word) -> Option<Word> {
    let text = address.text.as_deref()?.trim_end_matches('/');
    let name = text.rsplit(['/', ':']).next()?;
    let name = name.strip_suffix(".git").unwrap_or(name);
    (!name.is_empty()).then(|| Word::literal(name))
}
