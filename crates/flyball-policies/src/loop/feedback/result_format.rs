//! How an agent has to write its result, so that it is read.

use flyball_core::text;

use super::settings::Phase;

/// A phase whose result an agent has to report, and the domains it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ExpectedResult {
    pub(super) phase: Phase,
    pub(super) domains: Vec<String>,
    /// Whether the agent is the client's worker, because no agent is defined for the phase.
    pub(super) is_stand_in: bool,
}

pub(super) const MARKER_RULE: &str = "Put the word alone on its line, not into a sentence or a quote.";

/// For an agent that starts: how to report its result.
pub(super) fn result_format(expected: &[ExpectedResult]) -> String {
    let parts = expected.iter().map(|expected| {
        template(
            &format!(
                "The result of {} is read from the end of this agent's answer:",
                describe_expected(expected)
            ),
            expected,
        )
    });
    format!("{}\n{MARKER_RULE}", parts.collect::<Vec<_>>().join("\n"))
}

/// `review of backend and python`
pub(super) fn describe_expected(expected: &ExpectedResult) -> String {
    format!("{} of {}", expected.phase.name, text::list(&expected.domains))
}

/// What an agent writes to report its result.
pub(super) fn template(opening: &str, expected: &ExpectedResult) -> String {
    let ExpectedResult { phase, domains, .. } = expected;
    let Phase { heading, pass, fail, issues, .. } = phase;
    let list = issues.first().map_or_else(String::new, |heading| format!("\n### {heading}"));
    let mut text = format!(
        "{opening}\n\n## {heading}\n{pass}\n\nor, if something has to change,\n\n## {heading}\n{fail}{list}\n- one line per issue\n"
    );
    if domains.len() > 1 {
        text.push_str(&format!(
            "\nIf it is about some of them only, add a line below the heading: `Domains: {}`.",
            domains.first().map(String::as_str).unwrap_or_default()
        ));
    }
    text
}
