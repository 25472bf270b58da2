//! `[[rule]]` as people write it, and how it is compiled.

use std::collections::BTreeSet;
use std::ops::Range;

use flyball_core::config::{Authored, Located, Mode, Problem, Sources};
use flyball_core::event::{EventKind, PermissionMode, ToolKind};
use flyball_core::expr::{self, Template, Type, compile, compile_template};
use flyball_core::verdict::Rewrite;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::action::{Action, Once};
use super::case::Case;
use super::fields::EVENT;
use super::stored::{Body, StoredRule, StoredRules};

/// `[rules]` with all `[[rule]]` of the config.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    /// The rules.
    pub(super) rule: Vec<Rule>,
}

/// One rule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Rule {
    /// Its unique name, shown with every message.
    pub(super) id: Located<String>,
    /// The kinds of events it is about.
    pub(super) events: Vec<EventKind>,
    /// Only calls of these kinds of tools.
    #[serde(default)]
    pub(super) tool: Vec<ToolKind>,
    /// Only calls that name a file which one of these globs matches, relative to the project.
    #[serde(default)]
    pub(super) path: Vec<String>,
    /// Only in subagents of these roles; `main` is the main thread. Globs.
    #[serde(default)]
    pub(super) agent: Vec<String>,
    /// Only in these permission modes of the client.
    #[serde(default)]
    pub(super) permission_mode: Vec<PermissionMode>,
    /// Only if this condition is true; see the reference of expressions.
    #[serde(default)]
    pub(super) when: Option<Located<String>>,
    /// What it does.
    pub(super) action: Located<Action>,
    /// Its message; `{{tool.command}}` and other expressions are filled in.
    #[serde(default)]
    pub(super) message: Option<Located<String>>,
    /// How a `rewrite` changes the command, prompt or content.
    #[serde(default)]
    pub(super) rewrite: Option<WrittenRewrite>,
    /// Applies only once in a session.
    #[serde(default)]
    pub(super) once: Option<Once>,
    /// If not all context for the model fits, texts of greater rank are added first.
    #[serde(default)]
    pub(super) rank: i32,
    /// `observe` records what the rule would do and lets pass.
    #[serde(default)]
    pub(super) mode: Option<Mode>,
    /// Test cases, run by `flyball test`.
    #[serde(default)]
    pub(super) case: Vec<Case>,
}

/// A change to the main text of a call.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct WrittenRewrite {
    /// Put this in front.
    prepend: Option<String>,
    /// Put this after it.
    append: Option<String>,
    /// Replace all of it with this.
    replace: Option<String>,
}

impl Authored for Rules {
    type Stored = StoredRules;

    fn compile(self, sources: &Sources<'_>) -> Result<StoredRules, Vec<Problem>> {
        let (mut rules, mut problems, mut ids) = (Vec::new(), Vec::new(), BTreeSet::new());
        for rule in self.rule {
            if !ids.insert(rule.id.value().clone()) {
                let message = format!("there are two rules `{}`", rule.id.value());
                problems.push(Problem::new(rule.id.span(), message).with_help("give each rule its own id"));
            }
            // Not compiled, so a rule with an error can be switched off.
            if rule.mode == Some(Mode::Off) {
                continue;
            }
            match rule.compiled(sources) {
                Ok(rule) => rules.push(rule),
                Err(found) => problems.extend(found),
            }
        }
        if problems.is_empty() { Ok(StoredRules { rules }) } else { Err(problems) }
    }
}

impl Rule {
    pub(super) fn compiled(self, sources: &Sources<'_>) -> Result<StoredRule, Vec<Problem>> {
        let mut problems = self.contradictions();
        let mut add = |problem: Problem| problems.push(problem);
        let when = self.when.as_ref().and_then(|text| condition(text, sources).map_err(&mut add).ok());
        let message = self.message_text(sources).map_err(&mut add).ok();
        let Some(message) = message.filter(|_| problems.is_empty()) else { return Err(problems) };
        let place = sources.place(&self.id.span());
        let body = Body {
            origin: place.map(|place| place.to_string()).unwrap_or_default(),
            id: self.id.into_value(),
            path: self.path,
            agent: self.agent,
            permission_mode: self.permission_mode,
            when,
            action: self.action.into_value(),
            message,
            rewrites: self.rewrite.map(rewrites).unwrap_or_default(),
            once: self.once,
            rank: self.rank,
            mode: self.mode.unwrap_or(Mode::Enforce),
        };
        Ok(StoredRule::new(&self.events, &self.tool, &body))
    }

    /// Settings that contradict each other, whatever the event.
    fn contradictions(&self) -> Vec<Problem> {
        let action = *self.action.value();
        let at_action =
            |message: String, help: &str| Problem::new(self.action.span(), message).with_help(help);
        let mut problems = Vec::new();
        let id = self.id.value();
        if id.is_empty() || !id.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_.".contains(letter))
        {
            let problem = Problem::new(self.id.span(), format!("invalid rule id `{id}`"));
            problems.push(problem.with_help("use letters, digits, `-`, `_` and `.`"));
        }
        if self.events.is_empty() {
            problems.push(
                Problem::new(self.id.span(), "the rule names no event")
                    .with_help("events = [\"before_tool\"]"),
            );
        }
        if self.message.is_none() && !matches!(action, Action::Allow | Action::Rewrite) {
            problems.push(at_action(
                format!("a rule with the action `{}` needs a message", action.name()),
                "say what to do instead",
            ));
        }
        if (action == Action::Rewrite) != self.rewrite.is_some() {
            problems.push(at_action(
                "`action = \"rewrite\"` and `rewrite = { … }` go together".to_owned(),
                "rewrite = { prepend = \"…\" }, or append, or replace",
            ));
        }
        if action == Action::Rewrite && self.events.iter().any(|kind| *kind != EventKind::BeforeTool) {
            problems.push(at_action(
                "only a call that has not run yet can be rewritten".to_owned(),
                "events = [\"before_tool\"]",
            ));
        }
        problems
    }

    fn message_text(&self, sources: &Sources<'_>) -> Result<Template, Problem> {
        let (text, span) = match &self.message {
            Some(message) => (message.value().as_str(), message.span()),
            None => ("", 0..0),
        };
        compile_template(text, &EVENT).map_err(|error| problem_at(sources, &span, error))
    }
}

fn condition(text: &Located<String>, sources: &Sources<'_>) -> Result<expr::Program, Problem> {
    compile(text.value(), &EVENT, Type::BOOL).map_err(|error| problem_at(sources, &text.span(), error))
}

/// An error of the expression language, at its place in the config file.
fn problem_at(sources: &Sources<'_>, literal: &Range<usize>, error: expr::Error) -> Problem {
    let span = sources.within(literal, &error.span);
    Problem { span, message: error.message, help: error.help }
}

fn rewrites(written: WrittenRewrite) -> Vec<Rewrite> {
    let WrittenRewrite { prepend, append, replace } = written;
    // Replaced first: the other two are put around the new text.
    let all = [replace.map(Rewrite::Replace), prepend.map(Rewrite::Prepend), append.map(Rewrite::Append)];
    all.into_iter().flatten().collect()
}
