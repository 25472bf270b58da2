//! What is mounted in this namespace.

use std::fs;
use std::path::{Path, PathBuf};

use crate::Trouble;

const FILE: &str = "/proc/self/mountinfo";

/// What the kernel offers as files. Devices, terminals and its settings have guards of their own.
const KERNELS: [&str; 16] = [
    "proc",
    "sysfs",
    "devtmpfs",
    "devpts",
    "cgroup",
    "cgroup2",
    "mqueue",
    "securityfs",
    "debugfs",
    "tracefs",
    "bpf",
    "pstore",
    "configfs",
    "fusectl",
    "binfmt_misc",
    "hugetlbfs",
];

/// A place where something is mounted.
pub(super) struct Mounted {
    pub(super) folder: PathBuf,
    kind: String,
}

impl Mounted {
    pub(super) fn is_kernels(&self) -> bool {
        // `/dev` of a container is in memory, and so is `/dev/shm`.
        KERNELS.contains(&self.kind.as_str()) || self.folder.starts_with("/dev")
    }
}

pub(super) fn read() -> Result<Vec<Mounted>, Trouble> {
    let text = fs::read_to_string(FILE).map_err(|cause| Trouble::at("read", Path::new(FILE), &cause))?;
    Ok(text.lines().filter_map(parse).collect())
}

/// `36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue`
fn parse(line: &str) -> Option<Mounted> {
    let (before, after) = line.split_once(" - ")?;
    let folder = unescape(before.split(' ').nth(4)?);
    Some(Mounted { folder: folder.into(), kind: after.split(' ').next()?.to_owned() })
}

/// The kernel writes blanks, tabs, ends of lines and backslashes as `\040`.
fn unescape(word: &str) -> String {
    let mut parts = word.split('\\');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let octal = part.get(..3).and_then(|digits| u8::from_str_radix(digits, 8).ok());
        match octal {
            Some(byte) => {
                text.push(char::from(byte));
                text.push_str(part.get(3..).unwrap_or_default());
            }
            None => {
                text.push('\\');
                text.push_str(part);
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_with_a_blank_is_read() {
        let line = r"36 35 98:0 / /mnt/my\040disk rw master:1 - ext4 /dev/sda rw";
        let found = parse(line).map(|found| (found.folder, found.kind));
        assert_eq!(found, Some(("/mnt/my disk".into(), "ext4".to_owned())));
    }
}
