//! A fingerprint of all files that a domain covers, no matter who changed them.
//!
//! It is taken against one commit that stays the same for the session: committing the work changes nothing in it.

use flyball_core::path::AbsolutePath;
use flyball_core::policy::{GitAnswer, Situation, World};
use flyball_core::time::Time;
use flyball_core::workshop::Workshop;

/// Longer output of git is cut, and not used.
const CUT_BYTES: usize = 256 * 1024;
/// Files above this are not read.
const MOST_BYTES: u64 = 64 * 1024 * 1024;
/// How deep repositories inside repositories are followed.
const DEEPEST: usize = 3;

/// Whether a file, by its path below the project's root, is covered.
pub(super) type Covered<'a> = Box<dyn Fn(&str) -> bool + 'a>;

/// The files of the project that differ from the session's commit.
pub(super) struct Contents<'a> {
    situation: &'a Situation<'a>,
    git_state: GitState,
}

enum GitState {
    /// There is no git.
    NoGit,
    /// It cannot be known.
    Unknown,
    /// The commits that it is compared with, and the files that differ from them.
    Differing(Listing),
}

/// Files that differ, and from what.
#[derive(Default)]
struct Listing {
    /// The commits, with the folders that they are about.
    bases: Vec<String>,
    /// Paths below the project's root.
    files: Vec<String>,
}

impl<'a> Contents<'a> {
    pub(super) fn read(situation: &'a Situation<'a>, workshop: &dyn Workshop) -> Contents<'a> {
        Contents { situation, git_state: read_git_state(situation, workshop) }
    }

    /// The fingerprint of the covered files; `None` if it cannot be known.
    pub(super) fn fingerprint(&self, is_covered: &Covered<'_>) -> Option<String> {
        let listing = match &self.git_state {
            // The key has the edited files besides, so a result is still bound to their content.
            GitState::NoGit => return Some(String::new()),
            GitState::Unknown => return None,
            GitState::Differing(listing) => listing,
        };
        let mut parts = listing.bases.clone();
        for file in listing.files.iter().filter(|file| is_covered(file)) {
            parts.push(file.clone());
            parts.push(self.content(file)?);
        }
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        // A file that could not be looked at is not gone.
        let is_known = self.situation.world.unknown_fact().is_none();
        is_known.then(|| key(self.situation.world, &parts))
    }

    /// Whether a covered file was changed at or after this time.
    pub(super) fn has_changed_since(&self, since: Time, is_covered: &Covered<'_>) -> bool {
        let GitState::Differing(listing) = &self.git_state else { return false };
        let is_young = |file: &String| {
            let stat = self.situation.world.stat(&self.path(file));
            stat.is_some_and(|stat| stat.changed >= since)
        };
        listing.files.iter().filter(|file| is_covered(file)).any(is_young)
    }

    fn content(&self, file: &str) -> Option<String> {
        // A name that is not valid text cannot be looked up.
        if file.contains(char::REPLACEMENT_CHARACTER) {
            return None;
        }
        let (world, path) = (self.situation.world, self.path(file));
        match world.stat(&path) {
            None => Some("gone".to_owned()),
            // A link to a folder: git does not look into it.
            Some(stat) if stat.is_folder => Some("folder".to_owned()),
            Some(_) => Some(world.hash(&world.read(&path, MOST_BYTES).ok()??).as_str().to_owned()),
        }
    }

    fn path(&self, file: &str) -> AbsolutePath {
        project_path(self.situation.world, file)
    }
}

fn project_path(world: &dyn World, file: &str) -> AbsolutePath {
    world.project_root().join(file)
}

/// One key for everything that a result depends on.
pub(super) fn key<W: World + ?Sized>(world: &W, parts: &[&str]) -> String {
    world.hash(parts.join("\0").as_bytes()).as_str().to_owned()
}

fn read_git_state(situation: &Situation<'_>, workshop: &dyn Workshop) -> GitState {
    let (world, root) = (situation.world, situation.world.project_root());
    // Stored for the session, so that committing the work does not move the base.
    let place = key(workshop, &["evidence base 1", situation.event.session.as_str(), root]);
    let stored = workshop.cached_result(&place).and_then(|stored| String::from_utf8(stored).ok());
    if let Some(base) = stored {
        // The commit may be gone, or git did not answer: then a new base is taken.
        if let Some(listing) = Listing::read(world, &base) {
            return GitState::Differing(listing);
        }
    }
    match read_head(world, root) {
        Head::NoGit => GitState::NoGit,
        Head::Unknown => GitState::Unknown,
        Head::Commit(base) => match Listing::read(world, &base) {
            Some(listing) => {
                workshop.cache_result(&place, base.as_bytes());
                GitState::Differing(listing)
            }
            None => GitState::Unknown,
        },
    }
}

/// The commit that a folder is at.
enum Head {
    NoGit,
    Unknown,
    Commit(String),
}

fn read_head(world: &dyn World, folder: &AbsolutePath) -> Head {
    let ask = |question: &[&str]| world.git(folder, question);
    let commit = |answer: String| Head::Commit(answer.trim().to_owned());
    match ask(&["rev-parse", "--verify", "--quiet", "HEAD"]) {
        Err(_) => return Head::Unknown,
        Ok(GitAnswer::NoRepository) => return Head::NoGit,
        Ok(GitAnswer::Said(head)) => return commit(head),
        Ok(GitAnswer::No) => {}
    }
    match ask(&["rev-parse", "--is-inside-work-tree"]) {
        Ok(GitAnswer::Said(answer)) if answer.trim() == "true" => {
            // Nothing was committed yet: all files differ from the empty tree.
            match ask(&["hash-object", "-t", "tree", "/dev/null"]) {
                Ok(GitAnswer::Said(empty)) => commit(empty),
                Ok(GitAnswer::No | GitAnswer::NoRepository) | Err(_) => Head::Unknown,
            }
        }
        Ok(_) => Head::NoGit,
        Err(_) => Head::Unknown,
    }
}

/// A folder that is compared with a commit.
struct Folder<'a> {
    /// Below the project's root: `""`, or with a slash at its end.
    name: &'a str,
    base: &'a str,
    /// How many repositories it is nested in.
    depth: usize,
}

impl Listing {
    fn read(world: &dyn World, base: &str) -> Option<Listing> {
        let mut listing = Listing::default();
        listing.add(world, Folder { name: "", base, depth: 0 })?;
        listing.files.sort_unstable();
        listing.files.dedup();
        Some(listing)
    }

    /// Adds what differs in a folder.
    fn add(&mut self, world: &dyn World, Folder { name: folder, base, depth }: Folder<'_>) -> Option<()> {
        let place = project_path(world, folder);
        // All options are given, because a repository's config could leave files out.
        let whole = ["--relative", "--no-renames", "--no-ext-diff", "--ignore-submodules=none"];
        let diff = [&["diff", "--name-only", "-z"][..], &whole, &[base, "--"]].concat();
        let new = ["ls-files", "--others", "--exclude-standard", "-z"];
        self.bases.push(format!("{folder}@{base}"));
        for name in names(world, &place, &diff)?.into_iter().chain(names(world, &place, &new)?) {
            let file = format!("{folder}{name}");
            let is_folder = world.stat(&project_path(world, &file)).is_some_and(|stat| stat.is_folder);
            match is_folder.then(|| read_head(world, &project_path(world, &file))) {
                // What is not known is not stored: a command runs again rather than passing on an old result.
                Some(Head::Commit(_)) if depth >= DEEPEST => return None,
                // A repository inside this one, of which git only says that something differs.
                Some(Head::Commit(base)) => {
                    let inner = format!("{}/", file.trim_end_matches('/'));
                    self.add(world, Folder { name: &inner, base: &base, depth: depth + 1 })?;
                }
                Some(Head::Unknown) => return None,
                Some(Head::NoGit) | None => self.files.push(file),
            }
        }
        Some(())
    }
}

/// The names in the output of git; `None` if it fails, or if the output is cut.
fn names(world: &dyn World, folder: &AbsolutePath, question: &[&str]) -> Option<Vec<String>> {
    let Ok(GitAnswer::Said(answer)) = world.git(folder, question) else { return None };
    let is_whole = answer.len() < CUT_BYTES;
    is_whole.then(|| answer.split('\0').filter(|name| !name.is_empty()).map(str::to_owned).collect())
}
