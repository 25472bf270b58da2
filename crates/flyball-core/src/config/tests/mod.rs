//! A registry of three made-up policies, and what the tests share.

mod errors;
mod layers;
mod literals;
mod pages;
mod trust;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::*;
use crate::engine::Registry;
use crate::policy::{OnError, Policy, PolicyId};
use crate::verdict::Verdict;

/// What a tool may be.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Tool {
    /// The fast one.
    Uv,
    /// The old one.
    Pip,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
struct Packages {
    /// The one package manager for Python.
    python: Option<Tool>,
    /// Commands that are let pass.
    allow: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
struct Guard {
    /// More files that only people may change.
    files: Vec<String>,
    /// How often it may be tried.
    tries: Tries,
}

impl Default for Guard {
    fn default() -> Self {
        Guard { files: vec!["flyball.toml".to_owned()], tries: Tries::default() }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
struct Tries {
    /// The most.
    max: u32,
    /// Whether to report it.
    tell: bool,
}

impl Default for Tries {
    fn default() -> Self {
        Tries { max: 3, tell: true }
    }
}

/// Rules as people write them.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
struct WrittenRules {
    /// The user's own rules.
    rule: Vec<WrittenRule>,
    /// How many may be broken before it is reported.
    patience: u8,
}

/// One rule.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct WrittenRule {
    /// When it applies.
    when: Located<String>,
    /// What then.
    then: Action,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Action {
    Allow,
    Deny,
}

/// Rules as they are stored.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Rules {
    rules: Vec<Rule>,
    patience: u8,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Rule {
    words: Vec<String>,
    then: Action,
    from: String,
}

impl Authored for WrittenRules {
    type Stored = Rules;

    fn compile(self, sources: &Sources<'_>) -> Result<Rules, Vec<Problem>> {
        let (mut rules, mut problems) = (Vec::new(), Vec::new());
        for rule in self.rule {
            let place = sources.place(&rule.when.span());
            let text = rule.when.value();
            for (at, _) in text.match_indices('@') {
                let span = sources.within(&rule.when.span(), &(at..at + 1));
                problems.push(Problem::new(span, "a condition has no `@`").with_help("leave it out"));
            }
            rules.push(Rule {
                words: text.split_whitespace().map(str::to_owned).collect(),
                then: rule.then,
                from: place.map(|place| place.to_string()).unwrap_or_default(),
            });
        }
        if problems.is_empty() { Ok(Rules { rules, patience: self.patience }) } else { Err(problems) }
    }
}

const fn policy(id: &'static str, mode: Mode, section: SectionSpec) -> Policy {
    Policy {
        id: PolicyId::new(id),
        summary: "made up for tests",
        page: "",
        listens: &[],
        on_error: OnError::Notice,
        mode,
        section,
        run: |_| Ok(Verdict::silent()),
        gather: None,
        review: None,
    }
}

static SELF: Policy =
    policy("guard.self", Mode::Enforce, SectionSpec::for_type::<Guard>().raised_by_anyone());
static PACKAGES: Policy = policy(
    "guard.packages",
    Mode::Observe,
    SectionSpec::for_type::<Packages>()
        .tightened_by(&[("allow", Tightening::More), ("python", Tightening::Later(&["pip", "uv"]))])
        .raised_by_anyone(),
);
static RULES: Policy = policy(
    "rules",
    Mode::Enforce,
    SectionSpec::compiled::<WrittenRules>().with_collection(Collection {
        name: "rule",
        loosens: |entry| entry.get("then").and_then(|then| then.as_str()) == Some("allow"),
    }),
);

const REGISTRY: Registry = &[&SELF, &PACKAGES, &RULES];

fn managed(text: &str) -> LayerText<'_> {
    LayerText { layer: Layer::Managed, standing: Standing::Accepted, path: "/etc/flyball/managed.toml", text }
}

fn user(text: &str) -> LayerText<'_> {
    LayerText { layer: Layer::User, standing: Standing::Accepted, path: "~/config.toml", text }
}

fn project(text: &str) -> LayerText<'_> {
    LayerText { layer: Layer::Project, standing: Standing::Accepted, path: "flyball.toml", text }
}

/// A project's file that nobody has accepted.
fn proposed(text: &str) -> LayerText<'_> {
    LayerText { standing: Standing::Proposed, ..project(text) }
}

fn one_lines(diagnostics: &[Diagnostic]) -> Vec<String> {
    diagnostics.iter().map(Diagnostic::one_line).collect()
}

fn section<T: serde::de::DeserializeOwned>(compiled: &Compiled, id: &str) -> (Mode, T) {
    let section = &compiled.config.sections[id];
    (section.mode, section.parse().unwrap())
}
