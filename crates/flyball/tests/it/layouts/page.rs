//! The table of the layouts in the docs: each row is what its test saw.

use std::collections::BTreeMap;
use std::path::Path;

use super::kinds::Layout;
use super::tools::Found;

/// Set this to write the rows as they are seen.
const WRITE: &str = "FLYBALL_WRITE_DOCS";

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/quality.md");
const HEAD: &str = "| layout | acts, and what chose it |";

/// Checks the row of a layout, or writes it.
#[track_caller]
pub(super) fn hold(layout: &Layout, chosen: &BTreeMap<String, String>, found: &Found) {
    let row = row(layout, chosen, found);
    if std::env::var_os(WRITE).is_some() {
        return write(layout, &row);
    }
    let page = read();
    let present = table(&page).find(|line| is_about(line, layout)).unwrap_or_default();
    assert_eq!(present, row, "{WRITE}=1 and the same test write it");
}

/// The layouts of the page, in its order.
pub(super) fn names() -> Vec<String> {
    table(&read()).filter_map(|row| Some(row.split('`').nth(1)?.to_owned())).collect()
}

fn row(layout: &Layout, chosen: &BTreeMap<String, String>, found: &Found) -> String {
    let acts: Vec<String> = chosen.iter().map(|(name, by)| format!("{name}: `{by}`")).collect();
    let mut counts: Vec<String> =
        found.by_linter.iter().map(|(linter, count)| format!("{linter} {count}")).collect();
    if !found.unformatted.is_empty() {
        counts.push(format!("not formatted {}", found.unformatted.len()));
    }
    let counts = counts.join(", ");
    let finding = layout.finding.split_once("  ").map_or(layout.finding, |(_, finding)| finding);
    format!(
        "| `{}`: {} | {} | {counts} | {counts} | none | silent, changes nothing | {} |",
        layout.name,
        layout.about(),
        acts.join("<br>"),
        finding.replace('|', "\\|"),
    )
}

fn read() -> String {
    std::fs::read_to_string(Path::new(PAGE)).unwrap()
}

fn table(page: &str) -> impl Iterator<Item = &str> {
    page.lines().skip_while(|line| !line.starts_with(HEAD)).skip(2).take_while(|line| line.starts_with('|'))
}

fn is_about(row: &str, layout: &Layout) -> bool {
    row.starts_with(&format!("| `{}`", layout.name))
}

/// The tests of the layouts run at the same time.
fn write(layout: &Layout, row: &str) {
    let lock = std::fs::File::open(PAGE).unwrap();
    lock.lock().unwrap();
    let page = read();
    let present = table(&page).find(|line| is_about(line, layout)).expect("a row that begins with its name");
    std::fs::write(PAGE, page.replace(present, row)).unwrap();
}
