//! What stays denied in a session, whatever route is tried.

use flyball_core::text;
use flyball_core::time::Time;
use flyball_core::verdict::Subject;
use flyball_policies::guard::denials::{self, Denial};
use flyball_store::SessionSummary;
use jiff::Zoned;
use serde::Serialize;

use crate::outcome::Failed;
use crate::project_context::{Archive, tilde};
use crate::show::text::one_line;
use crate::show::{Cell, Row, time};
use crate::terminal::Style;

/// One thing that stays denied, as scripts see it.
#[derive(Serialize)]
pub(super) struct ActiveDenial {
    subject: Subject,
    policy: String,
    attempts: u32,
    #[serde(with = "flyball_core::time::micros")]
    since: Time,
    #[serde(with = "flyball_core::time::micros")]
    until: Time,
    /// How the subject is shown.
    #[serde(skip)]
    name: String,
}

/// What stays denied in a session now.
pub(super) fn find(
    session: &SessionSummary,
    archive: &Archive,
    now: &Zoned,
) -> Result<Vec<ActiveDenial>, Failed> {
    if session.denials == 0 {
        return Ok(Vec::new());
    }
    let memory = archive.memory(session, denials::POLICY.id.as_str())?.unwrap_or_default();
    Ok(denials::parse_active(&memory, time::of(now))
        .into_iter()
        .map(|denial| ActiveDenial::new(denial, &session.project))
        .collect())
}

impl ActiveDenial {
    fn new(denial: Denial, project: &str) -> ActiveDenial {
        let name = match &denial.subject {
            Subject::File(file) => {
                let inside = file.strip_prefix(project).and_then(|rest| rest.strip_prefix('/'));
                one_line(&inside.map_or_else(|| tilde(file), str::to_owned))
            }
            Subject::Intent(intent) => one_line(intent),
        };
        ActiveDenial {
            policy: denial.policy,
            attempts: denial.attempts,
            since: denial.since,
            until: denial.until,
            subject: denial.subject,
            name,
        }
    }

    /// How long it stays denied.
    fn time_left(&self, now: &Zoned) -> String {
        time::ago(time::of(now) - self.until.since(time::of(now)), now)
    }

    pub(super) fn row(&self, now: &Zoned) -> Row {
        let attempts = text::counted(self.attempts, "attempt");
        vec![
            Cell::new(Style::Warning, "denied"),
            Cell::plain(self.name.as_str()),
            Cell::plain(one_line(&self.policy)),
            Cell::plain(attempts),
            Cell::new(Style::Faint, format!("since {} ago", time::ago(self.since, now))),
            Cell::new(Style::Faint, format!("for another {}", self.time_left(now))),
        ]
    }
}
