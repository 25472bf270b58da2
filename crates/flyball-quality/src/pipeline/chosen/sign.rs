//! What a linter's entry names as signs that a project uses it.

/// A sign that a project uses a linter, as an entry writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Sign<'s> {
    /// A file of its own, `*` for any letters: `.eslintrc*`.
    File(&'s str),
    /// A part of a file of many tools: `pyproject.toml [tool.ruff]`. With `=` before the name only that part itself counts, not
    /// those below it.
    Section { file: &'s str, section: &'s str, is_exact: bool },
    /// A command, a hook or a package: `$ ruff format`.
    Words(Words<'s>),
}

/// A command, a hook or a package, as a sign names it: `$ ruff`, `$ cargo fmt`. `!format` excludes what follows the name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Words<'s> {
    pub name: &'s str,
    /// The words that follow, with nothing but options between them.
    pub verbs: Vec<&'s str>,
    /// The words that must not follow.
    pub not: Vec<&'s str>,
}

impl<'s> Words<'s> {
    fn parse(text: &'s str) -> Words<'s> {
        let mut words = text.split(' ');
        let name = words.next().unwrap_or_default();
        let (not, verbs): (Vec<&str>, Vec<&str>) = words.partition(|word| word.starts_with('!'));
        Words { name, verbs, not: not.iter().filter_map(|word| word.strip_prefix('!')).collect() }
    }
}

impl<'s> Sign<'s> {
    pub(super) fn parse(text: &'s str) -> Sign<'s> {
        if let Some(words) = text.strip_prefix("$ ") {
            return Sign::Words(Words::parse(words));
        }
        match text.strip_suffix(']').and_then(|text| text.split_once(" [")) {
            Some((file, section)) => {
                let exact = section.strip_prefix('=');
                Sign::Section { file, section: exact.unwrap_or(section), is_exact: exact.is_some() }
            }
            None => Sign::File(text),
        }
    }

    /// The command, hook or package that it is.
    pub(super) fn words(self) -> Option<Words<'s>> {
        match self {
            Sign::Words(words) => Some(words),
            Sign::File(_) | Sign::Section { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sign_is_a_file_a_section_or_words() {
        assert_eq!(Sign::parse(".eslintrc*"), Sign::File(".eslintrc*"));
        let section = |section, is_exact| Sign::Section { file: "pyproject.toml", section, is_exact };
        assert_eq!(Sign::parse("pyproject.toml [tool.ruff]"), section("tool.ruff", false));
        assert_eq!(Sign::parse("pyproject.toml [=tool.ruff]"), section("tool.ruff", true));
        let words = |verbs: &[&'static str], not: &[&'static str]| {
            Sign::Words(Words { name: "ruff", verbs: verbs.to_vec(), not: not.to_vec() })
        };
        assert_eq!(Sign::parse("$ ruff format"), words(&["format"], &[]));
        assert_eq!(Sign::parse("$ ruff !format"), words(&[], &["format"]));
    }
}
