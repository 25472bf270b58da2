//! The scratch folder of a measurement: projects, states, compiled helpers.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use flyball::environment;
use flyball::outcome::Failed;

const TRIVIAL: &str = include_str!("../../../../bench/trivial.c");
const PROBE: &str = include_str!("../../../../bench/probe.c");
const CONFIG: &str = include_str!("../../../../bench/flyball.toml");

/// The folder, removed at the end.
pub(super) struct Scratch {
    folder: PathBuf,
    janitor: Option<Child>,
    trivial: Option<PathBuf>,
    probe: Option<PathBuf>,
    strace: Option<PathBuf>,
}

impl Scratch {
    /// Makes the folder and compiles what is measured against.
    pub(super) fn new() -> Result<Scratch, Failed> {
        let folder = environment::temporary_directory().join(format!("flyball-bench-{}", std::process::id()));
        std::fs::create_dir(&folder).map_err(|cause| write_failed(&folder, &cause))?;
        let folder = folder.canonicalize().map_err(|cause| write_failed(&folder, &cause))?;
        let janitor = janitor(&folder).ok();
        let mut scratch = Scratch { folder, janitor, trivial: None, probe: None, strace: find("strace") };
        scratch.trivial = scratch.compiled("trivial", TRIVIAL)?;
        scratch.probe = scratch.compiled("probe", PROBE)?;
        for folder in ["home", "config"] {
            std::fs::create_dir(scratch.file(folder))
                .map_err(|cause| write_failed(&scratch.file(folder), &cause))?;
        }
        Ok(scratch)
    }

    /// The yardstick, if there is a compiler that makes static programs.
    pub(super) fn trivial(&self) -> Option<&Path> {
        self.trivial.as_deref()
    }

    /// The program that counts memory and page faults, if there is a compiler.
    pub(super) fn probe(&self) -> Option<&Path> {
        self.probe.as_deref()
    }

    /// The program that counts system calls, if it is installed.
    pub(super) fn strace(&self) -> Option<&Path> {
        self.strace.as_deref()
    }

    /// The path of something in the folder.
    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    pub(super) fn write(&self, name: &str, text: &str) -> Result<PathBuf, Failed> {
        let path = self.file(name);
        let made = path.parent().map_or(Ok(()), std::fs::create_dir_all);
        made.and_then(|()| std::fs::write(&path, text)).map_err(|cause| write_failed(&path, &cause))?;
        Ok(path)
    }

    /// A copy of the program that is measured.
    pub(super) fn copy(&self, program: &Path) -> Result<PathBuf, Failed> {
        let copied = self.file("flyball");
        std::fs::copy(program, &copied).map_err(|cause| write_failed(&copied, &cause))?;
        Ok(copied)
    }

    /// A project as `flyball init` leaves it, with more in its config.
    pub(super) fn project(&self, name: &str, more: &str) -> Result<PathBuf, Failed> {
        let config = format!("{CONFIG}\n{more}");
        for (file, text) in [
            ("flyball.toml", config.as_str()),
            ("pyproject.toml", "[project]\nname = \"bench\"\nversion = \"0.1.0\"\n"),
            ("uv.lock", "version = 1\n"),
            ("src/app.py", "def greet(name):\n    return 'Hello ' + name\n"),
            // A root, and no repository: git is not measured here.
            (".git/keep", ""),
        ] {
            self.write(&format!("{name}/{file}"), text)?;
        }
        // What a person accepts once for all projects in a folder.
        let trust = format!("[trust]\nprojects = [\"{}\"]\n", self.folder.display());
        self.write("home/.config/flyball/config.toml", &trust)?;
        Ok(self.file(name))
    }

    fn compiled(&self, name: &str, source: &str) -> Result<Option<PathBuf>, Failed> {
        let (source, made) = (self.write(&format!("{name}.c"), source)?, self.file(name));
        let Some(compiler) = find("gcc").or_else(|| find("cc")) else { return Ok(None) };
        let mut command = Command::new(compiler);
        command.args(["-static", "-O2", "-o"]).args([&made, &source]);
        let done = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
        Ok(done.is_ok_and(|status| status.success()).then_some(made))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Below the system's temporary directory, which the system cleans up if this fails.
        drop(std::fs::remove_dir_all(&self.folder));
        if let Some(mut janitor) = self.janitor.take() {
            drop(janitor.stdin.take());
            // It removes the same folder: there is nothing to learn from its exit code.
            drop(janitor.wait());
        }
    }
}

/// Removes the folder when this process is gone, however it went: a store of a million events is
/// nothing to leave behind when someone presses Ctrl-C.
fn janitor(folder: &Path) -> std::io::Result<Child> {
    let mut shell = Command::new("/bin/sh");
    // The pipe ends with this process, and not before.
    shell.args(["-c", "read -r _; rm -rf -- \"$1\"", "sh"]).arg(folder);
    shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    // In a group of its own, which Ctrl-C does not reach.
    std::os::unix::process::CommandExt::process_group(&mut shell, 0);
    shell.spawn()
}

/// A program on the search path.
pub(super) fn find(name: &str) -> Option<PathBuf> {
    let path = environment::variable("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

pub(super) fn write_failed(path: &Path, cause: &std::io::Error) -> Failed {
    let what = format!("{} cannot be written: {cause}", path.display());
    Failed::new(what, "set TMPDIR to a folder on a disk with 2 GB to spare, or use --quick")
}
