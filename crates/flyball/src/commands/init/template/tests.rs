//! The config that is suggested.

use flyball_core::config::{Layer, LayerText, Standing, compile};
use flyball_policies::REGISTRY;

use super::*;
use crate::commands::init::findings::Finding;

fn finding(name: &str, file: &str) -> Finding {
    Finding { name: name.to_owned(), file: file.to_owned() }
}

fn mixed_project() -> Findings {
    Findings {
        languages: vec![finding("Python", "pyproject.toml"), finding("TypeScript", "web/tsconfig.json")],
        locks: vec![finding("uv", "uv.lock"), finding("pnpm", "web/pnpm-lock.yaml")],
        linters: vec![finding("ruff", "ruff.toml"), finding("eslint", "web/package.json")],
        tests: vec![finding("uv run pytest", "pyproject.toml")],
    }
}

fn is_accepted(text: &str) {
    let layer = LayerText { layer: Layer::Project, standing: Standing::Accepted, path: "flyball.toml", text };
    if let Err(problems) = compile(&[layer], REGISTRY) {
        let lines: Vec<String> = problems.iter().map(flyball_core::config::Diagnostic::one_line).collect();
        panic!("{}\n\n{text}", lines.join("\n"));
    }
}

/// The text with every setting and rule uncommented.
fn uncommented(text: &str) -> String {
    let is_comment = |line: &str| !line.contains(" = ") && !line.starts_with("# [[");
    let bare = |line: &str| match line.strip_prefix("# ") {
        Some(_) if is_comment(line) => String::new(),
        Some(setting) => setting.to_owned(),
        None => line.to_owned(),
    };
    text.lines().map(|line| bare(line) + "\n").collect()
}

#[test]
fn every_file_that_init_can_write_is_accepted_and_short() {
    for findings in [Findings::default(), mixed_project()] {
        let text = config_file(&findings, &Additions::default());
        is_accepted(&text);
        is_accepted(&uncommented(&text));
        assert!((15..=25).contains(&text.lines().count()), "{text}");
    }
}

#[test]
fn the_command_for_tests_is_wired() {
    let text = config_file(&mixed_project(), &Additions::default());
    assert!(text.contains("\ntest_command = \"uv run pytest\"  #"), "{text}");
}
