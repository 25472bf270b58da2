//! What a file tests: its test cases by name, how many of them are empty, how much they assert.

use flyball_core::text::Words;
use flyball_effects::lex::{Language, Lexed, is_first_in_line, window};

/// What a file tests.
#[derive(Debug, Default)]
pub(super) struct Suite {
    /// The test cases, in order.
    pub(super) cases: Vec<Case>,
    /// How many assertions there are.
    pub(super) assertions: usize,
    /// How often one test runs over a table of cases.
    pub(super) tables: usize,
}

#[derive(Debug)]
pub(super) struct Case {
    pub(super) name: String,
    /// Whether there is nothing in it.
    pub(super) is_empty: bool,
}

impl Suite {
    /// Reads what a file tests. Empty for a file that is not a test file, except for the tests in a
    /// Rust module.
    pub(super) fn read(lexed: &Lexed<'_>, language: Language, is_test: bool) -> Suite {
        let start = match language {
            _ if is_test => Some(0),
            Language::Rust => lexed.code.find("#[cfg(test)]"),
            _ => None,
        };
        let Some(start) = start else { return Suite::default() };
        let region = lexed.code.get(start..).unwrap_or_default();
        Suite {
            cases: cases(lexed, start, language),
            assertions: assertions(region, language),
            tables: tables(language).iter().map(|word| region.matches(word).count()).sum(),
        }
    }

    /// How many cases are empty.
    pub(super) fn empty(&self) -> usize {
        self.cases.iter().filter(|case| case.is_empty).count()
    }
}

/// What begins a test case.
struct CasePattern {
    /// How it is written.
    text: &'static str,
    /// Whether only spaces may precede it in its line.
    is_first: bool,
    naming: Naming,
}

/// Where the name of a test case is found.
#[derive(Clone, Copy)]
enum Naming {
    /// It follows, up to the parameters.
    Word,
    /// It is the first string after it.
    Title,
    /// It is between the parentheses.
    Inside,
    /// It is the name of the next function.
    NextFunction,
}

const fn first(text: &'static str, naming: Naming) -> CasePattern {
    CasePattern { text, is_first: true, naming }
}

const fn any(text: &'static str, naming: Naming) -> CasePattern {
    CasePattern { text, is_first: false, naming }
}

const fn case_patterns(language: Language) -> &'static [CasePattern] {
    use Naming::{Inside, NextFunction, Title, Word};
    match language {
        Language::Python => const { &[first("def test", Word), first("async def test", Word)] },
        Language::Script | Language::Component => {
            const {
                &[
                    any("it", Title),
                    any("test", Title),
                    any("specify", Title),
                    any("xit", Title),
                    any("xtest", Title),
                    any("fit", Title),
                ]
            }
        }
        Language::Rust => const { &[first("#[", NextFunction)] },
        Language::Go => {
            const { &[first("func Test", Word), first("func Fuzz", Word), first("func Example", Word)] }
        }
        Language::Shell => const { &[first("@test", Title)] },
        Language::Ruby => {
            const {
                &[
                    first("it ", Title),
                    first("it(", Title),
                    first("xit ", Title),
                    first("specify ", Title),
                    first("test ", Title),
                    first("def test_", Word),
                ]
            }
        }
        Language::Jvm => {
            const {
                &[
                    any("@Test", NextFunction),
                    any("@ParameterizedTest", NextFunction),
                    any("@RepeatedTest", NextFunction),
                    any("@TestFactory", NextFunction),
                    any("@Property", NextFunction),
                ]
            }
        }
        Language::C => {
            const {
                &[
                    first("TEST(", Inside),
                    first("TEST_F(", Inside),
                    first("TEST_P(", Inside),
                    first("TYPED_TEST(", Inside),
                    first("TEST_CASE(", Title),
                ]
            }
        }
        Language::CSharp => {
            const {
                &[
                    any("[Test", NextFunction),
                    any("[Fact", NextFunction),
                    any("[Theory", NextFunction),
                    any("[TestMethod", NextFunction),
                ]
            }
        }
        Language::Swift => const { &[any("func test", Word), any("@Test", NextFunction)] },
        Language::Php => {
            const {
                &[
                    any("function test", Word),
                    any("#[Test", NextFunction),
                    first("it(", Title),
                    first("test(", Title),
                ]
            }
        }
        Language::Style | Language::Docker | Language::Yaml | Language::Toml | Language::Markdown => {
            const { &[] }
        }
    }
}

/// What may be between `it` and its parenthesis.
const MODIFIERS: Words =
    Words("each|skip|only|todo|concurrent|failing|fails|fixme|skipIf|runIf|sequential|for|fail");

fn cases(lexed: &Lexed<'_>, start: usize, language: Language) -> Vec<Case> {
    let mut found: Vec<(usize, Case)> = Vec::new();
    let region = lexed.code.get(start..).unwrap_or_default();
    for head in case_patterns(language) {
        for (offset, _) in region.match_indices(head.text) {
            let at = start + offset;
            let rest = lexed.code.get(at + head.text.len()..).unwrap_or_default();
            if is_at_boundary(&lexed.code, at, head) && is_case(language, head, rest) {
                let case =
                    Case { name: name(lexed, at, head), is_empty: is_empty(&lexed.code, at, language) };
                found.push((at, case));
            }
        }
    }
    found.sort_by_key(|(at, _)| *at);
    found.into_iter().map(|(_, case)| case).collect()
}

fn is_at_boundary(code: &str, at: usize, head: &CasePattern) -> bool {
    if head.is_first {
        return is_first_in_line(code, at);
    }
    let before = code.get(..at).unwrap_or_default();
    !before.ends_with(|letter: char| letter.is_alphanumeric() || "_.$".contains(letter))
}

/// Whether what follows makes it a test case.
fn is_case(language: Language, head: &CasePattern, rest: &str) -> bool {
    match (language, head.naming) {
        (Language::Script | Language::Component, _) => calls(rest),
        (Language::Rust, _) => {
            let attribute = rest.split(']').next().unwrap_or_default().trim();
            let path = attribute.split('(').next().unwrap_or_default();
            // `#[tokio::test]`, `#[test_case(1)]`.
            path.ends_with("test") || path.ends_with("test_case")
        }
        // `@TestFactory` is not a `@Test` as well.
        (_, Naming::NextFunction) => !rest.starts_with(|letter: char| letter.is_alphanumeric()),
        _ => true,
    }
}

/// `(`, or modifiers and `(`.
fn calls(rest: &str) -> bool {
    let mut rest = rest;
    loop {
        if rest.starts_with(['(', '`']) {
            return true;
        }
        let Some(after) = rest.strip_prefix('.') else { return false };
        let length = after.bytes().take_while(u8::is_ascii_alphabetic).count();
        let Some((word, after)) = after.split_at_checked(length) else { return false };
        if !MODIFIERS.contains(word) {
            return false;
        }
        rest = after;
    }
}

fn name(lexed: &Lexed<'_>, at: usize, head: &CasePattern) -> String {
    let written = window(lexed.text, at);
    let name = match head.naming {
        Naming::Word => {
            let line = written.split(['(', '\n', ':']).next().unwrap_or_default();
            line.rsplit(' ').next()
        }
        Naming::Title => written.split(['"', '\'', '`']).nth(1),
        Naming::Inside => written.split(['(', ')']).nth(1),
        Naming::NextFunction => {
            // Other attributes may be between this one and the function.
            let mut lines = lexed.code_from(at).lines().take(12).map(str::trim);
            let function = lines.find(|line| line.contains('(') && !line.starts_with(['@', '#', '[']));
            let head = function.and_then(|line| line.split('(').next());
            head.and_then(|head| head.split('<').next()).and_then(|head| head.rsplit(' ').next())
        }
    };
    name.unwrap_or_default().trim().to_owned()
}

/// Whether the test case that begins here has an empty body.
fn is_empty(code: &str, at: usize, language: Language) -> bool {
    let rest = window(code, at);
    match language {
        Language::Python => is_python_stub(code, at),
        Language::Ruby | Language::Shell => false,
        _ => {
            let rest = if language == Language::Rust {
                rest.find("fn ").and_then(|from| rest.get(from..)).unwrap_or_default()
            } else {
                rest
            };
            let Some((before, body)) = rest.split_once('{') else { return false };
            // The body of a function (`) {`, `=> {`), not an object among its arguments.
            before.trim_end().ends_with(['>', ')']) && body.trim_start().starts_with('}')
        }
    }
}

/// `def test_x(): pass`.
fn is_python_stub(code: &str, at: usize) -> bool {
    let before = code.as_bytes().get(..at).unwrap_or_default();
    let indent = before.iter().rev().take_while(|byte| **byte != b'\n').count();
    let rest = window(code, at);
    let mut lines = rest.lines();
    let first = lines.next().unwrap_or_default().trim_end();
    let is_nothing = |line: &str| matches!(line.trim(), "pass" | "...");
    if let Some((_, body)) = first.rsplit_once(':').filter(|(_, body)| !body.trim().is_empty()) {
        return is_nothing(body);
    }
    let mut body = lines.filter(|line| !line.trim_matches([' ', '\t', '"', '\'', '\r']).is_empty());
    let Some(line) = body.next() else { return false };
    let ends = body.next().is_none_or(|next| next.len() - next.trim_start().len() <= indent);
    is_nothing(line) && ends
}

fn assertions(region: &str, language: Language) -> usize {
    // An import names assertions and makes none.
    let is_import = |line: &&str| {
        let line = line.trim_start();
        ["import ", "from ", "use ", "using ", "require ", "require("]
            .iter()
            .any(|word| line.starts_with(word))
    };
    let lines = region.lines().filter(|line| !is_import(line));
    lines.map(|line| assertions_in(line, language)).sum()
}

fn assertions_in(line: &str, language: Language) -> usize {
    if language == Language::Rust {
        let words = line.split(|letter: char| !(letter.is_alphanumeric() || "_!".contains(letter)));
        return words.filter(|word| word.contains("assert") && word.ends_with('!')).count();
    }
    let begins = usize::from(language == Language::Python && line.trim_start().starts_with("assert"));
    begins + assertion_words(language).iter().map(|word| line.matches(word).count()).sum::<usize>()
}

const fn assertion_words(language: Language) -> &'static [&'static str] {
    match language {
        Language::Python => &[".assert", "pytest.raises", "pytest.warns"],
        Language::Script | Language::Component => &["expect(", "assert(", "assert.", ".should"],
        Language::Go => &["t.Error", "t.Fatal", "t.Fail", "require.", "assert."],
        Language::Jvm => &["assert", "verify(", "should"],
        Language::CSharp => &["Assert.", ".Should("],
        Language::Ruby => &["expect(", "expect {", "is_expected", "assert", "should", "refute"],
        Language::Php => &["->assert", "::assert", "expect("],
        Language::Swift => &["XCTAssert", "#expect(", "#require("],
        Language::C => &["EXPECT_", "ASSERT_", "REQUIRE(", "CHECK(", "assert("],
        Language::Rust
        | Language::Shell
        | Language::Style
        | Language::Docker
        | Language::Yaml
        | Language::Toml
        | Language::Markdown => &[],
    }
}

/// What runs one test over many cases. Tests that were merged into such a one are not deleted.
const fn tables(language: Language) -> &'static [&'static str] {
    match language {
        Language::Python => &["parametrize", "subTest(", "for "],
        Language::Script | Language::Component => &[".each", ".forEach(", "for ("],
        Language::Rust => &["#[case", "test_case(", "for "],
        Language::Go => &["t.Run(", "range "],
        Language::Jvm => &["@ParameterizedTest", "@CsvSource", "@ValueSource", "@MethodSource"],
        Language::CSharp => &["[InlineData", "[TestCase(", "[Theory"],
        Language::Php => &["DataProvider", "->with("],
        Language::C => &["INSTANTIATE_TEST", "GENERATE("],
        Language::Swift => &["arguments:", "for "],
        Language::Ruby => &[".each"],
        Language::Shell
        | Language::Style
        | Language::Docker
        | Language::Yaml
        | Language::Toml
        | Language::Markdown => &[],
    }
}
