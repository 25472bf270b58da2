//! Finds programs: the project's own first if allowed, then the search path.

use std::path::{Path, PathBuf};

use flyball_core::path::AbsolutePath;
use flyball_core::workshop::{Places, Program, ProgramQuery};
use flyball_core::world::Place;

use super::identity::identity;
use crate::executable::is_program;
use crate::machine::Machine;
use crate::real_path::real_path;

/// Where projects have programs of their own.
const LOCAL: [&str; 3] = [".venv/bin", "venv/bin", "node_modules/.bin"];
/// Where people's installers put programs. Clients that were not started from a shell have a search
/// path without them.
const HOME_FOLDERS: [&str; 3] = [".local/bin", ".cargo/bin", "go/bin"];
/// The default search path of a system.
const DEFAULT_PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// The first place where a program is.
pub(super) fn find(machine: &Machine, wanted: &ProgramQuery) -> Option<Program> {
    let root = machine.project_root();
    let is_allowed =
        |path: &Path| wanted.places != Places::OutsideProject || !is_below(path, Path::new(root));
    let found = if wanted.name.contains('/') {
        named(machine, wanted).into_iter().find(|path| is_program(path) && is_allowed(path))
    } else {
        let has_own = wanted.places == Places::ProjectFirst;
        let here = has_own.then(|| local(machine, Path::new(&wanted.near)));
        let places = here.into_iter().flatten().chain(global(machine));
        places.map(|place| place.join(&wanted.name)).find(|path| is_program(path) && is_allowed(path))
    }?;
    Some(Program { path: AbsolutePath::new(found.to_str()?)?, identity: identity(&found) })
}

/// Whether a program is in a folder, by its name or behind a link of a folder above it. Where the program itself is a
/// link into the folder, its text is there too.
fn is_below(program: &Path, folder: &Path) -> bool {
    let folders = [folder.to_path_buf(), real_path(folder)];
    let above = program.parent().map(real_path).unwrap_or_default();
    let places = [program.to_path_buf(), above, real_path(program)];
    places.iter().any(|place| folders.iter().any(|folder| place.starts_with(folder)))
}

/// The places a path may mean.
fn named(machine: &Machine, wanted: &ProgramQuery) -> Vec<PathBuf> {
    match (wanted.name.strip_prefix("~/"), machine.home()) {
        (Some(rest), Some(home)) => vec![home.join(rest)],
        _ => [&wanted.near, machine.project_root()].map(|base| Path::new(base).join(&wanted.name)).into(),
    }
}

/// The project's own places, the nearest first. A folder outside the project has none: programs
/// there are not trusted.
fn local(machine: &Machine, near: &Path) -> Vec<PathBuf> {
    let root = Path::new(machine.project_root());
    // One of the two may be given through a link.
    let (near, root) = if near.starts_with(root) {
        (near.to_path_buf(), root.to_path_buf())
    } else {
        (real_path(near), real_path(root))
    };
    let folders = near.ancestors().take_while(|folder| folder.starts_with(&root));
    let mut places: Vec<PathBuf> = folders.flat_map(|folder| LOCAL.map(|place| folder.join(place))).collect();
    let active = machine.environment("VIRTUAL_ENV").map(|folder| Path::new(&folder).join("bin"));
    places.extend(active.filter(|folder| folder.is_absolute()));
    places
}

fn global(machine: &Machine) -> impl Iterator<Item = PathBuf> {
    let path = machine.environment("PATH").unwrap_or_else(|| DEFAULT_PATH.to_owned());
    // What is relative would mean another program in each folder.
    let searched: Vec<PathBuf> =
        path.split(':').map(PathBuf::from).filter(|folder| folder.is_absolute()).collect();
    let home = machine.home().map(Path::to_path_buf);
    searched.into_iter().chain(home.into_iter().flat_map(|home| HOME_FOLDERS.map(|place| home.join(place))))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    use std::time::Instant;

    use flyball_core::workshop::Places::{OutsideProject, ProjectFirst, SearchPath};

    use super::*;

    struct Disk {
        folder: tempfile::TempDir,
    }

    impl Disk {
        fn with(programs: &[&str]) -> Disk {
            let disk = Disk { folder: tempfile::tempdir().unwrap() };
            for program in programs {
                let path = disk.path(program);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(&path, "#!/bin/sh\n").unwrap();
                fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
            }
            disk
        }

        fn path(&self, below: &str) -> PathBuf {
            self.folder.path().canonicalize().unwrap().join(below)
        }

        /// Where a program is found, relative to all of this.
        fn find(&self, name: &str, near: &str, places: Places) -> Option<String> {
            let machine =
                Machine::new(Instant::now(), Some(self.path("home")), &self.path("repo"), Vec::new(), &[]);
            let near = AbsolutePath::new(self.path(near).to_str().unwrap()).unwrap();
            let found = find(&machine, &ProgramQuery { name: name.to_owned(), near, places })?;
            Some(Path::new(&found.path).strip_prefix(self.path("")).unwrap().to_str().unwrap().to_owned())
        }
    }

    #[test]
    fn the_nearest_local_program_wins_up_to_the_root_and_no_further() {
        let disk = Disk::with(&[
            "node_modules/.bin/x-outside",
            "repo/node_modules/.bin/x-lint",
            "repo/app/.venv/bin/x-lint",
            "repo/app/node_modules/.bin/x-lint",
            "home/.cargo/bin/x-lint",
            "home/.cargo/bin/x-outside",
            "elsewhere/.venv/bin/x-lint",
        ]);
        fs::create_dir_all(disk.path("repo/app/src")).unwrap();
        std::os::unix::fs::symlink(
            disk.path("repo/node_modules/.bin/x-lint"),
            disk.path("home/.cargo/bin/x-linked"),
        )
        .unwrap();
        let cases = [
            ("x-lint", "repo/app/src", ProjectFirst, Some("repo/app/.venv/bin/x-lint")),
            ("x-lint", "repo", ProjectFirst, Some("repo/node_modules/.bin/x-lint")),
            ("x-lint", "repo/app/src", SearchPath, Some("home/.cargo/bin/x-lint")),
            ("x-outside", "repo/app", ProjectFirst, Some("home/.cargo/bin/x-outside")),
            ("x-lint", "elsewhere", ProjectFirst, Some("home/.cargo/bin/x-lint")),
            ("x-nowhere", "repo", ProjectFirst, None),
            (
                "./node_modules/.bin/x-lint",
                "repo/app",
                ProjectFirst,
                Some("repo/app/./node_modules/.bin/x-lint"),
            ),
            ("node_modules/.bin/x-lint", "repo/app/src", SearchPath, Some("repo/node_modules/.bin/x-lint")),
            ("~/.cargo/bin/x-lint", "repo", SearchPath, Some("home/.cargo/bin/x-lint")),
            ("x-lint", "repo/app", OutsideProject, Some("home/.cargo/bin/x-lint")),
            ("./node_modules/.bin/x-lint", "repo/app", OutsideProject, None),
            ("~/.cargo/bin/x-lint", "repo", OutsideProject, Some("home/.cargo/bin/x-lint")),
            ("x-linked", "repo", ProjectFirst, Some("home/.cargo/bin/x-linked")),
            ("x-linked", "repo", OutsideProject, None),
        ];
        for (name, near, places, expected) in cases {
            assert_eq!(disk.find(name, near, places).as_deref(), expected, "{name} near {near}");
        }
    }

    #[test]
    fn what_cannot_be_run_is_skipped() {
        let disk = Disk::with(&["repo/.venv/bin/x-lint", "home/.local/bin/x-lint"]);
        fs::set_permissions(disk.path("repo/.venv/bin/x-lint"), fs::Permissions::from_mode(0o644)).unwrap();
        fs::create_dir_all(disk.path("repo/node_modules/.bin/x-lint")).unwrap();
        assert_eq!(disk.find("x-lint", "repo", ProjectFirst).as_deref(), Some("home/.local/bin/x-lint"));
    }

    #[test]
    fn the_environment_adds_places() {
        let environment: fn(&str) -> Option<String> =
            |name| (name == "PATH").then(|| "relative:/nonexistent:/bin".to_owned());
        let machine = Machine::new(Instant::now(), None, Path::new("/"), Vec::new(), &[]);
        let wanted =
            ProgramQuery { name: "sh".to_owned(), near: AbsolutePath::default(), places: Places::SearchPath };
        let found = find(&machine.with_environment(environment), &wanted).unwrap();
        assert_eq!(found.path, "/bin/sh");
    }
}
