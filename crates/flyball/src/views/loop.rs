//! A session's loop as it is shown to people and to scripts.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use flyball_core::config::{Config, Mode};
use flyball_core::time::{self, Time};
use flyball_policies::r#loop::feedback::report::{
    self, Choice, DomainReport, PhaseReport, PhaseStatus, Status,
};
use flyball_policies::r#loop::feedback::{self, Settings, State};
use flyball_policies::r#loop::iterations;
use flyball_policies::r#loop::limits::{PINNED, limits_in_session};
use flyball_store::SessionSummary;
use serde::Serialize;

use crate::outcome::Failed;
use crate::project_context::{Archive, ProjectContext, mode_in};
use crate::session;
use crate::show::text::one_line;

/// What is written for the loops of each project, read once.
#[derive(Default)]
pub(crate) struct LoopSettings(BTreeMap<String, Option<Settings>>);

impl LoopSettings {
    /// The settings of a project; `None` if its loop is off.
    pub(crate) fn get(&mut self, project: &str) -> Option<&Settings> {
        let found = self.0.entry(project.to_owned());
        let load = || settings_in(&ProjectContext::at(PathBuf::from(project)).load_config().config);
        found.or_insert_with(load).as_ref()
    }

    /// The settings that are in force in a session; `None` if the loop is off.
    pub(crate) fn in_session(
        &mut self,
        session: &SessionSummary,
        archive: &Archive,
    ) -> Result<Option<Settings>, Failed> {
        let Some(written) = self.get(&session.project) else { return Ok(None) };
        let remembered = archive.memory(session, PINNED)?;
        Ok(Some(with_limits(written, Path::new(&session.project), remembered.as_deref())))
    }
}

/// The settings of the loop for a session that begins now; `None` if it is off.
pub(crate) fn load_settings(here: &ProjectContext) -> Option<Settings> {
    settings_in(&here.load_config().config).map(|written| with_limits(&written, &here.root, None))
}

/// The settings of the loop as they are written, unless it is off.
pub(crate) fn settings_in(config: &Config) -> Option<Settings> {
    if mode_in(config, &feedback::POLICY) == Mode::Off {
        return None;
    }
    let section = config.sections.get(feedback::POLICY.id.as_str());
    Some(section.and_then(|section| section.parse().ok()).unwrap_or_default())
}

/// The same with the limits of `limits_file`, as in the hook: those with which the session began, if it remembers them.
pub(crate) fn with_limits(written: &Settings, root: &Path, remembered: Option<&str>) -> Settings {
    let now = std::fs::read_to_string(root.join(&written.limits_file)).ok();
    let limits = limits_in_session(remembered, &written.limits_file, now);
    limits.map_or_else(|| written.clone(), |limits| written.clone().with_limits(&limits))
}

/// The loop of a session, if it has one.
pub(crate) fn find(
    session: &SessionSummary,
    archive: &Archive,
    rules: &mut LoopSettings,
) -> Result<Option<Loop>, Failed> {
    let Some(settings) = rules.in_session(session, archive)? else { return Ok(None) };
    let Some(text) = archive.memory(session, feedback::POLICY.id.as_str())? else { return Ok(None) };
    Ok(Loop::from_state(&read(&text)?, &settings).map(|it| it.in_session(session.has_ended)))
}

/// A session, and its loop.
pub(crate) struct SessionLoop {
    pub(crate) session: SessionSummary,
    pub(crate) session_loop: Option<Loop>,
}

/// The sessions of a project with their loops, the newest first.
pub(crate) fn all(here: &ProjectContext, archive: &Archive) -> Result<Vec<SessionLoop>, Failed> {
    let mut rules = LoopSettings::default();
    let mut found = Vec::new();
    for session in session::of_project(here, archive)? {
        let session_loop = find(&session, archive, &mut rules)?;
        found.push(SessionLoop { session, session_loop });
    }
    Ok(found)
}

/// A session with its loop and the task whose iterations are counted, as scripts see them.
#[derive(Serialize)]
pub(crate) struct SessionOutput {
    pub(crate) session: String,
    pub(crate) client: String,
    pub(crate) project: String,
    #[serde(rename = "loop")]
    pub(crate) session_loop: Option<Loop>,
    pub(crate) task: Option<iterations::View>,
}

impl SessionOutput {
    /// Nothing if the session has neither a loop nor a task.
    pub(crate) fn find(looped: SessionLoop, archive: &Archive) -> Result<Option<SessionOutput>, Failed> {
        let SessionLoop { session, session_loop } = looped;
        let memory = archive.memory(&session, iterations::POLICY.id.as_str())?;
        let task = memory.as_deref().and_then(iterations::view);
        if session_loop.is_none() && task.is_none() {
            return Ok(None);
        }
        let id = session.session.as_str().to_owned();
        let (client, project) = (session.client, session.project);
        Ok(Some(SessionOutput { session: id, client, project, session_loop, task }))
    }
}

pub(crate) fn read(text: &str) -> Result<State, Failed> {
    serde_json::from_str(text).map_err(|problem| {
        let what = format!("the state of the loop cannot be read: {problem}");
        Failed::new(what, "it may be from a newer flyball; update this one")
    })
}

/// The loop of a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Loop {
    pub(crate) standing: Status,
    pub(crate) iteration: u32,
    /// How many there may be.
    pub(crate) of: u32,
    #[serde(with = "time::micros")]
    pub(crate) began: Time,
    pub(crate) domains: Vec<Domain>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) escalation: Option<Escalation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) handed_over_to: Option<String>,
    pub(crate) history: Vec<Entry>,
    /// What a person can decide about it now.
    #[serde(skip)]
    pub(crate) choices: Vec<Choice>,
}

/// One domain that was edited.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Domain {
    pub(crate) name: String,
    /// The files that were edited, from the project's root.
    pub(crate) files: Vec<String>,
    pub(crate) phases: Vec<Phase>,
}

/// One phase of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Phase {
    pub(crate) name: String,
    pub(crate) status: PhaseStatus,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) issues: Vec<String>,
    /// Failures in a row.
    pub(crate) failures: u32,
    /// Who reported the status last: an agent's role, or a command.
    pub(crate) by: Option<String>,
    #[serde(with = "time::micros")]
    pub(crate) at: Option<Time>,
}

/// A limit that was reached.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Escalation {
    pub(crate) reason: String,
    #[serde(with = "time::micros")]
    pub(crate) at: Time,
    pub(crate) advice: String,
    pub(crate) adviser: String,
}

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Entry {
    #[serde(with = "time::micros")]
    pub(crate) at: Time,
    pub(crate) iteration: u32,
    pub(crate) what: String,
}

impl Loop {
    /// The loop in a policy's memory; `None` if no domain was edited.
    pub(crate) fn from_state(state: &State, settings: &Settings) -> Option<Loop> {
        let report = feedback::report(state, settings);
        let has_ended = match report.status {
            Status::Escalated | Status::Aborted | Status::HandedOver => true,
            Status::Idle | Status::Open | Status::Passed | Status::Ended => false,
        };
        // A loop that a person ended is shown even if its edits were undone.
        (has_ended || !report.domains.is_empty()).then(|| Loop::from(report))
    }

    /// The same loop, of a session that may have ended: nobody works on it any more, and nothing can be decided.
    pub(crate) fn in_session(mut self, has_ended: bool) -> Loop {
        if has_ended {
            self.choices = Vec::new();
            if self.standing == Status::Open {
                self.standing = Status::Ended;
            }
        }
        self
    }

    /// Whether a person or the agent still has something to do about it.
    pub(crate) const fn is_unfinished(&self) -> bool {
        matches!(self.standing, Status::Open | Status::Escalated)
    }

    /// All of it in one line.
    pub(crate) fn line(&self) -> String {
        match (self.standing, &self.escalation, &self.handed_over_to) {
            (Status::Escalated, Some(escalation), _) => {
                format!(
                    "escalated: {}; a person decides: `flyball loop status`",
                    one_line(&escalation.reason)
                )
            }
            (Status::HandedOver, _, Some(workflow)) => format!("handed over to {}", one_line(workflow)),
            (Status::Aborted, ..) => "ended for this session by a person".to_owned(),
            (Status::Passed, ..) => "everything passed".to_owned(),
            (Status::Ended, ..) => format!("ended unproven: {}", self.open()),
            (Status::Idle | Status::Open | Status::Escalated | Status::HandedOver, ..) => {
                format!("{}: {}", self.round(), self.open())
            }
        }
    }

    /// What is open, domain by domain.
    fn open(&self) -> String {
        let open: Vec<String> = self.domains.iter().filter_map(Domain::open).collect();
        open.join("; ")
    }

    /// `iteration 2 of 5`
    pub(crate) fn round(&self) -> String {
        format!("iteration {} of {}", self.iteration, self.of)
    }
}

impl Domain {
    /// `backend review failed, testing open`: nothing if everything passed.
    fn open(&self) -> Option<String> {
        let open = self.phases.iter().filter(|phase| phase.status != PhaseStatus::Passed);
        let open: Vec<String> =
            open.map(|phase| format!("{} {}", one_line(&phase.name), phase.status.name())).collect();
        (!open.is_empty()).then(|| format!("{} {}", one_line(&self.name), open.join(", ")))
    }
}

impl From<report::Report> for Loop {
    fn from(report: report::Report) -> Loop {
        Loop {
            standing: report.status,
            iteration: report.iteration,
            of: report.max_iterations,
            began: report.began,
            domains: report.domains.into_iter().map(Domain::from).collect(),
            escalation: report.escalation.map(|it| Escalation {
                reason: it.reason,
                at: it.at,
                advice: it.advice,
                adviser: it.adviser,
            }),
            handed_over_to: report.workflow,
            history: report
                .history
                .into_iter()
                .map(|it| Entry { at: it.at, iteration: it.iteration, what: it.what })
                .collect(),
            choices: report.options,
        }
    }
}

impl From<DomainReport> for Domain {
    fn from(report: DomainReport) -> Domain {
        let phases = report.phases.into_iter().map(Phase::from).collect();
        Domain { name: report.name, files: report.files, phases }
    }
}

impl From<PhaseReport> for Phase {
    fn from(report: PhaseReport) -> Phase {
        Phase {
            name: report.name,
            status: report.status,
            issues: report.issues,
            failures: report.failures,
            by: (!report.by.is_empty()).then_some(report.by),
            at: report.at,
        }
    }
}
