//! Which files a node is about, if its front matter says so.

use crate::markdown::front_matter;

/// The field with the globs.
const FIELD: &str = "paths";
/// So many globs of a file count.
const MOST_GLOBS: usize = 256;

/// A glob, from the folder that the node covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Glob(String);

impl Glob {
    /// Whether it matches a path from that folder.
    pub(super) fn matches(&self, path: &str) -> bool {
        let glob = self.0.trim_start_matches("./").trim_start_matches('/');
        let folder = glob.trim_end_matches('/');
        fast_glob::glob_match(glob, path)
            // A folder alone means what is in it.
            || (!folder.is_empty() && fast_glob::glob_match(format!("{folder}/**"), path))
    }
}

/// The globs of a node; `None` if it is about all files.
pub(super) fn globs(text: &str) -> Option<Vec<Glob>> {
    let inside = text.get(front_matter(text)?)?;
    let mut lines = inside.lines();
    let first = lines.find_map(|line| line.strip_prefix(FIELD)?.trim_start().strip_prefix(':'))?;
    let mut values = split(without_comment(first).trim().trim_start_matches('[').trim_end_matches(']'));
    let items = lines.map_while(|line| {
        let item = line.trim_start();
        // Anything that is not indented, and not an item, is the next field.
        if item.is_empty() || item.starts_with('#') {
            return Some(None);
        }
        Some(Some(item.strip_prefix('-')?))
    });
    values.extend(items.flatten().flat_map(|item| split(without_comment(item))));
    let globs: Vec<Glob> = values.into_iter().take(MOST_GLOBS).map(Glob).collect();
    // An empty list says nothing.
    (!globs.is_empty()).then_some(globs)
}

fn without_comment(text: &str) -> &str {
    text.split_once(" #").map_or(text, |(value, _)| value)
}

/// The values between commas; a comma in braces separates nothing.
fn split(text: &str) -> Vec<String> {
    let mut values = vec![String::new()];
    let mut depth = 0_usize;
    for letter in text.chars() {
        match letter {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                values.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(last) = values.last_mut() {
            last.push(letter);
        }
    }
    let bare = values.iter().map(|value| value.trim().trim_matches(['"', '\'']).trim().to_owned());
    bare.filter(|value| !value.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<Vec<String>> {
        globs(text).map(|globs| globs.into_iter().map(|glob| glob.0).collect())
    }

    #[test]
    fn paths_are_read_in_every_form() {
        let both = Some(vec!["src/**/*.ts".to_owned(), "lib/*.{js,ts}".to_owned()]);
        let cases = [
            ("---\npaths:\n  - \"src/**/*.ts\"\n  - lib/*.{js,ts}\n---\nx", both.clone()),
            ("---\npaths:\n- 'src/**/*.ts' # all\n\n- lib/*.{js,ts}\nname: x\n---\nx", both.clone()),
            ("---\nname: x\npaths: src/**/*.ts, lib/*.{js,ts}\n---\nx", both.clone()),
            ("---\npaths: [\"src/**/*.ts\", 'lib/*.{js,ts}']\n---\nx", both),
            ("---\npaths:\n---\nx", None),
            ("---\nglobs: src/**\n---\nx", None),
            ("paths: src/**\n", None),
        ];
        for (text, expected) in cases {
            assert_eq!(read(text), expected, "{text}");
        }
    }

    #[test]
    fn globs_match_from_the_folder_they_are_about() {
        let cases = [
            ("**/*.ts", "a/b.ts", true),
            ("**/*.ts", "b.ts", true),
            ("*.md", "a.md", true),
            ("*.md", "docs/a.md", false),
            ("src/**/*", "src/a/b.rs", true),
            ("src", "src/a.rs", true),
            ("./src/", "src/a.rs", true),
            ("src", "lib/src.rs", false),
            ("src/**/*.{ts,tsx}", "src/a.tsx", true),
            ("src/[x", "src/[x", false),
        ];
        for (glob, path, expected) in cases {
            assert_eq!(Glob(glob.to_owned()).matches(path), expected, "{glob} {path}");
        }
    }
}
