//! What holds for every input.

use proptest::prelude::*;

use super::rows;
use crate::effects::{patched_files, read};
use crate::model::{Directory, Effects, FileAct, Sent, Target};
use crate::shell::parse;

/// Words that mean something to a program.
const PIECES: [&str; 48] = [
    "rm ",
    "-rf ",
    "cp ",
    "mv ",
    "-t ",
    "--target-directory=",
    "sed -i ",
    "'s/a/b/w x' ",
    "tee ",
    "dd of=",
    "git ",
    "checkout ",
    "-- ",
    "apply ",
    "clean -fdx ",
    "-C ",
    "curl ",
    "-d @",
    "-o ",
    "https://h/x ",
    "| sh ",
    "| tee f ",
    "$(",
    ") ",
    "find . ",
    "-delete ",
    "-name ",
    "tar xf ",
    "tar ",
    "python -c ",
    "python ",
    "bash ",
    "perl -pi -e ",
    "xargs ",
    "> ",
    ">> ",
    "<<E\n",
    "\nE\n",
    "patch ",
    "apply_patch ",
    "*** Update File: x\n",
    "\"",
    "'",
    "$x ",
    "a ",
    "-",
    "=",
    "\u{e9}",
];

fn line() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        8 => prop::sample::select(PIECES.as_slice()).prop_map(str::to_owned),
        1 => "[a-z ]{1,4}",
        1 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

/// A row of the table with some letters taken out and others put in.
fn mutated() -> impl Strategy<Value = String> {
    let row = prop::sample::select(rows().map(|(line, _)| line).collect::<Vec<_>>());
    (row, any::<prop::sample::Index>(), 0usize..4, prop::sample::select(PIECES.as_slice())).prop_map(
        |(line, at, cut, piece)| {
            let letters: Vec<char> = line.chars().collect();
            let at = at.index(letters.len() + 1);
            let rest = letters.iter().skip(at + cut);
            letters.iter().take(at).copied().chain(piece.chars()).chain(rest.copied()).collect()
        },
    )
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// How much text the effects contain.
fn size(effects: &Effects) -> usize {
    let target = |target: &Target| {
        let directory = match &target.directory {
            Directory::OneOf(places) => places.iter().map(String::len).sum(),
            Directory::Start | Directory::Unknown => 0,
        };
        target.word.raw.len() + target.or_below.as_ref().map_or(0, String::len) + directory
    };
    let act = |act: &FileAct| match act {
        FileAct::Write(content) | FileAct::Append(content) => content.text().map_or(0, str::len),
        FileAct::Move { to } | FileAct::Link { name: to } => target(to),
        _ => 0,
    };
    let sent = |sent: &Sent| match sent {
        Sent::File(at) => target(at),
        Sent::Text(text) | Sent::Unknown(text) => text.len(),
        Sent::Input => 0,
    };
    let files = effects.files.iter().map(|effect| target(&effect.target) + act(&effect.act) + 1);
    let network = effects.network.iter().map(|effect| effect.sends.iter().map(sent).sum::<usize>() + 1);
    files.chain(network).chain(effects.opaque.iter().map(|opaque| opaque.text.len() + 1)).sum()
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(line in any::<String>()) {
        let _ = read(&parse(&line));
    }

    #[test]
    fn no_line_makes_it_panic(line in line()) {
        let _ = read(&parse(&line));
    }

    #[test]
    fn no_change_of_a_known_line_makes_it_panic(line in mutated()) {
        let _ = read(&parse(&line));
    }

    #[test]
    fn no_patch_makes_it_panic(text in "((--- |\\+\\+\\+ |@@ -1,2 \\+1,2 @@|\\*\\*\\* Update File: |diff --git |a/x|b/y|[+ -]|\n){0,2}){0,12}") {
        let _ = patched_files(&text);
    }

    #[test]
    fn text_that_is_only_printed_does_nothing(text in any::<String>().prop_filter("no shell word contains NUL", |text| !text.contains('\0'))) {
        let effects = read(&parse(&format!("echo {}", quoted(&text))));
        prop_assert_eq!(effects, Effects::default());
    }

    #[test]
    fn every_effect_belongs_to_a_command(line in line()) {
        let script = parse(&line);
        let effects = read(&script);
        let count = script.commands.len();
        prop_assert!(effects.files.iter().all(|effect| effect.command < count));
        prop_assert!(effects.network.iter().all(|effect| effect.command < count));
        prop_assert!(effects.fetched_code.iter().all(|code| code.fetch <= code.run && code.run < count));
        prop_assert!(effects.opaque.iter().all(|opaque| opaque.command.is_none_or(|at| at < count)));
    }

    #[test]
    fn there_are_not_more_effects_than_letters(line in line()) {
        let effects = read(&parse(&line));
        let count = effects.files.len() + effects.network.len() + effects.opaque.len();
        prop_assert!(count <= 2 * line.len() + 8, "{count} of {}", line.len());
    }
}

/// A way to write something `n` times.
type Family = (&'static str, fn(usize) -> String);

const LONG: [Family; 12] = [
    ("deletes", |n| format!("rm {}", "a ".repeat(n))),
    ("commands", |n| "rm a; ".repeat(n)),
    ("pipes", |n| format!("curl u {}", "| sh ".repeat(n))),
    ("tees", |n| format!("echo x {}", "| tee f ".repeat(n))),
    ("redirections", |n| format!("echo x {}", "> f ".repeat(n))),
    ("names to find", |n| format!("find . {} -delete", "-o -name x ".repeat(n))),
    ("options", |n| format!("curl {} u", "-d x ".repeat(n))),
    ("substitutions", |n| "sh -c \"$(curl u)\"; ".repeat(n)),
    ("fetched files", |n| "curl -o x u; sh x; ".repeat(n)),
    ("variables", |n| "x=$(curl u); eval \"$x\"; ".repeat(n)),
    ("git settings", |n| format!("{}git status", "GIT_CONFIG_KEY_0=a ".repeat(n))),
    ("awk prints", |n| format!("awk '{}'", "print > \"f\"; ".repeat(n))),
];

#[test]
fn eight_times_the_line_has_about_eight_times_the_effects() {
    for (name, write) in LONG {
        let [short, long] = [40, 320].map(|n| size(&read(&parse(&write(n)))));
        assert!(long <= 10 * short + 64, "{name}: {short} bytes became {long}");
    }
}

#[test]
fn a_line_that_multiplies_its_words_is_cut_off_and_reported() {
    let folder = "d".repeat(20_000);
    let effects = read(&parse(&format!("cp {} {folder}", "a ".repeat(20_000))));
    assert!(size(&effects) < 8 * 1024 * 1024);
    assert!(effects.opaque.iter().any(|opaque| opaque.text == "more effects than flyball records"));
}
