//! An agent may not weaken checks to get green.

mod check_config;
mod commands;
mod compare;
mod edited;
mod loosened;
mod markers;
mod mass;
mod messages;
mod objections;
mod obsolete;
mod outcomes;
mod pipelines;
mod rewrites;
mod settings;
mod spots;
mod steps;
mod suite;
mod test_files;
#[cfg(test)]
mod tests;
mod versions;
mod weaker;

pub use objections::{guards, objections, off_limits};
pub use settings::{Extra, Level, Settings, Unattended};
pub(crate) use test_files::is_test_file;

use std::collections::BTreeSet;

use flyball_core::config::{Mode, SectionSpec, Tightening};
use flyball_core::event::EventKind;
use flyball_core::facts::{EditRoute, SeenEdit};
use flyball_core::policy::{OnError, Policy, PolicyError, PolicyId, Situation};
use flyball_core::verdict::Verdict;
use flyball_effects::lex::Language;
use flyball_effects::{Insertion, Line};

use self::compare::{Finding, Report};
use self::edited::group_by_file;
use super::granted::judge_the_rest;
use crate::globs::any_matches;

const LEVELS: Tightening = Tightening::Later(&["off", "tell", "ask", "deny"]);

pub static POLICY: Policy = Policy {
    id: PolicyId::new("guard.gaming"),
    summary: "no new suppressions, skipped or deleted tests, or loosened checks without a reason",
    page: include_str!("policy.md"),
    listens: &[EventKind::BeforeTool],
    on_error: OnError::Deny,
    mode: Mode::Enforce,
    section: SectionSpec::for_type::<Settings>().raised_by_anyone().tightened_by(&[
        ("also", Tightening::More),
        ("suppressions", LEVELS),
        ("skipped_tests", LEVELS),
        ("deleted_tests", LEVELS),
        ("removed_assertions", LEVELS),
        ("loosened_config", LEVELS),
        ("justified", LEVELS),
        ("unattended", Tightening::Later(&["tell", "deny"])),
    ]),
    run,
    gather: None,
    review: None,
};

/// How many names of new tests are remembered of a session.
const MOST_NAMES: usize = 400;

fn run(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    let edits = situation.edits()?;
    let line = situation.effective_line();
    let insertions = line.map_or(&[][..], |line| &line.effects.insertions);
    let mass = line.and_then(|line| mass::report(&line.script.commands));
    let unknown = unknown_writes(situation, edits);
    let mut edited = group_by_file(edits, situation.world);
    let rewrites = line.is_some_and(writes_unnamed);
    if edited.is_empty() && insertions.is_empty() && mass.is_none() && unknown.is_empty() && !rewrites {
        return Ok(Verdict::silent());
    }
    let settings: Settings = situation.config()?;
    let mut inserted = inserted(situation, insertions, &settings);
    inserted.retain(|(shown, _)| !edited.iter().any(|file| file.shown == shown));
    inserted.extend(mass);
    inserted.extend(written_markers(situation, &unknown, &settings));
    inserted.extend(line.map(|line| rewrites::reports(line, &settings)).unwrap_or_default());
    // Most edits end here, before any file is read.
    if inserted.is_empty() && !edited.iter().any(|file| file.needs_check(&settings)) {
        return Ok(Verdict::silent());
    }
    // Before the filter below, which drops deleted files that are not tests.
    let deleted = obsolete::deleted(&edited);
    // A marker that moves between files is only recognized if both files are compared.
    edited.retain(|file| file.needs_check(&settings) || file.could_lose_markers(&settings));
    let mut reports: Vec<(&str, Report)> = Vec::new();
    for file in edited.iter().filter(|file| !file.is_exempt(&settings)) {
        let Some(report) = file.report(situation, &settings) else { continue };
        if !obsolete::is_obsolete(file, &deleted, situation.world)? {
            reports.push((file.shown, report));
        }
    }
    reports.extend(inserted.iter().map(|(shown, report)| (shown.as_str(), report.clone())));
    drop_moved_markers(&mut reports);
    report_lost_tests(situation, &mut reports)?;
    let verdict = messages::verdict(&reports, &settings, situation.event);
    judge_the_rest(situation, verdict, |allowed| {
        reports.retain(|(shown, _)| !allowed.contains(&situation.world.project_root().join(shown)));
        Ok(messages::verdict(&reports, &settings, situation.event))
    })
}

/// Whether a line changes files that only its run knows.
fn writes_unnamed(line: &Line) -> bool {
    line.effects.files.iter().any(|effect| effect.act.changes_target() && effect.target.word.text.is_none())
}

/// The text that in-place edits insert: `sed -i 's/$/  # noqa/' f`. Only the text in the edit itself
/// is compared, and only for markers: its effect on the rest of the file is not known.
fn inserted(
    situation: &Situation<'_>,
    insertions: &[Insertion],
    settings: &Settings,
) -> Vec<(String, Report)> {
    let root = situation.world.project_root();
    let mut found = Vec::new();
    for insertion in insertions {
        // A pattern has the ending of the files that it matches.
        for path in situation.locate(&insertion.target).paths() {
            let inside = path.strip_folder(root);
            let Some((shown, language)) = inside.and_then(|it| Some((it, Language::from_path(it)?))) else {
                continue;
            };
            let has_markers =
                markers::could_be_in(&insertion.new, (language, is_test_file(shown)), &settings.also);
            let is_exempt = any_matches(&settings.exempt, shown);
            if has_markers && !is_exempt {
                let report = compare::compare_insertion(shown, (&insertion.old, &insertion.new), settings);
                found.push((shown.to_owned(), report));
            }
        }
    }
    found
}

/// Files that a command writes to with a text that is not known before it runs.
fn unknown_writes<'a>(situation: &Situation<'_>, edits: &'a [SeenEdit]) -> Vec<&'a str> {
    let root = situation.world.project_root();
    let is_open = |edit: &&SeenEdit| edit.change.is_none() && edit.route == EditRoute::CommandLine;
    edits.iter().filter(is_open).filter_map(|edit| edit.path.strip_folder(root)).collect()
}

/// Markers in the texts of a line that writes to a file in a way that only its run shows: one of these texts may be what
/// is written. In-place edits say themselves what they insert.
fn written_markers(situation: &Situation<'_>, files: &[&str], settings: &Settings) -> Vec<(String, Report)> {
    let Some(line) =
        situation.effective_line().filter(|line| line.effects.insertions.is_empty() && !files.is_empty())
    else {
        return Vec::new();
    };
    let mut texts: Vec<String> = Vec::new();
    for command in line.script.commands.iter().filter(|command| command.program_name() != Some("git")) {
        let redirected = command.redirects.iter().map(|redirect| &redirect.target);
        let words = command.arguments.iter().chain(redirected).filter_map(|word| word.text.as_deref());
        texts.extend(words.chain(command.input.as_deref()).flat_map(literals));
    }
    // A long line writes to many files and has many texts: which of these could have a marker is found out once for each
    // kind of file.
    let mut candidates: Vec<((Language, bool), Vec<&String>)> = Vec::new();
    let mut found = Vec::new();
    for shown in files {
        let Some(language) = Language::from_path(shown).filter(|_| !any_matches(&settings.exempt, shown))
        else {
            continue;
        };
        let kind = (language, is_test_file(shown));
        if !candidates.iter().any(|(known, _)| *known == kind) {
            let could_be_in = |text: &&String| markers::could_be_in(text, kind, &settings.also);
            candidates.push((kind, texts.iter().filter(could_be_in).collect()));
        }
        let of_kind = candidates.iter().find(|(known, _)| *known == kind);
        for text in of_kind.into_iter().flat_map(|(_, texts)| texts) {
            let report = compare::compare_insertion(shown, ("", text), settings);
            if !report.findings.is_empty() {
                found.push(((*shown).to_owned(), report));
                break;
            }
        }
    }
    found
}

/// A word, and what is quoted in it if it is code.
fn literals(word: &str) -> Vec<String> {
    let quoted = |quote: char| word.split(quote).skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    let mut texts = vec![word.to_owned()];
    texts.extend(quoted('\''));
    texts.extend(quoted('"'));
    texts
}

/// A marker that moves from one file to another in the same call is not new.
fn drop_moved_markers(reports: &mut [(&str, Report)]) {
    let mut lost: Vec<String> =
        reports.iter().flat_map(|(_, report)| report.removed_markers.iter().cloned()).collect();
    for (_, report) in reports {
        report.findings.retain(|finding| match lost.iter().position(|text| *text == finding.what) {
            Some(at) => {
                lost.swap_remove(at);
                false
            }
            None => true,
        });
    }
}

/// Does not report tests that moved to another file, now or earlier in this session, or that the
/// session itself added.
fn report_lost_tests(situation: &Situation<'_>, reports: &mut [(&str, Report)]) -> Result<(), PolicyError> {
    let added: Vec<String> =
        reports.iter().flat_map(|(_, report)| report.added_tests.iter().cloned()).collect();
    let may_be_lost = reports.iter().any(|(_, report)| report.fewer_tests > 0);
    if added.is_empty() && !may_be_lost {
        return Ok(());
    }
    let mut remembered: Vec<String> = situation.recall()?;
    let known: BTreeSet<&str> = remembered.iter().chain(&added).map(String::as_str).collect();
    for (_, report) in reports.iter_mut().filter(|(_, report)| report.fewer_tests > 0) {
        report.removed_tests.retain(|name| !known.contains(name.as_str()));
        let count = report.fewer_tests.min(report.removed_tests.len());
        if count > 0 {
            report.findings.push(Finding::lost_tests(count, &report.removed_tests));
        }
    }
    if !added.is_empty() {
        remembered.retain(|name| !added.contains(name));
        remembered.extend(added);
        let oldest = remembered.len().saturating_sub(MOST_NAMES);
        remembered.drain(..oldest);
        situation.remember(&remembered)?;
    }
    Ok(())
}
