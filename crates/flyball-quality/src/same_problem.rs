//! One problem is reported once, though linters have different names for it.

use std::collections::BTreeMap;

use crate::finding::Finding;

/// What a file that cannot be parsed has. All that parsers say after the first error follows from it.
const SYNTAX: &str = "syntax";

const UNUSED_IMPORT: &str = "unused import";
const UNUSED_VARIABLE: &str = "unused variable";

/// A problem, and what linters call it: a code, or a code and the first words of the message.
const NAMES: &[(&str, &[&str])] = &[
    (
        SYNTAX,
        &[
            "syntax",
            "invalid-syntax",
            "syntax-error",
            "E999",
            "E902",
            "E0001",
            "parse",
            "parsing",
            "SC1072",
            "SC1073",
        ],
    ),
    (
        UNUSED_IMPORT,
        &[
            "F401",
            "W0611",
            "unused-import",
            "VULTURE unused import",
            "unused-imports/no-unused-imports",
            "lint/correctness/noUnusedImports",
        ],
    ),
    (
        UNUSED_VARIABLE,
        &[
            "F841",
            "W0612",
            "unused-variable",
            "no-unused-vars",
            "@typescript-eslint/no-unused-vars",
            "eslint(no-unused-vars)",
            "typescript-eslint(no-unused-vars)",
            "lint/correctness/noUnusedVariables",
            "TS6133",
            "unused_variables",
            "VULTURE unused variable",
        ],
    ),
    (
        "undefined name",
        &[
            "F821",
            "E0602",
            "undefined-variable",
            "name-defined",
            "reportUndefinedVariable",
            "unresolved-reference",
            "no-undef",
            "eslint(no-undef)",
            "lint/correctness/noUndeclaredVariables",
            "TS2304",
        ],
    ),
    (
        "redefinition",
        &["F811", "W0404", "E0102", "no-redef", "reportRedeclaration", "no-redeclare", "TS2451"],
    ),
    ("long line", &["E501", "C0301", "line-too-long", "max-len", "B950"]),
    ("white space at the end", &["W291", "W293", "C0303", "trailing-whitespace", "no-trailing-spaces"]),
    ("bare except", &["E722", "W0702", "bare-except", "B001"]),
    ("debugger", &["no-debugger", "eslint(no-debugger)", "lint/suspicious/noDebugger"]),
    ("loose equality", &["eqeqeq", "eslint(eqeqeq)", "lint/suspicious/noDoubleEquals"]),
];

/// Where a problem is, as far as linters agree about it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    /// Anywhere in the file.
    File,
    Line(u32),
    /// What the message names in quotes: linters point at different lines of a statement.
    Name(String),
}

/// The findings without those that are about the same problem as one of another linter. It stays with the linter that
/// fixes it, or else with the first.
pub(crate) fn each_once(findings: Vec<Finding>) -> Vec<Finding> {
    let mut owners: BTreeMap<(&str, Place), &Finding> = BTreeMap::new();
    for finding in &findings {
        for key in keys(finding) {
            let owner = owners.entry(key).or_insert(finding);
            if finding.fixable && !owner.fixable {
                *owner = finding;
            }
        }
    }
    let is_kept = |finding: &Finding| {
        keys(finding).into_iter().all(|key| {
            let is_file = key.1 == Place::File;
            owners
                .get(&key)
                .is_none_or(|owner| if is_file { *owner == finding } else { owner.linter == finding.linter })
        })
    };
    let kept: Vec<bool> = findings.iter().map(is_kept).collect();
    findings.into_iter().zip(kept).filter_map(|(finding, is_kept)| is_kept.then_some(finding)).collect()
}

/// Whether a finding in this line says that an import is not used. Some linters call an import a variable.
pub(crate) fn is_unused_import(finding: &Finding, line: &str) -> bool {
    let line = line.trim_start();
    let is_import = || {
        ["import ", "import{", "from ", "use "].iter().any(|start| line.starts_with(start))
            || line.contains("require(")
    };
    match problem(finding) {
        Some(UNUSED_IMPORT) => true,
        Some(UNUSED_VARIABLE) => is_import(),
        _ => false,
    }
}

/// Under what a finding is the same as another one.
fn keys(finding: &Finding) -> Vec<(&str, Place)> {
    match problem(finding) {
        None if finding.code.is_empty() => Vec::new(),
        None => vec![(&finding.code, Place::Line(finding.line))],
        Some(SYNTAX) => vec![(SYNTAX, Place::File)],
        Some(problem) => {
            let name = quoted_name(&finding.message).map(|name| (problem, Place::Name(name)));
            [(problem, Place::Line(finding.line))].into_iter().chain(name).collect()
        }
    }
}

fn problem(finding: &Finding) -> Option<&'static str> {
    let Finding { code, message, .. } = finding;
    let is_name = |name: &&str| match name.strip_prefix(code.as_str()) {
        Some("") => true,
        Some(words) => words.strip_prefix(' ').is_some_and(|words| message.starts_with(words)),
        None => false,
    };
    NAMES.iter().find(|(_, names)| names.iter().any(is_name)).map(|(problem, _)| *problem)
}

/// The first name in quotes: `json` of ``\`os.json\` imported but unused``.
fn quoted_name(message: &str) -> Option<String> {
    let (_, rest) = message.split_once(['`', '\'', '"'])?;
    let (name, _) = rest.split_once(['`', '\'', '"'])?;
    let last = name.rsplit(['.', ' ']).next()?;
    (!last.is_empty()).then(|| last.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Level;

    fn found(linter: &str, line: u32, (code, message): (&str, &str)) -> Finding {
        Finding {
            file: "a.py".to_owned(),
            line,
            column: 1,
            end_line: None,
            code: code.to_owned(),
            message: message.to_owned(),
            linter: linter.to_owned(),
            level: Level::Warning,
            fixable: false,
            fix: None,
        }
    }

    fn kept(findings: &[Finding]) -> Vec<String> {
        let shown = |it: Finding| format!("{} {} {}", it.linter, it.line, it.code);
        each_once(findings.to_vec()).into_iter().map(shown).collect()
    }

    #[test]
    fn the_same_problem_of_several_linters_is_one() {
        let import = |linter, line, code| found(linter, line, (code, "`os.json` imported but unused"));
        let fixable = Finding { fixable: true, ..import("ruff", 2, "F401") };
        let vulture = found("vulture", 1, ("VULTURE", "unused import 'json' (90% confidence)"));
        let all = [import("flake8", 1, "F401"), vulture, fixable, import("pylint", 2, "W0611")];
        assert_eq!(kept(&all), ["ruff 2 F401"]);
    }

    #[test]
    fn what_one_linter_reports_twice_stays() {
        let all = [
            found("ruff", 1, ("F401", "`a` imported but unused")),
            found("ruff", 1, ("F401", "`b` imported but unused")),
            found("ruff", 3, ("F841", "Local variable `a` is never used")),
            found("eslint", 1, ("", "x")),
            found("tsc", 1, ("", "x")),
        ];
        assert_eq!(kept(&all).len(), all.len());
    }

    #[test]
    fn all_that_follows_from_a_syntax_error_is_one_finding() {
        let all = [
            found("ruff", 1, ("invalid-syntax", "Expected a parameter")),
            found("ruff", 2, ("invalid-syntax", "unexpected EOF")),
            found("flake8", 1, ("E999", "SyntaxError")),
            found("pylint", 1, ("E0001", "Parsing failed")),
            found("black", 1, ("syntax", "Cannot parse")),
            found("ruff", 9, ("F401", "`a` imported but unused")),
        ];
        assert_eq!(kept(&all), ["ruff 1 invalid-syntax", "ruff 9 F401"]);
    }
}
