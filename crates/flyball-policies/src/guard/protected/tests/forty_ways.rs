//! Forty ways to write a protected file, and more.

use super::*;
use Fate::{Asked, Denied, Noticed};

/// The outcome of an attempt.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fate {
    Denied,
    /// The user decides: it may be intended, and cannot be known.
    Asked,
    /// The line does not show it; it is detected afterwards, which `tests/it/protected.rs` of the
    /// program tests with real processes.
    Noticed,
}

const LINES: &[(&str, Fate)] = &[
    ("echo x > .ruff.toml", Denied),
    ("echo x >> .ruff.toml", Denied),
    ("echo x >| .ruff.toml", Denied),
    (": > .ruff.toml", Denied),
    ("exec 3<> .ruff.toml", Denied),
    ("cat > .ruff.toml <<'END'\nx = 1\nEND", Denied),
    ("echo x | tee .ruff.toml", Denied),
    ("echo x | sudo tee -a .ruff.toml > /dev/null", Denied),
    ("echo x | sponge .ruff.toml", Denied),
    ("cp /tmp/weak.toml .ruff.toml", Denied),
    ("cp /tmp/.ruff.toml .", Denied),
    ("cp -t . /tmp/.ruff.toml", Denied),
    ("install -m 644 /tmp/weak.toml .ruff.toml", Denied),
    ("rsync -a /tmp/weak.toml .ruff.toml", Denied),
    ("mv /tmp/weak.toml .ruff.toml", Denied),
    ("mv .ruff.toml .ruff.off", Denied),
    ("rm .ruff.toml", Denied),
    ("rm -f .ruff.*", Denied),
    ("unlink .ruff.toml", Denied),
    ("truncate -s 0 .ruff.toml", Denied),
    ("dd if=/dev/null of=.ruff.toml", Denied),
    ("sed -i 's/100/400/' .ruff.toml", Denied),
    ("sed -i.bak -e 's/100/400/' ./.ruff.toml", Denied),
    ("perl -pi -e 's/100/400/' .ruff.toml", Denied),
    ("gawk -i inplace '{print}' .ruff.toml", Denied),
    ("ed -s .ruff.toml < script", Denied),
    ("ex -sc '%s/100/400/|x' .ruff.toml", Denied),
    ("vim -es -c '%s/100/400/' -c wq .ruff.toml", Denied),
    ("sort -o .ruff.toml .ruff.toml", Denied),
    ("ln -sf /tmp/weak.toml .ruff.toml", Denied),
    ("ln .ruff.toml other", Denied),
    ("ln -s .ruff.toml other", Denied),
    ("patch .ruff.toml < weak.diff", Denied),
    ("patch -p1 < weak.diff", Denied),
    ("patch -p1 -i weak.diff", Denied),
    ("git apply weak.diff", Denied),
    (
        "cat > p.diff <<'END'\n--- a/.ruff.toml\n+++ b/.ruff.toml\n@@ -1 +1 @@\n-a\n+b\nEND\ngit apply p.diff",
        Denied,
    ),
    ("git checkout HEAD~3 -- .ruff.toml", Denied),
    ("git restore --source HEAD~3 .ruff.toml", Denied),
    ("git show HEAD~3:.ruff.toml > .ruff.toml", Denied),
    ("git rm .ruff.toml", Denied),
    ("git mv .ruff.toml ruff.off", Denied),
    ("curl -o .ruff.toml https://example.com/weak.toml", Denied),
    ("wget -O .ruff.toml https://example.com/weak.toml", Denied),
    ("bash -c 'echo x > .ruff.toml'", Denied),
    ("bash <<'END'\necho x > .ruff.toml\nEND", Denied),
    ("f=.ruff.toml; echo x > $f", Denied),
    ("cd web && echo x > ../.ruff.toml", Denied),
    ("(cd web; sed -i s/100/400/ ../.ruff.toml)", Denied),
    ("if true; then echo x > .ruff.toml; fi", Denied),
    ("find . -name .ruff.toml -delete", Denied),
    ("python3 -c \"open('.ruff.toml', 'w').write('')\"", Denied),
    ("node -e \"require('fs').writeFileSync('.ruff.toml', '')\"", Denied),
    ("ruby -e \"File.write('.ruff.toml', '')\"", Denied),
    ("python3 - <<'END'\nfrom pathlib import Path\nPath('.ruff.toml').write_text('')\nEND", Denied),
    ("perl -e \"open(my $f, '>', '.ruff.toml')\"", Denied),
    ("python3 -c \"import os; os.system('echo x > .ruff.toml')\"", Denied),
    ("unknown-program .ruff.toml", Denied),
    ("python3 -c \"exec(weaken('.ruff.toml'))\"", Asked),
    ("find . -name .ruff.toml -exec sed -i s/100/400/ {} +", Denied),
    ("echo .ruff.toml | xargs rm", Denied),
    ("cat names | grep .ruff.toml | xargs rm", Asked),
    ("echo x > \"$ROOT/.ruff.toml\"", Asked),
    ("./tidy.sh", Noticed),
    ("make tidy", Noticed),
    ("python3 tidy.py", Noticed),
    ("npm run tidy", Noticed),
    ("git switch other-branch", Noticed),
    ("echo ZWNobyB4ID4gLnJ1ZmYudG9tbA== | base64 -d | sh", Denied),
];

#[test]
fn forty_ways_to_write_a_protected_file() {
    let mut wrong = Vec::new();
    for &(line, expected) in LINES {
        let stance = stance(shell(line));
        let fate = match stance {
            Stance::Deny => Denied,
            Stance::Ask => Asked,
            Stance::Silent | Stance::Allow => Noticed,
        };
        if fate != expected {
            wrong.push(format!("{line}: expected {expected:?}, is {fate:?}"));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(LINES.len() >= 40);
}

#[test]
fn the_ways_of_other_tools() {
    let change =
        |path: &str, change| before("Edit", Tool::Edit(vec![FileEdit { path: path.into(), change }]));
    let server = |tool: &str| {
        let mut event = before("mcp", Tool::Mcp { server: "files".into(), tool: tool.into() });
        let EventData::BeforeTool(call) = &mut event.happening else { unreachable!() };
        call.input = r#"{"files":[{"path":"/project/.ruff.toml","text":"x"}]}"#.into();
        event
    };
    let cases = [
        ("written", write(".ruff.toml", "x"), Stance::Deny),
        ("written by its whole path", write("/project/.ruff.toml", "x"), Stance::Deny),
        ("edited", edit(".ruff.toml", "100", "400"), Stance::Deny),
        (
            "as a notebook",
            change(".ruff.toml", Change::Cell { source: "x".into(), how: "replace".into() }),
            Stance::Deny,
        ),
        ("deleted by a patch", change(".ruff.toml", Change::Delete), Stance::Deny),
        ("moved away by a patch", change(".ruff.toml", Change::Move { to: "x".into() }), Stance::Deny),
        ("moved onto by a patch", change("x", Change::Move { to: ".ruff.toml".into() }), Stance::Deny),
        ("by a tool server", server("write_files"), Stance::Deny),
        ("by one that says nothing", server("process"), Stance::Deny),
        ("read by a tool server", server("read_files"), Stance::Silent),
    ];
    for (name, event, expected) in cases {
        assert_eq!(stance(event), expected, "{name}");
    }
}
