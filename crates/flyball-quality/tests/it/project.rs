//! The real linters for whole projects, run by their catalogue entries.

use crate::support::{Scratch, shown};

const RULES: &str = "rules:\n\
    \x20 - id: no-eval\n    pattern: eval(...)\n    message: |\n      eval runs any text\n    severity: ERROR\n    languages: [typescript]\n\
    \x20 - id: no-log\n    pattern: console.log(...)\n    message: no console.log\n    severity: INFO\n    languages: [typescript]\n\
    \x20 - id: no-html\n    pattern-regex: v-html\n    message: v-html\n    severity: WARNING\n    languages: [generic]\n    paths: {include: [\"*.vue\"]}\n";

#[test]
fn semgrep_reports_findings_of_the_projects_own_rules_in_characters() {
    let scratch = Scratch::new(&[
        (".semgrep.yml", RULES),
        ("src/a.ts", "const ä = \"😀\"; eval(\"x\");\nconsole.log(ä);\n"),
        ("src/o d:d.vue", "<template><p v-html=\"x\"/></template>\n"),
        ("src/good.ts", "export const a = 1;\n"),
    ]);
    assert_eq!(
        shown(&scratch.check("semgrep", &["src/a.ts", "src/o d:d.vue", "src/good.ts"])),
        [
            "src/a.ts:1:16 error no-eval: eval runs any text",
            "src/a.ts:2:1 advisory no-log: no console.log",
            "src/o d:d.vue:1:14 warning no-html: v-html",
        ]
    );
}

#[test]
fn defect_16_what_semgrep_could_not_read_is_not_clean() {
    let scratch = Scratch::new(&[(".semgrep.yml", RULES), ("a.ts", "eval(1);\nfunction f(: {\n")]);
    let found = scratch.check("semgrep", &["a.ts"]);
    let places: Vec<(Option<&str>, u32, &str)> =
        found.iter().map(|one| (one.file.as_deref(), one.line, one.code.as_str())).collect();
    assert!(places.contains(&(Some("a.ts"), 2, "SEMGREP")), "{places:?}");
}

#[test]
fn defect_16_semgrep_with_broken_rules_has_failed() {
    let scratch = Scratch::new(&[("semgrep.yml", "rules: ["), ("a.ts", "eval(1)\n")]);
    let failed = scratch.try_check("semgrep", &["a.ts"]).unwrap_err();
    assert!(failed.starts_with("ended with 7: "), "{failed}");
}

/// A piece of code that is long enough to be reported as a duplicate.
fn piece() -> String {
    (0..12)
        .map(|at| format!("  const v{at} = compute({at}, 'x');\n  if (v{at} > {at}) log(v{at});\n"))
        .collect()
}

#[test]
fn jscpd_reports_both_places_of_a_duplicate() {
    let (first, second) =
        (format!("function a() {{\n{}}}\n", piece()), format!("// b\n\nfunction b() {{\n{}}}\n", piece()));
    let scratch = Scratch::new(&[("src/a.ts", &first), ("src/b/o d:d.ts", &second)]);
    let root = scratch.root().to_string_lossy().into_owned();
    let found = shown(&scratch.check("jscpd", &["src/a.ts"]));
    let found: Vec<String> = found.iter().map(|line| line.replace(&root, "")).collect();
    assert_eq!(
        found,
        [
            "/src/a.ts:1:0-26 - duplicate: duplicates 26 lines of src/b/o d:d.ts:3",
            "/src/b/o d:d.ts:3:0-28 - duplicate: duplicates 26 lines of src/a.ts:1",
        ]
    );
}

#[test]
fn jscpd_is_silent_about_a_project_without_duplicates() {
    let scratch = Scratch::new(&[("src/a.ts", &format!("function a() {{\n{}}}\n", piece()))]);
    assert_eq!(scratch.check("jscpd", &["src/a.ts"]), []);
}

#[test]
fn defect_21_the_settings_of_jscpd_count_and_broken_ones_are_a_failure() {
    let code = format!("function a() {{\n{}}}\n", piece());
    let files = [("src/a.ts", code.as_str()), ("src/b.ts", code.as_str())];
    let lenient = Scratch::new(&[files[0], files[1], (".jscpd.json", r#"{ "minLines": 100 }"#)]);
    assert_eq!(lenient.check("jscpd", &["src/a.ts"]), []);
    let broken = Scratch::new(&[files[0], files[1], (".jscpd.json", "{")]);
    let failed = broken.try_check("jscpd", &["src/a.ts"]).unwrap_err();
    assert!(failed.contains("EOF while parsing an object"), "{failed}");
}
