//! A tree that was seen before is not listed by git again. Whatever happens to it, a snapshot has exactly the files that
//! are there.

#![expect(clippy::unwrap_used, reason = "clippy knows tests by their attribute, and these have helpers")]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::sync::OnceLock;

use flyball_core::snapshot::Snapshot;
use flyball_world::snapshots::Content;

use crate::snapshots::Scene;

/// What happens between two snapshots.
type Event = fn(&Scene);

/// Whether the next snapshot has to be another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    New,
    Same,
}

/// The files that a snapshot of the tree must have, with their modes and contents: those that git lists.
fn truth(scene: &Scene) -> BTreeMap<String, (u32, Vec<u8>)> {
    let mut found = BTreeMap::new();
    add(scene, "", &mut found);
    found
}

fn add(scene: &Scene, below: &str, found: &mut BTreeMap<String, (u32, Vec<u8>)>) {
    let words = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    for name in scene.git_in(if below.is_empty() { "." } else { below }, &words).split_terminator('\0') {
        let path = format!("{below}{}", name.trim_end_matches('/'));
        let place = scene.path(&path);
        match fs::symlink_metadata(&place) {
            Ok(data) if data.is_dir() && place.join(".git").exists() => {
                add(scene, &format!("{path}/"), found)
            }
            Ok(data) if data.is_symlink() => {
                let target = fs::read_link(&place).unwrap();
                _ = found.insert(path, (data.mode(), target.into_os_string().into_encoded_bytes()));
            }
            Ok(data) if data.is_file() => _ = found.insert(path, (data.mode(), fs::read(&place).unwrap())),
            Ok(_) | Err(_) => {}
        }
    }
}

/// The files that a snapshot has.
fn copied(scene: &Scene, snapshot: &Snapshot) -> BTreeMap<String, (u32, Vec<u8>)> {
    let snapshots = scene.machine.snapshots().unwrap();
    let manifest = snapshots.read(snapshot.id).unwrap().unwrap();
    let entries = manifest.entries.into_iter().map(|(path, entry)| {
        assert!(matches!(entry.content, Content::Stored(_) | Content::Link(_)), "{path}: {entry:?}");
        let bytes = snapshots.bytes(&scene.machine, &path, &entry).unwrap();
        (path, (entry.stat.mode, bytes))
    });
    entries.collect()
}

/// Written in place, within the tick of the clock in which it was read, and with its old time.
fn change_unseen(scene: &Scene) {
    let place = scene.path("src/a.rs");
    let modified = fs::metadata(&place).unwrap().modified().unwrap();
    fs::write(&place, b"fn b() {}\n").unwrap();
    fs::File::options().write(true).open(&place).unwrap().set_modified(modified).unwrap();
}

fn replace(scene: &Scene, name: &str, content: &[u8]) {
    scene.write(&format!("{name}.tmp"), content);
    fs::rename(scene.path(&format!("{name}.tmp")), scene.path(name)).unwrap();
}

fn chmod(place: &Path, mode: u32) {
    fs::set_permissions(place, fs::Permissions::from_mode(mode)).unwrap();
}

const EVENTS: [(&str, Next, Event); 35] = [
    ("nothing", Next::Same, |_| {}),
    ("same size and time", Next::New, change_unseen),
    ("replaced by another", Next::New, |scene| replace(scene, "src/a.rs", b"fn x() {}\n")),
    ("replaced by the same", Next::New, |scene| replace(scene, "src/a.rs", b"fn a() {}\n")),
    ("new in a deep folder", Next::New, |scene| scene.write("deep/er/and/deeper/new.rs", b"x")),
    ("new in a known folder", Next::New, |scene| scene.write("deep/er/new.rs", b"x")),
    ("new in an empty folder", Next::New, |scene| scene.write("empty/folder/new.rs", b"x")),
    ("new where all was ignored", Next::New, |scene| scene.write("logs/new.rs", b"x")),
    ("a new empty folder, later a file", Next::New, |scene| {
        fs::create_dir(scene.path("src/later")).unwrap();
        assert!(!scene.take().is_new);
        scene.write("src/later/new.rs", b"x");
    }),
    ("ignored by a name", Next::Same, |scene| scene.write("src/x.log", b"x")),
    ("in an ignored folder", Next::Same, |scene| scene.write("ignored/deep/x", b"x")),
    ("the mode only", Next::New, |scene| chmod(&scene.path("src/a.rs"), 0o755)),
    ("another target", Next::New, |scene| {
        fs::remove_file(scene.path("link")).unwrap();
        symlink("src/b.rs", scene.path("link")).unwrap();
    }),
    ("a checkout", Next::New, |scene| _ = scene.git(&["checkout", "--quiet", "other"])),
    ("deleted", Next::New, |scene| fs::remove_file(scene.path("src/a.rs")).unwrap()),
    ("a folder deleted", Next::New, |scene| fs::remove_dir_all(scene.path("deep")).unwrap()),
    ("renamed", Next::New, |scene| fs::rename(scene.path("src/a.rs"), scene.path("src/z.rs")).unwrap()),
    ("swapped", Next::New, |scene| {
        fs::rename(scene.path("src/a.rs"), scene.path("src/t")).unwrap();
        fs::rename(scene.path("src/b.rs"), scene.path("src/a.rs")).unwrap();
        fs::rename(scene.path("src/t"), scene.path("src/b.rs")).unwrap();
    }),
    ("a file becomes a folder", Next::New, |scene| {
        fs::remove_file(scene.path("src/a.rs")).unwrap();
        scene.write("src/a.rs/inside", b"x");
    }),
    ("a folder becomes a link to its like", Next::New, |scene| {
        fs::rename(scene.path("deep/er"), scene.path("ignored/er")).unwrap();
        symlink("../ignored/er", scene.path("deep/er")).unwrap();
    }),
    ("a rule comes", Next::New, |scene| scene.write("deep/.gitignore", b"known\n")),
    ("a rule goes", Next::New, |scene| scene.write(".gitignore", b"ignored/\n")),
    ("an ignored rule goes", Next::New, |scene| scene.write("private/.gitignore", b".gitignore\n")),
    ("a rule of the repository", Next::New, |scene| scene.write(".git/info/exclude", b"untracked.txt\n")),
    ("a configured rule", Next::New, |scene| {
        scene.write("ignored/rules", b"new dir\n");
        let rules = scene.path("ignored/rules");
        _ = scene.git(&["config", "core.excludesFile", rules.to_str().unwrap()]);
    }),
    ("a rule that the configuration names", Next::New, |scene| {
        fs::write(scene.beside("rules"), "untracked.txt\n").unwrap();
    }),
    ("a configuration that the configuration names", Next::New, |scene| {
        fs::write(scene.beside("other-rules"), "untracked.txt\n").unwrap();
        let text = format!("[core]\nexcludesFile = {}\n", scene.beside("other-rules").display());
        fs::write(scene.beside("included"), text).unwrap();
    }),
    ("an ignored file is added", Next::New, |scene| _ = scene.git(&["add", "-f", "ignored/cache"])),
    ("a file is no longer git's", Next::New, |scene| {
        scene.write(".git/info/exclude", b"src/a.rs\n");
        assert!(!scene.take().is_new);
        _ = scene.git(&["rm", "--quiet", "--cached", "src/a.rs"]);
    }),
    ("a file that git has comes back into an ignored folder", Next::New, |scene| {
        scene.write("gone/forced", b"again");
    }),
    ("in a repository inside", Next::New, |scene| scene.write("inner/sub/new.txt", b"x")),
    ("a rule of a repository inside", Next::New, |scene| scene.write("inner/.git/info/exclude", b"*.txt\n")),
    ("a folder becomes a repository", Next::New, |scene| _ = scene.git_in("logs", &["init", "--quiet"])),
    ("a branch comes", Next::New, |scene| _ = scene.git(&["branch", "third"])),
    ("a repository inside is none any more", Next::New, |scene| {
        scene.write("inner/only.log", b"x");
        assert!(scene.take().is_new);
        scene.wait_for_the_clock();
        fs::remove_dir_all(scene.path("inner/.git")).unwrap();
    }),
];

/// A tree with all that decides which files git lists.
fn prepare() -> Scene {
    let scene = Scene::repository();
    scene.write("deep/er/known", b"known\n");
    scene.write("logs/only.log", b"ignored\n");
    fs::create_dir_all(scene.path("empty/folder")).unwrap();
    scene.write("private/.gitignore", b"*\n");
    scene.write("private/secret", b"x");
    scene.write("untracked.txt", b"x");
    scene.git(&["branch", "other"]);
    scene.write(".gitignore", b"ignored/\ngone/\n*.log\n");
    scene.write("gone/forced", b"x");
    scene.git(&["add", "-f", ".gitignore", "gone/forced", "deep"]);
    scene.git(&["commit", "--quiet", "-m", "second", "--", ".gitignore", "gone/forced", "deep"]);
    fs::remove_dir_all(scene.path("gone")).unwrap();
    fs::write(scene.beside("rules"), "").unwrap();
    fs::write(scene.beside("included"), "").unwrap();
    scene.git(&["config", "core.excludesFile", scene.beside("rules").to_str().unwrap()]);
    scene.git(&["config", "include.path", scene.beside("included").to_str().unwrap()]);
    scene
}

#[test]
fn whatever_changes_is_in_the_next_snapshot() {
    let mut wrong = Vec::new();
    for (name, next, event) in EVENTS {
        // Right after a snapshot nothing is proven; later all is.
        for is_proven in [false, true] {
            let scene = prepare();
            scene.take();
            if is_proven {
                for _ in 0..2 {
                    scene.wait_for_the_clock();
                    assert!(!scene.take().is_new, "{name}");
                }
            }
            assert_eq!(copied(&scene, &scene.take()), truth(&scene), "{name}");
            event(&scene);
            for is_first in [true, false] {
                let after = scene.take();
                if after.is_new != (is_first && next == Next::New) || copied(&scene, &after) != truth(&scene)
                {
                    wrong.push((name, is_proven, is_first, after.is_new));
                }
                scene.wait_for_the_clock();
            }
        }
    }
    assert_eq!(wrong, []);
}

/// Where the git is that writes down that it was asked.
static WRITING_DOWN: OnceLock<String> = OnceLock::new();

#[test]
fn git_is_asked_only_when_the_list_of_files_may_be_another_one() {
    let scene = prepare();
    // While something is staged, git is asked what only its index has.
    scene.git(&["commit", "--quiet", "-m", "third"]);
    let bin = scene.beside("bin");
    fs::create_dir(&bin).unwrap();
    let script =
        "#!/bin/sh\necho \"$*\" >> \"$(dirname \"$0\")/log\"\nPATH=/usr/bin:/usr/local/bin exec git \"$@\"\n";
    fs::write(bin.join("git"), script).unwrap();
    chmod(&bin.join("git"), 0o755);
    WRITING_DOWN.set(bin.to_str().unwrap().to_owned()).unwrap();
    let take = || {
        let machine = scene.machine_with(|name| match name {
            "PATH" => WRITING_DOWN.get().cloned(),
            name => std::env::var(name).ok(),
        });
        scene.wait_for_the_clock();
        _ = fs::remove_file(bin.join("log"));
        scene.take_by(&machine);
        fs::read_to_string(bin.join("log")).map_or(0, |log| log.lines().count())
    };
    assert!(take() > 0, "the first time");
    assert_eq!(take(), 0, "nothing has changed");
    scene.write("src/a.rs", b"changed\n");
    assert_eq!(take(), 0, "a file was written");
    replace(&scene, "src/a.rs", b"replaced\n");
    assert_eq!(take(), 0, "a file was replaced");
    fs::remove_file(scene.path("src/a.rs")).unwrap();
    assert!(take() > 0, "a file is gone");
    assert_eq!(take(), 0, "and stays so");
    scene.git(&["add", "src/b.rs"]);
    assert!(take() > 0, "another index");
    for folder in fs::read_dir(scene.beside("state/snapshots")).unwrap() {
        let seen = folder.unwrap().path().join("seen");
        if let Ok(bytes) = fs::read(&seen) {
            fs::write(&seen, &bytes[..bytes.len() - 1]).unwrap();
        }
    }
    assert!(take() > 0, "what was seen is damaged");
    assert_eq!(copied(&scene, &scene.take()), truth(&scene));
}
