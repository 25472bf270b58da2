//! The files and folders of the project that a prompt names, however it writes them.

use flyball_core::path::{AbsolutePath, strip_folder};
use flyball_core::policy::World;

/// How much of a prompt is read, how many of its words are looked up on disk, and how many paths are enough.
const MOST_BYTES: usize = 64 * 1024;
const MOST_TRIED: usize = 200;
const MOST_PATHS: usize = 12;

/// Longer words are not paths.
const MOST_LETTERS: usize = 300;

/// The paths that a prompt names, relative to the project's root, in their order; a folder ends with `/`. A file need
/// not be there yet, if a folder of the project on the way to it is.
pub(super) fn paths(prompt: &str, cwd: &AbsolutePath, world: &dyn World) -> Vec<String> {
    let prompt = prompt.get(..prompt.floor_char_boundary(MOST_BYTES)).unwrap_or(prompt);
    let mut found: Vec<String> = Vec::new();
    let mut tried: Vec<&str> = Vec::new();
    for word in words(prompt).filter_map(path_like) {
        if tried.contains(&word) {
            continue;
        }
        if tried.len() == MOST_TRIED || found.len() == MOST_PATHS {
            break;
        }
        tried.push(word);
        // A piece of a path that was found, or a folder that covers it, says nothing new.
        let is_new = |path: &String| !found.iter().any(|other| other.starts_with(path.as_str()));
        if let Some(path) = resolve(word, cwd, &found, world).filter(is_new) {
            found.push(path);
        }
    }
    found
}

/// Candidates for paths: the text in backticks as a whole, and every word.
fn words(prompt: &str) -> impl Iterator<Item = &str> {
    let is_border = |it: char| it.is_whitespace() || "`\"'()[]{}<>,;|=".contains(it);
    prompt.lines().flat_map(move |line| {
        // Names with brackets or spaces, which the split into words would cut: `app/[id]/page.tsx`.
        let quoted = line.split('`').skip(1).step_by(2).filter(|span| span.contains(['[', '(', ' ']));
        quoted.chain(line.split(is_border))
    })
}

/// The word as a path, without the punctuation around it; `None` if it is not one.
fn path_like(word: &str) -> Option<&str> {
    let word =
        word.trim().trim_start_matches(['@', '*', '_']).trim_end_matches(['.', ',', ':', '!', '?', '_', '*']);
    let word = word.strip_prefix("file://").unwrap_or(word);
    let word = word.split_once("#L").map_or(word, |(path, _)| path);
    // Twice, for a line and a column: `a.rs:12:5`.
    let word = without_line(without_line(word));
    // The files that a pattern matches are in the folder before it.
    let word = match word.find('*') {
        Some(at) => word.get(..at).and_then(|before| before.rfind('/')).and_then(|end| word.get(..=end))?,
        None => word,
    };
    // A leading dot is not an ending: `.env` without a folder is not looked up.
    let is_path = word.contains('/') || word.get(1..).is_some_and(|rest| rest.contains('.'));
    let is_word = word.contains(char::is_alphanumeric) && !word.contains("://") && !word.starts_with('-');
    (is_path && is_word && word.len() <= MOST_LETTERS).then_some(word)
}

/// `a.rs` of `a.rs:12`.
fn without_line(word: &str) -> &str {
    match word.rsplit_once(':') {
        Some((path, line)) if !line.is_empty() && line.bytes().all(|it| it.is_ascii_digit()) => path,
        _ => word,
    }
}

/// Resolves a word to a path of the project: from where the session is, from the root, or, if it is only a name, from
/// a folder that was named before.
fn resolve(word: &str, cwd: &AbsolutePath, found: &[String], world: &dyn World) -> Option<String> {
    let root = world.project_root();
    let bases = [cwd, root].into_iter().cloned();
    let named = found.iter().filter(|_| !word.contains('/')).map(|path| root.join(folder_of(path)));
    let places: Vec<AbsolutePath> = bases.chain(named).map(|base| world.real_path(&base, word)).collect();
    let inner = || places.iter().filter_map(|place| Some((place, strip_folder(place, root)?)));
    let there = inner().find_map(|(place, path)| {
        let stat = world.stat(place)?;
        Some(if stat.is_folder { format!("{path}/") } else { path.to_owned() })
    });
    there.or_else(|| {
        let to_be = |(_, path): (&AbsolutePath, &str)| {
            let (first, _) = path.split_once('/')?;
            world.stat(&root.join(first)).filter(|stat| stat.is_folder)?;
            Some(if word.ends_with('/') { format!("{path}/") } else { path.to_owned() })
        };
        word.contains('/').then(|| inner().find_map(to_be)).flatten()
    })
}

/// The folder of a path as it is found here: itself if it ends with `/`. Empty for the root.
pub(super) fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::PinnedWorld;

    fn world() -> PinnedWorld {
        ["src/api/auth.ts", "src/api/[id]/page.tsx", "docs/with space.md", "README.md", "web/app.ts"]
            .into_iter()
            .fold(PinnedWorld::new(), |world, file| world.file(&format!("/project/{file}"), ""))
    }

    #[test]
    fn paths_are_found_however_they_are_written() {
        let cases: [(&str, &[&str]); 22] = [
            ("Fix /project/src/api/auth.ts.", &["src/api/auth.ts"]),
            ("Fix src/api/auth.ts, please", &["src/api/auth.ts"]),
            ("Fix `src/api/auth.ts`:", &["src/api/auth.ts"]),
            ("Fix ./src/api/auth.ts:12:3", &["src/api/auth.ts"]),
            ("See @src/api/auth.ts#L3-L9", &["src/api/auth.ts"]),
            ("**src/api/auth.ts** is broken", &["src/api/auth.ts"]),
            ("[auth](src/api/auth.ts)", &["src/api/auth.ts"]),
            ("all of `src/api/`", &["src/api/"]),
            ("all of src/api", &["src/api/"]),
            ("all of src/api/**/*.ts", &["src/api/"]),
            ("write src/api/new/thing.ts", &["src/api/new/thing.ts"]),
            ("make src/new/", &["src/new/"]),
            ("`docs/with space.md`", &["docs/with space.md"]),
            ("`src/api/[id]/page.tsx`", &["src/api/[id]/page.tsx"]),
            ("read README.md and web/app.ts", &["README.md", "web/app.ts"]),
            ("in src/api/ change auth.ts", &["src/api/", "src/api/auth.ts"]),
            ("auth.ts is nowhere at hand", &[]),
            ("either and/or both, 1.5 times, e.g. v2.0", &[]),
            ("https://example.com/src/api/auth.ts", &[]),
            ("/etc/passwd ../../etc/passwd ~/x.txt", &[]),
            ("the project . and / and ..", &[]),
            ("", &[]),
        ];
        for (prompt, expected) in cases {
            assert_eq!(paths(prompt, &AbsolutePath::from_root("/project"), &world()), expected, "{prompt}");
        }
        assert_eq!(
            paths("fix auth.ts", &AbsolutePath::from_root("/project/src/api"), &world()),
            ["src/api/auth.ts"]
        );
    }

    #[test]
    fn a_prompt_of_a_thousand_paths_costs_as_much_as_one_of_a_few() {
        let many: String = (0..1_000).map(|at| format!("src/api/{at}.ts ")).collect();
        assert_eq!(paths(&many, &AbsolutePath::from_root("/project"), &world()).len(), MOST_PATHS);
        let nowhere: String = (0..1_000).map(|at| format!("no/{at}.ts ")).collect();
        assert_eq!(
            paths(&(nowhere + "src/api/auth.ts"), &AbsolutePath::from_root("/project"), &world()),
            [""; 0]
        );
        assert_eq!(paths(&"ä/".repeat(100_000), &AbsolutePath::from_root("/project"), &world()), [""; 0]);
    }
}
