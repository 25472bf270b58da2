//! What a seatbelt refuses.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What the processes inside a seatbelt cannot do. All paths are absolute and without symlinks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// An empty folder of ours, over which the kernel's side of the seatbelt is built. By it a process sees that it is inside.
    pub cover: PathBuf,
    /// Files and folders that are there and that nobody inside can write, replace, rename or delete.
    pub read_only: Vec<PathBuf>,
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

impl Plan {
    /// The folders that cannot be renamed or deleted, because a path in the plan leads through them. Else somebody would put a
    /// folder of his own in the place of one of them.
    pub(crate) fn pinned(&self) -> BTreeSet<&Path> {
        let through = self.read_only.iter().chain(&self.hidden).chain([&self.cover]);
        let above = through.flat_map(|path| path.ancestors().skip(1));
        let root = Path::new("/");
        above.filter(|folder| *folder != root && !self.is_read_only(folder)).collect()
    }

    fn is_read_only(&self, path: &Path) -> bool {
        self.read_only.iter().any(|folder| path.starts_with(folder))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
