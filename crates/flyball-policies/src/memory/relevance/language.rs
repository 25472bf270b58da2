//! The languages of files, and those that rules are about.

use super::text::{is_name_letter, names};

/// The language of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Language {
    C,
    Css,
    /// Settings and lists: any rule may be about them.
    #[default]
    Data,
    Go,
    Html,
    Java,
    JavaScript,
    Kotlin,
    Php,
    /// Text for people.
    Prose,
    Python,
    Ruby,
    Rust,
    Shell,
    Sql,
    Swift,
    TypeScript,
    /// One of its own for each of several languages in one file.
    Vue,
}

/// How comments look like.
#[derive(Clone, Copy)]
pub(super) struct Comments {
    pub(super) line: &'static [&'static str],
    pub(super) block: (&'static str, &'static str),
}

const ENDINGS: &[(Language, &str)] = &[
    (Language::C, "c|h|cc|cpp|cxx|hpp|hh|m|cs"),
    (Language::Css, "css|scss|sass|less|styl"),
    (Language::Go, "go"),
    (Language::Html, "html|htm|erb|hbs|jinja|j2"),
    (Language::Java, "java|scala|groovy"),
    (Language::JavaScript, "js|jsx|mjs|cjs"),
    (Language::Kotlin, "kt|kts"),
    (Language::Php, "php"),
    (Language::Prose, "md|mdx|markdown|rst|adoc|txt"),
    (Language::Python, "py|pyi|ipynb"),
    (Language::Ruby, "rb|rake"),
    (Language::Rust, "rs"),
    (Language::Shell, "sh|bash|zsh|fish"),
    (Language::Sql, "sql"),
    (Language::Swift, "swift"),
    (Language::TypeScript, "ts|tsx|mts|cts"),
    (Language::Vue, "vue|svelte|astro"),
];

/// Names of languages in rules, as they are written there, sorted.
const NAMES: &[(&str, Language)] = &[
    ("Astro", Language::Vue),
    ("Bash", Language::Shell),
    ("C#", Language::C),
    ("C++", Language::C),
    ("CSS", Language::Css),
    ("Go code", Language::Go),
    ("Go files", Language::Go),
    ("Go:", Language::Go),
    ("Golang", Language::Go),
    ("HTML", Language::Html),
    ("In Go", Language::Go),
    ("JS", Language::JavaScript),
    ("Java", Language::Java),
    ("JavaScript", Language::JavaScript),
    ("Javascript", Language::JavaScript),
    ("Kotlin", Language::Kotlin),
    ("Node.js", Language::JavaScript),
    ("PHP", Language::Php),
    ("Python", Language::Python),
    ("React", Language::JavaScript),
    ("React", Language::TypeScript),
    ("Ruby", Language::Ruby),
    ("Rust", Language::Rust),
    ("SCSS", Language::Css),
    ("SQL", Language::Sql),
    ("Sass", Language::Css),
    ("Shell scripts", Language::Shell),
    ("Svelte", Language::Vue),
    ("Swift", Language::Swift),
    ("TS", Language::TypeScript),
    ("Tailwind", Language::Css),
    ("TypeScript", Language::TypeScript),
    ("Typescript", Language::TypeScript),
    ("Vue", Language::Vue),
    ("bash scripts", Language::Shell),
    ("in Go", Language::Go),
    ("javascript", Language::JavaScript),
    ("python code", Language::Python),
    ("shell scripts", Language::Shell),
    ("typescript", Language::TypeScript),
];

impl Language {
    pub(super) fn of_file(path: &str) -> Language {
        let name = path.rsplit('/').next().unwrap_or(path);
        let Some((_, ending)) = name.rsplit_once('.') else { return Language::Data };
        let is_one = |(_, endings): &&(Language, &str)| endings.split('|').any(|one| one == ending);
        ENDINGS.iter().find(is_one).map_or(Language::Data, |(language, _)| *language)
    }

    pub(super) fn comments(self) -> Comments {
        const SLASHES: Comments = Comments { line: &["//"], block: ("/*", "*/") };
        match self {
            Language::Python => Comments { line: &["#"], block: ("\"\"\"", "\"\"\"") },
            Language::Ruby | Language::Shell | Language::Data => Comments { line: &["# "], block: ("", "") },
            Language::Sql => Comments { line: &["--"], block: ("/*", "*/") },
            Language::Html => Comments { line: &[], block: ("<!--", "-->") },
            Language::Prose => Comments { line: &[], block: ("", "") },
            _ => SLASHES,
        }
    }

    /// Whether rules on code that names no language are about it, too.
    pub(super) fn has_code(self) -> bool {
        !matches!(self, Language::Css | Language::Html | Language::Prose | Language::Data)
    }
}

/// The languages that a rule is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Languages(u32);

impl Languages {
    /// The languages that a text names. Where it names SQL besides another it is about that in the other.
    pub(super) fn named_in(text: &str) -> Languages {
        let mut found = Languages::default();
        if !text.contains(char::is_uppercase) && !text.contains("script") {
            return found;
        }
        for word in names(text) {
            let rest = text.get(word.at..).unwrap_or_default();
            let from = NAMES.partition_point(|(name, _)| *name < word.text);
            let near = NAMES.iter().skip(from).take_while(|(name, _)| name.starts_with(word.text));
            near.filter(|(name, _)| begins_with_name(rest, name)).for_each(|(_, it)| found.add(*it));
        }
        found
    }

    fn add(&mut self, language: Language) {
        self.0 |= 1 << language as u32;
    }

    pub(super) fn has(self, language: Language) -> bool {
        self.0 & (1 << language as u32) != 0
    }

    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether a rule on these languages may be about a file: one on JavaScript is about TypeScript, too, and embedded SQL
    /// or markup is anywhere.
    pub(super) fn includes(self, file: Language) -> bool {
        use Language::{Css, Data, Html, JavaScript, Sql, TypeScript, Vue};
        let is_related = match file {
            TypeScript => self.has(JavaScript) || self.has(Vue),
            JavaScript => self.has(Vue),
            Vue => [JavaScript, TypeScript, Css, Html].iter().any(|one| self.has(*one)),
            Data => true,
            _ => false,
        };
        self.is_empty() || self.has(file) || is_related || self.has(Sql) || self.has(Css) || self.has(Html)
    }
}

/// Whether a text begins with a name, and not with a longer one.
fn begins_with_name(text: &str, name: &str) -> bool {
    let Some(behind) = text.strip_prefix(name) else { return false };
    // `C++` and `Go:` end with a sign.
    !name.ends_with(is_name_letter) || !behind.starts_with(is_name_letter)
}

/// The language in which a rule wants code to be written: `Prefer TypeScript for new components`.
pub(super) fn asked_for(text: &str) -> Option<Language> {
    const BEFORE: &[&str] = &["prefer", "use", "write in", "written in", "are in", "is in", "only"];
    const BEHIND: &[&str] = &["only", "for new"];
    [(Language::TypeScript, "TypeScript"), (Language::JavaScript, "JavaScript")].into_iter().find_map(
        |(language, name)| {
            let (before, behind) = text.split_once(name)?;
            let before = before.trim_end().to_lowercase();
            let behind = behind.trim_start();
            let is_asked = BEFORE.iter().any(|words| before.ends_with(words))
                || BEHIND.iter().any(|words| behind.starts_with(words));
            // `Use TypeScript enums`: what is asked for is something else.
            let names_more = behind.chars().next().is_some_and(char::is_alphabetic)
                && !["for", "in", "with", "only", "over", "and", "not", "instead", "everywhere", "files"]
                    .iter()
                    .any(|word| behind.starts_with(word));
            (is_asked && !names_more).then_some(language)
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_about_languages_and_files_are_in_one() {
        let cases = [
            ("In TypeScript, use `interface`", "a.py", false),
            ("In TypeScript, use `interface`", "a.tsx", true),
            ("In TypeScript, use `interface`", "a.js", false),
            ("JavaScript has semicolons", "a.ts", true),
            ("Rust: no `unwrap`", "a.js", false),
            ("Python code has type hints", "a.py", true),
            ("Go on with it", "a.py", true),
            ("Go code is formatted", "a.py", false),
            ("SQL has upper case keywords", "a.py", true),
            ("Javadoc is complete", "a.py", true),
            ("React components are functions", "a.tsx", true),
            ("No `x`", "a.py", true),
        ];
        for (rule, file, expected) in cases {
            assert_eq!(
                Languages::named_in(rule).includes(Language::of_file(file)),
                expected,
                "{rule} @ {file}"
            );
        }
    }

    #[test]
    fn the_list_of_names_is_sorted_for_the_search_in_it() {
        assert!(NAMES.is_sorted_by_key(|(name, _)| *name));
    }

    #[test]
    fn a_rule_may_ask_for_a_language() {
        let cases = [
            ("Prefer TypeScript (`.tsx`/`.ts`) for new components", Some(Language::TypeScript)),
            ("New components are written in TypeScript.", Some(Language::TypeScript)),
            ("TypeScript only", Some(Language::TypeScript)),
            ("Use TypeScript enums", None),
            ("In TypeScript, use `interface`", None),
        ];
        for (rule, expected) in cases {
            assert_eq!(asked_for(rule), expected, "{rule}");
        }
    }
}
