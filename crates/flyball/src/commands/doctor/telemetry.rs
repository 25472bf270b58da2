//! Telemetry, if any is sent: where to, and what is in the way.

use jiff::Zoned;

use super::report::Section;
use crate::commands::export::{Plan, Standing};

const CHECK: &str =
    "`flyball export --check` looks at each address, `flyball export --status` shows how far each got";

/// Nothing at all where nothing is sent.
pub(super) fn examine() -> Section {
    let mut section = Section::new("telemetry");
    let plan = match Plan::find() {
        Ok(Some(plan)) => plan,
        Ok(None) => return section,
        Err(failed) => {
            section.bad(failed.what, &failed.way_out);
            return section;
        }
    };
    if plan.targets.iter().any(|target| target.is_readable_on_the_way()) {
        section.warn("it is sent without TLS: anyone on the way can read it", "write `https://` in `[otlp]`");
    }
    let now = Zoned::now();
    match Standing::all(&plan) {
        Ok(all) => all.iter().for_each(|standing| examine_one(standing, &now, &mut section)),
        Err(failed) => section.bad(failed.what, &failed.way_out),
    }
    section
}

fn examine_one(standing: &Standing, now: &Zoned, section: &mut Section) {
    let Standing { signal, host, waiting, cursor } = standing;
    let place = format!("{signal} to {host}: {} events sent, {waiting} waiting", cursor.sent);
    match standing.trouble(now) {
        None => section.good(place),
        Some(trouble) => section.warn(format!("{place}; {trouble}"), CHECK),
    }
}
