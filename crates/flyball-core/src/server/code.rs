//! Code in an input, as the command that runs it.

use super::words::quoted;
use crate::text::Words;

/// Words that name a language, and what runs its code.
const LANGUAGES: &[(Words, &str)] = &[
    (Words("python|python3|py|ipython|jupyter|notebook|pyodide|ipykernel|conda|kernel|colab"), "python3 -c"),
    (
        Words(
            "node|nodejs|javascript|js|typescript|ts|deno|bun|browser|playwright|puppeteer|chrome|ecmascript|jsx|tsx|mjs",
        ),
        "node -e",
    ),
    (Words("ruby|rb|irb|rails"), "ruby -e"),
    (Words("perl|pl"), "perl -e"),
    (Words("php|tinker|artisan|laravel"), "php -r"),
    (Words("powershell|pwsh|ps1"), "pwsh -Command"),
    (Words("applescript|osascript|jxa"), "osascript -e"),
    (Words("bash|sh|zsh|shell|terminal|dash|ksh|posix|console|command|cmd"), ""),
];

/// The command that runs a language; empty for shells.
pub(super) fn interpreter(words: &[String]) -> Option<&'static str> {
    words.iter().find_map(|word| Some(LANGUAGES.iter().find(|(names, _)| names.contains(word))?.1))
}

/// The command lines that code amounts to.
pub(super) fn lines(code: &str, interpreter: Option<&'static str>) -> Vec<String> {
    match interpreter.unwrap_or_else(|| guess(code)) {
        "" => vec![code.to_owned()],
        "python3 -c" => notebook_lines(code),
        other => vec![format!("{other} {}", quoted(code))],
    }
}

/// The language that code looks like.
fn guess(code: &str) -> &'static str {
    const JAVASCRIPT: Words =
        Words("require(|const |let |=>|await import(|process.|console.|function |Deno.|Bun.|module.exports");
    const PYTHON: Words =
        Words("import |from |def |print(|os.|subprocess|pathlib|open(|with |lambda |shutil|__import__");
    let has = |signs: Words| signs.iter().any(|sign| code.contains(sign));
    let begins = code.trim_start();
    if let Some(shebang) = begins.strip_prefix("#!") {
        let first = shebang.lines().next().unwrap_or_default();
        let words = super::name::split(first);
        return interpreter(words.rsplit(|word| word == "env").next().unwrap_or(&words)).unwrap_or_default();
    }
    if begins.starts_with(['!', '%']) {
        return "python3 -c";
    }
    match (has(JAVASCRIPT), has(PYTHON)) {
        (true, false) => "node -e",
        (true, true) if code.contains("require(") || code.contains("const ") => "node -e",
        (_, true) => "python3 -c",
        (false, false) => "",
    }
}

/// A cell of a notebook: Python with lines of shell.
fn notebook_lines(code: &str) -> Vec<String> {
    let first = code.trim_start().lines().next().unwrap_or_default();
    if let Some(magic) = first.strip_prefix("%%")
        && let Some(runs) = interpreter(&super::name::split(magic))
    {
        let body = code.trim_start().split_once('\n').map_or("", |(_, body)| body);
        return if runs.is_empty() {
            vec![body.to_owned()]
        } else {
            vec![format!("{runs} {}", quoted(body))]
        };
    }
    let mut found = Vec::new();
    let mut python = Vec::new();
    for line in code.lines() {
        let trimmed = line.trim_start();
        let escaped = trimmed.strip_prefix("!!").or_else(|| trimmed.strip_prefix('!'));
        let magic = || {
            let rest = trimmed.strip_prefix('%')?;
            let (name, rest) = rest.split_once(' ')?;
            match name {
                "sx" | "sh" | "system" => Some(rest),
                "pip" | "conda" | "uv" | "mamba" => trimmed.get(1..),
                _ => None,
            }
        };
        // `files = !ls` keeps what the command prints.
        let assigned = || trimmed.split_once(" = !").map(|(_, line)| line).filter(|_| !trimmed.contains('"'));
        match escaped.or_else(magic).or_else(assigned) {
            Some(line) => found.push(line.to_owned()),
            None => python.push(line),
        }
    }
    let python = python.join("\n");
    if !python.trim().is_empty() {
        found.push(format!("python3 -c {}", quoted(&python)));
    }
    found
}

/// Whether a text is SQL, by its first word.
pub(super) fn is_sql(text: &str) -> bool {
    const FIRST: Words = Words(
        "select|insert|update|delete|drop|truncate|alter|create|with|begin|explain|grant|revoke|merge|replace|use|call|\
         vacuum|copy|set|show|describe|pragma|start|commit|rollback|analyze",
    );
    let mut words = behind_comments(text)
        .split(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .filter(|word| !word.is_empty());
    let is_first = words.next().is_some_and(|word| FIRST.contains(&word.to_ascii_lowercase()));
    // A name alone is none, and neither is a sentence.
    is_first && words.next().is_some()
}

/// SQL without the comments that it begins with.
fn behind_comments(text: &str) -> &str {
    let mut rest = text.trim_start();
    loop {
        let end = if rest.starts_with("/*") {
            "*/"
        } else if rest.starts_with("--") {
            "\n"
        } else {
            return rest;
        };
        let Some((_, behind)) = rest.split_once(end) else { return rest };
        rest = behind.trim_start();
    }
}

/// Whether a text is SQL although nothing but the text says so.
pub(super) fn is_surely_sql(text: &str) -> bool {
    let text = behind_comments(text);
    // In a question to a search, the words are in lower case.
    let is_written = text.trim_end().ends_with(';')
        || text.split_whitespace().next().is_some_and(|word| word.chars().all(char::is_uppercase));
    if !is_written {
        return false;
    }
    let upper: Vec<String> = text.split_whitespace().take(3).map(str::to_ascii_uppercase).collect();
    let words: Vec<&str> = upper.iter().map(String::as_str).collect();
    matches!(
        words.as_slice(),
        ["SELECT" | "WITH" | "EXPLAIN", _, ..]
            | ["INSERT", "INTO", ..]
            | ["DELETE", "FROM", ..]
            | [
                "DROP" | "ALTER" | "CREATE",
                "TABLE" | "DATABASE" | "SCHEMA" | "VIEW" | "INDEX" | "USER" | "ROLE",
                ..
            ]
            | ["TRUNCATE", ..]
            | ["UPDATE", _, "SET"]
    )
}
