//! The protected parts of files whose rest is not protected: lint tables of a package's manifest, the
//! hooks in a client's settings.

use std::collections::BTreeMap;

use flyball_programs::{Format, MANIFESTS};

/// The protected part of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// These tables of a TOML or INI file, and all tables below them.
    Tables(&'static [&'static str]),
    /// These keys at the top of a JSON file.
    Keys(&'static [&'static str]),
    /// The settings of a repository that decide which programs git runs.
    Git,
}

/// The keys of a client's settings that decide whether hooks run. The rest is not protected: the
/// client writes its user's permissions there.
pub(super) const CLIENT_SETTINGS: Part = Part::Keys(&["hooks", "disableAllHooks", "allowManagedHooksOnly"]);

impl Part {
    /// The protected part of a manifest of this name.
    pub(super) fn of_manifest(path: &str) -> Option<Part> {
        let name = path.rsplit('/').next().unwrap_or(path);
        let manifest = MANIFESTS.iter().find(|manifest| manifest.file.eq_ignore_ascii_case(name))?;
        let parts = manifest.protected;
        (!parts.is_empty()).then_some(match manifest.format {
            Format::Braces => Part::Keys(parts),
            Format::Toml | Format::Ini | Format::Yaml | Format::Lines => Part::Tables(parts),
        })
    }

    /// The part of a file that does not exist, or that does not have it.
    pub(super) const fn nothing(self) -> &'static str {
        match self {
            Part::Tables(_) | Part::Git => "",
            Part::Keys(_) => "{}",
        }
    }

    /// The part in this text, normalized so that its layout does not matter. `None` if the text cannot
    /// be parsed.
    pub(super) fn extract(self, text: &str) -> Option<String> {
        match self {
            Part::Tables(names) => Some(tables(text, names)),
            Part::Keys(names) => {
                let value: serde_json::Value = serde_json::from_str(text).ok()?;
                let fields = names.iter().filter_map(|name| Some((*name, value.get(*name)?)));
                Some(serde_json::json!(fields.collect::<BTreeMap<_, _>>()).to_string())
            }
            Part::Git => Some(git_settings(text)),
        }
    }

    /// Whether a text names this part, or something in it.
    pub(super) fn is_named_in(self, text: &str) -> bool {
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
        let names = |name: &str| {
            text.match_indices(name).any(|(at, _)| {
                let (before, after) = (text.get(..at), text.get(at + name.len()..));
                !before.is_some_and(|it| it.ends_with(is_part))
                    && !after.is_some_and(|it| it.starts_with(is_part))
            })
        };
        match self {
            Part::Tables(all) => all.iter().any(|name| names(name.rsplit('.').next().unwrap_or(name))),
            Part::Keys(all) => all.iter().any(|name| names(name)),
            Part::Git => text.to_lowercase().contains("hookspath"),
        }
    }
}

/// The settings of a git config that decide which programs git runs, one on each line.
fn git_settings(text: &str) -> String {
    let mut found = Vec::new();
    let mut section = String::new();
    for line in text.lines().map(str::trim).filter(|line| !line.starts_with(['#', ';'])) {
        // A setting may follow its header on the same line.
        let line = match line.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((header, rest)) => {
                section = header.to_lowercase().replace(['"', ' ', '\t'], "");
                rest.trim()
            }
            None => line,
        };
        let (key, value) = line.split_once('=').unwrap_or((line, "true"));
        let (key, value) = (key.trim().to_lowercase(), value.trim());
        let runs = match section.as_str() {
            "core" => matches!(key.as_str(), "hookspath" | "fsmonitor" | "sshcommand"),
            "include" => true,
            "alias" => {
                value.starts_with('!')
                    || value.contains("--no-v")
                    || value.to_lowercase().contains("hookspath")
            }
            // Git's own store of large files.
            "filterlfs" => false,
            other => other.starts_with("includeif") || other.starts_with("filter"),
        };
        if runs && !key.is_empty() {
            found.push(format!("{section}.{key}={value}\n"));
        }
    }
    found.sort_unstable();
    found.concat()
}

/// The tables of these names, each line without spaces and comments, sorted by table.
fn tables(text: &str, names: &[&str]) -> String {
    let mut cut: BTreeMap<String, String> = BTreeMap::new();
    let (mut table, mut key) = (String::new(), String::new());
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with(['#', ';'])) {
        if let Some(header) = header(line) {
            (table, key) = (header, String::new());
            // An empty table counts too.
            if is_within(&table, names) {
                cut.entry(table.clone()).or_default();
            }
            continue;
        }
        // A line without a key continues the value of the last one.
        key = new_key(line).unwrap_or(key);
        let whole = if table.is_empty() { key.clone() } else { format!("{table}.{key}") };
        if is_within(&table, names) || is_within(&whole, names) {
            let bare: String = line.chars().filter(|letter| !letter.is_whitespace()).collect();
            cut.entry(whole).or_default().push_str(&bare);
        }
    }
    // An array on several lines may end in a comma; that is layout, not content.
    let written = cut.into_iter().map(|(key, value)| format!("{key}: {}\n", value.replace(",]", "]")));
    written.collect()
}

/// The name in `[name]` or `[[name]]`. The brackets of a multi-line array are elsewhere.
fn header(line: &str) -> Option<String> {
    let inner = line.strip_prefix('[')?.split('#').next()?.trim_end().strip_suffix(']')?;
    let inner = inner.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')).unwrap_or(inner);
    // A line such as `["a", "b"]` is an item of an array.
    let is_name = !inner.is_empty() && !inner.contains([',', '=', '{']) && !inner.starts_with('"');
    is_name.then(|| inner.chars().filter(|letter| !matches!(letter, '"' | '\'' | ' ')).collect())
}

/// The key that a line sets, if it begins one.
fn new_key(line: &str) -> Option<String> {
    let (key, _) = line.split_once('=')?;
    let is_key = |letter: char| letter.is_alphanumeric() || "_-.\"' ".contains(letter);
    let is_word = !key.trim().is_empty() && key.chars().all(is_key) && !key.trim_start().starts_with('"');
    is_word.then(|| key.chars().filter(|letter| !matches!(letter, '"' | '\'' | ' ')).collect())
}

fn is_within(table: &str, names: &[&str]) -> bool {
    names.iter().any(|name| {
        let rest = table.strip_prefix(name);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', ':', '-']))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PYPROJECT: &str = "\
[project]
name = \"x\"
dependencies = [
  \"a\",
]

[tool.ruff]
line-length = 100

[tool.ruff.lint]
select = [\"E\", \"F\"]

[tool.uv]
dev = true
";

    fn is_same(before: &str, after: &str) -> bool {
        let part = Part::of_manifest("pyproject.toml").unwrap();
        part.extract(before) == part.extract(after)
    }

    #[test]
    fn table_cases() {
        let with = |old: &str, new: &str| PYPROJECT.replacen(old, new, 1);
        let cases = [
            ("a dependency more", with("\"a\",", "\"a\",\n  \"b\","), true),
            ("another tool's table", with("dev = true", "dev = false"), true),
            ("a comment in a lint table", with("line-length", "# wide\nline-length"), true),
            ("laid out anew", with("[\"E\", \"F\"]", "[\n  \"E\",\n  \"F\",\n]"), true),
            ("a rule less", with("\"E\", \"F\"", "\"E\""), false),
            ("a longer line", with("100", "200"), false),
            ("an array on several lines", with("[\"E\", \"F\"]", "[\n  \"E\",\n]"), false),
            ("a new table below it", format!("{PYPROJECT}[tool.ruff.lint.per-file-ignores]\n"), false),
            ("a new table of another checker", format!("{PYPROJECT}[tool.mypy]\n"), false),
            ("in quotes and with spaces", format!("{PYPROJECT}[ tool . \"mypy\" ]\nstrict = false\n"), false),
            ("as a dotted key", format!("tool.mypy.strict = false\n{PYPROJECT}"), false),
            ("as a key of the table above", format!("{PYPROJECT}[tool]\nmypy.strict = false\n"), false),
            ("a name that only begins alike", format!("{PYPROJECT}[tool.ruffles]\nx = 1\n"), true),
            ("the table removed", with("[tool.ruff.lint]\nselect = [\"E\", \"F\"]\n", ""), false),
        ];
        for (name, after, expected) in cases {
            assert_eq!(is_same(PYPROJECT, &after), expected, "{name}");
        }
    }

    #[test]
    fn key_cases() {
        let part = Part::of_manifest("web/package.json").unwrap();
        let before = part.extract(r#"{"name":"x","eslintConfig":{"rules":{"eqeqeq":2}}}"#);
        let cases = [
            ("laid out anew", r#"{ "eslintConfig": { "rules": { "eqeqeq": 2 } }, "name": "y" }"#, true),
            ("a rule off", r#"{"name":"x","eslintConfig":{"rules":{"eqeqeq":0}}}"#, false),
            ("removed", r#"{"name":"x"}"#, false),
            ("another one", r#"{"name":"x","eslintConfig":{"rules":{"eqeqeq":2}},"prettier":{}}"#, false),
        ];
        for (name, after, expected) in cases {
            assert_eq!(part.extract(after) == before, expected, "{name}");
        }
        assert_eq!(part.extract("{"), None);
    }

    #[test]
    fn git_settings_that_run_programs() {
        let before =
            "[core]\n\tbare = false\n[remote \"origin\"]\n\turl = x\n[filter \"lfs\"]\n\tclean = git-lfs\n";
        let cases = [
            ("another remote", format!("{before}[remote \"fork\"]\n\turl = y\n"), true),
            ("an alias for a command", format!("{before}[alias]\n\tst = status\n"), true),
            ("hooks elsewhere", before.replace("bare = false", "hooksPath = /tmp"), false),
            ("on the line of the header", format!("{before}[CORE] HOOKSPATH=/tmp\n"), false),
            ("an included config", format!("{before}[include]\n\tpath = ../x\n"), false),
            ("an alias that runs a program", format!("{before}[alias]\n\tci = !sh x\n"), false),
            ("a filter", format!("{before}[filter \"x\"]\n\tsmudge = sh x\n"), false),
        ];
        for (name, after, expected) in cases {
            assert_eq!(Part::Git.extract(before) == Part::Git.extract(&after), expected, "{name}");
        }
    }

    #[test]
    fn headers_of_ini_files() {
        let part = Part::of_manifest("setup.cfg").unwrap();
        let before = "[metadata]\nname = x\n[flake8]\nignore =\n    E501\n";
        assert_ne!(part.extract(before), part.extract(&before.replace("E501", "E501\n    E999")));
        assert_ne!(
            part.extract(before),
            part.extract(&format!("{before}[mypy-foo.*]\nignore_errors = True\n"))
        );
        assert_eq!(part.extract(before), part.extract(&before.replace("name = x", "name = y")));
    }
}
