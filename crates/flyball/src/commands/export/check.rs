//! `flyball export --check`: whether the receivers can be reached and accept what we send.

use flyball_core::config::OtlpProtocol;
use flyball_world::upload::{Upload, post};

use super::clock::now;
use super::plan::{Plan, Target};
use super::retry::{Outcome, interpret};
use crate::outcome::{Done, Failed};
use crate::show::text::one_line;
use crate::terminal::{Style, Terminal};

/// Sends an empty request to each address.
pub(super) fn run(plan: &Plan, terminal: &Terminal) -> Result<Done, Failed> {
    let mut is_ok = true;
    for target in &plan.targets {
        let place = format!("{} to {}", target.signal.name(), one_line(&target.host));
        match find_failure(plan, target) {
            None => terminal.line(&format!("{} {place}", terminal.paint(Style::Good, "✓"))),
            Some(what) => {
                is_ok = false;
                terminal.line(&format!("{} {place}: {}", terminal.paint(Style::Bad, "✗"), one_line(&what)));
            }
        }
        if target.is_exposed() {
            is_ok = false;
            let what = "is sent without TLS: anyone on the network can read it; write `https://`";
            terminal.line(&format!("{} {place} {what}", terminal.paint(Style::Warning, "!")));
        }
    }
    Ok(if is_ok { Done::Success } else { Done::Findings })
}

fn find_failure(plan: &Plan, target: &Target) -> Option<String> {
    let body: &[u8] = match plan.protocol {
        OtlpProtocol::Protobuf => b"",
        OtlpProtocol::Json => b"{}",
    };
    let upload = Upload { url: &target.url, headers: &plan.headers, body, wait: plan.timeout };
    match interpret(&post(&upload), now()) {
        Outcome::Accepted => None,
        Outcome::TooLarge => Some("the receiver says that an empty request is too large".to_owned()),
        Outcome::Retry { what, .. } | Outcome::Refused { what } => Some(what),
    }
}
