//! Findings for two versions of a file, row by row; then the policy as a whole; then properties.

mod configs;
mod laws;
mod objections;
mod ordinary;
mod policy;
mod suites;
mod suppressions;

use super::compare::{Extent, Versions, compare};
use super::settings::{Extra, Settings};

/// Instead of a version: the file does not exist.
const ABSENT: &str = "\0";

/// A name, a path, the file before and after, and what is found: the keys of the config, with `~`
/// before those with a reason. Nothing where it is harmless.
type Row = (&'static str, &'static str, &'static str, &'static str, &'static str);

fn found(path: &str, before: &str, after: &str, settings: &Settings) -> String {
    let text = |version| Some(version).filter(|version| *version != ABSENT);
    let versions = Versions { before: text(before), after: text(after), extent: Extent::File };
    let report = compare(path, versions, settings);
    let mut kinds: Vec<String> = report
        .findings
        .iter()
        .map(|it| format!("{}{}", if it.is_justified { "~" } else { "" }, it.kind.key()))
        .collect();
    if report.fewer_tests.min(report.removed_tests.len()) > 0 {
        kinds.push("deleted_tests".to_owned());
    }
    kinds.sort();
    kinds.dedup();
    kinds.join(" ")
}

fn check(rows: &[Row], settings: &Settings) {
    let mut wrong = Vec::new();
    for (name, path, before, after, expected) in rows {
        let found = found(path, before, after, settings);
        if found != *expected {
            wrong.push(format!("{name}: found {found:?}, not {expected:?}"));
        }
        // What is already there is never found.
        if !expected.is_empty() && *before != ABSENT && *after != ABSENT {
            let again = self::found(path, after, after, settings);
            assert_eq!(again, "", "{name}: the same once more");
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn the_tables_are_long_and_at_least_half_harmless() {
    let rows: Vec<&Row> =
        [suppressions::ROWS, suites::ROWS, configs::ROWS, ordinary::ROWS].into_iter().flatten().collect();
    let harmless = rows.iter().filter(|row| row.4.is_empty()).count();
    assert!(rows.len() >= 160, "{} rows", rows.len());
    assert!(harmless * 2 >= rows.len(), "{harmless} of {} are harmless", rows.len());
}

#[test]
fn what_is_off_by_default_is_found_when_asked_for() {
    let also = vec![Extra::AsAny, Extra::RustExpect, Extra::EmptyCatch];
    let settings = Settings { also, ..Settings::default() };
    let rows: &[Row] = &[
        ("as any", "a.ts", "let x = y;\n", "let x = y as any;\n", "suppressions"),
        ("as anything", "a.ts", "", "let x = y as anything;\n", ""),
        ("expect", "a.rs", "fn f() {}\n", "#[expect(dead_code)]\nfn f() {}\n", "suppressions"),
        (
            "expect, with a reason",
            "a.rs",
            "",
            "#[expect(dead_code, reason = \"ffi\")]\nfn f() {}\n",
            "~suppressions",
        ),
        ("except: pass", "a.py", "", "try:\n    f()\nexcept Exception:\n    pass\n", "suppressions"),
        ("except: log", "a.py", "", "try:\n    f()\nexcept Exception:\n    log()\n", ""),
        ("catch {}", "a.ts", "", "try { f() } catch (e) {}\n", "suppressions"),
        ("catch with a comment", "a.ts", "", "try { f() } catch (e) { /* gone already */ }\n", ""),
        ("catch that handles", "a.java", "", "try { f(); } catch (E e) { g(); }\n", ""),
    ];
    check(rows, &settings);
    for (name, path, before, after, _) in rows {
        assert_eq!(found(path, before, after, &Settings::default()), "", "{name}: off by default");
    }
}

#[test]
fn allowed_markers_do_not_count() {
    let allow =
        ["noqa: E501", "# type: ignore[import]", "eslint-disable-next-line no-console", "#[allow(dead_code)"];
    let settings = Settings { allow: allow.map(str::to_owned).to_vec(), ..Settings::default() };
    let rows: &[Row] = &[
        ("that code", "a.py", "", "x = 1  # noqa: E501\n", ""),
        ("that code, otherwise spaced", "a.py", "", "x = 1  #noqa:  E501\n", ""),
        ("that code with a reason", "a.py", "", "x = 1  # noqa: E501 -- long URL\n", ""),
        ("another code", "a.py", "", "x = 1  # noqa: F401\n", "suppressions"),
        ("that code and another", "a.py", "", "x = 1  # noqa: E501,F401\n", "suppressions"),
        ("a code that begins alike", "a.py", "", "x = 1  # noqa: E5012\n", "suppressions"),
        ("all codes", "a.py", "", "x = 1  # noqa\n", "suppressions"),
        (
            "in place of an allowed one",
            "a.py",
            "x = 1  # noqa: E501\n",
            "x = 1  # noqa: F401\n",
            "suppressions",
        ),
        ("written with its hash", "a.py", "", "import x  # type: ignore[import]\n", ""),
        ("a rule", "a.ts", "", "// eslint-disable-next-line no-console\nf()\n", ""),
        (
            "a rule and more",
            "a.ts",
            "",
            "// eslint-disable-next-line no-console, no-eval\nf()\n",
            "suppressions",
        ),
        ("the whole file", "a.ts", "", "/* eslint-disable no-console */\nf()\n", "suppressions"),
        ("a lint", "a.rs", "", "#[allow(dead_code)]\nfn f() {}\n", ""),
        ("two lints", "a.rs", "", "#[allow(dead_code, unused)]\nfn f() {}\n", "suppressions"),
    ];
    check(rows, &settings);
}
