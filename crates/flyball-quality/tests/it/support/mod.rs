//! A scratch project and the real linters, run by their catalogue entries.

#![allow(
    clippy::allow_attributes,
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "each test file uses its own part of this, and all of it is test code"
)]

pub use flyball_testkit::linters as programs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use flyball_core::config::{Authored, Layer, LayerText, Sources, Standing};
use flyball_core::path::AbsolutePath;
use flyball_quality::finding::Level;
use flyball_quality::linter::{Entry, Filter, Folder, Stream, add_words};
use flyball_quality::output::{self, RawFinding, RawOutput};
use flyball_quality::settings::Written;
use flyball_quality::{builtin, catalogue};

/// The entry that the hook would see of a linter in `[quality]`.
pub fn declared(name: &str, text: &str) -> Entry {
    let layers =
        [LayerText { layer: Layer::Project, standing: Standing::Accepted, path: "flyball.toml", text }];
    let written: Written = toml::from_str(text).unwrap();
    let settings = written.compile(&Sources::new(&layers)).unwrap();
    settings.linters.into_iter().find(|linter| linter.name == name).unwrap().entry
}

/// Each finding whole in one line, sorted by place: `file:line:column-last_line level code: message (fixable)`.
pub fn shown(found: &[RawFinding]) -> Vec<String> {
    let mut found: Vec<&RawFinding> = found.iter().collect();
    found.sort_by_key(|one| (one.file.clone(), one.line, one.column, one.code.clone()));
    let line = |one: &&RawFinding| {
        let file = one.file.as_deref().unwrap_or("-");
        let end = one.end_line.map(|end| format!("-{end}")).unwrap_or_default();
        let level = one.level.map_or("-", |level| level.name());
        let fixable = if one.fixable { " (fixable)" } else { "" };
        let (line, column) = (one.line, one.column);
        format!("{file}:{line}:{column}{end} {level} {}: {}{fixable}", one.code, one.message)
    };
    found.iter().map(line).collect()
}

/// A finding.
pub fn spotted(
    (file, line, column): (&str, u32, u32),
    (code, message): (&str, &str),
    level: Option<Level>,
) -> RawFinding {
    RawFinding {
        file: Some(file.to_owned()),
        line,
        column,
        code: code.to_owned(),
        message: message.to_owned(),
        level,
        ..RawFinding::default()
    }
}

/// The same finding, which the linter can fix.
pub fn fixable(spotted: RawFinding) -> RawFinding {
    RawFinding { fixable: true, ..spotted }
}

/// The same finding, of which the linter says what to do.
pub fn with_fix(spotted: RawFinding, fix: &str) -> RawFinding {
    RawFinding { fix: Some(fix.to_owned()), ..spotted }
}

/// A folder with files in it.
pub struct Scratch {
    dir: tempfile::TempDir,
}

/// What a command printed and how it ended.
pub struct Printed {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
    /// What it wrote to the file that its entry names.
    pub report: Option<String>,
}

impl Scratch {
    pub fn new(files: &[(&str, &str)]) -> Scratch {
        let scratch = Scratch { dir: tempfile::tempdir().unwrap() };
        for (name, content) in files {
            let path = scratch.root().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, content).unwrap();
        }
        scratch
    }

    pub fn root(&self) -> &Path {
        self.dir.path()
    }

    /// The whole path of a file.
    pub fn path(&self, file: &str) -> String {
        self.root().join(file).to_string_lossy().into_owned()
    }

    pub fn read(&self, file: &str) -> String {
        std::fs::read_to_string(self.root().join(file)).unwrap()
    }

    /// Runs the check of a built-in linter on these files, and reads what it prints.
    pub fn check(&self, linter: &str, files: &[&str]) -> Vec<RawFinding> {
        self.try_check(linter, files).unwrap()
    }

    /// The same, or how it failed: it ended as it should not, or printed what cannot be read.
    pub fn try_check(&self, linter: &str, files: &[&str]) -> Result<Vec<RawFinding>, String> {
        self.try_check_by(&catalogue::builtin()[linter], files)
    }

    /// The same for a linter of any entry.
    pub fn try_check_by(&self, entry: &Entry, files: &[&str]) -> Result<Vec<RawFinding>, String> {
        let check = entry.check.as_ref().expect("it has a check");
        if check.command.is_empty() {
            assert_eq!(files.len(), 1, "it reads one file at a time");
            return self.run_check(entry, &check.stdin_command, files, Some(&self.read(files[0])));
        }
        self.run_check(entry, &check.command, files, None)
    }

    /// Runs the check of a built-in linter on content that is not in the file.
    pub fn check_content(&self, linter: &str, file: &str, content: &str) -> Result<Vec<RawFinding>, String> {
        let entry = &catalogue::builtin()[linter];
        let check = entry.check.as_ref().expect("it has a check");
        self.run_check(entry, &check.stdin_command, &[file], Some(content))
    }

    fn run_check(
        &self,
        entry: &Entry,
        command: &[String],
        files: &[&str],
        stdin: Option<&str>,
    ) -> Result<Vec<RawFinding>, String> {
        let check = entry.check.as_ref().expect("it has a check");
        if let Some(program) = command.first().filter(|program| program.starts_with(builtin::PREFIX)) {
            let content = stdin.map_or_else(|| self.read(files[0]), str::to_owned);
            return Ok(builtin::check(program, files[0], &content).expect("it is one of ours"));
        }
        let folder = self.folder(entry, check.folder, files[0]);
        let source = |name: &str| std::fs::read_to_string(folder.join(name)).ok();
        let command = add_words(command, &check.with_config, &[], &source);
        let printed = self.run(entry, &command, (&folder, files), stdin);
        let ran: &[i32] = if check.ran.is_empty() { &[0, 1] } else { &check.ran };
        let code = printed.code.expect("it was not killed");
        if !ran.contains(&code) {
            return Err(format!("ended with {code}: {}{}", printed.stdout, printed.stderr));
        }
        let all = format!("{}{}", printed.stdout, printed.stderr);
        if !check.failed.is_empty() && regex_lite::Regex::new(&check.failed).unwrap().is_match(&all) {
            return Err(format!("failed: {all}"));
        }
        let text = match check.stream {
            _ if !check.output_file.is_empty() => printed.report.ok_or(format!("no report: {all}"))?,
            Stream::Stdout => printed.stdout,
            Stream::Stderr => printed.stderr,
            Stream::Both => printed.stdout + &printed.stderr,
        };
        output::read_findings(
            check,
            code,
            RawOutput { text: &text, source: &source, root: &self.root().to_string_lossy() },
        )
        .map_err(|error| error.to_string())
    }

    /// What the formatters of a built-in linter make of a file, one after the other.
    pub fn format(&self, linter: &str, file: &str) -> String {
        self.format_by(&catalogue::builtin()[linter], file)
    }

    /// The same for a linter of any entry.
    pub fn format_by(&self, entry: &Entry, file: &str) -> String {
        let filters = entry.format.as_ref().expect("it formats");
        filters.iter().fold(self.read(file), |content, filter| self.filter(entry, filter, file, &content))
    }

    fn filter(&self, entry: &Entry, filter: &Filter, file: &str, content: &str) -> String {
        assert!(!filter.in_place, "built-in formatters read standard input");
        if let Some(done) = builtin::format(&filter.command[0], file, content) {
            return done.unwrap();
        }
        let folder = self.folder(entry, filter.folder, file);
        let source = |name: &str| std::fs::read_to_string(folder.join(name)).ok();
        let command = add_words(&filter.command, &filter.with_config, &[], &source);
        let printed = self.run(entry, &command, (&folder, &[file]), Some(content));
        let ok: &[i32] = if filter.ok.is_empty() { &[0] } else { &filter.ok };
        assert!(ok.contains(&printed.code.unwrap()), "{:?}: {}", filter.command, printed.stderr);
        if filter.content.is_empty() {
            return printed.stdout;
        }
        assert_eq!(filter.content, "[].output", "the only one of the catalogue");
        let value: serde_json::Value = serde_json::from_str(&printed.stdout).unwrap();
        value[0]["output"].as_str().map_or_else(|| content.to_owned(), str::to_owned)
    }

    /// The files that the formatters of a built-in linter would change, one list for each.
    pub fn listed(&self, linter: &str, files: &[&str]) -> Vec<Vec<String>> {
        let entry = &catalogue::builtin()[linter];
        let list = |filter: &Filter| {
            let (folder, printed) = self.on_many(entry, filter, &filter.list, files);
            assert!(matches!(printed.code, Some(0 | 1)), "{:?}: {}", filter.list, printed.stderr);
            let pattern = regex_lite::Regex::new(&filter.listed).unwrap();
            let lines = printed.stdout.lines().chain(printed.stderr.lines());
            let file = |line: &str| Some(folder.join(&pattern.captures(line)?["file"]));
            let named: std::collections::BTreeSet<PathBuf> = lines.filter_map(file).collect();
            let listed = |name: &&&str| named.contains(&self.root().join(name));
            files.iter().filter(listed).map(|name| (*name).to_owned()).collect()
        };
        entry.format.iter().flatten().filter(|filter| !filter.list.is_empty()).map(list).collect()
    }

    /// Lets the formatters of a built-in linter change many files.
    pub fn format_many(&self, linter: &str, files: &[&str]) {
        let entry = &catalogue::builtin()[linter];
        for filter in entry.format.iter().flatten().filter(|filter| !filter.many.is_empty()) {
            let (_, printed) = self.on_many(entry, filter, &filter.many, files);
            let ok = printed.code.is_some_and(|code| code <= 1 || filter.ok.contains(&code));
            assert!(ok, "{:?}: {}", filter.many, printed.stderr);
        }
    }

    fn on_many(
        &self,
        entry: &Entry,
        filter: &Filter,
        command: &[String],
        files: &[&str],
    ) -> (PathBuf, Printed) {
        let folder = self.folder(entry, filter.folder, files[0]);
        let source = |name: &str| std::fs::read_to_string(folder.join(name)).ok();
        let command = add_words(command, &filter.with_config, &[], &source);
        let printed = self.run(entry, &command, (&folder, files), None);
        (folder, printed)
    }

    /// The folders from the file's upwards to the root.
    fn upwards(&self, file: &str) -> Vec<PathBuf> {
        let file = self.root().join(file);
        let above = file.ancestors().skip(1).map(Path::to_path_buf);
        above.take_while(|folder| folder.starts_with(self.root())).collect()
    }

    fn folder(&self, entry: &Entry, folder: Folder, file: &str) -> PathBuf {
        let marks = entry.needs.as_ref().or(entry.configs.as_ref());
        let has_mark = |folder: &PathBuf| marks.into_iter().flatten().any(|mark| folder.join(mark).exists());
        match folder {
            Folder::Root => self.root().to_path_buf(),
            Folder::File => self.root().join(file).parent().unwrap().to_path_buf(),
            Folder::Config => self.upwards(file).into_iter().find(has_mark).unwrap_or(self.root().into()),
        }
    }

    /// Fills in the placeholders with a fixed meaning.
    fn filled(&self, entry: &Entry, word: &str, (file, folder): (&str, &Path)) -> String {
        let mut word = word.replace("{root}", &self.root().to_string_lossy());
        for (name, find) in entry.finds.iter().flatten() {
            if !word.contains(&format!("{{{name}}}")) {
                continue;
            }
            let files = self.upwards(file).into_iter().filter_map(|folder| {
                let text = std::fs::read_to_string(folder.join(&find.file)).ok()?;
                Some((AbsolutePath::from_path(&folder), text))
            });
            let found = find.find_value(&AbsolutePath::from_path(folder), files);
            word = word.replace(&format!("{{{name}}}"), &found);
        }
        word
    }

    /// Runs a command of an entry as the pipeline would.
    pub fn run(
        &self,
        entry: &Entry,
        command: &[String],
        (folder, files): (&Path, &[&str]),
        stdin: Option<&str>,
    ) -> Printed {
        let mut words: Vec<String> = entry.via.clone().unwrap_or_default();
        let scratch = tempfile::tempdir().unwrap();
        let named = |file: &str| {
            let below = self.root().join(file);
            let name = below.strip_prefix(folder).unwrap().to_string_lossy().into_owned();
            if folder == self.root() { file.to_owned() } else { name }
        };
        for word in command {
            match word.strip_suffix("{files}") {
                Some(before) => words.extend(files.iter().map(|file| format!("{before}{}", named(file)))),
                None if word == "{project_folders}" => words.push("src/".to_owned()),
                None => {
                    // No name may look like an option.
                    let name = named(files[0]);
                    let name = if name.starts_with('-') { format!("./{name}") } else { name };
                    let parent = self.root().join(files[0]).parent().unwrap().to_string_lossy().into_owned();
                    let word = word.replace("{file}", &name).replace("{folder}", &parent);
                    let word = word.replace("{scratch}", &scratch.path().to_string_lossy());
                    words.push(self.filled(entry, &word, (files[0], folder)));
                }
            }
        }
        let own = programs().join(&words[0]);
        let program = if own.exists() { own } else { PathBuf::from(&words[0]) };
        let path = std::env::var("PATH").unwrap_or_default();
        let mut command = Command::new(program);
        command.args(&words[1..]).current_dir(folder).stdin(Stdio::piped());
        command.env("PATH", format!("{}:{path}", programs().display()));
        // What go compiles of its own library takes longer than all that is tested.
        command.env("GOCACHE", concat!(env!("CARGO_TARGET_TMPDIR"), "/go-build"));
        command.envs(entry.env.iter().flatten()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut pipe = child.stdin.take().unwrap();
        let text = stdin.unwrap_or_default().to_owned();
        let writer = std::thread::spawn(move || drop(std::io::Write::write_all(&mut pipe, text.as_bytes())));
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        let report = entry.check.as_ref().and_then(|check| {
            let file = check.output_file.replace("{scratch}", &scratch.path().to_string_lossy());
            std::fs::read_to_string(file).ok()
        });
        Printed {
            report,
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}
