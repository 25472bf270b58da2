//! Hooks of test runners that change what a test results in: `report.outcome = "passed"` in a conftest.

/// What such hooks write, without blanks and with double quotes.
const FORGED: &[&str] = &[
    ".outcome=\"passed\"",
    "\"outcome\",\"passed\"",
    ".passed=True",
    ".failed=False",
    ".longrepr=None",
    ".exitstatus=0",
    ".testsfailed=0",
    ".force_result(",
    ".excinfo=None",
    "os._exit(0)",
    "items[:]=[]",
    "items.clear()",
    "delitems[:]",
    "item.obj=lambda",
    "runtest=lambda",
];

/// Files that every test of a project goes through, and what forges a result there.
const SETUPS: &[(&[&str], &[&str])] = &[
    (
        &[
            "jest.setup",
            "vitest.setup",
            "setupTests",
            "setup-tests",
            "globalSetup",
            "globalTeardown",
            "test-setup",
        ],
        &[
            "global.expect=",
            "globalThis.expect=",
            "process.exitCode=0",
            "process.exit=",
            "global.it=",
            "globalThis.it=",
        ],
    ),
    (&["spec_helper", "test_helper", "rails_helper"], &["exit!0", "exit!(0)", "exit(0)", "exit!true"]),
];

/// What a new version of a file forges results with and the old one does not.
pub(super) fn forged(path: &str, before: &str, after: &str) -> Option<&'static str> {
    let name = path.rsplit('/').next().unwrap_or(path);
    // Only a hook of the runner can change results; what fixtures do to their own objects is their business.
    let is_hooks = name.ends_with(".py") && after.contains("def pytest_");
    let by_setup = SETUPS.iter().find(|(names, _)| names.iter().any(|known| name.starts_with(known)));
    let needles = match by_setup {
        _ if is_hooks => FORGED,
        Some((_, needles)) => needles,
        None => return None,
    };
    let plain = |text: &str| -> String {
        let code = text.lines().map(|line| line.split('#').next().unwrap_or(line));
        let code = code.flat_map(str::chars).filter(|letter| !letter.is_whitespace());
        code.map(|letter| if letter == '\'' { '"' } else { letter }).collect()
    };
    let (before, after) = (plain(before), plain(after));
    let is_new = |needle: &&&str| after.contains(**needle) && !before.contains(**needle);
    needles.iter().find(is_new).copied()
}
