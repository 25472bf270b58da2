//! The real rustfmt and clippy, run by their catalogue entries.

use crate::support::{Scratch, shown};

const MANIFEST: &str = "[package]\nname = \"member\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";

#[test]
fn rustfmt_knows_the_edition_of_the_package() {
    let code = "fn  a() { let gen = async  move {}; }\n";
    let formatted = "fn a() {\n    let gen = async move {};\n}\n";
    let workspace = "[workspace.package]\nedition = '2018'\n";
    for (root, manifest) in [
        (MANIFEST, "[package]\nedition.workspace = true\n"),
        (workspace, "[package]\nedition = { workspace = true }\n"),
        ("edition = \"2015\"\n", MANIFEST),
        ("", ""),
    ] {
        let scratch = Scratch::new(&[("Cargo.toml", root), ("x/Cargo.toml", manifest), ("x/src/a.rs", code)]);
        assert_eq!(scratch.format("rustfmt", "x/src/a.rs"), formatted, "{root} {manifest}");
    }
}

#[test]
fn rustfmt_takes_the_config_nearest_to_the_file() {
    let code = "fn a() {\n    b();\n}\n";
    let scratch =
        Scratch::new(&[("x/rustfmt.toml", "hard_tabs = true\n"), ("x/src/a.rs", code), ("b.rs", code)]);
    assert_eq!(scratch.format("rustfmt", "x/src/a.rs"), "fn a() {\n\tb();\n}\n");
    assert_eq!(scratch.format("rustfmt", "b.rs"), code);
}

#[test]
fn rustfmt_lists_what_it_would_change() {
    let scratch = Scratch::new(&[
        ("a.rs", "mod  m;\n"),
        ("m.rs", "fn  m() {}\n"),
        ("o d:d.rs", "fn  o() {}\n"),
        ("good.rs", "fn g() {}\n"),
    ]);
    assert_eq!(scratch.listed("rustfmt", &["a.rs", "o d:d.rs", "good.rs"]), [["a.rs", "o d:d.rs"]]);
    assert_eq!(scratch.format("rustfmt", "a.rs"), "mod m;\n");
}

#[test]
fn clippy_reports_findings_in_a_member_of_a_workspace() {
    let code =
        "pub fn f(x: &[i32]) -> bool {\n    let _s = \"😀ä\"; let y = x.len() == 0;\n    return y;\n}\n";
    let scratch = Scratch::new(&[
        ("Cargo.toml", "[workspace]\nmembers = [\"member\"]\nresolver = \"2\"\n"),
        ("member/Cargo.toml", MANIFEST),
        ("member/src/lib.rs", code),
    ]);
    let root = scratch.root().canonicalize().unwrap().to_string_lossy().into_owned();
    let found = shown(&scratch.check("clippy", &["member/src/lib.rs"]));
    let found: Vec<String> = found.iter().map(|line| line.replace(&root, "")).collect();
    assert_eq!(
        found,
        [
            "/member/src/lib.rs:2:28 warning clippy::len_zero: length comparison to zero (fixable)",
            "/member/src/lib.rs:3:5 warning clippy::needless_return: unneeded `return` statement (fixable)",
        ]
    );
}

#[test]
fn clippy_reports_compile_errors_and_nothing_about_good_code() {
    let scratch =
        Scratch::new(&[("Cargo.toml", MANIFEST), ("src/lib.rs", "pub fn f() -> u8 {\n    \"\"\n}\n")]);
    let root = scratch.root().canonicalize().unwrap().to_string_lossy().into_owned();
    assert_eq!(
        shown(&scratch.check("clippy", &["src/lib.rs"])),
        [format!("{root}/src/lib.rs:2:5 error E0308: mismatched types")]
    );
    let good = Scratch::new(&[("Cargo.toml", MANIFEST), ("src/lib.rs", "pub fn f() {}\n")]);
    assert_eq!(good.check("clippy", &["src/lib.rs"]), []);
}

#[test]
fn defect_16_clippy_with_a_broken_manifest_has_failed() {
    let scratch = Scratch::new(&[("Cargo.toml", "["), ("src/lib.rs", "pub fn f() {}\n")]);
    assert_eq!(
        scratch.try_check("clippy", &["src/lib.rs"]),
        Err("its output cannot be read as messages of cargo: cargo did not report that it finished"
            .to_owned())
    );
}
