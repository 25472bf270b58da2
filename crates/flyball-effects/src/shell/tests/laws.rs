//! What holds for every input.

use proptest::prelude::*;

use super::cases::rows;
use crate::shell::parse;
use crate::shell::quoting::quote;

/// Pieces that mean something to a shell.
const PIECES: [&str; 62] = [
    "$(",
    ")",
    "`",
    "\\`",
    "${",
    "}",
    "$((",
    "))",
    "<(",
    ">(",
    "(",
    "{ ",
    "; }",
    "\"",
    "'",
    "\\",
    "\n",
    " ",
    ";",
    "&&",
    "||",
    "|",
    "&",
    "!",
    "if ",
    "then ",
    "fi",
    "for x in ",
    "do ",
    "done",
    "case a in ",
    "esac",
    ";;",
    "<<E\n",
    "E\n",
    "<<'E'\n",
    "<<<",
    ">",
    ">>",
    "<",
    "2>&1",
    "$x",
    "${x:-",
    "x=",
    "a=(",
    "[[ ",
    " ]]",
    "((",
    "rm x",
    "bash -c ",
    "eval ",
    "sudo ",
    "xargs ",
    "find . -exec ",
    "cd d",
    "{a,b}",
    "*",
    "#",
    "f() ",
    "$'",
    "time ",
    "\u{e9}",
];

fn shell_like() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        8 => prop::sample::select(PIECES.as_slice()).prop_map(str::to_owned),
        1 => "[a-z]{1,4}",
        1 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// A row of the table with a piece put in, or some letters taken out.
fn mutated() -> impl Strategy<Value = String> {
    let lines: Vec<&str> = rows().map(|(_, line, _)| *line).collect();
    let row = prop::sample::select(lines);
    (row, any::<prop::sample::Index>(), 0usize..4, prop::sample::select(PIECES.as_slice())).prop_map(
        |(line, at, cut, piece)| {
            let letters: Vec<char> = line.chars().collect();
            let at = at.index(letters.len() + 1);
            let rest = letters.iter().skip(at + cut);
            letters.iter().take(at).copied().chain(piece.chars()).chain(rest.copied()).collect()
        },
    )
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(line in any::<String>()) {
        parse(&line);
    }

    #[test]
    fn no_shell_text_makes_it_panic(line in shell_like()) {
        parse(&line);
    }

    #[test]
    fn no_change_of_a_known_line_makes_it_panic(line in mutated()) {
        parse(&line);
    }

    #[test]
    fn the_same_line_is_read_the_same_way(line in shell_like()) {
        prop_assert_eq!(parse(&line), parse(&line));
    }

    #[test]
    fn a_quoted_word_is_its_text(text in any::<String>().prop_filter("no shell word contains NUL", |text| !text.contains('\0'))) {
        let script = parse(&format!("echo {}", quote(&text)));
        prop_assert_eq!(&script.unknown, &[]);
        let [command] = script.commands.as_slice() else { panic!("one command, not {script:?}") };
        let texts: Vec<_> = command.arguments.iter().map(|word| word.text.as_deref()).collect();
        prop_assert_eq!(texts, [Some(text.as_str())]);
    }

    #[test]
    fn a_substitution_is_seen_wherever_a_word_may_be(before in "[a-z =:+]{0,8}", after in "[a-z =:+]{0,8}") {
        for (open, close) in [("$(", ")"), ("`", "`"), ("<(", ")"), ("${x:-$(", ")}"), ("\"$(", ")\""), ("$((1+$(", ")))")] {
            let line = format!("echo {before}{open}seen{close}{after}");
            let names: Vec<_> = parse(&line).commands.iter().map(|command| command.program.raw.clone()).collect();
            prop_assert!(names.contains(&"seen".to_owned()), "{line}: {names:?}");
        }
    }
}
