//! The config that is suggested.

use flyball_core::config::{Layer, LayerText, Standing, compile};

use super::*;

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

/// The file with every suggested setting and rule uncommented.
fn uncommented(text: &str) -> String {
    let (_, settings) = text.split_once("\n[").unwrap();
    let (settings, rules) = settings.split_once(RULES).unwrap();
    let is_setting = |line: &str| line.starts_with("# ") && line.contains(" = ") || line == "# ]";
    let bare =
        |line: &str| line.strip_prefix("# ").or_else(|| line.strip_prefix('#')).unwrap_or(line).to_owned();
    let settings = settings.lines().map(|line| if is_setting(line) { bare(line) } else { line.to_owned() });
    let all: Vec<String> = settings.chain(rules.lines().map(bare)).collect();
    format!("[{}\n", all.join("\n"))
}

#[test]
fn every_file_that_init_can_write_is_accepted() {
    for findings in [Findings::default(), mixed_project()] {
        is_accepted(&config_file(&findings, &Additions::default()));
        is_accepted(&uncommented(&config_file(&findings, &Additions::default())));
    }
}

#[test]
fn a_file_with_the_loop_switched_on_is_accepted_with_its_suggestion_too() {
    let mut known = Additions::default();
    packs::switch_on(packs::Pack::Loop, "", &mut known);
    let text = config_file(&mixed_project(), &known);
    assert_eq!(text.matches("\nmode = \"enforce\" ").count(), known.0.len());
    is_accepted(&text);
    let enabled = uncommented(&text);
    assert!(enabled.contains("run = \"uv run pytest\""), "{enabled}");
    is_accepted(&enabled);
}

#[test]
fn the_rules_do_what_their_cases_say() {
    let dir = tempfile::tempdir().unwrap();
    let world = flyball_world::machine::Machine::new(
        std::time::Instant::now(),
        None,
        dir.path(),
        Vec::new(),
        flyball_clients::FACTS,
    );
    let text = uncommented(&config_file(&mixed_project(), &Additions::default()));
    let ran = flyball_policies::rules::cases::run(&text, &world).unwrap();
    let failed: Vec<_> = ran.iter().filter(|case| !case.passed()).collect();
    assert_eq!(ran.len(), 3);
    assert!(failed.is_empty(), "{failed:#?}");
}
