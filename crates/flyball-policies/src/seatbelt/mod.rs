//! What the kernel refuses to the commands of agents; `flyball run` has it refused.
//!
//! The policy says what cannot work inside, and what was refused there.

mod refused;
mod route;
mod settings;

use flyball_core::config::{Mode, SectionSpec};
use flyball_core::event::{EventData, EventKind, Tool};
use flyball_core::policy::{OnError, Policy, PolicyError, PolicyId, Situation};
use flyball_core::verdict::{Reason, Snippet, Verdict};
use flyball_core::world::Wearer;

pub use self::route::{Lifted, Route, route};
pub use self::settings::{Level, Net, Outside, Settings};

pub static POLICY: Policy = Policy {
    id: PolicyId::new("seatbelt"),
    summary: "the kernel keeps the commands of agents from changing what guards them",
    page: include_str!("policy.md"),
    listens: &[EventKind::BeforeTool, EventKind::AfterTool, EventKind::ToolFailed],
    on_error: OnError::Notice,
    mode: Mode::Enforce,
    section: SectionSpec::for_type::<Settings>().raised_by_anyone().tightened_by(settings::TIGHTENED_BY),
    run: judge,
    gather: None,
    review: None,
};

fn judge(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    if situation.world.seatbelt().is_none() {
        return Ok(Verdict::silent());
    }
    match &situation.event.happening {
        EventData::BeforeTool(call) if matches!(call.tool, Tool::Shell { .. }) => before(situation),
        EventData::AfterTool { call, outcome } | EventData::ToolFailed { call, outcome, .. }
            if matches!(call.tool, Tool::Shell { .. }) =>
        {
            Ok(after(situation, &outcome.text))
        }
        _ => Ok(Verdict::silent()),
    }
}

/// What cannot work inside runs outside, where nothing but the guards' reading protects anything.
fn before(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    let settings: Settings = situation.config()?;
    let is_root = situation.world.seatbelt() == Some(Wearer::Root);
    let route = situation.effective_line().map(|line| route::route_of(line, is_root));
    let Some(Route::Outside(program)) = route.filter(|_| settings.outside == Outside::Ask) else {
        return Ok(Verdict::silent());
    };
    Ok(Verdict::ask(Reason {
        instead: format!("Do it without `{program}`, or let the user decide"),
        what: format!("`{program}` cannot work where the kernel protects files, so this runs without that"),
        why: "Only what can be read of the line was checked".to_owned(),
    }))
}

/// Tells the agent in the guards' words why something could not be written.
fn after(situation: &Situation<'_>, printed: &str) -> Verdict {
    let Some(refused) = refused::find(situation, printed) else { return Verdict::silent() };
    let refused::Refused { name, what, can_be_allowed } = refused;
    let way =
        if can_be_allowed { format!(": `flyball allow {name} --for 10m` lets you") } else { String::new() };
    let text = format!(
        "`{name}` was not changed: it is {what}, and the kernel keeps commands of agents from writing it (flyball's seatbelt). Do not \
         try another way. If it has to change, tell the user{way}."
    );
    Verdict::context(Snippet { key: "seatbelt".to_owned(), rank: 90, text })
        .with_evidence("refused by the kernel", name)
}
