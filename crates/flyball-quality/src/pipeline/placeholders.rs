//! Fills in the words of a command.

use flyball_core::path::AbsolutePath;

/// Where a command runs and what it is about.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlaceholderValues<'p> {
    pub root: &'p AbsolutePath,
    /// The folder it runs in.
    pub folder: &'p AbsolutePath,
    pub files: &'p [&'p AbsolutePath],
    /// The value of `{project_folders}`.
    pub folders: &'p [String],
    /// The value of `{scratch}`.
    pub scratch: &'p str,
}

impl<'p> PlaceholderValues<'p> {
    /// For commands about files.
    pub(super) fn new(
        root: &'p AbsolutePath,
        folder: &'p AbsolutePath,
        files: &'p [&'p AbsolutePath],
    ) -> PlaceholderValues<'p> {
        PlaceholderValues { root, folder, files, folders: &[], scratch: "" }
    }
}

const ALL_FILES: &str = "{files}";

/// The words of a command with everything filled in.
pub(super) fn fill(words: &[String], place: PlaceholderValues<'_>) -> Vec<String> {
    let mut filled = Vec::with_capacity(words.len());
    for word in words {
        match (word.as_str(), word.strip_suffix(ALL_FILES)) {
            ("{project_folders}", _) => filled.extend_from_slice(place.folders),
            // The text before `{files}` stops the linter from reading a name as a pattern.
            (_, Some(before)) => {
                filled.extend(
                    place.files.iter().map(|file| format!("{before}{}", file_argument(place.folder, file))),
                );
            }
            (_, None) => filled.push(fill_word(word, place)),
        }
    }
    filled
}

/// A file as it is named in a folder: never like an option.
pub(super) fn file_argument(folder: &AbsolutePath, file: &AbsolutePath) -> String {
    let name = file.strip_folder(folder).unwrap_or(file);
    // A file called `-rf` or `--fix` must not become an option of the linter.
    if name.starts_with('-') { format!("./{name}") } else { name.to_owned() }
}

/// In one go: a file may be called `{root}`.
fn fill_word(word: &str, place: PlaceholderValues<'_>) -> String {
    let file = place.files.first().copied().unwrap_or(place.root);
    let mut filled = String::with_capacity(word.len());
    let mut rest = word;
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        let values: [(&str, &dyn Fn() -> String); 4] = [
            ("file}", &|| file_argument(place.folder, file)),
            ("folder}", &|| file.folder().into()),
            ("root}", &|| place.root.to_string()),
            ("scratch}", &|| place.scratch.to_owned()),
        ];
        let value = values.iter().find_map(|(name, value)| Some((after.strip_prefix(name)?, value())));
        let (behind, value) = value.unwrap_or_else(|| (after, "{".to_owned()));
        filled.push_str(&value);
        rest = behind;
    }
    filled + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_filled_in_once() {
        let words: Vec<String> = [
            "--stdin-filename={file}",
            "{files}",
            ":{files}",
            "{folder}",
            "--root={root}/x",
            "{unknown} {file",
            "{scratch}/out",
        ]
        .map(str::to_owned)
        .to_vec();
        let place = PlaceholderValues {
            root: &AbsolutePath::from_root("/p"),
            folder: &AbsolutePath::from_root("/p/a"),
            files: &[&AbsolutePath::from_root("/p/a/-{root}.py"), &AbsolutePath::from_root("/p/b c.py")],
            folders: &[],
            scratch: "/tmp/s",
        };
        let filled = fill(&words, place);
        let expected = [
            "--stdin-filename=./-{root}.py",
            "./-{root}.py",
            "/p/b c.py",
            ":./-{root}.py",
            ":/p/b c.py",
            "/p/a",
            "--root=/p/x",
            "{unknown} {file",
            "/tmp/s/out",
        ];
        assert_eq!(filled, expected);
    }
}
