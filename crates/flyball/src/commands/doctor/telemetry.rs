//! Telemetry, if any is sent: where to, and why it fails.

use jiff::Zoned;

use super::report::Section;
use crate::commands::export::{Plan, SignalStatus};

const FIX: &str =
    "`flyball export --check` checks each address, `flyball export --status` shows how far each got";

/// The section is empty if nothing is sent.
pub(super) fn examine() -> Section {
    let mut section = Section::new("telemetry");
    let plan = match Plan::find() {
        Ok(Some(plan)) => plan,
        Ok(None) => return section,
        Err(failed) => {
            section.bad(failed.what, &failed.fix);
            return section;
        }
    };
    // Headers may hold a key, which goes over the network with every request.
    if plan.targets.iter().any(|target| target.is_exposed()) {
        section.warn(
            "it is sent without TLS: anyone on the network can read it",
            "write `https://` in `[otlp]`",
        );
    }
    let now = Zoned::now();
    match SignalStatus::all(&plan) {
        Ok(all) => all.iter().for_each(|status| examine_one(status, &now, &mut section)),
        Err(failed) => section.bad(failed.what, &failed.fix),
    }
    section
}

fn examine_one(status: &SignalStatus, now: &Zoned, section: &mut Section) {
    let SignalStatus { signal, host, waiting, cursor } = status;
    let place = format!("{signal} to {host}: {} events sent, {waiting} waiting", cursor.sent);
    match status.failure(now) {
        None => section.good(place),
        Some(error) => section.warn(format!("{place}; {error}"), FIX),
    }
}
