//! The one answer to an event, in flyball's words; adapters say it in the client's.

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
    /// Knowledge for the model; empty for none.
    pub context: String,
    /// Notices for the user; the model never sees them.
    pub notices: Vec<String>,
    /// What the client's terminal shall do.
    pub terminal: Vec<Signal>,
}

impl Answer {
    /// The answer that these merged verdicts make.
    #[must_use]
    pub fn new(id: AnswerId, merged: Merged) -> Answer {
        let Merged { stance, reasons, rewritten, context, notices, restores: _, follow_ups: _, terminal } =
            merged;
        Answer { id, stance, reasons, rewritten, context: context.text, notices, terminal }
    }

    /// Whether there is nothing to say, so that nothing may be printed.
    #[must_use]
    pub fn is_silent(&self) -> bool {
        self.stance == Stance::Silent
            && self.rewritten.is_none()
            && self.context.is_empty()
            && self.notices.is_empty()
            && self.terminal.is_empty()
    }

    /// The reasons as the agent (and, for an ask, the user) reads them: one a line, each with its policy and the id
    /// that `flyball explain` takes at its end, where a client that shows only the beginning cuts it.
    #[must_use]
    pub fn reason_text(&self) -> String {
        let in_the_way = |given: &&AttributedReason| given.stance >= self.stance.min(Stance::Ask);
        let line = |given: &AttributedReason| self.tagged(given.reason.text(), given.policy.as_str());
        let lines: Vec<String> = self.reasons.iter().filter(in_the_way).map(line).collect();
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
