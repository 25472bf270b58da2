//! The rules that cover a file are told before it is edited.

mod after;
mod before;
mod edited;
mod heard;
mod packed;
mod place;
mod ranked;
mod settings;
#[cfg(test)]
mod tests;
mod told;

use flyball_core::config::{Mode, SectionSpec};
use flyball_core::event::{EventKind, Happening, Tool};
use flyball_core::policy::{OnError, Policy, PolicyId, Situation, Trouble};
use flyball_core::verdict::{Snippet, Verdict};

pub(crate) use self::heard::told_about;
pub use self::settings::Settings;
use self::told::Told;

pub static POLICY: Policy = Policy {
    id: PolicyId::new("memory.context"),
    summary: "the rules that cover a file are told before it is edited",
    page: include_str!("policy.md"),
    listens: &[EventKind::BeforeTool, EventKind::AfterTool, EventKind::SessionStart],
    on_error: OnError::Notice,
    mode: Mode::Off,
    section: SectionSpec::of::<Settings>(),
    run: judge,
    gather: None,
    review: None,
};

fn judge(situation: &Situation<'_>) -> Result<Verdict, Trouble> {
    match &situation.event.happening {
        Happening::BeforeTool(_) => before::tell(situation),
        // What is said here stands beside the file's text; before the call nobody knows whether it can be read.
        Happening::AfterTool { call, .. } if matches!(call.tool, Tool::Read { .. }) => {
            before::introduce(situation)
        }
        Happening::AfterTool { .. } => after::remind(situation),
        Happening::SessionStart { source } => forget(situation, source),
        _ => Ok(Verdict::silent()),
    }
}

/// What was told before is not in the context of a session that begins anew.
fn forget(situation: &Situation<'_>, source: &str) -> Result<Verdict, Trouble> {
    if matches!(source, "startup" | "clear" | "compact") && situation.remembers()? {
        situation.remember(&Told::default())?;
    }
    Ok(Verdict::silent())
}

/// Before all that others have to say of a call: what is left out for want of room would count as told.
const RANK: i32 = 40;

/// Something for the model; nothing if there is nothing to say.
fn say(paragraphs: &[String]) -> Verdict {
    if paragraphs.is_empty() {
        return Verdict::silent();
    }
    let snippet = Snippet { key: "memory.context".to_owned(), rank: RANK, text: paragraphs.join("\n\n") };
    Verdict { context: vec![snippet], ..Verdict::default() }
}
