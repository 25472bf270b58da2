//! The names that a file defines, as far as its lines show: enough to see that one is gone.

use std::collections::BTreeMap;

use flyball_effects::lex::Language;
use regex_lite::Regex;

use super::code;

const PYTHON: &[&str] = &[
    r"^\s*(?:async\s+)?def\s+(\w+)",
    r"^\s*class\s+(\w+)",
    // Linters ask to rename names of one letter, and `_` is not a name.
    r"^([A-Za-z_]\w+)\s*(?::[^=]+)?=(?:[^=]|$)",
];

const SCRIPT: &[&str] = &[
    r"\bfunction\s*\*?\s*([\w$]+)\s*[(<]",
    r"\b(?:class|interface|enum|namespace)\s+([\w$]+)",
    r"^\s*export\s+(?:const|let|var)\s+([\w$]+)",
    r"^\s*(?:export\s+)?(?:declare\s+)?type\s+([\w$]+)\s*[=<]",
    r"\b(?:const|let|var)\s+([\w$]+)\s*(?::[^=]+)?=\s*(?:async\s*)?(?:function\b|\([^)]*\)\s*(?::[^=]+)?=>|[\w$]+\s*=>)",
    r"^\s*(?:(?:public|private|protected|static|async|get|set|readonly|override)\s+|\*\s*)*(#?[\w$]+)\s*\([^)]*\)\s*(?::\s*[^{]+)?\{\s*",
];

/// Keywords that look like names: `if (…) {`, `const fn`.
const WORDS: &[&str] = &[
    "if", "for", "while", "switch", "catch", "with", "function", "return", "do", "else", "await", "fn",
    "unsafe", "mut",
];

const SHELL: &[&str] =
    &[r"^\s*(?:function\s+)?([\w.:-]+)\s*\(\s*\)", r"^\s*function\s+([\w.:-]+)\s*(?:\{|$)"];

const RUST: &[&str] = &[
    r"^\s*(?:pub(?:\([^)]*\))?\s+)?(?:default\s+)?(?:const\s+)?(?:async\s+)?(?:unsafe\s+)?(?:extern\s+(?:\x22[^\x22]*\x22\s+)?)?fn\s+(\w+)",
    r"^\s*(?:pub(?:\([^)]*\))?\s+)?(?:struct|enum|union|trait|mod|type|const|static)\s+(\w+)",
    r"^\s*macro_rules!\s*(\w+)",
];

const GO: &[&str] = &[r"^func\s+(?:\([^)]*\)\s*)?(\w+)", r"^type\s+(\w+)", r"^(?:var|const)\s+(\w+)"];

fn patterns(path: &str) -> Option<&'static [&'static str]> {
    match Language::from_path(path)? {
        Language::Python => Some(PYTHON),
        Language::Script | Language::Component => Some(SCRIPT),
        Language::Shell => Some(SHELL),
        Language::Rust => Some(RUST),
        Language::Go => Some(GO),
        Language::Style
        | Language::Docker
        | Language::Yaml
        | Language::Toml
        | Language::Markdown
        | Language::Ruby
        | Language::Jvm
        | Language::C
        | Language::CSharp
        | Language::Swift
        | Language::Php => None,
    }
}

/// The names that are defined less often than before, sorted.
pub(super) fn removed(path: &str, before: &str, after: &str) -> Vec<String> {
    let Some(patterns) = patterns(path) else { return Vec::new() };
    let patterns: Vec<Regex> = patterns.iter().filter_map(|it| Regex::new(it).ok()).collect();
    let names = |text| counted(&code::split(path, text).code, &patterns);
    let now = names(after);
    // By count, because a name may be defined in several classes.
    let is_less = |(name, count): &(&str, usize)| now.get(name).copied().unwrap_or_default() < *count;
    names(before).into_iter().filter(is_less).map(|(name, _)| name.to_owned()).collect()
}

fn counted<'a>(lines: &[&'a str], patterns: &[Regex]) -> BTreeMap<&'a str, usize> {
    let mut names = BTreeMap::new();
    for line in lines {
        for pattern in patterns {
            for found in pattern.captures_iter(line) {
                let Some(name) = found.get(1).map(|name| name.as_str()) else { continue };
                if !WORDS.contains(&name) {
                    *names.entry(name).or_default() += 1;
                }
            }
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_patterns_can_be_compiled() {
        for pattern in [PYTHON, SCRIPT, SHELL, RUST, GO].concat() {
            assert!(Regex::new(pattern).is_ok(), "{pattern}");
        }
    }

    #[test]
    fn removed_definitions_are_listed() {
        let cases: &[(&str, &str, &str, &[&str])] = &[
            ("a.py", "def f():\n    pass\n\n\nasync def g():\n    pass\n", "def f():\n    pass\n", &["g"]),
            ("a.py", "class A:\n    def m(self):\n        pass\n", "class A:\n    pass\n", &["m"]),
            ("a.py", "def f():\n    pass\n", "# def f():\n#     pass\n", &["f"]),
            ("a.py", "def f():\n    pass\n", "'''\ndef f():\n    pass\n'''\n", &["f"]),
            ("a.py", "LIMIT = 3\nl = 1\n", "k = 1\n", &["LIMIT"]),
            ("a.py", "double = lambda x: x\n", "def double(x):\n    return x\n", &[]),
            ("a.ts", "export const a = 1;\nconst b = 2;\n", "", &["a"]),
            ("a.go", "var Limit = 3\n", "", &["Limit"]),
            ("a.py", "def f(a):\n    return a\n", "def f(a: int) -> int:\n    return a\n", &[]),
            ("a.py", "def f(): ...\ndef f(): ...\n", "def f(): ...\n", &["f"]),
            (
                "a.ts",
                "export function f(a: string) {\n}\nconst g = (a) => a;\n",
                "const g = 1;\n",
                &["f", "g"],
            ),
            ("a.ts", "class A {\n  async m(a: number): Promise<void> {\n  }\n}\n", "class A {\n}\n", &["m"]),
            ("a.ts", "if (a) {\n}\nfor (;;) {\n}\n", "\n", &[]),
            ("a.js", "function f() {}\n", "// function f() {}\n", &["f"]),
            ("a.js", "const f = async x => x;\n", "const f = async (x) => x;\n", &[]),
            ("a.sh", "f() {\n  :\n}\nfunction g {\n  :\n}\n", "f () {\n  :\n}\n", &["g"]),
            ("a.rs", "pub(crate) const fn f() {}\nstruct S;\n", "struct S;\n", &["f"]),
            ("a.go", "func (s *S) M() {}\nfunc F() {}\ntype T struct{}\n", "func F() {}\n", &["M", "T"]),
            ("a.md", "def f():\n", "", &[]),
        ];
        for (path, before, after, expected) in cases {
            assert_eq!(removed(path, before, after), *expected, "{path}: {before:?} → {after:?}");
        }
    }
}
