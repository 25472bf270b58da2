//! Which files are checked, and what they are compared with.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use flyball_quality::pipeline::is_left_out;
use flyball_quality::report::{SkipReason, SkippedFile};
use flyball_quality::scope::Base;
use flyball_quality::settings::Settings;
use flyball_world::machine::real_path;

use flyball_core::path::AbsolutePath;

use super::arguments::Arguments;
use super::git::Git;
use super::snapshot::Snapshot;
use crate::outcome::Failed;

/// Folders that are skipped outside of a git repository.
const INSTALLED: &[&str] = &["__pycache__", "build", "dist", "node_modules", "target", "vendor", "venv"];

/// The files of one run.
pub(super) struct Chosen {
    /// Absolute, without symlinks, sorted.
    pub(super) files: Vec<AbsolutePath>,
    /// What `quality.scope` compares them with.
    pub(super) base: Base,
    /// The project's root, or its place among the staged files.
    pub(super) root: PathBuf,
    /// The files that were named themselves, not by a folder or by git.
    named: Vec<AbsolutePath>,
    /// The staged files, if some working copies differ from them.
    #[expect(dead_code, reason = "it is removed after the run")]
    snapshot: Option<Snapshot>,
}

/// Finds the files for the arguments, in the project at `root`, from the folder `here`.
pub(super) fn choose(arguments: &Arguments, root: &Path, here: &Path) -> Result<Chosen, Failed> {
    let named = resolve_paths(&arguments.paths, root, here)?;
    if arguments.staged {
        return staged(arguments, root, &named);
    }
    if let Some(commit) = &arguments.changed {
        return changed(commit, root, &named);
    }
    let mut files = Vec::new();
    let own = texts(named.iter().filter(|path| !path.is_dir()).cloned());
    let all = if named.is_empty() { vec![real_path(here)] } else { named };
    for path in all {
        if path.is_dir() {
            files.extend(files_below(&path)?);
        } else {
            files.push(path);
        }
    }
    Ok(Chosen { files: texts(files), base: Base::Head, root: root.to_path_buf(), named: own, snapshot: None })
}

impl Chosen {
    /// The files that were named and that the settings exclude. What a folder has of them is left out on purpose.
    pub(super) fn left_out(&self, settings: &Settings) -> Vec<SkippedFile> {
        let root = AbsolutePath::from_path(&self.root);
        let names = self.named.iter().filter_map(|path| path.strip_folder(&root));
        let left_out = names.filter(|file| is_left_out(file, settings));
        left_out.map(|file| SkippedFile { file: file.to_owned(), why: SkipReason::Excluded }).collect()
    }
}

/// The named paths: absolute, existing, and in the project. A path that would be skipped must not
/// look clean.
fn resolve_paths(paths: &[PathBuf], root: &Path, here: &Path) -> Result<Vec<PathBuf>, Failed> {
    let find = |path: &PathBuf| {
        let real = real_path(&here.join(path));
        let (what, fix) = if !real.exists() {
            (format!("there is no `{}`", path.display()), "name files and folders that exist")
        } else if !real.starts_with(root) {
            let what = format!("`{}` is not in the project {}", path.display(), root.display());
            (what, "run `flyball lint` in its own project")
        } else if real.to_str().is_none() {
            (format!("the name `{}` is not UTF-8", path.display()), "rename it")
        } else {
            return Ok(real);
        };
        Err(Failed::new(what, fix))
    };
    paths.iter().map(find).collect()
}

/// The files of a folder that belong to the project.
fn files_below(folder: &Path) -> Result<Vec<PathBuf>, Failed> {
    let listed = match Git::around(folder) {
        Some(_) => Git::files_below(folder)?,
        None => walk(folder),
    };
    Ok(listed.into_iter().filter(|path| is_plain(path)).collect())
}

/// A symlink is left out: what it leads to is listed itself, or does not belong to the project.
fn is_plain(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|data| data.is_file())
}

fn walk(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        // A folder that cannot be read has nothing that could be checked.
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            match entry.file_type() {
                Ok(kind) if kind.is_file() => files.push(entry.path()),
                Ok(kind) if kind.is_dir() && !name.starts_with('.') && !INSTALLED.contains(&&*name) => {
                    folders.push(entry.path());
                }
                Ok(_) | Err(_) => {}
            }
        }
    }
    files
}

/// The files staged for the next commit, with the content that is staged.
fn staged(arguments: &Arguments, root: &Path, named: &[PathBuf]) -> Result<Chosen, Failed> {
    let git = Git::required(root, "--staged")?;
    // Without external diff programs, which a repository's config could start.
    let query = ["diff", "--cached", "--name-only", "--diff-filter=ACMR", "--no-ext-diff", "-z"];
    let files = keep_within(git.files(&query)?, root, named);
    // Only where a working copy differs does the index have to be written out, which takes long.
    let touched: BTreeSet<PathBuf> =
        git.files(&["diff", "--name-only", "--no-ext-diff", "-z"])?.into_iter().collect();
    let differing: Vec<&PathBuf> = files.intersection(&touched).collect();
    let Some(first) = differing.first() else {
        let files = texts(files.into_iter().filter(|path| is_plain(path)));
        return Ok(Chosen {
            files,
            base: Base::Head,
            root: root.to_path_buf(),
            named: Vec::new(),
            snapshot: None,
        });
    };
    if arguments.fix {
        let name = first.strip_prefix(root).unwrap_or(first).display();
        return Err(Failed::new(
            format!("`{name}` has changes that are not staged, which `--fix` would mix with those that are"),
            "stage or stash them, or leave `--fix` out",
        ));
    }
    let files: Vec<PathBuf> = files.into_iter().collect();
    let snapshot = Snapshot::write(&git, &files)?;
    let inside = files.iter().map(|path| snapshot.place(&git, path)).filter(|path| is_plain(path));
    let (files, root) = (texts(inside), snapshot.place(&git, root));
    Ok(Chosen { files, base: Base::Head, root, named: Vec::new(), snapshot: Some(snapshot) })
}

/// The files that differ from a commit, and those that git does not know yet.
fn changed(commit: &str, root: &Path, named: &[PathBuf]) -> Result<Chosen, Failed> {
    let git = Git::required(root, "--changed")?;
    let Some(base) = base(&git, commit)? else {
        // Nothing was committed yet, so everything is new.
        let all = keep_within(Git::files_below(root)?, root, named).into_iter().filter(|path| is_plain(path));
        return Ok(Chosen {
            files: texts(all),
            base: Base::Head,
            root: root.to_path_buf(),
            named: Vec::new(),
            snapshot: None,
        });
    };
    // All but deleted files; `--` ends the revisions, so that a file of that name is not taken for one.
    let query = ["diff", "--name-only", "--diff-filter=d", "--no-ext-diff", "-z", &base, "--"];
    let mut all = git.files(&query)?;
    all.extend(git.files(&["ls-files", "--others", "--exclude-standard", "-z"])?);
    let files = keep_within(all, root, named).into_iter().filter(|path| is_plain(path));
    Ok(Chosen {
        files: texts(files),
        base: Base::Commit(base),
        root: root.to_path_buf(),
        named: Vec::new(),
        snapshot: None,
    })
}

/// The commit to compare with: where this branch left the other one. `None` before the first.
fn base(git: &Git, commit: &str) -> Result<Option<String>, Failed> {
    let resolve = |name: &str| {
        // `--end-of-options`: a name that begins with a dash is a name.
        let found = git.line(&["rev-parse", "--verify", "--quiet", "--end-of-options", name]);
        found.ok().map(|id| id.to_string_lossy().into_owned())
    };
    let Some(head) = resolve("HEAD^{commit}") else { return Ok(None) };
    let Some(other) = resolve(&format!("{commit}^{{commit}}")) else {
        let what = format!("git does not know the commit `{commit}`");
        return Err(Failed::new(
            what,
            "name a branch, a tag or a commit; a shallow clone may have to fetch it",
        ));
    };
    // Histories without a common commit are compared as they are.
    let common = git.line(&["merge-base", &head, &other]).ok();
    Ok(Some(common.map_or(other, |id| id.to_string_lossy().into_owned())))
}

/// The files in the project and in the named paths.
fn keep_within(files: Vec<PathBuf>, root: &Path, named: &[PathBuf]) -> BTreeSet<PathBuf> {
    let is_named = |path: &Path| named.is_empty() || named.iter().any(|named| path.starts_with(named));
    files.into_iter().filter(|path| path.starts_with(root) && is_named(path)).collect()
}

fn texts(files: impl IntoIterator<Item = PathBuf>) -> Vec<AbsolutePath> {
    let mut files: Vec<AbsolutePath> = files.into_iter().map(|path| AbsolutePath::from_path(&path)).collect();
    files.sort_unstable();
    files.dedup();
    files
}
