//! A rule: an id, the preset that enables it, its stance, and the function that checks a line.

use flyball_core::policy::PolicyError;
use flyball_core::verdict::Stance;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::context::{Call, Context};
use super::finding::Finding;
use super::git::call::GitCall;
use super::listed::Listed;
use super::written::Written;

/// How strict the rules are. Each preset includes the rules of the ones before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Preset {
    /// Commands that destroy work or leak secrets and are rarely intended.
    #[default]
    Standard,
    /// Also commands that are often intended but worth a check: publishing, stopping services, reading secrets.
    Strict,
    /// Also commands whose effects cannot be determined.
    Paranoid,
}

impl Preset {
    /// The name used in the config and on the page.
    #[cfg(test)]
    pub(super) const fn name(self) -> &'static str {
        match self {
            Preset::Standard => "standard",
            Preset::Strict => "strict",
            Preset::Paranoid => "paranoid",
        }
    }
}

/// What a single rule does, whatever the preset says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Setting {
    /// The command does not run.
    Deny,
    /// The user decides.
    Ask,
    /// The rule does not apply.
    Off,
}

impl Setting {
    /// Its stance; `None` if it is off.
    pub(super) const fn stance(self) -> Option<Stance> {
        match self {
            Setting::Deny => Some(Stance::Deny),
            Setting::Ask => Some(Stance::Ask),
            Setting::Off => None,
        }
    }
}

pub(super) struct Rule {
    /// Its name in the config; an intent is named after it.
    pub(super) id: &'static str,
    /// The weakest preset in which it is on.
    pub(super) from: Preset,
    /// What it does when it is on.
    pub(super) stance: Setting,
    /// One line for the page; a test compares the two.
    #[cfg_attr(not(test), expect(dead_code, reason = "the page is checked against it"))]
    pub(super) summary: &'static str,
    pub(super) check: Check,
}

/// What a rule checks.
pub(super) enum Check {
    /// Each call that `programs/risks.toml` lists for the rule.
    Listed(Listed),
    /// The first of these that finds something.
    Any(&'static [Check]),
    /// Each command of one of these programs.
    Programs(&'static [&'static str], fn(&Context<'_>, &Call<'_>) -> Option<Finding>),
    /// Each command that starts a client.
    Clients(fn(&Context<'_>, &Call<'_>) -> Option<Finding>),
    /// Each call of git.
    Git(fn(&Context<'_>, &GitCall<'_>) -> Option<Finding>),
    /// Each call of git, and the repository, which costs a process.
    Repository(fn(&Context<'_>, &GitCall<'_>) -> Result<Option<Finding>, PolicyError>),
    /// Each file that the call writes, by a command or by a tool of the client.
    Written(fn(&Context<'_>, &Written) -> Option<Finding>),
    /// The line as a whole. Must be quick for lines that it does not match.
    Line(fn(&Context<'_>) -> Option<Finding>),
    /// What the line does on other machines.
    Elsewhere,
    /// The line as a whole, and the repository.
    LineAndRepository(fn(&Context<'_>) -> Result<Option<Finding>, PolicyError>),
}

/// Rules in the order given, each: id, preset, stance, summary, check.
macro_rules! rules {
    ($($id:tt $from:ident $stance:ident $summary:literal => $check:expr;)+) => {
        /// The rules of this theme.
        pub(in crate::guard::commands) static RULES: &[$crate::guard::commands::rule::Rule] = &[$(
            $crate::guard::commands::rule::Rule {
                id: $id,
                from: $crate::guard::commands::rule::Preset::$from,
                stance: $crate::guard::commands::rule::Setting::$stance,
                summary: $summary,
                check: $check,
            },
        )+];
    };
}

pub(super) use rules;
