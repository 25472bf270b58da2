//! What is mounted in this namespace.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::ptr;

use rustix::mount::MountFlags;

use crate::Trouble;
use crate::plan::is_in;

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
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Mounted {
    pub(super) folder: PathBuf,
    /// Those of its flags that must stay, and whether it is read-only.
    pub(super) flags: MountFlags,
    kind: String,
    /// The number of its file system, and the folder of that which is mounted.
    device: String,
    root: PathBuf,
}

impl Mounted {
    pub(super) fn is_of_kernel(&self) -> bool {
        // `/dev` of a container is in memory, and so is `/dev/shm`.
        KERNELS.contains(&self.kind.as_str()) || self.folder.starts_with("/dev")
    }
}

/// The same paths, and all others that lead to the same files because their file system is mounted a second time.
pub(super) fn with_other_ways(mounted: &[Mounted], paths: &[PathBuf]) -> Vec<PathBuf> {
    let others = paths.iter().flat_map(|path| other_ways(mounted, path));
    paths.iter().cloned().chain(others).collect()
}

/// Where a path is mounted; of two at the same place, the last one is seen.
pub(super) fn around<'a>(mounted: &'a [Mounted], path: &Path) -> Option<&'a Mounted> {
    let above = mounted.iter().filter(|place| is_in(path, &place.folder));
    above.max_by_key(|place| place.folder.as_os_str().len())
}

fn other_ways(mounted: &[Mounted], path: &Path) -> Vec<PathBuf> {
    let Some(at) = around(mounted, path) else { return Vec::new() };
    let mut elsewhere =
        mounted.iter().filter(|place| place.device == at.device && !ptr::eq(*place, at)).peekable();
    if elsewhere.peek().is_none() {
        return Vec::new();
    }
    let on_device = at.root.join(path.strip_prefix(&at.folder).unwrap_or(path));
    let ways = elsewhere.filter_map(|place| match on_device.strip_prefix(&place.root) {
        Ok(rest) => Some(place.folder.join(rest)).filter(|way| way != path && is_same(way, path)),
        // Only a part of it is mounted there.
        Err(_) => place.root.starts_with(&on_device).then(|| place.folder.clone()),
    });
    ways.collect()
}

fn is_same(one: &Path, other: &Path) -> bool {
    let number = |path: &Path| path.metadata().ok().map(|found| (found.dev(), found.ino()));
    number(one).is_some_and(|found| Some(found) == number(other))
}

pub(super) fn read() -> Result<Vec<Mounted>, Trouble> {
    let text = fs::read_to_string(FILE).map_err(|cause| Trouble::at("read", Path::new(FILE), &cause))?;
    Ok(text.lines().filter_map(parse).collect())
}

/// `36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue`
fn parse(line: &str) -> Option<Mounted> {
    let (before, after) = line.split_once(" - ")?;
    let mut fields = before.split(' ').skip(2);
    let (device, root, folder, options) = (fields.next()?, fields.next()?, fields.next()?, fields.next()?);
    Some(Mounted {
        folder: unescape(folder).into(),
        flags: flags(options),
        kind: after.split(' ').next()?.to_owned(),
        device: device.to_owned(),
        root: unescape(root).into(),
    })
}

fn flags(options: &str) -> MountFlags {
    let flag = |option| match option {
        "ro" => MountFlags::RDONLY,
        "nosuid" => MountFlags::NOSUID,
        "nodev" => MountFlags::NODEV,
        "noexec" => MountFlags::NOEXEC,
        "noatime" => MountFlags::NOATIME,
        "nodiratime" => MountFlags::NODIRATIME,
        "relatime" => MountFlags::RELATIME,
        _ => MountFlags::empty(),
    };
    options.split(',').map(flag).collect()
}

/// The kernel writes blanks, tabs, ends of lines and backslashes as `\040`.
fn unescape(word: &str) -> String {
    if !word.contains('\\') {
        return word.to_owned();
    }
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
        let line = r"36 35 98:0 / /mnt/my\040disk ro,nosuid master:1 - ext4 /dev/sda rw";
        let found = parse(line).map(|found| (found.folder, found.kind, found.flags));
        let flags = MountFlags::RDONLY | MountFlags::NOSUID;
        assert_eq!(found, Some(("/mnt/my disk".into(), "ext4".to_owned(), flags)));
    }

    #[test]
    fn a_file_system_that_is_mounted_twice_is_reached_both_ways() {
        let folder = tempfile::tempdir().unwrap();
        let here = folder.path();
        fs::create_dir_all(here.join("one/p")).unwrap();
        fs::write(here.join("one/p/f"), "").unwrap();
        // What a bind mount is to those who look: the same file.
        std::os::unix::fs::symlink("one", here.join("two")).unwrap();
        let mount = |root: &str, folder: &str| {
            parse(&format!("1 2 8:1 {root} {}/{folder} rw - ext4 /dev/sda rw", here.display())).unwrap()
        };
        let mounted =
            [mount("/h", "one"), mount("/h", "two"), mount("/h/p/f/deep", "three"), mount("/x", "four")];
        let found = other_ways(&mounted, &here.join("one/p/f"));
        assert_eq!(found, [here.join("two/p/f"), here.join("three")]);
    }
}
