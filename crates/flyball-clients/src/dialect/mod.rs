//! The hook protocol that Claude Code introduced and others adopted: same envelope, same names,
//! one table of events per client with what each supports.
//!
//! What only one client does is in that client's folder.

mod decode;
mod encode;
mod event;
mod outcome;
mod protocol;
mod reply;
mod server;
mod shorten;
mod signal;

#[cfg(test)]
pub(crate) mod examples;

pub(crate) use decode::{decode, permission_mode};
pub(crate) use encode::{encode, encode_failure};
pub(crate) use event::{Channel, Meaning, NativeEvent, Powers, Refusal, Register, event, powers, since};
pub(crate) use outcome::{failed_outcome, outcome_from_response, struck_output};
pub(crate) use protocol::{ExitCodes, OutputSupport, Protocol, TerminalSupport};
pub(crate) use server::mcp;
