//! `[guard.commands]` as people write it, and as it is stored.

use std::collections::BTreeMap;

use flyball_core::config::{Authored, Located, Problem, Sources};
use flyball_core::nearest::nearest;
use flyball_core::verdict::Stance;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::rule::{Preset, Rule, Setting};
use super::table;

/// `[guard.commands]`: which commands are stopped or asked about.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// How strict the rules are.
    pub preset: Preset,
    /// Single rules by id, in every preset: `force-push = "ask"`.
    pub rules: BTreeMap<Located<String>, Setting>,
    /// What is done where a rule would ask, and `flyball undo` can bring back all that would be lost.
    pub undoable: Undoable,
}

/// What is done where a rule would ask, and all that would be lost was copied before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Undoable {
    /// The command runs; the user and the agent are told how it is undone.
    #[default]
    Tell,
    /// The user decides, as always.
    Ask,
}

/// What the policy reads when it runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stored {
    preset: Preset,
    rules: Vec<(String, Setting)>,
    #[serde(default)]
    pub(super) undoable: Undoable,
}

impl Stored {
    /// What a rule does by these settings; `None` if it is off.
    pub(super) fn stance(&self, rule: &Rule) -> Option<Stance> {
        match self.rules.iter().find(|(id, _)| id == rule.id) {
            Some((_, setting)) => setting.stance(),
            None if rule.from <= self.preset => rule.stance.stance(),
            None => None,
        }
    }
}

impl Stored {
    /// These settings without the rules that ask about what is not known.
    pub(super) fn without_doubts(&self) -> Stored {
        let is_doubt = |id: &str| table::rules().any(|rule| rule.id == id && rule.from == Preset::Paranoid);
        let rules = self.rules.iter().filter(|(id, _)| !is_doubt(id)).cloned().collect();
        Stored { preset: self.preset.min(Preset::Strict), rules, undoable: self.undoable }
    }
}

impl Authored for Settings {
    type Stored = Stored;

    fn compile(self, _: &Sources<'_>) -> Result<Stored, Vec<Problem>> {
        let (mut rules, mut problems) = (Vec::new(), Vec::new());
        for (id, setting) in self.rules {
            if table::ids().any(|known| known == id.value()) {
                rules.push((id.into_value(), setting));
            } else {
                problems.push(unknown(&id));
            }
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        Ok(Stored { preset: self.preset, rules, undoable: self.undoable })
    }
}

fn unknown(id: &Located<String>) -> Problem {
    let help = match nearest(id.value(), table::ids()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`flyball policies guard.commands` lists the rules".to_owned(),
    };
    Problem::new(id.span(), format!("guard.commands has no rule `{}`", id.value())).with_help(help)
}
