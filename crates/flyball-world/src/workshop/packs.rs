//! Results that were stored together, in one file: a run over a large project has a hundred thousand of them, and a file
//! for each would take longer to read and write than its linters.
//!
//! A pack is a head, a table of where the keys that begin with each byte end, the entries sorted by key, and the results. It is
//! written once and never changed.

use std::fs::{self, DirBuilder, File};
use std::io::{Result, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use flyball_files::{TempFile, read_at};
use flyball_system::DirBuilderExt;
use sha2::{Digest, Sha256};

/// The beginning of each pack.
const MAGIC: &[u8; 16] = b"flyball pack  1\n";
/// How many entries have a key that begins with a byte up to this one, for each byte.
const TABLE_BYTES: usize = 256 * 4;
/// A key, where its result is, how long that is, and the beginning of its hash.
const ENTRY_BYTES: usize = KEY_BYTES + 8 + 4 + CHECK_BYTES;
const KEY_BYTES: usize = 32;
const CHECK_BYTES: usize = 8;
/// The most packs, and the most bytes of all of them. When it is more, those that were not used for longest are removed.
const MOST_PACKS: usize = 16;
const MOST_BYTES: u64 = 128 * 1024 * 1024;

/// The key of an entry.
pub(super) type Key = [u8; KEY_BYTES];

/// The folder that packs are in.
pub(super) struct Packs {
    folder: PathBuf,
}

impl Packs {
    pub(super) fn below(results: &Path) -> Packs {
        Packs { folder: results.join("packs") }
    }

    /// The result under a key.
    pub(super) fn read(&self, key: &Key) -> Option<Vec<u8>> {
        self.paths().iter().find_map(|path| Pack::on_disk(path)?.find(key))
    }

    /// All packs, to look up many keys.
    pub(super) fn load(&self) -> Vec<Pack> {
        self.paths().iter().filter_map(|path| Pack::in_memory(path)).collect()
    }

    /// Stores results together.
    pub(super) fn store(&self, results: &mut Vec<(Key, &[u8])>) -> Result<()> {
        results.sort_unstable_by_key(|(key, _)| *key);
        results.dedup_by_key(|(key, _)| *key);
        let content = encode(results);
        DirBuilder::new().recursive(true).mode(0o700).create(&self.folder)?;
        let beside = TempFile::create(&self.folder, 0o600)?;
        beside.file().write_all(&content)?;
        let name: String =
            Sha256::digest(&content).iter().take(16).map(|byte| format!("{byte:02x}")).collect();
        beside.replace_soon(&self.folder.join(name))?;
        self.evict_oldest();
        Ok(())
    }

    /// The newest first: what was stored last is most likely to be asked for.
    fn paths(&self) -> Vec<PathBuf> {
        self.by_age().into_iter().rev().map(|(_, path, _)| path).collect()
    }

    fn by_age(&self) -> Vec<(SystemTime, PathBuf, u64)> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let is_pack = |name: &str| name.len() == 32 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
        let mut all: Vec<(SystemTime, PathBuf, u64)> = entries
            .filter(|entry| entry.file_name().to_str().is_some_and(is_pack))
            .filter_map(|entry| {
                let data = entry.metadata().ok()?;
                Some((data.modified().ok()?, entry.path(), data.len()))
            })
            .collect();
        all.sort_unstable();
        all
    }

    fn evict_oldest(&self) {
        let all = self.by_age();
        let (mut packs, mut bytes) = (all.len(), all.iter().map(|(.., bytes)| bytes).sum::<u64>());
        for (_, path, length) in all {
            // The newest stays, however large it is: it was just asked for.
            if packs <= 1 || (packs <= MOST_PACKS && bytes <= MOST_BYTES) {
                return;
            }
            // Another process may have removed it already.
            _ = fs::remove_file(path);
            packs -= 1;
            bytes -= length;
        }
    }
}

/// One pack.
pub(super) struct Pack {
    path: PathBuf,
    source: Source,
}

/// Where a pack is read from.
enum Source {
    /// With its length, beyond which a damaged entry may point.
    Disk(File, u64),
    Memory(Vec<u8>),
}

impl Pack {
    fn on_disk(path: &Path) -> Option<Pack> {
        let file = File::open(path).ok()?;
        let length = file.metadata().ok()?.len();
        Some(Pack { path: path.to_path_buf(), source: Source::Disk(file, length) })
    }

    fn in_memory(path: &Path) -> Option<Pack> {
        Some(Pack { path: path.to_path_buf(), source: Source::Memory(fs::read(path).ok()?) })
    }

    /// Notes that it was used, so that others are removed first.
    pub(super) fn touch(&self) {
        let file = File::options().append(true).open(&self.path);
        // Then it counts as older than it is.
        _ = file.and_then(|file| file.set_modified(SystemTime::now()));
    }

    /// The result under a key, if it is whole.
    pub(super) fn find(&self, key: &Key) -> Option<Vec<u8>> {
        let head = self.bytes(0, MAGIC.len() + TABLE_BYTES)?;
        let table = head.strip_prefix(MAGIC)?;
        let ends = |byte: usize| -> Option<usize> {
            let end = table.get(byte * 4..byte * 4 + 4)?.try_into().ok().map(u32::from_le_bytes)?;
            usize::try_from(end).ok()
        };
        let first = usize::from(*key.first()?);
        let from = if first == 0 { 0 } else { ends(first - 1)? };
        let count = ends(first)?.checked_sub(from)?;
        let start = MAGIC.len() + TABLE_BYTES + from.checked_mul(ENTRY_BYTES)?;
        let bucket = self.bytes(start, count.checked_mul(ENTRY_BYTES)?)?;
        let (mut low, mut high) = (0, count);
        while low < high {
            let middle = usize::midpoint(low, high);
            let entry = bucket.get(middle * ENTRY_BYTES..(middle + 1) * ENTRY_BYTES)?;
            match entry.get(..KEY_BYTES)?.cmp(key.as_slice()) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return self.result(entry.get(KEY_BYTES..)?),
            }
        }
        None
    }

    /// The result that the rest of an entry behind its key is about.
    fn result(&self, place: &[u8]) -> Option<Vec<u8>> {
        let (offset, rest) = place.split_first_chunk::<8>()?;
        let (length, check) = rest.split_first_chunk::<4>()?;
        let offset = usize::try_from(u64::from_le_bytes(*offset)).ok()?;
        let result = self.bytes(offset, usize::try_from(u32::from_le_bytes(*length)).ok()?)?;
        (check_of(&result) == check).then(|| result.into_owned())
    }

    fn bytes(&self, offset: usize, length: usize) -> Option<std::borrow::Cow<'_, [u8]>> {
        match &self.source {
            Source::Memory(bytes) => bytes.get(offset..offset.checked_add(length)?).map(Into::into),
            Source::Disk(file, all) => {
                let (offset, end) = (u64::try_from(offset).ok()?, offset.checked_add(length)?);
                if u64::try_from(end).ok()? > *all {
                    return None;
                }
                let bytes = read_at(file, offset, length).ok()?;
                (bytes.len() == length).then(|| bytes.into())
            }
        }
    }
}

/// A pack of these results, which are sorted by their keys.
fn encode(results: &[(Key, &[u8])]) -> Vec<u8> {
    let mut content = MAGIC.to_vec();
    let mut ended = 0;
    for byte in 0..=u8::MAX {
        ended += results
            .get(ended..)
            .unwrap_or_default()
            .iter()
            .take_while(|(key, _)| key.first() == Some(&byte))
            .count();
        content.extend(u32::try_from(ended).unwrap_or(u32::MAX).to_le_bytes());
    }
    let mut offset = content.len() + results.len() * ENTRY_BYTES;
    for (key, result) in results {
        content.extend(key);
        content.extend(u64::try_from(offset).unwrap_or(u64::MAX).to_le_bytes());
        content.extend(u32::try_from(result.len()).unwrap_or(u32::MAX).to_le_bytes());
        content.extend(check_of(result));
        offset += result.len();
    }
    results.iter().for_each(|(_, result)| content.extend_from_slice(result));
    content
}

fn check_of(result: &[u8]) -> [u8; CHECK_BYTES] {
    let mut check = [0; CHECK_BYTES];
    check.iter_mut().zip(Sha256::digest(result)).for_each(|(to, from)| *to = from);
    check
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(number: u32) -> Key {
        Sha256::digest(number.to_le_bytes()).into()
    }

    fn store(packs: &Packs, numbers: std::ops::Range<u32>) {
        let texts: Vec<(Key, String)> =
            numbers.map(|number| (key(number), "x".repeat(number as usize % 9))).collect();
        packs.store(&mut texts.iter().map(|(key, text)| (*key, text.as_bytes())).collect()).unwrap();
    }

    #[test]
    fn each_result_is_found_on_disk_and_in_memory() {
        let folder = tempfile::tempdir().unwrap();
        let packs = Packs::below(folder.path());
        assert_eq!(packs.read(&key(1)), None);
        store(&packs, 0..3_000);
        store(&packs, 3_000..3_001);
        let loaded = packs.load();
        for number in 0..3_001 {
            let expected = Some("x".repeat(number as usize % 9).into_bytes());
            assert_eq!(packs.read(&key(number)), expected, "{number}");
            assert_eq!(loaded.iter().find_map(|pack| pack.find(&key(number))), expected, "{number}");
        }
        assert_eq!(packs.read(&key(3_001)), None);
    }

    #[test]
    fn a_damaged_pack_has_no_results_that_are_wrong() {
        let folder = tempfile::tempdir().unwrap();
        let packs = Packs::below(folder.path());
        store(&packs, 0..100);
        let path = packs.paths().remove(0);
        let good = fs::read(&path).unwrap();
        for at in [0, 20, 900, MAGIC.len() + TABLE_BYTES + 5, good.len() / 2, good.len() - 1] {
            let mut bad = good.clone();
            bad[at] ^= 0x55;
            for bytes in [&bad[..], &good[..at]] {
                fs::write(&path, bytes).unwrap();
                for number in 0..100 {
                    let found = packs.read(&key(number));
                    assert!(
                        found.is_none_or(|found| found == "x".repeat(number as usize % 9).as_bytes()),
                        "{at} {number}"
                    );
                }
            }
        }
    }

    #[test]
    fn the_oldest_packs_go() {
        let folder = tempfile::tempdir().unwrap();
        let packs = Packs::below(folder.path());
        for number in 0..20 {
            store(&packs, number..number + 1);
            for (age, path) in packs.paths().iter().enumerate() {
                let time = SystemTime::UNIX_EPOCH
                    + std::time::Duration::from_secs(1_000 + u64::from(number) - age as u64);
                File::options().append(true).open(path).unwrap().set_modified(time).unwrap();
            }
        }
        assert_eq!(packs.paths().len(), MOST_PACKS);
        assert_eq!((packs.read(&key(3)), packs.read(&key(19))), (None, Some(b"x".to_vec())));
    }
}
