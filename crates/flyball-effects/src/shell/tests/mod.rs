//! What is read of command lines.

mod cases;
mod deep;
mod hostile;
mod laws;
mod render;
mod spans;

use super::parse;
use cases::rows;
use render::render;

#[test]
fn every_row_of_the_table_holds() {
    let wrong: Vec<String> = rows()
        .filter_map(|(name, line, expected)| {
            let actual = render(&parse(line));
            (actual != *expected).then(|| format!("{name}: {line}\n  {}", actual.join("\n  ")))
        })
        .collect();
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn the_table_has_no_row_twice() {
    let mut lines: Vec<&str> = rows().map(|(_, line, _)| *line).collect();
    let count = lines.len();
    lines.sort_unstable();
    lines.dedup();
    assert_eq!(lines.len(), count);
}

#[test]
fn the_program_is_known_by_its_last_name() {
    let lines = ["/bin/rm x", "C:/tools/git.exe", "=rm x", "$X y", "> f"];
    let names = lines.map(|line| {
        let script = parse(line);
        script.commands.first().and_then(|command| command.program_name().map(str::to_owned))
    });
    let expected = [Some("rm"), Some("git"), Some("rm"), None, Some("")];
    assert_eq!(names, expected.map(|name| name.map(str::to_owned)));
}

#[test]
fn a_place_says_how_deep_and_where_in_the_pipeline() {
    let script = parse("a | { b | (c); }");
    let places: Vec<_> =
        script.commands.iter().map(|command| (command.place.depth, command.place.position)).collect();
    assert_eq!(places, [(0, 0), (1, 0), (2, 1)]);
}

#[test]
fn a_declared_wrapper_is_taken_off_with_its_options() {
    let declared = ["dotenvx".to_owned(), "in-box".to_owned()];
    let read = |line: &str| render(&super::parse_with(line, &declared));
    assert_eq!(read("in-box -q -- rm -rf x"), ["in-box> rm -rf x"]);
    assert_eq!(read("sudo in-box dotenvx sudo rm x"), ["sudo> in-box> dotenvx> sudo> rm x"]);
    assert_eq!(read("in-box"), ["in-box"]);
    assert_eq!(read("echo in-box rm x"), [r#"echo in-box rm x"#]);
}
