use flyball_effects::Line;

use super::changed_text;

/// What the last command of a line makes of a text.
fn after(line: &str, path: &str, text: &str) -> Option<String> {
    let line = Line::read(line);
    changed_text(&line, line.script.commands.len().checked_sub(1)?, path, text)
}

#[test]
fn sed_scripts() {
    let text = "one\ntwo\nthree\n";
    let cases = [
        ("sed -i 's/two/2/' f", "one\n2\nthree\n"),
        ("sed -i '2d' f", "one\nthree\n"),
        ("sed -i '/two/,$d' f", "one\n"),
        ("sed -i -e '1i # first' -e 's/e$/E/' f", "# first\nonE\ntwo\nthreE\n"),
        ("sed -i '$a last' f", "one\ntwo\nthree\nlast\n"),
        ("sed -i -E 's/(t)(w)/\\2\\1/' f", "one\nwto\nthree\n"),
        ("sed -i 's/\\(t\\)\\(h\\)/\\2\\1/;s/o/0/g' f", "0ne\ntw0\nhtree\n"),
        ("sed -i '/^t/{s/t/T/;s/$/!/}' f", "one\nTwo!\nThree!\n"),
        ("sed -i '/two/!d' f", "two\n"),
        ("sed -ni '2p' f", "two\n"),
        ("sed -i 's#one#a/b#' f", "a/b\ntwo\nthree\n"),
        ("sed -i '1,2c both' f", "both\nboth\nthree\n"),
        ("sed 's/one/1/' f > t && mv t f", "1\ntwo\nthree\n"),
        ("perl -pi -e 's/(t)wo/$1WO/' f", "one\ntWO\nthree\n"),
    ];
    for (line, expected) in cases {
        assert_eq!(after(line, "f", text).as_deref(), Some(expected), "{line}");
    }
}

#[test]
fn what_is_not_known_is_not_guessed() {
    for line in [
        "sed -i 'N;P;D' f",
        "sed -i -f script f",
        "sed -i \"s/a/$B/\" f",
        "perl -pi -e 'print 1' f",
        "awk 1 f",
    ] {
        assert_eq!(after(line, "f", "a\n"), None, "{line}");
    }
}

#[test]
fn keys_of_documents() {
    let package = r#"{"name":"x","scripts":{"test":"jest"},"lint-staged":{}}"#;
    let read = |text: Option<String>| serde_json::from_str::<serde_json::Value>(&text.unwrap()).unwrap();
    let set = read(after("npm pkg set scripts.test='true' private=true --json", "package.json", package));
    assert_eq!(set["scripts"]["test"], true);
    let deleted = read(after("npm pkg delete lint-staged scripts.test", "package.json", package));
    assert_eq!(deleted, serde_json::json!({"name": "x", "scripts": {}}));
    let filtered = read(after(
        r#"jq 'del(."lint-staged") | .a.b = false' package.json | sponge package.json"#,
        "package.json",
        package,
    ));
    assert_eq!(filtered["a"]["b"], false);
    assert_eq!(filtered.get("lint-staged"), None);
    let ini = after(
        "crudini --set setup.cfg flake8 ignore E,F",
        "setup.cfg",
        "[a]\nb = 1\n[flake8]\nignore = X\nmax = 1\n",
    );
    assert_eq!(ini.as_deref(), Some("[a]\nb = 1\n[flake8]\nmax = 1\nignore = E,F\n"));
    let toml =
        after("tomlq -i -t '.tool.ruff.x = 5' pyproject.toml", "pyproject.toml", "[tool.ruff]\nx = 1\n");
    assert_eq!(toml.as_deref(), Some("[tool.ruff]\nx = 5\n"));
}
