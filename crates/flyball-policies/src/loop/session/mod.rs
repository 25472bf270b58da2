//! Gives a session texts when it starts, reminds, and carries what is open over compaction.

mod inject;
mod settings;
#[cfg(test)]
mod tests;

use flyball_core::config::{Mode, SectionSpec};
use flyball_core::event::{EventData, EventKind};
use flyball_core::policy::{OnError, Policy, PolicyError, PolicyId, Situation};
use flyball_core::text;
use flyball_core::verdict::Verdict;

use self::inject::add_context;
pub use self::settings::Settings;
use self::settings::Source;
use crate::quality;

/// How many files with findings are named.
const MOST_FILES: usize = 20;

pub static POLICY: Policy = Policy {
    id: PolicyId::new("loop.session"),
    summary: "a session is reminded, and knows after compaction what was open",
    page: include_str!("policy.md"),
    listens: &[EventKind::SessionStart, EventKind::PromptSubmit, EventKind::BeforeCompact],
    on_error: OnError::Notice,
    mode: Mode::Off,
    section: SectionSpec::for_type::<Settings>(),
    run: judge,
    gather: None,
    review: None,
};

fn judge(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    match &situation.event.happening {
        EventData::SessionStart { source } => {
            let Some(source) = Source::from_name(source) else { return Ok(Verdict::silent()) };
            let mut verdict = inject::inject(situation, source)?;
            if source == Source::Compact {
                verdict.join(open_findings(situation)?);
            }
            Ok(verdict)
        }
        EventData::BeforeCompact { .. } => open_findings(situation),
        EventData::PromptSubmit { by_machine: false, .. } if situation.event.agent.is_none() => {
            let settings: Settings = situation.config()?;
            let text = settings.reminder.as_str().to_owned();
            Ok(if text.is_empty() { Verdict::silent() } else { add_context("reminder", 0, text) })
        }
        _ => Ok(Verdict::silent()),
    }
}

/// The findings that linters left, which the summary and the one who reads it would forget. They are facts: before a
/// compaction they join the prompt for the summary.
fn open_findings(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    let memory = situation.memory.read(quality::POLICY.id.as_str())?.unwrap_or_default();
    let root = situation.world.project_root();
    let is_there = |file: &str| situation.world.stat(&situation.world.real_path(root, file)).is_some();
    let mut open = quality::open_files(&memory);
    open.retain(|(file, _)| is_there(file));
    if open.is_empty() {
        return Ok(Verdict::silent());
    }
    let mut lines = vec!["Findings of linters that are not mended yet:".to_owned()];
    lines.extend(open.iter().take(MOST_FILES).map(|(file, findings)| line(file, *findings)));
    let more = open.len().saturating_sub(MOST_FILES);
    if more > 0 {
        lines.push(format!("and in {more} more; `flyball lint --changed` shows them"));
    }
    Ok(add_context("findings", 10, lines.join("\n")))
}

fn line(file: &str, findings: usize) -> String {
    let is_plain = file.chars().all(|letter| letter.is_ascii_alphanumeric() || "._/-".contains(letter));
    let word = if is_plain { file.to_owned() } else { format!("'{}'", file.replace('\'', r"'\''")) };
    let (findings, verb) = (text::counted(findings, "finding"), text::plural(findings, "is", "are"));
    format!("{file}: {findings} {verb} left; `flyball lint {word}` shows them")
}
