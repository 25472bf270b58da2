//! What command lines are seen to do.

mod git;
mod laws;
mod patches;
mod render;

use super::read;
use crate::shell::parse;
use render::render;

/// The table: a line, ` => `, and its effects as `render` writes them. `⏎` is a new line, `# ` a comment.
const TABLES: [&str; 7] = [
    include_str!("cases/files.txt"),
    include_str!("cases/content.txt"),
    include_str!("cases/git.txt"),
    include_str!("cases/network.txt"),
    include_str!("cases/fetched.txt"),
    include_str!("cases/programs.txt"),
    include_str!("cases/harmless.txt"),
];

/// Every row: a line and its effects.
fn rows() -> impl Iterator<Item = (String, &'static str)> {
    let lines = TABLES.into_iter().flat_map(str::lines);
    lines.filter(|row| !row.is_empty() && !row.starts_with("# ")).map(|row| {
        let (line, effects) = row.split_once(" => ").expect("a row has ` => `");
        (line.replace('⏎', "\n"), effects)
    })
}

#[test]
fn every_row_of_the_table_holds() {
    let wrong: Vec<String> = rows()
        .filter_map(|(line, expected)| {
            let actual = render(&read(&parse(&line))).replace('\n', "⏎");
            (actual != expected).then(|| format!("{} => {actual}", line.replace('\n', "⏎")))
        })
        .collect();
    assert!(wrong.is_empty(), "{} rows differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_table_has_no_row_twice_and_enough_of_them() {
    let mut lines: Vec<String> = rows().map(|(line, _)| line).collect();
    let count = lines.len();
    lines.sort_unstable();
    lines.dedup();
    assert_eq!(lines.len(), count);
    assert!(count >= 250, "{count} rows");
}

#[test]
fn half_of_the_table_is_harmless() {
    let is_harmless = |line: &str| {
        let effects = read(&parse(line));
        effects.files.iter().all(|effect| !effect.act.changes_target()) && effects.fetched_code.is_empty()
    };
    let count = rows().count();
    let harmless = rows().filter(|(line, _)| is_harmless(line)).count();
    assert!(harmless * 2 >= count, "{harmless} of {count}");
}
