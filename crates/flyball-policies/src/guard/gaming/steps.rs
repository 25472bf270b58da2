//! The steps of a pipeline whose failure does not count.

/// How a step of a pipeline declares it.
pub(super) const CONTINUE_ON_ERROR: &str = "continue-on-error";

/// Actions that only report or transfer results: if they fail, the checks still ran.
const REPORTING_ACTIONS: &[&str] = &[
    "codecov/",
    "coverallsapp/",
    "upload-artifact",
    "download-artifact",
    "upload-sarif",
    "actions/cache",
    "comment",
    "slack",
    "notify",
];

/// The number of steps that may fail silently, without those that only report.
pub(super) fn count_ignored_failures(text: &str) -> usize {
    let lines: Vec<&str> = text.lines().collect();
    let ignores_failure = |line: &str| {
        line.trim().trim_start_matches("- ").starts_with(CONTINUE_ON_ERROR) && line.contains("true")
    };
    let steps = lines.iter().enumerate().filter(|(_, line)| ignores_failure(line));
    steps.filter(|(at, _)| !only_reports(&lines, *at)).count()
}

/// Whether the step around a line only reports.
fn only_reports(lines: &[&str], at: usize) -> bool {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let begins = |line: &&str| line.trim_start().starts_with("- ");
    let own = lines.get(at).copied().unwrap_or_default();
    let head = lines.iter().take(at + 1).rposition(begins);
    // A whole job is indented less than its steps.
    let Some(head) =
        head.filter(|head| *head == at || lines.get(*head).is_some_and(|it| indent(it) < indent(own)))
    else {
        return false;
    };
    let rest = lines.iter().skip(head + 1).take_while(|line| !begins(line));
    let mut used = lines
        .get(head)
        .into_iter()
        .chain(rest)
        .filter_map(|line| line.trim_start().trim_start_matches("- ").strip_prefix("uses:"));
    used.any(|action| REPORTING_ACTIONS.iter().any(|name| action.contains(name)))
}
