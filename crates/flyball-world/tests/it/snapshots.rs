//! Snapshots of real trees, with a real git: what is lost comes back byte for byte, and nobody else notices them.

#![expect(clippy::unwrap_used, reason = "clippy knows tests by their attribute, and these have helpers")]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use flyball_core::event::SessionId;
use flyball_core::path::AbsolutePath;
use flyball_core::snapshot::{
    Extent, Snapshot, SnapshotLimits, SnapshotRequest, SnapshotRetention, Snapshots as _,
};
use flyball_core::time::Time;
use flyball_world::machine::Machine;
use flyball_world::snapshots::{Change, NotRestored, Plan, prune};
use tempfile::TempDir;

/// A project, and a state directory beside it.
pub(crate) struct Scene {
    folder: TempDir,
    pub(crate) machine: Machine,
}

impl Scene {
    fn new() -> Scene {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        fs::create_dir(root.join("p")).unwrap();
        let machine = machine(&root, |name| std::env::var(name).ok());
        Scene { folder, machine }
    }

    /// A new process, with another environment.
    pub(crate) fn machine_with(&self, environment: fn(&str) -> Option<String>) -> Machine {
        machine(&self.folder.path().canonicalize().unwrap(), environment)
    }

    /// A file outside of the project.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(name)
    }

    /// A repository with all kinds of files: committed, changed, staged, untracked, ignored, links, binary, nested.
    pub(crate) fn repository() -> Scene {
        let scene = Scene::new();
        scene.git(&["init", "--quiet", "--initial-branch=main"]);
        scene.write(".gitignore", b"ignored/\n*.log\n");
        scene.write("src/a.rs", b"fn a() {}\n");
        scene.write("src/b.rs", b"fn b() {}\n");
        scene.write("binary", &[0, 159, 146, 150, 10, 13]);
        scene.write("run.sh", b"#!/bin/sh\n");
        fs::set_permissions(scene.path("run.sh"), fs::Permissions::from_mode(0o755)).unwrap();
        symlink("src/a.rs", scene.path("link")).unwrap();
        scene.git(&["add", "."]);
        scene.git(&["commit", "--quiet", "-m", "first"]);
        scene.write("src/b.rs", b"fn b() { changed() }\n");
        scene.write("staged.rs", b"staged\n");
        scene.git(&["add", "staged.rs"]);
        scene.write("new dir/ä b.txt", b"untracked\n");
        scene.write("ignored/cache", b"made again\n");
        fs::create_dir_all(scene.path("inner")).unwrap();
        scene.git_in("inner", &["init", "--quiet"]);
        scene.write("inner/nested.txt", b"of another repository\n");
        scene
    }

    fn root(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join("p")
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: &[u8]) {
        let place = self.path(name);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        fs::write(place, content).unwrap();
    }

    pub(crate) fn git(&self, words: &[&str]) -> String {
        self.git_in(".", words)
    }

    pub(crate) fn git_in(&self, folder: &str, words: &[&str]) -> String {
        let output = Command::new("git")
            .args(["-c", "user.name=a", "-c", "user.email=a@b", "-c", "core.hooksPath=/dev/null"])
            .args(words)
            .current_dir(self.path(folder))
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .output()
            .unwrap();
        assert!(output.status.success(), "git {words:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    fn take_with(&self, extent: Extent<'_>, limits: SnapshotLimits) -> Snapshot {
        take_with(&self.machine, extent, limits)
    }

    pub(crate) fn take_by(&self, machine: &Machine) -> Snapshot {
        let root = AbsolutePath::from_path(&self.root());
        take_with(machine, Extent::Tree { folder: &root, named: &[] }, SnapshotLimits::default())
    }

    fn take_limited(&self, limits: SnapshotLimits) -> Snapshot {
        let root = AbsolutePath::from_path(&self.root());
        self.take_with(Extent::Tree { folder: &root, named: &[] }, limits)
    }

    pub(crate) fn take(&self) -> Snapshot {
        self.take_limited(SnapshotLimits::default())
    }

    fn plan(&self, to: &Snapshot, only: Option<&str>) -> Plan {
        let snapshots = self.machine.snapshots().unwrap();
        let wanted = snapshots.read(to.id).unwrap().unwrap();
        let now = snapshots.read(self.take().id).unwrap().unwrap();
        snapshots.plan(&self.machine, &wanted, &now, only)
    }

    fn undo(&self, to: &Snapshot) -> Vec<NotRestored> {
        let plan = self.plan(to, None);
        self.machine.snapshots().unwrap().carry_out(&self.machine, &plan)
    }

    /// Every file and link below the project, with its mode and content; without git's own.
    fn tree(&self) -> BTreeMap<String, (u32, Vec<u8>)> {
        let mut found = BTreeMap::new();
        collect(&self.root(), &self.root(), &mut found);
        found
    }

    pub(crate) fn wait_for_the_clock(&self) {
        std::thread::sleep(Duration::from_millis(40));
    }
}

fn machine(folder: &Path, environment: fn(&str) -> Option<String>) -> Machine {
    Machine::new(Instant::now(), None, &folder.join("p"), Vec::new(), &[])
        .with_state(Some(&folder.join("state")))
        .with_environment(environment)
}

fn take_with(machine: &Machine, extent: Extent<'_>, limits: SnapshotLimits) -> Snapshot {
    let session = SessionId::new("s1");
    let wanted = SnapshotRequest { extent, session: &session, cause: "make clean", limits };
    machine.take_snapshot(&wanted).unwrap()
}

fn collect(root: &Path, folder: &Path, found: &mut BTreeMap<String, (u32, Vec<u8>)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let data = fs::symlink_metadata(&path).unwrap();
        if path.ends_with(".git") {
            continue;
        }
        let name = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
        if data.is_dir() {
            collect(root, &path, found);
        } else if data.is_symlink() {
            let target = fs::read_link(&path).unwrap().to_string_lossy().into_owned().into_bytes();
            found.insert(name, (0, target));
        } else {
            found.insert(name, (data.permissions().mode(), fs::read(&path).unwrap()));
        }
    }
}

/// Removes everything in the project but git's own folders and what git ignores.
fn delete_all(scene: &Scene) {
    for name in scene.tree().keys().filter(|name| !name.starts_with("ignored/")) {
        fs::remove_file(scene.path(name)).unwrap();
    }
}

#[test]
fn whatever_happens_to_a_tree_it_comes_back_byte_for_byte() {
    type Harm = fn(&Scene);
    let harms: [(&str, Harm); 12] = [
        ("all is deleted", delete_all),
        ("a folder is deleted", |scene| fs::remove_dir_all(scene.path("src")).unwrap()),
        ("a file is emptied", |scene| scene.write("src/b.rs", b"")),
        ("reset --hard", |scene| _ = scene.git(&["reset", "--quiet", "--hard"])),
        ("clean", |scene| _ = scene.git(&["clean", "-ffdq"])),
        ("stash, dropped", |scene| {
            scene.git(&["stash", "--quiet", "--include-untracked"]);
            scene.git(&["stash", "drop", "--quiet"]);
        }),
        ("a folder becomes a file", |scene| {
            fs::remove_dir_all(scene.path("src")).unwrap();
            scene.write("src", b"a file now");
        }),
        ("a file becomes a folder", |scene| {
            fs::remove_file(scene.path("binary")).unwrap();
            scene.write("binary/inside", b"x");
        }),
        ("a link becomes a file, a mode goes", |scene| {
            fs::remove_file(scene.path("link")).unwrap();
            scene.write("link", b"a file now");
            fs::set_permissions(scene.path("run.sh"), fs::Permissions::from_mode(0o644)).unwrap();
        }),
        ("everybody may do everything", |scene| {
            for name in scene.tree().keys().filter(|name| *name != "link" && !name.starts_with("ignored/")) {
                fs::set_permissions(scene.path(name), fs::Permissions::from_mode(0o777)).unwrap();
            }
        }),
        ("new files everywhere", |scene| {
            scene.write("src/new.rs", b"new");
            scene.write("deep/er/new.rs", b"new");
        }),
        ("what is ignored is told no more", |scene| {
            fs::remove_file(scene.path(".gitignore")).unwrap();
            fs::remove_file(scene.path("src/a.rs")).unwrap();
        }),
    ];
    for (name, harm) in harms {
        // Small trees are copied whole; of large ones git has a part.
        for committed_bytes in [SnapshotLimits::default().committed_bytes, 0] {
            let scene = Scene::repository();
            let before = scene.tree();
            let limits = SnapshotLimits { committed_bytes, ..SnapshotLimits::default() };
            let snapshot = scene.take_limited(limits);
            assert!(snapshot.is_new && snapshot.is_complete(), "{name}: {snapshot:?}");
            scene.wait_for_the_clock();
            harm(&scene);
            assert_ne!(scene.tree(), before, "{name}");
            assert_eq!(scene.undo(&snapshot), [], "{name}");
            assert_eq!(scene.tree(), before, "{name}");
        }
    }
}

#[test]
fn the_loss_of_the_repository_itself_costs_no_file_that_was_copied() {
    let scene = Scene::repository();
    let before = scene.tree();
    let snapshot = scene.take();
    fs::remove_dir_all(scene.path(".git")).unwrap();
    delete_all(&scene);
    assert_eq!(scene.undo(&snapshot), []);
    assert_eq!(scene.tree(), before);
}

#[test]
fn a_repository_that_git_cannot_read_any_more_is_no_obstacle() {
    let scene = Scene::repository();
    let before = scene.tree();
    let snapshot = scene.take();
    fs::remove_dir_all(scene.path(".git/objects")).unwrap();
    delete_all(&scene);
    scene.write("later.txt", b"whether it was ignored nobody knows now\n");
    assert_eq!(scene.undo(&snapshot), []);
    let mut after = scene.tree();
    assert!(after.remove("later.txt").is_some());
    assert_eq!(after, before);
}

#[test]
fn a_name_that_is_no_text_makes_a_snapshot_incomplete() {
    use std::os::unix::ffi::OsStrExt as _;
    let scene = Scene::repository();
    fs::write(scene.root().join(std::ffi::OsStr::from_bytes(b"\xff.txt")), "x").unwrap();
    assert!(!scene.take().is_complete());
}

#[test]
fn after_its_time_nothing_more_is_copied() {
    let scene = Scene::repository();
    let limits = SnapshotLimits { time: Duration::ZERO, ..SnapshotLimits::default() };
    let snapshot = scene.take_limited(limits);
    assert!(snapshot.left_out > 5 && !snapshot.is_complete(), "{snapshot:?}");
    scene.wait_for_the_clock();
    assert!(scene.take().is_complete(), "the next one copies what this one left out");
}

#[test]
fn a_snapshot_that_was_not_needed_can_be_taken_back() {
    let scene = Scene::repository();
    let first = scene.take();
    scene.write("src/a.rs", b"x");
    let second = scene.take();
    let snapshots = scene.machine.snapshots().unwrap();
    snapshots.discard(first.id).unwrap();
    assert_eq!(snapshots.all(), [first.id, second.id], "others may be stored as differences from it");
    snapshots.discard(second.id).unwrap();
    assert_eq!(snapshots.all(), [first.id]);
}

#[test]
fn nothing_is_lost_by_an_undo() {
    let scene = Scene::repository();
    let snapshot = scene.take();
    scene.write("src/a.rs", b"later work\n");
    scene.write("later.rs", b"more of it\n");
    let later = scene.tree();
    let now = scene.take();
    assert!(now.is_new && now.id > snapshot.id);
    assert_eq!(scene.undo(&snapshot), []);
    assert!(!scene.path("later.rs").exists());
    assert_eq!(scene.undo(&now), []);
    assert_eq!(scene.tree(), later);
}

#[test]
fn nobody_notices_a_snapshot() {
    let scene = Scene::repository();
    let state = |scene: &Scene| {
        let status = scene.git(&["status", "--porcelain", "--ignored"]);
        (status, scene.git(&["count-objects", "-v"]), scene.git(&["for-each-ref"]), scene.tree())
    };
    let before = state(&scene);
    scene.take_limited(SnapshotLimits { committed_bytes: 0, ..SnapshotLimits::default() });
    scene.write("src/a.rs", b"x");
    scene.take();
    scene.write("src/a.rs", b"fn a() {}\n");
    assert_eq!(state(&scene), before);
}

#[test]
fn while_nothing_changes_there_is_one_snapshot() {
    let scene = Scene::repository();
    scene.wait_for_the_clock();
    let first = scene.take();
    let size = || fs::read_dir(scene.folder.path().join("state/snapshots/contents")).unwrap().count();
    let stored = size();
    for _ in 0..3 {
        let again = scene.take();
        assert_eq!((again.id, again.is_new), (first.id, false));
    }
    // Written anew with the same content: looked at, but the same.
    scene.write("src/a.rs", b"other");
    let second = scene.take();
    assert!(second.is_new);
    scene.write("src/a.rs", b"fn a() {}\n");
    assert!(scene.take().is_new, "the tree differs from the last snapshot");
    assert_eq!(size(), stored + 1, "a content is stored once");
}

#[test]
fn what_is_ignored_is_no_part_of_it_unless_it_is_named() {
    let scene = Scene::repository();
    scene.write("secret.log", b"by name\n");
    let root = AbsolutePath::from_path(&scene.root());
    let named = [AbsolutePath::from_path(&scene.path("secret.log"))];
    let extent = Extent::Tree { folder: &root, named: &named };
    let snapshot = scene.take_with(extent, SnapshotLimits::default());
    fs::remove_file(scene.path("secret.log")).unwrap();
    fs::remove_dir_all(scene.path("ignored")).unwrap();
    assert_eq!(scene.undo(&snapshot), []);
    assert_eq!(fs::read(scene.path("secret.log")).unwrap(), b"by name\n");
    assert!(!scene.path("ignored").exists());
}

#[test]
fn a_working_tree_elsewhere_is_copied_where_the_call_runs() {
    let scene = Scene::repository();
    scene.git(&["worktree", "add", "--quiet", "../other", "-b", "topic"]);
    let other = scene.folder.path().canonicalize().unwrap().join("other");
    fs::write(other.join("work.rs"), "work\n").unwrap();
    let folder = AbsolutePath::from_path(&other.join("src"));
    let extent = Extent::Tree { folder: &folder, named: &[] };
    let snapshot = scene.take_with(extent, SnapshotLimits::default());
    fs::remove_file(other.join("work.rs")).unwrap();
    fs::remove_file(other.join("src/a.rs")).unwrap();
    scene.take_with(extent, SnapshotLimits::default());
    let snapshots = scene.machine.snapshots().unwrap();
    let wanted = snapshots.read(snapshot.id).unwrap().unwrap();
    let now = snapshots.read(*snapshots.all().last().unwrap()).unwrap().unwrap();
    let plan = snapshots.plan(&scene.machine, &wanted, &now, None);
    assert_eq!(snapshots.carry_out(&scene.machine, &plan), []);
    assert_eq!(fs::read(other.join("work.rs")).unwrap(), b"work\n");
    assert!(other.join("src/a.rs").exists());
}

#[test]
fn without_git_all_but_what_was_installed_is_copied() {
    let scene = Scene::new();
    scene.write("a/b.txt", b"text\n");
    scene.write("node_modules/x/index.js", b"installed\n");
    let before = scene.tree();
    let snapshot = scene.take();
    fs::remove_dir_all(scene.path("a")).unwrap();
    scene.write("new.txt", b"new");
    assert_eq!(scene.undo(&snapshot), []);
    assert_eq!(scene.tree(), before);
    fs::remove_dir_all(scene.path("node_modules")).unwrap();
    assert_eq!(scene.undo(&snapshot), []);
    assert!(!scene.path("node_modules").exists());
}

#[test]
fn what_could_not_be_copied_is_said_and_never_deleted() {
    let scene = Scene::repository();
    scene.write("long.bin", &[7; 2_000]);
    let limits = SnapshotLimits { file_bytes: 1_000, ..SnapshotLimits::default() };
    let snapshot = scene.take_limited(limits);
    assert_eq!(snapshot.left_out, 1);
    assert!(!snapshot.is_complete());
    fs::remove_file(scene.path("long.bin")).unwrap();
    let plan = scene.plan(&snapshot, None);
    let [step] = plan.steps.as_slice() else { panic!("{plan:?}") };
    assert_eq!(step.change, Change::Leave("it was not copied: it is too long".to_owned()));
    // The other way round: something new that is too long to be copied stays.
    scene.write("new.bin", &[7; 2_000]);
    let snapshots = scene.machine.snapshots().unwrap();
    let wanted = snapshots.read(snapshot.id).unwrap().unwrap();
    let now = snapshots.read(scene.take_limited(limits).id).unwrap().unwrap();
    let plan = snapshots.plan(&scene.machine, &wanted, &now, None);
    assert_eq!(snapshots.carry_out(&scene.machine, &plan), []);
    assert!(scene.path("new.bin").exists());
}

#[test]
fn one_file_or_folder_can_be_brought_back_alone() {
    let scene = Scene::repository();
    let snapshot = scene.take();
    delete_all(&scene);
    let plan = scene.plan(&snapshot, Some("src"));
    let names: Vec<&str> = plan.steps.iter().map(|step| step.path.as_str()).collect();
    assert_eq!(names, ["src/a.rs", "src/b.rs"]);
}

#[test]
fn an_edit_is_covered_by_the_file_alone() {
    let scene = Scene::repository();
    let files = [
        AbsolutePath::from_path(&scene.path("src/a.rs")),
        AbsolutePath::from_path(&scene.path("src/made.rs")),
    ];
    let snapshot = scene.take_with(Extent::Files(&files), SnapshotLimits::default());
    scene.write("src/a.rs", b"edited\n");
    scene.write("src/made.rs", b"made\n");
    scene.write("src/b.rs", b"somebody else's\n");
    assert_eq!(scene.undo(&snapshot), []);
    assert_eq!(fs::read(scene.path("src/a.rs")).unwrap(), b"fn a() {}\n");
    assert!(!scene.path("src/made.rs").exists());
    assert_eq!(fs::read(scene.path("src/b.rs")).unwrap(), b"somebody else's\n");
}

#[test]
fn a_link_that_leads_away_is_not_followed() {
    let scene = Scene::repository();
    let snapshot = scene.take();
    fs::remove_dir_all(scene.path("src")).unwrap();
    let elsewhere = scene.folder.path().canonicalize().unwrap().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    symlink(&elsewhere, scene.path("src")).unwrap();
    let snapshots = scene.machine.snapshots().unwrap();
    let wanted = snapshots.read(snapshot.id).unwrap().unwrap();
    let now = snapshots.read(scene.take().id).unwrap().unwrap();
    let plan = snapshots.plan(&scene.machine, &wanted, &now, None);
    assert_eq!(snapshots.carry_out(&scene.machine, &plan), []);
    assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 0);
    assert_eq!(fs::read(scene.path("src/a.rs")).unwrap(), b"fn a() {}\n");
}

#[test]
fn what_only_the_index_has_is_copied_and_outlives_git_gc() {
    let scene = Scene::repository();
    scene.write("src/a.rs", b"fn staged() {}\n");
    scene.git(&["add", "src/a.rs"]);
    scene.write("src/a.rs", b"fn later() {}\n");
    let snapshot = scene.take();
    let snapshots = scene.machine.snapshots().unwrap();
    let staged = |snapshot: &Snapshot| snapshots.read(snapshot.id).unwrap().unwrap().staged;
    let [only] = &staged(&snapshot)[..] else { panic!("{:?}", staged(&snapshot)) };
    assert_eq!((only.path.as_str(), only.mode.as_str()), ("src/a.rs", "100644"), "a file has the other one");
    scene.git(&["reset", "--quiet", "--hard"]);
    scene.git(&["gc", "--quiet", "--prune=now"]);
    assert_eq!(snapshots.content(&only.content).unwrap(), b"fn staged() {}\n");
    let lost = scene.take();
    assert!(lost.is_new && staged(&lost).is_empty(), "{lost:?}");
    // What was staged first, and changed in the tree later, is seen without a change of the index.
    scene.write("src/a.rs", b"fn again() {}\n");
    scene.git(&["add", "src/a.rs"]);
    scene.wait_for_the_clock();
    assert!(staged(&scene.take()).is_empty());
    scene.wait_for_the_clock();
    assert!(!scene.take().is_new);
    scene.write("src/a.rs", b"fn later() {}\n");
    let after = staged(&scene.take());
    assert_eq!(snapshots.content(&after[0].content).unwrap(), b"fn again() {}\n");
}

#[test]
fn old_snapshots_go_and_so_do_the_oldest_where_there_is_no_room() {
    let scene = Scene::repository();
    let state = scene.folder.path().canonicalize().unwrap().join("state");
    let first = scene.take();
    scene.write("src/a.rs", &[b'x'; 10_000]);
    let second = scene.take();
    scene.write("src/a.rs", &[b'y'; 10_000]);
    let third = scene.take();
    let snapshots = scene.machine.snapshots().unwrap();
    let age = Duration::from_secs(3_600);
    let kept = prune(&state, SnapshotRetention { age, bytes: 1 << 30 }, Time::now()).unwrap();
    assert_eq!((kept.deleted, kept.left), (0, 3));
    // Room for the latest; the first stays because others are stored as differences from it.
    let kept = prune(&state, SnapshotRetention { age, bytes: 11_000 }, Time::now()).unwrap();
    assert_eq!((kept.deleted, kept.left), (1, 2));
    assert_eq!(snapshots.all(), [first.id, third.id]);
    assert_eq!(snapshots.read(second.id).unwrap(), None);
    assert_eq!(scene.undo(&third), []);
    let later = Time::now() + Duration::from_secs(7_200);
    let kept = prune(&state, SnapshotRetention { age, bytes: 1 << 30 }, later).unwrap();
    assert_eq!(kept.left, 0);
    assert!(scene.take().id.0 > 0, "numbers may begin again where nothing is left");
}

#[test]
fn a_damaged_snapshot_is_said_to_be_and_costs_no_other() {
    let scene = Scene::repository();
    let first = scene.take();
    let snapshots = scene.machine.snapshots().unwrap();
    let folder = scene.folder.path().canonicalize().unwrap().join("state/snapshots");
    let projects = fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path());
    let place = projects.map(|folder| folder.join(first.id.to_string())).find(|it| it.exists()).unwrap();
    fs::write(&place, "flyball snapshot 1\nat").unwrap();
    let error = snapshots.read(first.id).unwrap_err();
    assert!(error.to_string().contains("cannot be read"), "{error}");
    assert!(scene.take().is_new);
}
