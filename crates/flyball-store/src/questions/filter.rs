//! Filters of queries.

use flyball_core::event::{EventKind, SessionId, ToolKind};
use flyball_core::outcome::Outcome;
use flyball_core::time::Time;
use flyball_core::verdict::Stance;

/// The last moment of the year 9999, so that a query for everything does not get stretches of a million years.
pub(super) const LATEST: Time = Time::from_millis(253_402_300_800_000);

/// Which events are asked for. The default is all of them but duplicates, newest first.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    pub session: Option<SessionId>,
    /// Of the subagent with this id; of the main agent if that is empty.
    pub agent: Option<String>,
    /// Of the project with this root.
    pub project: Option<String>,
    /// Of one of these kinds; empty for any.
    pub kinds: Vec<EventKind>,
    /// With a verdict of this policy other than silence.
    pub policy: Option<String>,
    /// Answered like this. Together with `policy`: judged like this by that policy.
    pub stance: Option<Stance>,
    /// With this outcome, instead of a stance. Together with `policy`: judged like this by that policy.
    pub outcome: Option<Outcome>,
    /// Only what was not denied, and would have been if a policy that only observes counted.
    pub would_deny: bool,
    /// About a tool of this kind.
    pub tool: Option<ToolKind>,
    /// Not before this time.
    pub since: Option<Time>,
    pub until: Option<Time>,
    /// With this text in the subject; ASCII letters match in either case.
    pub text: Option<String>,
    /// Also the calls that came twice.
    pub with_duplicates: bool,
    pub page: Page,
    /// At most this many.
    pub limit: Option<usize>,
    /// Whether the payloads are wanted.
    pub payloads: PayloadMode,
}

/// Which part of the events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Page {
    /// The newest, newest first.
    #[default]
    Newest,
    /// Those older than the event in this row, newest first: the next page.
    Before(i64),
    /// Those that were added to the index after this row, in the order they were: what a follower
    /// has not seen.
    After(i64),
}

/// Whether payloads are read as well; they are most of the store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PayloadMode {
    #[default]
    Without,
    With,
}

/// Which sessions are asked for, the one with the latest event first.
#[derive(Clone, Debug, Default)]
pub struct SessionFilter {
    /// Whose id starts like this.
    pub id_prefix: Option<String>,
    pub client: Option<String>,
    /// Of the project with this root.
    pub project: Option<String>,
    /// With an event not before this time.
    pub since: Option<Time>,
    /// Begun before this time.
    pub until: Option<Time>,
    /// At most this many.
    pub limit: Option<usize>,
}

/// Whose evidence is asked for.
#[derive(Clone, Copy, Debug)]
pub struct EvidenceFilter<'a> {
    /// In the project with this root.
    pub project: &'a str,
    /// Of the policies whose id begins like this.
    pub policies: &'a str,
    /// Not before this time.
    pub since: Time,
    /// Whether the payloads are wanted.
    pub payloads: PayloadMode,
}

/// Which part of the store is looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    /// From this time on.
    pub since: Time,
    /// Up to, and without, this time.
    pub until: Time,
    /// Only of the project with this root.
    pub project: Option<String>,
    /// Only of this session.
    pub session: Option<SessionId>,
}

impl Window {
    /// Its ends, within the times that there are.
    #[must_use]
    pub fn bounds(&self) -> (Time, Time) {
        let known = |time: Time| time.clamp(Time::default(), LATEST);
        (known(self.since), known(self.until))
    }
}
