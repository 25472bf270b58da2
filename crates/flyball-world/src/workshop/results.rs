//! The result cache. Losing an entry costs work, nothing else.

use std::fs::{self, DirBuilder};
use std::io::{Result, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use sha2::{Digest, Sha256};

use crate::content_store::hash;
use flyball_files::TempFile;

/// The format: these bytes, the SHA-256 of the rest, the rest.
const MAGIC: &[u8] = b"flyball result 1\n";
const HASH_BYTES: usize = 32;
/// The most bytes that are stored. When it is more, the oldest are removed until a quarter is free.
const ROOM: Room = Room { entries: 20_000, bytes: 64 * 1024 * 1024 };
/// Counting takes a while, so only the keys that end so do it: one write in 256.
const COUNTS: &str = "00";

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
        let content = fs::read(self.place(&file_name(key))).ok()?;
        let (digest, result) = content.strip_prefix(MAGIC)?.split_at_checked(HASH_BYTES)?;
        (Sha256::digest(result).as_slice() == digest).then(|| result.to_vec())
    }

    /// Stores a result under a key.
    pub(super) fn store(&self, key: &str, result: &[u8]) -> Result<()> {
        let key = file_name(key);
        let place = self.place(&key);
        let folder = place.parent().unwrap_or(&self.folder);
        DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        let beside = TempFile::create(folder, 0o600)?;
        beside.file().write_all(&[MAGIC, Sha256::digest(result).as_slice(), result].concat())?;
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

    fn all(&self) -> Vec<Entry> {
        let folders = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let files = folders.flat_map(|folder| fs::read_dir(folder.path()).into_iter().flatten().flatten());
        files
            .filter_map(|file| {
                let data = file.metadata().ok().filter(fs::Metadata::is_file)?;
                Some(Entry { path: file.path(), bytes: data.len(), written: data.modified().ok()? })
            })
            .collect()
    }
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
