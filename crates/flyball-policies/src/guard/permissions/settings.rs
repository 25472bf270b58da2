//! `[guard.permissions]` as people write it, and as it is stored.

use flyball_core::config::{Authored, Located, Problem, Sources};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::pattern::Pattern;
use super::presets::Preset;

/// `[guard.permissions]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Written {
    /// Built-in lists of what is safe.
    presets: Vec<Preset>,
    /// What else is allowed without asking: `cargo test`, `edit:src/**`, `read:~/notes/**`,
    /// `mcp:github/get_*`, `fetch:docs.rs`, `tool:WebSearch`.
    allow: Vec<Located<String>>,
    /// What is denied without asking, written the same way. Stronger than `allow` and `presets`.
    deny: Vec<Located<String>>,
    /// What the user is always asked about, whatever `allow` and `presets` contain, written the same way.
    ask: Vec<Located<String>>,
    /// Variables that may be set before an allowed command, besides those that are known to be
    /// harmless; `*` matches any characters.
    variables: Vec<String>,
}

impl Default for Written {
    fn default() -> Self {
        Written {
            presets: vec![Preset::ReadOnly],
            allow: Vec::new(),
            deny: Vec::new(),
            ask: Vec::new(),
            variables: Vec::new(),
        }
    }
}

/// What the policy reads when it runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Rules {
    pub(super) presets: Vec<Preset>,
    pub(super) allow: Vec<Pattern>,
    pub(super) deny: Vec<Pattern>,
    pub(super) ask: Vec<Pattern>,
    pub(super) variables: Vec<String>,
}

/// What is stored; its parts are the policy's own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Stored(pub(super) Rules);

impl Authored for Written {
    type Stored = Stored;

    fn compile(self, sources: &Sources<'_>) -> Result<Stored, Vec<Problem>> {
        let mut problems = Vec::new();
        let allow = patterns(self.allow, sources, &mut problems);
        let deny = patterns(self.deny, sources, &mut problems);
        let ask = patterns(self.ask, sources, &mut problems);
        if !problems.is_empty() {
            return Err(problems);
        }
        Ok(Stored(Rules { presets: self.presets, allow, deny, ask, variables: self.variables }))
    }
}

fn patterns(
    written: Vec<Located<String>>,
    sources: &Sources<'_>,
    problems: &mut Vec<Problem>,
) -> Vec<Pattern> {
    let mut read = Vec::new();
    for text in written {
        match Pattern::parse(text.value()) {
            Ok(pattern) => read.push(pattern),
            Err(error) => {
                let span = sources.within(&text.span(), &(0..text.value().len()));
                problems.push(Problem::new(span, error.what).with_help(error.help));
            }
        }
    }
    read
}
