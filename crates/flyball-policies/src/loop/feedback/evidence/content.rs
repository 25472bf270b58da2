//! A fingerprint of the files that a command may read, no matter who changed them.
//!
//! It is taken against one commit that stays the same for the session: committing the work changes nothing in it.

use flyball_core::arrivals::Arrivals;
use flyball_core::path::AbsolutePath;
use flyball_core::policy::{GitAnswer, Situation, World};
use flyball_core::time::Time;
use flyball_core::walk;
use flyball_core::workshop::Workshop;

/// Longer output of git is cut, and not used.
const CUT_BYTES: usize = 256 * 1024;
/// Files above this are not read.
const MOST_BYTES: u64 = 64 * 1024 * 1024;
/// How deep repositories inside repositories are followed.
const DEEPEST: usize = 3;

/// Whether a command may read a file, by its path below the project's root.
pub(super) type MayRead<'a> = Box<dyn Fn(&str) -> bool + 'a>;

/// The files of the project that differ from the session's commit.
pub(super) struct Contents<'a> {
    situation: &'a Situation<'a>,
    /// Where the project is in the checkout.
    folder: AbsolutePath,
    git_state: GitState,
}

enum GitState {
    /// There is no git: all files, unless they are too many.
    NoGit(Option<Vec<AbsolutePath>>),
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
    pub(super) fn read(
        situation: &'a Situation<'a>,
        workshop: &dyn Workshop,
        folder: &AbsolutePath,
    ) -> Contents<'a> {
        let git_state = read_git_state(situation, workshop, folder);
        Contents { situation, folder: folder.clone(), git_state }
    }

    /// The fingerprint of the files; `None` if it cannot be known.
    pub(super) fn fingerprint(&self, may_read: &MayRead<'_>) -> Option<String> {
        let mut parts = Vec::new();
        match &self.git_state {
            GitState::NoGit(files) => {
                let is_read = |file: &&AbsolutePath| file.strip_folder(&self.folder).is_some_and(may_read);
                for file in files.as_ref()?.iter().filter(is_read) {
                    parts.push(file.to_string());
                    parts.push(self.content_at(file)?);
                }
            }
            GitState::Unknown => return None,
            GitState::Differing(listing) => {
                parts.clone_from(&listing.bases);
                for file in listing.files.iter().filter(|file| may_read(file)) {
                    parts.push(file.clone());
                    parts.push(self.content(file)?);
                }
            }
        }
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        // A file that could not be looked at is not gone.
        let is_known = self.situation.world.unknown_fact().is_none();
        is_known.then(|| key(self.situation.world, &parts))
    }

    /// Whether such a file was changed at or after this time.
    pub(super) fn has_changed_since(&self, since: Time, may_read: &MayRead<'_>) -> bool {
        let GitState::Differing(listing) = &self.git_state else { return false };
        let arrivals = Arrivals::new(self.situation.world, &self.folder, since);
        let files = listing.files.iter().filter(|file| may_read(file));
        files.into_iter().any(|file| arrivals.has(&self.folder.join(file)))
    }

    fn content(&self, file: &str) -> Option<String> {
        // A name that is not valid text cannot be looked up.
        if file.contains(char::REPLACEMENT_CHARACTER) {
            return None;
        }
        self.content_at(&self.folder.join(file))
    }

    fn content_at(&self, path: &AbsolutePath) -> Option<String> {
        let world = self.situation.world;
        match world.stat(path) {
            None => Some("gone".to_owned()),
            // A link to a folder: git does not look into it.
            Some(stat) if stat.is_folder => Some("folder".to_owned()),
            Some(_) => Some(world.hash(&world.read(path, MOST_BYTES).ok()??).as_str().to_owned()),
        }
    }
}

/// One key for everything that a result depends on.
pub(super) fn key<W: World + ?Sized>(world: &W, parts: &[&str]) -> String {
    world.hash(parts.join("\0").as_bytes()).as_str().to_owned()
}

fn read_git_state(situation: &Situation<'_>, workshop: &dyn Workshop, root: &AbsolutePath) -> GitState {
    let world = situation.world;
    // Stored for the session, so that committing the work does not move the base.
    let place = key(workshop, &["evidence base 1", situation.event.session.as_str(), root]);
    let stored = workshop.cached_result(&place).and_then(|stored| String::from_utf8(stored).ok());
    if let Some(base) = stored {
        // The commit may be gone, or git did not answer: then a new base is taken.
        if let Some(listing) = Listing::read(world, root, &base) {
            return GitState::Differing(listing);
        }
    }
    match read_head(world, root) {
        Head::NoGit => GitState::NoGit(walk::files(world, root)),
        Head::Unknown => GitState::Unknown,
        Head::Commit(base) => match Listing::read(world, root, &base) {
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
    /// Where the project is in the checkout.
    root: &'a AbsolutePath,
    /// Below the project's root: `""`, or with a slash at its end.
    name: &'a str,
    base: &'a str,
    /// How many repositories it is nested in.
    depth: usize,
}

impl Listing {
    fn read(world: &dyn World, root: &AbsolutePath, base: &str) -> Option<Listing> {
        let mut listing = Listing::default();
        listing.add(world, Folder { root, name: "", base, depth: 0 })?;
        listing.files.sort_unstable();
        listing.files.dedup();
        Some(listing)
    }

    /// Adds what differs in a folder.
    fn add(
        &mut self,
        world: &dyn World,
        Folder { root, name: folder, base, depth }: Folder<'_>,
    ) -> Option<()> {
        let place = root.join(folder);
        // All options are given, because a repository's config could leave files out.
        let whole = ["--relative", "--no-renames", "--no-ext-diff", "--ignore-submodules=none"];
        let diff = [&["diff", "--name-only", "-z"][..], &whole, &[base, "--"]].concat();
        let new = ["ls-files", "--others", "--exclude-standard", "-z"];
        self.bases.push(format!("{folder}@{base}"));
        for name in names(world, &place, &diff)?.into_iter().chain(names(world, &place, &new)?) {
            let file = format!("{folder}{name}");
            let is_folder = world.stat(&root.join(&file)).is_some_and(|stat| stat.is_folder);
            match is_folder.then(|| read_head(world, &root.join(&file))) {
                // What is not known is not stored: a command runs again rather than passing on an old result.
                Some(Head::Commit(_)) if depth >= DEEPEST => return None,
                // A repository inside this one, of which git only says that something differs.
                Some(Head::Commit(base)) => {
                    let inner = format!("{}/", file.trim_end_matches('/'));
                    self.add(world, Folder { root, name: &inner, base: &base, depth: depth + 1 })?;
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
