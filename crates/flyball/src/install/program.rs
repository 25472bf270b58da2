//! The program that is registered: this one.

use std::path::PathBuf;

use crate::environment;
use crate::outcome::Failed;

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

    /// Why the path may be gone tomorrow, if it may.
    pub(crate) fn vanish_reason(&self) -> Option<&'static str> {
        let temporary =
            [environment::temporary_directory(), PathBuf::from("/tmp"), PathBuf::from("/var/tmp")];
        // cargo marks its target folder with this file, and a `cargo clean` deletes the program in it.
        let is_build = self.path.ancestors().skip(1).any(|folder| folder.join("CACHEDIR.TAG").is_file());
        if is_build {
            return Some("a build folder");
        }
        // The program's path has no symlinks, and on macOS `/tmp` is one.
        let mut temporary = temporary.iter().filter_map(|folder| folder.canonicalize().ok());
        temporary.any(|folder| self.path.starts_with(folder)).then_some("a temporary folder")
    }
}
