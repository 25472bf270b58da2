//! What is kept from the commands of an agent in a project.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use flyball_clients::CLIENTS;
use flyball_clients::install::Places;
use flyball_core::config::{Config, Mode};
use flyball_core::event::SessionId;
use flyball_core::grant::Grant;
use flyball_core::path::AbsolutePath;
use flyball_core::policy::Policy;
use flyball_core::time::Time;
use flyball_effects::Line;
use flyball_policies::guard::protected::{self, Coverage, ProtectedProject, Protection};
use flyball_policies::seatbelt::{self, Level, Lifted, Net, Route, Settings};
use flyball_seatbelt::Plan;
use flyball_world::approvals::Approvals;
use flyball_world::executable::is_of_system;
use flyball_world::grants::Grants;
use flyball_world::machine::{Machine, Resolver};
use flyball_world::{git, users};

use super::folders::{CACHES, MADE_BY, SECRETS, TEMPORARY, cover_in};
use crate::environment::{self, Environment};
use crate::hook;
use crate::install::on_path;
use crate::outcome::Failed;
use crate::own_files::{obeyed_files, own_files};

/// More files are not bound one by one; the guards still read what is done with them.
const MOST_FILES: usize = 256;

/// A project whose agents' commands are kept from some places.
pub(crate) struct Cover {
    environment: Environment,
    root: PathBuf,
    folder: PathBuf,
    config: Arc<Config>,
    settings: Settings,
    paths: Resolver,
}

/// Where a command runs.
pub(crate) enum Placement {
    Inside(Plan),
    Outside,
    /// Outside, by programs of the system alone.
    OfSystem,
}

/// What can be changed all the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Opened {
    /// Protected files of the project.
    project: bool,
    /// flyball's own files in it.
    own: bool,
    /// What configures git; with the data of the repository that it is for, if there is one.
    git: Option<Option<PathBuf>>,
}

/// The folder below the state directory in which the programs that flyball starts write what they were given to write.
const SCRATCH: &str = "scratch";

impl Cover {
    /// For a command in this folder, of the agent of a session if one is known; `None` if the seatbelt is switched off.
    pub(crate) fn find(session: Option<(&str, SessionId)>, folder: &Path) -> Result<Option<Cover>, Failed> {
        let environment = Environment::read();
        let ignored = hook::variables_of_project(folder, &environment);
        let environment = if ignored.is_empty() { environment } else { Environment::read_without(&ignored) };
        let (root, config) = hook::of_session(session, folder, &environment);
        Cover::new(environment, &root, folder, config)
    }

    /// For the programs that flyball starts in a project.
    pub(crate) fn of_project(
        environment: &Environment,
        root: &Path,
        config: &Arc<Config>,
    ) -> Result<Option<Cover>, Failed> {
        Cover::new(environment.clone(), root, root, Arc::clone(config))
    }

    fn new(
        environment: Environment,
        root: &Path,
        folder: &Path,
        config: Arc<Config>,
    ) -> Result<Option<Cover>, Failed> {
        let settings = match config.sections.get(seatbelt::POLICY.id.as_str()) {
            Some(section) if section.mode != Mode::Enforce => return Ok(None),
            Some(section) => section.parse()?,
            None => Settings::default(),
        };
        let paths = Resolver::default();
        let (root, folder) = (paths.real(root), folder.to_owned());
        Ok(Some(Cover { environment, root, folder, config, settings, paths }))
    }

    pub(crate) const fn level(&self) -> Level {
        self.settings.level
    }

    pub(crate) const fn net(&self) -> Net {
        self.settings.net
    }

    /// Where a command line of the agent runs; without one, inside with nothing lifted.
    pub(crate) fn placement(&self, command: Option<&str>) -> Result<Placement, Failed> {
        let lifted = match command.map(|command| seatbelt::route(command, users::wearer())) {
            // Another one of that name would be the agent's.
            Some(Route::Outside(program)) if on_path(program).is_some_and(|path| is_of_system(&path)) => {
                return Ok(Placement::Outside);
            }
            Some(Route::Processes) => return Ok(Placement::OfSystem),
            Some(Route::Inside(lifted)) => lifted,
            Some(Route::Outside(_)) | None => Lifted::default(),
        };
        Ok(Placement::Inside(self.plan(&self.opened(lifted, command), command)?))
    }

    /// What a program of the project is kept from that flyball starts itself. It may write where it is told to.
    pub(crate) fn of_own_program(&self) -> Result<Plan, Failed> {
        let plan = self.plan(&Opened::default(), None)?;
        let scratch = self.environment.state_dir().map(|state| self.paths.real(&state.join(SCRATCH)));
        let free = scratch.into_iter().filter(|folder| std::fs::create_dir_all(folder).is_ok()).collect();
        Ok(Plan { free, ..plan })
    }

    /// What is lifted for a line in which git works. For more than protected files, that git starts nothing else is needed: it would
    /// have what git has.
    fn opened(&self, lifted: Lifted, command: Option<&str>) -> Opened {
        let protected = Opened { project: lifted.project, ..Opened::default() };
        let line = command.filter(|_| lifted.git_config || lifted.own).map(Line::read);
        let Some(line) = line else { return protected };
        let Some(calls) = seatbelt::calls_of_git(&line) else { return protected };
        let is_systems = |name: &str| on_path(name).is_some_and(|path| is_of_system(&path));
        let is_by_systems = calls.iter().all(|call| call.by.as_deref().is_none_or(is_systems));
        let calls: Vec<git::Called> = calls.into_iter().flat_map(|call| self.located(call)).collect();
        let Some(data) = calls.first().map(|call| git::data_of(&call.folder)) else { return protected };
        let is_one = calls.iter().all(|call| git::data_of(&call.folder) == data);
        // Only in the root itself nobody can put another repository beside the files.
        let is_settled = !seatbelt::changes_files(&line) || calls.iter().all(|call| call.folder == self.root);
        let path = environment::variable("PATH").unwrap_or_default();
        if !is_by_systems || !is_one || !is_settled || !git::starts_only_the_systems(&path, &calls) {
            return protected;
        }
        let is_projects = data == git::data_of(&self.root);
        Opened { own: lifted.own && is_projects, git: lifted.git_config.then_some(data), ..protected }
    }

    /// A call of git, for each folder that it may be in.
    fn located(&self, call: seatbelt::Called) -> impl Iterator<Item = git::Called> {
        let seatbelt::Called { folders, verb, .. } = call;
        folders.into_iter().map(move |folder| {
            let home = self.environment.home.as_ref().filter(|_| folder == "~" || folder.starts_with("~/"));
            let place = match home {
                Some(home) => home.join(folder.trim_start_matches(['~', '/'])),
                None => self.folder.join(&folder),
            };
            git::Called { folder: self.paths.real(&place), verb: verb.clone() }
        })
    }

    fn plan(&self, opened: &Opened, command: Option<&str>) -> Result<Plan, Failed> {
        let Some(state) = self.environment.state_dir() else {
            return Err(Failed::new(
                "no home directory, so nothing can be protected",
                "set HOME or FLYBALL_STATE_DIR",
            ));
        };
        let cover = cover_in(state);
        std::fs::create_dir_all(&cover).map_err(|cause| {
            Failed::new(format!("cannot make {}: {cause}", cover.display()), "is the disk full or read-only?")
        })?;
        let net = match self.settings.net {
            Net::On => flyball_seatbelt::Net::On,
            Net::Off => flyball_seatbelt::Net::Off,
        };
        Ok(Plan {
            cover: self.paths.real(&cover),
            read_only: self.read_only(state, opened)?,
            free: Vec::new(),
            writable: (self.settings.level >= Level::Project).then(|| self.writable()),
            work: if self.settings.level >= Level::Project { self.work() } else { Vec::new() },
            hidden: if self.settings.level >= Level::Secrets { self.hidden(command) } else { Vec::new() },
            net,
        })
    }

    /// What nobody may change, as far as it is there; nothing twice.
    fn read_only(&self, state: &Path, opened: &Opened) -> Result<Vec<PathBuf>, Failed> {
        let grants = Grants::for_project(state, &self.root).active(Time::now()).unwrap_or_default();
        let mut own = own_files(&self.environment, &self.root);
        own.extend(obeyed_files(&self.config, &self.root));
        let mut paths: Vec<PathBuf> = own.iter().map(|own| PathBuf::from(own.path.as_str())).collect();
        if opened.own && self.environment.home.as_deref() != Some(&self.root) {
            paths.retain(|path| !self.paths.real(path).starts_with(&self.root));
        }
        paths.extend(self.sourced());
        paths.extend(self.of_git(opened));
        if !opened.project {
            let protected = self.protected(state)?;
            paths.extend(protected.into_iter().take(MOST_FILES));
        }
        let mut found: Vec<PathBuf> = paths.iter().filter_map(|path| self.paths.existing(path)).collect();
        found.retain(|path| path != Path::new("/") && !is_allowed(&grants, path));
        found.sort_unstable();
        found.dedup_by(|path, above| path.starts_with(above));
        Ok(found)
    }

    /// What git obeys in the project, and for the user.
    fn of_git(&self, opened: &Opened) -> Vec<PathBuf> {
        let home = self.environment.home.as_deref();
        let folder = environment::variable("XDG_CONFIG_HOME").map(PathBuf::from);
        let folder = folder.or_else(|| Some(home?.join(".config")));
        let of_user = home
            .map(|home| home.join(".gitconfig"))
            .into_iter()
            .chain(folder.map(|it| it.join("git/config")));
        let mut paths: Vec<PathBuf> = of_user.filter(|_| opened.git.is_none()).collect();
        let Some(git) = git::obeyed(&self.root) else { return paths };
        // What is not there cannot be protected. A repository without it is as one in which it is empty.
        if git.data.join("HEAD").exists() {
            git.hooks.iter().for_each(|hooks| drop(std::fs::create_dir(hooks)));
        }
        paths.extend(git.hooks);
        let data = opened.git.iter().flatten().next();
        let is_opened = |path: &PathBuf| data.is_some_and(|data| self.paths.real(path).starts_with(data));
        paths.extend(git.configs.into_iter().chain(git.pointers).filter(|path| !is_opened(path)));
        paths
    }

    /// What clients load before each command, which would be code of the agent in a line that the guards have read.
    fn sourced(&self) -> Vec<PathBuf> {
        let home = self.environment.home.as_deref().unwrap_or(&self.root);
        let places = Places { project: &self.root, home, variable: &environment::variable };
        let all = CLIENTS.iter().flat_map(|client| {
            client.facts().sourced.iter().map(|place| client.facts().locate(place, &places))
        });
        all.collect()
    }

    /// The files of which all is protected, and that a session has found.
    fn protected(&self, state: &Path) -> Result<Vec<PathBuf>, Failed> {
        let policy: &Policy = &protected::POLICY;
        let section = self.config.sections.get(policy.id.as_str());
        if section.is_some_and(|section| section.mode != Mode::Enforce) {
            return Ok(Vec::new());
        }
        let settings =
            section.map_or_else(|| Ok(protected::Settings::default()), |section| section.parse())?;
        let ledger = Approvals::for_project(state, &self.root).read()?;
        if ledger.files().next().is_none() {
            return Ok(Vec::new());
        }
        let home = self.environment.home.clone();
        // Whether one of them is flyball's own does not matter: those are read-only anyway.
        let machine = Machine::new(Instant::now(), home, &self.root, Vec::new(), flyball_clients::FACTS);
        let project = ProtectedProject::new(&machine, Protection::new(settings, flyball_clients::FACTS));
        let whole =
            ledger.files().map(|(path, _)| path).filter(|path| project.coverage(path) == Coverage::Whole);
        Ok(whole.map(|path| PathBuf::from(path.as_str())).collect())
    }

    /// What can be written at the level `project`.
    fn writable(&self) -> Vec<PathBuf> {
        let home = self.environment.home.clone().unwrap_or_default();
        let mut folders = self.work();
        self.make_caches(&home);
        folders.extend(CACHES.iter().map(|folder| home.join(folder)));
        folders.extend(CLIENTS.iter().map(|client| home.join(client.facts().home_folder)));
        folders.push(users::runtime_folder());
        real_folders(&self.paths, &folders)
    }

    /// Makes the caches that are not there yet and that a tool of this machine would make.
    fn make_caches(&self, home: &Path) {
        let caches = [(None, ".cache")].into_iter().chain(MADE_BY.map(|(tool, cache)| (Some(tool), cache)));
        for (tool, cache) in caches {
            let folder = home.join(cache);
            if self.environment.home.is_some()
                && !folder.exists()
                && tool.is_none_or(|tool| on_path(tool).is_some())
            {
                // Without it the tool says what it lacks.
                drop(std::fs::create_dir_all(folder));
            }
        }
    }

    /// Those of them in which the agent works.
    fn work(&self) -> Vec<PathBuf> {
        let mut folders = vec![self.root.clone(), environment::temporary_directory()];
        folders.extend(TEMPORARY.iter().map(PathBuf::from));
        folders.extend(self.settings.write.iter().map(|folder| self.expand(folder)));
        if let Some(git) = git::obeyed(&self.root) {
            folders.push(git.data);
            folders.extend(git.checkouts);
        }
        real_folders(&self.paths, &folders)
    }

    /// The secrets that this command cannot read.
    fn hidden(&self, command: Option<&str>) -> Vec<PathBuf> {
        let Some(home) = &self.environment.home else { return Vec::new() };
        let line = command.map(Line::read);
        let calls = |programs: &[&str]| {
            let commands = line.iter().flat_map(|line| &line.script.commands);
            commands.filter_map(|command| command.program_name()).any(|name| programs.contains(&name))
        };
        let read: Vec<PathBuf> = self.settings.read.iter().map(|path| self.expand(path)).collect();
        let known = SECRETS.iter().filter(|secret| !calls(secret.needed_by)).map(|secret| secret.path);
        let of_clients = CLIENTS.iter().flat_map(|client| client.facts().shared.secret_files.iter().copied());
        known.chain(of_clients).flat_map(|path| self.all_but(home.join(path), &read)).collect()
    }

    /// A secret, or what else is in its folder where something in there may be read.
    fn all_but(&self, path: PathBuf, read: &[PathBuf]) -> Vec<PathBuf> {
        let is_read = || read.iter().any(|read| path.starts_with(read));
        let Some(real) = self.paths.existing(&path).filter(|_| !is_read()) else { return Vec::new() };
        if !read.iter().any(|read| read.starts_with(&path)) {
            return vec![real];
        }
        let entries = std::fs::read_dir(&path).into_iter().flatten().flatten();
        entries.flat_map(|entry| self.all_but(entry.path(), read)).collect()
    }

    /// A path of the settings: `~` is the home, and a relative one begins at the project.
    fn expand(&self, path: &str) -> PathBuf {
        match (path.strip_prefix('~'), &self.environment.home) {
            (Some(below), Some(home)) => home.join(below.trim_start_matches('/')),
            _ => self.root.join(path),
        }
    }

    /// The folder in which the command runs.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }
}

/// The folders that are there, and no folder twice.
fn real_folders(paths: &Resolver, folders: &[PathBuf]) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> =
        folders.iter().filter(|folder| folder.is_dir()).map(|folder| paths.real(folder)).collect();
    found.sort_unstable();
    found.dedup_by(|path, above| path.starts_with(above));
    found
}

fn is_allowed(grants: &[Grant], path: &Path) -> bool {
    let path = AbsolutePath::from_path(path);
    grants.iter().any(|grant| grant.is_for_file(&path))
}
