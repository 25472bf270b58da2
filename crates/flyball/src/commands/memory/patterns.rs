//! The patterns in the `paths:` of rule files: which files each of them is about.

use flyball_knowledge::node;

/// A pattern, from the folder that its rule file covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::commands) struct Pattern {
    /// As it is written.
    pub(in crate::commands) glob: String,
    /// Its line in the rule file, from 1.
    pub(in crate::commands) line: usize,
}

/// The patterns of a rule file; empty if it is about all files.
pub(in crate::commands) fn patterns(text: &str) -> Vec<Pattern> {
    let start = text.lines().position(|line| line.starts_with("paths")).unwrap_or_default();
    let line = |glob: &str| text.lines().skip(start).position(|line| line.contains(glob)).unwrap_or_default();
    let globs = node::paths(text).into_iter();
    globs.map(|glob| Pattern { line: start + line(&glob) + 1, glob }).collect()
}

impl Pattern {
    /// A path that it could match.
    pub(super) fn example(&self) -> String {
        let mut path = String::new();
        let mut rest = self.glob.trim_start_matches("./").trim_start_matches('/');
        while let Some(at) = rest.find(['*', '?', '{']) {
            let (before, wild) = rest.split_at(at);
            path.push_str(before);
            rest = match wild.strip_prefix('{').and_then(|inner| inner.split_once('}')) {
                Some((inner, behind)) => {
                    path.push_str(inner.split(',').next().unwrap_or_default());
                    behind
                }
                None => {
                    path.push('x');
                    wild.trim_start_matches(['*', '?', '{'])
                }
            };
        }
        path + rest
    }

    /// The pattern that matches a file where it is now, if a change of names explains why this one does not, and what has
    /// another name. All paths are from the folder that the rule file covers.
    pub(super) fn renamed(&self, old: &str, new: &str) -> Option<Renamed> {
        let glob = self.glob.trim_start_matches("./").trim_start_matches('/');
        let pattern: Vec<&str> = glob.split('/').collect();
        let (old, new): (Vec<&str>, Vec<&str>) = (old.split('/').collect(), new.split('/').collect());
        let same = |(one, other): &(&&str, &&str)| one == other;
        let start = old.iter().zip(&new).take_while(same).count();
        let longest = old.len().min(new.len()) - start;
        let end = old.iter().rev().zip(new.iter().rev()).take_while(same).count().min(longest);
        // The name of the file may have changed besides.
        (end..=end + 1).find_map(|end| {
            let gone = old.get(start..old.len().checked_sub(end)?)?;
            let come = new.get(start..new.len().checked_sub(end)?)?;
            let glob = replaced(&pattern, gone, come, old.get(..start)?)?;
            let is_match = node::matches(std::slice::from_ref(&glob), &new.join("/"));
            // What only moved is named by itself: `web` is `apps/web`.
            let more = usize::from(gone.is_empty() || come.is_empty());
            let upto = |parts: &[&str], middle: &[&str]| {
                parts.get(..start + middle.len() + more).map(|parts| parts.join("/"))
            };
            is_match.then_some(Renamed { glob, from: upto(&old, gone)?, to: upto(&new, come)? })
        })
    }
}

/// What a pattern becomes, and why.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Renamed {
    pub(super) glob: String,
    pub(super) from: String,
    pub(super) to: String,
}

/// A pattern with some of its parts replaced by others; `before` are the parts in front of what is inserted.
fn replaced(pattern: &[&str], gone: &[&str], come: &[&str], before: &[&str]) -> Option<String> {
    let at = match gone {
        [] => pattern.starts_with(before).then_some(before.len())?,
        [file] if !pattern.contains(file) => return with_other_ending(pattern, file, come),
        gone => pattern.windows(gone.len()).position(|parts| parts == gone)?,
    };
    let (start, rest) = pattern.split_at_checked(at)?;
    Some([start, come, rest.get(gone.len()..)?].concat().join("/"))
}

/// `*.ts` instead of `*.js`.
fn with_other_ending(pattern: &[&str], old: &str, come: &[&str]) -> Option<String> {
    let ending =
        |name: &str| name.rsplit_once('.').map(|(stem, ending)| (stem.to_owned(), format!(".{ending}")));
    let ((old_stem, old_ending), (new_stem, new_ending)) = (ending(old)?, ending(come.first()?)?);
    let (last, start) = pattern.split_last()?;
    let last = last.strip_suffix(&old_ending).filter(|_| old_stem == new_stem && come.len() == 1)?;
    let last = format!("{last}{new_ending}");
    Some(start.iter().copied().chain([last.as_str()]).collect::<Vec<_>>().join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(glob: &str) -> Pattern {
        Pattern { glob: glob.to_owned(), line: 1 }
    }

    #[test]
    fn patterns_have_their_lines() {
        let text = "---\nname: web/** and more\npaths:\n  - \"web/**\"\n  - lib/*.{js,ts}\n---\n- Rule\n";
        let expected = [("web/**", 4), ("lib/*.{js,ts}", 5)];
        let found = patterns(text);
        assert_eq!(found.iter().map(|it| (it.glob.as_str(), it.line)).collect::<Vec<_>>(), expected);
        assert_eq!(
            patterns("---\npaths: web/**, a\n---\n").iter().map(|it| it.line).collect::<Vec<_>>(),
            [2, 2]
        );
        assert_eq!(patterns("# A\n\n- Rule\n"), []);
    }

    #[test]
    fn an_example_of_a_pattern_is_a_path() {
        for (glob, expected) in [
            ("dist/**/*.js", "dist/x/x.js"),
            ("./src/*.{ts,tsx}", "src/x.ts"),
            ("/docs/a.md", "docs/a.md"),
            ("**", "x"),
            ("a?c/{b", "axc/xb"),
        ] {
            assert_eq!(pattern(glob).example(), expected, "{glob}");
        }
    }

    #[test]
    fn a_pattern_follows_what_was_renamed() {
        let cases = [
            ("web/forms/**", "web/forms/a/b.ts", "ui/forms/a/b.ts", Some(("ui/forms/**", "web", "ui"))),
            (
                "web/forms/*.ts",
                "web/forms/a.ts",
                "web/fields/a.ts",
                Some(("web/fields/*.ts", "web/forms", "web/fields")),
            ),
            ("web/forms", "web/forms/a.ts", "ui/a.ts", Some(("ui", "web/forms", "ui"))),
            (
                "**/forms/*.ts",
                "web/forms/a.ts",
                "web/fields/a.ts",
                Some(("**/fields/*.ts", "web/forms", "web/fields")),
            ),
            ("web/**", "web/a.ts", "apps/web/a.ts", Some(("apps/web/**", "web", "apps/web"))),
            ("src/web/**", "src/web/a.ts", "src/ui/b.ts", Some(("src/ui/**", "src/web", "src/ui"))),
            (
                "src/gen/api.ts",
                "src/gen/api.ts",
                "src/gen/client.ts",
                Some(("src/gen/client.ts", "src/gen/api.ts", "src/gen/client.ts")),
            ),
            ("src/**/*.js", "src/a/b.js", "src/a/b.ts", Some(("src/**/*.ts", "src/a/b.js", "src/a/b.ts"))),
            ("src/*.vue", "src/a.vue", "src/b.tsx", None),
            ("api/**/v1_*.py", "api/x/v1_a.py", "api/x/a.py", None),
        ];
        for (glob, old, new, expected) in cases {
            let found = pattern(glob).renamed(old, new);
            let found = found.as_ref().map(|it| (it.glob.as_str(), it.from.as_str(), it.to.as_str()));
            assert_eq!(found, expected, "{glob}: {old} → {new}");
        }
    }
}
