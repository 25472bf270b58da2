//! What a rule names: files, symbols, commands and packages.

/// A name in a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Name {
    /// A file or folder, or a glob of some.
    Path(String),
    /// A name in code, without its call.
    Symbol(String),
    /// A command line.
    Command(String),
}

impl Name {
    /// As the rule has it.
    pub(super) fn word(&self) -> &str {
        match self {
            Name::Path(word) | Name::Symbol(word) | Name::Command(word) => word,
        }
    }
}

/// All names in a rule, each once, in order.
pub(super) fn all(text: &str) -> Vec<Name> {
    let mut names: Vec<Name> = Vec::new();
    let mut add = |name: Option<Name>| {
        if let Some(name) = name.filter(|name| !names.contains(name)) {
            names.push(name);
        }
    };
    for line in text.lines() {
        let mut is_code = false;
        for part in line.split('`') {
            if is_code {
                add(of_code(part.trim()));
            } else {
                links(part).chain(bare_paths(part)).for_each(|name| add(Some(name)));
            }
            is_code = !is_code;
        }
        // A line of a fence is a command line or code.
        let is_prompt = line.trim_start().strip_prefix("$ ");
        if let Some(command) = is_prompt {
            add(Some(Name::Command(command.trim().to_owned())));
        }
    }
    names
}

/// What a piece of code in a sentence is.
fn of_code(code: &str) -> Option<Name> {
    let code = code.trim_start_matches("$ ");
    if code.is_empty() || code.contains(['{', '}', '<', '>', '|', '=', '"', '\'']) && !code.contains(' ') {
        return None;
    }
    if code.contains(char::is_whitespace) {
        let first = code.split_whitespace().next().unwrap_or_default();
        let is_command =
            first.chars().all(|letter| letter.is_ascii_alphanumeric() || "./_-".contains(letter))
                && first.starts_with(|letter: char| letter.is_ascii_lowercase() || "./".contains(letter));
        return is_command.then(|| Name::Command(code.to_owned()));
    }
    if is_path(code) {
        return Some(Name::Path(plain_path(code)));
    }
    let symbol = code.trim_end_matches("()").trim_end_matches(['!', ';']);
    let is_symbol = symbol.len() > 2
        && symbol.starts_with(|letter: char| letter.is_alphabetic() || letter == '_' || letter == '@')
        && symbol.chars().all(|letter| letter.is_alphanumeric() || "_.:-@/".contains(letter));
    is_symbol.then(|| Name::Symbol(symbol.to_owned()))
}

/// The targets of links: `[text](src/a.md#part)`.
fn links(text: &str) -> impl Iterator<Item = Name> {
    text.split("](").skip(1).filter_map(|rest| {
        let target = rest.split([')', '#', ' ']).next()?;
        let is_local = !target.is_empty() && !target.contains("://") && !target.starts_with(['#', '/', 'm']);
        (is_local && is_path(target)).then(|| Name::Path(plain_path(target)))
    })
}

/// Paths that are written without marks; they need a slash, since a sentence may end with a word and a dot.
fn bare_paths(text: &str) -> impl Iterator<Item = Name> {
    let words = text.split(|letter: char| letter.is_whitespace() || "()[],;\"'".contains(letter));
    words.filter_map(|word| {
        let word = word.trim_matches(['*', '_', ':', '.']);
        let has_end = word.rsplit('/').next().is_some_and(|name| name.contains('.')) || word.ends_with('/');
        (word.contains('/') && has_end && is_path(word)).then(|| Name::Path(plain_path(word)))
    })
}

/// Whether a word is a path: it has a slash or a known kind of ending.
fn is_path(word: &str) -> bool {
    const ENDINGS: &str = "rs|py|ts|tsx|js|jsx|mjs|cjs|go|rb|java|kt|swift|c|h|cc|cpp|hpp|cs|php|ex|exs|scala|sh|bash|zsh|\
                           sql|proto|graphql|json|jsonc|yaml|yml|toml|ini|cfg|conf|xml|html|css|scss|md|mdx|rst|txt|lock|\
                           env|csv|tf|gradle|vue|svelte|dart|lua|zig|nix|ipynb|mod|sum";
    if word.contains("://") || word.contains(['$', '~', '@', ':']) || word.starts_with(['/', '-', '!']) {
        return false;
    }
    let ending = word.rsplit_once('.').map(|(stem, ending)| (stem.len(), ending));
    let has_ending = ending.is_some_and(|(_, ending)| ENDINGS.split('|').any(|known| known == ending));
    let is_slashed = word.contains('/')
        && word.chars().all(|letter| letter.is_alphanumeric() || "._-/*+[]?".contains(letter))
        && word.chars().any(char::is_alphabetic);
    has_ending || is_slashed
}

fn plain_path(word: &str) -> String {
    word.trim_start_matches("./").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_symbols_and_commands_are_told_apart() {
        let text = "Never edit `src/gen/api.ts`; run `make gen`. `parseDate()` is UTC, see [here](docs/dates.md#utc) and \
                    lib/dates/mod.rs. `pnpm run lint -- --fix`, `Makefile`, `x-y`.";
        let path = |word: &str| Name::Path(word.to_owned());
        let symbol = |word: &str| Name::Symbol(word.to_owned());
        let command = |word: &str| Name::Command(word.to_owned());
        assert_eq!(
            all(text),
            [
                path("src/gen/api.ts"),
                command("make gen"),
                symbol("parseDate"),
                path("docs/dates.md"),
                path("lib/dates/mod.rs"),
                command("pnpm run lint -- --fix"),
                symbol("Makefile"),
                symbol("x-y"),
            ]
        );
    }
}
