//! The result cache. Losing an entry costs work, nothing else.

use std::collections::BTreeSet;
use std::fs::{self, DirBuilder};
use std::io::{Result, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use flyball_system::DirBuilderExt;
use sha2::{Digest, Sha256};

use super::packs::{Key, Packs};
use crate::content_store::hash;
use flyball_files::TempFile;

/// The format: these bytes, the SHA-256 of the rest, the rest.
const MAGIC: &[u8] = b"flyball result 1\n";
const HASH_BYTES: usize = 32;
/// The most bytes that are stored. When it is more, the oldest are removed until a quarter is free.
const ROOM: Room = Room { entries: 20_000, bytes: 64 * 1024 * 1024 };
/// Counting takes a while, so only the keys that end so do it: one write in 256.
const COUNTS: &str = "00";
/// This many results are stored and looked up together.
const MANY: usize = 256;

#[derive(Clone, Copy)]
struct Room {
    entries: usize,
    bytes: u64,
}

/// The folder they are in.
pub(super) struct Results {
    folder: PathBuf,
    room: Room,
}

impl Results {
    pub(super) fn below(state: &Path) -> Results {
        Results { folder: state.join("results"), room: ROOM }
    }

    /// The result under a key, if it is whole.
    pub(super) fn read(&self, key: &str) -> Option<Vec<u8>> {
        self.read_alone(key).or_else(|| Packs::below(&self.folder).read(&pack_key(key)))
    }

    /// The results under these keys.
    pub(super) fn read_many(&self, keys: &[&str]) -> Vec<Option<Vec<u8>>> {
        if keys.len() < MANY {
            return keys.iter().map(|key| self.read(key)).collect();
        }
        let packs = Packs::below(&self.folder).load();
        // Most keys have no file of their own, and trying to open each would cost more.
        let alone = self.names();
        let mut is_used = vec![false; packs.len()];
        let mut find = |key: &&str| {
            if alone.contains(&file_name(key))
                && let Some(result) = self.read_alone(key)
            {
                return Some(result);
            }
            let key = pack_key(key);
            let (at, result) =
                packs.iter().enumerate().find_map(|(at, pack)| Some((at, pack.find(&key)?)))?;
            is_used.get_mut(at).into_iter().for_each(|is_used| *is_used = true);
            Some(result)
        };
        let found = keys.iter().map(&mut find).collect();
        packs.iter().zip(is_used).filter(|(_, is_used)| *is_used).for_each(|(pack, _)| pack.touch());
        found
    }

    /// Stores results, many of them together.
    pub(super) fn store_many(&self, results: &[(String, Vec<u8>)]) -> Result<()> {
        if results.len() < MANY {
            return results.iter().try_for_each(|(key, result)| self.store(key, result));
        }
        let mut all: Vec<(Key, &[u8])> =
            results.iter().map(|(key, result)| (pack_key(key), result.as_slice())).collect();
        Packs::below(&self.folder).store(&mut all)
    }

    fn read_alone(&self, key: &str) -> Option<Vec<u8>> {
        let content = fs::read(self.place(&file_name(key))).ok()?;
        let (digest, result) = content.strip_prefix(MAGIC)?.split_at_checked(HASH_BYTES)?;
        (Sha256::digest(result).as_slice() == digest).then(|| result.to_vec())
    }

    /// Stores a result under a key.
    pub(super) fn store(&self, key: &str, result: &[u8]) -> Result<()> {
        let key = file_name(key);
        let place = self.place(&key);
        let content = [MAGIC, Sha256::digest(result).as_slice(), result].concat();
        if is_renewed(&place, &content) {
            return Ok(());
        }
        let folder = place.parent().unwrap_or(&self.folder);
        let beside = match TempFile::create(folder, 0o600) {
            Err(cause) if flyball_files::is_absent(&cause) => {
                DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
                TempFile::create(folder, 0o600)?
            }
            other => other?,
        };
        beside.file().write_all(&content)?;
        beside.replace_soon(&place)?;
        if key.ends_with(COUNTS) {
            self.evict_oldest();
        }
        Ok(())
    }

    fn place(&self, key: &str) -> PathBuf {
        let (first, rest) = key.split_at_checked(2).unwrap_or(("", key));
        self.folder.join(first).join(rest)
    }

    /// Removes the oldest if there are too many. Another process may do the same at the same time.
    fn evict_oldest(&self) {
        let mut all = self.all();
        let (mut entries, mut bytes) = (all.len(), all.iter().map(|entry| entry.bytes).sum::<u64>());
        if entries <= self.room.entries && bytes <= self.room.bytes {
            return;
        }
        all.sort_unstable_by(|one, other| (one.written, &one.path).cmp(&(other.written, &other.path)));
        for entry in all {
            // A quarter at once, so that the next writes do not have to remove anything.
            if entries <= self.room.entries / 4 * 3 && bytes <= self.room.bytes / 4 * 3 {
                return;
            }
            // Another process may have removed it already.
            _ = fs::remove_file(&entry.path);
            entries -= 1;
            bytes -= entry.bytes;
        }
    }

    /// The names of all results that have a file of their own.
    fn names(&self) -> BTreeSet<String> {
        let name = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
        let folders = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let folders = folders.filter(|folder| folder.file_name().len() == 2);
        folders
            .flat_map(|folder| {
                let files = fs::read_dir(folder.path()).into_iter().flatten().flatten();
                files.map(move |file| name(&folder) + &name(&file))
            })
            .collect()
    }

    fn all(&self) -> Vec<Entry> {
        // The packs have names of another length.
        let folders = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let folders = folders.filter(|folder| folder.file_name().len() == 2);
        let files = folders.flat_map(|folder| fs::read_dir(folder.path()).into_iter().flatten().flatten());
        files
            .filter_map(|file| {
                let data = file.metadata().ok().filter(fs::Metadata::is_file)?;
                Some(Entry { path: file.path(), bytes: data.len(), written: data.modified().ok()? })
            })
            .collect()
    }
}

/// Whether a file has this content already and is now as if it were written: making a file takes longer than reading one.
fn is_renewed(place: &Path, content: &[u8]) -> bool {
    let has_content = fs::read(place).is_ok_and(|stored| stored == content);
    let renew = || fs::File::options().append(true).open(place)?.set_modified(SystemTime::now());
    has_content && renew().is_ok()
}

struct Entry {
    path: PathBuf,
    bytes: u64,
    written: SystemTime,
}

/// A key that is a name for a file: itself if it is a hash, else its hash.
fn file_name(key: &str) -> String {
    // Keys become file names: anything but a hash could contain a `/` or `..`.
    let is_hash =
        (16..=128).contains(&key.len()) && key.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    if is_hash { key.to_owned() } else { hash(key.as_bytes()).as_str().to_owned() }
}

/// A key of any length as one of a pack.
fn pack_key(key: &str) -> Key {
    let own = || -> Option<Key> {
        let mut bytes = [0; 32];
        let pairs = key.as_bytes().as_chunks::<2>().0.iter();
        for (byte, pair) in bytes.iter_mut().zip(pairs) {
            *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
        }
        Some(bytes)
    };
    let is_hash = key.len() == 64 && key.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    own().filter(|_| is_hash).unwrap_or_else(|| Sha256::digest(key.as_bytes()).into())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    const KEY: &str = "0123456789abcdef";

    #[test]
    fn a_result_is_found_again_under_any_key() {
        let state = tempfile::tempdir().unwrap();
        let results = Results::below(state.path());
        for key in [KEY, "", "../../escape", "ÄÖ", "a/b"] {
            assert_eq!(results.read(key), None, "{key}");
            results.store(key, key.as_bytes()).unwrap();
            results.store(key, b"\0\xff again").unwrap();
            assert_eq!(results.read(key).as_deref(), Some(&b"\0\xff again"[..]), "{key}");
        }
        assert_eq!(fs::read_dir(state.path()).unwrap().count(), 1);
        let mode = fs::metadata(state.path().join("results")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
    }

    #[test]
    fn many_results_are_found_again_one_by_one_and_together() {
        let state = tempfile::tempdir().unwrap();
        let results = Results::below(state.path());
        let key = |number: usize| hash(number.to_string().as_bytes()).as_str().to_owned();
        let many: Vec<(String, Vec<u8>)> =
            (0..MANY).map(|number| (key(number), number.to_string().into_bytes())).collect();
        results.store_many(&many).unwrap();
        results.store(KEY, b"alone").unwrap();
        // One file for all of them.
        assert_eq!(results.all().len(), 1);
        // What was stored later counts.
        results.store(&key(7), b"again").unwrap();
        let mut keys: Vec<&str> = many.iter().map(|(key, _)| key.as_str()).collect();
        keys.extend([KEY, "nowhere"]);
        let found = results.read_many(&keys);
        for (key, found) in keys.iter().zip(found) {
            assert_eq!(results.read(key), found, "{key}");
        }
        assert_eq!(results.read(&key(7)).as_deref(), Some(&b"again"[..]));
        assert_eq!(results.read(&key(8)).as_deref(), Some(&b"8"[..]));
        assert_eq!(results.read("nowhere"), None);
    }

    #[test]
    fn a_damaged_result_is_none() {
        let state = tempfile::tempdir().unwrap();
        let results = Results::below(state.path());
        results.store(KEY, b"good").unwrap();
        let place = results.place(KEY);
        let good = fs::read(&place).unwrap();
        let damaged = [&good[..good.len() - 1], &good[1..], b"", b"flyball result 1\nshort"];
        for bytes in damaged {
            fs::write(&place, bytes).unwrap();
            assert_eq!(results.read(KEY), None);
        }
    }

    #[test]
    fn the_oldest_go_when_there_is_no_room() {
        let state = tempfile::tempdir().unwrap();
        let results = Results { room: Room { entries: 8, bytes: 10_000 }, ..Results::below(state.path()) };
        let keys: Vec<String> = (1..=8).map(|number| format!("{number:02}aaaaaaaaaaaaaaff")).collect();
        for (age, key) in keys.iter().enumerate() {
            results.store(key, b"x").unwrap();
            let written = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(age as u64);
            fs::File::options().write(true).open(results.place(key)).unwrap().set_modified(written).unwrap();
        }
        results.store("ffaaaaaaaaaaaa00", b"x").unwrap();
        let left: Vec<bool> = keys.iter().map(|key| results.read(key).is_some()).collect();
        assert_eq!(left, [false, false, false, true, true, true, true, true]);
        results.store("ffaaaaaaaaaaaa00", &[0; 20_000]).unwrap();
        assert!(results.all().is_empty());
    }
}
