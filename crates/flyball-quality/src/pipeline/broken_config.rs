//! Says where the config is broken that a linter cannot use.

use flyball_core::path::AbsolutePath;
use flyball_core::workshop::Workshop;
use regex_lite::Regex;

use super::keys::ancestors;
use crate::linter::Linter;

/// How linters name a place, in the order in which they are believed.
const PLACES: &[&str] = &[
    r"(?i)line:? (\d+),? col(?:umn)?:? (\d+)",
    r"^[`'\x22]?:(\d+):(\d+)",
    r"\((\d+)[,:] ?(\d+)\)",
    r"(?i)line:? (\d+)",
    r"^[`'\x22]?:(\d+)",
];

/// The config that a linter which failed says it cannot use, with the line: `ruff.toml:1:15`.
pub(super) fn place(workshop: &dyn Workshop, linter: &Linter, said: &str, file: &str) -> Option<String> {
    let configs = existing(workshop, linter, &workshop.project_root().join(file).folder());
    let named = configs.iter().find_map(|config| {
        let name = config.rsplit('/').next().unwrap_or(config);
        Some((config, said.split_once(name)?.1))
    });
    match named {
        Some((config, rest)) => Some(format!("{config}{}", line_in(rest))),
        None => {
            let is_about_config = ["config", "Invalid value for"]
                .iter()
                .any(|word| said.to_lowercase().contains(&word.to_lowercase()));
            configs.into_iter().next().filter(|_| is_about_config)
        }
    }
}

/// The configs of a linter that are there, the nearest first, from the root of the project.
fn existing(workshop: &dyn Workshop, linter: &Linter, folder: &AbsolutePath) -> Vec<String> {
    let names = linter.entry.configs.as_deref().unwrap_or_default();
    let mut found = Vec::new();
    for folder in ancestors(workshop.project_root(), folder) {
        let paths = names.iter().map(|name| folder.join(name));
        let there = paths.filter(|path| workshop.stat(path).is_some_and(|stat| !stat.is_folder));
        found.extend(there.filter_map(|path| path.strip_folder(workshop.project_root()).map(str::to_owned)));
    }
    found
}

/// `:1:15`, if the text says so.
fn line_in(text: &str) -> String {
    let found = PLACES.iter().find_map(|pattern| {
        let numbers = Regex::new(pattern).ok()?.captures(text)?;
        let all: Vec<&str> = numbers.iter().skip(1).flatten().map(|number| number.as_str()).collect();
        Some(all.join(":"))
    });
    found.map_or_else(String::new, |place| format!(":{place}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found_in_what_linters_say() {
        let cases = [
            ("`\n  Cause: TOML parse error at line 1, column 15\n", ":1:15"),
            (":2:1 parse ━━━━", ":2:1"),
            (", line: 1\n'[mypy'", ":1"),
            (".\n | EOF while parsing a value at line 2 column 0", ":2:0"),
            ("(1,34): error TS5024", ":1:34"),
            (": no such rule", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(line_in(text), expected, "{text}");
        }
    }
}
