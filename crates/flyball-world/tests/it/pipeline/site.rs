//! A project on disk that goes through the pipeline with real programs.

use flyball_core::path::AbsolutePath;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use flyball_quality::catalogue;
use flyball_quality::finding::Finding;
use flyball_quality::fixer::guard::Guards;
use flyball_quality::linter::{Check, Entry, Filter, Linter, Origin, Output};
use flyball_quality::pipeline::{self, Fixes, ModelUse, Progress, ProjectCode, RunRequest, Write};
use flyball_quality::report::{FileReport, Report};
use flyball_quality::scope::Base;
use flyball_quality::settings::{Scope, Settings};
use flyball_world::machine::Machine;

/// A linter of the tests: it finds `BAD` in the files that it is given, and `POISON` kills it.
const FINDS_BAD: &str = "
for file in \"$@\"; do case $file in -*) continue;; esac; if grep -q POISON -- \"$file\"; then
echo \"cannot read $file\" >&2; exit 3; fi; done
grep -HnE BAD -- \"$@\"
test $? -le 1
";
/// The same with the content from standard input.
const FINDS_BAD_IN_INPUT: &str = "grep -HnE --label=input BAD\ntest $? -le 1\n";
/// What both print.
pub(crate) const LINES: &str = r"^(?<file>.+?):(?<line>\d+):(?<message>.*)$";

/// A project, and a folder for flyball's state.
pub(crate) struct Site {
    dir: tempfile::TempDir,
    pub settings: Settings,
    pub write: Write,
    pub fixes: Fixes,
    pub model: ModelUse,
    pub project: bool,
    pub project_code: ProjectCode,
    pub base: Base,
}

impl Site {
    pub(crate) fn new(files: &[(&str, &str)]) -> Site {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("root/.venv/bin")).unwrap();
        let settings = Settings {
            format: flyball_quality::settings::Format::Always,
            // Most tests look at all that is found; those of the scope set it.
            scope: Scope::File,
            deadline_seconds: 60,
            exclude: vec!["**/.venv/**".to_owned()],
            security_exclude: vec!["tests/**".to_owned()],
            ..Settings::default()
        };
        let site = Site {
            dir,
            settings,
            write: Write::Yes,
            fixes: Fixes::Now,
            model: ModelUse::Never,
            project: false,
            project_code: ProjectCode::Run,
            base: Base::Head,
        };
        for (name, content) in files {
            site.put(name, content);
        }
        site
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.dir.path().canonicalize().unwrap().join("root")
    }

    /// Something beside the project.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.dir.path().canonicalize().unwrap().join(name)
    }

    pub(crate) fn put(&self, name: &str, content: &str) {
        let path = self.root().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.root().join(name)).unwrap()
    }

    /// A program of the project that notes each start.
    pub(crate) fn program(&self, name: &str, script: &str) {
        let path = self.root().join(".venv/bin").join(name);
        let log = self.beside("log");
        fs::write(&path, format!("#!/bin/sh\necho {name} >> '{}'\n{script}", log.display())).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// The programs that were started since the last call.
    pub(crate) fn started(&self) -> Vec<String> {
        let text = fs::read_to_string(self.beside("log")).unwrap_or_default();
        fs::write(self.beside("log"), "").unwrap();
        text.lines().map(str::to_owned).collect()
    }

    /// The linter of the tests that finds `BAD`.
    pub(crate) fn finds_bad(&mut self) -> &mut Entry {
        self.program("finds-bad", FINDS_BAD);
        self.program("finds-bad-in-input", FINDS_BAD_IN_INPUT);
        let check = Check {
            command: words(&["finds-bad", "{files}"]),
            stdin_command: words(&["finds-bad-in-input"]),
            code: "BAD".to_owned(),
            output: Output::Lines(LINES.to_owned()),
            ..Check::default()
        };
        self.linter("finds-bad", Entry { check: Some(check), ..Entry::default() })
    }

    /// A formatter that reads standard input.
    pub(crate) fn formatter(&mut self, name: &str, command: &[&str]) -> &mut Entry {
        let filter = Filter { command: words(command), ..Filter::default() };
        self.linter(name, Entry { format: Some(vec![filter]), ..Entry::default() })
    }

    /// Adds a linter for text files.
    pub(crate) fn linter(&mut self, name: &str, entry: Entry) -> &mut Entry {
        let entry = Entry { files: entry.files.or(Some(words(&["*.txt"]))), ..entry };
        self.settings.linters.retain(|linter| linter.name != name);
        self.settings.linters.push(Linter { name: name.to_owned(), origin: Origin::Own, entry });
        &mut self.settings.linters.last_mut().unwrap().entry
    }

    /// Adds built-in linters that act where the project chose them.
    pub(crate) fn catalogue(&mut self, names: &[&str], origin: Origin) {
        self.builtin(names);
        for linter in self.settings.linters.iter_mut().filter(|linter| names.contains(&linter.name.as_str()))
        {
            linter.origin = origin;
        }
    }

    /// Adds built-in linters that act everywhere.
    pub(crate) fn builtin(&mut self, names: &[&str]) {
        for name in names {
            let entry = catalogue::builtin()[*name].clone();
            self.settings.linters.push(Linter { name: (*name).to_owned(), origin: Origin::Own, entry });
        }
    }

    pub(crate) fn scope(&mut self, scope: Scope) {
        self.settings.scope = scope;
    }

    pub(crate) fn machine(&self) -> Machine {
        Machine::new(Instant::now(), None, &self.root(), Vec::new(), &[])
            .with_state(Some(&self.beside("state")))
            .with_environment(environment)
    }

    pub(crate) fn paths(&self, files: &[&str]) -> Vec<AbsolutePath> {
        files
            .iter()
            .map(|file| AbsolutePath::new(self.root().join(file).to_str().unwrap()).unwrap())
            .collect()
    }

    pub(crate) fn run(&self, files: &[&str]) -> Report {
        self.run_with(files, &|_| {})
    }

    pub(crate) fn run_with(&self, files: &[&str], progress: &dyn Fn(Progress<'_>)) -> Report {
        let request = RunRequest {
            settings: &self.settings,
            files: &self.paths(files),
            write: self.write,
            fixes: self.fixes,
            model: self.model,
            project_code: self.project_code,
            guards: Guards { clients: &[], off_limits: |_, _| None, objections: |_, _, _| Vec::new() },
            base: &self.base,
            earlier: &BTreeMap::new(),
            project: self.project,
            progress,
        };
        pipeline::run(&request, &self.machine())
    }

    /// The report of the only file.
    pub(crate) fn run_one(&self, file: &str) -> FileReport {
        let mut report = self.run(&[file]);
        assert_eq!(report.troubles, [], "{file}");
        assert_eq!(report.files.len(), 1, "{file}");
        report.files.remove(0)
    }

    pub(crate) fn git(&self, words: &[&str]) {
        let mut command = Command::new("git");
        command.current_dir(self.root()).args(["-c", "user.name=t", "-c", "user.email=t@localhost"]);
        command.args(["-c", "commit.gpgsign=false"]).args(words);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    /// Commits all that is there.
    pub(crate) fn commit(&self) {
        if !self.root().join(".git").exists() {
            self.git(&["init", "-q"]);
        }
        self.git(&["add", "-A", "--", ":!.venv"]);
        self.git(&["commit", "-q", "-m", "x"]);
    }
}

/// The real linters first, then what the machine has.
fn environment(name: &str) -> Option<String> {
    let path = std::env::var("PATH").unwrap_or_default();
    match (name, std::env::var("FLYBALL_LINTERS_DIR")) {
        ("PATH", Ok(folder)) => Some(format!("{folder}/bin:{path}")),
        ("PATH", Err(_)) => Some(path),
        _ => None,
    }
}

pub(crate) fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// Line and code of each.
pub(crate) fn places(findings: &[Finding]) -> Vec<(u32, &str)> {
    findings.iter().map(|finding| (finding.line, finding.code.as_str())).collect()
}

/// The mode of a file.
pub(crate) fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o7777
}
