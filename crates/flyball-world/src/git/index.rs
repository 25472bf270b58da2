//! Reads what git's index says of files besides their content: which ones git does not look at.

/// What is of interest in an index; other entries are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Index {
    /// Files that git takes for unchanged (`--assume-unchanged`). Names are below the top of the checkout.
    pub(super) assumed: Vec<String>,
    /// Files that git takes for unchanged, and that may be absent (`--skip-worktree`).
    pub(super) skipped: Vec<String>,
    /// Repositories inside of this one.
    pub(super) nested: Vec<String>,
    /// Files with rules of what is ignored.
    pub(super) rules: Vec<String>,
    /// Names that lead elsewhere.
    pub(super) links: Vec<String>,
}

const ASSUMED: u16 = 0x8000;
const EXTENDED: u16 = 0x4000;
const NAME_LENGTH: u16 = 0x0fff;
/// In the second word of flags.
const SKIPPED: u16 = 0x4000;
/// The kinds of entries, in the upper bits of their mode.
const KIND: u32 = 0o170_000;
const NESTED: u32 = 0o160_000;
const FOLDER: u32 = 0o040_000;
const LINK: u32 = 0o120_000;
/// Times, device, inode, mode, owner and size.
const STAT_BYTES: usize = 40;
const MODE_AT: usize = 24;
/// The extension of an index of which a part is in another file.
const SPLIT: &[u8] = b"link";

impl Index {
    /// Reads the text of an index whose hashes have so many bytes; `None` if it cannot be understood alone.
    pub(super) fn parse(bytes: &[u8], hash: usize) -> Option<Index> {
        let mut rest = bytes.strip_prefix(b"DIRC")?;
        let version = number(&mut rest)?;
        let count = number(&mut rest)?;
        if !(2..=4).contains(&version) {
            return None;
        }
        let mut index = Index::default();
        let mut name = Vec::new();
        for _ in 0..count {
            let start = rest;
            let mode = u32::from_be_bytes(rest.get(MODE_AT..MODE_AT + 4)?.try_into().ok()?);
            rest = rest.get(STAT_BYTES + hash..)?;
            let flags = word(&mut rest)?;
            let more = if flags & EXTENDED == 0 { 0 } else { word(&mut rest)? };
            if version == 4 {
                // The name is the one before without its end, and another end.
                let dropped = offset(&mut rest)?;
                name.truncate(name.len().checked_sub(dropped)?);
                name.extend_from_slice(until_zero(rest)?);
                rest = rest.get(until_zero(rest)?.len() + 1..)?;
            } else {
                let length = usize::from(flags & NAME_LENGTH);
                let whole =
                    if flags & NAME_LENGTH == NAME_LENGTH { until_zero(rest)? } else { rest.get(..length)? };
                name.clear();
                name.extend_from_slice(whole);
                // Entries are filled up with one to eight zeros.
                let used = start.len() - rest.len() + whole.len();
                rest = start.get(used + 8 - used % 8..)?;
            }
            index.add(&name, &Flags { mode, assumed: flags & ASSUMED != 0, skipped: more & SKIPPED != 0 });
        }
        while rest.len() > hash {
            let kind = rest.get(..4)?;
            if kind == SPLIT {
                return None;
            }
            rest = rest.get(4..)?;
            let length = usize::try_from(number(&mut rest)?).ok()?;
            rest = rest.get(length..)?;
        }
        (rest.len() == hash).then_some(index)
    }

    /// Reads the answer of `git ls-files -v --stage -z`.
    pub(super) fn from_listing(answer: &str) -> Option<Index> {
        let mut index = Index::default();
        for entry in answer.split('\0').filter(|entry| !entry.is_empty()) {
            let (head, name) = entry.split_once('\t')?;
            let mut words = head.split(' ');
            let (tag, mode) = (words.next()?, u32::from_str_radix(words.next()?, 8).ok()?);
            let assumed = tag.chars().all(char::is_lowercase);
            index.add(name.as_bytes(), &Flags { mode, assumed, skipped: tag.eq_ignore_ascii_case("s") });
        }
        Some(index)
    }

    fn add(&mut self, name: &[u8], flags: &Flags) {
        let text = || String::from_utf8_lossy(name).into_owned();
        match flags.mode & KIND {
            NESTED => self.nested.push(text()),
            // A folder that is left out as a whole: git looks at what is there nevertheless.
            FOLDER => {}
            _ if flags.skipped => self.skipped.push(text()),
            _ if flags.assumed => self.assumed.push(text()),
            _ => {}
        }
        if flags.mode & KIND == LINK {
            self.links.push(text());
        }
        if name == b".gitignore" || name.ends_with(b"/.gitignore") {
            self.rules.push(text());
        }
    }
}

struct Flags {
    mode: u32,
    assumed: bool,
    skipped: bool,
}

fn number(rest: &mut &[u8]) -> Option<u32> {
    let (first, after) = rest.split_first_chunk::<4>()?;
    *rest = after;
    Some(u32::from_be_bytes(*first))
}

fn word(rest: &mut &[u8]) -> Option<u16> {
    let (first, after) = rest.split_first_chunk::<2>()?;
    *rest = after;
    Some(u16::from_be_bytes(*first))
}

/// A number of any length: seven bits in each byte, and one more for each that follows.
fn offset(rest: &mut &[u8]) -> Option<usize> {
    let mut value = 0_usize;
    loop {
        let (first, after) = rest.split_first()?;
        *rest = after;
        value = value.checked_mul(128)?.checked_add(usize::from(first & 0x7f))?;
        if first & 0x80 == 0 {
            return Some(value);
        }
        value = value.checked_add(1)?;
    }
}

fn until_zero(bytes: &[u8]) -> Option<&[u8]> {
    bytes.get(..bytes.iter().position(|byte| *byte == 0)?)
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::process::Command;

    use super::*;

    fn git(folder: &Path, words: &[&str]) -> String {
        let mut command = Command::new("git");
        command
            .arg("-C")
            .arg(folder)
            .args(["-c", "user.name=t", "-c", "user.email=t@example.com"])
            .args(words);
        let done = command.output().unwrap();
        assert!(done.status.success(), "{words:?}: {}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).unwrap()
    }

    fn repository(format: &str) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        git(dir.path(), &["init", "--quiet", &format!("--object-format={format}")]);
        let long = format!("{}/{}", "d".repeat(200), "n".repeat(100));
        std::fs::create_dir_all(dir.path().join("sub/deep")).unwrap();
        std::fs::create_dir_all(dir.path().join("d".repeat(200))).unwrap();
        for name in ["a", "ab", "abc", "sub/.gitignore", "sub/deep/assumed", "sub/deep/skipped", "z", &long] {
            std::fs::write(dir.path().join(name), name).unwrap();
        }
        git(dir.path(), &["add", "--all"]);
        dir
    }

    #[test]
    fn every_version_of_the_index_is_read_as_git_reads_it() {
        for (format, hash) in [("sha1", 20), ("sha256", 32)] {
            for version in ["2", "4"] {
                let dir = repository(format);
                git(dir.path(), &["update-index", "--index-version", version]);
                let read =
                    || Index::parse(&std::fs::read(dir.path().join(".git/index")).unwrap(), hash).unwrap();
                let plain = Index { rules: vec!["sub/.gitignore".to_owned()], ..Index::default() };
                assert_eq!(read(), plain, "{format} {version}");
                git(dir.path(), &["update-index", "--assume-unchanged", "sub/deep/assumed"]);
                // Makes version 2 version 3.
                git(dir.path(), &["update-index", "--skip-worktree", "sub/deep/skipped"]);
                let empty = git(dir.path(), &["hash-object", "-t", "tree", "/dev/null"]);
                git(
                    dir.path(),
                    &["update-index", "--add", "--cacheinfo", &format!("160000,{},m", empty.trim())],
                );
                let expected = Index {
                    assumed: vec!["sub/deep/assumed".to_owned()],
                    skipped: vec!["sub/deep/skipped".to_owned()],
                    nested: vec!["m".to_owned()],
                    ..plain
                };
                assert_eq!(read(), expected, "{format} {version}");
                let listing = git(dir.path(), &["ls-files", "-v", "--stage", "-z"]);
                assert_eq!(Index::from_listing(&listing), Some(expected), "{format} {version}");
            }
        }
    }

    #[test]
    fn what_cannot_be_understood_alone_is_not_guessed() {
        let dir = repository("sha1");
        let whole = std::fs::read(dir.path().join(".git/index")).unwrap();
        assert!(Index::parse(&whole, 20).is_some());
        for cut in 0..whole.len() {
            assert_eq!(Index::parse(&whole[..cut], 20), None, "{cut}");
        }
        assert_eq!(Index::parse(&whole, 32), None);
        git(dir.path(), &["update-index", "--split-index"]);
        assert_eq!(Index::parse(&std::fs::read(dir.path().join(".git/index")).unwrap(), 20), None);
    }
}
