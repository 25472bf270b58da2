//! The files of the world, for the reader of command lines.

use flyball_effects::{Directory, Disk};

use crate::path::AbsolutePath;
use crate::session_texts::SessionTexts;
use crate::world::World;

/// Longer files are not read: a script of this length is a program, not a fix.
const MOST_BYTES: u64 = 1024 * 1024;
/// More names that a pattern matches are not listed.
const MOST_NAMES: usize = 32;
/// More folders are not looked through for one pattern.
const MOST_FOLDERS: usize = 64;

/// The disk as a line sees it that starts in a folder.
pub(crate) struct WorldDisk<'a> {
    world: &'a dyn World,
    start: &'a AbsolutePath,
    /// What the session wrote, which may not be there yet.
    texts: SessionTexts,
    /// Whether only those are read.
    is_session_only: bool,
}

impl<'a> WorldDisk<'a> {
    pub(crate) fn new(world: &'a dyn World, start: &'a AbsolutePath, texts: SessionTexts) -> WorldDisk<'a> {
        WorldDisk { world, start, texts, is_session_only: false }
    }

    /// Without the content of files that the session has not written: what is computed from it is stored, and nobody has
    /// shown it to flyball.
    pub(crate) fn session_only(self) -> WorldDisk<'a> {
        WorldDisk { is_session_only: true, ..self }
    }

    /// What the session wrote into a file, unless the disk has something newer.
    fn session_text(&self, path: &AbsolutePath) -> Option<String> {
        let file = self.texts.get(path)?;
        let is_newer = self.world.stat(path).is_none_or(|stat| stat.changed < file.at);
        file.text.clone().filter(|_| is_newer)
    }

    fn disk_text(&self, path: &AbsolutePath) -> Option<String> {
        if self.is_session_only || self.world.stat(path)?.is_folder {
            return None;
        }
        // What cannot be read cannot be run by this user either.
        let bytes = self.world.read(path, MOST_BYTES).ok()??;
        // A program, not a text.
        (!bytes.contains(&0)).then(|| String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The names of files that the session wrote and that a pattern matches in its last part.
    fn matching_texts(&self, base: &AbsolutePath, pattern: &str) -> Vec<String> {
        let (folder, name) = pattern.rsplit_once('/').unwrap_or(("", pattern));
        if self.texts.0.is_empty() || folder.contains(['*', '?', '[']) {
            return Vec::new();
        }
        let place = match folder {
            "" if pattern.starts_with('/') => AbsolutePath::from_root("/"),
            "" => base.clone(),
            _ => self.world.real_path(base, folder),
        };
        let start = pattern.strip_suffix(name).unwrap_or_default();
        let paths = self.texts.0.iter().filter_map(|file| file.path.rsplit_once('/'));
        let here = paths.filter(|(above, _)| *above == place.as_str());
        let matching = here.filter(|(_, own)| is_match(name.as_bytes(), own.as_bytes()));
        matching.map(|(_, own)| format!("{start}{own}")).collect()
    }

    /// The folders that a directory of the line may be.
    fn bases(&self, directory: &Directory) -> Vec<AbsolutePath> {
        let places = match directory {
            // Where it cannot be known, the start is the best guess: reading more hides nothing.
            Directory::Start | Directory::Unknown => &[],
            Directory::OneOf(places) => places.as_slice(),
        };
        let mut found: Vec<AbsolutePath> =
            places.iter().map(|place| self.world.real_path(self.start, place)).collect();
        if found.is_empty() {
            found.push(self.world.real_path(self.start, "."));
        }
        found
    }
}

impl Disk for WorldDisk<'_> {
    fn text(&self, directory: &Directory, path: &str) -> Option<String> {
        self.bases(directory).iter().find_map(|base| {
            let path = self.world.real_path(base, path);
            match (self.session_text(&path), self.disk_text(&path)) {
                // The call that wrote it may have failed or been refused: then the older text is what runs.
                (Some(written), Some(there)) if !there.contains(&written) => {
                    Some(format!("{there}\n{written}"))
                }
                (written, there) => there.or(written),
            }
        })
    }

    fn matching(&self, directory: &Directory, pattern: &str) -> Vec<String> {
        let mut found = Vec::new();
        for base in self.bases(directory) {
            self.expand(&base, pattern, &mut found);
            found.extend(self.matching_texts(&base, pattern));
        }
        found.sort();
        found.dedup();
        found.truncate(MOST_NAMES);
        found
    }

    fn session_files(&self) -> Vec<String> {
        self.texts.0.iter().map(|file| file.path.clone()).collect()
    }
}

impl WorldDisk<'_> {
    /// Adds the names that a pattern matches below a folder, part by part.
    fn expand(&self, base: &AbsolutePath, pattern: &str, found: &mut Vec<String>) {
        let mut names = vec![String::new()];
        for part in pattern.split_inclusive('/') {
            let (name, slash) = part.strip_suffix('/').map_or((part, ""), |name| (name, "/"));
            let mut next = Vec::new();
            for before in names.iter().take(MOST_FOLDERS) {
                if !name.contains(['*', '?', '[']) {
                    next.push(format!("{before}{part}"));
                    continue;
                }
                let folder = self.world.real_path(base, if before.is_empty() { "." } else { before });
                let listed = self.world.list(&folder);
                let matching = listed.iter().filter(|listed| is_match(name.as_bytes(), listed.as_bytes()));
                next.extend(matching.map(|listed| format!("{before}{listed}{slash}")));
            }
            names = next;
        }
        let is_there = |name: &String| self.world.stat(&self.world.real_path(base, name)).is_some();
        found.extend(names.into_iter().filter(is_there));
    }
}

/// Whether a pattern of file names matches a name. A `[…]` counts as any letter.
fn is_match(pattern: &[u8], name: &[u8]) -> bool {
    match pattern.split_first() {
        None => name.is_empty(),
        // A leading dot is matched only by a dot.
        Some((b'*' | b'?', _)) if name.first() == Some(&b'.') && pattern.first() == Some(&b'*') => false,
        Some((b'*', rest)) => {
            (0..=name.len()).any(|at| name.get(at..).is_some_and(|end| inner_match(rest, end)))
        }
        Some(_) => inner_match(pattern, name),
    }
}

fn inner_match(pattern: &[u8], name: &[u8]) -> bool {
    match (pattern.split_first(), name.split_first()) {
        (None, None) => true,
        (Some((b'*', rest)), _) => {
            (0..=name.len()).any(|at| name.get(at..).is_some_and(|end| inner_match(rest, end)))
        }
        (Some((b'?', rest)), Some((_, end))) => inner_match(rest, end),
        (Some((b'[', rest)), Some((_, end))) => {
            let close = rest.iter().position(|byte| *byte == b']');
            close.is_some_and(|at| rest.get(at + 1..).is_some_and(|rest| inner_match(rest, end)))
        }
        (Some((wanted, rest)), Some((byte, end))) => wanted == byte && inner_match(rest, end),
        (None, Some(_)) | (Some(_), None) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_match;

    #[test]
    fn patterns_match_names() {
        let cases = [
            ("*.sh", "a.sh", true),
            ("*.sh", ".a.sh", false),
            ("a?c", "abc", true),
            ("[ab]*", "bcd", true),
            ("*", "x", true),
            ("a*b*c", "axxbyyc", true),
            ("a*b*c", "axxbyy", false),
            ("x", "y", false),
        ];
        for (pattern, name, expected) in cases {
            assert_eq!(is_match(pattern.as_bytes(), name.as_bytes()), expected, "{pattern} {name}");
        }
    }
}
