//! What one policy decides about one event.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use crate::path::AbsolutePath;
use crate::policy::ContentHash;
use crate::text;

/// A policy's decision. The order matters: the greatest wins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stance {
    /// No opinion: the client does what it would have done without us.
    #[default]
    Silent,
    /// Go ahead without asking the user. Never a synonym for `Silent`.
    Allow,
    /// The user decides.
    Ask,
    /// No: the call is not made, the agent does not stop, the prompt does not pass.
    Deny,
}

impl Stance {
    /// Every stance, weakest first.
    pub const ALL: &'static [Stance] = &[Stance::Silent, Stance::Allow, Stance::Ask, Stance::Deny];

    /// The name used in rules, logs and docs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Stance::Silent => "silent",
            Stance::Allow => "allow",
            Stance::Ask => "ask",
            Stance::Deny => "deny",
        }
    }

    /// The stance of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Stance> {
        Stance::ALL.iter().copied().find(|stance| stance.name() == name)
    }
}

/// Why, in the three parts that every denial has. It is read as one sentence or two: "Use `uv add requests`: this is a
/// uv project (uv.lock). Two package managers leave two sets of packages".
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    pub what: String,
    /// Why, as a sentence of its own; empty where `what` says it all.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
    /// What to do, as an imperative without a full stop; empty for a rule of the user's own.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub instead: String,
}

impl Reason {
    /// A reason in one sentence of the user's own.
    #[must_use]
    pub fn plain(text: impl Into<String>) -> Reason {
        Reason { what: text.into(), ..Reason::default() }
    }

    /// The parts as one paragraph, what to do first: clients cut long reasons at the end.
    #[must_use]
    pub fn text(&self) -> String {
        joined(&[(&self.instead, ""), (&self.what, ": "), (&self.why, ". ")])
    }

    /// The same in as many characters as clients show, if possible: without the sentence that says why, which
    /// `flyball explain` has. What to do is never cut, nor are lists and the user's own words.
    #[must_use]
    pub fn brief(&self, room: usize) -> String {
        let whole = self.text();
        let fits = |text: &str| text.chars().count() <= room;
        if fits(&whole) || whole.contains('\n') || self.instead.is_empty() {
            return whole;
        }
        let without_why = joined(&[(&self.instead, ""), (&self.what, ": ")]);
        if fits(&without_why) {
            return without_why;
        }
        let instead = self.instead.chars().count() + ": …".chars().count();
        let head = text::head(&self.what, room.saturating_sub(instead).max(LEAST_OF_WHAT));
        joined(&[(&self.instead, ""), (&format!("{}…", head.trim_end()), ": ")])
    }
}

/// So much of what was stopped is shown in any case.
const LEAST_OF_WHAT: usize = 40;

/// The parts that are not empty, each with what separates it from the one before.
fn joined(parts: &[(&str, &str)]) -> String {
    let mut text = String::new();
    for (part, separator) in parts.iter().filter(|(part, _)| !part.is_empty()) {
        if !text.is_empty() {
            text.push_str(if text.ends_with(['.', '!', '?', ':']) { " " } else { separator });
        }
        text.push_str(part);
    }
    text
}

/// A change to the main text of a tool call: its command line, prompt or content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rewrite {
    /// Put this in front.
    Prepend(String),
    Append(String),
    /// Put this in place of the whole text.
    Replace(String),
}

impl Rewrite {
    /// The text after this rewrite.
    #[must_use]
    pub fn apply(&self, text: &str) -> String {
        match self {
            Rewrite::Prepend(before) => format!("{before}{text}"),
            Rewrite::Append(after) => format!("{text}{after}"),
            Rewrite::Replace(whole) => whole.clone(),
        }
    }
}

/// A piece of knowledge for the model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snippet {
    /// Names it in the "left out" line, and makes two of the same name one.
    pub key: String,
    /// The greater goes first when room is short.
    pub rank: i32,
    /// The text for the model.
    pub text: String,
}

/// Something a policy saw that led to its verdict, for `flyball explain`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    pub name: String,
    pub value: String,
}

/// What one policy decides about one event.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    pub stance: Stance,
    /// Why; at least one wherever the stance is `Ask` or `Deny`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<Reason>,
    /// Whether it is about something that the call does not name, but reaches with what it names. A reason about what is named
    /// says more, and is shown instead.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub incidental: bool,
    /// Changes to the call's main text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rewrites: Vec<Rewrite>,
    /// Knowledge for the model.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub context: Vec<Snippet>,
    /// Notices for the user; the model never sees them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Evidence>,
    /// What a denial is about, so that it holds by every other route too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub subjects: Vec<Subject>,
    /// Whether secrets are to be struck out of what the tool returned, before the model sees it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub strikes_output: bool,
    /// Files to restore once the answer is out, in `enforce` only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub restores: Vec<Restore>,
    /// Programs to be started once the answer is out, in `enforce` only. Nobody waits for them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errands: Vec<FollowUp>,
    /// What the client's terminal should do, where the client passes it on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub terminal: Vec<Signal>,
}

/// A program to be started once the answer is out, with nothing on its streams.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FollowUp {
    pub program: AbsolutePath,
    /// Its arguments. No shell reads them.
    pub arguments: Vec<String>,
}

/// Something a terminal can be asked to do. Not text: no policy can send it any other sequence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Signal {
    Bell,
    /// A desktop notice in the form that most terminals take: OSC 9.
    Notice(String),
    /// A desktop notice in the form of rxvt and those built on VTE: OSC 777.
    TitledNotice {
        title: String,
        text: String,
    },
}

/// What a denial is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Subject {
    /// A file, without symlinks.
    File(AbsolutePath),
    /// An intention, whatever command does it: `packages.python`, `commands.force-push`.
    Intent(String),
}

/// A file to restore.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Restore {
    pub path: AbsolutePath,
    /// Its content to restore; `None` to delete it.
    pub content: Option<ContentHash>,
}

impl Verdict {
    #[must_use]
    pub fn silent() -> Verdict {
        Verdict::default()
    }

    /// Go ahead without asking.
    #[must_use]
    pub fn allow(reason: Reason) -> Verdict {
        Verdict { stance: Stance::Allow, reasons: vec![reason], ..Verdict::default() }
    }

    /// The user decides.
    #[must_use]
    pub fn ask(reason: Reason) -> Verdict {
        Verdict { stance: Stance::Ask, reasons: vec![reason], ..Verdict::default() }
    }

    #[must_use]
    pub fn deny(reason: Reason) -> Verdict {
        Verdict { stance: Stance::Deny, reasons: vec![reason], ..Verdict::default() }
    }

    /// Only a notice for the user.
    #[must_use]
    pub fn notice(text: impl Into<String>) -> Verdict {
        Verdict { notices: vec![text.into()], ..Verdict::default() }
    }

    /// Only knowledge for the model.
    #[must_use]
    pub fn context(snippet: Snippet) -> Verdict {
        Verdict { context: vec![snippet], ..Verdict::default() }
    }

    /// The same verdict with more evidence.
    #[must_use]
    pub fn with_evidence(mut self, name: &str, value: impl Into<String>) -> Verdict {
        self.evidence.push(Evidence { name: name.to_owned(), value: value.into() });
        self
    }

    /// Adds `other` to this verdict; the stronger stance wins.
    pub fn join(&mut self, other: Verdict) {
        match other.stance.cmp(&self.stance) {
            // A reason to allow explains nothing once the decision is to ask or deny.
            Ordering::Greater if self.stance <= Stance::Allow => self.reasons = other.reasons,
            Ordering::Less if other.stance <= Stance::Allow => {}
            Ordering::Greater | Ordering::Less | Ordering::Equal => self.reasons.extend(other.reasons),
        }
        self.incidental = match other.stance.cmp(&self.stance) {
            Ordering::Greater => other.incidental,
            Ordering::Less => self.incidental,
            Ordering::Equal => self.incidental && other.incidental,
        };
        self.stance = self.stance.max(other.stance);
        self.rewrites.extend(other.rewrites);
        self.context.extend(other.context);
        self.notices.extend(other.notices);
        self.evidence.extend(other.evidence);
        self.subjects.extend(other.subjects);
        self.strikes_output |= other.strikes_output;
        self.restores.extend(other.restores);
        self.errands.extend(other.errands);
        self.terminal.extend(other.terminal);
    }

    /// The same verdict about one more thing.
    #[must_use]
    pub fn with_subject(mut self, subject: Subject) -> Verdict {
        if !self.subjects.contains(&subject) {
            self.subjects.push(subject);
        }
        self
    }

    /// Whether it has no effect at all.
    #[must_use]
    pub fn is_silent(&self) -> bool {
        let Verdict {
            stance, rewrites, context, notices, strikes_output, restores, errands, terminal, ..
        } = self;
        *stance == Stance::Silent
            && !strikes_output
            && rewrites.is_empty()
            && context.is_empty()
            && notices.is_empty()
            && restores.is_empty()
            && errands.is_empty()
            && terminal.is_empty()
    }
}
