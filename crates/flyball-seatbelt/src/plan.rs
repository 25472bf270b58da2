//! What a seatbelt refuses.

use std::path::{Path, PathBuf};

/// What the processes inside a seatbelt cannot do. All paths are absolute and without symlinks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// An empty folder of ours, over which the kernel's side of the seatbelt is built. By it a process sees that it is inside.
    pub cover: PathBuf,
    /// Files and folders that are there and that nobody inside can write, replace, rename or delete.
    pub read_only: Vec<PathBuf>,
    /// Folders below read-only ones that can be written all the same.
    pub free: Vec<PathBuf>,
    /// The only folders that can be written; `None` if all can that are not `read_only`.
    pub writable: Option<Vec<PathBuf>>,
    /// Those of them in which the agent works, so that anything new can be made in them. Where only whole folders can be allowed, what is
    /// `read_only` in these stays open; the others are taken apart around it.
    pub work: Vec<PathBuf>,
    /// Files and folders that are empty inside.
    pub hidden: Vec<PathBuf>,
    pub net: Net,
}

/// What of the network is there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Net {
    #[default]
    On,
    /// Only this machine to itself, and sockets in files.
    Off,
}

/// How much of a plan Landlock keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Restricted {
    /// As much as it can.
    Whole,
    /// The network is on: this kernel cannot deny it (before Linux 6.7).
    ButNetwork,
}

const COVER: &str = "cover";
const READ_ONLY: &str = "read-only";
const FREE: &str = "free";
const WRITABLE: &str = "writable";
const WORK: &str = "work";
const HIDDEN: &str = "hidden";
const OFFLINE: &str = "offline";
/// Ends the words of a plan.
const END: &str = "--";

impl Plan {
    /// The folders that cannot be renamed or deleted, because a path in the plan leads through them, each before those below it.
    /// Else somebody would put a folder of his own in the place of one of them.
    pub(crate) fn pinned(&self) -> Vec<&Path> {
        let through = self.read_only.iter().chain(&self.hidden).chain([&self.cover]);
        let mut pinned: Vec<&Path> = through.flat_map(|path| folders_above(path)).collect();
        pinned.sort_unstable_by_key(|folder| folder.as_os_str());
        pinned.dedup_by_key(|folder| folder.as_os_str());
        pinned.retain(|folder| !self.read_only.iter().any(|above| is_in(folder, above)));
        pinned
    }

    /// The plan as words, for a process that puts itself into the seatbelt.
    #[must_use]
    pub fn to_words(&self) -> Vec<String> {
        let word = |kind: &str, path: &PathBuf| format!("{kind}={}", path.display());
        let list = |kind: &'static str, paths: &[PathBuf]| -> Vec<String> {
            paths.iter().map(|path| word(kind, path)).collect()
        };
        let mut words = vec![word(COVER, &self.cover)];
        words.extend(list(READ_ONLY, &self.read_only));
        words.extend(list(FREE, &self.free));
        // That there are none is something else than that all are.
        words.extend(self.writable.as_ref().map(|_| format!("{WRITABLE}=")));
        words.extend(list(WRITABLE, self.writable.as_deref().unwrap_or_default()));
        words.extend(list(WORK, &self.work));
        words.extend(list(HIDDEN, &self.hidden));
        words.extend((self.net == Net::Off).then(|| format!("{OFFLINE}=")));
        words.push(END.to_owned());
        words
    }

    /// The plan that some words are, and those behind it.
    #[must_use]
    pub fn from_words(words: &[String]) -> Option<(Plan, &[String])> {
        let end = words.iter().position(|word| word == END)?;
        let (own, rest) = words.split_at_checked(end)?;
        let mut plan = Plan::default();
        for word in own {
            let (kind, path) = word.split_once('=')?;
            let path = Some(PathBuf::from(path)).filter(|path| path.is_absolute());
            match kind {
                COVER => plan.cover = path?,
                READ_ONLY => plan.read_only.push(path?),
                FREE => plan.free.push(path?),
                WRITABLE => plan.writable.get_or_insert_default().extend(path),
                WORK => plan.work.push(path?),
                HIDDEN => plan.hidden.push(path?),
                OFFLINE => plan.net = Net::Off,
                _ => return None,
            }
        }
        Some((plan, rest.get(1..)?))
    }
}

/// Whether a path is another one or below it. Both are absolute and in the shortest way of writing, so that the text is enough: a seatbelt is
/// made for each command.
pub(crate) fn is_in(path: &Path, folder: &Path) -> bool {
    let (path, folder) = (path.as_os_str().as_encoded_bytes(), folder.as_os_str().as_encoded_bytes());
    path.strip_prefix(folder)
        .is_some_and(|rest| rest.first().is_none_or(|byte| *byte == b'/') || folder == b"/")
}

/// The folders above a path, but not the root.
fn folders_above(path: &Path) -> impl Iterator<Item = &Path> {
    let mut rest = path;
    std::iter::from_fn(move || {
        rest = rest.parent().filter(|above| above.as_os_str().len() > 1)?;
        Some(rest)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_is_the_same_after_it_was_words() {
        let path = |text: &str| vec![PathBuf::from(text)];
        let whole = Plan {
            cover: "/s/c".into(),
            read_only: path("/a b=c"),
            free: path("/s/x"),
            writable: Some(path("/p")),
            work: path("/p"),
            hidden: path("/h/.ssh"),
            net: Net::Off,
        };
        let nothing_writable = Plan { cover: "/c".into(), writable: Some(Vec::new()), ..Plan::default() };
        for plan in [whole, nothing_writable, Plan { cover: "/c".into(), ..Plan::default() }] {
            let words = [plan.to_words(), vec!["ruff".to_owned(), "--".to_owned()]].concat();
            let (read, rest) = Plan::from_words(&words).unwrap();
            assert_eq!((read, rest), (plan, &["ruff".to_owned(), "--".to_owned()][..]));
        }
    }

    #[test]
    fn a_folder_is_above_what_is_in_it() {
        let cases = [
            ("/a/b", "/a", true),
            ("/a", "/a", true),
            ("/ab", "/a", false),
            ("/a", "/a/b", false),
            ("/a", "/", true),
        ];
        for (path, folder, expected) in cases {
            assert_eq!(is_in(Path::new(path), Path::new(folder)), expected, "{path} in {folder}");
        }
    }

    #[test]
    fn a_folder_on_the_way_to_a_file_is_pinned() {
        let plan = Plan {
            cover: "/h/u/.local/state/flyball/seatbelt".into(),
            read_only: vec!["/h/u/.local/state/flyball".into(), "/h/u/p/.git/config".into()],
            ..Plan::default()
        };
        let pinned: Vec<&str> = plan.pinned().into_iter().filter_map(Path::to_str).collect();
        assert_eq!(pinned, ["/h", "/h/u", "/h/u/.local", "/h/u/.local/state", "/h/u/p", "/h/u/p/.git"]);
    }
}
