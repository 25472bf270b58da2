//! A project of samples, in which linters are run.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use flyball_core::path::AbsolutePath;
use flyball_core::workshop::{Ending, Job, JobResult, Limits, Places, ProgramQuery, Programs};
use flyball_policies::guard::gaming::guards;
use flyball_quality::linter::{Entry, Linter, Origin, Reach};
use flyball_quality::pipeline::{self, Fixes, ModelUse, ProjectCode, RunRequest, Write};
use flyball_quality::samples::{Kind, SAMPLES};
use flyball_quality::scope::Base;
use flyball_quality::settings::Settings;
use flyball_quality::{builtin, version};
use flyball_world::machine::Machine;

use super::trial::{Found, Trial, judge};
use crate::environment::{self, Environment};
use crate::outcome::Failed;
use crate::temporary::TemporaryFolder;

/// How long a program may take to print its version.
const VERSION_TIMEOUT: Duration = Duration::from_secs(20);
/// How long one linter may take: those that compile take their time.
const DEADLINE_SECONDS: u32 = 120;

/// The samples in a folder of their own.
pub(super) struct Project {
    folder: TemporaryFolder,
    machine: Machine,
    files: Vec<AbsolutePath>,
    _state: TemporaryFolder,
}

impl Project {
    pub(super) fn new() -> Result<Project, Failed> {
        let folder = TemporaryFolder::new()?;
        let mut files = Vec::new();
        for sample in SAMPLES {
            let path = folder.write(sample.file, sample.text)?;
            // Parts only make the others a project; nothing is expected of them.
            if sample.kind != Kind::Part {
                files.push(AbsolutePath::from_path(&path));
            }
        }
        files.sort_unstable();
        // A state of its own: results must not come from a cache.
        let state = TemporaryFolder::new()?;
        let machine = Machine::new(
            Instant::now(),
            Environment::read().home,
            folder.path(),
            Vec::new(),
            flyball_clients::FACTS,
        );
        let machine = machine.with_state(Some(state.path())).with_environment(environment::variable);
        Ok(Project { machine, folder, files, _state: state })
    }

    /// Runs one linter on all samples.
    pub(super) fn try_out(&self, linter: &Linter, settings: &Settings) -> Trial {
        let settings = Settings {
            // Alone: all that fails or is found belongs to this linter.
            // The samples need not choose it.
            linters: vec![Linter { origin: Origin::Own, ..linter.clone() }],
            deadline_seconds: DEADLINE_SECONDS,
            timeout_seconds: 0,
            ..settings.clone()
        };
        let request = RunRequest {
            settings: &settings,
            files: &self.files,
            // The samples are shared by all linters: each has to see them unformatted.
            write: Write::No,
            fixes: Fixes::Never,
            model: ModelUse::Never,
            project_code: ProjectCode::Run,
            guards: guards(flyball_clients::FACTS),
            base: &Base::Head,
            earlier: &BTreeMap::new(),
            project: linter.entry.reach == Some(Reach::Project),
            progress: &|_| {},
        };
        judge(linter, &pipeline::run(&request, &self.machine), self.find(&linter.entry))
    }

    /// The program of a linter, and its version.
    fn find(&self, entry: &Entry) -> Found {
        let root = AbsolutePath::from_path(self.folder.path());
        let name = match entry.program() {
            Some(name) if name.starts_with(builtin::PREFIX) => return Found::BuiltIn,
            Some(name) => name.to_owned(),
            None => return Found::Nowhere,
        };
        let Some(program) =
            self.machine.find(&ProgramQuery { name, near: root.clone(), places: Places::ProjectFirst })
        else {
            return Found::Nowhere;
        };
        let ask = entry.version.as_ref().map(|floor| floor.ask.clone()).filter(|ask| !ask.is_empty());
        // Programs without `--version` fail, and some with another way to ask fail too.
        let is_answer = |ran: &JobResult| ran.ending == Ending::Exited(0) || ask.is_some();
        let job = Job {
            program: program.path.clone(),
            arguments: ask.clone().unwrap_or_else(|| vec!["--version".to_owned()]),
            folder: root,
            // Without these variables, some ask a server for updates and wait for it.
            set: entry.env.clone().unwrap_or_default(),
            ..Job::default()
        };
        let limits = Limits { timeout: VERSION_TIMEOUT, ..Limits::default() };
        let ran = self.machine.run(&[job], limits).into_iter().next().filter(is_answer);
        // Some programs print their version to standard error.
        let output = ran.map(|ran| [ran.stdout, ran.stderr].concat()).unwrap_or_default();
        Found::At { path: program.path.into(), version: version::find(&String::from_utf8_lossy(&output)) }
    }
}
