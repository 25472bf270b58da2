//! The main checkout and the linked worktrees of a repository, and what is changed or new in each.
//!
//! git is asked for NULs between names, so that nothing in a name is special.

use std::collections::BTreeMap;
use std::time::Duration;

use flyball_core::path::{AbsolutePath, strip_folder};
use flyball_core::policy::{ContentHash, GitAnswer, PolicyError, World};
use serde::{Deserialize, Serialize};

/// How many trees are read, the nearest first.
const MOST_TREES: usize = 12;
/// A tree with more changes than this is not compared file by file.
const MOST_FILES: usize = 2_000;
/// No further tree is read after this time, nor after one for which git did not answer.
const MOST_TIME: Duration = Duration::from_secs(20);
/// From here on an answer of git's may be cut.
const CUT_BYTES: usize = 256 * 1024 - 8;
/// How many changed files are hashed, and how long they may be.
const MOST_HASHED: usize = 200;
const MOST_HASHED_BYTES: u64 = 256 * 1024;

/// The state of one tree at some time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Snapshot {
    /// Its top, without symlinks.
    pub(super) path: AbsolutePath,
    pub(super) head: String,
    /// What differed from that commit, by path below the top.
    pub(super) files: BTreeMap<String, FileStatus>,
    /// Whether that is all; `false` if git did not answer, or there was too much.
    pub(super) is_whole: bool,
}

/// What git reported about a file that differed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct FileStatus {
    /// Its two letters: `??`, ` M`, `A `.
    pub(super) code: String,
    /// Its content, where it was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) content: Option<ContentHash>,
}

impl FileStatus {
    /// Whether the file is there and was never committed.
    pub(super) fn is_new(&self) -> bool {
        (self.code == "??" || self.code.contains('A')) && !self.code.contains(['D', 'U'])
    }

    /// Whether git knows the file.
    pub(super) fn is_tracked(&self) -> bool {
        self.code != "??"
    }
}

/// The tree among these that a file is in: the innermost, since a linked tree may be inside another one.
pub(super) fn tree_of<'a>(trees: &'a [Snapshot], path: &str) -> Option<&'a Snapshot> {
    trees.iter().filter(|tree| strip_folder(path, &tree.path).is_some()).max_by_key(|tree| tree.path.len())
}

/// The state of all trees of the repository; `None` where there is no repository.
pub(super) fn survey(
    world: &dyn World,
    folders: [&AbsolutePath; 2],
) -> Result<Option<Vec<Snapshot>>, PolicyError> {
    let mut trees: Vec<Snapshot> = Vec::new();
    for folder in folders {
        // One listing names all trees of a repository, so a folder in one of them needs no other.
        if trees.iter().any(|tree| folder.is_in(&tree.path)) {
            continue;
        }
        for tree in listed(world, folder)? {
            if !trees.iter().any(|known| known.path == tree.path) {
                trees.push(tree);
            }
        }
    }
    if trees.is_empty() {
        return Ok(None);
    }
    let is_near = |tree: &Snapshot| folders.iter().any(|folder| folder.is_in(&tree.path));
    // Near trees first: the time may not be enough for all.
    trees.sort_by_key(|tree| !is_near(tree));
    let began = world.elapsed();
    for tree in trees.iter_mut().take(MOST_TREES) {
        let is_late = world.elapsed().saturating_sub(began) > MOST_TIME;
        if is_late || read_status(world, tree).is_err() {
            break;
        }
    }
    Ok(Some(trees))
}

/// The trees of the repository that a folder is in, the main one first.
fn listed(world: &dyn World, folder: &AbsolutePath) -> Result<Vec<Snapshot>, PolicyError> {
    let answer = match world.git(folder, &["worktree", "list", "--porcelain", "-z"]) {
        Ok(GitAnswer::Said(answer)) => answer,
        Ok(GitAnswer::No | GitAnswer::NoRepository) => return Ok(Vec::new()),
        // Older gits do not know `-z` here.
        Err(_) => match world.git(folder, &["worktree", "list", "--porcelain"])? {
            GitAnswer::Said(answer) => answer.replace('\n', "\0"),
            GitAnswer::No | GitAnswer::NoRepository => return Ok(Vec::new()),
        },
    };
    let real = |tree: Snapshot| Snapshot { path: world.real_path(&tree.path, "."), ..tree };
    Ok(parse_list(&answer).into_iter().map(real).collect())
}

/// Trees as git lists them; those without files, and those whose folder is gone, are left out.
fn parse_list(answer: &str) -> Vec<Snapshot> {
    let mut trees = Vec::new();
    for record in answer.split("\0\0") {
        let mut tree = Snapshot::default();
        let (mut has_files, mut has_path) = (true, false);
        for line in record.split('\0') {
            match line.split_once(' ').unwrap_or((line, "")) {
                ("worktree", path) => {
                    if let Some(path) = AbsolutePath::new(path) {
                        (tree.path, has_path) = (path, true);
                    }
                }
                ("HEAD", head) => head.clone_into(&mut tree.head),
                ("bare" | "prunable", _) => has_files = false,
                _ => {}
            }
        }
        if has_files && has_path {
            trees.push(tree);
        }
    }
    trees
}

/// Asks git what differs in a tree.
fn read_status(world: &dyn World, tree: &mut Snapshot) -> Result<(), PolicyError> {
    // All options are given, because a repository's config could leave files out or list only their folder.
    let question = [
        "status",
        "--porcelain=v1",
        "-z",
        "--no-renames",
        "--untracked-files=all",
        "--ignore-submodules=all",
    ];
    // A tree that is gone has no files, and is not whole.
    let Some(answer) = world.git(&tree.path, &question)?.text() else { return Ok(()) };
    tree.files = parse_status(&answer);
    let is_cut = answer.len() >= CUT_BYTES || !(answer.is_empty() || answer.ends_with('\0'));
    tree.is_whole = !is_cut && tree.files.len() <= MOST_FILES;
    if !tree.is_whole {
        // With half of a list, old files would look new later.
        tree.files.clear();
    }
    Ok(())
}

/// Files as git's status lists them. A folder is another repository's.
fn parse_status(answer: &str) -> BTreeMap<String, FileStatus> {
    let entry = |entry: &str| {
        // Two letters, a space, the path.
        let (code, path) = (entry.get(..2)?, entry.get(3..)?);
        let mark = FileStatus { code: code.to_owned(), content: None };
        (!path.is_empty() && !path.ends_with('/')).then(|| (path.to_owned(), mark))
    };
    answer.split('\0').filter_map(entry).collect()
}

/// Adds the content of the changed files.
pub(super) fn hash(world: &dyn World, trees: &mut [Snapshot]) {
    let files = trees.iter_mut().flat_map(|tree| {
        let top = tree.path.clone();
        tree.files.iter_mut().map(move |(name, mark)| (top.join(name), mark))
    });
    for (path, mark) in files.take(MOST_HASHED) {
        mark.content = content(world, &path);
    }
}

pub(super) fn content(world: &dyn World, path: &AbsolutePath) -> Option<ContentHash> {
    let bytes = world.read(path, MOST_HASHED_BYTES).ok().flatten()?;
    Some(world.hash(&bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_are_read_with_whatever_is_in_their_names() {
        let answer = "worktree /a b\0HEAD 11\0branch refs/heads/main\0\0worktree /x\ny\0HEAD 22\0detached\0\0\
                      worktree /gone\0HEAD 33\0prunable gitdir file points to non-existent location\0\0\
                      worktree /bare\0bare\0\0";
        let tree = |path: &str, head: &str| Snapshot {
            path: AbsolutePath::from_root(path),
            head: head.to_owned(),
            ..Snapshot::default()
        };
        assert_eq!(parse_list(answer), [tree("/a b", "11"), tree("/x\ny", "22")]);
        assert_eq!(parse_list(""), []);
    }

    #[test]
    fn names_are_not_changed() {
        let answer = "?? a b.md\0 M \"q\".rs\0A  n\nl.md\0?? sub/\0?? ü\\.md\0";
        let found: Vec<(String, String)> =
            parse_status(answer).into_iter().map(|(path, mark)| (path, mark.code)).collect();
        let expected = [("\"q\".rs", " M"), ("a b.md", "??"), ("n\nl.md", "A "), ("ü\\.md", "??")];
        assert_eq!(found, expected.map(|(path, code)| (path.to_owned(), code.to_owned())));
    }

    #[test]
    fn a_file_is_in_the_innermost_tree() {
        let trees = ["/p", "/p/.worktrees/x"]
            .map(|path| Snapshot { path: AbsolutePath::from_root(path), ..Snapshot::default() });
        let cases = [
            ("/p/a", Some("/p")),
            ("/p/.worktrees/x/a", Some("/p/.worktrees/x")),
            ("/p/.worktrees/xy/a", Some("/p")),
            ("/q/a", None),
        ];
        for (path, expected) in cases {
            assert_eq!(tree_of(&trees, path).map(|tree| tree.path.as_str()), expected, "{path}");
        }
    }

    #[test]
    fn the_status_code_of_git_shows_whether_a_file_is_new() {
        let cases = [
            ("??", true),
            ("A ", true),
            ("AM", true),
            (" A", true),
            ("AD", false),
            (" M", false),
            ("AA", true),
        ];
        for (code, expected) in cases {
            let mark = FileStatus { code: code.to_owned(), content: None };
            assert_eq!(mark.is_new(), expected, "{code}");
        }
    }
}
