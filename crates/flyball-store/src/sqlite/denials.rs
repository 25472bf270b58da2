//! Which denials were holds and findings. The counters do not know it, but denials are few and an index has all that
//! is asked: what remains of the counted denials was blocked.

use flyball_core::event::EventKind;
use flyball_core::outcome::{DenialCounts, Outcome};
use flyball_core::time::Time;
use flyball_core::verdict::Stance;
use rusqlite::params_from_iter;

use super::filter::{Clause, kind_names};
use super::index::Index;
use super::values::{rank, text, time};
use crate::error::StoreError;
use crate::questions::Window;

impl Index {
    /// Calls with the time and the outcome of each hold and finding of a window.
    pub(super) fn each_unblocked(
        &self,
        window: &Window,
        mut each: impl FnMut(Time, Outcome),
    ) -> Result<(), StoreError> {
        let mut clause = Clause::new("events e");
        let (plus_stance, plus_session) = if window.session.is_some() { ("+", "") } else { ("", "+") };
        if let Some(session) = &window.session {
            let condition = format!("{plus_session}e.session IN (SELECT id FROM sessions WHERE session = ?)");
            clause.with(&condition, session.as_str().to_owned());
        }
        clause.with(&format!("{plus_stance}e.stance = ?"), rank(Stance::Deny));
        within(&mut clause, window, "e.at");
        self.read(&format!("SELECT e.at, e.kind FROM {} WHERE", clause.from), &clause, |at, kind, _| {
            each(at, kind);
        })
    }

    /// Calls with the policy and the outcome of each denying verdict of a window at a stop or after the fact, whatever
    /// the session.
    pub(super) fn each_unblocked_ruling(
        &self,
        window: &Window,
        policy: Option<&str>,
        mut each: impl FnMut(Time, &str, Outcome),
    ) -> Result<(), StoreError> {
        let mut clause = Clause::new("verdicts v CROSS JOIN events e ON e.id = v.event");
        if let Some(policy) = policy {
            clause.with("v.policy = ?", policy.to_owned());
        }
        clause.with("v.stance = ?", rank(Stance::Deny));
        within(&mut clause, window, "v.at");
        let sql = format!("SELECT v.at, e.kind, v.policy FROM {} WHERE", clause.from);
        self.read(&sql, &clause, |at, outcome, policy| each(at, policy, outcome))
    }

    fn read(
        &self,
        select: &str,
        clause: &Clause,
        mut each: impl FnMut(Time, Outcome, &str),
    ) -> Result<(), StoreError> {
        let sql = format!("{select} {}", clause.conditions());
        let mut read = || -> rusqlite::Result<()> {
            let mut statement = self.connection.prepare_cached(&sql)?;
            let columns = statement.column_count();
            let mut rows = statement.query(params_from_iter(&clause.values))?;
            while let Some(row) = rows.next()? {
                let Some(kind) = EventKind::from_name(&text(row, 1)?) else { continue };
                let policy = if columns > 2 { text(row, 2)? } else { "".into() };
                each(time(row, 0)?, Outcome::new(kind, Stance::Deny), &policy);
            }
            Ok(())
        };
        read().map_err(self.failed())
    }
}

/// The kinds of event at which a deny is not a block, as a list in SQL.
pub(super) fn unblocked_kinds() -> String {
    kind_names(Outcome::Held.kinds().chain(Outcome::Finding.kinds()))
}

/// `denials` by what they were, if these are the holds and findings among them.
pub(super) const fn split(denials: u64, mut counts: DenialCounts) -> DenialCounts {
    counts.blocked = denials.saturating_sub(counts.held + counts.findings);
    counts
}

fn within(clause: &mut Clause, window: &Window, at: &str) {
    let (since, until) = window.bounds();
    clause.with(&format!("{at} >= ?"), since.as_micros());
    clause.with(&format!("{at} < ?"), until.as_micros());
    clause.bare("e.duplicate = 0");
    clause.bare(format!("+e.kind IN ({})", unblocked_kinds()));
    if let Some(project) = &window.project {
        clause.with("+e.project = (SELECT id FROM projects WHERE path = ?)", project.clone());
    }
}
