//! What changed lines look like, where no single word shows it.

/// Whether changed lines have a form.
type IsThere = fn(&str) -> bool;

/// The forms of code that rules are often about, as the table of topics names them.
pub(super) const ALL: [(&str, IsThere); 12] = [
    ("{text}", shows_text),
    ("{swallow}", swallows),
    ("{hex}", has_hex_colour),
    ("{loose}", has_loose_version),
    ("{requirement}", names_version),
    ("{joined-sql}", joins_sql),
    ("{secret-compare}", compares_secret),
    ("{bare-variable}", has_bare_variable),
    ("{raw-sql}", has_raw_sql),
    ("{untyped}", has_untyped_function),
    ("{unwrapped}", loses_a_cause),
    ("{star-import}", imports_all),
];

/// A text that people read: between tags, or a sentence in quotes.
fn shows_text(text: &str) -> bool {
    let is_sentence = |text: &str| {
        let text = text.trim();
        text.starts_with(|letter: char| letter.is_uppercase())
            && text.get(1..).is_some_and(|rest| rest.starts_with(|letter: char| letter.is_lowercase()))
            && text.chars().all(|letter| !"<>{}()=;_$".contains(letter))
    };
    let between_tags = |line: &str| {
        line.split('>').skip(1).any(|piece| piece.split_once('<').is_some_and(|(text, _)| is_sentence(text)))
    };
    let quoted = |line: &str| {
        let pieces = line.split(['"', '\'']).skip(1).step_by(2);
        pieces.filter(|piece| piece.contains(' ')).any(|piece| {
            is_sentence(piece) && piece.split(' ').skip(1).all(|word| word.chars().any(char::is_alphabetic))
        })
    };
    text.lines().any(|line| between_tags(line) || quoted(line))
}

/// An error that nobody handles.
fn swallows(text: &str) -> bool {
    let dense: String = text.chars().filter(|letter| !letter.is_whitespace()).collect();
    let empty_catch = dense.match_indices("catch").any(|(at, found)| {
        let after = dense.get(at + found.len()..).unwrap_or_default();
        let after = after.strip_prefix('(').and_then(|it| it.split_once(')')).map_or(after, |(_, rest)| rest);
        after.starts_with("{}")
    });
    let mut lines = text.lines().map(str::trim).peekable();
    let mut empty_except = false;
    while let Some(line) = lines.next() {
        let is_except = line.starts_with("except") && line.ends_with(':');
        empty_except |= is_except && lines.peek().is_some_and(|next| *next == "pass");
        empty_except |= line.starts_with("_ = ");
    }
    empty_catch || empty_except
}

fn has_hex_colour(text: &str) -> bool {
    text.split('#').skip(1).any(|after| {
        let digits = after.chars().take_while(char::is_ascii_hexdigit).count();
        let next = after.chars().nth(digits);
        matches!(digits, 3 | 6 | 8) && !next.is_some_and(char::is_alphanumeric)
    })
}

/// A version that allows others: `^1.2`, `>=3`, `@v4`.
fn has_loose_version(text: &str) -> bool {
    let digit_after = |mark: &str| {
        text.match_indices(mark).any(|(at, _)| {
            let after = text.get(at + mark.len()..).unwrap_or_default().trim_start();
            after.starts_with(|letter: char| letter.is_ascii_digit())
        })
    };
    ["\"^", "\"~", "'^", "'~", "\">", "\">=", "@v"].iter().any(|mark| digit_after(mark))
        || text.contains("@latest")
}

/// A number with dots after a name, as in a list of dependencies.
fn names_version(text: &str) -> bool {
    text.lines().any(|line| {
        let bytes = line.as_bytes();
        let is_version = |three: &[u8]| match three {
            [one, b'.', two] => one.is_ascii_digit() && two.is_ascii_digit(),
            _ => false,
        };
        line.contains(|letter: char| letter.is_alphabetic()) && bytes.windows(3).any(is_version)
    })
}

/// A query that is put together from pieces.
fn joins_sql(text: &str) -> bool {
    text.lines().any(|line| {
        let lower = line.to_ascii_lowercase();
        let is_query = ["select ", "insert into", "update ", "delete from", "where "]
            .iter()
            .any(|it| lower.contains(it));
        let dense: String = lower.chars().filter(|letter| !letter.is_whitespace()).collect();
        let is_joined =
            ["\"+", "'+", "+\"", "+'", "f\"", "f'", "%s", "${"].iter().any(|it| dense.contains(it));
        is_query && is_joined && !lower.contains("sql`")
    })
}

/// A secret that is compared like any other text.
fn compares_secret(text: &str) -> bool {
    text.lines().any(|line| {
        let lower = line.to_ascii_lowercase();
        let has_secret = ["token", "password", "secret", "signature", "digest", "hash"]
            .iter()
            .any(|it| lower.contains(it));
        has_secret && (lower.contains("==") || lower.contains("!="))
    })
}

/// A variable of a shell outside of quotes.
fn has_bare_variable(text: &str) -> bool {
    text.lines().any(|line| {
        line.match_indices('$').any(|(at, _)| {
            let before = line.get(..at).and_then(|before| before.chars().next_back());
            let after = line.get(at + 1..).and_then(|after| after.chars().next());
            matches!(before, Some(' ' | '='))
                && after
                    .is_some_and(|letter| letter == '{' || letter.is_ascii_alphanumeric() || letter == '_')
        })
    })
}

/// A statement for a database in quotes.
fn has_raw_sql(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    ["select ", "insert into ", "update ", "delete from ", "create table ", "drop table "].iter().any(
        |verb| {
            lower.match_indices(verb).any(|(at, _)| {
                let before = lower.get(..at).unwrap_or_default().trim_end();
                before.ends_with(['"', '\'', '`'])
            })
        },
    )
}

/// A function of Python with a parameter of which nothing says the type. Tests get their parameters by name.
fn has_untyped_function(text: &str) -> bool {
    text.lines().map(str::trim).any(|line| {
        let head = line.strip_prefix("async ").unwrap_or(line).strip_prefix("def ");
        let signature = head.filter(|it| !it.starts_with("test_")).and_then(|it| it.split_once('('));
        let Some((parameters, _)) = signature.and_then(|(_, it)| it.rsplit_once(')')) else { return false };
        let mut names = parameters.split(',').map(str::trim).filter(|it| !it.is_empty());
        let is_untyped = |name: &str| {
            !name.contains(':') && !name.starts_with(['_', '*', '/']) && !matches!(name, "self" | "cls")
        };
        !parameters.contains(['[', '(']) && names.any(is_untyped)
    })
}

/// An error of Go that is put into another one as text.
fn loses_a_cause(text: &str) -> bool {
    text.lines().any(|line| {
        line.contains("fmt.Errorf(")
            && !line.contains("%w")
            && line.rsplit(',').next().is_some_and(|it| it.contains("err"))
    })
}

/// `from a import *`, `import a.*;`
fn imports_all(text: &str) -> bool {
    text.lines().map(str::trim).any(|line| {
        (line.starts_with("from ") && line.ends_with("import *"))
            || (line.starts_with("import ") && line.trim_end_matches(';').ends_with(".*"))
            || (line.starts_with("use ") && line.trim_end_matches(';').ends_with("::*"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shape_of_code_is_seen() {
        let cases = [
            ("{text}", "<button>Send invite</button>", "<button>{t(\"send\")}</button>"),
            ("{text}", "raise(\"Something went wrong\")", "import \"a/b\""),
            ("{swallow}", "try { a() } catch (e) {\n}", "catch (e) { throw e }"),
            ("{swallow}", "except ValueError:\n    pass", "except ValueError:\n    raise"),
            ("{hex}", "color: #0af;", "see #12345"),
            ("{loose}", "\"lodash\": \"^4.1\"", "\"lodash\": \"4.1.0\""),
            ("{requirement}", "github.com/a/b v1.2.3", "module a"),
            ("{joined-sql}", "\"select a where b = '\" + c", "sql`select a where b = ${c}`"),
            ("{secret-compare}", "if token == given:", "if size == 3:"),
            ("{bare-variable}", "rm $file", "rm \"$file\""),
            ("{raw-sql}", "db.execute(\"SELECT a FROM b\")", "// select a from the list"),
            ("{untyped}", "def total(prices):", "def total(self, price: int, *, _=None) -> int:"),
            ("{unwrapped}", "fmt.Errorf(\"a: %v\", err)", "fmt.Errorf(\"a: %w\", err)"),
            ("{star-import}", "from a import *", "from a import b"),
        ];
        for (name, yes, no) in cases {
            let (_, is_so) = ALL.iter().find(|(shape, _)| *shape == name).unwrap();
            assert!(is_so(yes) && !is_so(no), "{name}: {yes} / {no}");
        }
    }
}
