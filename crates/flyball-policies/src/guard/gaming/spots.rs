//! Finds the markers in a text, each with its line and whether it has a reason.

use flyball_effects::lex::{Comment, Language, Lexed, is_first_in_line, window};

use super::markers::{self, Marker, Place, Weight, strip_needle};
use super::settings::Extra;

/// A marker at its place.
#[derive(Clone, Debug)]
pub(super) struct Spot {
    pub(super) marker: &'static Marker,
    /// Its line, from 1.
    pub(super) line: usize,
    /// The marker with its codes and its reason, as written.
    pub(super) text: String,
    /// Whether it states a reason or a condition.
    pub(super) is_justified: bool,
}

/// All markers of a text.
pub(super) fn spots(lexed: &Lexed<'_>, language: Language, is_test: bool, also: &[Extra]) -> Vec<Spot> {
    let reader = Reader { lexed, language };
    let mut found = Vec::new();
    for comment in &lexed.comments {
        reader.read_comment(comment, &mut found);
    }
    for marker in markers::for_language(language) {
        match marker.place {
            Place::Comment => {}
            Place::TestCode | Place::TestStatement if !is_test => {}
            Place::Code | Place::TestCode | Place::TestStatement => reader.read_code(marker, &mut found),
        }
    }
    if language == Language::Rust {
        reader.read_conditional_attributes(&mut found);
    }
    if also.contains(&Extra::EmptyCatch) {
        reader.read_empty_catches(&mut found);
    }
    found.sort_by_key(|spot| spot.line);
    found
}

/// The most markers in one comment.
const MOST_PIECES: usize = 16;

struct Reader<'a> {
    lexed: &'a Lexed<'a>,
    language: Language,
}

impl Reader<'_> {
    fn read_comment(&self, comment: &Comment<'_>, found: &mut Vec<Spot>) {
        if comment.is_line {
            let body = comment.text.trim_start_matches(['/', '#', '!']);
            self.read_pieces(comment.start, body, found);
            return;
        }
        let body = comment.text.trim_start_matches("<!--").trim_end_matches("-->");
        let body = body.trim_end_matches("*/").trim_start_matches(['/', '*']);
        let lines = body.split('\n').map(|line| line.trim().trim_start_matches(['*', ' ']));
        let directives = lines.filter(|line| !line.is_empty());
        // Elsewhere a directive begins the comment; annotations may be in any line.
        let count = if self.language == Language::Php { usize::MAX } else { 1 };
        for line in directives.take(count) {
            // `line` is a slice of the text, so the distance between the two is its offset.
            let offset = (line.as_ptr() as usize).saturating_sub(self.lexed.text.as_ptr() as usize);
            self.read_pieces(offset, line, found);
        }
    }

    /// `# type: ignore  # noqa`: each piece of a comment may be a marker of its own, and what
    /// follows it the reason for it.
    fn read_pieces(&self, start: usize, body: &str, found: &mut Vec<Spot>) {
        let pieces: Vec<&str> =
            body.split('#').flat_map(|piece| piece.split("//")).map(str::trim).take(MOST_PIECES).collect();
        for (index, piece) in pieces.iter().enumerate() {
            let Some((marker, rest)) = self.marker_at(piece) else { continue };
            let mut later = pieces.iter().skip(index + 1);
            let is_justified = is_explained(rest, marker.needle)
                || later.any(|other| self.marker_at(other).is_none() && is_reason(other));
            let is_justified = is_justified || self.is_idiom(marker, start);
            let line = self.lexed.line_of(start);
            found.push(Spot { marker, line, text: (*piece).to_owned(), is_justified });
        }
    }

    /// Whether the line itself is a reason: code that only runs as a program, only for the type
    /// checker or not at all cannot be covered by a test.
    fn is_idiom(&self, marker: &Marker, start: usize) -> bool {
        const UNCOVERED: &[&str] = &[
            "if __name__ ==",
            "if TYPE_CHECKING:",
            "if typing.TYPE_CHECKING:",
            "raise NotImplementedError",
            "...",
        ];
        let code = self.lexed.code_before(start).rsplit('\n').next().unwrap_or_default().trim();
        marker.needle == "pragma: no cover" && UNCOVERED.iter().any(|idiom| code.starts_with(idiom))
    }

    fn marker_at<'t>(&self, piece: &'t str) -> Option<(&'static Marker, &'t str)> {
        let mut comments =
            markers::for_language(self.language).filter(|marker| marker.place == Place::Comment);
        comments.find_map(|marker| Some((marker, strip_needle(piece, marker.needle)?)))
    }

    fn read_code(&self, marker: &'static Marker, found: &mut Vec<Spot>) {
        // Spaces may vary, so only the part before the first is searched for; then all of it is compared.
        let head = marker.needle.split([' ', ')']).next().unwrap_or(marker.needle);
        for (at, _) in self.lexed.code.match_indices(head) {
            let here = self.lexed.code.get(at..).unwrap_or_default();
            let Some(rest) = strip_needle(here, marker.needle) else { continue };
            if self.is_inside_name(at, marker) || !self.fits(marker, at, rest) {
                continue;
            }
            found.push(self.spot(marker, at));
        }
    }

    fn is_inside_name(&self, at: usize, marker: &Marker) -> bool {
        let before = self.lexed.code.get(..at).and_then(|before| before.chars().next_back());
        marker.needle.starts_with(|letter: char| letter.is_alphanumeric())
            && before.is_some_and(|letter| letter.is_alphanumeric() || "_.$".contains(letter))
            // `self.markTestSkipped`, `$this->assertTrue`: methods of the test case.
            && !(before == Some('.') && matches!(self.language, Language::Jvm | Language::CSharp))
    }

    fn fits(&self, marker: &Marker, at: usize, rest: &str) -> bool {
        let next = rest.trim_start_matches([' ', '\t']).chars().next();
        match (marker.place, marker.weight) {
            (Place::TestStatement, _) => {
                is_first_in_line(&self.lexed.code, at)
                    && next.is_none_or(|it| "\n\"'(;#".contains(it) || it == 'i')
            }
            // `assert True == x` is a real assertion.
            (_, Weight::AlwaysPasses)
                if !marker.needle.ends_with(')') && self.language == Language::Python =>
            {
                next.is_none_or(|it| "\n\r,".contains(it))
            }
            _ => true,
        }
    }

    fn spot(&self, marker: &'static Marker, at: usize) -> Spot {
        let line = self.lexed.line_of(at);
        let text = self.lexed.written_from(at).to_owned();
        let is_justified = match marker.weight {
            Weight::Suppression | Weight::Expectation | Weight::OptIn(_) => {
                self.attribute_says_why(at) || self.comment_says_why(line)
            }
            Weight::Skip => self.is_under_condition(at) || self.has_condition(at, marker),
            Weight::ConditionalSkip => true,
            Weight::AlwaysPasses => false,
        };
        Spot { marker, line, text, is_justified }
    }

    fn attribute_says_why(&self, at: usize) -> bool {
        let attribute = self.lexed.code_from(at).split(']').next().unwrap_or_default();
        self.language == Language::Rust && attribute.contains("reason")
    }

    fn comment_says_why(&self, line: usize) -> bool {
        self.lexed.comments_in(line).any(|comment| is_reason(comment.text.trim_matches(['/', '*', '#', ' '])))
    }

    /// `if testing.Short() { t.Skip() }`.
    fn is_under_condition(&self, at: usize) -> bool {
        let before = self.lexed.code_before(at);
        let mut lines = before.rsplit('\n');
        let own = lines.next().unwrap_or_default().trim();
        let previous = lines.map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
        let is_condition = |line: &str| {
            let words = ["if ", "if(", "elif ", "else", "} else", "except", "unless ", "case ", "&& "];
            words.iter().any(|word| line.starts_with(word))
        };
        is_condition(own) || (own.is_empty() && is_condition(previous))
    }

    /// `test.skip(browserName === 'webkit', 'why')`, where the name of a test would be; and the mark
    /// that a hook of pytest gives to some of the tests.
    fn has_condition(&self, at: usize, marker: &Marker) -> bool {
        let written = window(self.lexed.text, at);
        match (self.language, marker.needle) {
            (Language::Script | Language::Component, "test.skip" | "test.fixme") => {
                let first = strip_needle(written, marker.needle).and_then(|rest| rest.strip_prefix('('));
                first.is_some_and(|first| !first.trim_start().starts_with(['\'', '"', '`', ')']))
            }
            (Language::Python, "pytest.mark.skip") => {
                let own = self.lexed.code_before(at).rsplit('\n').next().unwrap_or_default();
                let name = own.trim_start().strip_suffix(" = ");
                own.starts_with([' ', '\t'])
                    && name.is_some_and(|name| name != "pytestmark" && !name.contains(['=', '(', ' ']))
            }
            _ => false,
        }
    }

    /// `#[cfg_attr(…, allow(…))]` and `#[cfg_attr(…, ignore)]`.
    fn read_conditional_attributes(&self, found: &mut Vec<Spot>) {
        for (at, _) in self.lexed.code.match_indices("[cfg_attr(") {
            let attribute = self.lexed.code_from(at).split(']').next().unwrap_or_default();
            if attribute.contains("allow(") {
                found.push(self.spot(&markers::CONDITIONAL_ALLOW, at));
            }
            if attribute.contains(", ignore") {
                found.push(self.spot(&markers::CONDITIONAL_IGNORE, at));
            }
        }
    }

    /// `catch {}` without even a comment in it, and `except: pass`.
    fn read_empty_catches(&self, found: &mut Vec<Spot>) {
        let word = if self.language == Language::Python { "except" } else { "catch" };
        for (at, _) in self.lexed.code.match_indices(word) {
            let code = window(self.lexed.text, at);
            let is_empty = if self.language == Language::Python {
                code.split_once(':').is_some_and(|(_, body)| {
                    let first = body.split_whitespace().next();
                    matches!(first, Some("pass" | "..."))
                })
            } else {
                let body = code.split_once('{').map(|(_, body)| body.trim_start());
                body.is_some_and(|body| body.starts_with('}'))
            };
            if is_empty {
                found.push(self.spot(&markers::EMPTY_CATCH, at));
            }
        }
    }
}

/// What separates the codes of a marker from its reason.
const SEPARATORS: &[&str] = &[" -- ", " - ", " — ", " – ", ": "];

/// Whether the text after a marker gives a reason.
fn is_explained(rest: &str, needle: &str) -> bool {
    let free = match needle {
        "@ts-ignore" | "@ts-expect-error" => Some(rest.trim_start_matches([':', '-', ' ', '('])),
        "lint:ignore" | "lint:file-ignore" | "cppcheck-suppress" => {
            rest.trim_start().split_once(' ').map(|it| it.1)
        }
        _ => None,
    };
    if free.is_some_and(is_reason) {
        return true;
    }
    let after = SEPARATORS.iter().find_map(|separator| {
        // A `: ` right after the marker begins its codes (`noqa: E501`), not a reason.
        let at = rest.find(separator).filter(|at| *at > 0 || *separator != ": ")?;
        rest.get(at + separator.len()..)
    });
    after.is_some_and(is_reason)
}

/// Whether a text is a reason: two words or a long one, and not only a TODO.
fn is_reason(text: &str) -> bool {
    let text = text.trim();
    // Biome inserts `<explanation>` as a placeholder.
    if text.starts_with('<') || ["TODO", "FIXME", "XXX"].iter().any(|word| text.starts_with(word)) {
        return false;
    }
    let letters = |word: &str| word.chars().filter(|letter| letter.is_alphabetic()).count();
    let words: Vec<usize> = text.split_whitespace().map(letters).filter(|count| *count >= 2).collect();
    words.len() >= 2 || words.iter().any(|count| *count >= 8)
}
