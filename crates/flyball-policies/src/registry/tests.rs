//! Walks the table: form of ids, folders, pages, and the promises on the pages.

use std::collections::BTreeSet;
use std::path::Path;

use flyball_core::event::Event;

use super::REGISTRY;
use crate::testing::{self, Story, denial_problems};

#[test]
fn ids_are_unique_and_name_their_folder() {
    let mut seen = BTreeSet::new();
    for policy in REGISTRY {
        let id = policy.id.as_str();
        assert!(seen.insert(id), "{id} is registered twice");
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(id.replace('.', "/"));
        assert!(folder.join("mod.rs").is_file(), "{id} has no folder {}", folder.display());
        assert!(folder.join("policy.md").is_file(), "{id} has no page");
    }
}

#[test]
fn each_folder_with_a_page_is_registered() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut found, mut folders) = (BTreeSet::new(), vec![sources.clone()]);
    while let Some(folder) = folders.pop() {
        if folder.join("policy.md").is_file() {
            let below = folder.strip_prefix(&sources).unwrap();
            found.insert(below.to_str().unwrap().replace('/', "."));
        }
        let entries = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
        folders.extend(entries.filter(|path| path.is_dir()));
    }
    let registered: BTreeSet<String> = REGISTRY.iter().map(|policy| policy.id.to_string()).collect();
    assert_eq!(found, registered);
}

#[test]
fn each_section_obeys_the_laws_of_the_config() {
    assert_eq!(flyball_core::config::broken_laws(REGISTRY), Vec::<String>::new());
}

#[test]
fn each_page_has_its_headings() {
    for policy in REGISTRY {
        let id = policy.id;
        assert!(policy.page.starts_with(&format!("# {id}\n")), "{id}: the page starts with its id");
        for heading in ["\n## Why\n", "\n## Settings\n", "\n## Examples\n"] {
            assert!(policy.page.contains(heading), "{id}: the page lacks {heading:?}");
        }
        assert!(!policy.summary.ends_with('.') && policy.summary.len() < 90, "{id}: summary");
    }
}

#[test]
fn each_page_shows_every_key_and_what_is_shown_can_be_written() {
    let mut missing = Vec::new();
    for policy in REGISTRY {
        let id = policy.id;
        let shown = toml_below(policy.page, "Settings");
        assert_eq!(testing::problems(shown), Vec::<String>::new(), "{id}");
        let keys = policy.section.settings().into_iter().map(|setting| setting.key);
        for key in keys.chain(["mode".to_owned()]) {
            let forms =
                [format!("\n{key} = "), format!("[{id}.{key}]"), format!("[{id}.{key}."), format!("[{key}]")];
            if !forms.iter().any(|form| policy.page.contains(form)) {
                missing.push(format!("{id}: {key}"));
            }
        }
    }
    assert_eq!(missing, Vec::<String>::new());
}

#[test]
fn each_example_is_true_and_its_denial_fits_into_what_clients_show() {
    let mut problems = Vec::new();
    for policy in REGISTRY {
        let mut examples = 0;
        let sections = testing::sections(toml_below(policy.page, "Examples"));
        for (event, line, promise) in examples_of(policy.page) {
            let kind = event.kind();
            let judgement = testing::judged(std::slice::from_ref(policy), &sections, event);
            problems.extend(denial_problems(&judgement.merged, kind));
            assert_eq!(judgement.merged.stance.name(), promise, "{}: {line}", policy.id);
            examples += 1;
        }
        for story in stories_of(policy.page) {
            examples += story.len();
            let mut session = Story::new(std::slice::from_ref(policy), &sections);
            let replayed = session.replay(&story);
            problems.append(&mut session.problems);
            let promised: Vec<String> = story.iter().map(|line| (*line).to_owned()).collect();
            assert_eq!(replayed, promised, "{}", policy.id);
        }
        assert!(examples > 0, "{} has no example", policy.id);
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// The config below a heading; above examples there may be none.
fn toml_below<'a>(page: &'a str, heading: &str) -> &'a str {
    let (_, behind) = page.split_once(&format!("\n## {heading}\n")).unwrap_or_default();
    let part = behind.split("\n## ").next().unwrap_or_default();
    part.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap_or_default()
}

/// Lines of the `sh`, `permission` and `edit` blocks below `## Examples`: a command or a path, and the promise.
fn examples_of(page: &'static str) -> Vec<(Event, &'static str, &'static str)> {
    let examples = page.split("\n## Examples\n").nth(1).unwrap_or_default();
    let mut fence = "";
    let mut found = Vec::new();
    for line in examples.lines() {
        if let Some(language) = line.strip_prefix("```") {
            fence = language;
            continue;
        }
        let Some((left, promise)) = line.rsplit_once('#').filter(|_| !fence.is_empty()) else { continue };
        let event = match fence {
            "toml" | "session" => continue,
            "sh" => testing::shell(left.trim()),
            "permission" => testing::asked(left.trim()),
            "edit" => testing::write(left.trim(), "text\n"),
            other => panic!("unknown example block {other:?}"),
        };
        found.push((event, left.trim(), promise.trim()));
    }
    found
}

/// The `session` blocks below `## Examples`: the events of one session, each with its promise.
fn stories_of(page: &'static str) -> Vec<Vec<&'static str>> {
    let examples = page.split("\n## Examples\n").nth(1).unwrap_or_default();
    let blocks = examples.split("```session\n").skip(1).filter_map(|rest| rest.split("```").next());
    blocks.map(|block| block.lines().filter(|line| !line.trim().is_empty()).collect()).collect()
}
