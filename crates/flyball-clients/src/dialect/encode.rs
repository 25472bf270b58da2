//! From an answer to what a client supports at an event, by the powers in the client's table.
//!
//! What a client cannot express is not lost: a refusal that cannot be
//! made becomes a notice, a notice without a channel stays in the record.

use std::borrow::Cow;

use flyball_core::answer::Answer;
use flyball_core::event::{Event, EventKind, Tool};
use flyball_core::verdict::Stance;
use serde_json::value::RawValue;

use super::event::{Channel, Powers, Refusal};
use super::protocol::{OutputSupport, Protocol, TerminalSupport};
use super::reply::{Behavior, Reply, Specific};
use super::shorten::shorten;
use super::signal::encode_signals;
use crate::exchange::{Output, Refused};

/// Encodes the answer for the client.
pub(crate) fn encode(protocol: &Protocol, event: &Event, answer: &Answer) -> Output {
    match protocol.event(&event.native) {
        Some(native) => Encoder::new(protocol, &native.powers, event, answer).output(),
        // An event that we do not know may take anything on stdout for something else.
        None => Output::silent(),
    }
}

/// The answer to a payload that cannot be read.
pub(crate) fn encode_failure(protocol: &Protocol, declared: Option<&str>, text: &str) -> Output {
    let native = declared.and_then(|name| protocol.event(name));
    match native {
        // A call that cannot be read cannot be judged: it is refused.
        Some(native) if native.meaning.is_always(EventKind::BeforeTool) => {
            Output::failed(protocol.exit.refuses, text)
        }
        Some(native) if native.meaning.is_always(EventKind::PermissionAsked) => {
            // No exit code stops a permission dialog from being answered with yes.
            let decision = Some(Behavior { behavior: "deny", message: Some(text.to_owned()) });
            let hook_specific_output =
                Specific { hook_event_name: native.name.into(), decision, ..Specific::default() };
            Reply { hook_specific_output, ..Reply::default() }.output(protocol.exit)
        }
        _ => Output::failed(protocol.exit.passes, text),
    }
}

struct Encoder<'a> {
    protocol: &'a Protocol,
    powers: &'a Powers,
    event: &'a Event,
    answer: &'a Answer,
    updated_input: Option<Box<RawValue>>,
}

impl<'a> Encoder<'a> {
    fn new(protocol: &'a Protocol, powers: &'a Powers, event: &'a Event, answer: &'a Answer) -> Encoder<'a> {
        // Encoded first: whether the client can take the rewrite decides about the notice.
        let rewritten = answer.rewritten.as_deref().filter(|_| is_rewritable(event, answer));
        let updated_input = rewritten.and_then(|text| (protocol.updated_input)(event, text));
        Encoder { protocol, powers, event, answer, updated_input }
    }

    fn output(self) -> Output {
        if self.powers.refusal == Refusal::Exit && self.answer.stance == Stance::Deny {
            return Output::failed(self.protocol.exit.refuses, &self.reason());
        }
        if let Some(text) = self.plain() {
            return Output::printed(text);
        }
        let exit = self.protocol.exit;
        let can_refuse = !matches!(self.powers.refusal, Refusal::Inform | Refusal::Never);
        let refuses = can_refuse && self.answer.stance >= Stance::Ask;
        let refused = refuses.then(|| Refused { exit: exit.refuses, reason: self.reason() });
        let output = self.reply().output(exit);
        Output { unprinted: refused.filter(|_| !output.stdout.is_empty()), ..output }
    }

    /// All of stdout, where the client reads it as text.
    fn plain(&self) -> Option<String> {
        let context = (self.powers.context == Channel::Stdout).then(|| self.context()).flatten();
        let notice = (self.powers.notice == Channel::Stdout).then(|| self.notice()).flatten();
        context.or(notice)
    }

    fn reply(mut self) -> Reply<'a> {
        let mut reply = Reply::default();
        reply.hook_specific_output.hook_event_name = Cow::Borrowed(&self.event.native);
        reply.system_message = (self.powers.notice == Channel::Field).then(|| self.notice()).flatten();
        reply.hook_specific_output.additional_context = self.additional_context();
        reply.terminal_sequence = self.terminal_sequence();
        match self.powers.refusal {
            Refusal::Permission => self.decide(&mut reply.hook_specific_output),
            Refusal::PermissionToDeny => self.decide_to_deny(&mut reply.hook_specific_output),
            Refusal::Behavior => reply.hook_specific_output.decision = self.behavior(),
            Refusal::Block if self.answer.stance == Stance::Deny => {
                reply.decision = Some("block");
                reply.reason = Some(self.reason());
            }
            Refusal::Decline if self.answer.stance == Stance::Deny => {
                reply.hook_specific_output.action = Some("decline");
            }
            Refusal::Block | Refusal::Decline | Refusal::Inform | Refusal::Exit | Refusal::Never => {}
        }
        self.replace_output(&mut reply);
        reply
    }

    /// The result of the tool in place of the real one.
    fn replace_output(&self, reply: &mut Reply<'_>) {
        let Some(output) = &self.answer.output else { return };
        match self.protocol.output {
            OutputSupport::Field => {
                reply.hook_specific_output.updated_tool_output = RawValue::from_string(output.clone()).ok();
            }
            OutputSupport::Reason => {
                // A refusal stays in front: the model has to read both.
                let reason = reply.reason.take().map_or_else(String::new, |reason| format!("{reason}\n\n"));
                reply.decision = Some("block");
                reply.reason = Some(self.shortened(format!("{reason}{output}")));
            }
            OutputSupport::Unsupported => {}
        }
    }

    /// Not where the client takes stdout for something other than a document.
    fn terminal_sequence(&self) -> Option<String> {
        let is_text = self.powers.context == Channel::Stdout || self.powers.notice == Channel::Stdout;
        let is_read = self.protocol.terminal == TerminalSupport::Supported
            && !is_text
            && self.powers.refusal != Refusal::Exit;
        (is_read && !self.answer.terminal.is_empty()).then(|| encode_signals(&self.answer.terminal))
    }

    fn decide(&mut self, specific: &mut Specific) {
        let stance = self.answer.stance;
        // Also without a decision: the client then applies its own rules to the rewritten call.
        specific.updated_input = self.updated_input.take().filter(|_| stance != Stance::Deny);
        if stance != Stance::Silent {
            specific.permission_decision = Some(stance.name());
            specific.permission_decision_reason = Some(self.reason());
        }
    }

    /// A grant without a rewrite makes this client drop the whole document.
    fn decide_to_deny(&mut self, specific: &mut Specific) {
        // An `ask` is unknown to this client and would let the call pass, so it becomes a refusal.
        if self.answer.stance >= Stance::Ask {
            specific.permission_decision = Some(Stance::Deny.name());
            specific.permission_decision_reason = Some(self.reason());
        } else if let Some(input) = self.updated_input.take() {
            specific.permission_decision = Some(Stance::Allow.name());
            specific.updated_input = Some(input);
        }
    }

    fn behavior(&self) -> Option<Behavior> {
        match self.answer.stance {
            Stance::Allow => Some(Behavior { behavior: "allow", message: None }),
            Stance::Deny => Some(Behavior { behavior: "deny", message: Some(self.reason()) }),
            // The dialog itself is the question to the user.
            Stance::Silent | Stance::Ask => None,
        }
    }

    fn reasons(&self) -> String {
        self.answer.reason_text(self.event.kind())
    }

    /// The reasons, with what the client cannot express in another way.
    fn reason(&self) -> String {
        let mut text = self.reasons();
        if self.powers.refusal == Refusal::PermissionToDeny && self.answer.stance == Stance::Ask {
            text = format!("{text}\n{}", self.protocol.nobody_to_ask);
        }
        if self.powers.context == Channel::WithRefusal && !self.answer.context.is_empty() {
            text = format!("{text}\n\n{}", self.answer.context);
        }
        self.shortened(text)
    }

    fn additional_context(&self) -> Option<String> {
        let is_added = self.powers.refusal == Refusal::Inform && self.answer.stance == Stance::Deny;
        let reason = is_added.then(|| self.reasons());
        match (reason, self.context().filter(|_| self.powers.context == Channel::Field)) {
            (Some(reason), Some(context)) => Some(self.shortened(format!("{reason}\n\n{context}"))),
            (Some(reason), None) => Some(self.shortened(reason)),
            (None, context) => context,
        }
    }

    fn context(&self) -> Option<String> {
        (!self.answer.context.is_empty()).then(|| self.shortened(self.answer.context.clone()))
    }

    /// The text for the user: the notices, and what could not be expressed in another way.
    fn notice(&self) -> Option<String> {
        let lost_stance = self
            .lost_stance()
            .map(|stance| format!("flyball: this would have been {stance}:\n{}", self.reasons()));
        let unseen_reason = self.is_reason_unseen().then(|| format!("flyball asks: {}", self.reasons()));
        let lost_rewrite = self.lost_rewrite().map(str::to_owned);
        let parts: Vec<String> = [self.answer.notice_text(), lost_stance, unseen_reason, lost_rewrite]
            .into_iter()
            .flatten()
            .collect();
        (!parts.is_empty()).then(|| self.shortened(parts.join("\n")))
    }

    /// The stance of the answer, if this event cannot express it.
    fn lost_stance(&self) -> Option<&'static str> {
        match (self.answer.stance, self.powers.refusal) {
            (Stance::Deny, Refusal::Never) => Some("refused, but the client cannot be stopped here"),
            (Stance::Ask, Refusal::Block | Refusal::Inform | Refusal::Exit | Refusal::Never) => {
                Some("asked about, but the client cannot ask here")
            }
            _ => None,
        }
    }

    /// Whether the client asks its user without showing why: its dialog about an edit shows only the difference.
    fn is_reason_unseen(&self) -> bool {
        let is_edit = self.event.call().is_some_and(|call| matches!(call.tool, Tool::Edit(_)));
        is_edit && self.answer.stance == Stance::Ask && self.powers.refusal == Refusal::Permission
    }

    fn lost_rewrite(&self) -> Option<&'static str> {
        let is_lost = is_rewritable(self.event, self.answer) && self.updated_input.is_none();
        is_lost.then_some("flyball: a change to this call was dropped: the client cannot take it")
    }

    fn shortened(&self, text: String) -> String {
        shorten(text, self.protocol.longest_text, &self.answer.id)
    }
}

/// Whether there is a rewrite that has to reach the client. Guards see a rewritten call again only
/// before a tool runs, so nothing is rewritten anywhere else.
fn is_rewritable(event: &Event, answer: &Answer) -> bool {
    event.kind() == EventKind::BeforeTool && answer.rewritten.is_some() && answer.stance != Stance::Deny
}
