//! Every page as a file, for looking at: below `target/tmp/gallery`.

use std::path::Path;

use flyball_board::document::STYLES;

use crate::pages::sample::{FixedViews, Home, day};

const PAGES: [(&str, &str); 8] = [
    ("overview", "/"),
    ("overview-week", "/?range=7d&project=%2Fhome%2Fada%2Fsrc%2Fengine"),
    ("policies", "/policies"),
    ("policy", "/policies/guard.packages"),
    ("tasks", "/tasks"),
    ("not-found", "/policies/no.such"),
    ("sessions", "/sessions"),
    ("denials", "/events?verdict=deny"),
];

#[test]
fn every_page_is_whole_and_keeps_to_the_rules_of_its_policy_for_content() {
    let gallery = Path::new(env!("CARGO_TARGET_TMPDIR")).join("gallery");
    std::fs::create_dir_all(&gallery).unwrap();
    std::fs::write(gallery.join("board.css"), STYLES).unwrap();
    let home = Home::with(&day());
    let new = Home::new();
    let mut pages: Vec<(&str, String)> =
        PAGES.iter().map(|(name, address)| (*name, home.framed(address, &FixedViews))).collect();
    pages.push(("new", new.framed("/", &FixedViews)));
    pages.push(("new-tasks", new.framed("/tasks", &FixedViews)));
    for (name, page) in pages {
        std::fs::write(gallery.join(format!("{name}.html")), &page).unwrap();
        assert!(page.starts_with("<!DOCTYPE html><html lang=\"en\">") && page.ends_with("</html>"), "{name}");
        // What the browser would refuse to use: styles and scripts within the page.
        for inline in [" style=\"", "<style", " onclick=", "javascript:", "http://", "https://"] {
            assert!(!page.contains(inline), "{inline} in {name}");
        }
        assert_eq!(page.matches("<script").count(), 2, "{name}");
        assert_eq!(page.matches("<h1").count(), 1, "{name}");
        let ids: Vec<&str> = page.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        let mut once = ids.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!(once.len(), ids.len(), "an id is twice in {name}: {ids:?}");
    }
}
