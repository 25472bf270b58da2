//! Versions that a diff changes, and rules that name the old one.

use super::diff::Diff;

/// A version that changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Changed {
    /// What has it: `node`, `python`, a package.
    pub(super) name: String,
    pub(super) old: String,
    pub(super) new: String,
}

/// Files that have nothing but one version, and what it is of.
const SINGLE: &[(&str, &str)] = &[
    (".nvmrc", "node"),
    (".node-version", "node"),
    (".python-version", "python"),
    (".ruby-version", "ruby"),
    (".go-version", "go"),
    (".java-version", "java"),
    (".terraform-version", "terraform"),
];

/// Files whose lines have a name and a version.
const NAMED: &[&str] = &[
    "package.json",
    "pyproject.toml",
    "Cargo.toml",
    "go.mod",
    "rust-toolchain.toml",
    "rust-toolchain",
    "Dockerfile",
    ".tool-versions",
    "mise.toml",
    "Gemfile",
    "Pipfile",
    "composer.json",
    "requirements.txt",
    "pom.xml",
];

/// Other names of the same thing.
const SAME: &[(&str, &str)] = &[
    ("requires-python", "python"),
    ("rust-version", "rust"),
    ("channel", "rust"),
    ("nodejs", "node"),
    ("golang", "go"),
    ("node.js", "node"),
    ("typescript", "typescript"),
];

/// The versions that a diff changes.
pub(super) fn changed(diff: &Diff) -> Vec<Changed> {
    let mut all = Vec::new();
    for (file, removed) in &diff.removed {
        let Some(added) = diff.added.get(file) else { continue };
        let old = removed.iter().flat_map(|line| read(file, line));
        for (name, old) in old {
            let new = added.iter().flat_map(|line| read(file, line)).find(|(other, _)| *other == name);
            if let Some((_, new)) = new.filter(|(_, new)| *new != old) {
                all.push(Changed { name, old, new });
            }
        }
    }
    all
}

/// The names and versions in a line of a file.
fn read(file: &str, line: &str) -> Vec<(String, String)> {
    let base = file.rsplit('/').next().unwrap_or(file);
    if let Some((_, name)) = SINGLE.iter().find(|(known, _)| *known == base) {
        return version(line).map(|version| ((*name).to_owned(), version)).into_iter().collect();
    }
    if !NAMED.contains(&base) && !base.starts_with("Dockerfile") {
        return Vec::new();
    }
    // `FROM node:18`, `"node": ">=18"`, `go 1.20`, `python = "3.9"`, `"packageManager": "pnpm@8.1.0"`.
    let words = line
        .split(|letter: char| letter.is_whitespace() || "\"':=@,{}".contains(letter))
        .filter(|word| word.contains(char::is_alphanumeric));
    let (mut found, mut last) = (Vec::new(), "");
    for word in words {
        match version(word) {
            Some(version) if !last.is_empty() => found.push((plain_name(last), version)),
            _ => last = word,
        }
    }
    found
}

/// A name as people say it: without its path and marks.
fn plain_name(word: &str) -> String {
    let name = word.rsplit('/').next().unwrap_or(word).trim_end_matches(['>', '<', '~', '^']).to_lowercase();
    SAME.iter().find(|(other, _)| *other == name).map_or(name, |(_, same)| (*same).to_owned())
}

/// The version in a word, without what is in front of it.
fn version(word: &str) -> Option<String> {
    let start = word.trim().trim_start_matches(['^', '~', '>', '<', '=', 'v', ' ']);
    let end = start.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(start.len());
    let version = start.get(..end)?.trim_end_matches('.');
    (version.starts_with(|letter: char| letter.is_ascii_digit())).then(|| version.to_owned())
}

/// The old version that a rule names, if the diff changes it.
pub(super) fn named_in<'a>(text: &str, changed: &'a [Changed]) -> Option<(String, &'a Changed)> {
    let words: Vec<String> = text
        .split(|letter: char| letter.is_whitespace() || "`*()[],;:@=\"'".contains(letter))
        .map(|word| word.trim_end_matches('.').to_lowercase())
        .filter(|word| !word.is_empty())
        .collect();
    changed.iter().find_map(|changed| {
        let name = |word: &str| {
            SAME.iter().find(|(other, _)| *other == word).map_or(word, |(_, same)| *same).to_owned()
        };
        let after = |at: usize| words.iter().skip(at + 1).take(3);
        words.iter().enumerate().filter(|(_, word)| name(word) == changed.name).find_map(|(at, word)| {
            let said = after(at).find_map(|word| version(word))?;
            let is_old = is_prefix(&said, &changed.old) && !is_prefix(&said, &changed.new);
            is_old.then(|| (format!("{word} {said}"), changed))
        })
    })
}

/// Whether a version is another one, or names it by its first parts.
fn is_prefix(short: &str, long: &str) -> bool {
    long == short
        || long.strip_prefix(short).is_some_and(|rest| rest.starts_with('.'))
        || short.strip_prefix(long).is_some_and(|rest| rest.starts_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_where_they_are_declared() {
        for (file, line, expected) in [
            (".nvmrc", "v18.19.0", Some(("node", "18.19.0"))),
            ("web/package.json", "    \"react\": \"^18.2.0\",", Some(("react", "18.2.0"))),
            ("package.json", "  \"packageManager\": \"pnpm@8.1.0\",", Some(("pnpm", "8.1.0"))),
            ("pyproject.toml", "requires-python = \">=3.9\"", Some(("python", "3.9"))),
            ("Cargo.toml", "rust-version = \"1.80\"", Some(("rust", "1.80"))),
            ("go.mod", "go 1.20", Some(("go", "1.20"))),
            ("Dockerfile", "FROM node:18-alpine", Some(("node", "18"))),
            ("src/a.ts", "const a = 1", None),
        ] {
            let expected = expected.map(|(name, version)| (name.to_owned(), version.to_owned()));
            assert_eq!(read(file, line).first().cloned(), expected, "{file} {line}");
        }
    }

    #[test]
    fn a_rule_that_names_the_old_version_is_found() {
        let node = Changed { name: "node".to_owned(), old: "18.19.0".to_owned(), new: "20.11.0".to_owned() };
        let found = |text: &str| named_in(text, std::slice::from_ref(&node)).map(|(word, _)| word);
        assert_eq!(found("We run Node.js 18 everywhere."), Some("node.js 18".to_owned()));
        assert_eq!(found("Node `v18.19.0`"), Some("node 18.19.0".to_owned()));
        assert_eq!(found("Node 20 is used"), None);
        assert_eq!(found("18 nodes"), None);
    }
}
