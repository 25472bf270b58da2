//! The document that clients of this dialect read from stdout. What is absent is left out: a
//! `null` makes the whole document invalid, and an invalid refusal is a permission.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::value::RawValue;

use super::protocol::ExitCodes;
use crate::exchange::Output;

/// The document. Its fields are in the order in which a person wants to read them.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Reply<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) decision: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reason: Option<String>,
    #[serde(skip_serializing_if = "Specific::is_empty")]
    pub(super) hook_specific_output: Specific<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) system_message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) terminal_sequence: Option<String>,
}

/// The part that depends on the event.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Specific<'a> {
    pub(super) hook_event_name: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) permission_decision: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) permission_decision_reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) updated_input: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) updated_tool_output: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) decision: Option<Behavior>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) action: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) additional_context: Option<String>,
}

/// The answer to a permission dialog.
#[derive(Serialize)]
pub(super) struct Behavior {
    pub(super) behavior: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) message: Option<String>,
}

impl Specific<'_> {
    /// Whether it has nothing but the name of the event.
    fn is_empty(&self) -> bool {
        self.permission_decision.is_none()
            && self.permission_decision_reason.is_none()
            && self.updated_input.is_none()
            && self.updated_tool_output.is_none()
            && self.decision.is_none()
            && self.action.is_none()
            && self.additional_context.is_none()
    }
}

impl Reply<'_> {
    fn is_empty(&self) -> bool {
        self.decision.is_none()
            && self.reason.is_none()
            && self.hook_specific_output.is_empty()
            && self.system_message.is_none()
            && self.terminal_sequence.is_none()
    }

    /// The document on stdout, or silence.
    pub(super) fn output(&self, exit: ExitCodes) -> Output {
        if self.is_empty() {
            return Output::silent();
        }
        match serde_json::to_string(self) {
            Ok(document) => Output::printed(document),
            // Texts and raw values always serialize; should they not, a refusal stays one.
            Err(cause) => Output::failed(exit.refuses, &format!("flyball has a bug: {cause}")),
        }
    }
}
