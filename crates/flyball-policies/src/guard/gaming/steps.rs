//! The steps of a pipeline whose failure does not count.

/// How a step of a pipeline says so.
pub(super) const CONTINUE_ON_ERROR: &str = "continue-on-error";

/// Actions that hand on what the checks found: if they fail, nothing was checked less.
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

/// How many steps may fail without a word, those left out that only hand on.
pub(super) fn count_ignored_failures(text: &str) -> usize {
    let lines: Vec<&str> = text.lines().collect();
    let is_shrug = |line: &str| {
        line.trim().trim_start_matches("- ").starts_with(CONTINUE_ON_ERROR) && line.contains("true")
    };
    let shrugs = lines.iter().enumerate().filter(|(_, line)| is_shrug(line));
    shrugs.filter(|(at, _)| !only_reports(&lines, *at)).count()
}

/// Whether the step around a line only hands on.
fn only_reports(lines: &[&str], at: usize) -> bool {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let begins = |line: &&str| line.trim_start().starts_with("- ");
    let own = lines.get(at).copied().unwrap_or_default();
    let head = lines.iter().take(at + 1).rposition(begins);
    // A whole job stands further left than its steps.
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
