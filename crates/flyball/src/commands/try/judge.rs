//! Judges what is tried, as a hook would, in a memory of its own and without effects.

use std::sync::Arc;

use flyball_core::config::{Config, Mode};
use flyball_core::engine::Ruling;
use flyball_core::grant;
use flyball_core::outcome::Outcome;
use flyball_core::time::Time;
use flyball_core::verdict::Stance;
use flyball_policies::{rules, undo};

use super::input::Candidate;
use super::stop::Tried;
use crate::project_context::{Origins, ProjectContext, line_of, mode_in};
use crate::replay::{JudgedEvent, Moment, ReplayMachine, Session};
use crate::show::toml::value_of;

/// So many settings of a policy are shown.
const MOST_SETTINGS: usize = 4;

pub(super) struct Judge {
    machine: ReplayMachine,
    root: String,
    config: Arc<Config>,
    origins: Origins,
}

impl Judge {
    pub(super) fn new(here: &ProjectContext, config: Arc<Config>) -> Judge {
        Judge {
            machine: ReplayMachine::new(),
            root: here.root.display().to_string(),
            config,
            origins: Origins::read(&here.files),
        }
    }

    /// What would be decided, by whom and why.
    pub(super) fn judge(&self, candidate: Candidate) -> Tried {
        let kind = candidate.event.kind();
        let Candidate { number, shown, event } = candidate;
        let JudgedEvent { judgement, .. } = self.judge_event(event);
        let merged = &judgement.merged;
        let first = merged.leading();
        let mut also: Vec<String> = merged
            .reasons
            .iter()
            .filter(|it| it.stance >= Stance::Ask && Some(it.policy) != first.map(|first| first.policy))
            .map(|it| it.policy.to_string())
            .collect();
        also.dedup();
        let ruling = first.and_then(|it| judgement.rulings.iter().find(|ruling| ruling.policy == it.policy));
        let allowed = judgement.rulings.iter().find_map(|it| evidence(it, grant::EVIDENCE));
        Tried {
            line: number,
            command: shown,
            decision: merged.stance.name(),
            outcome: Outcome::new(kind, merged.stance),
            policy: first.map(|it| it.policy.to_string()).unwrap_or_default(),
            rule: ruling.and_then(|ruling| evidence(ruling, "rule")),
            also,
            reason: first.map(|it| it.reason.text()).unwrap_or_default(),
            config: ruling.map(|ruling| self.config_lines(ruling)).unwrap_or_default(),
            allowed: allowed.filter(|_| merged.stance < Stance::Ask),
            undo: ruling.filter(|_| self.copies_files()).and_then(|ruling| evidence(ruling, "undo")),
        }
    }

    /// Whether hooks copy files before a call; nothing is copied here.
    fn copies_files(&self) -> bool {
        mode_in(&self.config, &undo::POLICY) == Mode::Enforce
    }

    /// Judges it in a session of its own: what was denied before must not count.
    fn judge_event(&self, event: flyball_core::event::Event) -> JudgedEvent {
        let moment = Moment {
            at: Time::now(),
            root: self.root.clone(),
            skipped: Arc::default(),
            config: Arc::clone(&self.config),
        };
        Session::new(&self.machine).judge(event, &moment)
    }

    /// The settings that decide about it, and where each is written.
    fn config_lines(&self, ruling: &Ruling) -> Vec<String> {
        let policy = ruling.policy.as_str();
        let mode =
            format!("{policy}.mode = {:?} ({})", ruling.mode.name(), self.origins.describe_mode(policy));
        let written = self.origins.written(policy).filter_map(|origin| {
            let place = line_of(origin.place.as_ref()?);
            Some(format!("{} = {} ({place})", origin.key, value_of(&origin.value)))
        });
        let own_rule = (policy == rules::POLICY.id.as_str())
            .then(|| evidence(ruling, "rule"))
            .flatten()
            .map(|rule| format!("rule {rule}"));
        own_rule.into_iter().chain([mode]).chain(written.take(MOST_SETTINGS)).collect()
    }
}

fn evidence(ruling: &Ruling, name: &str) -> Option<String> {
    ruling.verdict.evidence.iter().find(|seen| seen.name == name).map(|seen| seen.value.clone())
}
