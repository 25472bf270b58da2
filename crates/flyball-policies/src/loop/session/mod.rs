//! Adds texts when a session starts, reminds at prompts, and carries open findings over a compaction.

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
use crate::shell_word::path_word;

/// How many files with findings are named.
const MOST_FILES: usize = 20;

pub static POLICY: Policy = Policy {
    id: PolicyId::new("loop.session"),
    summary: "texts at the start of a session, a reminder, and open findings after a compaction",
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

/// The open findings of linters, which a summary would drop. They are worded as facts: before a compaction they become
/// part of the prompt for the summary.
fn open_findings(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    let memory = situation.memory.read(quality::POLICY.id.as_str())?.unwrap_or_default();
    let root = situation.world.project_root();
    let is_there = |file: &str| situation.world.stat(&situation.world.real_path(root, file)).is_some();
    let mut open = quality::open_files(&memory);
    open.retain(|(file, _)| is_there(file));
    if open.is_empty() {
        return Ok(Verdict::silent());
    }
    let mut lines = vec!["Linter findings that are not fixed yet:".to_owned()];
    lines.extend(open.iter().take(MOST_FILES).map(|(file, findings)| line(file, *findings)));
    let more = open.len().saturating_sub(MOST_FILES);
    if more > 0 {
        lines.push(format!("and {more} more files; see `flyball lint --changed`"));
    }
    Ok(add_context("findings", 10, lines.join("\n")))
}

fn line(file: &str, findings: usize) -> String {
    let word = path_word(file);
    format!("{file}: {}; see `flyball lint {word}`", text::counted(findings, "finding"))
}
