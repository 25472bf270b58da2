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

    /// The reasons as the agent (and, for an ask, the user) reads them: all that stands in the
    /// way, one a line, with the id that leads to the explanation.
    #[must_use]
    pub fn reason_text(&self) -> String {
        let in_the_way = |said: &&AttributedReason| said.stance >= self.stance.min(Stance::Ask);
        let line = |said: &AttributedReason| format!("[{}] {}", said.policy, said.reason.text());
        let mut lines: Vec<String> = self.reasons.iter().filter(in_the_way).map(line).collect();
        if lines.is_empty() {
            lines.push("no reason was given".to_owned());
        }
        lines.push(format!("(flyball explain {})", self.id));
        lines.join("\n")
    }

    /// The notices as one text; `None` without any.
    #[must_use]
    pub fn notice_text(&self) -> Option<String> {
        (!self.notices.is_empty()).then(|| format!("flyball: {}", self.notices.join("\nflyball: ")))
    }
}
