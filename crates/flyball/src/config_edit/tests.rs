//! Files as people write them, before and after.

use super::*;

fn allow(patterns: &[&str]) -> Additions {
    let mut additions = Additions::default();
    patterns.iter().for_each(|pattern| additions.push("guard.permissions", "allow", pattern));
    additions
}

/// A name, the file before, and the file with `a` and `b` allowed or why it is left alone.
const LAYOUTS: &[(&str, &str, &str)] = &[
    ("no file", "", "[guard.permissions]\nallow = [\"a\", \"b\"]\n"),
    (
        "another section",
        "[engine]\nx = 1 # one\n",
        "[engine]\nx = 1 # one\n\n[guard.permissions]\nallow = [\"a\", \"b\"]\n",
    ),
    ("no end of line", "x = 1", "x = 1\n\n[guard.permissions]\nallow = [\"a\", \"b\"]\n"),
    (
        "a section without the key",
        "[guard.permissions] # mine\nmode = \"observe\" # for now\n\n[engine]\n",
        "[guard.permissions] # mine\nmode = \"observe\" # for now\nallow = [\"a\", \"b\"]\n\n[engine]\n",
    ),
    (
        "an empty section",
        "[ guard.permissions ]\n# mode = \"enforce\"\n[engine]\n",
        "[ guard.permissions ]\nallow = [\"a\", \"b\"]\n# mode = \"enforce\"\n[engine]\n",
    ),
    (
        "a list in one line",
        "[guard.permissions]\nallow = [\"a\"] # these\n",
        "[guard.permissions]\nallow = [\"a\", \"b\"] # these\n",
    ),
    (
        "a list in one line with a comma",
        "[guard.permissions]\nallow = [ 'x', ]\n",
        "[guard.permissions]\nallow = [ 'x', \"a\", \"b\"]\n",
    ),
    ("an empty list", "[guard.permissions]\nallow = []\n", "[guard.permissions]\nallow = [\"a\", \"b\"]\n"),
    (
        "a list over several lines",
        "[guard.permissions]\nallow = [\n  \"x\", # first\n  \"y\" # last\n  # end\n]\n",
        "[guard.permissions]\nallow = [\n  \"x\", # first\n  \"y\", # last\n  # end\n  \"a\",\n  \"b\",\n]\n",
    ),
    (
        "a list over several lines with a comma",
        "[guard.permissions]\nallow = [\n    \"x\",\n]\ndeny = []\n",
        "[guard.permissions]\nallow = [\n    \"x\",\n    \"a\",\n    \"b\",\n]\ndeny = []\n",
    ),
    ("all there", "[guard.permissions]\nallow = ['b', 'a']\n", "[guard.permissions]\nallow = ['b', 'a']\n"),
    (
        "in braces",
        "[guard]\npermissions = { mode = 'off' }\n",
        "refused: [guard.permissions] is an inline table or not a table",
    ),
    (
        "in braces above",
        "guard = { self = {} }\n",
        "refused: [guard.permissions] is an inline table or not a table",
    ),
    (
        "another type",
        "[guard.permissions]\nallow = 'a'\n",
        "refused: `guard.permissions.allow` is already set to 'a'",
    ),
    (
        "a heading inside a text",
        "x = '''\n[guard.permissions]\n'''\n[guard.permissions]\n",
        "x = '''\n[guard.permissions]\n'''\n[guard.permissions]\nallow = [\"a\", \"b\"]\n",
    ),
    (
        "Windows line ends and a byte order mark",
        "\u{feff}[guard.permissions]\r\nallow = [\"a\"]\r\n",
        "\u{feff}[guard.permissions]\r\nallow = [\"a\", \"b\"]\r\n",
    ),
    (
        "comments at the end",
        "[engine]\n# deadline_ms = 1\n\n# a rule\n# [[rules]]\n",
        "[engine]\n# deadline_ms = 1\n\n# a rule\n# [[rules]]\n\n[guard.permissions]\nallow = [\"a\", \"b\"]\n",
    ),
];

#[test]
fn files_keep_their_layout_and_comments() {
    for (name, before, after) in LAYOUTS {
        let got = merge(before, &allow(&["a", "b"])).unwrap_or_else(|why| format!("refused: {why}"));
        assert_eq!(got, *after, "{name}");
    }
}

#[test]
fn a_section_is_added_in_the_style_of_the_file() {
    let cases = [
        (
            "by dotted keys",
            "guard.permissions.mode = 'off'\n",
            "guard.permissions.mode = 'off'\nguard.permissions.allow = [\"a\", \"b\"]\n",
        ),
        (
            "by dotted keys below another section",
            "[guard]\npermissions.mode = 'off'\n\n[engine]\n",
            "[guard]\npermissions.mode = 'off'\npermissions.allow = [\"a\", \"b\"]\n\n[engine]\n",
        ),
        (
            "beside its family",
            "[guard.self]\n# mode = \"enforce\"\n\n# next\n[engine]\n",
            "[guard.self]\n# mode = \"enforce\"\n\n[guard.permissions]\nallow = [\"a\", \"b\"]\n\n# next\n[engine]\n",
        ),
        (
            "a family with an empty line in a value",
            "[guard.self]\nx = [\n\n]\n[engine]\n",
            "[guard.self]\nx = [\n\n]\n\n[guard.permissions]\nallow = [\"a\", \"b\"]\n\n[engine]\n",
        ),
    ];
    for (name, before, after) in cases {
        let got = merge(before, &allow(&["a", "b"])).unwrap_or_else(|why| format!("refused: {why}"));
        assert_eq!(got, after, "{name}");
    }
}

#[test]
fn several_values_of_several_sections() {
    let mut additions = Additions::default();
    additions.set("guard.packages", "python", "off");
    additions.set("guard.packages", "javascript", "bun");
    additions.set("guard.packages.allow", "npm", Value::Array(toml_edit::Array::new()));
    let before = "[guard.packages.allow]\npip = ['download']\n";
    let after = "[guard.packages.allow]\npip = ['download']\nnpm = []\n\n[guard.packages]\npython = \"off\"\n\
                 javascript = \"bun\"\n";
    assert_eq!(merge(before, &additions).unwrap(), after);
    assert_eq!(merge(after, &additions).unwrap(), after);
    let taken = "[guard.packages]\npython = 'pip'\n";
    assert_eq!(merge(taken, &additions).unwrap_err(), "`guard.packages.python` is already set to 'pip'");
}

#[test]
fn a_value_is_replaced_in_place() {
    let flag = |value: bool| Value::from(value);
    let list = |texts: &[&str]| texts.iter().copied().collect::<Value>();
    let cases = [
        ("a switch", "[q]\na = true # why\nb = 1\n", flag(false), "[q]\na = false # why\nb = 1\n"),
        ("the same", "[q]\na  =  false\n", flag(false), "[q]\na  =  false\n"),
        ("not there", "[q]\nb = 1\n", 3.into(), "[q]\nb = 1\na = 3\n"),
        ("a share", "[q]\na = 1 # loud\n", 0.07.into(), "[q]\na = 0.07 # loud\n"),
        ("a round share", "[q]\n", 0.5.into(), "[q]\na = 0.5\n"),
        ("all of it", "[q]\na = 0.5\n", 1.0.into(), "[q]\na = 1.0\n"),
        ("another type", "[q]\na = \"False\"\n", flag(false), "[q]\na = false\n"),
        ("in braces", "q = { a = 1, b = 2 }\n", 3.into(), "q = { a = 3, b = 2 }\n"),
        (
            "a list in one line",
            "[q]\na = [\"x\", 'y', \"z\"] # c\n",
            list(&["y", "new"]),
            "[q]\na = ['y', \"new\"] # c\n",
        ),
        (
            "a list over several lines",
            "[q]\na = [\n  \"x\", # first\n  # about y\n  \"y\", # second\n  \"z\"\n]\n",
            list(&["y", "z", "new"]),
            "[q]\na = [\n  # about y\n  \"y\", # second\n  \"z\",\n  \"new\",\n]\n",
        ),
        ("the last of a list", "[q]\na = [\"x\", \"y\"]\n", list(&["x"]), "[q]\na = [\"x\"]\n"),
        ("all of a list", "[q]\na = [\"x\"]\n", list(&[]), "[q]\na = []\n"),
        ("another order", "[q]\na = [\"x\", \"y\"]\n", list(&["y", "x"]), "[q]\na = [\"y\", \"x\"]\n"),
    ];
    for (name, before, value, after) in cases {
        let mut additions = Additions::default();
        additions.replace("q", "a", value);
        let got = merge(before, &additions).unwrap_or_else(|why| format!("refused: {why}"));
        assert_eq!(got, after, "{name}");
    }
}
