//! The places of commands in the line.

use proptest::prelude::*;

use crate::shell::parse;

/// A line, and the part of it that each command is in; `-` for none.
const ROWS: &[(&str, &[&str])] = &[
    ("pip install x", &["pip install x"]),
    ("A=1 pip install  'x y' >log 2>&1", &["pip install  'x y'"]),
    ("a && b c; d\ne | f", &["a", "b c", "d", "e", "f"]),
    ("sudo -u root env A=1 pip install x", &["pip install x"]),
    ("ls | xargs -n1 pip install", &["ls", "pip install"]),
    ("pip \\\n  install x # why", &["pip \\\n  install x"]),
    ("echo $(pip list) x", &["pip list", "echo $(pip list) x"]),
    ("if true; then (npm i); fi", &["true", "npm i"]),
    ("échö ü; npm i \"ä\"", &["échö ü", "npm i \"ä\""]),
    ("npm i {a,b} c", &["npm i {a,b} c"]),
    ("X='pip install'; $X y", &["-", "$X y"]),
    ("X='sudo pip'; $X install y", &["-", "-"]),
    ("npm i >log x", &["-"]),
    (">log npm i x", &["npm i x"]),
    ("bash -c 'pip install x'", &["-", "bash -c 'pip install x'"]),
    ("eval pip install x", &["-", "eval pip install x"]),
    ("find . -exec pip install {} ;", &["-", "find . -exec pip install {}"]),
    ("bash <<E\npip install x\nE", &["-", "bash"]),
];

#[test]
fn the_span_of_a_command_is_its_text() {
    for (line, expected) in ROWS {
        let script = parse(line);
        let found: Vec<&str> = script
            .commands
            .iter()
            .map(|command| command.span.clone().map_or("-", |span| &line[span]))
            .collect();
        assert_eq!(found, *expected, "{line}");
    }
}

proptest! {
    #[test]
    // Words begin with `x`, so that none is a reserved word such as `if`.
    fn the_text_of_a_span_is_the_command(words in proptest::collection::vec("x[a-z]{0,2}|'[a-z ]{0,3}'", 1..5)) {
        let line = format!("true; A=1 nice {} | cat", words.join(" "));
        let script = parse(&line);
        for command in script.commands {
            let Some(span) = command.span.clone() else { continue };
            let alone = parse(&line[span]);
            let again = alone.commands.last().map(|it| (it.program.clone(), it.arguments.clone()));
            prop_assert_eq!(again, Some((command.program, command.arguments)));
        }
    }
}
