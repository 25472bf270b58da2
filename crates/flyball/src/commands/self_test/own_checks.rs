//! Checks of flyball itself: its hook answers an edit, and findings go to the right model.

use flyball_clients::showcase::{self, DemoEvent, Session};
use flyball_clients::{CallerContext, find};
use flyball_core::event::Tool;
use flyball_quality::finding::{Finding, Level};
use flyball_quality::fixer::tier::choose;
use flyball_quality::settings::{FixerSettings, Settings, Strength};
use serde::Serialize;

use crate::commands::demo::Sandbox;
use crate::outcome::Failed;

/// One check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Check {
    /// What should be true.
    pub(super) name: &'static str,
    pub(super) works: bool,
    /// What is wrong.
    pub(super) note: String,
}

/// Codes, how many findings have them, and the model they go to.
const TIERS: &[(&str, usize, Strength)] = &[
    ("F841", 1, Strength::Haiku),
    ("SC2086", 5, Strength::Haiku),
    ("C901", 1, Strength::Sonnet),
    ("D103", 1, Strength::Sonnet),
    ("unresolved-attribute", 1, Strength::Opus),
    ("F841", 6, Strength::Opus),
    // They only contain a code that goes to a stronger model.
    ("TD002", 1, Strength::Haiku),
    ("PD901", 1, Strength::Haiku),
];

/// All checks.
pub(super) fn checks(settings: &Settings) -> Vec<Check> {
    vec![
        check("the hook answers an edit", check_hook()),
        check("findings go to the model of their tier", check_tiers(&settings.fixer)),
    ]
}

fn check(name: &'static str, result: Result<(), String>) -> Check {
    Check { name, works: result.is_ok(), note: result.err().unwrap_or_default() }
}

/// Sends an edit of the recorded session through the process that clients call.
fn check_hook() -> Result<(), String> {
    let text = |failed: Failed| failed.to_string();
    let session = showcase::session().map_err(|cause| cause.to_string())?;
    let event = session.events.iter().find(|event| is_edit(&session, event));
    let sandbox = Sandbox::create("").map_err(text)?;
    // An event that was played was answered and recorded.
    sandbox.play(&session, event.ok_or("there is no sample edit")?).map(drop).map_err(text)
}

fn is_edit(session: &Session, event: &DemoEvent) -> bool {
    let context = CallerContext {
        variable: &|_| None,
        folder: &|| None,
        declared_client: None,
        declared_event: Some(&event.event),
    };
    let client = find(session.client);
    let event = client.and_then(|client| client.decode(&event.payload("/"), &context).ok());
    event.is_some_and(|event| event.call().is_some_and(|call| matches!(call.tool, Tool::Edit(_))))
}

/// Asks for the tier of findings whose tier is known.
fn check_tiers(settings: &FixerSettings) -> Result<(), String> {
    for (code, count, expected) in TIERS {
        let chosen = choose(settings, &vec![finding(code); *count]).strength;
        if chosen != *expected {
            return Err(format!("{count} of {code} go to {chosen:?} instead of {expected:?}"));
        }
    }
    Ok(())
}

fn finding(code: &str) -> Finding {
    Finding {
        file: "sample".to_owned(),
        line: 1,
        column: 1,
        end_line: None,
        code: code.to_owned(),
        message: String::new(),
        linter: String::new(),
        level: Level::Warning,
        fixable: false,
        fix: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::lint::defaults;

    #[test]
    fn defect_24_a_code_that_only_contains_another_stays_in_its_tier() {
        let settings = defaults().map(|settings| settings.fixer).unwrap_or_default();
        assert_eq!(check_tiers(&settings), Ok(()));
        let all_to_one = FixerSettings { volume: 0, ..settings };
        assert_eq!(check_tiers(&all_to_one), Err("1 of F841 go to Opus instead of Haiku".to_owned()));
    }
}
