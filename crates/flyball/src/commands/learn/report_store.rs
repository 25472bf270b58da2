//! The reports of a project: found by their ids, moved from folder to folder.

use std::path::PathBuf;

use flyball_core::path::AbsolutePath;
use flyball_core::policy::PolicyError;
use flyball_core::workshop::FileChanges;
use flyball_core::world::{Files, Place};
use flyball_knowledge::layout;
use flyball_knowledge::report::{Report, Status, ledger, load, parse, path};
use flyball_world::machine::{Machine, real_path};
use flyball_world::project::{Moved, Project};

use crate::environment::die_at;
use crate::outcome::Failed;
use crate::project_context::ProjectContext;

/// A longer file is not a report.
const MOST_BYTES: u64 = 256 * 1024;

/// The project with its reports.
pub(in crate::commands) struct ReportStore {
    pub(in crate::commands) machine: Machine,
    pub(in crate::commands) project: Project,
    pub(in crate::commands) root: PathBuf,
}

impl ReportStore {
    /// The reports of the current project.
    pub(in crate::commands) fn find() -> Result<ReportStore, Failed> {
        let here = ProjectContext::find()?;
        let Some(state) = here.state_dir() else {
            return Err(Failed::new(
                "there is no home directory for locks and notes",
                "set HOME or FLYBALL_STATE_DIR",
            ));
        };
        let root = real_path(&here.root);
        Ok(ReportStore { machine: here.machine(), project: Project::at(state, &root), root })
    }

    /// The reports of these statuses, the oldest first.
    pub(in crate::commands) fn reports(&self, statuses: &[Status]) -> Result<Vec<Report>, Failed> {
        let mut found = Vec::new();
        for status in statuses {
            for id in self.ids(*status) {
                found.extend(load(&self.machine, *status, &id)?);
            }
        }
        found.sort_by(|one, other| (one.at, &one.id).cmp(&(other.at, &other.id)));
        Ok(found)
    }

    /// The report with this id, or the only one whose id begins so.
    pub(super) fn report(&self, id: &str) -> Result<Report, Failed> {
        // People paste the path of the file as well.
        let prefix = id.strip_suffix(".md").unwrap_or(id);
        let prefix = prefix.rsplit('/').next().unwrap_or(prefix);
        let all: Vec<(Status, String)> = Status::ALL
            .into_iter()
            .flat_map(|status| self.ids(status).into_iter().map(move |id| (status, id)))
            .collect();
        let exact = all.iter().find(|(_, id)| id == prefix);
        let begins: Vec<&(Status, String)> = match exact {
            Some(exact) => vec![exact],
            None => all.iter().filter(|(_, id)| !prefix.is_empty() && begins_with(id, prefix)).collect(),
        };
        let gone =
            || Failed::new(format!("no report has the id `{id}`"), "`flyball learn list --all` lists all");
        match begins.as_slice() {
            [] => Err(gone()),
            [(status, id)] => load(&self.machine, *status, id)?.ok_or_else(gone),
            [first, second, ..] => Err(Failed::new(
                format!("{} reports begin with `{id}`", begins.len()),
                format!("write more of the id, for example `{}` or `{}`", first.1, second.1),
            )),
        }
    }

    /// Whether a report is in two folders: a process was killed between the two steps of a move.
    pub(super) fn has_two(&self, id: &str) -> bool {
        Status::ALL.into_iter().filter(|status| self.ids(*status).iter().any(|it| it == id)).count() > 1
    }

    /// The report where it was before a move that was not finished.
    pub(super) fn first_of(&self, report: Report) -> Result<Report, Failed> {
        let is_there = |status: &Status| self.ids(*status).contains(&report.id);
        let first = [Status::Pending, Status::Accepted, Status::Rejected].into_iter().find(is_there);
        let loaded = first.map(|status| load(&self.machine, status, &report.id)).transpose()?.flatten();
        Ok(loaded.unwrap_or(report))
    }

    fn ids(&self, status: Status) -> Vec<String> {
        let folder = self.machine.project_root().join(status.folder());
        let is_id = |id: &&str| !id.starts_with('.') && *id != "README";
        let names = self.machine.list(&folder);
        names.iter().filter_map(|name| name.strip_suffix(".md")).filter(is_id).map(str::to_owned).collect()
    }

    /// Fails if the project does not store reports.
    pub(super) fn require_reports(&self) -> Result<(), Failed> {
        if ledger::is_enabled(&self.machine) {
            return Ok(());
        }
        Err(Failed::new(
            format!("this project has no reports: there is no folder `{}`", layout::MEMORY),
            "`flyball init --packs memory` creates it",
        ))
    }

    /// Changes a report and moves it to another folder. `first` runs before that, under the same lock; if it fails,
    /// nothing is moved.
    pub(super) fn change_and_move(
        &self,
        report: &Report,
        (to, change): (Status, &dyn Fn(&str) -> String),
        first: &mut dyn FnMut() -> Result<(), PolicyError>,
    ) -> Result<(), Failed> {
        let from = path(&self.machine, report.status, &report.id);
        let target = path(&self.machine, to, &report.id);
        let renamed = self.with_new_title(report, &from, change)?;
        let moved = ledger::move_report(&self.machine, &renamed, Some(to), &mut || {
            // Checked again under the lock.
            if self.machine.stat(&from).is_none() {
                return Err(decided_meanwhile(&report.id));
            }
            let is_taken = from != target && self.machine.stat(&target).is_some();
            if is_taken && !self.project.is_same_file(&from, &target) {
                return Err(already_exists(report, to));
            }
            // The rule before the move: if it fails, the report is still pending and nothing is lost.
            first()?;
            // In both places it is changed already: to change it here would make two files of one.
            if !is_taken {
                self.machine.update(&from, &mut |text| {
                    Ok(text.map(|text| change(&String::from_utf8_lossy(text)).into_bytes()))
                })?;
                die_at("accept.changed");
            }
            if from == target {
                return Ok(());
            }
            match self.project.move_to(&from, &target)? {
                Moved::Yes => Ok(()),
                Moved::Gone => Err(decided_meanwhile(&report.id)),
                Moved::Taken => Err(already_exists(report, to)),
            }
        });
        moved.map_err(Failed::from)
    }

    /// The report with its title after a change: sessions get the title of the lesson, not of the failure.
    fn with_new_title(
        &self,
        report: &Report,
        place: &AbsolutePath,
        change: &dyn Fn(&str) -> String,
    ) -> Result<Report, PolicyError> {
        let mut renamed = report.clone();
        if let Some(bytes) = self.machine.read(place, MOST_BYTES)? {
            let text = change(&String::from_utf8_lossy(&bytes));
            renamed.draft.title = parse(&report.id, report.status, &text).draft.title;
        }
        Ok(renamed)
    }

    pub(super) fn discard(&self, report: &Report) -> Result<(), Failed> {
        let place = path(&self.machine, report.status, &report.id);
        let discarded = ledger::move_report(&self.machine, report, None, &mut || {
            if self.project.remove(&place)? { Ok(()) } else { Err(decided_meanwhile(&report.id)) }
        });
        discarded.map_err(Failed::from)
    }

    /// A path below the project, relative to its root.
    pub(super) fn display_path(&self, path: &str) -> String {
        let root = self.root.to_string_lossy();
        path.strip_prefix(&*root).and_then(|rest| rest.strip_prefix('/')).unwrap_or(path).to_owned()
    }
}

/// Ignores case: nobody types `SKELETON`.
fn begins_with(id: &str, prefix: &str) -> bool {
    id.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}

fn decided_meanwhile(id: &str) -> PolicyError {
    PolicyError::World {
        what: format!("`{id}` has been decided by someone else in the meantime"),
        fix: format!("`flyball learn show {id}` shows its status"),
    }
}

fn already_exists(report: &Report, to: Status) -> PolicyError {
    PolicyError::World {
        what: format!("a report `{}` already exists in `{}`", report.id, to.folder()),
        fix: "compare the two and delete one".to_owned(),
    }
}
