//! Runs the linters: after an edit on what was edited, at the end on what is left.
//!
//! It runs after every call of a tool, so it must cost nothing where nothing was edited that a
//! linter is for.

use std::collections::BTreeMap;

use flyball_core::config::Mode;
use flyball_core::event::{EventData, Tool};
use flyball_core::facts::{EditRoute, SeenEdit};
use flyball_core::path::{AbsolutePath, strip_folder};
use flyball_core::policy::{Gathered, PolicyError, Situation};
use flyball_core::workshop::Workshop;
use flyball_core::world::real_root;
use flyball_quality::linter::Linter;
use flyball_quality::pipeline::{self, Fixes, ModelUse, ProjectCode, RunRequest, Write};
use flyball_quality::report::{FixOutcome, Formatted, Report, SkipReason, SkippedFile};
use flyball_quality::scope::Base;
use flyball_quality::settings::{AtStop, Settings};

use super::inputs::Inputs;
use super::memory::Session;
use super::{earlier, fixer_time, project};
use crate::guard::gaming::guards;
use crate::guard::protected::{self, Protection};
use crate::stamp::{Stamp, stamp};
use crate::worktree_updates::{only_updates_worktree, updates_worktree};

/// Set for what a fixer starts: its edits are checked by the session that started it.
const IN_FIXER: &str = "FLYBALL_IN_FIXER";

/// A file of the project.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct File {
    /// Below the project's root.
    name: String,
    path: AbsolutePath,
}

/// A file that may have been edited.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    file: File,
    /// Nothing names it: it was found to have changed while a command ran, or shortly before.
    is_noticed: bool,
}

pub(super) fn gather(
    situation: &Situation<'_>,
    workshop: &dyn Workshop,
) -> Result<Option<Gathered>, PolicyError> {
    let inputs = match &situation.event.happening {
        EventData::BeforeTool { .. } => {
            earlier::store(situation, workshop);
            None
        }
        EventData::AfterTool { call, .. } if matches!(call.tool, Tool::Edit(_) | Tool::Shell { .. }) => {
            gather_after_edit(situation, workshop)?
        }
        // A command may have edited before it failed; an edit that failed did not.
        EventData::ToolFailed { call, interrupted: false, .. } if matches!(call.tool, Tool::Shell { .. }) => {
            gather_after_edit(situation, workshop)?
        }
        // A subagent may still be editing; the end comes when it is done.
        EventData::Stop(stopping) if !stopping.has_running_subagent() => gather_at_stop(situation, workshop)?,
        _ => None,
    };
    Ok(inputs.map(|inputs| Box::new(inputs) as Gathered))
}

fn gather_after_edit(
    situation: &Situation<'_>,
    workshop: &dyn Workshop,
) -> Result<Option<Inputs>, PolicyError> {
    let line = situation.line();
    if line.is_some_and(only_updates_worktree) || workshop.variable(IN_FIXER).is_some() {
        return Ok(None);
    }
    let edits = situation.edits()?;
    if edits.is_empty() {
        return Ok(None);
    }
    let mut settings: Settings = situation.config()?;
    // After a checkout or a pull, files that are only noticed as changed come from the history.
    let moved = line.is_some_and(updates_worktree);
    let files =
        edited(situation, edits.iter().filter(|it| !moved || it.route != EditRoute::Noticed), &settings);
    let left_out = left_out(situation, edits, &settings);
    if files.is_empty() && !left_out.is_empty() {
        return Ok(Some(Inputs {
            report: Report { skipped: left_out, ..Report::default() },
            ..Inputs::default()
        }));
    }
    if files.is_empty() {
        return Ok(None);
    }
    let session: Session = situation.recall()?;
    let files: Vec<File> = files
        .into_iter()
        .filter(|it| !is_already_checked(situation, &session, it))
        .map(|it| it.file)
        .collect();
    if files.is_empty() {
        return Ok(None);
    }
    if files.len() > settings.files_at_once {
        return Ok(Some(Inputs { too_many: Some(files.len()), ..Inputs::default() }));
    }
    let fixes = if settings.at_stop == AtStop::Off { Fixes::Never } else { Fixes::Later };
    let allowed = match (situation.mode, fixer_time::limit_fixer(&settings, files.len())) {
        (Mode::Enforce, Some(limited)) if client_waits(situation) => {
            settings.fixer = limited;
            Allowed { write: Write::Yes, fixes, model: ModelUse::Allowed }
        }
        (Mode::Enforce, _) => Allowed { write: Write::Yes, fixes, model: ModelUse::Never },
        (Mode::Observe | Mode::Off, _) => Allowed::NOTHING,
    };
    let work = LintRun { situation, workshop, settings: &settings, session: &session };
    let mut inputs = work.check_files(&files, allowed);
    inputs.report.skipped.extend(left_out);
    let all = work.with_the_session(&files);
    let is_due = project::is_due_after(&settings, &session, all.iter().map(|file| file.name.as_str()));
    if is_due && client_waits(situation) {
        work.check_project(&all, &mut inputs);
    }
    Ok(Some(inputs))
}

/// Whether the client waits for what takes minutes: after a call that failed it does not.
fn client_waits(situation: &Situation<'_>) -> bool {
    !matches!(situation.event.happening, EventData::ToolFailed { .. })
}

/// When the agent wants to stop.
fn gather_at_stop(situation: &Situation<'_>, workshop: &dyn Workshop) -> Result<Option<Inputs>, PolicyError> {
    if workshop.variable(IN_FIXER).is_some() || !situation.remembers()? {
        return Ok(None);
    }
    let session: Session = situation.recall()?;
    let settings: Settings = situation.config()?;
    if session.files.is_empty() {
        return Ok(None);
    }
    let work = LintRun { situation, workshop, settings: &settings, session: &session };
    let (there, gone): (Vec<File>, Vec<File>) =
        work.with_the_session(&[]).into_iter().partition(|file| work.stamp(file).is_some());
    let matters = settings.at_stop != AtStop::Off;
    let due = there.iter().filter(|file| matters && work.is_due(file)).cloned();
    let (fixed, checked): (Vec<File>, Vec<File>) =
        due.partition(|file| situation.mode == Mode::Enforce && work.is_fixed_now(file));
    let mut inputs = work.check_files(&checked, Allowed::NOTHING);
    inputs.join(
        work.check_files(&fixed, Allowed { write: Write::Yes, fixes: Fixes::Now, model: ModelUse::Never }),
    );
    inputs.gone = gone.into_iter().map(|file| file.name).collect();
    let state = project::state(
        &settings,
        there.iter().filter_map(|file| Some((file.name.as_str(), work.stamp(file)?))),
    );
    if project::is_due_at_stop(&settings, &session, state) {
        work.check_project(&there, &mut inputs);
    }
    Ok(Some(inputs))
}

/// The files that this call edited and that a linter is for: there, below the root, each once.
fn edited<'e>(
    situation: &Situation<'_>,
    edits: impl Iterator<Item = &'e SeenEdit>,
    settings: &Settings,
) -> Vec<Candidate> {
    let world = situation.world;
    let root = real_root(world);
    let applies =
        |name: &str| settings.linters.iter().any(|linter| pipeline::applies_to_path(linter, name, settings));
    let protection = Protection::new(protected::Settings::default(), world.clients());
    let candidates =
        edits.filter(|edit| strip_folder(&edit.path, &root).is_some_and(applies)).filter_map(|edit| {
            // A file that is found on disk may be behind a link out of the project.
            let path = world.real_path(&edit.path, ".");
            let name = strip_folder(&path, &root).filter(|name| applies(name))?;
            // Another policy handles a command that changes the rules of the checks: formatting what it
            // wrote would change them once more.
            let is_rule = edit.route != EditRoute::Tool && protection.find_kind(name).is_some();
            let is_noticed = edit.route == EditRoute::Noticed;
            (!is_rule).then(|| Candidate { file: File::new(situation, name), is_noticed })
        });
    let mut files: Vec<Candidate> = candidates.collect();
    files.sort_unstable();
    // A file that is named comes before the same file that was noticed, and stays.
    files.dedup_by(|later, first| later.file == first.file);
    files.retain(|it| world.stat(&it.file.path).is_some_and(|stat| !stat.is_folder));
    files
}

/// Files that the agent's edit tool changed and that a linter would be for if they were not excluded or elsewhere.
fn left_out(situation: &Situation<'_>, edits: &[SeenEdit], settings: &Settings) -> Vec<SkippedFile> {
    let root = real_root(situation.world);
    let by_tool = edits.iter().filter(|edit| edit.route == EditRoute::Tool);
    let left_out = by_tool.filter_map(|edit| match edit.path.strip_folder(&root) {
        Some(file) => pipeline::is_left_out(file, settings)
            .then(|| SkippedFile { file: file.to_owned(), why: SkipReason::Excluded }),
        None => {
            let name = edit.path.rsplit('/').next().unwrap_or_default();
            let applies = |linter: &Linter| pipeline::applies_to_path(linter, name, settings);
            let is_code = settings.linters.iter().any(applies) && !is_temporary(&edit.path);
            is_code.then(|| SkippedFile { file: edit.path.to_string(), why: SkipReason::Outside })
        }
    });
    left_out.collect()
}

/// Whether a file is where files are that nobody keeps.
fn is_temporary(path: &AbsolutePath) -> bool {
    ["/tmp/", "/var/tmp/", "/private/", "/var/folders/", "/dev/"].iter().any(|start| path.starts_with(start))
}

/// Whether a file was only found to have changed recently, and has not changed since it was checked: not this
/// command edited it, and its findings were reported.
fn is_already_checked(situation: &Situation<'_>, session: &Session, candidate: &Candidate) -> bool {
    let Candidate { file, is_noticed } = candidate;
    let now = || situation.world.stat(&file.path).map(|stat| stamp(&stat));
    *is_noticed && session.files.get(&file.name).is_some_and(|known| Some(known.stamp) == now())
}

impl File {
    /// The file of this name below the project's root, however the client spells that.
    fn new(situation: &Situation<'_>, name: &str) -> File {
        File { name: name.to_owned(), path: situation.world.project_root().join(name) }
    }
}

/// What a run of the linters may do.
#[derive(Clone, Copy)]
struct Allowed {
    write: Write,
    fixes: Fixes,
    model: ModelUse,
}

impl Allowed {
    const NOTHING: Allowed = Allowed { write: Write::No, fixes: Fixes::Never, model: ModelUse::Never };
}

/// What a run of the linters needs.
#[derive(Clone, Copy)]
struct LintRun<'a> {
    situation: &'a Situation<'a>,
    workshop: &'a dyn Workshop,
    settings: &'a Settings,
    session: &'a Session,
}

impl LintRun<'_> {
    /// Formats and checks files one by one.
    fn check_files(&self, files: &[File], allowed: Allowed) -> Inputs {
        let started = self.situation.world.elapsed();
        let mut stamps = self.stamps(files);
        let report = if files.is_empty() { Report::default() } else { self.run(files, allowed, false) };
        for file in &report.files {
            let fixed = matches!(file.fix.as_ref().map(|fix| &fix.end), Some(FixOutcome::Kept(_)));
            let known = files.iter().find(|known| file.file == known.name);
            // The rewritten file is the one that was checked.
            if let Some(known) = known.filter(|_| fixed || file.format == Formatted::Rewritten) {
                stamps.extend(self.stamp(known).map(|stamp| (known.name.clone(), stamp)));
            }
        }
        let took = self.situation.world.elapsed().saturating_sub(started);
        Inputs { report, stamps, took, ..Inputs::default() }
    }

    /// Also runs the linters of the whole project.
    fn check_project(&self, files: &[File], inputs: &mut Inputs) {
        let started = self.situation.world.elapsed();
        let stamps = self.stamps(files);
        let state = project::state(self.settings, stamps.iter().map(|(name, stamp)| (name.as_str(), *stamp)));
        let found = self.run(files, Allowed::NOTHING, true);
        inputs.project = Some(state.unwrap_or_default());
        inputs.report.project = found.project;
        let took = self.situation.world.elapsed().saturating_sub(started);
        let report = Report { troubles: found.troubles, phases: found.phases, ..Report::default() };
        inputs.join(Inputs { report, took, ..Inputs::default() });
    }

    fn run(&self, files: &[File], allowed: Allowed, project: bool) -> Report {
        let named = files.iter().map(|file| (file.name.as_str(), &file.path));
        let earlier = earlier::load(self.situation, self.workshop, named);
        let files: Vec<AbsolutePath> = files.iter().map(|file| file.path.clone()).collect();
        let base = self.session.base.clone().map_or(Base::Head, Base::Commit);
        let request = RunRequest {
            settings: self.settings,
            files: &files,
            write: allowed.write,
            fixes: allowed.fixes,
            model: allowed.model,
            project_code: if self.workshop.trusts_project() {
                ProjectCode::Run
            } else {
                ProjectCode::LeaveOut
            },
            guards: guards(self.situation.world.clients()),
            base: &base,
            earlier: &earlier,
            project,
            progress: &|_| {},
        };
        pipeline::run(&request, self.workshop)
    }

    /// These files and all others that the session edited.
    fn with_the_session(&self, files: &[File]) -> Vec<File> {
        let known = self.session.files.keys().map(|name| File::new(self.situation, name));
        let mut all: Vec<File> = known.chain(files.iter().cloned()).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Whether a file had open findings or such that are fixed at the end, or has changed since the check.
    fn is_due(&self, file: &File) -> bool {
        let known = self.session.files.get(&file.name);
        known.is_none_or(|known| {
            !known.open.is_empty() || known.is_fixed_later || Some(known.stamp) != self.stamp(file)
        })
    }

    /// Whether linters may fix a file now. What someone else has changed since is theirs.
    fn is_fixed_now(&self, file: &File) -> bool {
        let known = self.session.files.get(&file.name);
        known.is_some_and(|known| known.is_fixed_later && Some(known.stamp) == self.stamp(file))
    }

    fn stamps(&self, files: &[File]) -> BTreeMap<String, Stamp> {
        files.iter().filter_map(|file| Some((file.name.clone(), self.stamp(file)?))).collect()
    }

    fn stamp(&self, file: &File) -> Option<Stamp> {
        let stat = self.situation.world.stat(&file.path)?;
        (!stat.is_folder).then(|| stamp(&stat))
    }
}
