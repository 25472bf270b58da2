//! Reads a plan.

use super::phases::{Phase, phases};
use super::status::Status;
use super::{blocks, head};

/// A plan as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    pub status: Status,
    /// May be empty.
    pub title: String,
    /// Its phases in working order.
    pub phases: Vec<Phase>,
    /// The index in `phases` of the first incomplete phase; `None` if all are complete.
    pub current: Option<usize>,
}

impl Plan {
    /// Reads a plan without phase files.
    #[must_use]
    pub fn parse(text: &str) -> Plan {
        Plan::parse_with(text, &[])
    }

    /// Reads a plan with the names and texts of its phase files.
    #[must_use]
    pub fn parse_with(text: &str, files: &[(String, String)]) -> Plan {
        let status = Status::parse(head::value(text, "status").unwrap_or_default());
        let title = blocks::blocks(text).into_iter().find_map(|block| match block {
            blocks::Block::Heading(1, title) => Some(title),
            _ => None,
        });
        let title = title.unwrap_or_default();
        let title = title.strip_prefix("Plan:").map_or(title.as_str(), str::trim).to_owned();
        let phases = phases(text, files);
        let current = phases.iter().position(|phase| !phase.is_complete);
        Plan { status, title, phases, current }
    }

    /// The phase that is being worked on.
    #[must_use]
    pub fn phase(&self) -> Option<&Phase> {
        self.phases.get(self.current?)
    }

    /// The phases that are incomplete by an open box or by their status; phases with neither are not included.
    pub fn unfinished(&self) -> impl Iterator<Item = &Phase> {
        self.phases.iter().filter(|phase| !phase.is_complete && !phase.is_bare)
    }

    /// How far it is.
    #[must_use]
    pub fn count(&self) -> Count {
        let mut numbers: Vec<(u32, u32)> =
            self.phases.iter().map(|phase| (phase.number, phase.part)).collect();
        numbers.dedup();
        let of =
            |number: (u32, u32)| self.phases.iter().filter(move |phase| (phase.number, phase.part) == number);
        let complete = numbers.iter().filter(|number| of(**number).all(|phase| phase.is_complete)).count();
        let current = self.phase();
        let at =
            current.and_then(|phase| numbers.iter().position(|number| *number == (phase.number, phase.part)));
        Count {
            at: at.map_or(numbers.len(), |at| at + 1),
            complete,
            all: numbers.len(),
            verifies: current.is_some_and(|phase| phase.verifies),
        }
    }

    /// `phase 2 of 5`; `phase 2 of 5 (verification)`.
    #[must_use]
    pub fn progress(&self) -> String {
        self.count().progress()
    }
}

/// How far a plan is, in phases. A phase and the one that verifies it are counted once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// The place of the phase that is being worked on, from 1; the last one if all are complete.
    pub at: usize,
    pub complete: usize,
    pub all: usize,
    /// Whether it is being verified.
    pub verifies: bool,
}

impl Count {
    /// `phase 2 of 5`; `phase 2 of 5 (verification)`.
    #[must_use]
    pub fn progress(&self) -> String {
        let verification = if self.verifies { " (verification)" } else { "" };
        format!("phase {} of {}{verification}", self.at, self.all)
    }
}
