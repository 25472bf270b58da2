//! A session of a test: a config, a state, and short methods for events.

use std::collections::BTreeMap;
use std::time::Duration;

use flyball_core::time::Time;

use crate::digest::digest;
use crate::r#loop::feedback::machine::{
    AgentReport, LoopEvent, OpenPhase, OpenReason, PersonDecision, Proof, StopDecision, StopRequest,
};
use crate::r#loop::feedback::settings::Settings;
use crate::r#loop::feedback::state::{FileState, Fingerprint, State};

/// Review, plan and test of a back end and a front end; integrations do without a plan.
pub(super) const THREE: &str = r#"
    tests = ["**/*_test.rs"]
    max_iterations = 3
    max_identical = 9
    max_holds = 7
    phase = [
        { name = "review" },
        { name = "plan", agents = ["test-lead"] },
        { name = "test", on_fail = "restart" },
    ]
    [[domain]]
    name = "backend"
    paths = ["api/**"]
    agents = { review = ["backend-reviewer", "security-*"], test = ["backend-tester"] }
    [[domain]]
    name = "frontend"
    paths = ["ui/**"]
    agents = { review = ["frontend-reviewer"], test = ["frontend-tester"] }
    [[domain]]
    name = "integrations"
    paths = ["link/**"]
    agents = { review = ["integration-reviewer"], test = ["integration-tester"] }
    skip = ["plan"]
"#;

/// One domain, a review and a command.
pub(super) const PROVED: &str = r#"
    tests = ["**/*_test.rs"]
    max_identical = 9
    phase = [
        { name = "review", agents = ["reviewer"] },
        { name = "test", agents = ["tester"], run = "cargo test", on_fail = "restart" },
    ]
    [[domain]]
    name = "backend"
    paths = ["api/**"]
    [[domain]]
    name = "frontend"
    paths = ["ui/**"]
    run = { test = "npm test" }
"#;

#[derive(Clone, Debug)]
pub(super) struct Session {
    pub(super) settings: Settings,
    pub(super) state: State,
    pub(super) now: Time,
}

/// A session with this config.
pub(super) fn session(config: &str) -> Session {
    Session {
        settings: toml::from_str(config).unwrap(),
        state: State::default(),
        now: Time::from_millis(1_000),
    }
}

/// Files with these contents; `gone` is none.
pub(super) fn files(files: &[(&str, &str)]) -> BTreeMap<String, FileState> {
    let content = |text: &str| (text != "gone").then(|| digest([text]));
    let file = |text: &str| FileState { content: content(text), stamp: (1, 2, 3), original: None };
    files.iter().map(|(path, text)| ((*path).to_owned(), file(text))).collect()
}

/// The first request of a turn, or a later one.
pub(super) fn request(is_fresh: bool, now: Time) -> StopRequest {
    StopRequest {
        is_fresh,
        is_waiting: false,
        lacks_verdict: false,
        asks: false,
        plans: false,
        is_full: false,
        is_alone: false,
        now,
        active: now.since(Time::default()),
    }
}

impl Session {
    /// The domain that has a path.
    fn domain(&self, path: &str) -> String {
        self.settings.domain_of(path).unwrap().name.clone()
    }

    /// The main thread edits.
    pub(super) fn edit(&mut self, path: &str, text: &str) -> &mut Session {
        self.edit_by(None, &[(path, text)])
    }

    /// Someone edits files of one domain.
    pub(super) fn edit_by(&mut self, by: Option<&str>, edited: &[(&str, &str)]) -> &mut Session {
        let domain = self.domain(edited[0].0);
        self.take(LoopEvent::Edited { domain, files: files(edited), by: by.map(str::to_owned) })
    }

    pub(super) fn start(&mut self, id: &str, role: &str) -> &mut Session {
        self.take(LoopEvent::Started { id: id.to_owned(), role: role.to_owned() })
    }

    /// An agent that started reports that a phase passed.
    pub(super) fn pass(&mut self, id: &str, phase: &str) -> &mut Session {
        let report = self.report(id, phase, &[]);
        self.take(LoopEvent::Reported(report))
    }

    /// An agent that started reports that a phase failed.
    pub(super) fn fail(&mut self, id: &str, phase: &str, issue: &str) -> &mut Session {
        let report = self.report(id, phase, &[issue]);
        self.take(LoopEvent::Reported(report))
    }

    /// The report of an agent that started; it passed if there are no issues.
    pub(super) fn report(&self, id: &str, phase: &str, issues: &[&str]) -> AgentReport {
        AgentReport {
            agent: Some(id.to_owned()),
            role: self.state.agents.get(id).map(|runner| runner.role.clone()).unwrap_or_default(),
            phase: phase.to_owned(),
            domains: Vec::new(),
            passed: issues.is_empty(),
            issues: issues.iter().map(|issue| (*issue).to_owned()).collect(),
        }
    }

    /// An agent of which only the role is known reports a result for some domains.
    pub(super) fn unknown(
        &mut self,
        role: &str,
        phase: &str,
        (domains, issues): (&[&str], &[&str]),
    ) -> &mut Session {
        let mut report = self.report("", phase, issues);
        report.agent = None;
        role.clone_into(&mut report.role);
        report.domains = domains.iter().map(|domain| (*domain).to_owned()).collect();
        self.take(LoopEvent::Reported(report))
    }

    /// A new agent of a role passes a phase.
    pub(super) fn approve(&mut self, role: &str, phase: &str) -> &mut Session {
        let id = format!("{role} {}", self.state.ticks);
        self.start(&id, role).pass(&id, phase)
    }

    /// A new agent of a role fails a phase.
    pub(super) fn reject(&mut self, role: &str, phase: &str, issue: &str) -> &mut Session {
        let id = format!("{role} {}", self.state.ticks);
        self.start(&id, role).fail(&id, phase, issue)
    }

    /// A command ran on the current content; no tail if it passed.
    pub(super) fn prove(&mut self, domain: &str, phase: &str, tail: &str) -> &mut Session {
        let on = self.print(domain);
        self.prove_on(on, (domain, phase), tail)
    }

    /// A command ran on some content.
    pub(super) fn prove_on(
        &mut self,
        on: Fingerprint,
        (domain, phase): (&str, &str),
        tail: &str,
    ) -> &mut Session {
        self.take(LoopEvent::Proved(Proof {
            domain: domain.to_owned(),
            phase: phase.to_owned(),
            command: "cargo test".to_owned(),
            content: on,
            passed: tail.is_empty(),
            tail: tail.to_owned(),
        }))
    }

    pub(super) fn decide(&mut self, decision: PersonDecision) -> &mut Session {
        self.take(LoopEvent::Decided(decision))
    }

    /// A person prompts.
    pub(super) fn prompt(&mut self) -> &mut Session {
        self.take(LoopEvent::Prompted { planning: false })
    }

    /// A request to stop of this form.
    pub(super) fn stop_with(&mut self, change: impl FnOnce(&mut StopRequest)) -> StopDecision {
        let mut request = request(true, self.now);
        change(&mut request);
        self.state.stop(&self.settings, request)
    }

    pub(super) fn take(&mut self, input: LoopEvent) -> &mut Session {
        self.now += Duration::from_millis(1);
        self.state.apply(&self.settings, input, self.now);
        self.state.count_from(self.now.since(Time::default()));
        self
    }

    /// The first request of a turn.
    pub(super) fn stop(&mut self) -> StopDecision {
        self.state.stop(&self.settings, request(true, self.now))
    }

    /// A later request of the same turn.
    pub(super) fn stop_again(&mut self) -> StopDecision {
        self.state.stop(&self.settings, request(false, self.now))
    }

    /// The content of a domain.
    pub(super) fn print(&self, domain: &str) -> Fingerprint {
        self.state.domains.get(domain).map(|here| here.fingerprint()).unwrap_or_default()
    }

    /// What is open, one line each.
    pub(super) fn open(&self) -> Vec<String> {
        lines(&self.state.open_phases(&self.settings))
    }

    /// Failures and identical failures of a phase.
    pub(super) fn counts(&self, domain: &str, phase: &str) -> (u32, u32) {
        let state = self.state.domains[domain].phases.get(phase).cloned().unwrap_or_default();
        (state.failures, state.identical)
    }

    /// The last line of the history.
    pub(super) fn last(&self) -> &str {
        self.state.history.last().map(|entry| entry.what.as_str()).unwrap_or_default()
    }
}

/// What is open, one line each: `backend review: failed (a; b)`.
pub(super) fn lines(open: &[OpenPhase]) -> Vec<String> {
    let line = |open: &OpenPhase| {
        let why = match open.why {
            OpenReason::NotRun => "not run",
            OpenReason::Changed => "changed",
            OpenReason::Stale => "stale",
            OpenReason::Failed => "failed",
            OpenReason::Elsewhere => "elsewhere",
        };
        let issues =
            if open.issues.is_empty() { String::new() } else { format!(" ({})", open.issues.join("; ")) };
        format!("{} {}: {why}{issues}", open.domain, open.phase)
    };
    open.iter().map(line).collect()
}

/// A decision as a word, with its reason.
pub(super) fn describe(decision: &StopDecision) -> String {
    match decision {
        StopDecision::Done => "done".to_owned(),
        StopDecision::Wait => "wait".to_owned(),
        StopDecision::Block(_) => "block".to_owned(),
        StopDecision::Pause(_) => "pause".to_owned(),
        StopDecision::Ask(_) => "ask".to_owned(),
        StopDecision::NoRoom(_) => "no room".to_owned(),
        StopDecision::Escalate(escalation) => format!("escalate: {}", escalation.reason),
        StopDecision::Over => "over".to_owned(),
    }
}

/// Does what is listed: runs the command, or spawns an agent that passes it.
pub(super) fn oblige(session: &mut Session, open: &OpenPhase) {
    let domain = session.settings.domain(&open.domain).unwrap();
    let phase = session.settings.phase.iter().find(|phase| phase.name == open.phase).unwrap();
    if domain.command_for(phase).is_some() {
        session.prove(&open.domain, &open.phase, "");
    } else {
        let role = domain.agent_for(phase).unwrap().to_owned();
        session.approve(&role, &open.phase);
    }
}

/// Whether every phase of every edited domain passed on its current content, computed without the machine.
pub(super) fn is_all_passed(session: &Session) -> bool {
    session.state.domains.iter().all(|(name, here)| {
        let domain = session.settings.domain(name).unwrap();
        session.settings.phases_of(domain).all(|phase| {
            here.phases.get(&phase.name).is_some_and(|state| state.passed_on == Some(here.fingerprint()))
        })
    })
}
