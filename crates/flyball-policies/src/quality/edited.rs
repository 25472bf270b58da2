//! The decision after an edit.

use flyball_core::verdict::{Reason, Verdict};
use flyball_quality::finding::{Finding, Level};
use flyball_quality::report::{FileReport, FixOutcome, Formatted, Report};
use flyball_quality::settings::Settings;

use super::failures;
use super::fingerprint::fingerprint;
use super::inputs::Inputs;
use super::memory::{ProjectSeen, Session, is_open};
use super::messages::{FindingsMessage, snippet, still_open};

/// How many changes of one file are described.
const SHOWN_CHANGES: usize = 5;

/// How a file came to be edited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EditSource {
    /// By the client's edit tool, which knows the file's content.
    Tool,
    Command,
}

/// What the agent has to fix, and what it should know.
pub(super) fn decide(inputs: &Inputs, settings: &Settings, session: &mut Session, by: EditSource) -> Verdict {
    if let Some(files) = inputs.too_many {
        return too_many(files, settings);
    }
    let report = &inputs.report;
    let open: Vec<&Finding> =
        report.files.iter().flat_map(|file| &file.findings).filter(|finding| is_open(finding)).collect();
    let (known, mut open) = session.split_known(open);
    let mut advice = session.record_report(inputs);
    let mut of_the_project = new_of_the_project(inputs, session);
    // Linters of files check the whole project too, and find the same again.
    of_the_project.retain(|finding| !open.contains(finding) && !known.contains(finding));
    let (blocking, other): (Vec<&Finding>, Vec<&Finding>) =
        of_the_project.into_iter().partition(|finding| blocks(finding, settings));
    open.extend(blocking);
    advice.extend(other);
    let mut verdict = findings_verdict(open, report, settings, by);
    if !known.is_empty() {
        verdict.context.push(snippet("open", still_open(&known)));
    }
    if !advice.is_empty() {
        verdict.context.push(snippet("advice", advice_message(advice, settings.shown)));
    }
    verdict.join(failures::report(inputs, session));
    verdict.join(failures::report_fixes(report, session));
    with_evidence(verdict, inputs)
}

/// Findings block; a file that was only reformatted is mentioned.
fn findings_verdict(open: Vec<&Finding>, report: &Report, settings: &Settings, by: EditSource) -> Verdict {
    let rewritten: Vec<&FileReport> = report.files.iter().filter(|file| is_rewritten(file)).collect();
    if open.is_empty() {
        let mut verdict = Verdict::silent();
        // Only the client's edit tool works with the content that it read before.
        if !rewritten.is_empty() && by == EditSource::Tool {
            verdict.context.push(snippet("rewritten", reread(&rewritten)));
        }
        return verdict;
    }
    let message = FindingsMessage { findings: open, shown: settings.shown, verb: "in" };
    let mut text = format!("{}\nFix the code, not the rules.", message.text());
    if !rewritten.is_empty() {
        text.push(' ');
        text.push_str(&reread(&rewritten));
    }
    Verdict::deny(Reason::plain(text))
}

pub(super) fn is_rewritten(file: &FileReport) -> bool {
    let is_fixed = matches!(file.fix.as_ref().map(|fix| &fix.end), Some(FixOutcome::Kept(_)));
    is_fixed || file.format == Formatted::Rewritten
}

/// `src/app.py was changed after your edit: reformatted by black (+2 −1). Read it again before you edit it.`
pub(super) fn reread(files: &[&FileReport]) -> String {
    let it = if files.len() == 1 { "it" } else { "them" };
    let changed: Vec<String> = files
        .iter()
        .map(|file| format!("{} was changed after your edit: {}.", file.file, describe_changes(file)))
        .collect();
    format!("{} Read {it} again before you edit {it}.", changed.join(" "))
}

/// What was changed in a file.
pub(super) fn describe_changes(file: &FileReport) -> String {
    let more = file.changes.len().saturating_sub(SHOWN_CHANGES);
    let shown: Vec<&str> = file.changes.iter().take(SHOWN_CHANGES).map(String::as_str).collect();
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    format!("{}{more}", shown.join(", "))
}

/// Advice never blocks, whatever its level was.
pub(super) fn advice_message(advice: Vec<&Finding>, shown: usize) -> String {
    let advice: Vec<Finding> = advice.into_iter().map(as_advice).collect();
    FindingsMessage { findings: advice.iter().collect(), shown, verb: "in" }.text()
}

fn as_advice(finding: &Finding) -> Finding {
    Finding { level: Level::Advisory, ..finding.clone() }
}

/// Whether a finding of a linter of the whole project has to be fixed: what does not compile always has.
pub(super) fn blocks(finding: &Finding, settings: &Settings) -> bool {
    finding.level == Level::Error || (settings.project.blocking && is_open(finding))
}

/// The new findings of linters of the whole project.
pub(super) fn new_of_the_project<'b>(inputs: &'b Inputs, session: &mut Session) -> Vec<&'b Finding> {
    let Some(state) = inputs.project else { return Vec::new() };
    let found = &inputs.report.project;
    let has_errors = found.iter().any(|finding| finding.level == Level::Error);
    let seen = ProjectSeen { state, open: found.iter().map(fingerprint).collect(), has_errors };
    // Advice is shown once, so only what is new since the last run counts.
    let before = session.project.replace(seen).unwrap_or_default();
    found.iter().filter(|finding| !before.open.contains(&fingerprint(finding))).collect()
}

fn too_many(files: usize, settings: &Settings) -> Verdict {
    let text = format!(
        "[flyball:advisory] {files} files were changed at once, more than `quality.files_at_once` ({}), so none of \
         them was checked: run `flyball lint --changed`",
        settings.files_at_once
    );
    let mut verdict = Verdict::silent().with_evidence("files", files.to_string());
    verdict.context.push(snippet("many", text));
    verdict
}

/// What was done, for `flyball explain`.
pub(super) fn with_evidence(mut verdict: Verdict, inputs: &Inputs) -> Verdict {
    for file in &inputs.report.files {
        let linters = if file.linters.is_empty() { "no linter".to_owned() } else { file.linters.join(", ") };
        let cached = if file.cached { " (cached)" } else { "" };
        let format = match file.format {
            Formatted::Already => "",
            Formatted::Rewritten => &format!("; {}", describe_changes(file)),
            Formatted::Due => "; would be reformatted",
            Formatted::Overtaken => "; not formatted, because it changed meanwhile",
        };
        let old =
            if file.old == 0 { String::new() } else { format!("; {} older findings left out", file.old) };
        verdict = verdict.with_evidence(&file.file, format!("{linters}{cached}{format}{old}"));
    }
    if inputs.project.is_some() {
        verdict = verdict.with_evidence("project", format!("{} findings", inputs.report.project.len()));
    }
    let phases = inputs.report.phases.describe();
    if !phases.is_empty() {
        verdict = verdict.with_evidence("phases", phases);
    }
    verdict.with_evidence("ms", inputs.took.as_millis().to_string())
}
