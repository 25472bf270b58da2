//! Asks the engine what it decides about a call, with the project's config or with one that is drafted.

use std::sync::Arc;

use flyball_core::config::{Config, Layer, LayerText, Mode, Standing, compile};
use flyball_core::path::AbsolutePath;
use flyball_core::time::Time;
use flyball_core::verdict::Stance;
use flyball_policies::{REGISTRY, r#loop, quality};
use flyball_quality::settings::Settings;
use flyball_world::config::Layers;
use flyball_world::machine::Machine;
use serde::Serialize;

use super::probe::Probe;
use super::rules::{Demanded, Way};
use crate::outcome::Failed;
use crate::project_context::ProjectContext;
use crate::replay::{Moment, ReplayMachine, Session};

/// Policies that stop a call once to say something, which enforces nothing.
const TELLERS: &[&str] = &["memory.context", "memory.instructions", "guard.denials"];

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
    pub(super) linters: Settings,
}

impl Judge {
    pub(super) fn new(here: &ProjectContext, linters: Settings) -> Result<Judge, Failed> {
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
        Ok(Judge {
            replay: ReplayMachine::new(),
            machine: here.machine(),
            root,
            config,
            project,
            others,
            linters,
        })
    }

    /// What is decided about what a rule says.
    pub(super) fn answer(&self, demanded: &Demanded) -> Vec<Answer> {
        match &demanded.way {
            Way::Stops(probes) => probes.iter().map(|probe| self.decide(probe, &self.config)).collect(),
            Way::Passes(command) => vec![self.held_for(command)],
            Way::Checks(tool) => vec![self.checked_by(tool)],
        }
    }

    /// Whether a drafted config stops these calls; `None` if it cannot be loaded.
    pub(super) fn would_stop(&self, draft: &str, probes: &[Probe]) -> Option<bool> {
        let config = Arc::new(self.with(draft)?);
        Some(probes.iter().all(|probe| self.decide(probe, &config).is_stopped))
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

    /// Whether the loop holds an agent until this command has passed.
    fn held_for(&self, command: &str) -> Answer {
        let id = r#loop::feedback::POLICY.id.as_str();
        let section = self.config.sections.get(id).filter(|section| section.mode == Mode::Enforce);
        let settings = section.and_then(|section| section.parse::<r#loop::feedback::Settings>().ok());
        let runs = settings.is_some_and(|settings| {
            let phases = settings.phase.iter().filter_map(|phase| phase.run.as_deref());
            let mut commands = settings.test_command.as_deref().into_iter().chain(phases);
            commands.any(|run| run.contains(command))
        });
        Answer {
            call: format!("stop before `{command}` has passed"),
            decision: if runs { "deny" } else { "none" },
            policy: if runs { id.to_owned() } else { String::new() },
            rule: None,
            is_stopped: runs,
        }
    }

    /// Whether edits are checked or formatted by this tool.
    fn checked_by(&self, tool: &str) -> Answer {
        let id = quality::POLICY.id.as_str();
        let is_on = self.config.sections.get(id).is_some_and(|section| section.mode == Mode::Enforce);
        let is_known = is_on && self.has_linter(tool) && self.is_configured(tool);
        Answer {
            call: format!("an edit that `{tool}` objects to"),
            decision: if is_known { "finding" } else { "none" },
            policy: if is_known { id.to_owned() } else { String::new() },
            rule: None,
            is_stopped: is_known,
        }
    }

    pub(super) fn has_linter(&self, tool: &str) -> bool {
        self.linters.linters.iter().any(|linter| {
            linter.name == tool
                || linter
                    .entry
                    .check
                    .as_ref()
                    .is_some_and(|check| check.command.first().is_some_and(|it| it == tool))
        })
    }

    /// Whether the project has a config of a tool, or names it in one of its manifests.
    fn is_configured(&self, tool: &str) -> bool {
        let linter = self
            .linters
            .linters
            .iter()
            .find(|linter| linter.name == tool || linter.name.starts_with(&format!("{tool}-")));
        let configs = linter.and_then(|linter| linter.entry.configs.clone()).unwrap_or_default();
        let has = |name: &str| std::path::Path::new(self.root.join(name).as_str()).exists();
        configs.iter().any(|config| !config.contains(['*', '{']) && has(config))
            || ["package.json", "pyproject.toml", ".pre-commit-config.yaml", "Cargo.toml"].iter().any(
                |file| {
                    std::fs::read_to_string(self.root.join(file).as_str())
                        .is_ok_and(|text| text.contains(tool))
                },
            )
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
