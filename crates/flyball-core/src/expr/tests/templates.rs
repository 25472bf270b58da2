//! Messages.

use super::*;

fn render(source: &str) -> String {
    match compile_template(source, &EVENT) {
        Err(error) => describe(&error),
        Ok(template) => template.render(&event()).unwrap_or_else(|failure| format!("fails: {failure}")),
    }
}

#[test]
fn messages_show_values() {
    assert_rows(
        &[
            ("plain", "nothing here", "nothing here"),
            ("empty", "", ""),
            ("string", "in {{tool.name}}!", "in shell!"),
            ("blanks inside", "{{ tool.name }}", "shell"),
            ("two", "{{count}}{{open}}", "7true"),
            ("list", "{{words}} and {{numbers}}", r#"["one", "two", "Three "] and [1, 2, 3]"#),
            ("expression", "{{edits.map(e, e.path)[0]}}", "docs/a.md"),
            ("braces in a string", "{{'}}' + \"{{\"}}", "}}{{"),
            ("escaped braces", "use {{{{name}} and {{count}}", "use {{name}} and 7"),
            ("closing braces", "a }} b", "a }} b"),
            ("single braces", "{count}", "{count}"),
            ("lines", "a\n{{count}}\nb", "a\n7\nb"),
            ("beyond ascii", "é {{count}} é", "é 7 é"),
            ("absent field", "[{{tool.path}}]", "[]"),
            ("failure", "{{words[9]}}", "fails: index 9 is out of range: the list has 3 items"),
        ],
        render,
    );
}

#[test]
fn broken_messages_are_pointed_at() {
    assert_rows(
        &[
            ("unknown field", "é {{tool.nme}}", "10..13: unknown field `nme` (did you mean `name`?)"),
            (
                "open",
                "a {{tool.name",
                "2..4: `{{` is not closed (add `}}`, or write `{{{{` for the braces themselves)",
            ),
            (
                "open with one brace",
                "{{count}",
                "7..8: unexpected `}` (map literals are not part of the language)",
            ),
            ("empty", "{{}}", "2..4: expected a value, found the end"),
            (
                "three braces",
                "{{{count}}}",
                "2..3: unexpected `{` (map literals are not part of the language)",
            ),
            ("record", "{{tool}}", "2..6: a record cannot be shown (show one of its fields)"),
            (
                "list of records",
                "{{edits}}",
                "2..7: a list of record cannot be shown (show one of its fields)",
            ),
            ("map", "{{labels}}", "2..8: a map of string cannot be shown (show one of its fields)"),
        ],
        render,
    );
}

#[test]
fn a_message_survives_the_cache() {
    let template = compile_template("{{tool.name}}: {{edits.size()}} edits", &EVENT).unwrap();
    let bytes = postcard::to_stdvec(&template).unwrap();
    let loaded: Template = postcard::from_bytes(&bytes).unwrap();
    assert_eq!(loaded, template);
    assert_eq!(loaded.render(&event()), Ok("shell: 2 edits".to_owned()));
    let reads: Vec<_> = loaded.programs().flat_map(Program::fields).collect();
    assert_eq!(reads, ["tool.name", "edits"]);
}
