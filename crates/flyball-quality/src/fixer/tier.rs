//! Which model fixes what.

use regex_lite::Regex;

use crate::finding::Finding;
use crate::settings::{FixerSettings, Strength};

/// The tier that findings go to, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The tier, which decides the tools and limits.
    pub strength: Strength,
    /// The model. `None` if the provider has no default model, and none is configured.
    pub model: Option<String>,
    pub why: ChoiceReason,
    /// Codes that no tier names, each once; they count as simple.
    pub unmatched: Vec<String>,
}

/// Why a tier was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChoiceReason {
    /// A pattern of the tier matches this code.
    Code(String),
    /// There are more findings than `volume`.
    Volume,
    /// No stronger tier is needed.
    Simple,
}

impl ChoiceReason {
    #[must_use]
    pub fn describe(&self) -> String {
        match self {
            ChoiceReason::Code(code) => format!("`{code}` needs it"),
            ChoiceReason::Volume => "there are many findings".to_owned(),
            ChoiceReason::Simple => "nothing needs a stronger one".to_owned(),
        }
    }
}

/// Chooses the tier for these findings.
#[must_use]
pub fn choose(settings: &FixerSettings, findings: &[Finding]) -> Choice {
    let tiers = Strength::ALL.map(|strength| Patterns::from_settings(settings, strength));
    let [haiku, sonnet, opus] = &tiers;
    let (strength, why) = if let Some(code) = opus.first_match(findings) {
        (Strength::Opus, ChoiceReason::Code(code))
    } else if findings.len() > settings.volume {
        (Strength::Opus, ChoiceReason::Volume)
    } else if let Some(code) = sonnet.first_match(findings) {
        (Strength::Sonnet, ChoiceReason::Code(code))
    } else {
        (Strength::Haiku, ChoiceReason::Simple)
    };
    let is_named = |code: &str| [haiku, sonnet, opus].iter().any(|tier| tier.matches(code));
    let codes = findings.iter().map(|finding| finding.code.clone());
    let mut unmatched: Vec<String> = codes.filter(|code| !is_named(code)).collect();
    unmatched.sort_unstable();
    unmatched.dedup();
    Choice { strength, model: settings.model(strength), why, unmatched }
}

/// The patterns of a tier, each of which must match the whole of a code.
struct Patterns(Vec<Regex>);

impl Patterns {
    fn from_settings(settings: &FixerSettings, strength: Strength) -> Patterns {
        // Each was compiled once when the config was read, so none is lost here.
        let whole = |pattern: &str| Regex::new(&format!("^(?:{pattern})$")).ok();
        Patterns(settings.patterns(strength).into_iter().filter_map(whole).collect())
    }

    fn matches(&self, code: &str) -> bool {
        self.0.iter().any(|pattern| pattern.is_match(code))
    }

    fn first_match(&self, findings: &[Finding]) -> Option<String> {
        findings.iter().find(|finding| self.matches(&finding.code)).map(|finding| finding.code.clone())
    }
}
