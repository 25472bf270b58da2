//! Which policies and rules are on and had no say.

use std::collections::BTreeMap;

use flyball_board::report::NeverFired;
use flyball_core::config::{Layer, Mode, Origin, origins};
use flyball_policies::{REGISTRY, rules};
use flyball_store::KindCount;
use flyball_world::config::Layers;
use serde_json::Value;

use super::firing::Firings;
use super::stopped_calls::Projects;
use crate::project_context::{line_of, mode_in};
use crate::views::project::Project;

/// Those of this group only watch, for others: they never have a say.
const WATCHERS: &str = "observe.";

/// All of them, those with the most chances first.
pub(super) fn find(met: &[KindCount], projects: &Projects, firings: &Firings) -> Vec<NeverFired> {
    let mut all: BTreeMap<(String, Option<String>, String), NeverFired> = BTreeMap::new();
    for (root, project) in projects.present() {
        let met: Vec<&KindCount> = met.iter().filter(|met| met.project == *root).collect();
        let idle = policies(project, &met).into_iter().chain(rules_of((root, project), &met));
        for one in idle.filter(|one| !firings.has(&one.policy, one.rule.as_deref())) {
            // A policy is one, however many projects have it on; a rule is one by the file it stands in.
            let place = one.rule.as_ref().map_or(String::new(), |_| {
                format!("{} {}", one.project.as_deref().unwrap_or_default(), one.origin)
            });
            let key = (one.policy.clone(), one.rule.clone(), place);
            match all.get_mut(&key) {
                None => drop(all.insert(key, one)),
                Some(known) => {
                    known.chances += one.chances;
                    if known.origin != one.origin {
                        "several projects".clone_into(&mut known.origin);
                    }
                }
            }
        }
    }
    let mut all: Vec<NeverFired> = all.into_values().collect();
    all.sort_by_key(|one| (one.rule.is_none(), std::cmp::Reverse(one.chances), one.name()));
    all
}

fn policies(project: &Project, met: &[&KindCount]) -> Vec<NeverFired> {
    let on = REGISTRY.iter().filter(|policy| mode_in(&project.loaded.config, policy) != Mode::Off);
    let on = on.filter(|policy| {
        let id = policy.id.as_str();
        // The user's rules are told one by one.
        id != rules::POLICY.id.as_str() && !id.starts_with(WATCHERS)
    });
    on.map(|policy| NeverFired {
        policy: policy.id.as_str().to_owned(),
        rule: None,
        project: None,
        origin: project.origins.describe_mode(policy.id.as_str()),
        chances: met.iter().filter(|met| policy.listens.contains(&met.kind)).map(|met| met.events).sum(),
    })
    .collect()
}

fn rules_of((root, project): (&str, &Project), met: &[&KindCount]) -> Vec<NeverFired> {
    if mode_in(&project.loaded.config, &rules::POLICY) == Mode::Off {
        return Vec::new();
    }
    let written = origins(&Layers::read(&project.here.files).texts(), REGISTRY).unwrap_or_default();
    let written = written.iter().filter(|origin| origin.key.starts_with("rule["));
    written.filter_map(|origin| rule((root, origin), met)).collect()
}

fn rule((root, origin): (&str, &Origin), met: &[&KindCount]) -> Option<NeverFired> {
    let id = origin.value.get("id")?.as_str()?;
    if origin.value.get("mode").is_some_and(|mode| mode == Mode::Off.name()) {
        return None;
    }
    let place = origin.place.as_ref()?;
    let is_of = |key: &str, name: &str| match origin.value.get(key).and_then(Value::as_array) {
        Some(names) if !names.is_empty() => names.iter().any(|known| known == name),
        _ => true,
    };
    let fits = |met: &&&KindCount| {
        is_of("events", met.kind.name())
            && is_of("tool", met.tool.map_or("", flyball_core::event::ToolKind::name))
    };
    Some(NeverFired {
        policy: rules::POLICY.id.as_str().to_owned(),
        rule: Some(id.to_owned()),
        project: (place.layer == Layer::Project).then(|| root.to_owned()),
        origin: line_of(place),
        chances: met.iter().filter(fits).map(|met| met.events).sum(),
    })
}
