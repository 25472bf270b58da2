//! The page of all policies.

use flyball_core::event::EventKind;
use flyball_core::policy::{OnError, Policy};
use flyball_policies::REGISTRY;

use super::markdown::{code, head, table};

pub(super) fn page() -> String {
    let about = "Every policy, in the order in which their reasons are given. `flyball policies` shows the same \
        for the project you are in.";
    let mut page = head("Policies", about);
    let link = |policy: &Policy| format!("[`{0}`](#{1})", policy.id, policy.id.as_str().replace('.', ""));
    let rows = REGISTRY.iter().map(|policy| {
        vec![
            link(policy),
            policy.mode.name().to_owned(),
            failure(policy).to_owned(),
            policy.summary.to_owned(),
        ]
    });
    page.push_str(&table(&["policy", "default mode", "if it fails", "what it is about"], rows));
    for policy in REGISTRY {
        page.push('\n');
        page.push_str(&lower_headings(policy));
        page.push_str(&format!("\nListens to: {}.\n", events(policy)));
    }
    page
}

/// The policy's own page, its headings one level down.
fn lower_headings(policy: &Policy) -> String {
    let mut in_code = false;
    let mut lowered = String::new();
    for line in policy.page.trim_end().lines() {
        in_code ^= line.starts_with("```");
        if line.starts_with('#') && !in_code {
            lowered.push('#');
        }
        lowered.push_str(line);
        lowered.push('\n');
    }
    lowered
}

fn events(policy: &Policy) -> String {
    if policy.listens.len() == EventKind::ALL.len() {
        return "all events".to_owned();
    }
    policy.listens.iter().map(|kind| code(kind.name())).collect::<Vec<_>>().join(", ")
}

const fn failure(policy: &Policy) -> &'static str {
    match policy.on_error {
        OnError::Deny => "denies",
        OnError::Hold => "holds the end of the turn, three times at most",
        OnError::Notice => "passes, with a notice",
    }
}
