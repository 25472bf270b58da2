//! Asks the engine what it decides about a call, with the project's config or with one that is drafted.

use std::sync::Arc;

use flyball_core::config::{Config, Layer, LayerText, Mode, Standing, compile};
use flyball_core::path::AbsolutePath;
use flyball_core::policy::Policy;
use flyball_core::time::Time;
use flyball_core::verdict::Stance;
use flyball_policies::{REGISTRY, r#loop, quality};
use flyball_quality::linter::Linter;
use flyball_quality::pipeline::{ChoiceFinder, applies_to_path};
use flyball_quality::settings::Settings;
use flyball_world::config::Layers;
use flyball_world::machine::Machine;
use serde::Serialize;

use super::probe::Probe;
use super::rules::{Check, Demanded, Place, Way};
use super::sample::Samples;
use super::stop;
use crate::linters;
use crate::outcome::Failed;
use crate::project_context::ProjectContext;
use crate::replay::{Moment, ReplayMachine, Session};

/// Policies that stop a call once to say something, which enforces nothing.
const TELLERS: &[&str] = &["memory.context", "memory.instructions", "guard.denials"];

/// The stop is tried after edits of so many files.
const MOST_STOPS: usize = 24;

/// What was decided about a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Answer {
    pub(super) call: String,
    pub(super) decision: &'static str,
    pub(super) policy: String,
    /// The rule of the policy, if it was one.
    pub(super) rule: Option<String>,
    #[serde(skip)]
    pub(super) is_stopped: bool,
}

pub(super) struct Judge {
    replay: ReplayMachine,
    pub(super) machine: Machine,
    pub(super) root: AbsolutePath,
    config: Arc<Config>,
    /// The text of the project's config.
    project: String,
    /// The other configs in force.
    others: Vec<(Layer, String, String)>,
    linters: Settings,
    samples: Samples,
}

impl Judge {
    pub(super) fn new(here: &ProjectContext) -> Result<Judge, Failed> {
        let loaded = here.peek_config();
        let layers = Layers::read(&here.files);
        let (mut project, mut others) = (String::new(), Vec::new());
        for layer in layers.texts() {
            if layer.layer == Layer::Project {
                layer.text.clone_into(&mut project);
            } else {
                others.push((layer.layer, layer.path.to_owned(), layer.text.to_owned()));
            }
        }
        let root = AbsolutePath::from_path(&flyball_world::machine::real_path(&here.root));
        let config = Arc::new(Config::clone(&loaded.config));
        let machine = here.machine();
        let samples = Samples::new(&linters::project_files(&machine, &here.root));
        Ok(Judge {
            replay: ReplayMachine::new(),
            machine,
            samples,
            root,
            config,
            project,
            others,
            linters: linters::settings(&here.files),
        })
    }

    /// What is decided about what a rule says.
    pub(super) fn answer(&self, place: &Place<'_>, demanded: &Demanded) -> Vec<Answer> {
        self.answer_with(&self.config, place, &demanded.way)
    }

    fn answer_with(&self, config: &Arc<Config>, place: &Place<'_>, way: &Way) -> Vec<Answer> {
        match way {
            Way::Stops(probes) => probes.iter().map(|probe| self.decide(probe, config)).collect(),
            Way::Passes(command) => vec![self.blocked_before(command, place, config)],
            Way::Checks(check) => vec![self.checked_by(check, place, config)],
        }
    }

    /// Whether a drafted config holds an agent to what a rule says; `None` if it cannot be loaded.
    pub(super) fn would_hold(&self, draft: &str, place: &Place<'_>, way: &Way) -> Option<bool> {
        let config = Arc::new(self.with(draft)?);
        Some(self.answer_with(&config, place, way).iter().all(|answer| answer.is_stopped))
    }

    /// Whether a drafted config lets all these calls pass; `None` if it cannot be loaded.
    pub(super) fn would_pass(&self, draft: &str, probes: &[Probe]) -> Option<bool> {
        let config = Arc::new(self.with(draft)?);
        Some(!probes.iter().any(|probe| self.decide(probe, &config).is_stopped))
    }

    /// Whether a policy is in force with the project's config.
    pub(super) fn is_enforced(&self, policy: &Policy) -> bool {
        self.config.sections.get(policy.id.as_str()).is_some_and(|section| section.mode == Mode::Enforce)
    }

    /// Whether the project's own config has a key of a section.
    pub(super) fn has_key(&self, section: &[&str], key: &str) -> bool {
        let Ok(table) = self.project.parse::<toml::Table>() else { return false };
        let inner = section.iter().try_fold(&table, |table, name| table.get(*name)?.as_table());
        inner.is_some_and(|inner| inner.contains_key(key))
    }

    /// The config with a draft.
    pub(super) fn with(&self, draft: &str) -> Option<Config> {
        let mut table: toml::Table = self.project.parse().ok()?;
        merge(&mut table, draft.parse().ok()?);
        let text = toml::to_string(&table).ok()?;
        let mut layers: Vec<LayerText<'_>> = self
            .others
            .iter()
            .map(|(layer, path, text)| LayerText { layer: *layer, standing: Standing::Accepted, path, text })
            .collect();
        let standing = Standing::Accepted;
        layers.push(LayerText { layer: Layer::Project, standing, path: "flyball.toml", text: &text });
        compile(&layers, REGISTRY).ok().map(|compiled| compiled.config)
    }

    fn decide(&self, probe: &Probe, config: &Arc<Config>) -> Answer {
        let moment = Moment {
            at: Time::now(),
            root: self.root.to_string(),
            skipped: Arc::default(),
            config: Arc::clone(config),
        };
        // A session of its own: what was denied before must not count.
        let judged = Session::new(&self.replay).judge(probe.event(&self.root), &moment);
        let stops = |policy: &str| !TELLERS.contains(&policy);
        let ruling = judged
            .judgement
            .rulings
            .iter()
            .filter(|it| it.mode == Mode::Enforce && !it.skipped && stops(it.policy.as_str()))
            .max_by_key(|it| it.verdict.stance)
            .filter(|it| it.verdict.stance >= Stance::Ask);
        let rule = ruling.and_then(|it| it.verdict.evidence.iter().find(|seen| seen.name == "rule"));
        Answer {
            call: probe.shown(),
            decision: ruling.map_or("none", |it| it.verdict.stance.name()),
            policy: ruling.map(|it| it.policy.to_string()).unwrap_or_default(),
            rule: rule.map(|seen| seen.value.clone()),
            is_stopped: ruling.is_some(),
        }
    }

    /// Whether an agent that edited a file of the rule's folder may not stop before a command has passed.
    fn blocked_before(&self, command: &str, place: &Place<'_>, config: &Arc<Config>) -> Answer {
        let is_loop_on = config
            .sections
            .get(r#loop::feedback::POLICY.id.as_str())
            .is_some_and(|section| section.mode == Mode::Enforce);
        let files = self.samples.below(place.folder).take(if is_loop_on { MOST_STOPS } else { 0 });
        let found = files
            .filter_map(|file| {
                // Without a folder to try it in, nothing is known.
                let policy = stop::blocked_by(&self.replay, config, file, command).ok()??;
                Some((file, policy))
            })
            .next();
        let (file, policy) = found.map_or(("a file", None), |(file, policy)| (file, Some(policy)));
        let call = format!("stop after an edit of {file}, before {command} has passed");
        Answer::of_policy(call, "deny", policy)
    }

    /// Whether an edit of a file of the rule's folder is checked or formatted by a tool.
    fn checked_by(&self, check: &Check, place: &Place<'_>, config: &Config) -> Answer {
        let id = quality::POLICY.id.as_str();
        let section = config.sections.get(id).filter(|section| section.mode == Mode::Enforce);
        let settings: Option<Settings> = section.and_then(|section| section.parse().ok());
        let found = settings.and_then(|settings| {
            let mut finder = ChoiceFinder::new(&settings, &self.machine);
            let linters = check.linters(&settings);
            let mut files = self.samples.below(place.folder);
            files.find(|file| linters.iter().any(|linter| finder.find(linter, file).is_some()))
        });
        let call = format!("edit {} that {} objects to", found.unwrap_or("a file"), check.line());
        Answer::of_policy(call, "finding", found.map(|_| id.to_owned()))
    }

    /// The linters of a tool that have something to do in the rule's folder, switched on or not.
    pub(super) fn linters_of(&self, check: &Check, place: &Place<'_>) -> Vec<String> {
        let applies = |linter: &&&Linter| {
            self.samples.below(place.folder).any(|file| applies_to_path(linter, file, &self.linters))
        };
        check.linters(&self.linters).iter().filter(applies).map(|linter| linter.name.clone()).collect()
    }

    pub(super) fn has_linter(&self, tool: &str) -> bool {
        !Check::new(tool).linters(&self.linters).is_empty()
    }

    /// Whether there is a file or folder, by its path from the root.
    pub(super) fn has_file(&self, path: &str) -> bool {
        std::path::Path::new(self.root.join(path).as_str()).exists()
    }
}

impl Answer {
    /// What a policy decides, if it does.
    fn of_policy(call: String, decision: &'static str, policy: Option<String>) -> Answer {
        Answer {
            call,
            decision: if policy.is_some() { decision } else { "none" },
            is_stopped: policy.is_some(),
            policy: policy.unwrap_or_default(),
            rule: None,
        }
    }
}

/// Puts the values of one table into another; lists are joined.
fn merge(into: &mut toml::Table, from: toml::Table) {
    for (key, value) in from {
        match (into.get_mut(&key), value) {
            (Some(toml::Value::Table(old)), toml::Value::Table(new)) => merge(old, new),
            (Some(toml::Value::Array(old)), toml::Value::Array(new)) => old.extend(new),
            (_, value) => {
                into.insert(key, value);
            }
        }
    }
}
