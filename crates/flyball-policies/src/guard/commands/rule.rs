//! What a rule is: an id, when it is on, how strongly it leans, and a function that looks.

use flyball_core::path::AbsolutePath;
use flyball_core::policy::PolicyError;
use flyball_core::verdict::Stance;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::context::{Call, Context};
use super::git::call::GitCall;

/// How much is judged. Each preset has the rules of the ones before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Preset {
    /// What destroys work or leaks secrets and is hardly ever meant.
    #[default]
    Standard,
    /// Also what is often meant but worth a look: publishing, stopping services, reading secrets.
    Strict,
    /// Also what cannot be seen through.
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
    /// Nothing is looked at.
    Off,
}

impl Setting {
    /// The stance it stands for; `None` if it is off.
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
    /// What it does then.
    pub(super) stance: Setting,
    /// One line on what it is about, for the page; only tests compare the two.
    #[cfg_attr(not(test), expect(dead_code, reason = "the page is checked against it"))]
    pub(super) summary: &'static str,
    pub(super) check: Check,
}

/// How a rule looks at a command line.
pub(super) enum Check {
    /// At each command of one of these programs.
    Programs(&'static [&'static str], fn(&Context<'_>, &Call<'_>) -> Option<Finding>),
    /// At each command that starts a client.
    Clients(fn(&Context<'_>, &Call<'_>) -> Option<Finding>),
    /// At each call of git.
    Git(fn(&Context<'_>, &GitCall<'_>) -> Option<Finding>),
    /// At each call of git, and at the repository, which costs a process.
    Repository(fn(&Context<'_>, &GitCall<'_>) -> Result<Option<Finding>, PolicyError>),
    /// At the line as a whole. Must be quick for lines that it is not about.
    Line(fn(&Context<'_>) -> Option<Finding>),
    /// The same, and at the repository.
    LineAndRepository(fn(&Context<'_>) -> Result<Option<Finding>, PolicyError>),
}

/// Something that a rule found.
#[derive(Debug)]
pub(super) struct Finding {
    /// What the command would do.
    pub(super) what: String,
    /// Why that is a problem.
    pub(super) why: &'static str,
    /// What to do instead; commands in it are themselves free.
    pub(super) instead: String,
    /// The file that is meant.
    pub(super) file: Option<AbsolutePath>,
    /// What the repository said, for the explanation.
    pub(super) seen: Option<(&'static str, String)>,
}

impl Finding {
    pub(super) fn new(
        what: impl Into<String>,
        why: &'static str,
        instead: impl Into<String>,
    ) -> Option<Finding> {
        Some(Finding { what: what.into(), why, instead: instead.into(), file: None, seen: None })
    }

    /// The same finding about a file.
    pub(super) fn about(mut self, path: impl Into<Option<AbsolutePath>>) -> Finding {
        self.file = path.into();
        self
    }

    /// The same finding with what led to it.
    pub(super) fn seen(mut self, name: &'static str, value: &str) -> Finding {
        let first: String = value.lines().take(5).collect::<Vec<_>>().join("; ");
        self.seen = Some((name, first));
        self
    }
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
