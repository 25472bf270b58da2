//! Paths that a rule names without backticks. They are put into backticks, as its reader needs them.

use flyball_core::text::Words;

/// Files in which package managers record what they chose.
const LOCK_FILES: &[&str] = &[
    "package-lock.json",
    "npm-shrinkwrap.json",
    "pnpm-lock.yaml",
    "yarn.lock",
    "bun.lock",
    "bun.lockb",
    "Cargo.lock",
    "uv.lock",
    "poetry.lock",
    "Pipfile.lock",
    "pdm.lock",
    "Gemfile.lock",
    "composer.lock",
    "go.sum",
    "mix.lock",
    "pubspec.lock",
    "flake.lock",
    "Package.resolved",
    "gradle.lockfile",
    "packages.lock.json",
    ".terraform.lock.hcl",
];
const LOCKS: Words = Words("lockfile|lockfiles|lock-file|lock-files");
const FOLDERS: Words = Words("folder|directory|dir|folders|directories");

/// The text with its paths in backticks. `exists` tells names of files and folders of the project from other words.
pub(super) fn in_backticks(text: &str, exists: &dyn Fn(&str) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut is_fence = false;
    for line in text.split_inclusive('\n') {
        is_fence ^= line.trim_start().starts_with("```");
        if is_fence || line.trim_start().starts_with("```") {
            out.push_str(line);
            continue;
        }
        // Every other piece is code already.
        for (place, piece) in line.split('`').enumerate() {
            if place > 0 {
                out.push('`');
            }
            if place % 2 == 1 { out.push_str(piece) } else { add_prose(&mut out, piece, exists) }
        }
    }
    out
}

/// Adds a piece of prose, word by word.
fn add_prose(out: &mut String, prose: &str, exists: &dyn Fn(&str) -> bool) {
    let mut words = prose.split_inclusive(char::is_whitespace).peekable();
    while let Some(word) = words.next() {
        let bare = bare(word);
        let next = words.peek().map(|next| self::bare(next).to_lowercase()).unwrap_or_default();
        let small = bare.to_lowercase();
        let is_lock =
            LOCKS.contains(&small) || (small == "lock" && ["file", "files"].contains(&next.as_str()));
        let found = if is_lock {
            let there: Vec<&str> = LOCK_FILES.iter().copied().filter(|file| exists(file)).collect();
            (!there.is_empty())
                .then(|| there.iter().map(|file| format!("`{file}`")).collect::<Vec<_>>().join(" and "))
        } else {
            path(bare, &next, exists).map(|path| format!("`{path}`"))
        };
        match (found, word.split_once(bare)) {
            (Some(found), Some((before, behind))) if !bare.is_empty() => {
                out.push_str(before);
                out.push_str(&found);
                out.push_str(behind);
                if small == "lock" {
                    words.next();
                }
            }
            _ => out.push_str(word),
        }
    }
}

/// A word without the signs around it.
fn bare(word: &str) -> &str {
    let open = word.trim().trim_start_matches(['(', '[', '"', '\'', '_']);
    let is_pattern = open.starts_with("**/") || open.starts_with("*.") || open.starts_with("*/");
    let start = if is_pattern { open } else { open.trim_start_matches(['*', '_', '(']) };
    let end = start.trim_end_matches([',', ';', ':', '!', '?', ')', ']', '"', '\'', '_']);
    // A full stop ends a sentence, and `**` may end a pattern or an emphasis.
    let end = end.trim_end_matches('.');
    if end.ends_with("/**") || end.ends_with("/*") { end } else { end.trim_end_matches('*') }
}

/// The path that a word is.
fn path(bare: &str, next: &str, exists: &dyn Fn(&str) -> bool) -> Option<String> {
    let is_plain =
        !bare.is_empty() && bare.chars().all(|letter| letter.is_alphanumeric() || "_-./*@".contains(letter));
    if !is_plain || bare.starts_with(['/', '-', '@']) || !bare.chars().any(char::is_alphanumeric) {
        return None;
    }
    let has_ending = bare
        .rsplit('/')
        .next()
        .and_then(|name| name.rsplit_once('.'))
        .is_some_and(|(_, ending)| (1..=8).contains(&ending.len()));
    let is_folder = bare.ends_with('/') && bare.len() > 2;
    let is_pattern = bare.contains('*') && (bare.contains('/') || has_ending);
    let is_known = (bare.contains('/') || has_ending) && exists(bare);
    if is_folder || is_pattern || is_known {
        return Some(bare.to_owned());
    }
    // `the generated folder`
    let folder = format!("{bare}/");
    (FOLDERS.contains(next) && exists(&folder)).then_some(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_in_prose_are_put_into_backticks() {
        let exists = |path: &str| {
            ["generated/", "src/api/schema.graphql", "Cargo.lock", "schema.sql", "vendor/"].contains(&path)
        };
        let cases = [
            ("Do not touch generated/.", "Do not touch `generated/`."),
            ("Never edit the generated folder by hand", "Never edit the `generated/` folder by hand"),
            ("Never edit the client folder", "Never edit the client folder"),
            ("Leave src/api/schema.graphql alone", "Leave `src/api/schema.graphql` alone"),
            ("Do not edit **/*.pb.go files.", "Do not edit `**/*.pb.go` files."),
            ("Do not edit the lockfile by hand", "Do not edit the `Cargo.lock` by hand"),
            ("Never change a lock file manually.", "Never change a `Cargo.lock` manually."),
            ("`generated/` and (schema.sql)", "`generated/` and (`schema.sql`)"),
            (
                "Input/output and read/write of 1.5 and e.g. this",
                "Input/output and read/write of 1.5 and e.g. this",
            ),
            ("See https://example.com/a/ and **bold** text", "See https://example.com/a/ and **bold** text"),
            ("```\ngenerated/\n```\nnot vendor/", "```\ngenerated/\n```\nnot `vendor/`"),
        ];
        for (text, expected) in cases {
            assert_eq!(in_backticks(text, &exists), expected);
        }
    }
}
