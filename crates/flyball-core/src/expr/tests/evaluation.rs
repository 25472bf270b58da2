//! What programs give.

use super::*;

fn run(source: &str) -> String {
    outcome(source, &event())
}

#[test]
fn fields_are_read() {
    assert_rows(
        &[
            ("field of a record", "tool.name", r#""shell""#),
            ("item", "words[1]", r#""two""#),
            ("field of an item", "edits[1].path", r#""src/lib.rs""#),
            ("list of lists", "[[1, 2], []][0][1]", "2"),
            ("map", "labels['team']", r#""core""#),
            ("map by selection", "labels.team", r#""core""#),
            ("key in a map", "'team' in labels && !('x' in labels)", "true"),
            ("index below zero", "words[-1]", "fails: index -1 is out of range: the list has 3 items"),
            ("index too large", "words[3]", "fails: index 3 is out of range: the list has 3 items"),
            ("no such key", "labels.other", "fails: the map has no key `other`"),
            ("absent string", "tool.path", r#""""#),
            ("absent record", "missing.path + '!'", r#""!""#),
            ("has", "has(tool.name) && has(tool) && has(words) && has(count)", "true"),
            ("has not", "has(tool.path) || has(missing) || has(missing.path)", "false"),
            ("has a key", "has(labels.team) && !has(labels.other)", "true"),
            ("has in items", "edits.all(e, has(e.path))", "true"),
        ],
        run,
    );
}

#[test]
fn operators_calculate() {
    assert_rows(
        &[
            ("arithmetic", "1 + 2 * 3 - 10 / 3 % 2", "6"),
            ("toward zero", "-7 / 2 * 10 + -7 % 2", "-31"),
            ("negation", "-count", "-7"),
            ("overflow of a sum", "9223372036854775807 + 1", "fails: the number does not fit into 64 bits"),
            (
                "overflow of a difference",
                "-9223372036854775808 - 1",
                "fails: the number does not fit into 64 bits",
            ),
            (
                "overflow of a product",
                "9223372036854775807 * 2",
                "fails: the number does not fit into 64 bits",
            ),
            (
                "overflow of a negation",
                "-(-9223372036854775808)",
                "fails: the number does not fit into 64 bits",
            ),
            (
                "overflow of a quotient",
                "-9223372036854775808 / -1",
                "fails: the number does not fit into 64 bits",
            ),
            ("division by zero", "1 / 0", "fails: division by zero"),
            ("remainder by zero", "1 % (count - 7)", "fails: division by zero"),
            ("join", "tool.name + '-' + 'x'", r#""shell-x""#),
            ("order of ints", "[1 < 2, 2 <= 2, 1 > 2, 2 >= 3]", "[true, true, false, false]"),
            ("order of strings", "['a' < 'b', 'B' < 'a', 'é' > 'z', 'a' < '']", "[true, true, true, false]"),
            (
                "equality",
                "[1 == 1, 'a' != 'a', words == ['one'], [1, 2] == [1, 2]]",
                "[true, false, false, true]",
            ),
            ("in", "['two' in words, 'four' in words, 1 in [], [1] in [[1]]]", "[true, false, false, true]"),
            ("choice", "open ? 'yes' : 'no'", r#""yes""#),
            ("choice is lazy", "open ? 1 : 1 / 0", "1"),
        ],
        run,
    );
}

#[test]
fn a_deciding_operand_wins_over_a_failing_one() {
    assert_rows(
        &[
            ("false first", "false && 1 / 0 == 1", "false"),
            ("false last", "1 / 0 == 1 && false", "false"),
            ("false in the middle", "1 / 0 == 1 && false && words[9] == ''", "false"),
            ("true and failure", "true && 1 / 0 == 1", "fails: division by zero"),
            ("failure and true", "1 / 0 == 1 && true", "fails: division by zero"),
            ("true first", "true || 1 / 0 == 1", "true"),
            ("true last", "1 / 0 == 1 || true", "true"),
            ("false or failure", "false || 1 / 0 == 1", "fails: division by zero"),
            (
                "the first failure is reported",
                "words[9] == '' || 1 / 0 == 1",
                "fails: index 9 is out of range: the list has 3 items",
            ),
            ("exists finds one behind a failure", "[0, 2].exists(x, 4 / x == 2)", "true"),
            ("exists fails", "[0, 1].exists(x, 4 / x == 2)", "fails: division by zero"),
            ("all finds one behind a failure", "[0, 1].all(x, 4 / x == 2)", "false"),
            ("all fails", "[0, 2].all(x, 4 / x == 2)", "fails: division by zero"),
            ("exists_one fails", "[0, 2].exists_one(x, 4 / x == 2)", "fails: division by zero"),
            ("filter fails", "[2, 0].filter(x, 4 / x == 2) == []", "fails: division by zero"),
        ],
        run,
    );
}

#[test]
fn functions_work_on_text() {
    assert_rows(
        &[
            ("size of text", "[size('día'), 'abc'.size(), size(''), 'día'.size()]", "[3, 3, 0, 3]"),
            ("size of lists and maps", "[size(words), [].size(), size(labels)]", "[3, 0, 1]"),
            (
                "contains",
                "['abc'.contains('bc'), 'abc'.contains('x'), 'abc'.contains('')]",
                "[true, false, true]",
            ),
            ("startsWith", "['abc'.startsWith('ab'), 'abc'.startsWith('b')]", "[true, false]"),
            ("endsWith", "['abc'.endsWith('bc'), 'abc'.endsWith('b')]", "[true, false]"),
            ("case", "['aÉz'.upperAscii(), 'AÉZ'.lowerAscii()]", r#"["AÉZ", "aÉz"]"#),
            ("trim", "[words[2].trim(), ' a '.trim(), ('\\t' + 'b\\n').trim()]", r#"["Three", "a", "b"]"#),
            ("split", "'a,b,,c'.split(',')", r#"["a", "b", "", "c"]"#),
            ("split of made text", "('a,' + 'b').split(',')", r#"["a", "b"]"#),
            ("split into characters", "'aéb'.split('')", r#"["a", "é", "b"]"#),
            ("split of nothing", "[''.split(',').size(), ''.split('').size()]", "[1, 0]"),
            ("matches anywhere", "['xaby'.matches('a.y?'), 'x'.matches('^a$')]", "[true, false]"),
            ("matches ignoring case", "['say RM -RF /'.matches('(?i)rm -rf')]", "[true]"),
            (
                "matches any alternative",
                "['cat', 'dog', 'cow'].map(x, x.matches('cat|dog'))",
                "[true, true, false]",
            ),
            ("matches a built pattern", "['^a', 'b$'].exists(p, 'cab'.matches(p))", "true"),
            (
                "built pattern that is none",
                "'a(b'.matches('a' + '(b')",
                "fails: invalid pattern `a(b`: found open group without closing ')'",
            ),
            (
                "glob",
                "['src/a/b.rs', 'src/b.rs', 'b.rs'].map(p, p.glob('src/**/*.rs'))",
                "[true, true, false]",
            ),
            ("glob with braces", "edits.map(e, e.path.glob('**/*.{md,txt}'))", "[true, false]"),
            (
                "built glob that is none",
                "'a'.glob('{' + 'a')",
                "fails: invalid pattern `{a`: unclosed brace expansion at byte 0; missing '}' (to match a literal '{', escape it as '\\{' or '[{]')",
            ),
        ],
        run,
    );
}

#[test]
fn macros_look_at_items() {
    assert_rows(
        &[
            (
                "exists with records",
                r#"shell.commands.exists(c, c.program == "rm" && "-rf" in c.args)"#,
                "true",
            ),
            ("exists without one", r#"shell.commands.exists(c, c.program == "mv")"#, "false"),
            ("all", r#"[edits.all(e, e.path.endsWith(".md")), edits.all(e, e.added > 0)]"#, "[false, true]"),
            ("over nothing", "[[1].filter(x, false).exists(x, true), [].all(x, false)]", "[false, true]"),
            ("exists_one", "[numbers.exists_one(n, n > 2), numbers.exists_one(n, n > 1)]", "[true, false]"),
            ("filter", "edits.filter(e, e.added > 10).map(e, e.path)", r#"["src/lib.rs"]"#),
            ("map", "numbers.map(n, n * n)", "[1, 4, 9]"),
            ("nested", "numbers.exists(n, numbers.exists(m, m * n == 6 && m != n))", "true"),
            ("shadowing", "numbers.map(n, ['a'].map(n, n)[0])", r#"["a", "a", "a"]"#),
            ("shadowing a field", "numbers.map(count, count)", "[1, 2, 3]"),
            (
                "the variable is gone behind a failure",
                "numbers.map(n, [0].exists(z, n / z == 1) || true ? n : 0)",
                "[1, 2, 3]",
            ),
        ],
        run,
    );
}

#[test]
fn costly_fields_are_computed_when_they_are_read() {
    let lazy = event();
    assert_eq!(outcome("tool.name == 'edit' && shell.commands.size() > 0", &lazy), "false");
    assert_eq!(lazy.shell.parsed.get(), 0);
    assert_eq!(outcome("shell.commands.size() > 0 && shell.commands.size() < 9", &lazy), "true");
    assert_eq!(lazy.shell.parsed.get(), 1);
}

#[test]
fn a_program_knows_what_it_reads() {
    let reads = |source: &str| {
        let program = compile_any(source).unwrap();
        program.fields().collect::<Vec<_>>().join(" ")
    };
    assert_rows(
        &[
            ("nothing", "1 == 1", ""),
            ("a field", "tool.name == tool.command", "tool.command tool.name"),
            ("items", "shell.commands.exists(c, c.program == 'a')", "shell.commands.program"),
            ("an item", "edits[0].path == 'a'", "edits.path"),
            (
                "filtered items",
                "edits.filter(e, e.added > 1).all(f, f.path == 'a')",
                "edits.added edits.path",
            ),
            ("mapped records", "[1].map(x, tool).all(t, t.name == 'a')", "tool.name"),
            ("a chosen record", "(open ? tool : missing).name == 'a'", "missing open tool"),
            ("a key", "labels.team == 'a'", "labels"),
            ("has", "has(tool.path)", "tool.path"),
        ],
        reads,
    );
    let program = compile_any("edits.exists(e, e.path == 'a')").unwrap();
    let found = ["edits", "edits.path", "edits.path.x", "edits.added", "edit", "tool"]
        .map(|path| program.reads(path));
    assert_eq!(found, [true, true, true, false, false, false]);
}

#[test]
fn a_scope_that_breaks_its_schema_is_reported() {
    struct Wrong;
    impl Scope for Wrong {
        fn field(&self, _name: &str) -> Option<Value<'_>> {
            Some(Value::Int(1))
        }
    }
    assert_eq!(outcome("open || true", &Wrong), "fails: `open` should be a bool, but is an int");
    assert_eq!(outcome("tool.name == 'a'", &Wrong), "fails: `tool` should be a record, but is an int");
}

#[test]
fn too_much_work_is_stopped() {
    let many = vec!["1"; 100].join(",");
    let source = format!(
        "[{many}].all(a, [{many}].all(b, [{many}].all(c, [{many}].all(d, a + b + c + d > 0)))) || true"
    );
    assert_eq!(run(&source), "fails: the condition takes too much work for this event");
}

#[test]
fn large_text_is_neither_copied_without_end_nor_scanned_without_end() {
    let large = event_running(&"a,".repeat(2_000_000));
    let stopped = "fails: the condition takes too much work for this event";
    assert_eq!(outcome("tool.command.contains('b') || tool.command.size() < 9", &large), "false");
    assert_eq!(outcome("tool.command.matches('b+') || tool.command.trim().endsWith('b')", &large), "false");
    assert_eq!(outcome("tool.command.split(',').size() > 9", &large), stopped);
    let doubled = format!("({}).size() > 9", vec!["tool.command"; 40].join(" + "));
    assert_eq!(outcome(&doubled, &large), stopped);
    assert_eq!(outcome("tool.command.glob('{a,b}{a,b}{a,b}*{a,b}*{a,b}*{a,b}*{a,b}*')", &large), stopped);
}

#[test]
fn a_damaged_program_fails_and_does_not_panic() {
    let program =
        compile_any("shell.commands.exists(c, c.program == 'rm') && tool.command.matches('a|b')").unwrap();
    let bytes = postcard::to_stdvec(&program).unwrap();
    let event = event();
    for at in 0..bytes.len() {
        for flip in [1, 2, 4, 8, 16, 32, 64, 128] {
            let mut damaged = bytes.clone();
            damaged[at] ^= flip;
            if let Ok(program) = postcard::from_bytes::<Program>(&damaged) {
                _ = program.evaluate(&event);
            }
        }
    }
}
