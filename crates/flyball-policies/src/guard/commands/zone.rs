//! How much a path is worth: the project, what can be built again, the rest of the machine.

use flyball_core::path::AbsolutePath;
use flyball_core::policy::World;
use flyball_core::text::Words;

pub(super) use crate::built_folders::is_build_folder;

/// Folders for temporary files.
const TEMPORARY: Words =
    Words("/tmp|/var/tmp|/private/tmp|/private/var/tmp|/var/folders|/private/var/folders|/dev/shm");

/// System folders, with everything below them.
const SYSTEM: Words = Words(
    "/bin|/boot|/dev|/etc|/lib|/lib32|/lib64|/libx32|/proc|/run|/sbin|/sys|/usr|/System|/private/etc|\
     /Library|/Windows",
);

/// Folders that must not be deleted as a whole, while a folder in them may be the user's own.
const SHARED: Words = Words(
    "/home|/Users|/root|/opt|/var|/var/lib|/var/log|/srv|/mnt|/media|/Applications|/Volumes|/private|\
     /private/var|/usr/local",
);

/// Folders in the home folder that must not be deleted as a whole.
const VALUED_HOME_FOLDERS: Words = Words(
    ".ssh|.gnupg|.aws|.kube|.config|.local|.local/share|Documents|Desktop|Downloads|Pictures|Music|\
     Movies|Library",
);

/// Folders in the home folder with files that tools can fetch or build again.
const CACHES: Words = Words(
    ".cache|Library/Caches|Library/Developer/Xcode/DerivedData|.npm|.pnpm-store|.yarn/cache|\
     .yarn/berry/cache|.bun/install/cache|.cargo/registry|.cargo/git|.gradle/caches|.gradle/daemon|\
     .m2/repository|.ivy2/cache|.nuget/packages|.pub-cache|.composer/cache|go/pkg/mod",
);

/// Parts of `.git` that belong to an operation in progress or can be fetched again.
const GIT_LEFTOVERS: &[&str] = &["rebase-merge", "rebase-apply", "worktrees", "modules", "sequencer"];

/// What kind of place a path is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Zone {
    /// A system folder, or one that all users share.
    System,
    /// The home folder, or one of its valued folders.
    Home,
    /// A folder that contains the project.
    AboveProject,
    ProjectRoot,
    GitData,
    /// Something in the project.
    Project,
    /// Files that tools recreate: builds, caches, temporary files.
    Disposable,
    Outside,
}

/// The folders that matter on this machine.
pub(super) struct Roots {
    pub(super) project: String,
    pub(super) home: String,
}

impl Roots {
    pub(super) fn from_world(world: &dyn World) -> Roots {
        let tidy = |path: &AbsolutePath| path.trim_end_matches('/').to_owned();
        let home = world.real_path(&AbsolutePath::default(), "~/");
        Roots { project: tidy(world.project_root()), home: tidy(&home) }
    }

    /// The zone of a path. A pattern such as `/x/*` means all content of `/x`.
    pub(super) fn zone(&self, path: &str) -> Zone {
        let (path, is_content) = without_stars(path);
        // In this order: a project may be below the home, a temporary or a system folder.
        if path == self.project {
            return Zone::ProjectRoot;
        }
        if is_below(&self.project, path) {
            return Zone::AboveProject;
        }
        if let Some(inside) = below(path, &self.project) {
            return in_project(inside);
        }
        if path == self.home {
            return Zone::Home;
        }
        if is_below(&self.home, path) {
            return Zone::System;
        }
        if let Some(inside) = below(path, &self.home) {
            return in_home(inside);
        }
        let zone = other_zone(path, is_content);
        let is_beside =
            || [&self.project, &self.home].into_iter().any(|root| share_temporary_folder(path, root));
        if zone == Zone::Disposable && is_beside() { Zone::Outside } else { zone }
    }

    /// Whether a path is in the project or is its root.
    pub(super) fn is_in_project(&self, path: &str) -> bool {
        path == self.project || is_below(path, &self.project)
    }
}

/// Whether two paths are in the same folder of a temporary folder. Whoever works there has more beside the project than
/// temporary files.
fn share_temporary_folder(path: &str, root: &str) -> bool {
    let own = |path: &str| {
        let folder =
            TEMPORARY.iter().filter(|folder| is_below(path, folder)).max_by_key(|folder| folder.len())?;
        Some(path.get(..folder.len() + 1 + below(path, folder)?.find('/')?)?.to_owned())
    };
    own(root).is_some_and(|own| is_below(path, &own))
}

fn in_project(inside: &str) -> Zone {
    if let Some(part) = below(&format!("/{inside}"), "/.git") {
        let first = part.split('/').next().unwrap_or_default();
        // Of submodules and worktrees, only single ones: others may hold commits that are nowhere else.
        let is_all = matches!(part, "modules" | "worktrees");
        let is_leftover = (GIT_LEFTOVERS.contains(&first) && !is_all) || first.ends_with(".lock");
        return if is_leftover { Zone::Disposable } else { Zone::GitData };
    }
    match inside {
        ".git" => Zone::GitData,
        _ if inside.split('/').any(is_build_folder) => Zone::Disposable,
        _ => Zone::Project,
    }
}

fn in_home(inside: &str) -> Zone {
    if CACHES.iter().any(|folder| is_cache(inside, folder)) {
        return Zone::Disposable;
    }
    if VALUED_HOME_FOLDERS.contains(inside) { Zone::Home } else { Zone::Outside }
}

/// Whether a path is in a cache, or is a cache that belongs to one tool.
fn is_cache(inside: &str, folder: &str) -> bool {
    // These contain the caches of all tools, so only the folders below them count.
    let is_shared = matches!(folder, ".cache" | "Library/Caches");
    is_below(inside, folder) || (inside == folder && !is_shared)
}

fn other_zone(path: &str, is_content: bool) -> Zone {
    // First, because `/var/tmp` and `/dev/shm` are below folders that are not temporary.
    if TEMPORARY.iter().any(|folder| is_below(path, folder) || (is_content && path == folder)) {
        return Zone::Disposable;
    }
    if path.is_empty() || SHARED.contains(path) {
        return Zone::System;
    }
    // Users install their own programs there.
    if is_below(path, "/usr/local") {
        return Zone::Outside;
    }
    let is_system = SYSTEM.iter().any(|folder| path == folder || is_below(path, folder));
    if is_system { Zone::System } else { Zone::Outside }
}

/// Whether a path is a file of the system.
pub(super) fn is_system_file(path: &str) -> bool {
    let is_free = TEMPORARY.iter().chain(["/dev", "/proc", "/run"]).any(|folder| is_below(path, folder));
    !is_free && SYSTEM.iter().any(|folder| is_below(path, folder))
}

/// Whether a path is that of a file in a temporary folder.
pub(super) fn is_temporary_file(path: &str) -> bool {
    TEMPORARY.iter().any(|folder| is_below(path, folder))
}

/// Whether a path is that of a disk, not of a null device or a terminal.
pub(super) fn is_disk(path: &str) -> bool {
    const DISKS: &[&str] = &[
        "sd", "hd", "vd", "xvd", "nvme", "mmcblk", "disk", "rdisk", "mapper/", "md", "dm-", "mem", "kmem",
        "port", "zd", "rbd", "ada", "nvd", "pmem", "dax",
    ];
    /// Folders in `/dev` that have no disks; every other one is a group of volumes: `/dev/vg0/home`.
    const OTHERS: Words =
        Words("pts|shm|fd|input|snd|net|bus|char|dri|tcp|udp|mqueue|hugepages|vfio|usb|cpu|block|serial");
    let Some(name) = below(path, "/dev") else { return false };
    if name.split_once('/').is_some_and(|(folder, _)| !OTHERS.contains(folder) && folder != "disk") {
        return true;
    }
    // `/dev/sda` and `/dev/md0`, not a long name that begins like one.
    let is_named =
        |disk: &str| name.strip_prefix(disk).is_some_and(|rest| rest.len() <= 6 || disk.ends_with('/'));
    DISKS.iter().any(|disk| is_named(disk)) || name.starts_with("disk/by-")
}

/// The path without patterns at its end that match everything, and whether there were any.
pub(super) fn without_stars(path: &str) -> (&str, bool) {
    let mut rest = path.trim_end_matches('/');
    let mut is_content = false;
    while let Some((above, name)) = rest.rsplit_once('/') {
        if !matches!(name, "*" | "**" | ".*" | "?*" | ".??*" | ".[!.]*" | ".[^.]*") {
            break;
        }
        (rest, is_content) = (above.trim_end_matches('/'), true);
    }
    (rest, is_content)
}

/// The part of a path below a folder.
pub(super) fn below<'a>(path: &'a str, folder: &str) -> Option<&'a str> {
    path.strip_prefix(folder)?.strip_prefix('/').filter(|rest| !rest.is_empty())
}

pub(super) fn is_below(path: &str, folder: &str) -> bool {
    below(path, folder).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_beside_a_project_in_a_temporary_folder_is_not_temporary() {
        let roots = Roots { project: "/tmp/case/code/project".into(), home: "/tmp/case/home".into() };
        let cases = [
            ("/tmp/other", Zone::Disposable),
            ("/tmp/case/code/other", Zone::Outside),
            ("/tmp/case/home/.cache/x", Zone::Disposable),
            ("/tmp/case", Zone::AboveProject),
        ];
        for (path, zone) in cases {
            assert_eq!(roots.zone(path), zone, "{path}");
        }
        let direct = Roots { project: "/tmp/project".into(), home: "/home/dev".into() };
        assert_eq!(direct.zone("/tmp/other/x"), Zone::Disposable);
    }

    #[test]
    fn git_data_of_all_submodules_or_worktrees_is_no_leftover() {
        let cases = [
            ("modules", Zone::GitData),
            ("modules/a", Zone::Disposable),
            ("worktrees", Zone::GitData),
            ("rebase-merge", Zone::Disposable),
        ];
        for (name, zone) in cases {
            let roots = Roots { project: "/srv/p".into(), home: "/home/dev".into() };
            assert_eq!(roots.zone(&format!("/srv/p/.git/{name}")), zone, "{name}");
        }
    }
}
