//! The decision after an edit.

use flyball_core::text;
use flyball_core::verdict::{Reason, Verdict};
use flyball_quality::finding::Finding;
use flyball_quality::report::{FileReport, FixOutcome, Formatted, Report};
use flyball_quality::settings::Settings;

use super::failures;
use super::fingerprint::fingerprint;
use super::inputs::Inputs;
use super::memory::{ProjectSeen, Session, is_open};
use super::messages::{FindingsMessage, snippet};

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
    let mut advice = session.record_report(inputs);
    let of_the_project = new_of_the_project(inputs, session);
    let mut open: Vec<&Finding> =
        report.files.iter().flat_map(|file| &file.findings).filter(|finding| is_open(finding)).collect();
    if settings.project.blocking {
        let (blocking, other) = of_the_project.into_iter().partition(|finding| is_open(finding));
        open.extend::<Vec<&Finding>>(blocking);
        advice.extend::<Vec<&Finding>>(other);
    } else {
        advice.extend(of_the_project);
    }
    let mut verdict = findings_verdict(open, report, settings, by);
    if !advice.is_empty() {
        verdict.context.push(snippet("advice", advice_message(advice, settings.shown)));
    }
    verdict.join(failures::report(inputs, session));
    verdict.join(failures::report_fixes(report, session));
    with_evidence(verdict, inputs)
}

/// Findings block; a file that was only reformatted is mentioned.
fn findings_verdict(open: Vec<&Finding>, report: &Report, settings: &Settings, by: EditSource) -> Verdict {
    let rewritten: Vec<&str> =
        report.files.iter().filter(|file| is_rewritten(file)).map(|file| file.file.as_str()).collect();
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

fn is_rewritten(file: &FileReport) -> bool {
    let is_fixed = matches!(file.fix.as_ref().map(|fix| &fix.end), Some(FixOutcome::Kept(_)));
    is_fixed || file.format == Formatted::Rewritten
}

fn reread(files: &[&str]) -> String {
    let (was, it) = if files.len() == 1 { ("was", "it") } else { ("were", "them") };
    format!("{} {was} reformatted after your edit: read {it} again before you edit {it}.", text::list(files))
}

/// Advice never blocks, whatever its level was.
pub(super) fn advice_message(advice: Vec<&Finding>, shown: usize) -> String {
    let advice: Vec<Finding> = advice.into_iter().map(as_advice).collect();
    FindingsMessage { findings: advice.iter().collect(), shown, verb: "in" }.text()
}

fn as_advice(finding: &Finding) -> Finding {
    Finding { level: flyball_quality::finding::Level::Advisory, ..finding.clone() }
}

/// The new findings of linters of the whole project.
pub(super) fn new_of_the_project<'b>(inputs: &'b Inputs, session: &mut Session) -> Vec<&'b Finding> {
    let Some(state) = inputs.project else { return Vec::new() };
    let found = &inputs.report.project;
    let seen = ProjectSeen { state, open: found.iter().map(fingerprint).collect() };
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
            Formatted::Rewritten => "; reformatted",
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
    verdict.with_evidence("ms", inputs.took.as_millis().to_string())
}
