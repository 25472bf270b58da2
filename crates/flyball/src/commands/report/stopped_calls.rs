//! What was stopped, and what became of it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use flyball_core::event::{EventKind, ToolKind};
use flyball_core::time::{DAY, Time};
use flyball_core::verdict::Stance;
use flyball_policies::guard::denials;
use flyball_store::{CallSubject, EventSummary, Window};
use flyball_world::approvals::{Approvals, Ledger};

use super::context::ReportContext;
use crate::outcome::Failed;
use crate::show::text::one_line;
use crate::views::project::Project;

/// So many denials, and so many questions, are followed.
const MOST_FOLLOWED: usize = 20_000;
/// So many projects are looked at.
const PROJECTS: usize = 50;
/// What passed is looked for in steps of this length: between two, a person may have had enough.
const STEP: Duration = DAY;

/// What was stopped in a window, the newest first.
pub(super) struct StoppedCalls {
    pub(super) denied: Vec<EventSummary>,
    /// Questions whose call ran: a person allowed it.
    pub(super) approved: Vec<EventSummary>,
    /// Calls that are like one that was denied, and were not stopped, the oldest first.
    pub(super) passed: Vec<EventSummary>,
}

impl StoppedCalls {
    /// Follows all that was stopped. `None` if interrupted.
    pub(super) fn find(
        look: &ReportContext<'_>,
        limits: &mut Vec<String>,
    ) -> Result<Option<StoppedCalls>, Failed> {
        let answered =
            |stance| look.index.answered(&look.window, stance, MOST_FOLLOWED).map_err(Failed::from);
        let (denied, asked) = (answered(Stance::Deny)?, answered(Stance::Ask)?);
        if denied.len().max(asked.len()) == MOST_FOLLOWED {
            limits.push(format!("Only the {MOST_FOLLOWED} newest denials and questions were followed."));
        }
        let mut approved = Vec::new();
        for brief in asked.into_iter().filter(is_call) {
            if look.interrupt.is_set() {
                return Ok(None);
            }
            if look.index.ran(&brief)? {
                approved.push(brief);
            }
        }
        let Some(passed) = passed(look, &denied)? else { return Ok(None) };
        Ok(Some(StoppedCalls { denied, approved, passed }))
    }
}

/// Whether it is a call that may come again as it was.
pub(super) fn is_call(brief: &EventSummary) -> bool {
    brief.kind == Some(EventKind::BeforeTool) && brief.tool.is_some() && !brief.subject.is_empty()
}

fn passed(look: &ReportContext<'_>, denied: &[EventSummary]) -> Result<Option<Vec<EventSummary>>, Failed> {
    let calls = || denied.iter().filter(|brief| is_call(brief));
    let wanted: BTreeSet<(&str, &str)> =
        calls().map(|brief| (brief.project.as_str(), brief.subject.as_str())).collect();
    // Only a call after the first denial can be a repeat of one.
    let Some(first) = calls().map(|brief| brief.at).min() else { return Ok(Some(Vec::new())) };
    let (mut found, mut since) = (Vec::new(), first);
    while since < look.window.until {
        if look.interrupt.is_set() {
            return Ok(None);
        }
        let until = (since + STEP).min(look.window.until);
        let window = Window { since, until, ..look.window.clone() };
        let mut is_wanted = |call: CallSubject<'_>| wanted.contains(&(call.project, call.subject));
        found.extend(look.index.passed(&window, &mut is_wanted)?);
        since = until;
    }
    Ok(Some(found))
}

/// What a call was about; a file of the project without the way to the project.
pub(super) fn display_subject(brief: &EventSummary) -> String {
    let is_path = matches!(brief.tool, Some(ToolKind::Edit | ToolKind::Read));
    let below = brief.subject.strip_prefix(brief.project.as_str()).and_then(|rest| rest.strip_prefix('/'));
    one_line(below.filter(|_| is_path).unwrap_or(&brief.subject))
}

/// Who stopped it; whoever only says that it was stopped before is left out.
pub(super) fn stoppers<'a>(briefs: impl Iterator<Item = &'a EventSummary>) -> Vec<String> {
    let all: BTreeSet<&String> = briefs.flat_map(|brief| &brief.policies).collect();
    let is_own = |policy: &&&String| policy.as_str() != denials::POLICY.id.as_str() || all.len() == 1;
    all.iter().filter(is_own).map(|policy| (*policy).clone()).collect()
}

/// The projects with an event, as they are now.
pub(super) struct Projects(BTreeMap<String, Known>);

struct Known {
    project: Project,
    ledger: Option<Ledger>,
}

impl Projects {
    /// Looks at those that are still there.
    pub(super) fn read(roots: &BTreeSet<&str>, state: Option<&Path>, limits: &mut Vec<String>) -> Projects {
        let present = roots.iter().filter(|root| Path::new(root).is_dir());
        let known = present.take(PROJECTS).map(|root| {
            let path = Path::new(root);
            let ledger = state.and_then(|state| Approvals::for_project(state, path).read().ok());
            ((*root).to_owned(), Known { project: Project::read(path), ledger })
        });
        let known: BTreeMap<String, Known> = known.collect();
        let missing = roots.len() - known.len();
        if missing > 0 {
            limits.push(format!(
                "The config of {missing} projects is unknown: they no longer exist, or there are too many."
            ));
        }
        Projects(known)
    }

    /// Each with its root.
    pub(super) fn present(&self) -> impl Iterator<Item = (&str, &Project)> {
        self.0.iter().map(|(root, known)| (root.as_str(), &known.project))
    }

    /// The one with this root.
    pub(super) fn get(&self, root: &str) -> Option<&Project> {
        self.0.get(root).map(|known| &known.project)
    }

    /// What people approved in a time: root, file, when.
    pub(super) fn approvals(&self, (since, until): (Time, Time)) -> Vec<(&str, &str, Time)> {
        let all = self.0.iter().filter_map(|(root, known)| Some((root.as_str(), known.ledger.as_ref()?)));
        let entries = all.flat_map(|(root, ledger)| {
            ledger
                .files()
                .filter_map(move |(file, entry)| Some((root, file.as_str(), entry.approved.as_ref()?.1)))
        });
        entries.filter(|(_, _, at)| (since..until).contains(at)).collect()
    }
}
