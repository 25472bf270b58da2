//! What was stopped and then let pass by a person: rules that may be in the way of good work.

use std::collections::BTreeMap;
use std::path::Path;

use flyball_board::ViewSource as _;
use flyball_board::explanation::Change;
use flyball_board::report::{Candidate, Certainty};
use flyball_core::config::{Layer, Mode};
use flyball_core::event::ToolKind;
use flyball_core::record::{Record, RecordedRuling};
use flyball_core::time::Time;
use flyball_core::verdict::Stance;
use flyball_policies::guard::denials;
use flyball_store::{EventSummary, PayloadMode, StoredEvent};

use super::context::ReportContext;
use super::stopped_calls::{Projects, StoppedCalls, display_subject, is_call, stoppers};
use crate::outcome::Failed;
use crate::show::text::one_line;
use crate::views::board::LocalViews;
use crate::views::project::Project;

/// So many groups of denials are looked into.
const MOST_GROUPS: usize = 300;
/// So many candidates are told.
const MOST: usize = 25;
/// For so many it is tried what would let them pass.
const MOST_TRIED: usize = 10;
/// So many answers are named.
const ANSWERS: usize = 5;

/// A candidate, and the row of the event by which it is explained.
type Found = (Candidate, i64);

/// All of them, the surest and most frequent first. `None` if interrupted.
pub(super) fn find(
    look: &ReportContext<'_>,
    fates: &StoppedCalls,
    projects: &Projects,
) -> Result<Option<Vec<Candidate>>, Failed> {
    let mut found: Vec<Found> = approved(&fates.approved);
    found.extend(passed_later(look, fates, projects)?);
    found.sort_by(|(one, _), (other, _)| {
        (other.certainty, other.times)
            .cmp(&(one.certainty, one.times))
            .then_with(|| one.subject.cmp(&other.subject))
    });
    found.truncate(MOST);
    let views = LocalViews::open();
    // The config of a project that is gone cannot be tried.
    let present = found.iter_mut().filter(|(candidate, _)| projects.get(&candidate.project).is_some());
    for (candidate, row) in present.take(MOST_TRIED) {
        if look.interrupt.is_set() {
            return Ok(None);
        }
        look.progress.set_text("looking for a setting that allows it");
        let event = look.index.at_rows(&[*row], PayloadMode::With)?.pop();
        let changes = event.map(|event| views.explanation(event.record).changes).unwrap_or_default();
        candidate.suggestion = changes.iter().find_map(suggestion);
    }
    Ok(Some(found.into_iter().map(|(candidate, _)| candidate).collect()))
}

/// The change that would have let it pass for good: nothing that has to be said each time.
fn suggestion(change: &Change) -> Option<String> {
    let how = change.how.as_ref().filter(|_| change.then.starts_with("silent"))?;
    (!change.if_only.contains("FLYBALL_SKIP")).then(|| one_line(how))
}

/// The same thing, whoever tried it.
type Key<'a> = (&'a str, Option<ToolKind>, &'a str);

fn key(brief: &EventSummary) -> Key<'_> {
    (&brief.project, brief.tool, &brief.subject)
}

/// Questions to which a person said yes. The newest come first.
fn approved(approved: &[EventSummary]) -> Vec<Found> {
    let mut groups: BTreeMap<Key<'_>, Vec<&EventSummary>> = BTreeMap::new();
    approved.iter().for_each(|brief| groups.entry(key(brief)).or_default().push(brief));
    let passed = "asked, and a person allowed it";
    groups.into_values().filter_map(|group| candidate(&group, (Certainty::Sure, passed))).collect()
}

fn candidate(group: &[&EventSummary], (certainty, passed): (Certainty, &str)) -> Option<Found> {
    let newest = group.first()?;
    let candidate = Candidate {
        policies: stoppers(group.iter().copied()),
        tool: newest.tool.map_or("", ToolKind::name).to_owned(),
        subject: display_subject(newest),
        project: newest.project.clone(),
        times: group.len() as u64,
        certainty,
        passed: passed.to_owned(),
        answers: group.iter().take(ANSWERS).map(|brief| brief.answer.clone()).collect(),
        suggestion: None,
    };
    Some((candidate, newest.row))
}

/// Denials after which the same passed, because of something that a person did.
fn passed_later(
    look: &ReportContext<'_>,
    fates: &StoppedCalls,
    projects: &Projects,
) -> Result<Vec<Found>, Failed> {
    let mut passes: BTreeMap<Key<'_>, Vec<&EventSummary>> = BTreeMap::new();
    fates.passed.iter().for_each(|brief| passes.entry(key(brief)).or_default().push(brief));
    let mut groups: BTreeMap<Key<'_>, Vec<&EventSummary>> = BTreeMap::new();
    for brief in fates.denied.iter().filter(|brief| is_call(brief)) {
        // Passes are sorted by time, so the last one decides.
        let later = passes.get(&key(brief)).and_then(|all| all.last()).is_some_and(|it| it.at > brief.at);
        if later {
            groups.entry(key(brief)).or_default().push(brief);
        }
    }
    let mut groups: Vec<(Key<'_>, Vec<&EventSummary>)> = groups.into_iter().collect();
    groups.sort_by_key(|(_, group)| std::cmp::Reverse(group.len()));
    let mut found = Vec::new();
    for (key, group) in groups.into_iter().take(MOST_GROUPS) {
        let Some(denied) = group.first() else { continue };
        let pass = passes.get(&key).and_then(|all| all.iter().find(|pass| pass.at > denied.at));
        let Some(pass) = pass else { continue };
        let rows = [denied.row, pass.row];
        let events = look.index.at_rows(&rows, PayloadMode::Without)?;
        let [StoredEvent { record: before, .. }, StoredEvent { record: after, .. }] = events.as_slice()
        else {
            continue;
        };
        let why = LaterPass { before, after, projects }.explain();
        found.extend(why.and_then(|(certainty, words)| candidate(&group, (certainty, &words))));
    }
    Ok(found)
}

/// A denial, and the same thing when it passed.
struct LaterPass<'a> {
    before: &'a Record,
    after: &'a Record,
    projects: &'a Projects,
}

impl LaterPass<'_> {
    /// What a person did in between, as far as the record shows; nothing if nobody did anything.
    fn explain(&self) -> Option<(Certainty, String)> {
        // That it was denied before is no reason of its own.
        let denied = self.before.rulings.iter().filter(|ruling| {
            ruling.counts() && ruling.stance == Stance::Deny && ruling.policy != denials::POLICY.id.as_str()
        });
        // All denials have to be explained: a person who overruled one policy has not overruled the other.
        let reasons: Option<Vec<(Certainty, String)>> =
            denied.map(|ruling| self.explain_ruling(ruling)).collect();
        let reasons = reasons?;
        // As sure as the weakest reason.
        let certainty = reasons.iter().map(|(certainty, _)| *certainty).min()?;
        let mut words: Vec<String> = reasons.into_iter().map(|(_, words)| words).collect();
        words.dedup();
        Some((certainty, words.join("; ")))
    }

    /// Why a policy did not deny any more.
    fn explain_ruling(&self, before: &RecordedRuling) -> Option<(Certainty, String)> {
        let policy = &before.policy;
        let Some(after) = self.after.rulings.iter().find(|ruling| ruling.policy == *policy) else {
            return Some((Certainty::Likely, format!("{policy} was off by then")));
        };
        if after.skipped {
            return Some((Certainty::Sure, format!("a person skipped {policy} with FLYBALL_SKIP")));
        }
        if after.mode != Mode::Enforce {
            return Some((Certainty::Likely, format!("{policy} only observed by then")));
        }
        if let Some(file) = self.approved(before) {
            return Some((Certainty::Sure, format!("a person approved `{file}`")));
        }
        match self.config_changed() {
            Changed::Between(file) => Some((Certainty::Likely, format!("{file} was changed in between"))),
            Changed::Later(file) => {
                Some((Certainty::Unclear, format!("{policy} allowed it; {file} was changed since")))
            }
            Changed::No => None,
        }
    }

    /// The file of a denial that a person approved in between.
    fn approved(&self, denied: &RecordedRuling) -> Option<String> {
        let names: Vec<&str> = denied.evidence.iter().map(|seen| seen.value.as_str()).collect();
        let approvals = self.projects.approvals((self.before.at, self.after.at));
        let own = approvals.iter().filter(|(root, ..)| *root == self.before.project);
        let mut files = own.map(|(_, file, _)| *file);
        let named = files.find(|file| {
            names
                .iter()
                .any(|name| !name.is_empty() && Path::new(file).ends_with(name.trim_start_matches("./")))
        })?;
        Path::new(named).file_name().map(|name| one_line(&name.to_string_lossy()))
    }

    fn config_changed(&self) -> Changed {
        let Some(project) = self.projects.get(&self.before.project) else { return Changed::No };
        let mut later = Changed::No;
        for layer in Layer::ALL {
            match written_at(project, *layer) {
                // A file has only its last time: an earlier change between the two cannot be seen.
                Some(at) if at > self.after.at => later = Changed::Later(named(*layer)),
                Some(at) if at > self.before.at => return Changed::Between(named(*layer)),
                _ => {}
            }
        }
        later
    }
}

/// Whether a config file was written since a denial.
enum Changed {
    No,
    Between(String),
    /// After that; whether also before is not known.
    Later(String),
}

fn named(layer: Layer) -> String {
    match layer {
        Layer::Project => "flyball.toml".to_owned(),
        Layer::User | Layer::Managed => format!("the {} config", layer.name()),
    }
}

fn written_at(project: &Project, layer: Layer) -> Option<Time> {
    let written = std::fs::metadata(project.here.files.path(layer)?).ok()?.modified().ok()?;
    Some(written.into())
}
