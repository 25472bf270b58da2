//! The real gofmt and `go vet`, run by their catalogue entries.

use crate::support::{Scratch, shown};
use flyball_quality::catalogue;
use flyball_quality::output::{self, RawOutput};

const MODULE: &str = "module example.com/x\n\ngo 1.21\n";

#[test]
fn gofmt_formats_one_file_and_many() {
    let files =
        [("a.go", "package  a\n"), ("o d:d.go", "package a\nfunc  f( ){ }\n"), ("good.go", "package a\n")];
    let scratch = Scratch::new(&files);
    let names = files.map(|(name, _)| name);
    assert_eq!(scratch.format("gofmt", "o d:d.go"), "package a\n\nfunc f() {}\n");
    assert_eq!(scratch.listed("gofmt", &names), [["a.go", "o d:d.go"]]);
    scratch.format_many("gofmt", &names);
    assert_eq!(
        names.map(|name| scratch.read(name)),
        ["package a\n", "package a\n\nfunc f() {}\n", "package a\n"]
    );
}

#[test]
fn go_vet_reports_findings_in_the_package_of_a_file_in_characters() {
    let code = "package sub\n\nimport \"fmt\"\n\nfunc F() {\n\t/* ä😀 */ fmt.Printf(\"%d\\n\", \"x\")\n\treturn\n\tfmt.Println()\n}\n";
    let scratch = Scratch::new(&[("go.mod", MODULE), ("sub/o d.go", code), ("good/g.go", "package good\n")]);
    let root = scratch.root().canonicalize().unwrap().to_string_lossy().into_owned();
    let found = shown(&scratch.check("go-vet", &["sub/o d.go"]));
    let found: Vec<String> = found.iter().map(|line| line.replace(&root, "")).collect();
    assert_eq!(
        found,
        [
            "/sub/o d.go:6:23 - printf: fmt.Printf format %d has arg \"x\" of wrong type string",
            "/sub/o d.go:8:2 - unreachable: unreachable code (fixable)",
        ]
    );
    assert_eq!(scratch.check("go-vet", &["good/g.go"]), []);
}

#[test]
fn go_vet_reports_compile_errors() {
    let scratch =
        Scratch::new(&[("go.mod", MODULE), ("b.go", "package b\n\nfunc G() { undefinedThing() }\n")]);
    assert_eq!(
        shown(&scratch.check("go-vet", &["b.go"])),
        ["./b.go:3:12 error compile: undefined: undefinedThing"]
    );
}

#[test]
fn defect_16_go_vet_with_a_broken_module_has_failed() {
    let scratch = Scratch::new(&[("go.mod", "nonsense\n"), ("b.go", "package b\n")]);
    let failed = scratch.try_check("go-vet", &["b.go"]).unwrap_err();
    assert!(
        failed.starts_with(
            "its output cannot be read as what `go vet -json` prints: go: errors parsing go.mod"
        ),
        "{failed}"
    );
}

// There is no package of golangci-lint to install for tests: this is its output as it is documented.
#[test]
fn what_golangci_lint_prints_is_read_by_its_entry() {
    let text = r#"{"Issues":[{"FromLinter":"errcheck","Text":"Error return value is not checked","Severity":"error",
        "SourceLines":["\tf()"],"Pos":{"Filename":"/x/a.go","Offset":40,"Line":5,"Column":2},"ExpectNoLint":false}],
        "Report":{"Linters":[{"Name":"errcheck","Enabled":true}]}}"#;
    let check = catalogue::builtin()["golangci-lint"].check.as_ref().unwrap();
    let printed = |text| RawOutput { text, source: &|_| None, root: "" };
    assert_eq!(
        shown(&output::read_findings(check, 1, printed(text)).unwrap()),
        ["/x/a.go:5:2 error errcheck: Error return value is not checked"]
    );
    assert_eq!(output::read_findings(check, 0, printed(r#"{"Issues":null,"Report":{}}"#)), Ok(Vec::new()));
    assert_eq!(output::read_findings(check, 0, printed(r#"{"Issues":[],"Report":{}}"#)), Ok(Vec::new()));
}
