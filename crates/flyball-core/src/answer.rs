//! The one answer to an event, independent of the client; adapters encode it for theirs.

use crate::event::AnswerId;
use crate::merge::{AttributedReason, Merged};
use crate::verdict::{Signal, Stance};

/// The one answer to an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Its id, for `flyball explain`.
    pub id: AnswerId,
    pub stance: Stance,
    /// Every reason, in registry order.
    pub reasons: Vec<AttributedReason>,
    /// The main text of the call after rewrites.
    pub rewritten: Option<String>,
    /// What the tool returned, without secrets, in the form in which the client takes it.
    pub output: Option<String>,
    /// Knowledge for the model; empty for none.
    pub context: String,
    /// Notices for the user; the model never sees them.
    pub notices: Vec<String>,
    /// What the client's terminal should do.
    pub terminal: Vec<Signal>,
}

impl Answer {
    #[must_use]
    pub fn new(id: AnswerId, merged: Merged) -> Answer {
        let Merged { stance, reasons, rewritten, context, notices, terminal, .. } = merged;
        Answer { id, stance, reasons, rewritten, output: None, context: context.text, notices, terminal }
    }

    /// Whether the answer is empty, so that nothing may be printed.
    #[must_use]
    pub fn is_silent(&self) -> bool {
        self.stance == Stance::Silent
            && self.rewritten.is_none()
            && self.output.is_none()
            && self.context.is_empty()
            && self.notices.is_empty()
            && self.terminal.is_empty()
    }

    /// The reasons as the agent (and, for an ask, the user) reads them: one per line. Each ends with its policy and the id
    /// that `flyball explain` takes, because clients cut long texts at the end.
    #[must_use]
    pub fn reason_text(&self) -> String {
        // Once something asks or denies, reasons to allow are left out; for an allow all of them are shown.
        let is_blocking = |attributed: &&AttributedReason| attributed.stance >= self.stance.min(Stance::Ask);
        let line =
            |attributed: &AttributedReason| self.tagged(attributed.reason.text(), attributed.policy.as_str());
        let lines: Vec<String> = self.reasons.iter().filter(is_blocking).map(line).collect();
        if lines.is_empty() {
            self.tagged("no reason was given".to_owned(), "engine")
        } else {
            lines.join("\n")
        }
    }

    fn tagged(&self, mut text: String, policy: &str) -> String {
        let separator = if text.contains('\n') {
            "\n"
        } else if text.ends_with(['.', '!', '?']) {
            " "
        } else {
            ". "
        };
        text.push_str(separator);
        format!("{text}[flyball {policy} {}]", self.id)
    }

    /// The notices as one text; `None` without any.
    #[must_use]
    pub fn notice_text(&self) -> Option<String> {
        (!self.notices.is_empty()).then(|| format!("flyball: {}", self.notices.join("\nflyball: ")))
    }
}
