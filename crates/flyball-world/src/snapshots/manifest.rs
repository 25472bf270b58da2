//! What a snapshot says of each file, and how that is stored.
//!
//! A snapshot is one file: lines about the whole, an empty line, and an entry per file, each ended by a zero byte. Most
//! snapshots store only how they differ from an earlier one, their *base*.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{Metadata, symlink_metadata};
use std::path::Path;

use flyball_core::path::is_or_is_below;
use flyball_core::snapshot::{Snapshot, SnapshotId};
use flyball_core::time::Time;
use flyball_core::world::ContentHash;
use flyball_system::MetadataExt as _;
use flyball_system::OpenFolder;
use serde::{Deserialize, Serialize};

/// What changed so shortly before it was looked at may have changed again in the same tick of the clock.
const TICK_NANOS: u64 = 20_000_000;
/// The first line. A program that finds another one leaves the file alone.
const FORM: &str = "flyball snapshot 1";

/// Files as they were at one time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manifest {
    pub id: SnapshotId,
    pub at: Time,
    /// When its files were last seen to be as they are in it.
    pub read_at: Time,
    pub session: String,
    /// The call before which it was made, in one line.
    pub cause: String,
    /// Whether all files of the project are in it: what is not, was not there.
    pub is_tree: bool,
    /// Whether there were more files than are looked at.
    pub is_cut: bool,
    /// The checkout elsewhere that is in it, too.
    pub elsewhere: Option<String>,
    /// The repositories that said which files there are.
    pub repositories: Vec<String>,
    /// The names that git had for commits.
    pub refs: Vec<Ref>,
    /// What only git's index had.
    pub staged: Vec<Staged>,
    /// By their paths: from the project's root on, or absolute for what is elsewhere.
    pub entries: BTreeMap<String, Entry>,
}

/// A name for a commit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ref {
    pub name: String,
    pub commit: String,
}

/// A file as only the index had it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Staged {
    /// As snapshots have it.
    pub path: String,
    /// As git writes it.
    pub mode: String,
    /// Its name in git.
    pub object: String,
    pub content: ContentHash,
}

/// One file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub stat: FileStat,
    pub content: Content,
}

/// What shows that a file is still the same, and its mode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileStat {
    pub mode: u32,
    pub bytes: u64,
    /// When anything of it changed, in nanoseconds: a program can set the time of its content to anything.
    pub changed: u64,
    pub inode: u64,
}

/// Where the content of a file is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// The file was not there.
    Absent,
    Stored(ContentHash),
    /// A symbolic link with this target.
    Link(String),
    /// In git's object of this name.
    Committed(String),
    /// It was not copied.
    Missing(Missing),
}

/// Why a file was not copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// It is longer than any file that is copied.
    TooLong,
    /// Too much was new at one time.
    TooMuch,
    Unreadable,
}

impl Missing {
    const ALL: [(Missing, char); 3] =
        [(Missing::TooLong, 'l'), (Missing::TooMuch, 'm'), (Missing::Unreadable, 'u')];

    /// In words, after "was not copied: ".
    #[must_use]
    pub const fn why(self) -> &'static str {
        match self {
            Missing::TooLong => "it is too long",
            Missing::TooMuch => "too much had changed at once",
            Missing::Unreadable => "it could not be read",
        }
    }
}

impl Manifest {
    /// How many files could not be copied.
    #[must_use]
    pub fn left_out(&self) -> usize {
        self.entries.values().filter(|entry| matches!(entry.content, Content::Missing(_))).count()
    }

    /// The repository that says whether a file is there or ignored.
    pub(super) fn repository_of(&self, path: &str) -> Option<&str> {
        let above = self.repositories.iter().filter(|it| it.is_empty() || is_or_is_below(path, it));
        above.max_by_key(|it| it.len()).map(String::as_str)
    }

    /// What is told of it when it is taken.
    pub(super) fn as_snapshot(&self, is_new: bool) -> Snapshot {
        let (left_out, is_cut) = (self.left_out(), self.is_cut);
        Snapshot { id: self.id, is_tree: self.is_tree, is_new, left_out, is_cut }
    }

    /// The text to store. With a base, only what differs from it.
    pub(super) fn to_text(&self, base: Option<&Manifest>) -> Vec<u8> {
        let mut text = format!("{FORM}\n");
        let mut line = |name: &str, value: &str| {
            text.push_str(name);
            text.push(' ');
            text.push_str(&value.replace(['\n', '\r', '\0'], " "));
            text.push('\n');
        };
        line("at", &self.at.as_micros().to_string());
        line("read", &self.read_at.as_micros().to_string());
        line("session", &self.session);
        line("cause", &self.cause);
        line("extent", if self.is_tree { "tree" } else { "files" });
        if self.is_cut {
            line("cut", "true");
        }
        if let Some(base) = base {
            line("base", &base.id.to_string());
        }
        self.elsewhere.iter().for_each(|folder| line("elsewhere", folder));
        self.repositories.iter().for_each(|folder| line("repository", folder));
        self.refs.iter().for_each(|it| line("ref", &format!("{} {}", it.commit, it.name)));
        for Staged { path, mode, object, content } in &self.staged {
            line("staged", &format!("{mode} {object} {} {path}", content.as_str()));
        }
        text.push('\n');
        for (path, entry) in &self.entries {
            if base.is_none_or(|base| base.entries.get(path) != Some(entry)) {
                entry.write(path, &mut text);
            }
        }
        let gone = base.into_iter().flat_map(|base| base.entries.keys());
        for path in gone.filter(|path| !self.entries.contains_key(*path)) {
            Entry { stat: FileStat::default(), content: Content::Absent }.write(path, &mut text);
        }
        text.into_bytes()
    }

    /// How many entries differ from another snapshot's.
    pub(super) fn difference(&self, other: &Manifest) -> usize {
        let changed =
            self.entries.iter().filter(|(path, entry)| other.entries.get(*path) != Some(*entry)).count();
        let gone = other.entries.keys().filter(|path| !self.entries.contains_key(*path)).count();
        changed + gone
    }
}

/// A stored text that was read, and the base that it needs.
pub(super) struct Stored {
    pub(super) manifest: Manifest,
    pub(super) base: Option<SnapshotId>,
}

impl Stored {
    /// `None` if the text is damaged or of another form.
    pub(super) fn parse(id: SnapshotId, text: &[u8]) -> Option<Stored> {
        let text = std::str::from_utf8(text).ok()?;
        let (head, entries) = text.split_once("\n\n")?;
        let mut manifest = Manifest {
            id,
            at: Time::default(),
            read_at: Time::default(),
            session: String::new(),
            cause: String::new(),
            is_tree: false,
            is_cut: false,
            elsewhere: None,
            repositories: Vec::new(),
            refs: Vec::new(),
            staged: Vec::new(),
            entries: BTreeMap::new(),
        };
        let mut base = None;
        let mut lines = head.lines();
        if lines.next() != Some(FORM) {
            return None;
        }
        for line in lines {
            let (name, value) = line.split_once(' ')?;
            match name {
                "at" => manifest.at = Time::from_micros(value.parse().ok()?),
                "read" => manifest.read_at = Time::from_micros(value.parse().ok()?),
                "session" => manifest.session = value.to_owned(),
                "cause" => manifest.cause = value.to_owned(),
                "extent" => manifest.is_tree = value == "tree",
                "cut" => manifest.is_cut = true,
                "base" => base = Some(SnapshotId(value.parse().ok()?)),
                "elsewhere" => manifest.elsewhere = Some(value.to_owned()),
                "repository" => manifest.repositories.push(value.to_owned()),
                "ref" => {
                    let (commit, name) = value.split_once(' ')?;
                    manifest.refs.push(Ref { name: name.to_owned(), commit: commit.to_owned() });
                }
                "staged" => {
                    let mut words = value.splitn(4, ' ');
                    manifest.staged.push(Staged {
                        mode: words.next()?.to_owned(),
                        object: words.next()?.to_owned(),
                        content: ContentHash::new(words.next()?.to_owned()),
                        path: words.next()?.to_owned(),
                    });
                }
                // Of a later version, which would have another first line if it changed what is above.
                _ => {}
            }
        }
        // A file that was cut off ends without its last zero byte.
        if !entries.is_empty() && !entries.ends_with('\0') {
            return None;
        }
        for text in entries.split_terminator('\0') {
            let (path, entry) = Entry::parse(text)?;
            manifest.entries.insert(path.to_owned(), entry);
        }
        Some(Stored { manifest, base })
    }

    /// The whole, with what is in its base.
    pub(super) fn on(mut self, base: Manifest) -> Manifest {
        let own = std::mem::replace(&mut self.manifest.entries, base.entries);
        for (path, entry) in own {
            match entry.content {
                Content::Absent => _ = self.manifest.entries.remove(&path),
                _ => _ = self.manifest.entries.insert(path, entry),
            }
        }
        self.manifest
    }
}

impl FileStat {
    /// Of a file or a link; `None` for anything else.
    pub(super) fn of(data: &Metadata) -> Option<FileStat> {
        (data.is_file() || data.is_symlink()).then(|| FileStat::of_any(data))
    }

    /// Of a file or a link, not of what the link leads to; `None` if there is neither.
    pub(super) fn at(path: &Path) -> Option<FileStat> {
        FileStat::of(&symlink_metadata(path).ok()?)
    }

    pub(super) fn of_any(data: &Metadata) -> FileStat {
        let seconds = u64::try_from(data.ctime()).unwrap_or_default();
        let nanos = u64::try_from(data.ctime_nsec()).unwrap_or_default();
        FileStat {
            mode: data.mode(),
            bytes: data.len(),
            changed: in_nanos(seconds, nanos),
            inode: data.ino(),
        }
    }

    /// What a name in an open folder leads to, but not what a link leads to; without a name, the folder itself. `None` also
    /// where the system does not say: there a tree is listed by git each time.
    pub(super) fn in_folder(folder: &OpenFolder, name: &str) -> Option<FileStat> {
        let found = folder.stat(name)?;
        let (seconds, nanos) = found.changed;
        let changed = in_nanos(seconds, nanos);
        Some(FileStat { mode: found.mode, bytes: found.bytes, changed, inode: found.inode })
    }

    /// Whether nothing that happened since a time can have left it as it is.
    pub(super) fn is_older_than(&self, time: Time) -> bool {
        let time = u64::try_from(time.as_micros()).unwrap_or_default().saturating_mul(1_000);
        self.changed.saturating_add(TICK_NANOS) < time
    }
}

impl Entry {
    /// Whether two files are the same: what is in them, and who may do what with them.
    #[must_use]
    pub fn is_same_file(&self, other: &Entry) -> bool {
        const PERMISSIONS: u32 = 0o7777;
        // Those of a link mean nothing.
        let is_link = matches!(self.content, Content::Link(_));
        self.content == other.content && (is_link || (self.stat.mode ^ other.stat.mode) & PERMISSIONS == 0)
    }

    fn write(&self, path: &str, text: &mut String) {
        let FileStat { mode, bytes, changed, inode } = self.stat;
        // Writing to a text cannot fail.
        _ = write!(text, "{mode:o} {bytes} {changed} {inode} ");
        match &self.content {
            Content::Absent => text.push('-'),
            Content::Stored(hash) => _ = write!(text, "s{}", hash.as_str()),
            Content::Committed(object) => _ = write!(text, "g{object}"),
            Content::Link(target) => _ = write!(text, "l{}", hex(target)),
            Content::Missing(why) => {
                text.push('!');
                text.extend(Missing::ALL.iter().filter(|(it, _)| it == why).map(|(_, letter)| letter));
            }
        }
        text.push('\t');
        text.push_str(path);
        text.push('\0');
    }

    fn parse(text: &str) -> Option<(&str, Entry)> {
        let (head, path) = text.split_once('\t')?;
        let mut words = head.split(' ');
        let stat = FileStat {
            mode: u32::from_str_radix(words.next()?, 8).ok()?,
            bytes: words.next()?.parse().ok()?,
            changed: words.next()?.parse().ok()?,
            inode: words.next()?.parse().ok()?,
        };
        let content = words.next()?;
        let value = content.get(1..)?;
        let content = match content.chars().next()? {
            '-' => Content::Absent,
            's' => Content::Stored(ContentHash::new(value.to_owned())),
            'g' => Content::Committed(value.to_owned()),
            'l' => Content::Link(unhex(value)?),
            '!' => {
                let (why, _) = Missing::ALL.iter().find(|(_, letter)| value.starts_with(*letter))?;
                Content::Missing(*why)
            }
            _ => return None,
        };
        Some((path, Entry { stat, content }))
    }
}

fn in_nanos(seconds: u64, nanos: u64) -> u64 {
    seconds.saturating_mul(1_000_000_000).saturating_add(nanos)
}

/// Any text without spaces.
fn hex(text: &str) -> String {
    let mut out = String::new();
    text.bytes().for_each(|byte| _ = write!(out, "{byte:02x}"));
    out
}

fn unhex(text: &str) -> Option<String> {
    let bytes: Option<Vec<u8>> = text
        .as_bytes()
        .chunks(2)
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
        .collect();
    String::from_utf8(bytes?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(content: Content) -> Entry {
        let stat = FileStat { mode: 0o100_644, bytes: 3, changed: 1_700_000_000_123_456_789, inode: 42 };
        Entry { stat, content }
    }

    fn manifest(id: u64, entries: &[(&str, Content)]) -> Manifest {
        let entries = entries.iter().map(|(path, content)| ((*path).to_owned(), entry(content.clone())));
        Manifest {
            id: SnapshotId(id),
            at: Time::from_micros(7),
            read_at: Time::from_micros(8),
            session: "s".to_owned(),
            cause: "rm\nx".to_owned(),
            is_tree: true,
            is_cut: true,
            elsewhere: Some("/other tree".to_owned()),
            repositories: vec![String::new(), "inner".to_owned()],
            refs: vec![Ref { name: "refs/heads/a b".to_owned(), commit: "1f".to_owned() }],
            staged: vec![Staged {
                path: "src/a b".to_owned(),
                mode: "100644".to_owned(),
                object: "2e".to_owned(),
                content: ContentHash::new("e".repeat(64)),
            }],
            entries: entries.collect(),
        }
    }

    fn stored(letter: char) -> Content {
        Content::Stored(ContentHash::new(letter.to_string().repeat(64)))
    }

    #[test]
    fn what_is_stored_is_read_again() {
        let kinds = [
            ("a\tb\n c", stored('a')),
            ("git", Content::Committed("0f".to_owned())),
            ("link", Content::Link("to a\tplace".to_owned())),
            ("long", Content::Missing(Missing::TooLong)),
            ("much", Content::Missing(Missing::TooMuch)),
            ("unreadable", Content::Missing(Missing::Unreadable)),
        ];
        let whole = manifest(3, &kinds);
        let read = Stored::parse(SnapshotId(3), &whole.to_text(None)).unwrap();
        assert_eq!(read.base, None);
        assert_eq!(read.manifest, Manifest { cause: "rm x".to_owned(), ..whole });
    }

    #[test]
    fn a_base_and_what_differs_make_the_whole() {
        let base = manifest(1, &[("a", stored('a')), ("b", stored('b')), ("c", stored('c'))]);
        let next = manifest(2, &[("a", stored('a')), ("b", stored('x')), ("d", stored('d'))]);
        let text = next.to_text(Some(&base));
        assert!(!String::from_utf8_lossy(&text).contains(&"a".repeat(64)), "what is the same is not stored");
        let read = Stored::parse(SnapshotId(2), &text).unwrap();
        assert_eq!(read.base, Some(SnapshotId(1)));
        assert_eq!(read.on(base).entries, next.entries);
    }

    #[test]
    fn a_damaged_text_is_not_read() {
        let text = manifest(3, &[("a", stored('a')), ("b", stored('b'))]).to_text(None);
        for cut in [10, text.len() / 2, text.len() - 1] {
            assert!(Stored::parse(SnapshotId(3), &text[..cut]).is_none(), "{cut}");
        }
        assert!(Stored::parse(SnapshotId(3), b"flyball snapshot 2\n\n").is_none());
    }
}
