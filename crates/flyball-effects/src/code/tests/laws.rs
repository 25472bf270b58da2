//! What holds for every input.

use proptest::prelude::*;

use super::{harmful, harmless};
use crate::code::lexer::lex;
use crate::code::read;
use crate::model::{CodeAct, Language};

const LANGUAGES: [Language; 9] = [
    Language::Python,
    Language::JavaScript,
    Language::Perl,
    Language::Ruby,
    Language::Php,
    Language::Lua,
    Language::Awk,
    Language::Sed,
    Language::AppleScript,
];

/// Pieces that mean something to one language or another.
const PIECES: &[&str] = &[
    "open(",
    ")",
    "'",
    "\"",
    "`",
    "{",
    "}",
    "[",
    "]",
    "(",
    "\\",
    "\n",
    ";",
    ":",
    ",",
    ".",
    "=",
    "=>",
    "->",
    "::",
    "$",
    "@",
    "#",
    "//",
    "/*",
    "*/",
    "--",
    "[[",
    "]]",
    "f'",
    "r\"",
    "'''",
    "${",
    "#{",
    "%w[",
    "q{",
    "qq(",
    "s/",
    "/e",
    "<<E",
    "E\n",
    "<<~E",
    "lambda ",
    "def ",
    "function ",
    "import ",
    "from ",
    " as ",
    "x",
    "x = ",
    "+",
    "os.remove",
    "system ",
    "print ",
    " > ",
    "| ",
    "with ",
    "for x in ",
    "if ",
    "end",
    " do ",
    "|x| ",
    "w f\n",
    "1,$",
    "\u{e9}",
    "\u{fffc}",
    "\\x4",
    "\\u{",
];

fn code_like() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        8 => prop::sample::select(PIECES).prop_map(str::to_owned),
        1 => "[a-z]{1,4}",
        1 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_text_is_read_without_a_panic(code in ".{0,200}") {
        for language in LANGUAGES {
            let _ = read(language, &code);
        }
    }

    #[test]
    fn anything_like_code_is_read_without_a_panic(code in code_like()) {
        for language in LANGUAGES {
            let _ = read(language, &code);
        }
    }

    #[test]
    fn there_are_no_more_tokens_than_bytes(code in code_like()) {
        for language in LANGUAGES {
            prop_assert!(lex(language, &code).tokens.len() <= code.len());
        }
    }

    #[test]
    fn what_is_only_printed_does_nothing(at in 0..harmful::ROWS.len()) {
        let (_, code, _) = harmful::ROWS[at];
        let quoted = code.replace('\\', "\\\\").replace('\'', "\\'").replace('\n', "\\n");
        for (language, line) in [
            (Language::Python, format!("print('{quoted}')")),
            (Language::JavaScript, format!("console.log('{quoted}')")),
            (Language::Perl, format!("print '{quoted}';")),
            (Language::Ruby, format!("puts '{quoted}'")),
            (Language::Php, format!("echo '{quoted}';")),
            (Language::Lua, format!("print('{quoted}')")),
        ] {
            let reading = read(language, &line);
            prop_assert!(reading.acts.is_empty() && !reading.is_opaque, "{language:?} {line}");
        }
    }

    #[test]
    fn what_is_in_a_comment_does_nothing(at in 0..harmful::ROWS.len()) {
        let (_, code, _) = harmful::ROWS[at];
        let text = code.replace('\n', " ");
        for (language, mark) in [
            (Language::Python, "#"),
            (Language::JavaScript, "//"),
            (Language::Perl, "#"),
            (Language::Ruby, "#"),
            (Language::Php, "//"),
            (Language::Lua, "--"),
            (Language::Awk, "#"),
            (Language::Sed, "#"),
        ] {
            let reading = read(language, &format!("{mark} {text}\n"));
            prop_assert!(reading.acts.is_empty() && !reading.is_opaque, "{language:?} {text}");
        }
    }

    #[test]
    fn harmless_code_before_it_hides_nothing(at in 0..harmless::ROWS.len()) {
        let (language, before) = harmless::ROWS[at];
        let (code, expected) = match language {
            Language::Python => ("\nimport os\nos.remove('zz')", "zz"),
            Language::JavaScript => ("\n;require('fs').unlinkSync('zz')", "zz"),
            Language::Perl => ("\n;unlink('zz');", "zz"),
            Language::Ruby => ("\nFile.delete('zz')", "zz"),
            Language::Php => ("\nunlink('zz');", "zz"),
            Language::Lua => (" os.remove('zz')", "zz"),
            Language::Awk | Language::Sed | Language::AppleScript => return Ok(()),
        };
        // Some code exits, and some ends in a comment.
        let acts = read(language, &format!("{before}\n{code}")).acts;
        let deletes = acts.iter().any(|act| matches!(act, CodeAct::File { path: Some(path), .. } if path == expected));
        prop_assert!(deletes, "{before}");
    }
}

#[test]
fn deep_and_long_code_is_read_in_time() {
    let deep = [
        "(", "[", "{", "f(", "lambda: ", "f'{", "`${", "\"#{", "a.b.", "x=x+x;", "<<E\n", "/[", "@{[", "-",
        "not ",
    ];
    for piece in deep {
        let code = piece.repeat(8_000 / piece.len());
        for language in LANGUAGES {
            let _ = read(language, &code);
        }
    }
}

#[test]
fn a_text_that_doubles_itself_is_given_up() {
    let code = format!("x='aaaaaaaa'\n{}open(x,'w')", "x=x+x\n".repeat(60));
    let acts = read(Language::Python, &code).acts;
    assert!(matches!(acts.as_slice(), [CodeAct::File { path: None, .. }]));
}
