//! Which policies and which of the user's rules had a say.

use std::collections::{BTreeMap, BTreeSet};

use flyball_board::report::Fired;
use flyball_core::config::Mode;
use flyball_core::outcome::Outcome;
use flyball_core::record::{Record, RecordedRuling};
use flyball_core::verdict::Stance;
use flyball_policies::rules;
use flyball_store::{PayloadMode, PolicyReach, VerdictCount, VerdictQuery};

use super::context::ReportContext;
use crate::outcome::Failed;
use crate::show::record::{kind_of, subject};
use crate::show::text::one_line;
use crate::views::explain::settings::matched_rules;

/// So many records of the user's rules are read.
const RULE_RECORDS: usize = 5_000;
/// So many events are looked through for what is no verdict.
const MOST_EVENTS: usize = 200_000;
/// So many at a time: between two, a person may have had enough.
const PAGE: usize = 10_000;

/// A policy, and the rule within it if it is one of the user's.
type Name = (String, Option<String>);

/// All that had a say.
#[derive(Default)]
pub(super) struct Firings {
    all: BTreeMap<Name, Firing>,
}

#[derive(Default)]
struct Firing {
    fired: Fired,
    sessions: BTreeSet<String>,
    /// How often it only observed.
    observed: u64,
}

impl Firings {
    /// Looks for them. `None` if interrupted.
    pub(super) fn find(
        look: &ReportContext<'_>,
        limits: &mut Vec<String>,
    ) -> Result<Option<Firings>, Failed> {
        let mut firings = Firings::default();
        firings.add_policies(look)?;
        let rules = VerdictQuery::By(rules::POLICY.id.as_str());
        let records = look.index.judged(&look.window, rules, RULE_RECORDS)?;
        if records.len() == RULE_RECORDS {
            limits.push(format!(
                "Rules are counted in the {RULE_RECORDS} newest events that they took part in."
            ));
        }
        records.iter().for_each(|event| firings.add_rules(&event.record));
        let is_whole = firings.add_without_verdict(look, limits)?;
        Ok(is_whole.then_some(firings))
    }

    /// Whether a policy or rule had a say.
    pub(super) fn has(&self, policy: &str, rule: Option<&str>) -> bool {
        self.all.contains_key(&(policy.to_owned(), rule.map(str::to_owned)))
    }

    /// The rules that only observed, with how often.
    pub(super) fn observing_rules(&self) -> impl Iterator<Item = (&Fired, u64, usize)> {
        let rules = self.all.values().filter(|firing| firing.fired.rule.is_some() && firing.observed > 0);
        rules.map(|firing| (&firing.fired, firing.observed, firing.sessions.len()))
    }

    pub(super) fn sorted(self) -> Vec<Fired> {
        let whole = |firing: Firing| Fired {
            // The index counts sessions with verdicts, the pages those with context; neither covers the
            // other.
            sessions: firing.fired.sessions.max(firing.sessions.len() as u64),
            ..firing.fired
        };
        let mut all: Vec<Fired> = self.all.into_values().map(whole).collect();
        let weight = |it: &Fired| {
            std::cmp::Reverse((it.denied + it.asked, it.held + it.found, it.would, it.told + it.allowed))
        };
        all.sort_by_key(|fired| (weight(fired), fired.name()));
        all
    }

    fn add_policies(&mut self, look: &ReportContext<'_>) -> Result<(), Failed> {
        for said in look.index.verdict_counts(&look.window)? {
            let fired = &mut self.firing_mut((said.policy.clone(), None)).fired;
            count(fired, &said);
        }
        // One that only failed to judge had no say.
        self.all.retain(|_, firing| {
            let Fired { denied, held, found, asked, allowed, told, would, .. } = firing.fired;
            denied + held + found + asked + allowed + told + would > 0
        });
        let spoke = look.index.policy_reach(&look.window)?;
        let rows: Vec<i64> = spoke.iter().map(|spoke| spoke.last_row).collect();
        let last = look.index.at_rows(&rows, PayloadMode::Without)?;
        for PolicyReach { policy, sessions, last_at, last_row } in spoke {
            let Some(firing) = self.all.get_mut(&(policy, None)) else { continue };
            firing.fired.sessions = sessions;
            firing.fired.last_at = last_at;
            if let Some(event) = last.iter().find(|event| event.row == last_row) {
                firing.set_example(&event.record);
            }
        }
        Ok(())
    }

    fn add_rules(&mut self, record: &Record) {
        for ruling in &record.rulings {
            for spoken in matched_rules(ruling) {
                let name = (ruling.policy.clone(), Some(spoken.id));
                let firing = self.firing_mut(name);
                firing.note_event(record);
                let fired = &mut firing.fired;
                let observed = spoken.observed || ruling.mode != Mode::Enforce;
                match spoken.action.as_str() {
                    "deny" | "ask" if observed || ruling.skipped => fired.would += 1,
                    "deny" => add_denial(fired, Outcome::new(record.kind, Stance::Deny), 1),
                    "ask" => fired.asked += 1,
                    "allow" => fired.allowed += 1,
                    _ => fired.told += 1,
                }
                firing.observed += u64::from(observed);
            }
        }
    }

    /// What is no verdict: context, notices, rules that only watch. Whether all of it was looked at.
    fn add_without_verdict(
        &mut self,
        look: &ReportContext<'_>,
        limits: &mut Vec<String>,
    ) -> Result<bool, Failed> {
        let mut before = i64::MAX;
        for page in 1..=MOST_EVENTS / PAGE {
            if look.interrupt.is_set() {
                return Ok(false);
            }
            let found = look.index.annotated(&look.window, before, PAGE)?;
            found.events.iter().for_each(|event| self.add_context_rulings(&event.record));
            let Some(next) = found.next else { return Ok(true) };
            before = next;
            look.progress.set_text(&format!("looked through {} events", page * PAGE));
        }
        limits.push(format!(
            "Added context and rules that only observe are counted in the {MOST_EVENTS} newest events."
        ));
        Ok(true)
    }

    fn add_context_rulings(&mut self, record: &Record) {
        for ruling in record.rulings.iter().filter(|ruling| has_no_verdict(ruling)) {
            if ruling.policy == rules::POLICY.id.as_str() {
                // One ruling only: this loop visits the others itself, and those with a verdict are counted
                // already.
                let only = Record { rulings: vec![ruling.clone()], ..record.clone() };
                self.add_rules(&only);
            }
            if record.context_chars > 0 && ruling.counts() && !ruling.evidence.is_empty() {
                let firing = self.firing_mut((ruling.policy.clone(), None));
                firing.fired.told += 1;
                firing.note_event(record);
            }
        }
    }

    fn firing_mut(&mut self, name: Name) -> &mut Firing {
        let fired = Fired { policy: name.0.clone(), rule: name.1.clone(), ..Fired::default() };
        self.all.entry(name).or_insert_with(|| Firing { fired, ..Firing::default() })
    }
}

impl Firing {
    fn note_event(&mut self, record: &Record) {
        self.sessions.insert(format!("{} {}", record.client, record.session));
        if record.at >= self.fired.last_at {
            self.fired.last_at = record.at;
            self.set_example(record);
        }
    }

    fn set_example(&mut self, record: &Record) {
        self.fired.example = about(record);
        self.fired.answer = record.id.as_str().to_owned();
    }
}

/// What an event was about; its kind if nothing is known.
pub(super) fn about(record: &Record) -> String {
    match one_line(subject(record)) {
        nothing if nothing.is_empty() => kind_of(record),
        subject => subject,
    }
}

/// Whether the verdicts of the index do not have it.
fn has_no_verdict(ruling: &RecordedRuling) -> bool {
    ruling.stance == Stance::Silent && ruling.reasons.is_empty() && ruling.error.is_none()
}

fn count(fired: &mut Fired, said: &VerdictCount) {
    let counted = said.mode == Some(Mode::Enforce) && !said.is_above;
    match said.stance {
        Stance::Deny | Stance::Ask if !counted => fired.would += said.events,
        Stance::Deny => add_denial(fired, said.outcome, said.events),
        Stance::Ask => fired.asked += said.events,
        Stance::Allow if counted => fired.allowed += said.events,
        Stance::Allow => {}
        // It gave reasons without a stance: it told something.
        Stance::Silent => fired.told += said.events.saturating_sub(said.errors),
    }
}

fn add_denial(fired: &mut Fired, outcome: Outcome, many: u64) {
    match outcome {
        Outcome::Held => fired.held += many,
        Outcome::Finding => fired.found += many,
        Outcome::Blocked | Outcome::Passed | Outcome::Allowed | Outcome::Asked => fired.denied += many,
    }
}
