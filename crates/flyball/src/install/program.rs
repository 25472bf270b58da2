//! The program that is registered: this one.

use std::io;
use std::path::{Path, PathBuf};

use flyball_clients::install::{PROGRAM_LINK, Scope, UNINSTALLED};

use super::client::on_path;
use super::mode;
use crate::environment;
use crate::outcome::Failed;
use crate::seatbelt;

/// The name of the program, by which files that are committed call it.
pub(crate) const NAME: &str = "flyball";

/// The running program, by the path that clients will start it by.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    /// Its absolute path, without symlinks: a link may lead elsewhere tomorrow.
    pub(crate) path: PathBuf,
}

impl Program {
    pub(crate) fn find() -> Result<Program, Failed> {
        let path = environment::program().and_then(|path| path.canonicalize().ok());
        let path = path.ok_or_else(|| {
            Failed::new("the path of this program cannot be found", "was it replaced just now? run it again")
        })?;
        if path.to_str().is_none() {
            let what = format!("the path of this program is not UTF-8: `{}`", path.display());
            return Err(Failed::new(what, "install flyball in a folder with a UTF-8 path"));
        }
        Ok(Program { path })
    }

    /// The path as text.
    pub(crate) fn text(&self) -> &str {
        self.path.to_str().unwrap_or_default()
    }

    /// How the settings of a scope call it: those that are committed have no path of one machine.
    pub(crate) fn called_in(&self, scope: Scope) -> &str {
        if scope == Scope::Project { NAME } else { self.text() }
    }

    /// Makes this the program that the committed registrations of all projects start on this machine. Returns whether it
    /// was another, or none.
    pub(crate) fn remember(&self, state: &Path) -> io::Result<bool> {
        let target = self.stable_path();
        let is_new = Program::link(&state.join(PROGRAM_LINK), &target, state)?;
        Program::link(&state.join(seatbelt::LINK), &target, state)?;
        remove_if_there(&state.join(UNINSTALLED))?;
        Ok(is_new)
    }

    /// Returns whether the link is new, or led elsewhere.
    fn link(link: &Path, target: &Path, state: &Path) -> io::Result<bool> {
        let folder = link.parent().unwrap_or(state);
        mode::create_private_folders(folder)?;
        // Not every file system has that bit: the gate then goes by the place alone.
        drop(mode::mark_as_no_clone(folder));
        if std::fs::read_link(link).is_ok_and(|known| known == target) {
            return Ok(false);
        }
        let draft = link.with_extension(format!("{}", std::process::id()));
        drop(std::fs::remove_file(&draft));
        flyball_system::symlink(target, &draft)?;
        std::fs::rename(&draft, link)?;
        Ok(true)
    }

    /// Committed registrations miss nothing on this machine any more, and start only what is on the search path.
    pub(crate) fn forget(state: &Path) -> io::Result<()> {
        if !state.is_dir() {
            return Ok(());
        }
        std::fs::write(state.join(UNINSTALLED), "")?;
        remove_if_there(&state.join(seatbelt::LINK))?;
        remove_if_there(&state.join(PROGRAM_LINK))
    }

    /// Whether a person has uninstalled flyball and not set it up again.
    pub(crate) fn is_forgotten(state: &Path) -> bool {
        state.join(UNINSTALLED).exists()
    }

    /// Its name on the search path, if that is this program: an update may move what it leads to.
    fn stable_path(&self) -> PathBuf {
        let is_this = |path: &PathBuf| path.canonicalize().is_ok_and(|real| real == self.path);
        on_path(NAME).filter(is_this).unwrap_or_else(|| self.path.clone())
    }

    /// Whether a path without symlinks is this program, or the launcher of the npm package that this program is in.
    pub(crate) fn is_started_by(&self, real: &Path) -> bool {
        let packages = || real.to_str()?.strip_suffix("/flyball/bin/flyball.js");
        real == self.path
            || packages().is_some_and(|packages| {
                packages.ends_with("/node_modules") && self.path.starts_with(packages)
            })
    }

    /// The program that committed registrations start here, if any.
    pub(crate) fn started_by_projects(state: Option<&Path>) -> Option<PathBuf> {
        let link = state.map(|state| state.join(PROGRAM_LINK)).filter(|link| mode::is_executable(link));
        link.or_else(|| on_path(NAME))
    }

    /// Why the path may be gone tomorrow, if it may.
    pub(crate) fn vanish_reason(&self) -> Option<&'static str> {
        let temporary =
            [environment::temporary_directory(), PathBuf::from("/tmp"), PathBuf::from("/var/tmp")];
        let mut folders = self.path.ancestors().skip(1);
        // cargo marks its target folder with this file, and a `cargo clean` deletes the program in it; uvx its cache.
        if let Some(marked) = folders.clone().find(|folder| folder.join("CACHEDIR.TAG").is_file()) {
            return Some(if marked.ends_with("uv") { "a cache" } else { "a build folder" });
        }
        if folders.clone().any(|folder| folder.ends_with("_npx")) {
            return Some("a cache");
        }
        // What is installed for all projects has no manifest beside it.
        if folders
            .any(|folder| folder.ends_with("node_modules") && folder.with_file_name("package.json").is_file())
        {
            return Some("the packages of a project");
        }
        // The program's path has no symlinks, and on macOS `/tmp` is one.
        let mut temporary = temporary.iter().filter_map(|folder| folder.canonicalize().ok());
        temporary.any(|folder| self.path.starts_with(folder)).then_some("a temporary folder")
    }
}

fn remove_if_there(path: &Path) -> io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_launcher_of_npm_starts_the_program_that_came_with_it() {
        let nested = "/usr/lib/node_modules/flyball/node_modules/@flyball/linux-x64/bin/flyball";
        let beside = "/usr/lib/node_modules/@flyball/linux-x64/bin/flyball";
        let launcher = "/usr/lib/node_modules/flyball/bin/flyball.js";
        let cases = [
            (nested, launcher, true),
            (beside, launcher, true),
            (beside, beside, true),
            (beside, nested, false),
            (beside, "/opt/lib/node_modules/flyball/bin/flyball.js", false),
            ("/usr/lib/bin/flyball", "/usr/lib/flyball/bin/flyball.js", false),
        ];
        for (program, found, expected) in cases {
            let program = Program { path: PathBuf::from(program) };
            assert_eq!(program.is_started_by(Path::new(found)), expected, "{program:?} {found}");
        }
    }
}
