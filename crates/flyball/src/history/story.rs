//! What happens in one session: prompts, tools, subagents, denials, and stops that are blocked until work is checked.

use std::time::Duration;

use flyball_core::config::Mode;
use flyball_core::event::{Agent, EventKind, ToolKind};
use flyball_core::verdict::{Reason, Stance};

use super::projects::{COMMON, Denial, Project};
use super::random::Random;
use super::rulings::PolicyVerdict;

/// One event of a story.
#[derive(Clone, Debug)]
pub(super) struct StoryEvent {
    /// How long after the one before.
    pub(super) after: Duration,
    pub(super) kind: EventKind,
    pub(super) tool: Option<ToolKind>,
    pub(super) subject: String,
    pub(super) agent: Option<Agent>,
    pub(super) verdicts: Vec<PolicyVerdict>,
    pub(super) context_chars: usize,
}

/// Whether a session ends within the history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    Over,
    /// It is still running when the history ends.
    Open,
}

/// A session in a project, with exactly `length` events.
pub(super) fn generate(
    project: &Project,
    (length, ending): (usize, Ending),
    chance: Random,
) -> Vec<StoryEvent> {
    let mut story =
        Story { project, chance, agent: None, agents: 0, events: Vec::with_capacity(length + 64) };
    story.begin();
    let last = usize::from(ending == Ending::Over);
    while story.events.len() + last < length {
        story.turn(length);
    }
    // Turns end where they end; the exact number is wanted by those who measure.
    story.events.truncate(length.saturating_sub(last));
    if last == 1 {
        story.agent = None;
        story.add_event(EventKind::SessionEnd, (20_000, 90_000), "prompt_input_exit");
    }
    story.events
}

/// The least and the most milliseconds after the event before.
type Apart = (u64, u64);

struct Story<'a> {
    project: &'a Project,
    chance: Random,
    /// The subagent that acts; `None` is the main agent.
    agent: Option<Agent>,
    agents: u32,
    events: Vec<StoryEvent>,
}

impl Story<'_> {
    fn begin(&mut self) {
        let source = if self.chance.happens(850) { "startup" } else { "resume" };
        self.add_event(EventKind::SessionStart, (0, 1), source);
        self.inject_context("memory.session", "what was learned here", 900);
    }

    /// From a prompt to the end of the turn.
    fn turn(&mut self, length: usize) {
        let prompt = self.fill_template(self.project.prompts);
        self.add_event(EventKind::PromptSubmit, (15_000, 240_000), &prompt);
        for _ in 0..self.chance.between(2, 14) {
            if self.events.len() >= length {
                return;
            }
            self.step();
            if self.agent.is_none() && self.chance.happens(60) {
                self.delegate(self.project.reviewers);
            }
        }
        self.finish();
    }

    /// One thing an agent does.
    fn step(&mut self) {
        match self.chance.between(0, 100) {
            0..3 => self.denied_call(),
            3..5 => self.observed_denial(),
            5..7 => self.asked_call(),
            7..36 => self.shell(),
            36..62 => self.edit(),
            62..86 => {
                let file = self.fill_template(self.project.files);
                self.tool(ToolKind::Read, &file, (50, 400));
            }
            _ => {
                let pattern = self.fill_template(self.project.searches);
                self.tool(ToolKind::Search, &pattern, (80, 900));
            }
        }
    }

    fn shell(&mut self) {
        let command = self.fill_template(self.project.shells);
        if !self.chance.happens(140) {
            return self.tool(ToolKind::Shell, &command, (300, 20_000));
        }
        self.before(ToolKind::Shell, &command);
        self.add_tool_event(EventKind::ToolFailed, ToolKind::Shell, (300, 20_000), &command);
        if self.chance.happens(300) {
            self.inject_context("memory.failures", "this failed before, and this helped", 480);
        }
    }

    fn edit(&mut self) {
        let file = self.fill_template(self.project.files);
        self.before(ToolKind::Edit, &file);
        if self.chance.happens(180) {
            self.inject_context("memory.context", "what is known about this file", 320);
        }
        self.add_tool_event(EventKind::AfterTool, ToolKind::Edit, (40, 200), &file);
        if self.chance.happens(120) {
            let finding = self.chance.text(self.project.findings);
            let line = self.chance.between(3, 240);
            self.inject_context("quality", &format!("{file}:{line}: {finding}"), 180);
        } else if self.chance.happens(4) {
            let error = Some("the linter did not end within 5 s".to_owned());
            self.add_verdict(PolicyVerdict { error, ..PolicyVerdict::new("quality", Stance::Silent) });
        }
    }

    fn denied_call(&mut self) {
        let denials = if self.chance.happens(550) { self.project.denials } else { COMMON };
        let Some(denial) = self.chance.pick(denials) else { return };
        let word = self.pick_word();
        self.before(denial.tool, &denial.subject.replace("{}", word));
        self.add_verdict(PolicyVerdict::new(denial.policy, Stance::Deny).with_reason(reason(&denial, word)));
        self.tool(denial.tool, &denial.then.replace("{}", word), (200, 4_000));
    }

    fn observed_denial(&mut self) {
        let check = self.chance.text(self.project.checks);
        self.before(ToolKind::Shell, &format!("{check} || true"));
        let reason = Reason {
            what: "`|| true` after a check is not allowed".to_owned(),
            why: "It hides whether the check failed".to_owned(),
            instead: format!("Run `{check}`"),
        };
        self.add_verdict(PolicyVerdict {
            mode: Mode::Observe,
            ..PolicyVerdict::new("guard.gaming", Stance::Deny).with_reason(reason)
        });
        self.add_tool_event(EventKind::AfterTool, ToolKind::Shell, (300, 9_000), &format!("{check} || true"));
    }

    /// A call that a person decides on, or a rule instead of them.
    fn asked_call(&mut self) {
        let command = "git push origin HEAD";
        self.before(ToolKind::Shell, command);
        if self.chance.happens(500) {
            let reason = Reason::plain("a person decides what is pushed");
            self.add_verdict(PolicyVerdict::new("rules", Stance::Ask).with_reason(reason));
        } else {
            self.add_tool_event(EventKind::PermissionAsked, ToolKind::Shell, (5, 40), command);
            self.add_verdict(PolicyVerdict::new("guard.permissions", Stance::Allow));
        }
        self.add_tool_event(EventKind::AfterTool, ToolKind::Shell, (2_000, 60_000), command);
    }

    /// Starts a subagent and lets it work.
    fn delegate(&mut self, roles: &[&'static str]) {
        let role = if self.chance.happens(250) { "Explore" } else { self.chance.text(roles) };
        let word = self.pick_word();
        let task = format!("{role}: look at {word}");
        self.before(ToolKind::SpawnAgent, &task);
        self.agents += 1;
        let id = format!("a{:07x}{:03x}", self.chance.next() >> 36, self.agents);
        self.agent = Some(Agent { id, role: role.to_owned() });
        self.add_event(EventKind::AgentStart, (100, 900), "");
        self.inject_context("memory.agents", "what is known about this part", 260);
        for _ in 0..self.chance.between(3, 15) {
            self.step();
        }
        let verdict = if self.chance.happens(700) { "no issues found" } else { "two issues, see below" };
        self.add_event(EventKind::AgentStop, (3_000, 20_000), verdict);
        self.agent = None;
        self.add_tool_event(EventKind::AfterTool, ToolKind::SpawnAgent, (30, 300), &task);
    }

    /// The end of a turn: edits have to be reviewed and tested first.
    fn finish(&mut self) {
        if self.chance.happens(350) {
            self.add_event(EventKind::Stop, (4_000, 30_000), "All done.");
            let reason = Reason {
                what: "No review and no test run since the last edit".to_owned(),
                why: "Edited code is done once it is reviewed and tested".to_owned(),
                instead: format!("Run `{}` and have it reviewed", self.chance.text(self.project.checks)),
            };
            self.add_verdict(PolicyVerdict::new("loop.gate", Stance::Deny).with_reason(reason));
            let check = self.chance.text(self.project.checks);
            self.tool(ToolKind::Shell, check, (2_000, 60_000));
            self.delegate(self.project.reviewers);
        }
        self.add_event(EventKind::Stop, (4_000, 30_000), "Done: the tests pass.");
    }

    /// A call that goes well.
    fn tool(&mut self, tool: ToolKind, subject: &str, took: Apart) {
        self.before(tool, subject);
        self.add_tool_event(EventKind::AfterTool, tool, took, subject);
    }

    fn before(&mut self, tool: ToolKind, subject: &str) {
        self.add_tool_event(EventKind::BeforeTool, tool, (1_200, 14_000), subject);
    }

    /// Adds an event some milliseconds after the last one.
    fn add_event(&mut self, kind: EventKind, (least, most): Apart, subject: &str) {
        // Not in whole milliseconds: real events are not either.
        let micros = self.chance.between(least * 1_000, most * 1_000);
        self.events.push(StoryEvent {
            after: Duration::from_micros(micros),
            kind,
            tool: None,
            subject: subject.to_owned(),
            agent: self.agent.clone(),
            verdicts: Vec::new(),
            context_chars: 0,
        });
    }

    /// The same, for a tool.
    fn add_tool_event(&mut self, kind: EventKind, tool: ToolKind, apart: Apart, subject: &str) {
        self.add_event(kind, apart, subject);
        if let Some(last) = self.events.last_mut() {
            last.tool = Some(tool);
        }
    }

    /// A policy's verdict on the last event.
    fn add_verdict(&mut self, verdict: PolicyVerdict) {
        if let Some(last) = self.events.last_mut() {
            last.verdicts.push(verdict);
        }
    }

    /// A policy adds context for the model.
    fn inject_context(&mut self, policy: &'static str, what: &str, characters: u64) {
        let characters = self.chance.between(characters / 3, characters * 4);
        self.add_verdict(PolicyVerdict::new(policy, Stance::Silent).with_reason(Reason::plain(what)));
        if let Some(last) = self.events.last_mut() {
            last.context_chars += usize::try_from(characters).unwrap_or_default();
        }
    }

    fn pick_word(&mut self) -> &'static str {
        self.chance.text(self.project.words)
    }

    fn fill_template(&mut self, texts: &[&'static str]) -> String {
        let word = self.pick_word();
        self.chance.text(texts).replace("{}", word)
    }
}

fn reason(denial: &Denial, word: &str) -> Reason {
    let filled = |text: &str| text.replace("{}", word);
    Reason { what: filled(denial.what), why: filled(denial.why), instead: filled(denial.instead) }
}
