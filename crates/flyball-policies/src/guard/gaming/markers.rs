//! The table of markers: what silences a check or skips a test, language by language.

use flyball_effects::lex::Language::{
    self, C, CSharp, Component, Docker, Go, Jvm, Markdown, Php, Python, Ruby, Rust, Script, Shell, Style,
    Swift, Toml, Yaml,
};

use super::settings::Extra;

/// Something that silences a check or skips a test.
#[derive(Debug)]
pub(super) struct Marker {
    /// Markers of one family can replace each other: only their total counts.
    pub(super) family: &'static str,
    /// The languages it is for.
    pub(super) languages: &'static [Language],
    /// How it is written. A space matches any number of them, also none.
    pub(super) needle: &'static str,
    /// Where it has to be.
    pub(super) place: Place,
    /// How serious it is.
    pub(super) weight: Weight,
}

/// Where a marker has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// At the beginning of a comment.
    Comment,
    /// In code, not as part of a longer name.
    Code,
    /// In code of test files, not as part of a longer name.
    TestCode,
    /// First in a line of code, in test files.
    TestStatement,
}

impl Place {
    const fn is_for_tests(self) -> bool {
        match self {
            Place::Comment | Place::Code => false,
            Place::TestCode | Place::TestStatement => true,
        }
    }
}

/// How serious a marker is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Weight {
    Suppression,
    /// Silences a check and warns when that is no longer needed: as good as one with a reason.
    Expectation,
    /// Only searched for if the config lists it.
    OptIn(Extra),
    Skip,
    /// Skips a test under a condition that it states.
    ConditionalSkip,
    /// Always passes.
    AlwaysPasses,
}

const fn comment(family: &'static str, languages: &'static [Language], needle: &'static str) -> Marker {
    Marker { family, languages, needle, place: Place::Comment, weight: Weight::Suppression }
}

const fn code(family: &'static str, languages: &'static [Language], needle: &'static str) -> Marker {
    Marker { place: Place::Code, ..comment(family, languages, needle) }
}

const fn skip(languages: &'static [Language], needle: &'static str) -> Marker {
    let marker = comment("skip", languages, needle);
    Marker { place: Place::TestCode, weight: Weight::Skip, ..marker }
}

const fn only(languages: &'static [Language], needle: &'static str) -> Marker {
    Marker { family: "only", ..skip(languages, needle) }
}

const fn condition(languages: &'static [Language], needle: &'static str) -> Marker {
    Marker { weight: Weight::ConditionalSkip, ..skip(languages, needle) }
}

const fn statement(languages: &'static [Language], needle: &'static str) -> Marker {
    Marker { place: Place::TestStatement, ..skip(languages, needle) }
}

const fn always_passes(languages: &'static [Language], needle: &'static str) -> Marker {
    Marker { family: "hollow", weight: Weight::AlwaysPasses, ..skip(languages, needle) }
}

const JS: &[Language] = &[Script, Component];
const JS_AND_STYLE: &[Language] = &[Script, Component, Style];
const CODE: &[Language] = &[
    Python, Script, Component, Style, Rust, Go, Shell, Docker, Yaml, Toml, Ruby, Jvm, C, CSharp, Swift, Php,
];

/// Every marker. Where one needle begins like another, the longer comes first.
pub(super) static MARKERS: &[Marker] = &[
    comment("noqa", &[Python, Yaml], "noqa"),
    comment("noqa", &[Python], "ruff: noqa"),
    comment("noqa", &[Python], "flake8: noqa"),
    comment("types", &[Python], "type: ignore"),
    comment("types", &[Python], "pyright: ignore"),
    comment("types", &[Python], "pyre-ignore"),
    comment("types", &[Python], "pyre-fixme"),
    comment("types", &[Python], "ty: ignore"),
    comment("whole-file types", &[Python], "mypy: ignore-errors"),
    comment("whole-file types", &[Python], "pyright: basic"),
    comment("pylint", &[Python], "pylint: disable"),
    comment("pylint", &[Python], "pylint: skip-file"),
    comment("security", &[Python, Go], "nosec"),
    comment("coverage", &[Python], "pragma: no cover"),
    comment("coverage", &[Python], "pragma: no branch"),
    comment("format", &[Python], "fmt: off"),
    comment("format", &[Python], "fmt: skip"),
    comment("types", JS, "@ts-ignore"),
    Marker { weight: Weight::Expectation, ..comment("types", JS, "@ts-expect-error") },
    comment("whole-file types", JS, "@ts-nocheck"),
    comment("lint", JS, "eslint-disable"),
    comment("lint", JS_AND_STYLE, "biome-ignore"),
    comment("lint", JS, "oxlint-disable"),
    comment("lint", JS, "deno-lint-ignore"),
    comment("lint", &[Style, Component], "stylelint-disable"),
    comment("format", JS_AND_STYLE, "prettier-ignore"),
    comment("coverage", JS, "istanbul ignore"),
    comment("coverage", JS, "c8 ignore"),
    comment("coverage", JS, "v8 ignore"),
    Marker { weight: Weight::OptIn(Extra::AsAny), ..code("any", JS, "as any") },
    code("lint", &[Rust], "#[allow("),
    code("lint", &[Rust], "#![allow("),
    Marker { weight: Weight::OptIn(Extra::RustExpect), ..code("lint", &[Rust], "#[expect(") },
    Marker { weight: Weight::OptIn(Extra::RustExpect), ..code("lint", &[Rust], "#![expect(") },
    code("format", &[Rust], "#[rustfmt::skip]"),
    comment("lint", &[Go], "nolint"),
    comment("lint", &[Go], "lint:ignore"),
    comment("lint", &[Go], "lint:file-ignore"),
    comment("lint", &[Shell, Yaml], "shellcheck disable"),
    comment("lint", &[Docker], "hadolint ignore"),
    comment("lint", &[Docker], "hadolint global ignore"),
    comment("security", &[Docker, Yaml], "checkov:skip"),
    comment("security", &[Docker, Yaml], "trivy:ignore"),
    comment("security", &[Yaml], "zizmor: ignore"),
    comment("lint", &[Yaml], "yamllint disable"),
    comment("lint", &[Markdown], "markdownlint-disable"),
    comment("lint", &[Markdown], "markdownlint-configure-file"),
    comment("lint", &[Ruby], "rubocop:disable"),
    comment("lint", &[Ruby], "rubocop:todo"),
    comment("coverage", &[Ruby], ":nocov:"),
    code("lint", &[Jvm], "@SuppressWarnings"),
    code("lint", &[Jvm], "@file:Suppress("),
    code("lint", &[Jvm], "@Suppress("),
    code("lint", &[Jvm, CSharp], "@SuppressLint("),
    comment("lint", &[C], "NOLINTNEXTLINE"),
    comment("lint", &[C], "NOLINTBEGIN"),
    comment("lint", &[C], "NOLINT"),
    comment("lint", &[C], "cppcheck-suppress"),
    code("warnings", &[C], "#pragma GCC diagnostic ignored"),
    code("warnings", &[C], "#pragma clang diagnostic ignored"),
    code("warnings", &[C], "#pragma warning (disable"),
    code("warnings", &[CSharp], "#pragma warning disable"),
    code("warnings", &[CSharp], "[SuppressMessage("),
    comment("lint", &[Swift], "swiftlint:disable"),
    comment("types", &[Php], "@phpstan-ignore"),
    comment("types", &[Php], "@psalm-suppress"),
    comment("coverage", &[Php], "@codeCoverageIgnore"),
    comment("coverage", &[Php], "@codeCoverageIgnoreStart"),
    comment("lint", &[Php], "phpcs:ignore"),
    comment("lint", &[Php], "phpcs:disable"),
    comment("security", CODE, "nosemgrep"),
    comment("security", CODE, "NOSONAR"),
    comment("secrets", CODE, "pragma: allowlist secret"),
    comment("secrets", CODE, "gitleaks:allow"),
    // Skipped tests.
    condition(&[Python], "pytest.mark.skipif"),
    skip(&[Python], "pytest.mark.skip"),
    skip(&[Python], "pytest.mark.xfail"),
    skip(&[Python], "pytest.skip("),
    skip(&[Python], "pytest.xfail("),
    condition(&[Python], "unittest.skipIf("),
    condition(&[Python], "unittest.skipUnless("),
    skip(&[Python], "collect_ignore_glob"),
    skip(&[Python], "collect_ignore"),
    skip(&[Python], "pytest_ignore_collect"),
    skip(&[Python], "__test__ = False"),
    skip(&[Python], "unittest.skip"),
    skip(&[Python], "unittest.expectedFailure"),
    skip(&[Python], "self.skipTest("),
    condition(&[Python], "@skipIf("),
    condition(&[Python], "@skipUnless("),
    skip(&[Python], "@skip"),
    skip(JS, "it.skip"),
    skip(JS, "test.skip"),
    skip(JS, "describe.skip"),
    skip(JS, "suite.skip"),
    skip(JS, "context.skip"),
    skip(JS, "test.describe.skip"),
    condition(JS, "it.skipIf("),
    condition(JS, "test.skipIf("),
    condition(JS, "describe.skipIf("),
    skip(JS, "xit("),
    skip(JS, "xtest("),
    skip(JS, "xdescribe("),
    skip(JS, "xcontext("),
    skip(JS, "it.todo"),
    skip(JS, "test.todo"),
    skip(JS, "test.fixme"),
    skip(JS, "test.failing"),
    skip(JS, "it.failing"),
    only(JS, "it.only"),
    only(JS, "test.only"),
    only(JS, "describe.only"),
    only(JS, "fit("),
    only(JS, "fdescribe("),
    Marker { place: Place::Code, ..skip(&[Rust], "#[ignore") },
    skip(&[Go], "t.Skip("),
    skip(&[Go], "t.Skipf("),
    skip(&[Go], "t.SkipNow("),
    condition(&[Jvm], "@DisabledIf"),
    condition(&[Jvm], "@DisabledOn"),
    skip(&[Jvm], "@Disabled"),
    skip(&[Jvm], "@Ignore"),
    skip(&[CSharp], "[Ignore"),
    skip(&[CSharp], "(Skip ="),
    statement(&[Ruby], "skip"),
    statement(&[Ruby], "pending"),
    statement(&[Ruby], "xit"),
    statement(&[Ruby], "xdescribe"),
    statement(&[Shell], "skip"),
    skip(&[Swift], "XCTSkip("),
    skip(&[Php], "markTestSkipped("),
    skip(&[Php], "markTestIncomplete("),
    skip(&[C], "GTEST_SKIP("),
    skip(&[C], "DISABLED_"),
    // Assertions that are always true.
    always_passes(&[Python], "assert True"),
    always_passes(&[Python], "assert 1 == 1"),
    always_passes(&[Python], "self.assertTrue(True)"),
    always_passes(JS, "expect(true).toBe(true)"),
    always_passes(JS, "expect(true).toBeTruthy()"),
    always_passes(JS, "expect(true).toEqual(true)"),
    always_passes(JS, "expect(1).toBe(1)"),
    always_passes(JS, "assert(true)"),
    always_passes(JS, "assert.ok(true)"),
    Marker { place: Place::Code, ..always_passes(&[Rust], "assert!(true)") },
    always_passes(&[Go], "assert.True(t, true)"),
    always_passes(&[Jvm], "assertTrue(true)"),
    always_passes(&[CSharp], "Assert.True(true)"),
    always_passes(&[Ruby], "expect(true).to be"),
    always_passes(&[Ruby], "assert true"),
    always_passes(&[Swift], "XCTAssertTrue(true)"),
    always_passes(&[Php], "assertTrue(true)"),
    always_passes(&[C], "EXPECT_TRUE(true)"),
];

impl Marker {
    /// A word that the marker must contain.
    fn word(&self) -> &'static str {
        let words = self.needle.split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_'));
        words
            .reduce(|longest, word| if word.len() > longest.len() { word } else { longest })
            .unwrap_or_default()
    }

    /// Whether a text could contain it.
    fn could_be_in(&self, text: &str) -> bool {
        text.contains(self.word()) || (self.family == "noqa" && text.contains("NOQA"))
    }

    /// Whether it is searched for at all.
    fn is_enabled(&self, also: &[Extra]) -> bool {
        match self.weight {
            Weight::OptIn(extra) => also.contains(&extra),
            Weight::Suppression
            | Weight::Expectation
            | Weight::Skip
            | Weight::ConditionalSkip
            | Weight::AlwaysPasses => true,
        }
    }
}

/// The markers of a language.
pub(super) fn for_language(language: Language) -> impl Iterator<Item = &'static Marker> {
    MARKERS.iter().filter(move |marker| marker.languages.contains(&language))
}

/// Whether a text could contain a marker of a language: a cheap test before the search.
pub(super) fn could_be_in(text: &str, (language, is_test): (Language, bool), also: &[Extra]) -> bool {
    let is_searched_for =
        |marker: &&Marker| marker.is_enabled(also) && (is_test || !marker.place.is_for_tests());
    for_language(language).filter(is_searched_for).any(|marker| marker.could_be_in(text))
        || (language == Rust && text.contains("cfg_attr"))
        || (also.contains(&Extra::EmptyCatch) && (text.contains("catch") || text.contains("except")))
}

/// `#[cfg_attr(…, allow(…))]`.
pub(super) static CONDITIONAL_ALLOW: Marker = code("lint", &[Rust], "#[cfg_attr(…, allow(");

/// `#[cfg_attr(…, ignore)]`.
pub(super) static CONDITIONAL_IGNORE: Marker = condition(&[Rust], "#[cfg_attr(…, ignore");

/// `except: pass` and `catch {}`.
pub(super) static EMPTY_CATCH: Marker =
    Marker { weight: Weight::OptIn(Extra::EmptyCatch), ..code("empty catch", CODE, "an empty catch") };

/// The rest after a needle that `text` begins with. Spaces of the needle match any number of spaces;
/// a needle that ends in a letter does not match the beginning of a longer word.
pub(super) fn strip_needle<'a>(text: &'a str, needle: &str) -> Option<&'a str> {
    let mut rest = text;
    for letter in needle.chars() {
        if letter == ' ' {
            rest = rest.trim_start_matches([' ', '\t']);
            continue;
        }
        rest = rest.trim_start_matches(if ignores_spaces(needle) { &[' ', '\t'][..] } else { &[] });
        let found = rest.chars().next()?;
        // Its linters accept `noqa` in any case.
        if found != letter && !(needle == "noqa" && found.eq_ignore_ascii_case(&letter)) {
            return None;
        }
        rest = rest.get(found.len_utf8()..)?;
    }
    let ends_in_word = needle.ends_with(|letter: char| letter.is_ascii_alphanumeric());
    (!(ends_in_word && rest.starts_with(|letter: char| letter.is_alphanumeric() || letter == '_')))
        .then_some(rest)
}

/// Assertions are compared without their spaces.
fn ignores_spaces(needle: &str) -> bool {
    needle.contains("rue)")
}
