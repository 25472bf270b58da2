//! The labels are about rules that exist, and flyball chooses better than what is simpler.

use super::*;
use crate::relevance::stage::Stage;

#[test]
fn each_label_is_about_a_statement_of_the_project() {
    let projects = set::load(&folder()).unwrap();
    let edits: usize = projects.iter().map(|project| project.edits.len()).sum();
    assert!(edits >= 200, "{edits}");
    for project in &projects {
        let stage = Stage::new(project).unwrap();
        let texts: Vec<String> = project.files.values().map(|text| one_line(text)).collect();
        for edit in &project.edits {
            let rules = stage.covering(edit).unwrap();
            for label in edit.want.iter().chain(&edit.fine) {
                let found = rules.iter().filter(|rule| rule.words().contains(label.as_str())).count();
                // What the reader does not take for a rule counts as missed. A parent and a child may say the same.
                let is_there = found > 0 || texts.iter().any(|text| text.contains(label.as_str()));
                assert!(
                    is_there && found <= 2,
                    "{} {}: `{label}` is in {found} rules",
                    project.name,
                    edit.file
                );
            }
        }
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn flyball_shows_what_is_wanted_and_beats_what_is_simpler() {
    let projects = set::load(&folder()).unwrap();
    let figures = figures(&projects).unwrap();
    let of = |half: Half, method: Method| {
        figures
            .iter()
            .find(|(its, by, _)| (*its, *by) == (half, method))
            .map(|(_, _, counts)| *counts)
            .unwrap()
    };
    for half in Half::ALL {
        let flyball = of(half, Method::Flyball);
        assert!(flyball.precision() >= 0.8, "{}: {flyball:?}", half.name());
        for simpler in [Method::Everything, Method::Words] {
            let simpler = of(half, simpler);
            assert!(flyball.precision() > simpler.precision(), "{}: {simpler:?}", half.name());
            assert!(flyball.f1() > simpler.f1(), "{}: {simpler:?}", half.name());
        }
    }
}

#[test]
fn the_table_in_the_docs_is_up_to_date() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/memory.md");
    let table = table(&set::load(&folder()).unwrap()).unwrap();
    let text = std::fs::read_to_string(page).unwrap();
    assert!(
        text.contains(&format!("{BEGIN}{table}{END}")),
        "refresh with: cargo dev relevance --write docs/memory.md"
    );
}
