//! The real formatters that projects choose.

use crate::support::Scratch;

#[test]
fn black_formats() {
    let (bad, good) = ("x  = {'a':1}\n", "x = {\"a\": 1}\n");
    let scratch = Scratch::new(&[("a.py", bad), ("b.py", good), ("pyproject.toml", "[tool.black]\n")]);
    assert_eq!(scratch.format("black", "a.py"), good);
    assert_eq!(scratch.listed("black", &["a.py", "b.py"]), [["a.py"]]);
    scratch.format_many("black", &["a.py", "b.py"]);
    assert_eq!([scratch.read("a.py"), scratch.read("b.py")], [good, good]);
}

#[test]
fn isort_moves_imports_and_respects_what_the_project_skips() {
    let bad = "import b\nimport a\n\nx  = 1\n";
    let config = "[tool.isort]\nskip = [\"c.py\"]\n";
    let scratch = Scratch::new(&[("a b.py", bad), ("c.py", bad), ("pyproject.toml", config)]);
    assert_eq!(scratch.format("isort", "a b.py"), "import a\nimport b\n\nx  = 1\n");
    assert_eq!(scratch.format("isort", "c.py"), bad);
    assert_eq!(scratch.listed("isort", &["a b.py", "c.py"]), [["a b.py"]]);
}

#[test]
fn yapf_and_autopep8_format() {
    let scratch = Scratch::new(&[("a.py", "x  = { 1:2 }\n")]);
    assert_eq!(scratch.format("yapf", "a.py"), "x = {1: 2}\n");
    assert_eq!(scratch.format("autopep8", "a.py"), "x = {1: 2}\n");
}

#[test]
fn prettier_formats_and_respects_its_lists_of_files_to_leave_out() {
    let bad = "const a = 'b'\n";
    let files = [
        ("a.js", bad),
        ("out/b.js", bad),
        ("web/c.js", bad),
        ("web/.prettierrc", "{ \"singleQuote\": true }"),
        (".prettierignore", "out/\nweb/d.js\n"),
        ("web/d.js", bad),
    ];
    let scratch = Scratch::new(&files);
    assert_eq!(scratch.format("prettier", "a.js"), "const a = \"b\";\n");
    assert_eq!(scratch.format("prettier", "out/b.js"), bad);
    assert_eq!(scratch.format("prettier", "web/c.js"), "const a = 'b';\n");
    assert_eq!(scratch.format("prettier", "web/d.js"), bad, "the list is above its settings");
    assert_eq!(scratch.listed("prettier", &["a.js", "out/b.js"]), [["a.js"]]);
    scratch.format_many("prettier", &["a.js", "out/b.js"]);
    assert_eq!([scratch.read("a.js"), scratch.read("out/b.js")], ["const a = \"b\";\n", bad]);
}
