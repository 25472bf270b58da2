//! The settings behind a ruling, and the lines they were written in.

use flyball_board::explanation::SettingExplained;
use flyball_core::config::Origin;
use flyball_core::record::RecordedRuling;
use flyball_policies::rules;
use serde_json::Value;

use crate::project_context::{Origins, line_of};
use crate::show::toml::value_of;

/// The keys of a rule that are shown elsewhere: its message and its tests.
const NOT_ITS_CONDITION: [&str; 2] = ["message", "case"];

/// The settings of a policy that somebody wrote; of the user's rules, those that matched.
pub(super) fn collect(ruling: &RecordedRuling, origins: &Origins) -> Vec<SettingExplained> {
    let written = origins.written(&ruling.policy).map(setting);
    let rules = matched_rules(ruling).into_iter().map(|matched| rule(&matched.id, origins));
    written.chain(rules).collect()
}

fn setting(origin: &Origin) -> SettingExplained {
    SettingExplained { key: origin.key.clone(), value: value_of(&origin.value), origin: place_of(origin) }
}

fn rule(id: &str, origins: &Origins) -> SettingExplained {
    let key = format!("rule {id}");
    let Some(found) = origins.rule(id) else {
        let gone = "the config no longer has this rule";
        return SettingExplained { key, value: gone.to_owned(), origin: String::new() };
    };
    let mut condition = found.value.clone();
    if let Value::Object(entries) = &mut condition {
        entries.retain(|key, _| !NOT_ITS_CONDITION.contains(&key.as_str()));
    }
    SettingExplained { key, value: value_of(&condition), origin: place_of(found) }
}

fn place_of(origin: &Origin) -> String {
    origin.place.as_ref().map_or_else(|| "the default".to_owned(), line_of)
}

/// A rule of the user's that had a part in a ruling.
pub(crate) struct MatchedRule {
    pub(crate) id: String,
    /// What it does: `deny`, `ask` …
    pub(crate) action: String,
    /// Whether it only observed.
    pub(crate) observed: bool,
}

/// The rules of the user's that had a part in a ruling, from its evidence: `slow at flyball.toml:5:6: deny`, or
/// `slow at flyball.toml:5:6 would deny`.
pub(crate) fn matched_rules(ruling: &RecordedRuling) -> Vec<MatchedRule> {
    if ruling.policy != rules::POLICY.id.as_str() {
        return Vec::new();
    }
    let seen = ruling.evidence.iter().filter(|seen| seen.name == "rule");
    seen.filter_map(|seen| {
        // From the right: an id of a rule may contain the word, the action cannot.
        let would = seen.value.rsplit_once(" would ").map(|(who, what)| (who, what, true));
        let (who, action, observed) =
            would.or_else(|| seen.value.rsplit_once(": ").map(|(who, what)| (who, what, false)))?;
        let id = who.split_once(" at ").map_or(who, |(id, _)| id);
        Some(MatchedRule { id: id.to_owned(), action: action.to_owned(), observed })
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use flyball_core::config::Mode;
    use flyball_core::verdict::{Evidence, Stance};

    use super::*;

    #[test]
    fn rules_are_read_from_the_evidence() {
        let seen = |value: &str| Evidence { name: "rule".to_owned(), value: value.to_owned() };
        let ruling = RecordedRuling {
            policy: "rules".to_owned(),
            mode: Mode::Enforce,
            skipped: false,
            stance: Stance::Deny,
            reasons: Vec::new(),
            evidence: vec![
                seen("slow at flyball.toml:5:6: deny"),
                seen("new at a b.toml:1:1 would ask"),
                seen("x: warn"),
            ],
            error: None,
            took: std::time::Duration::from_micros(1),
        };
        let matched: Vec<(String, String, bool)> =
            matched_rules(&ruling).into_iter().map(|it| (it.id, it.action, it.observed)).collect();
        let expected = [("slow", "deny", false), ("new", "ask", true), ("x", "warn", false)];
        assert_eq!(
            matched,
            expected.map(|(id, action, observed)| (id.to_owned(), action.to_owned(), observed))
        );
    }
}
