//! What a linter's entry names as signs that a project uses it.

/// A sign that a project uses a linter, as an entry writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Sign<'s> {
    /// A file of its own, `*` for any letters: `.eslintrc*`.
    File(&'s str),
    /// A part of a file of many tools: `pyproject.toml [tool.ruff]`. With `=` before the name only that part itself counts, not
    /// those below it.
    Section { file: &'s str, section: &'s str, is_exact: bool },
    /// Words in a command, a hook or a list of packages: `$ ruff format`.
    Words(Vec<&'s str>),
}

impl<'s> Sign<'s> {
    pub(super) fn parse(text: &'s str) -> Sign<'s> {
        if let Some(words) = text.strip_prefix("$ ") {
            return Sign::Words(words.split(' ').collect());
        }
        match text.strip_suffix(']').and_then(|text| text.split_once(" [")) {
            Some((file, section)) => {
                let exact = section.strip_prefix('=');
                Sign::Section { file, section: exact.unwrap_or(section), is_exact: exact.is_some() }
            }
            None => Sign::File(text),
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
        assert_eq!(Sign::parse("$ ruff format"), Sign::Words(vec!["ruff", "format"]));
    }
}
