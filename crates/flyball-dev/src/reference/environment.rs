//! The page of environment variables and exit codes.

use super::markdown::{code, head, table};
use flyball::environment::VARIABLES;

/// What the exit codes of commands mean; `commands::run` gives them.
const COMMANDS: &[(&str, &str)] = &[
    ("0", "done, nothing wrong"),
    ("1", "done, and something is wrong"),
    ("2", "not done: the arguments are wrong or something else prevents it; standard error has the fix"),
    ("3", "not done: only a person at a terminal may do this, see `flyball approve`"),
    ("4", "done, nothing wrong was found, but not everything could be checked, see `flyball lint`"),
];

/// What the exit codes of `flyball hook` mean to a client.
const HOOK: &[(&str, &str)] = &[
    ("0", "the answer is on standard output; no output means no opinion"),
    ("1", "the event could not be read and may pass; standard error has the reason"),
    ("2", "denied, for events where the client understands only this code; standard error has the reason"),
];

pub(super) fn page() -> String {
    let mut page =
        head("Environment and exit codes", "What flyball reads from the environment, and how it ends.");
    page.push_str("\n## Environment variables\n");
    let rows = VARIABLES.iter().map(|variable| vec![code(variable.name), variable.about.to_owned()]);
    page.push_str(&table(&["variable", "meaning"], rows));
    page.push_str("\n## Exit codes of commands\n");
    page.push_str(&codes(COMMANDS));
    page.push_str("\n## Exit codes of `flyball hook`\n");
    page.push_str(&codes(HOOK));
    page
}

fn codes(codes: &[(&str, &str)]) -> String {
    table(
        &["code", "meaning"],
        codes.iter().map(|(number, meaning)| vec![code(number), (*meaning).to_owned()]),
    )
}
