//! What the parts of one run share: settings, deadline, caches and failures.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use flyball_core::path::AbsolutePath;
use flyball_core::time::whole_millis;
use flyball_core::workshop::{Ending, Job, JobResult, Limits, Places, ProgramQuery, Workshop};
use regex_lite::Regex;

use super::applies::has_files;
use super::base_tree::EarlierProject;
use super::by_path::{About, ByPath};
use super::chosen::{Choice, Choices, ProjectChoice};
use super::failures::{Failure, Failures, MEGABYTE, Missing};
use super::keys::{self, DiskState};
use super::placeholders::{self, PlaceholderValues};
use super::programs::{Command, Programs, Runner};
use super::{Progress, ProjectCode, RunRequest, project_code};
use super::{broken_config, configs};
use crate::installers::{self, Ecosystem};
use crate::linter::{Check, Entry, Filter, Folder, Linter, Reach, Reads, WithConfig, add_words};
use crate::report::{FailureKind, LARGEST_FILE};
use crate::settings::{FILES_OF_AN_EDIT, Settings};

/// How much of what a linter prints is read.
const OUTPUT_BYTES: usize = 64 * 1024 * 1024;
/// Variables that ask for coloured output, which nobody could read.
const COLOURING: [&str; 4] = ["FORCE_COLOR", "CLICOLOR_FORCE", "MYPY_FORCE_COLOR", "CARGO_TERM_COLOR"];

/// What a starter says that has nothing to start, and what installs it.
const TOOLCHAINS: &[(&str, &str)] = &[
    ("rustup could not choose a version", "rustup default stable"),
    ("no default toolchain configured", "rustup default stable"),
];

/// What programs print that cannot find a package.
const MISSES: &[&str] = &[
    "Cannot find package",
    "Cannot find module",
    "ERR_MODULE_NOT_FOUND",
    "TS2688",
    "TS6053",
    "ModuleNotFoundError",
];

/// What the parts of one run share.
pub(super) struct Context<'a> {
    pub request: &'a RunRequest<'a>,
    pub settings: &'a Settings,
    pub workshop: &'a dyn Workshop,
    pub root: &'a AbsolutePath,
    pub programs: Programs,
    pub disk_state: DiskState,
    pub earlier_project: EarlierProject,
    choices: Choices,
    pub failures: Failures,
    linter_fingerprints: BTreeMap<String, String>,
    commands: ByPath<'a, (Option<ProjectChoice>, FoundCommand)>,
    equipped: ByPath<'a, bool>,
    chosen: ByPath<'a, Choice>,
    writing: ByPath<'a, bool>,
    /// Results to be cached.
    results: Vec<(String, Vec<u8>)>,
    /// When everything must have ended, on the workshop's clock.
    deadline: Duration,
    done_steps: usize,
    total_steps: usize,
}

impl<'a> Context<'a> {
    pub(super) fn new(request: &'a RunRequest<'a>, workshop: &'a dyn Workshop) -> Context<'a> {
        let mut context = Context {
            request,
            settings: request.settings,
            workshop,
            root: workshop.project_root(),
            programs: Programs::new(match request.project_code {
                ProjectCode::Run => Places::ProjectFirst,
                ProjectCode::LeaveOut => Places::OutsideProject,
            }),
            disk_state: DiskState::default(),
            earlier_project: EarlierProject::default(),
            choices: Choices::new(&request.settings.linters),
            failures: Failures::default(),
            linter_fingerprints: BTreeMap::new(),
            commands: ByPath::default(),
            equipped: ByPath::default(),
            chosen: ByPath::default(),
            writing: ByPath::default(),
            results: Vec::new(),
            deadline: Duration::ZERO,
            done_steps: 0,
            total_steps: 0,
        };
        context.set_time_limit(request.settings.deadline_seconds);
        context
    }

    /// From now on, everything must end within this many seconds.
    pub(super) fn set_time_limit(&mut self, seconds: u32) {
        self.deadline = self.workshop.elapsed().saturating_add(Duration::from_secs(seconds.into()));
    }

    /// Halves the time that is left. Returns the deadline to set again afterwards.
    pub(super) fn halve_time_left(&mut self) -> Duration {
        let (now, until) = (self.workshop.elapsed(), self.deadline);
        self.deadline = now.saturating_add(until.saturating_sub(now) / 2);
        until
    }

    /// Gives what comes next its own time. Returns the deadline to set again afterwards.
    pub(super) fn give_time(&mut self, seconds: u32) -> Duration {
        let until = self.deadline;
        self.set_time_limit(seconds);
        until
    }

    pub(super) fn set_deadline(&mut self, until: Duration) {
        self.deadline = until;
    }

    /// How many linters run at a time.
    pub(super) fn parallelism(&self) -> usize {
        match self.settings.processes {
            0 => std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
            some => some,
        }
    }

    pub(super) fn add_steps(&mut self, steps: usize) {
        self.total_steps += steps;
    }

    pub(super) fn advance(&mut self, doing: &str, steps: usize) {
        self.done_steps = (self.done_steps + steps).min(self.total_steps);
        (self.request.progress)(Progress { doing, done: self.done_steps, total: self.total_steps });
    }

    /// Runs jobs, those that took longest last time first, and reports the progress.
    pub(super) fn run(&mut self, tasks: Vec<Task>) -> Vec<JobResult> {
        let mut order: Vec<(Duration, usize)> = Vec::with_capacity(tasks.len());
        let mut times: BTreeMap<&str, Duration> = BTreeMap::new();
        for (at, task) in tasks.iter().enumerate() {
            // With one job there is no order to decide, so the cache is not read.
            let last = match tasks.len() {
                1 => Duration::ZERO,
                _ => *times.entry(&task.linter).or_insert_with_key(|linter| self.last_time(linter)),
            };
            order.push((last, at));
        }
        order.sort_by_key(|(last, at)| (std::cmp::Reverse(*last), *at));
        let mut results: Vec<Option<JobResult>> = tasks.iter().map(|_| None).collect();
        // In slices, so that the progress moves; large ones, so that no core idles.
        for slice in order.chunks((8 * self.parallelism()).max(16)) {
            let jobs: Vec<Job> =
                slice.iter().filter_map(|(_, at)| tasks.get(*at)).map(|task| task.job.clone()).collect();
            // Before they run: they may take minutes.
            if let Some(task) = slice.first().and_then(|(_, at)| tasks.get(*at)) {
                self.advance(&task.linter, 0);
            }
            let finished = self.workshop.run(&jobs, self.limits());
            for ((last, at), ran) in slice.iter().zip(finished) {
                if let Some(task) = tasks.get(*at) {
                    self.store_time(&task.linter, *last, ran.took);
                    self.advance(&task.linter, task.steps);
                }
                if let Some(place) = results.get_mut(*at) {
                    *place = Some(ran);
                }
            }
        }
        results.into_iter().map(|ran| ran.unwrap_or_else(never_ran)).collect()
    }

    pub(super) fn limits(&self) -> Limits {
        let timeout = self.deadline.saturating_sub(self.workshop.elapsed());
        Limits { timeout, at_a_time: self.settings.processes, output_bytes: OUTPUT_BYTES }
    }

    fn last_time(&self, linter: &str) -> Duration {
        let cached = self.workshop.cached_result(&self.time_key(linter));
        let millis = cached.and_then(|cached| String::from_utf8(cached).ok()?.parse().ok());
        // A linter that never ran may be slow.
        millis.map_or(Duration::MAX, Duration::from_millis)
    }

    fn store_time(&self, linter: &str, last: Duration, now: Duration) {
        // It decides only the order: small differences are not worth a write.
        // Zero means that the last time was not looked up.
        if !last.is_zero() && last.abs_diff(now) > last / 2 {
            self.workshop.cache_result(&self.time_key(linter), whole_millis(now).to_string().as_bytes());
        }
    }

    fn time_key(&self, linter: &str) -> String {
        keys::key(self.workshop, "millis", &[self.root, linter])
    }

    /// The job of a command.
    pub(super) fn job(&self, command: &Command, entry: &Entry, place: PlaceholderValues<'_>) -> Job {
        let program = match &command.runner {
            Runner::Builtin(_) => AbsolutePath::default(),
            Runner::Program(program) => program.path.clone(),
        };
        let (timeout, memory) = self.limits_of(entry, place.files.len());
        Job {
            program,
            timeout,
            memory,
            arguments: placeholders::fill(&command.words, place),
            folder: command.folder.clone(),
            set: entry_environment(entry),
            unset: COLOURING.iter().map(|name| (*name).to_owned()).collect(),
            in_seatbelt: true,
            ..Job::default()
        }
    }

    /// How long one command of a linter may take for that many files, and how many bytes it may use.
    fn limits_of(&self, entry: &Entry, files: usize) -> (Option<Duration>, Option<u64>) {
        // The deadline of linters of the project is for one run of them.
        let is_of_project = entry.reach == Some(Reach::Project);
        let seconds = if is_of_project { 0 } else { self.settings.timeout_seconds };
        let seconds = u64::from(entry.timeout_seconds.unwrap_or(seconds));
        // One that reads other files too has the whole project in memory, whatever it is asked about.
        let reads_project = is_of_project || entry.reads == Some(Reads::Project);
        let megabytes = if reads_project { self.settings.project.memory_mb } else { self.settings.memory_mb };
        let megabytes = u64::from(entry.memory_mb.unwrap_or(megabytes));
        let times = u64::try_from(files.div_ceil(FILES_OF_AN_EDIT).max(1)).unwrap_or(u64::MAX);
        let timeout = (seconds > 0).then(|| Duration::from_secs(seconds.saturating_mul(times)));
        (timeout, (megabytes > 0).then(|| megabytes * MEGABYTE))
    }

    /// A command of a linter for a file. Reports the linter as missing if its program is not installed.
    pub(super) fn command(
        &mut self,
        linter: &'a Linter,
        template: CommandTemplate<'a>,
        path: &AbsolutePath,
    ) -> Option<Arc<Command>> {
        let (near, about) = (path.folder(), About::command(linter, template.words));
        // Two files of a folder may be checked with different options.
        let choice = self.choice(linter, path).and_then(|choice| choice.of_project().cloned());
        let known = self.commands.get(about, &near).filter(|(known, _)| *known == choice);
        let found = match known {
            Some((_, found)) => found,
            None => {
                let found = self.find_command(linter, template, (path, choice.as_ref()));
                self.commands.insert(about, &near, (choice, found)).1
            }
        };
        let file = || path.strip_folder(self.root).unwrap_or_default();
        match found {
            FoundCommand::Yes(command) => return Some(command),
            FoundCommand::Untrusted => self.failures.untrusted(linter, file()),
            FoundCommand::Missing(program) => {
                let usual = linter.entry.install.as_deref().unwrap_or_default();
                // What the project declares is installed with the rest of it.
                let declared = keys::ancestors(self.root, &path.folder())
                    .find_map(|above| installers::of_linter(self.workshop, usual, &above));
                let missing = Missing { program: &program, declared };
                self.failures.missing(linter, &missing, file());
            }
            FoundCommand::NotNeeded => {}
        }
        None
    }

    fn find_command(
        &mut self,
        linter: &Linter,
        template: CommandTemplate<'_>,
        (path, choice): (&AbsolutePath, Option<&ProjectChoice>),
    ) -> FoundCommand {
        let near = path.folder();
        if self.leaves_out(linter, template.words, &near) {
            return FoundCommand::Untrusted;
        }
        // A config that is named in a command may name code to load.
        if choice.is_some_and(|choice| choice.names_files)
            && self.request.project_code == ProjectCode::LeaveOut
        {
            return FoundCommand::Untrusted;
        }
        let folder = self.folder(linter, template.folder, path);
        let options = choice.map_or(&[][..], |choice| &choice.options);
        let read = |name: &str| self.text(&folder.join(name));
        let words = add_words(template.words, template.with, options, &read);
        let words = self.fill_found_values(linter, words, (path, &folder));
        match self.programs.command(self.workshop, (&linter.entry, &words), &near) {
            Some(command) => {
                let mut command = Command { folder, ..command };
                command.fingerprint = self.command_fingerprint(linter, &command, &near);
                FoundCommand::Yes(Arc::new(command))
            }
            // One that the project itself chose is missed.
            None if linter.entry.optional == Some(true) && choice.is_none() => FoundCommand::NotNeeded,
            None => {
                let started_by = linter.entry.via.as_deref().unwrap_or_default().iter().take(1);
                let needed = started_by.chain(words.first());
                let mut missing = needed.filter(|name| !self.programs.has(self.workshop, name, &near));
                let program = missing.next().map_or("", String::as_str);
                match self.has_own_program(program, &near) {
                    true => FoundCommand::Untrusted,
                    false => FoundCommand::Missing(program.to_owned()),
                }
            }
        }
    }

    fn command_fingerprint(&mut self, linter: &Linter, command: &Command, near: &AbsolutePath) -> String {
        let entry = self.linter_fingerprint(linter);
        let configs = self.configs_fingerprint(linter, near);
        let words = format!("{:?} {}", command.words, command.folder);
        keys::key(self.workshop, "command", &[&entry, command.identity(), &configs, &words, self.root])
    }

    /// Whether a command of a linter is not run for files of a folder, because it would run code of a project that nobody
    /// trusts.
    pub(super) fn leaves_out(&mut self, linter: &Linter, words: &[String], folder: &AbsolutePath) -> bool {
        self.request.project_code == ProjectCode::LeaveOut
            && project_code::is_run(&mut self.disk_state, self.workshop, linter, words, folder)
    }

    /// Whether the project has a program of its own that is not used.
    fn has_own_program(&self, program: &str, folder: &AbsolutePath) -> bool {
        let query =
            || ProgramQuery { name: program.to_owned(), near: folder.clone(), places: Places::ProjectFirst };
        self.request.project_code == ProjectCode::LeaveOut && self.workshop.find(&query()).is_some()
    }

    /// The folder in which a command about a file runs.
    pub(super) fn folder(&mut self, linter: &Linter, folder: Folder, path: &AbsolutePath) -> AbsolutePath {
        let near = path.folder();
        let found = match (folder, &linter.entry.needs) {
            (Folder::Root, _) => None,
            (Folder::File, _) => Some(near),
            (Folder::Config, Some(needs)) => self.disk_state.nearest_folder(self.workshop, needs, &near),
            (Folder::Config, None) => self.config_folder(linter, &near),
        };
        found.unwrap_or_else(|| self.root.to_owned())
    }

    /// The nearest folder with a config of a linter, from a folder up to the root.
    fn config_folder(&mut self, linter: &Linter, folder: &AbsolutePath) -> Option<AbsolutePath> {
        configs::nearest_folder(&mut self.disk_state, self.workshop, linter, folder)
    }

    /// Reports that a linter failed on a file. A config that it cannot use is named.
    pub(super) fn report_failure(&mut self, linter: &Linter, failure: &Failure, file: &str) {
        if let Some((_, fix)) = TOOLCHAINS.iter().find(|(text, _)| failure.said.contains(text)) {
            return self.failures.without_toolchain(linter, fix, file);
        }
        if let Some(command) = self.missing_packages(linter, failure, file) {
            return self.failures.not_installed(linter, failure, (command, file));
        }
        match broken_config::place(self.workshop, linter, &failure.said, file) {
            Some(place) => self.failures.broken_config(linter, failure, (&place, file)),
            None => self.failures.failed(linter, failure, file),
        }
    }

    /// The command that installs the packages of the project, where they are missing and a linter that needs them failed: it
    /// is declared there in a version of its own, or says that it cannot find something.
    fn missing_packages(&self, linter: &Linter, failure: &Failure, file: &str) -> Option<&'static str> {
        let usual = linter.entry.install.as_deref().unwrap_or_default();
        let ecosystem = Ecosystem::of(usual).filter(|_| failure.kind == FailureKind::Failed)?;
        let folder = self.root.join(file).folder();
        let is_there = |folder: &AbsolutePath| {
            ecosystem.folders().iter().any(|name| self.workshop.stat(&folder.join(name)).is_some())
        };
        if failure.said.is_empty() || keys::ancestors(self.root, &folder).any(|above| is_there(&above)) {
            return None;
        }
        let misses = MISSES.iter().any(|text| failure.said.contains(text));
        keys::ancestors(self.root, &folder).find_map(|above| {
            let declared = installers::of_linter(self.workshop, usual, &above);
            declared.or_else(|| installers::of_folder(self.workshop, ecosystem, &above).filter(|_| misses))
        })
    }

    /// What chose a linter for a file.
    pub(super) fn choice(&mut self, linter: &'a Linter, path: &AbsolutePath) -> Option<Choice> {
        let about = About::linter(linter);
        if let Some(known) = self.chosen.get(about, path) {
            return Some(known);
        }
        let choice = self.choices.find(self.workshop, (linter, &self.settings.linters), path)?;
        Some(self.chosen.insert(about, path, choice))
    }

    /// The words, with the values that are found in files of the project.
    fn fill_found_values(
        &self,
        linter: &Linter,
        mut words: Vec<String>,
        (path, folder): (&AbsolutePath, &AbsolutePath),
    ) -> Vec<String> {
        for (name, find) in linter.entry.finds.iter().flatten() {
            let mark = format!("{{{name}}}");
            if !words.iter().any(|word| word.contains(&mark)) {
                continue;
            }
            let places = keys::ancestors(self.root, &path.folder());
            let files = places.filter_map(|place| {
                let text = self.text(&place.join(&find.file))?;
                Some((place, text))
            });
            let value = find.find_value(folder, files);
            words = words.iter().map(|word| word.replace(&mark, &value)).collect();
        }
        words
    }

    /// Whether a linter acts on a file that it is for: what it needs is there, and something chose it.
    pub(super) fn acts_on(&mut self, linter: &'a Linter, path: &AbsolutePath) -> bool {
        let (about, folder) = (About::linter(linter), path.folder());
        let is_equipped = self.equipped.get(about, &folder).unwrap_or_else(|| {
            let has = has_files(&mut self.disk_state, self.workshop, &linter.entry, &folder);
            self.equipped.insert(about, &folder, has)
        });
        is_equipped && self.choice(linter, path).is_some()
    }

    /// Whether a check would write, because a config of the linter matches this pattern.
    pub(super) fn would_write(&mut self, linter: &'a Linter, pattern: &str, path: &AbsolutePath) -> bool {
        if pattern.is_empty() {
            return false;
        }
        let (about, folder) = (About::linter(linter), path.folder());
        self.writing.get(about, &folder).unwrap_or_else(|| {
            let writes = self.has_config_like(linter, pattern, path);
            self.writing.insert(about, &folder, writes)
        })
    }

    fn has_config_like(&self, linter: &Linter, pattern: &str, path: &AbsolutePath) -> bool {
        let Ok(pattern) = Regex::new(pattern) else { return false };
        let names = linter.entry.configs.as_deref().unwrap_or_default();
        keys::ancestors(self.root, &path.folder()).any(|folder| {
            let mut texts = names.iter().filter_map(|name| self.text(&folder.join(name)));
            texts.any(|text| pattern.is_match(&text))
        })
    }

    fn text(&self, path: &AbsolutePath) -> Option<String> {
        String::from_utf8(self.workshop.read(path, LARGEST_FILE).ok().flatten()?).ok()
    }

    /// Caches a result, at the latest at the end of the run.
    pub(super) fn cache_result(&mut self, key: &str, result: Vec<u8>) {
        self.results.push((key.to_owned(), result));
    }

    /// Writes what is to be cached: many results together.
    pub(super) fn flush_results(&mut self) {
        let results = std::mem::take(&mut self.results);
        if !results.is_empty() {
            self.workshop.cache_results(&results);
        }
    }

    /// A fingerprint of an entry.
    pub(super) fn linter_fingerprint(&mut self, linter: &Linter) -> String {
        let write = || {
            // The whole entry: any changed option may change what is found.
            let text = serde_json::to_string(linter).unwrap_or_else(|_| format!("{linter:?}"));
            self.workshop.hash(text.as_bytes()).as_str().to_owned()
        };
        self.linter_fingerprints.entry(linter.name.clone()).or_insert_with(write).clone()
    }

    /// A fingerprint of all config files of a linter that apply to a file in this folder.
    pub(super) fn configs_fingerprint(&mut self, linter: &Linter, folder: &AbsolutePath) -> String {
        let mut names = linter.entry.configs.clone().unwrap_or_default();
        let checks = linter.entry.check.iter().flat_map(|check| &check.with_config);
        let filters = linter.entry.format.iter().flatten().flat_map(|filter| &filter.with_config);
        // Files that decide the words of a command are configs as well.
        names.extend(checks.chain(filters).map(|with| with.file.clone()));
        names.extend(linter.entry.finds.iter().flatten().map(|(_, find)| find.file.clone()));
        names.sort_unstable();
        names.dedup();
        self.disk_state.configs_fingerprint(self.workshop, &names, folder)
    }

    /// A fingerprint of the files of the project that a linter reads; `None` if there are too many.
    pub(super) fn project_fingerprint(&mut self, linter: &Linter) -> Option<String> {
        let included = linter.entry.files.as_deref().unwrap_or_default();
        self.disk_state.project_fingerprint(self.workshop, included, &self.settings.exclude)
    }

    /// The folders of `quality.project.folders` that exist; the root if none does.
    pub(super) fn project_folders(&self) -> Vec<String> {
        let is_there = |folder: &&String| {
            let path = self.root.join(folder.trim_end_matches('/'));
            self.workshop.stat(&path).is_some_and(|stat| stat.is_folder)
        };
        let folders: Vec<String> = self.settings.project.folders.iter().filter(is_there).cloned().collect();
        if folders.is_empty() { vec![".".to_owned()] } else { folders }
    }
}

/// The result of the search for a command.
#[derive(Clone)]
enum FoundCommand {
    Yes(Arc<Command>),
    /// It would run code of a project that nobody trusts.
    Untrusted,
    /// This program is not installed.
    Missing(String),
    /// It is not installed, which is not worth a word.
    NotNeeded,
}

/// A command as an entry writes it.
#[derive(Clone, Copy)]
pub(super) struct CommandTemplate<'r> {
    pub words: &'r [String],
    pub with: &'r [WithConfig],
    pub folder: Folder,
}

impl<'r> CommandTemplate<'r> {
    /// A command of a check.
    pub(super) fn for_check(check: &'r Check, words: &'r [String]) -> CommandTemplate<'r> {
        CommandTemplate { words, with: &check.with_config, folder: check.folder }
    }

    /// A command of a filter.
    pub(super) fn for_filter(filter: &'r Filter, words: &'r [String]) -> CommandTemplate<'r> {
        CommandTemplate { words, with: &filter.with_config, folder: filter.folder }
    }
}

/// A job of a linter.
pub(super) struct Task {
    pub linter: String,
    pub job: Job,
    /// How many steps it counts for.
    pub steps: usize,
}

/// The result of a job that was not run.
pub(super) fn never_ran() -> JobResult {
    let ending = Ending::NotStarted("it was not run".to_owned());
    JobResult { ending, stdout: Vec::new(), stderr: Vec::new(), cut: false, took: Duration::ZERO }
}

/// The variables that an entry sets, and the one that asks for output without colours.
fn entry_environment(entry: &Entry) -> BTreeMap<String, String> {
    let mut set = BTreeMap::from([("NO_COLOR".to_owned(), "1".to_owned())]);
    set.extend(entry.env.iter().flatten().map(|(name, value)| (name.clone(), value.clone())));
    set
}
