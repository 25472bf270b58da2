//! Puts an explanation together: for the terminal, for scripts, for files and for the board.

mod advice;
mod changes;
mod context;
mod modes;
mod notes;
mod rejudge;
pub(crate) mod settings;
mod today;

use flyball_board::explanation::{Explanation, PolicyExplained};
use flyball_core::record::{Record, RecordedRuling};
use flyball_core::verdict::Stance;
use flyball_policies::REGISTRY;
use flyball_store::{Filter, Queries, StoreError};

pub(crate) use self::context::ExplainContext;

use crate::project_context::mode_in;

/// At most this many denials of a session are searched for the one that a later denial is based on.
const DENIALS: usize = 200;

/// The denials in a session before an event, if they matter for it.
pub(crate) fn denials_before(index: &dyn Queries, record: &Record) -> Result<Vec<Record>, StoreError> {
    if !notes::depends_on_denials(record) {
        return Ok(Vec::new());
    }
    let filter = Filter {
        session: Some(record.session.clone()),
        stance: Some(Stance::Deny),
        until: Some(record.at),
        limit: Some(DENIALS),
        ..Filter::default()
    };
    Ok(index.events(&filter)?.into_iter().map(|event| event.record).collect())
}

/// Everything about one decision.
pub(crate) fn explanation(record: Record, context: &ExplainContext<'_>) -> Explanation {
    let policies = policies(&record, context);
    let changes = changes::find(&record, context.project);
    let next = advice::next(&record, context.project);
    let meaning = record.outcome().meaning().to_owned();
    Explanation { record, meaning, policies, changes, next }
}

/// Whether a policy had anything to do with an answer.
fn took_part(ruling: &RecordedRuling) -> bool {
    let RecordedRuling { stance, reasons, evidence, error, .. } = ruling;
    *stance != Stance::Silent || !reasons.is_empty() || !evidence.is_empty() || error.is_some()
}

fn policies(record: &Record, context: &ExplainContext<'_>) -> Vec<PolicyExplained> {
    let project = context.project;
    let known = REGISTRY.iter().filter_map(|policy| {
        let id = policy.id.as_str();
        let ruling = record.rulings.iter().find(|ruling| ruling.policy == id)?;
        let has_part = took_part(ruling);
        let explained = PolicyExplained {
            policy: id.to_owned(),
            summary: policy.summary.to_owned(),
            mode_now: mode_in(&project.loaded.config, policy).name().to_owned(),
            mode_origin: project.origins.describe_mode(id),
            settings: if has_part { settings::collect(ruling, &project.origins) } else { Vec::new() },
            notes: if has_part { notes::collect(ruling, record, context) } else { Vec::new() },
        };
        Some((has_part, explained))
    });
    let (active, silent): (Vec<_>, Vec<_>) = known.partition(|(has_part, _)| *has_part);
    active.into_iter().chain(silent).map(|(_, explained)| explained).collect()
}
