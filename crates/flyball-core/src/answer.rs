//! The one answer to an event, independent of the client; adapters encode it for theirs.

use crate::event::{AnswerId, EventKind};
use crate::merge::{AttributedReason, Merged};
use crate::outcome::Outcome;
use crate::verdict::{Signal, Stance};

/// How many characters of a reason clients show.
pub const SHOWN: usize = 200;

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

    /// The reasons as the agent and the user read them, one per line: what to do, why, and in brackets the policy and the
    /// id that `flyball explain` takes. The reasons for a decision about a call are short enough for clients to show them
    /// whole; a hold or a finding may list what there is to do.
    #[must_use]
    pub fn reason_text(&self, kind: EventKind) -> String {
        // Once something asks or denies, reasons to allow are left out; for an allow all of them are shown.
        let is_blocking = |attributed: &&AttributedReason| attributed.stance >= self.stance.min(Stance::Ask);
        let is_shown_short = match Outcome::new(kind, self.stance) {
            Outcome::Blocked | Outcome::Asked => true,
            Outcome::Passed | Outcome::Allowed | Outcome::Finding | Outcome::Held => false,
        };
        let mut shown: Vec<&AttributedReason> = self.reasons.iter().filter(is_blocking).collect();
        let also = if is_shown_short { self.take_incidental(&mut shown) } else { String::new() };
        let line = |(at, AttributedReason { policy, reason, .. }): (usize, &&AttributedReason)| {
            let tag = self.tag(policy.as_str());
            if !is_shown_short {
                return tagged(reason.text(), &tag);
            }
            // With the full stop and the space between them.
            let brief = |tag: &str| reason.brief(SHOWN.saturating_sub(tag.chars().count() + 2));
            let with_others = format!("{also}{tag}");
            let text = brief(&with_others);
            // What is lost is worth more room than who else would have stopped it.
            match at {
                0 if !text.ends_with('…') => tagged(text, &with_others),
                _ => tagged(brief(&tag), &tag),
            }
        };
        let lines: Vec<String> = shown.iter().enumerate().map(line).collect();
        if lines.is_empty() {
            tagged("no reason was given".to_owned(), &self.tag("engine"))
        } else {
            lines.join("\n")
        }
    }

    /// Takes out reasons about what the call reaches without naming it, if what it names is a reason for the same decision:
    /// their policies are named, and `flyball explain` has the rest.
    fn take_incidental(&self, shown: &mut Vec<&AttributedReason>) -> String {
        if !shown.iter().any(|it| !it.incidental && it.stance == self.stance) {
            return String::new();
        }
        let mut policies: Vec<&str> =
            shown.iter().filter(|it| it.incidental).map(|it| it.policy.as_str()).collect();
        policies.dedup();
        shown.retain(|it| !it.incidental);
        if policies.is_empty() { String::new() } else { format!("(also {}) ", policies.join(", ")) }
    }

    /// The policy, and the id that `flyball explain` takes.
    fn tag(&self, policy: &str) -> String {
        format!("[flyball {policy} {}]", self.id)
    }

    /// The notices as one text; `None` without any.
    #[must_use]
    pub fn notice_text(&self) -> Option<String> {
        (!self.notices.is_empty()).then(|| format!("flyball: {}", self.notices.join("\nflyball: ")))
    }
}

fn tagged(text: String, tag: &str) -> String {
    let separator = if text.contains('\n') {
        "\n"
    } else if text.ends_with(['.', '!', '?', '…']) {
        " "
    } else {
        ". "
    };
    text + separator + tag
}
