//! The seatbelt where the kernel allows no namespaces: Landlock, which any process may lay upon itself.
//!
//! It knows only what is allowed, and what is allowed for a folder holds for all below it. So everything is read-only but the folders that
//! can be written, and what is guarded in a folder in which the agent works stays open ([`left_open`]). Modes, owners and times of files
//! can be changed everywhere: Landlock does not know them.

use std::fs;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr, RulesetError, Scope, make_bitflags,
};
use rustix::fs::{Access as Wanted, CWD, FileType, Mode, OFlags, ResolveFlags, access, fstat, openat2};
use rustix::io::Errno;

use super::identity::Powers;
use crate::{Net, Plan, Restricted, Trouble};

/// The file below the cover by which a process sees that it is inside: its mode allows to write it, and the kernel does not.
const MARK: &str = "landlock";

/// The first version that keeps files from being cut short, and lets them be moved between folders (Linux 6.2).
const NEEDED: ABI = ABI::V3;

/// What can be done with a file.
const OF_FILE: BitFlags<AccessFs> = make_bitflags!(AccessFs::{WriteFile | Truncate | ReadFile});

/// Lays the plan upon this process and all that it starts from now on, as far as Landlock can. It must be the only thread.
///
/// # Errors
/// When the kernel cannot, or when nothing would be protected. The process is then as before.
pub fn restrict(plan: &Plan) -> Result<Restricted, Trouble> {
    let has_network = match plan.net {
        Net::On => true,
        Net::Off => can_deny_network(),
    };
    let denies_network = plan.net == Net::Off && has_network;
    if plan.writable.is_none() && !denies_network {
        return Err(at_no_such_level());
    }
    let allowed = Allowed::of(plan);
    if allowed.write.iter().any(|folder| plan.cover.starts_with(folder)) {
        return Err(Trouble::new(
            format!("commands can write {}, where flyball's state is", plan.cover.display()),
            "have the state outside of the project and of temporary folders",
        )
        .before_anything());
    }
    if plan.writable.is_some() {
        let mark = plan.cover.join(MARK);
        let made = fs::OpenOptions::new().append(true).create(true).open(&mark);
        made.map_err(|cause| Trouble::at("write", &mark, &cause).before_anything())?;
    }
    lay(&allowed, denies_network).map_err(|cause| {
        Trouble::new(format!("the kernel's Landlock refuses: {cause}"), "it needs Linux 6.2")
            .before_anything()
    })?;
    if rustix::process::geteuid().is_root() {
        // In a container root may lack what it needs to give up the rest, but then it lacks that rest, too.
        drop(Powers::Root.give_up());
    }
    Ok(if has_network { Restricted::Whole } else { Restricted::ButNetwork })
}

/// Keeps this process from looking into processes outside, whoever it becomes: their view of the files leads past what was mounted. As a
/// side effect it reaches no socket outside that has a name but no file. Before Linux 6.12 the kernel cannot.
pub(super) fn keep_to_processes_inside() {
    let rules = Ruleset::default().scope(Scope::AbstractUnixSocket).and_then(Ruleset::create);
    // A program may still become somebody else: `su`, a database that leaves root.
    let done = rules.map(|rules| rules.no_new_privs(false)).and_then(RulesetCreated::restrict_self);
    // It is a second line where the first holds: namespaces.
    drop(done);
}

/// Whether this process runs inside.
pub(super) fn is_restricted(cover: &Path) -> bool {
    // Most processes are not without new rights, and nothing else is looked at then.
    if !rustix::thread::no_new_privs().unwrap_or(false) {
        return false;
    }
    let mark = cover.join(MARK);
    // `access` asks only the mode of the file, which Landlock does not change.
    access(&mark, Wanted::WRITE_OK).is_ok()
        && rustix::fs::open(&mark, OFlags::WRONLY | OFlags::CLOEXEC, Mode::empty()).err()
            == Some(Errno::ACCESS)
}

/// What of a plan Landlock cannot keep: guarded places that can be written all the same, and secrets that can be read.
#[must_use]
pub fn left_open(plan: &Plan) -> Vec<PathBuf> {
    let allowed = Allowed::of(plan);
    let is_writable = |path: &Path| allowed.write.iter().any(|folder| path.starts_with(folder));
    let places = plan.read_only.iter().chain(&plan.hidden);
    places.filter(|path| plan.writable.is_none() || is_writable(path)).cloned().collect()
}

fn at_no_such_level() -> Trouble {
    Trouble::new(
        "Landlock, which is there, cannot keep single files from being written",
        "set `level = \"project\"` in `[seatbelt]`: with it Landlock protects all that is outside of the project",
    )
    .before_anything()
}

/// What can be done where. Without a list everything can.
#[derive(Debug, Default, PartialEq, Eq)]
struct Allowed {
    write: Vec<PathBuf>,
    writes_all: bool,
    read: Option<Vec<PathBuf>>,
}

impl Allowed {
    fn of(plan: &Plan) -> Allowed {
        let Some(writable) = &plan.writable else {
            return Allowed { writes_all: true, ..Allowed::default() };
        };
        let is_work = |path: &Path| plan.work.iter().any(|folder| path.starts_with(folder));
        let guarded: Vec<&Path> =
            plan.read_only.iter().map(PathBuf::as_path).filter(|path| !is_work(path)).collect();
        let is_guarded = |path: &Path| guarded.iter().any(|place| path.starts_with(place));
        let mut write: Vec<PathBuf> =
            plan.work.iter().filter(|folder| !is_guarded(folder)).cloned().collect();
        for folder in writable.iter().filter(|folder| !is_work(folder)) {
            around(folder, &guarded, &mut write);
        }
        write.extend(plan.free.iter().cloned());
        let is_writable = |path: &Path| write.iter().any(|folder| path.starts_with(folder));
        // In a folder that can be written something new has to be readable.
        let hidden: Vec<&Path> =
            plan.hidden.iter().map(PathBuf::as_path).filter(|path| !is_writable(path)).collect();
        let read = (!hidden.is_empty()).then(|| {
            let mut read = write.clone();
            around(Path::new("/"), &hidden, &mut read);
            read
        });
        Allowed { write, writes_all: false, read }
    }
}

/// A folder, or if places are below it that it must not have, its entries around them.
fn around(path: &Path, without: &[&Path], found: &mut Vec<PathBuf>) {
    if without.iter().any(|place| path.starts_with(place)) {
        return;
    }
    let below: Vec<&Path> = without.iter().copied().filter(|place| place.starts_with(path)).collect();
    if below.is_empty() {
        found.push(path.to_owned());
        return;
    }
    match fs::read_dir(path) {
        // Where a symbolic link leads is allowed there, or not.
        Ok(entries) => entries
            .flatten()
            .filter(|entry| entry.file_type().is_ok_and(|kind| !kind.is_symlink()))
            .for_each(|entry| around(&entry.path(), &below, found)),
        // What cannot be listed can still have the way to a place.
        Err(_) => {
            let mut next: Vec<PathBuf> = below
                .iter()
                .filter_map(|place| {
                    place.strip_prefix(path).ok()?.components().next().map(|name| path.join(name))
                })
                .collect();
            next.dedup();
            next.iter().for_each(|path| around(path, &below, found));
        }
    }
}

/// Devices that stand for the memory of the machine.
const OF_MEMORY: [&str; 3] = ["mem", "kmem", "port"];

/// What the kernel offers as files has guards of its own. Disks are none of it.
fn of_kernel() -> Vec<PathBuf> {
    use std::os::unix::fs::FileTypeExt;
    let entries = fs::read_dir("/dev").into_iter().flatten().flatten();
    let is_usual = |entry: &fs::DirEntry| {
        let is_memory = OF_MEMORY.iter().any(|name| entry.file_name() == *name);
        entry.file_type().is_ok_and(|kind| kind.is_dir() || kind.is_char_device()) && !is_memory
    };
    let devices = entries.filter(is_usual).map(|entry| entry.path());
    devices.chain([PathBuf::from("/proc"), PathBuf::from("/sys")]).collect()
}

/// Whether Landlock can deny TCP here.
#[must_use]
pub fn can_deny_network() -> bool {
    let network = AccessNet::from_all(ABI::V4);
    Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(network)
        .and_then(Ruleset::create)
        .is_ok()
}

/// Whether the kernel has what is needed.
#[must_use]
pub fn has_landlock() -> bool {
    let rules = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
    rules.handle_access(AccessFs::from_write(NEEDED)).and_then(Ruleset::create).is_ok()
}

fn lay(allowed: &Allowed, denies_network: bool) -> Result<(), RulesetError> {
    let written = AccessFs::from_write(NEEDED);
    let (read, all) = (AccessFs::ReadFile, AccessFs::from_write(NEEDED) | AccessFs::ReadFile);
    let mut rules = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
    if !allowed.writes_all {
        rules = rules.handle_access(if allowed.read.is_some() { all } else { written })?;
    }
    if denies_network {
        rules = rules.handle_access(AccessNet::from_all(ABI::V4))?;
        // Sockets with names of their own, as the network has them; before Linux 6.12 the kernel cannot.
        rules = rules.set_compatibility(CompatLevel::BestEffort).scope(Scope::AbstractUnixSocket)?;
    }
    let mut rules = rules.create()?;
    if allowed.writes_all {
        rules.restrict_self()?;
        return Ok(());
    }
    let kinds = if allowed.read.is_some() { all } else { written };
    for path in &allowed.write {
        rules = allow(rules, path, kinds)?;
    }
    for path in of_kernel() {
        rules = allow(rules, &path, kinds)?;
    }
    for path in allowed.read.iter().flatten() {
        rules = allow(rules, path, read.into())?;
    }
    rules.restrict_self()?;
    Ok(())
}

fn allow(
    rules: RulesetCreated,
    path: &Path,
    kinds: BitFlags<AccessFs>,
) -> Result<RulesetCreated, RulesetError> {
    // What is gone, or became a link since it was looked for, is not allowed.
    let Ok((place, is_folder)) = open(path) else { return Ok(rules) };
    let kinds = if is_folder { kinds } else { kinds & OF_FILE };
    rules.add_rule(PathBeneath::new(place, kinds))
}

fn open(path: &Path) -> rustix::io::Result<(OwnedFd, bool)> {
    let flags = OFlags::PATH | OFlags::CLOEXEC;
    let place = openat2(CWD, path, flags, Mode::empty(), ResolveFlags::NO_SYMLINKS)?;
    let kind = FileType::from_raw_mode(fstat(&place)?.st_mode);
    Ok((place, kind == FileType::Directory))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(names: &[&str]) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().canonicalize().unwrap();
        for name in names {
            let path = home.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        (folder, home)
    }

    #[test]
    fn a_folder_of_a_tool_is_taken_apart_around_what_is_guarded() {
        let (_folder, home) = made(&["tool/bin/ours", "tool/bin/other", "tool/cache/x", "go/src/p/config"]);
        std::os::unix::fs::symlink(home.join("secret"), home.join("tool/link")).unwrap();
        let plan = Plan {
            cover: home.join("state"),
            read_only: vec![home.join("tool/bin/ours"), home.join("go/src/p/config")],
            writable: Some(vec![home.join("go"), home.join("tool")]),
            work: vec![home.join("go/src/p")],
            ..Plan::default()
        };
        let mut allowed = Allowed::of(&plan);
        allowed.write.sort_unstable();
        let expected = ["go", "go/src/p", "tool/bin/other", "tool/cache"].map(|name| home.join(name));
        assert_eq!(allowed.write, expected);
        assert_eq!(allowed.read, None);
        assert_eq!(left_open(&plan), [home.join("go/src/p/config")]);
    }

    #[test]
    fn a_secret_is_read_by_nobody_unless_it_is_where_new_files_are_made() {
        let (_folder, home) = made(&["home/.ssh/key", "home/.cargo/token", "home/notes"]);
        let plan = Plan {
            cover: home.join("state"),
            writable: Some(vec![home.join("home/.cargo")]),
            hidden: vec![home.join("home/.ssh"), home.join("home/.cargo/token")],
            ..Plan::default()
        };
        let read = Allowed::of(&plan).read.unwrap();
        let is_read = |name: &str| read.iter().any(|place| home.join(name).starts_with(place));
        assert_eq!(["home/.ssh/key", "home/.cargo/token", "home/notes"].map(is_read), [false, true, true]);
        assert_eq!(left_open(&plan), [home.join("home/.cargo/token")]);
    }
}
