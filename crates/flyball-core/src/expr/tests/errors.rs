//! What the checker says about sources that cannot be right.

use super::*;

fn check_condition(source: &str) -> String {
    match compile(source, &EVENT, Type::BOOL) {
        Err(error) => describe(&error),
        Ok(_) => "accepted".to_owned(),
    }
}

#[test]
fn unknown_names_are_pointed_at_with_the_nearest() {
    assert_rows(
        &[
            ("name", "tol.name == 'a'", "0..3: unknown name `tol` (did you mean `tool`?)"),
            (
                "far name",
                "elephant",
                "0..8: unknown name `elephant` (the fields are `tool`, `shell`, `edits`, `labels`, `words`, `numbers`, `count`, `open`, `missing`)",
            ),
            ("not", "not open", "4..8: expected an operator, found `open`"),
            (
                "not with parentheses",
                "not(open)",
                "0..3: unknown function `not` (only `has(…)` and `size(…)` are called without a value before them)",
            ),
            ("not alone", "not", "0..3: unknown name `not` (write `!`)"),
            ("field", "tool.comand == 'a'", "5..11: unknown field `comand` (did you mean `command`?)"),
            (
                "far field",
                "tool.elephant",
                "5..13: unknown field `elephant` (the fields are `name`, `command`, `path`)",
            ),
            (
                "field of an item",
                "shell.commands.exists(c, c.programm == 'a')",
                "27..35: unknown field `programm` (did you mean `program`?)",
            ),
            (
                "variable",
                "words.exists(word, wrd == 'a')",
                "19..22: unknown name `wrd` (did you mean `word`?)",
            ),
            (
                "variable outside",
                "words.exists(w, true) && w == 'a'",
                "25..26: unknown name `w` (the fields are `tool`, `shell`, `edits`, `labels`, `words`, `numbers`, `count`, `open`, `missing`)",
            ),
            (
                "function",
                "tool.name.startswith('a')",
                "10..20: unknown function `startswith` (did you mean `startsWith`?)",
            ),
            (
                "function in snake case",
                "tool.name.starts_with('a')",
                "10..21: unknown function `starts_with` (did you mean `startsWith`?)",
            ),
            (
                "far function",
                "words.fold(w, w)",
                "6..10: unknown function `fold` (list of string has `size`, `exists`, `all`, `exists_one`, `filter`, `map`)",
            ),
            ("function of an int", "count.abs()", "6..9: unknown function `abs` (int has no functions)"),
            (
                "function without receiver",
                "contains('a', 'b')",
                "0..8: unknown function `contains` (call it on a value: `x.contains(…)`)",
            ),
            ("global", "sise(words) > 1", "0..4: unknown function `sise` (did you mean `size`?)"),
            (
                "field of a string",
                "tool.name.size == 1",
                "10..14: string has no field `size` (call it: `size(…)`)",
            ),
            (
                "macro as a field",
                "words.exists",
                "6..12: list of string has no field `exists` (call it: `exists(x, …)`)",
            ),
            (
                "field of a list",
                "edits.path == 'a'",
                "6..10: list of record has no field `path` (look at its items with `exists(x, …)` or `[0]`)",
            ),
            ("field of an int", "count.x", "6..7: int has no field `x`"),
        ],
        check_condition,
    );
}

#[test]
fn operands_must_fit() {
    assert_rows(
        &[
            (
                "result",
                "tool.name",
                "0..9: expected bool, found string (a condition is true or false: compare the value, or test it with `has(…)`)",
            ),
            ("equality", "tool.name == 1", "0..14: `==` cannot compare string with int"),
            (
                "inequality of lists",
                "words != numbers",
                "0..16: `!=` cannot compare list of string with list of int",
            ),
            ("chained equality", "count == 1 == 2", "0..15: `==` cannot compare bool with int"),
            ("chained equality that fits", "count == 1 == true", "accepted"),
            ("records", "tool == tool", "0..12: records and maps cannot be compared (compare their fields)"),
            ("maps", "labels != labels", "0..16: records and maps cannot be compared (compare their fields)"),
            (
                "order of bools",
                "open < true",
                "0..11: `<` needs two ints or two strings, found bool and bool",
            ),
            (
                "order of a mix",
                "count >= 'a'",
                "0..12: `>=` needs two ints or two strings, found int and string",
            ),
            ("sum", "count + 'a' == 'b'", "0..11: `+` needs two ints or two strings, found int and string"),
            ("difference", "'a' - 'b' == 'c'", "0..9: `-` needs two ints, found string and string"),
            ("and", "open && count", "8..13: expected bool, found int"),
            ("or", "tool.name || open", "0..9: expected bool, found string"),
            ("not", "!count", "1..6: expected bool, found int"),
            ("minus", "-open", "1..5: expected int, found bool"),
            ("choice", "count ? open : open", "0..5: expected bool, found int"),
            (
                "branches",
                "(open ? 1 : 'a') == 1",
                "0..16: `?` chooses between int and string (both must have one type)",
            ),
            (
                "list",
                "1 in [1, 'a']",
                "9..12: expected int, found string (the items of a list have one type)",
            ),
            ("in a list", "1 in words", "0..10: `in` cannot find int in list of string"),
            (
                "in a string",
                "'a' in tool.name",
                "0..16: `in` needs a list or a map on its right, found string (use `contains(…)` to search a string)",
            ),
            ("in an int", "1 in count", "0..10: `in` needs a list or a map on its right, found int"),
            ("key", "1 in labels", "0..11: the keys of a map are strings, found int"),
            ("record in a list", "tool in [tool]", "0..14: `in` cannot find record in list of record"),
        ],
        check_condition,
    );
}

#[test]
fn receivers_and_arguments_must_fit() {
    assert_rows(
        &[
            ("index", "words['a'] == 'b'", "6..9: expected int, found string"),
            ("index of a map", "labels[0] == 'b'", "7..8: expected string, found int"),
            ("index of a string", "tool.name[0] == 'b'", "0..9: `[…]` needs a list or a map, found string"),
            ("argument", "tool.name.contains(1)", "19..20: expected string, found int"),
            ("receiver", "count.contains('a')", "0..5: `contains` needs a string, found int"),
            (
                "list as receiver",
                "words.contains('a')",
                "0..5: `contains` needs a string, found list of string (use `x in list`)",
            ),
            ("size", "count.size() == 1", "0..5: `size` needs a string, a list or a map, found int"),
            ("macro", "tool.name.exists(c, true)", "0..9: `exists` needs a list, found string"),
            ("body", "words.all(w, w)", "13..14: expected bool, found string"),
            (
                "variable",
                "words.all('w', true)",
                "10..13: the first argument of `all` must be a name for the item",
            ),
            ("has", "has(words[0])", "4..12: `has` needs a field, as in `has(tool.path)`"),
            (
                "has of a variable",
                "words.all(w, has(w))",
                "17..18: `has` needs a field, as in `has(tool.path)`",
            ),
            ("empty list fits all", "words == [] && [] == numbers && [[]] == [[1]]", "accepted"),
            (
                "empty lists of lists",
                "[[]] == [1]",
                "0..11: `==` cannot compare list of list with list of int",
            ),
            (
                "item of nothing",
                "[].exists(x, x.size() == 1)",
                "13..14: `size` needs a string, a list or a map, found item of `[]`",
            ),
        ],
        check_condition,
    );
}

#[test]
fn calls_take_what_they_take() {
    let macro_help = "write `all(x, …)`: a name for the item, then what to ask of it";
    let too_few = format!("6..9: `all` takes 2 arguments, found 1 ({macro_help})");
    assert_rows(
        &[
            ("none", "tool.name.contains()", "10..18: `contains` takes 1 argument, found 0"),
            ("two", "tool.name.contains('a', 'b')", "10..18: `contains` takes 1 argument, found 2"),
            ("one too many", "tool.name.trim('a') == ''", "10..14: `trim` takes no arguments, found 1"),
            ("macro", "words.all(w)", too_few.as_str()),
            ("size", "size() == 1", "0..6: `size` takes 1 argument, found 0"),
            ("has", "has(tool, shell)", "0..16: `has` takes 1 argument, found 2"),
        ],
        check_condition,
    );
}

#[test]
fn literal_patterns_are_checked() {
    assert_rows(
        &[
            (
                "regular expression",
                "tool.name.matches('a(b')",
                "18..23: invalid pattern: found open group without closing ')'",
            ),
            (
                "look-around",
                "tool.name.matches(r'(?=a)')",
                "18..26: invalid pattern: look-around is not supported",
            ),
            (
                "glob",
                "tool.path.glob('src/{a')",
                "15..23: invalid pattern: unclosed brace expansion at byte 4; missing '}' (to match a literal '{', escape it as '\\{' or '[{]')",
            ),
            ("both fine", "tool.path.glob('src/**') && tool.path.matches('^a|b$')", "accepted"),
        ],
        check_condition,
    );
}

#[test]
fn a_type_other_than_bool_can_be_asked_for() {
    let found = compile("count", &EVENT, Type::STRING).map_err(|error| describe(&error));
    assert_eq!(found, Err("0..5: expected string, found int".to_owned()));
    assert!(compile("[]", &EVENT, Type::STRING.list()).is_ok());
}

#[test]
fn the_reference_lists_every_field() {
    let lines: Vec<_> = EVENT.entries().iter().map(|entry| format!("{}: {}", entry.path, entry.ty)).collect();
    assert_eq!(
        lines,
        [
            "tool: record",
            "tool.name: string",
            "tool.command: string",
            "tool.path: string",
            "shell: record",
            "shell.commands: list of record",
            "shell.commands[].program: string",
            "shell.commands[].args: list of string",
            "edits: list of record",
            "edits[].path: string",
            "edits[].added: int",
            "labels: map of string",
            "words: list of string",
            "numbers: list of int",
            "count: int",
            "open: bool",
            "missing: record",
            "missing.name: string",
            "missing.command: string",
            "missing.path: string",
        ]
    );
}
