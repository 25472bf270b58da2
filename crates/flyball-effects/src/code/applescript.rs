//! AppleScript: what `do shell script` runs. Applications can do anything.

use super::lexer::lex;
use super::token::{Kind, Token};
use crate::model::{CodeAct, CodeReading, Language};

/// First words of statements that only show, ask or compute.
const HARMLESS: [&str; 24] = [
    "display",
    "say",
    "beep",
    "return",
    "get",
    "set",
    "log",
    "if",
    "else",
    "end",
    "repeat",
    "try",
    "on",
    "delay",
    "exit",
    "choose",
    "copy",
    "count",
    "use",
    "property",
    "considering",
    "ignoring",
    "with",
    "current",
];

/// What a script would do.
pub(super) fn read(code: &str) -> CodeReading {
    let lexed = lex(Language::AppleScript, code);
    let mut acts = Vec::new();
    let mut is_opaque = lexed.is_broken;
    for statement in lexed.tokens.split(|token| token.kind == Kind::Newline) {
        let is_shell = shell(statement, &mut acts);
        is_opaque |= !is_shell && !is_harmless(statement);
    }
    CodeReading { acts, is_opaque, language: Language::AppleScript }
}

/// `do shell script "…"`, also inside another statement.
fn shell(statement: &[Token<'_>], acts: &mut Vec<CodeAct>) -> bool {
    let words: Vec<&str> = statement.iter().map(word).collect();
    let mut found = false;
    for (at, window) in words.windows(3).enumerate() {
        if window == ["do", "shell", "script"] {
            found = true;
            // `&` joins texts: then the literal is only the beginning of the line.
            let is_whole = !statement.get(at + 4).is_some_and(|token| token.is("&"));
            let line = statement.get(at + 3).and_then(Token::text).filter(|_| is_whole);
            acts.push(CodeAct::Shell { line });
        }
    }
    // `tell application "Terminal" to do script "…"`
    if let Some(at) = words.windows(2).position(|window| window == ["do", "script"]) {
        let line = statement.get(at + 2).and_then(Token::text);
        acts.push(CodeAct::Shell { line });
        return true;
    }
    // `tell application "System Events" to keystroke "…"`: typed where somebody may be working.
    if let Some(at) = words.iter().position(|word| *word == "keystroke") {
        let line = statement.get(at + 1).and_then(Token::text);
        acts.push(CodeAct::Shell { line });
    }
    // The rest of the statement must be harmless too: `tell application …` may do more than the shell script.
    found && words.first().is_some_and(|first| *first == "do" || HARMLESS.contains(first))
}

fn is_harmless(statement: &[Token<'_>]) -> bool {
    let mut words = statement.iter().map(word);
    let first = words.next();
    match first {
        None => true,
        Some("tell") => false,
        Some(first) => {
            HARMLESS.contains(&first) && !words.any(|word| word == "tell" || word == "application")
        }
    }
}

fn word<'a>(token: &Token<'a>) -> &'a str {
    match token.kind {
        Kind::Name(name) => name,
        _ => "",
    }
}
