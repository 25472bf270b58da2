//! How sources are read, and a printer that writes them back.

use super::super::ast::{Expression, ExpressionKind, Logic};
use super::super::literal::write_quoted;
use super::super::parser::parse;
use super::{assert_rows, describe};

/// A tree as source, with every operand in parentheses.
pub(super) fn print(expression: &Expression) -> String {
    let list = |items: &[Expression]| items.iter().map(print).collect::<Vec<_>>().join(", ");
    match &expression.kind {
        ExpressionKind::Bool(value) => value.to_string(),
        ExpressionKind::Int(value) => value.to_string(),
        ExpressionKind::Text(text) => {
            let mut quoted = String::new();
            write_quoted(&mut quoted, text).unwrap();
            quoted
        }
        ExpressionKind::List(items) => format!("[{}]", list(items)),
        ExpressionKind::Name(name) => name.clone(),
        ExpressionKind::Select { of, name } => format!("{}.{}", operand(of), name.text),
        ExpressionKind::Index { of, index } => format!("{}[{}]", operand(of), print(index)),
        ExpressionKind::Not(of) => format!("!{}", operand(of)),
        ExpressionKind::Negate(of) => format!("-{}", negated(of)),
        ExpressionKind::Logic { logic, operands } => {
            let sign = match logic {
                Logic::All => " && ",
                Logic::Any => " || ",
            };
            operands.iter().map(operand).collect::<Vec<_>>().join(sign)
        }
        ExpressionKind::Binary { operator, left, right } => {
            format!("{} {} {}", operand(left), operator.text(), operand(right))
        }
        ExpressionKind::Choose { condition, then, otherwise } => {
            format!("{} ? {} : {}", operand(condition), operand(then), operand(otherwise))
        }
        ExpressionKind::Call { receiver, name, arguments } => {
            let receiver = receiver.as_ref().map(|of| operand(of) + ".").unwrap_or_default();
            format!("{receiver}{}({})", name.text, list(arguments))
        }
    }
}

fn operand(expression: &Expression) -> String {
    match &expression.kind {
        ExpressionKind::Not(_)
        | ExpressionKind::Negate(_)
        | ExpressionKind::Logic { .. }
        | ExpressionKind::Binary { .. }
        | ExpressionKind::Choose { .. } => format!("({})", print(expression)),
        _ => print(expression),
    }
}

/// A minus would become part of the number that something begins with.
fn negated(expression: &Expression) -> String {
    match &expression.kind {
        ExpressionKind::Name(name) => name.clone(),
        _ => format!("({})", print(expression)),
    }
}

fn read(source: &str) -> String {
    parse(source).map_or_else(|error| describe(&error), |expression| print(&expression))
}

#[test]
fn operators_bind_as_in_cel() {
    assert_rows(
        &[
            ("and before or", "a || b && c || d", "a || (b && c) || d"),
            ("comparison before and", "a == 1 && b < 2", "(a == 1) && (b < 2)"),
            ("comparisons to the left", "a == b == c", "(a == b) == c"),
            ("in is a comparison", "a in b == c", "(a in b) == c"),
            ("sum before comparison", "a + 1 < b - 2", "(a + 1) < (b - 2)"),
            ("product before sum", "a + b * c % d / e", "a + (((b * c) % d) / e)"),
            ("sum to the left", "a - b - c", "(a - b) - c"),
            ("unary before product", "-a * !b", "(-a) * (!b)"),
            ("member before unary", "!a.b(c)[0].d", "!a.b(c)[0].d"),
            ("unary stacks", "!!a", "!(!a)"),
            ("choice to the right", "a ? b : c ? d : e", "a ? b : (c ? d : e)"),
            ("choice last", "a || b ? c && d : e", "(a || b) ? (c && d) : e"),
            ("parentheses", "(a || b) && c", "(a || b) && c"),
            ("minus behind a value", "a -1", "a - 1"),
            ("minus before a number", "a - -1", "a - -1"),
            ("minus twice", "--1", "-(-1)"),
            ("call without receiver", "size(a)", "size(a)"),
        ],
        read,
    );
}

#[test]
fn literals_are_read_as_in_cel() {
    assert_rows(
        &[
            ("int", "42", "42"),
            ("hex", "0xfF", "255"),
            ("smallest", "-9223372036854775808", "-9223372036854775808"),
            ("largest", "9223372036854775807", "9223372036854775807"),
            ("too large", "9223372036854775808", "0..19: the number does not fit into 64 bits"),
            ("too small", "-9223372036854775809", "0..20: the number does not fit into 64 bits"),
            (
                "beyond 64 bits",
                "99999999999999999999",
                "0..20: `99999999999999999999` is not a number (numbers are whole and fit into 64 bits, as in `42` or `0xff`)",
            ),
            (
                "fraction",
                "a < 1.5",
                "4..7: `1.5` is not a number (numbers are whole and fit into 64 bits, as in `42` or `0xff`)",
            ),
            (
                "unsigned",
                "1u",
                "0..2: `1u` is not a number (numbers are whole and fit into 64 bits, as in `42` or `0xff`)",
            ),
            ("bools", "[true, false]", "[true, false]"),
            ("list with a comma at its end", "[1, 2,]", "[1, 2]"),
            ("empty list", "[]", "[]"),
            ("single quotes", r#"'a"b'"#, r#""a\"b""#),
            ("double quotes", r#""it's""#, r#""it's""#),
            ("raw", r"r'\d+\'", r#""\\d+\\""#),
            ("raw in capitals", r#"R"\n""#, r#""\\n""#),
            ("triple", "'''a\n'b''c'''", r#""a\n'b''c""#),
            ("triple double", "\"\"\"a\"b\"\"\"", r#""a\"b""#),
            ("raw triple", "r'''\\\n'''", r#""\\\n""#),
            ("empty", "''", r#""""#),
            ("simple escapes", r#"'\a\b\f\n\r\t\v\\\?\"\'\`'"#, r#""\u0007\u0008\u000c\n\r\t\u000b\\?\"'`""#),
            ("hex escapes", r"'\x41\X42\u00e9\U0001F600'", r#""ABé😀""#),
            ("octal escape", r"'\101\377'", r#""Aÿ""#),
            ("comment", "1 // one\n + 2 // two", "1 + 2"),
            ("names with r and b", "rb + br", "rb + br"),
        ],
        read,
    );
}

#[test]
fn broken_sources_are_pointed_at() {
    let escape = "write `\\\\` for a backslash, or use a raw string: `r'…'`";
    let rows: Vec<(&str, &str, String)> = vec![
        ("empty", "", "0..0: expected a value, found the end".into()),
        ("only a comment", "// x", "4..4: expected a value, found the end".into()),
        ("no right side", "a &&", "4..4: expected a value, found the end".into()),
        ("two values", "a b", "2..3: expected an operator, found `b`".into()),
        ("and", "a and b", "2..5: expected an operator, found `and` (write `&&`)".into()),
        ("or", "a or b", "2..4: expected an operator, found `or` (write `||`)".into()),
        ("assignment", "a = 1", "2..3: unexpected `=` (write `==` to compare)".into()),
        ("single and", "a & b", "2..3: unexpected `&` (write `&&`)".into()),
        ("single or", "a | b", "2..3: unexpected `|` (write `||`)".into()),
        ("map", "{'a': 1}", "0..1: unexpected `{` (map literals are not part of the language)".into()),
        ("odd sign", "a # b", "2..3: unexpected `#`".into()),
        ("not ascii", "é", "0..2: unexpected `é`".into()),
        ("open parenthesis", "(a", "2..2: expected `)`, found the end".into()),
        ("wrong bracket", "(a]", "2..3: expected `)`, found `]`".into()),
        ("open call", "f(a, ", "5..5: expected a value, found the end".into()),
        ("open list", "[1", "2..2: expected `]`, found the end".into()),
        ("open index", "a[1", "3..3: expected `]`, found the end".into()),
        ("dot without a name", "a.1", "2..3: expected a name, found `1`".into()),
        ("dot before a word", "a.in", "2..4: expected a name, found `in`".into()),
        ("choice without colon", "a ? b", "5..5: expected `:`, found the end".into()),
        ("choice inside a choice", "a ? b ? c : d : e", "6..7: expected `:`, found `?`".into()),
        ("open string", "a == 'b", "5..7: the string is not closed (add `'`)".into()),
        ("string over lines", "'a\nb'", "0..2: the string is not closed (add `'`)".into()),
        ("open triple", "'''a'", "0..5: the string is not closed (add `'''`)".into()),
        ("open escape", r"'a\", "0..3: the string is not closed (add `'`)".into()),
        ("unknown escape", r"'a\q'", format!(r"2..4: unknown escape `\q` ({escape})")),
        ("short hex", r"'\x4'", format!(r"1..3: unknown escape `\x` ({escape})")),
        ("signed hex", r"'\x+4'", format!(r"1..3: unknown escape `\x` ({escape})")),
        ("surrogate", r"'\ud800'", format!(r"1..3: unknown escape `\u` ({escape})")),
        ("bytes", "b'a'", "0..1: byte strings are not part of the language (remove the prefix)".into()),
        ("reserved", "a == if", "5..7: `if` is a reserved word".into()),
        (
            "null",
            "a == null",
            "5..9: `null` is not part of the language (a field that is missing is empty: test it with `has(…)`)".into(),
        ),
    ];
    let rows: Vec<_> =
        rows.iter().map(|(name, source, expected)| (*name, *source, expected.as_str())).collect();
    assert_rows(&rows, read);
}

#[test]
fn hostile_sources_are_refused() {
    let deep = "nested more than 64 levels deep";
    let long = "longer than 16 KB";
    for (name, source, message) in [
        ("parentheses", "(".repeat(100_000), long),
        ("parentheses within the limit", "(".repeat(16_000), deep),
        ("brackets", "[".repeat(16_000), deep),
        ("nots", "!".repeat(16_000), deep),
        ("minuses", "-".repeat(16_000), deep),
        ("sums", "1+".repeat(8_000) + "1", deep),
        ("indexes", "a".to_owned() + &"[0]".repeat(5_000), deep),
        ("selections", "a".to_owned() + &".a".repeat(8_000), deep),
        ("choices", "a?a:".repeat(4_000) + "a", deep),
        ("choices to the left", "a?".repeat(8_000), "expected `:`, found `?`"),
        ("calls", "f(".repeat(8_000), deep),
    ] {
        assert_eq!(parse(&source).unwrap_err().message, message, "{name}");
    }
}

#[test]
fn long_chains_of_and_and_or_are_fine() {
    let source = vec!["a && b"; 1000].join(" || ");
    assert!(parse(&source).is_ok());
}
