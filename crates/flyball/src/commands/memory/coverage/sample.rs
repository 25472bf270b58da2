//! Files of the project on which its rules are tried.

use std::collections::BTreeMap;

/// So many kinds of files are looked at.
const MOST: usize = 200;

/// One file of each kind in each folder at the top, those of which there are most first.
pub(super) struct Samples(Vec<String>);

impl Samples {
    /// Out of all files of a project, by their paths from its root.
    pub(super) fn new(files: &[String]) -> Samples {
        let mut kinds: BTreeMap<(&str, &str), (&String, usize)> = BTreeMap::new();
        for file in files {
            let (folder, name) = match file.split_once('/') {
                Some((folder, rest)) => (folder, rest.rsplit('/').next().unwrap_or(rest)),
                None => ("", file.as_str()),
            };
            let ending = name.rsplit_once('.').map_or(name, |(_, ending)| ending);
            kinds.entry((folder, ending)).or_insert((file, 0)).1 += 1;
        }
        let mut kinds: Vec<(&String, usize)> = kinds.into_values().collect();
        kinds.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        Samples(kinds.into_iter().take(MOST).map(|(file, _)| file.clone()).collect())
    }

    /// Those in a folder, by its path from the root; all of them for the root itself.
    pub(super) fn below<'s>(&'s self, folder: &'s str) -> impl Iterator<Item = &'s str> {
        let is_below = move |file: &&str| {
            folder.is_empty() || file.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
        };
        self.0.iter().map(String::as_str).filter(is_below)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_file_of_each_kind_is_tried_and_the_most_common_kind_first() {
        let files = ["README.md", "src/a.rs", "src/b/c.rs", "src/d.sql", "web/a.ts"].map(str::to_owned);
        let samples = Samples::new(&files);
        assert_eq!(samples.below("").collect::<Vec<_>>(), ["src/a.rs", "README.md", "src/d.sql", "web/a.ts"]);
        assert_eq!(samples.below("src").collect::<Vec<_>>(), ["src/a.rs", "src/d.sql"]);
        assert_eq!(samples.below("sr").count(), 0);
    }
}
