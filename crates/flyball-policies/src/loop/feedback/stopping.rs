//! What happens when the agent wants to stop.

use flyball_core::event::{BackgroundWork, Stopping};
use flyball_core::policy::PolicyError;
use flyball_core::verdict::{Reason, Verdict};

use super::super::compaction;
use super::super::workflow::ActiveWorkflow;
use super::gather::Inputs;
use super::machine::{Proof, StopDecision, StopRequest};
use super::session::Session;
use super::state::Ending;
use super::{content, messages, question, report};
use crate::digest::digest;

/// The content at which the user was last notified that a person has to decide.
const NOTIFIED_KEY: &str = "loop.feedback.told";

/// The workflow about which the user was last notified that the loop does not block while it is active.
const EXEMPTED_KEY: &str = "loop.feedback.let-off";

/// Whether the user was asked to compact the context; empty once it has room again.
const NO_ROOM_KEY: &str = "loop.feedback.no-room";

/// Whether a line is a command, or ends with it behind others.
fn runs(line: &str, command: &str) -> bool {
    line.rsplit("&&").next().is_some_and(|last| {
        let last = last.trim();
        last.strip_suffix("2>&1").unwrap_or(last).trim() == command.trim()
    })
}

/// Background work of these kinds brings no result of its own.
const IDLE: [&str; 2] = ["shell", "monitor"];

/// Whether the client lists what runs in the background, and no command does.
fn lists_no_command(stopping: &Stopping) -> bool {
    stopping.lists_background && stopping.background.iter().all(|work| work.kind == "subagent")
}

impl Session<'_> {
    pub(super) fn decide_stop(
        &mut self,
        stopping: &Stopping,
        inputs: Option<&Inputs>,
    ) -> Result<Verdict, PolicyError> {
        self.look_and_forget_ended()?;
        // What was written until now is recorded; what changes from here on is not by something that has ended.
        if lists_no_command(stopping)
            && let Some(since) = self.state.background_since.take()
        {
            content::note_calls_since(self.situation, since)?;
        }
        let proofs = inputs.map(|inputs| inputs.proofs.as_slice()).unwrap_or_default();
        proofs.iter().for_each(|proof| self.record_proof(proof));
        if let Some(inputs) = inputs {
            self.close_unchanged(&inputs.unchanged);
        }
        self.forget_discarded()?;
        self.pass_finished_workflow()?;
        // After the results are recorded: a workflow only lifts the block.
        if let Some(workflow) = self.workflow_in_charge()? {
            return self.exempt(&workflow);
        }
        if inputs.is_some_and(|inputs| inputs.is_nested) {
            return Ok(Verdict::silent());
        }
        if let Some(verdict) = self.ask_about_scripts()? {
            return Ok(verdict);
        }
        let request = self.stop_request(stopping, inputs)?;
        if !request.is_full {
            self.forget_notice(NO_ROOM_KEY)?;
        }
        let by_others = std::mem::take(&mut self.state.by_others);
        let mut verdict = self.stop_verdict(request, proofs, inputs)?;
        if !by_others.is_empty() {
            verdict.notices.push(messages::by_others(&by_others));
        }
        Ok(verdict)
    }

    fn stop_verdict(
        &mut self,
        request: StopRequest,
        proofs: &[Proof],
        inputs: Option<&Inputs>,
    ) -> Result<Verdict, PolicyError> {
        let was_left = self.state.domains.values().any(|domain| domain.left.is_some());
        // What passed by scripts that nobody accepted is not done.
        let is_accepted = self.state.shown_scripts == self.state.accepted_scripts;
        let was_escalated =
            is_accepted && (was_left || matches!(self.state.ending, Some(Ending::Escalated(_))));
        Ok(match self.state.stop(&self.settings, request) {
            StopDecision::Done => Self::done(was_escalated),
            StopDecision::Wait => Verdict::silent(),
            StopDecision::Block(open) => {
                let without_verdict: Vec<&Proof> =
                    proofs.iter().filter(|proof| !proof.has_verdict()).collect();
                let text = self.blocked(&open, &without_verdict, request.is_alone);
                Verdict::deny(Reason::plain(text)).with_evidence("open", self.one_line().unwrap_or_default())
            }
            StopDecision::Pause(open) => Verdict::notice(self.paused(&open)),
            StopDecision::Ask(_) => Verdict::notice(self.stays_open()).with_evidence("asks", "the user"),
            StopDecision::NoRoom(_) => self.wait_for_compaction()?,
            StopDecision::Escalate(escalation) => {
                let advice = inputs.and_then(|inputs| inputs.advice.as_ref());
                if let (Some(advice), Some(Ending::Escalated(escalation))) = (advice, &mut self.state.ending)
                {
                    escalation.advice.clone_from(&advice.text);
                    escalation.adviser.clone_from(&advice.by);
                }
                self.remember_notified()?;
                let verdict = if request.is_alone {
                    // Nobody reads a notice: the run has to end with the failure in its own answer.
                    Verdict::deny(Reason::plain(self.unproven(&escalation)))
                } else {
                    Verdict::notice(self.escalated())
                };
                let verdict = verdict.with_evidence("escalation", escalation.reason);
                let failures = advice.into_iter().flat_map(|advice| &advice.failures);
                failures.fold(verdict, |verdict, why| verdict.with_evidence("adviser", why))
            }
            // Everything passed but what was left to a person.
            StopDecision::Over if self.state.ending.is_none() => Self::done(false),
            StopDecision::Over => self.notify_once()?,
        })
    }

    /// How the agent wants to stop.
    pub(super) fn stop_request(
        &self,
        stopping: &Stopping,
        inputs: Option<&Inputs>,
    ) -> Result<StopRequest, PolicyError> {
        let proofs = inputs.map(|inputs| inputs.proofs.as_slice()).unwrap_or_default();
        Ok(StopRequest {
            is_fresh: !stopping.again,
            is_waiting: self.is_waiting(&stopping.background),
            lacks_verdict: proofs.iter().any(|proof| !proof.has_verdict()),
            asks: question::asks_user(&stopping.last_message),
            plans: self.situation.event.is_planning(),
            is_full: compaction::denies_subagents(self.situation)?,
            is_alone: inputs.is_some_and(|inputs| inputs.is_alone),
            now: self.now(),
            active: self.active(),
        })
    }

    /// The loop goes on after a compaction; the user is asked for it once.
    fn wait_for_compaction(&self) -> Result<Verdict, PolicyError> {
        let memory = self.situation.memory;
        if memory.read(NO_ROOM_KEY)?.is_some_and(|noted| !noted.is_empty()) {
            return Ok(Verdict::silent());
        }
        memory.write(NO_ROOM_KEY, "noted".to_owned())?;
        Ok(Verdict::notice(self.waits_for_compaction()))
    }

    /// The next notice of this kind is a new one.
    fn forget_notice(&self, key: &str) -> Result<(), PolicyError> {
        let memory = self.situation.memory;
        if memory.read(key)?.is_some_and(|noted| !noted.is_empty()) {
            memory.write(key, String::new())?;
        }
        Ok(())
    }

    /// Whether something runs that may still bring a result: an agent, or a command that proves a phase. A server that
    /// was started for the work does not count.
    pub(super) fn is_waiting(&self, background: &[BackgroundWork]) -> bool {
        background.iter().any(|work| {
            !IDLE.contains(&work.kind.as_str())
                || self.settings.commands().any(|it| !it.is_empty() && runs(&work.command, it))
        })
    }

    /// The loop does not block while a workflow is active; the user is notified once for each workflow.
    fn exempt(&self, workflow: &ActiveWorkflow) -> Result<Verdict, PolicyError> {
        let silent = Verdict::silent().with_evidence("workflow", &workflow.name);
        let (Some(began), Some(open)) = (workflow.began, self.one_line()) else { return Ok(silent) };
        let key = format!("{} {}", began.at.as_millis(), workflow.name);
        let memory = self.situation.memory;
        if memory.read(EXEMPTED_KEY)?.as_ref() == Some(&key) {
            return Ok(silent);
        }
        memory.write(EXEMPTED_KEY, key)?;
        let text = messages::exempted(&workflow.name, &open);
        Ok(Verdict { notices: vec![text], ..silent })
    }

    /// Nothing is open. The user is notified if they were asked to decide.
    fn done(was_escalated: bool) -> Verdict {
        let notice = was_escalated.then(|| messages::PASSED_AFTER_ALL.to_owned());
        Verdict { notices: notice.into_iter().collect(), ..Verdict::silent() }
    }

    /// Notifies the user, once for each content, that the agent continues although they have to decide.
    fn notify_once(&self) -> Result<Verdict, PolicyError> {
        let Some(Ending::Escalated(_)) = &self.state.ending else { return Ok(Verdict::silent()) };
        if self.is_notified()? {
            return Ok(Verdict::silent());
        }
        self.remember_notified()?;
        Ok(self.one_line().map_or_else(Verdict::silent, Verdict::notice))
    }

    /// Whether the user was notified about this content.
    pub(super) fn is_notified(&self) -> Result<bool, PolicyError> {
        Ok(self.situation.memory.read(NOTIFIED_KEY)? == Some(self.content_key()))
    }

    fn remember_notified(&self) -> Result<(), PolicyError> {
        self.situation.memory.write(NOTIFIED_KEY, self.content_key())
    }

    fn content_key(&self) -> String {
        let domains = self.state.domains.values();
        let prints: Vec<String> = domains.map(|domain| domain.fingerprint().to_string()).collect();
        digest(prints.iter().map(String::as_str)).to_string()
    }

    fn one_line(&self) -> Option<String> {
        report::one_line(&self.state, &self.settings)
    }
}
