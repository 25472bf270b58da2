//! Files as people write them, before and after.

use super::*;

fn allow(patterns: &[&str]) -> Additions {
    let mut additions = Additions::default();
    patterns.iter().for_each(|pattern| additions.push("guard.permissions", "allow", pattern));
    additions
}

#[test]
fn files_keep_their_layout_and_comments() {
    let cases = [
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
        (
            "an empty list",
            "[guard.permissions]\nallow = []\n",
            "[guard.permissions]\nallow = [\"a\", \"b\"]\n",
        ),
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
        (
            "all there",
            "[guard.permissions]\nallow = ['b', 'a']\n",
            "[guard.permissions]\nallow = ['b', 'a']\n",
        ),
        (
            "by dotted keys",
            "guard.permissions.mode = 'off'\n",
            "refused: [guard.permissions] is written in a way that cannot be added to",
        ),
        (
            "in braces",
            "[guard]\npermissions = { mode = 'off' }\n",
            "refused: [guard.permissions] is written in a way that cannot be added to",
        ),
        (
            "in braces above",
            "guard = { self = {} }\n",
            "refused: [guard.permissions] is written in a way that cannot be added to",
        ),
        (
            "another type",
            "[guard.permissions]\nallow = 'a'\n",
            "refused: `guard.permissions.allow` is set already, to 'a'",
        ),
        (
            "a heading inside a text",
            "x = '''\n[guard.permissions]\n'''\n[guard.permissions]\n",
            "refused: [guard.permissions] is written in a way that cannot be added to",
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
    additions.set("guard.packages", "python", Value::Text("off".to_owned()));
    additions.set("guard.packages", "javascript", Value::Text("bun".to_owned()));
    additions.set("guard.packages.allow", "npm", Value::List(Vec::new()));
    let before = "[guard.packages.allow]\npip = ['download']\n";
    let after = "[guard.packages.allow]\npip = ['download']\nnpm = []\n\n[guard.packages]\npython = \"off\"\n\
                 javascript = \"bun\"\n";
    assert_eq!(merge(before, &additions).unwrap(), after);
    assert_eq!(merge(after, &additions).unwrap(), after);
    let taken = "[guard.packages]\npython = 'pip'\n";
    assert_eq!(merge(taken, &additions).unwrap_err(), "`guard.packages.python` is set already, to 'pip'");
}
