//! Linters of the user's own: declared in TOML alone, compiled like the config, and run.

use crate::support::{Scratch, declared, shown};

const PRETTIER: &str = r#"
    [linters.prettier]
    language = "typescript"
    files = ["*.ts", "*.vue"]
    install = "npm install --save-dev prettier"

    [[linters.prettier.format]]
    command = ["prettier", "--stdin-filepath", "{file}"]
    many = ["prettier", "--write", "{files}"]
    list = ["prettier", "--list-different", "{files}"]
    listed = '^(?<file>.+)$'
"#;

#[test]
fn prettier_is_declared_and_formats() {
    let scratch = Scratch::new(&[("o d:d.ts", "let  a = 'ä'"), (".prettierrc", "singleQuote: true\n")]);
    let prettier = declared("prettier", PRETTIER);
    assert_eq!(scratch.format_by(&prettier, "o d:d.ts"), "let a = 'ä';\n");
}

const ESLINT: &str = r#"
    [linters.eslint]
    language = "typescript"
    files = ["*.js"]
    needs = ["eslint.config.mjs"]
    install = "npm install --save-dev eslint"
    check = { command = ["eslint", "--format", "json", "{files}"], folder = "config", output = "eslint", columns = "utf16" }
"#;

#[test]
fn eslint_is_declared_and_checks() {
    let config = "export default [{ rules: { 'no-debugger': 'error', 'no-var': 'warn' } }];\n";
    let scratch = Scratch::new(&[
        ("web/eslint.config.mjs", config),
        ("web/src/o d:d.js", "var a = '😀'; debugger;\n"),
        ("web/src/good.js", "export const a = 1;\n"),
    ]);
    let eslint = declared("eslint", ESLINT);
    let root = scratch.root().canonicalize().unwrap().to_string_lossy().into_owned();
    let found = scratch.try_check_by(&eslint, &["web/src/o d:d.js", "web/src/good.js"]).unwrap();
    let found: Vec<String> = shown(&found).iter().map(|line| line.replace(&root, "")).collect();
    assert_eq!(
        found,
        [
            "/web/src/o d:d.js:1:1 warning no-var: Unexpected var, use let or const instead. (fixable)",
            "/web/src/o d:d.js:1:14 error no-debugger: Unexpected 'debugger' statement.",
        ]
    );
}

#[test]
fn defect_16_eslint_with_a_broken_config_has_failed() {
    let scratch = Scratch::new(&[("eslint.config.mjs", "export default ["), ("a.js", "debugger;\n")]);
    let failed = scratch.try_check_by(&declared("eslint", ESLINT), &["a.js"]).unwrap_err();
    assert!(failed.starts_with("ended with 2: "), "{failed}");
}

/// A custom program: it finds the word TODO, and fails if a file does not exist.
const TODO: &str = "import sys\n\
    for name in sys.argv[1:]:\n\
    \x20   for number, line in enumerate(open(name, encoding='utf-8'), 1):\n\
    \x20       at = line.find('TODO')\n\
    \x20       if at >= 0:\n\
    \x20           print(f'{name}:{number}:{at + 1}: TD1 do it now')\n";

const LINES: &str = r#"
    [linters.todo]
    language = "notes"
    files = ["*.txt"]
    level = "advisory"
    env = { PYTHONIOENCODING = "utf-8" }
    check = { command = ["python3", "{root}/todo.py", "{files}"], ran = [0], output = { lines = '^(?<file>.+?):(?<line>\d+):(?<column>\d+): (?<code>\w+) (?<message>.*)$' } }
"#;

#[test]
fn a_custom_script_is_declared_and_checks() {
    let scratch =
        Scratch::new(&[("todo.py", TODO), ("a/o d:d.txt", "fine\nä TODO\n"), ("good.txt", "fine\n")]);
    let todo = declared("todo", LINES);
    let found = scratch.try_check_by(&todo, &["a/o d:d.txt", "good.txt"]).unwrap();
    assert_eq!(shown(&found), ["a/o d:d.txt:2:3 - TD1: do it now"]);
    assert_eq!(scratch.try_check_by(&todo, &["good.txt"]), Ok(Vec::new()));
}

#[test]
fn defect_16_a_script_that_crashes_has_failed() {
    let scratch = Scratch::new(&[("todo.py", "import nothing_of_that_name\n"), ("a.txt", "TODO\n")]);
    let failed = scratch.try_check_by(&declared("todo", LINES), &["a.txt"]).unwrap_err();
    assert!(failed.starts_with("ended with 1: "), "{failed}");
}
