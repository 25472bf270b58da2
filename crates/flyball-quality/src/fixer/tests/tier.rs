//! Which model fixes what.

use super::{findings, settings};
use crate::fixer::tier::{Choice, ChoiceReason, choose};
use crate::settings::{FixerSettings, Strength};

fn chosen(codes: &[&str]) -> (Strength, ChoiceReason) {
    let Choice { strength, why, .. } = choose(&settings(""), &findings(codes));
    (strength, why)
}

fn code(code: &str) -> ChoiceReason {
    ChoiceReason::Code(code.to_owned())
}

#[test]
fn the_hardest_finding_chooses_and_many_count_as_hard() {
    let cases = [
        (vec!["F841"], (Strength::Haiku, ChoiceReason::Simple)),
        (vec!["SC2086", "DL3006"], (Strength::Haiku, ChoiceReason::Simple)),
        (vec!["F841", "C901"], (Strength::Sonnet, code("C901"))),
        (vec!["PLR0913"], (Strength::Sonnet, code("PLR0913"))),
        (vec!["D401"], (Strength::Sonnet, code("D401"))),
        (vec!["MD013"], (Strength::Sonnet, code("MD013"))),
        (vec!["MD013/line-length"], (Strength::Sonnet, code("MD013/line-length"))),
        (vec!["lint/complexity/noForEach", "F401"], (Strength::Sonnet, code("lint/complexity/noForEach"))),
        (vec!["C901", "unresolved-attribute"], (Strength::Opus, code("unresolved-attribute"))),
        (vec!["E501"; 5], (Strength::Haiku, ChoiceReason::Simple)),
        (vec!["E501"; 6], (Strength::Opus, ChoiceReason::Volume)),
    ];
    for (codes, expected) in cases {
        assert_eq!(chosen(&codes), expected, "{codes:?}");
    }
}

#[test]
fn defect_24_a_pattern_matches_the_whole_code() {
    for codes in [["TD002"], ["PD901"], ["no-unnecessary-type-assertion"], ["xD401"], ["D401x"]] {
        assert_eq!(chosen(&codes), (Strength::Haiku, ChoiceReason::Simple), "{codes:?}");
    }
    assert_eq!(chosen(&["PYD002"]), (Strength::Sonnet, code("PYD002")));
}

#[test]
fn a_pattern_that_cannot_be_embedded_is_rejected_at_load() {
    let pattern = |text: &str| crate::settings::Pattern::try_from(text.to_owned());
    assert!(pattern("(?x) E501 | E502").is_ok());
    assert!(pattern("(?x) E501 # lines that are too long").is_err());
}

#[test]
fn codes_that_no_tier_names_are_listed_once() {
    let choice = choose(&settings(""), &findings(&["trailing-spaces", "F401", "trailing-spaces", "key"]));
    assert_eq!(choice.unmatched, ["key", "trailing-spaces"]);
    assert_eq!(choice.model.as_deref(), Some("haiku"));
}

#[test]
fn configured_values_replace_the_defaults() {
    let named = settings("model = 'mine'\nmax_turns = 3\n[tiers.opus]\npatterns = ['F.*']\ntools = ['Edit']");
    let choice = choose(&named, &findings(&["F401"]));
    assert_eq!((choice.strength, choice.model.as_deref()), (Strength::Opus, Some("mine")));
    assert_eq!((named.tools(Strength::Opus), named.turns(Strength::Opus)), (vec!["Edit"], 3));
    assert_eq!(named.seconds(Strength::Opus), 600);
}

#[test]
fn each_tier_has_its_limits() {
    let limits = |strength| {
        let settings = settings("");
        (settings.tools(strength).join(","), settings.turns(strength), settings.seconds(strength))
    };
    assert_eq!(limits(Strength::Haiku), ("Edit,Read".to_owned(), 10, 120));
    assert_eq!(limits(Strength::Sonnet), ("Edit,Read".to_owned(), 10, 300));
    assert_eq!(limits(Strength::Opus), ("Edit,Read,Write".to_owned(), 15, 600));
}

#[test]
fn each_provider_has_models_of_its_own() {
    let model =
        |provider: &str| choose(&settings(&format!("provider = '{provider}'")), &findings(&["F401"])).model;
    assert_eq!(model("claude").as_deref(), Some("haiku"));
    assert_eq!(model("anthropic").as_deref(), Some("claude-haiku-5-5"));
    assert_eq!(model("openai"), None);
}

#[test]
fn an_invalid_pattern_is_an_error_at_load() {
    let error = toml::from_str::<FixerSettings>("[tiers.haiku]\npatterns = ['(']").unwrap_err();
    assert!(error.message().starts_with("`(` is not a valid regular expression: "), "{}", error.message());
}
