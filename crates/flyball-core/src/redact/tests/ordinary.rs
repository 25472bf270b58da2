//! How often ordinary text is taken for a secret.

use std::fs;
use std::path::{Path, PathBuf};

use super::super::redact;
use super::shapes::token;

#[test]
fn what_looks_drawn_by_lot_and_is_none_stays() {
    let (hash, sha256, sha512) = (token("h40"), token("h64"), token("b86"));
    let uuid = token("h8 =- h4 =- h4 =- h4 =- h12");
    let image = token("b2000");
    for text in [
        format!("commit {hash}"),
        format!("{hash}..{hash} main -> origin/main"),
        format!("session {uuid} of {uuid}"),
        format!("\"integrity\": \"sha512-{sha512}==\","),
        format!("checksum = \"{sha256}\""),
        format!("golang.org/x/net v0.1.0 h1:{}=", token("b43")),
        format!("foo==1.0 --hash=sha256:{sha256}"),
        format!("data:image/png;base64,iVBORw0KGgo{image}=="),
        format!("\"tool_use_id\":\"toolu_01{}\"", token("a22")),
        format!("\"id\":\"msg_01{}\",\"request\":\"req_011{}\"", token("a22"), token("a21")),
        format!("main.{}.js chunk-{}.css", token("h20"), token("c8")),
        "!function(e,t){\"use strict\";var n=t.a1,r=e.b2;for(var o=0;o<n.length;o++)r[o]=n[o].c3(t,e,r)}"
            .to_owned(),
        "Button_root__a1B2c Card-module__header___3xKqZ css-1dbjc4n-r-1awozwy".to_owned(),
        "/home/ada/.cache/pypoetry/virtualenvs/engine-Xb3kF9aZ-py3.11/lib/python3.11/site-packages"
            .to_owned(),
        "target/debug/deps/flyball_core-0a1b2c3d4e5f6a7b.d".to_owned(),
        "getUserByIdAndTokenHash2FromCache3 useEffectOnlyWhenMounted1".to_owned(),
        "a_very_long_snake_case_name_that_has_2_digits_and_3_more".to_owned(),
        "s.this_is_a_method_of_s_12345 sl.go key-value-store-of-2024".to_owned(),
        "AKIA is how they start; ghp_ too; sk-learn-contrib-2 pa-rental pul-ley".to_owned(),
    ] {
        assert_eq!(redact(&text), text);
    }
}

/// Over the sources and docs of this repository, which talk about tokens more than most: the figure of docs/audit.md.
#[test]
fn ordinary_files_are_hardly_touched() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let (mut lines, mut struck) = (0, Vec::new());
    for file in files_below(&root.join("crates")).into_iter().chain(files_below(&root.join("docs"))) {
        let text = fs::read_to_string(&file).unwrap_or_default();
        lines += text.lines().count();
        let hits = text.lines().filter(|line| redact(line) != *line);
        struck.extend(hits.map(|line| format!("{}: {line}", file.display())));
    }
    assert!(
        lines > 50_000 && struck.len() * 4_000 < lines,
        "{} of {lines}:\n{}",
        struck.len(),
        struck.join("\n")
    );
}

/// Sources and pages, without tests: those are full of secrets that were made up to be found.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        if path.is_dir() {
            if !matches!(name.as_str(), "tests" | "fixtures" | "redact" | "target") {
                files.extend(files_below(&path));
            }
        } else if (name.ends_with(".rs") || name.ends_with(".md") || name.ends_with(".toml"))
            && name != "tests.rs"
        {
            files.push(path);
        }
    }
    files
}
