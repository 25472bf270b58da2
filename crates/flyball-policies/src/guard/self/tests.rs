//! The edges that would bore a reader of the page.

use flyball_core::engine::Registry;
use flyball_core::event::{Change, FileEdit, Tool};
use flyball_core::verdict::Stance;

use crate::testing::{before, judged, shell};

static ONLY: Registry = &[&super::POLICY];

fn stance(event: flyball_core::event::Event) -> Stance {
    judged(ONLY, &[], event).merged.stance
}

#[test]
fn shell_cases() {
    use Stance::{Ask, Deny, Silent};
    let cases = [
        ("a folder above everything", "rm -rf /", Deny),
        ("the home folder", "rm -rf ~/.local", Deny),
        ("another project's config", "echo x > /elsewhere/flyball.toml", Deny),
        ("a name that only begins like ours", "echo x > flyball.toml.orig", Silent),
        ("a redirection inside a substitution", "echo $(echo x > flyball.toml)", Deny),
        ("through xargs", "ls | xargs -I{} cp {} flyball.toml", Deny),
        ("in a loop body", "for f in a b; do cat $f > flyball.toml; done", Deny),
        ("a variable set on the same line", "f=flyball.toml; echo x > $f", Deny),
        ("a patch reads its own target", "patch flyball.toml < x.diff", Deny),
        ("sort in place", "sort -o flyball.toml flyball.toml", Deny),
        ("sort to the screen", "sort flyball.toml", Silent),
        ("perl in place", "perl -pi -e s/a/b/ flyball.toml", Deny),
        ("copying many into the folder", "cp a b .claude/", Silent),
        ("copying onto it by target folder", "cp -t . /tmp/flyball.toml", Deny),
        ("copying onto it into its folder", "cp /tmp/settings.json .claude/", Deny),
        ("moving something else here", "mv build/a.txt .", Silent),
        ("moving something else home", "mv x ~", Silent),
        ("moving the folder above", "mv .claude .claude-old", Deny),
        ("making everything writable", "chmod -R u+w .", Silent),
        ("locking it away", "chmod 000 flyball.toml", Deny),
        ("by a pattern", "rm .claude/*", Deny),
        ("by a pattern that misses", "rm build/*", Silent),
        ("by a hard link", "ln flyball.toml x", Deny),
        ("the second file of uniq is written", "uniq /tmp/a flyball.toml", Deny),
        ("git writes where it is told", "git diff --output=flyball.toml", Deny),
        ("a folder only known later", "cd \"$HERE/.claude\" && echo > settings.json", Ask),
        ("a path only known later", "echo > \"$HERE/flyball.toml\"", Ask),
        ("reading a path only known later", "cat \"$HERE/flyball.toml\"", Silent),
        ("its name handed on", "echo flyball.toml | xargs rm", Deny),
        ("its name handed on by who knows", "ls | grep flyball.toml | xargs rm", Ask),
        ("its name handed on to a reader", "echo flyball.toml | xargs cat", Silent),
        ("found and removed", "find . -name flyball.toml -exec rm {} +", Ask),
        ("others found and removed", "find . -name '*.pyc' -exec rm {} +", Silent),
        ("a variable that every session has", "rm -rf \"$PWD\"", Deny),
        ("another one", "echo {} > $HOME/.config/flyball/config.toml", Deny),
        ("in the title of something", "gh pr create --title flyball.toml --body x", Silent),
        ("copying it elsewhere", "cp flyball.toml \"$BACKUP\"", Silent),
        ("node one-liner", "node -e \"require('fs').unlinkSync('flyball.toml')\"", Deny),
        ("code that reads it", "python3 -c \"print(open('flyball.toml').read())\"", Silent),
        ("code that cannot be read", "python3 -c \"exec(load('flyball.toml'))\"", Ask),
        ("a dry run of init is only a look", "flyball init --dry-run", Silent),
        ("init", "flyball init --yes", Deny),
        ("approving", "flyball approve .ruff.toml", Deny),
        ("approving at a terminal of its own", "script -qc 'flyball approve .ruff.toml' /dev/null", Deny),
        ("another one", "python3 -c \"import pty; pty.spawn(['flyball', 'approve'])\"", Deny),
        (
            "another one from a document",
            "python3 - <<'END'\nimport pty\npty.spawn(['flyball', 'approve'])\nEND",
            Deny,
        ),
        ("behind env and setsid", "env -i setsid flyball approve", Deny),
        ("what waits for approval", "flyball approve --list", Silent),
        ("how it differs", "flyball approve --diff .ruff.toml", Silent),
        ("putting back", "flyball restore .ruff.toml", Silent),
        ("granting itself more", "flyball loop continue 3", Deny),
        ("accepting its own work", "flyball loop accept --session 3f2a", Deny),
        ("ending its own loop", "cd src && flyball loop abort", Deny),
        ("handing over what it was to do", "flyball loop handoff /feature", Deny),
        ("a value that looks like a look", "flyball loop handoff -- --help", Deny),
        ("deciding at a terminal of its own", "script -qc 'flyball loop accept' /dev/null", Deny),
        ("another one", "python3 -c \"import pty; pty.spawn(['flyball', 'loop', 'abort'])\"", Deny),
        ("how to decide", "flyball loop accept --help", Silent),
        ("looking at the loop", "flyball loop status --json", Silent),
        ("bounding a task", "flyball loop start --task accept --max 3", Silent),
        ("ending a task", "flyball loop done", Silent),
        ("talking about it", "git commit -m 'docs: flyball approve (for people)'", Silent),
        ("in other letters", "echo x > FLYBALL.toml", Deny),
        ("an import that only shows", "flyball import claude-permissions", Silent),
        ("an import that writes", "flyball import plankton --write", Deny),
        ("by absolute path", "/usr/local/bin/flyball uninstall", Deny),
        ("a folder named in passing", "ls .claude", Silent),
        ("does not parse and names it", "echo ' > flyball.toml", Ask),
    ];
    for (name, line, expected) in cases {
        assert_eq!(stance(shell(line)), expected, "{name}: {line}");
    }
}

#[test]
fn a_tool_server_that_is_given_our_file_is_asked_about() {
    let mut event = before("mcp__files__write", Tool::Mcp { server: "files".into(), tool: "write".into() });
    let flyball_core::event::Happening::BeforeTool(call) = &mut event.happening else { unreachable!() };
    call.input = r#"{"path":"/project/flyball.toml","text":"x"}"#.into();
    assert_eq!(stance(event), Stance::Ask);
}

#[test]
fn moving_a_file_onto_ours_is_seen() {
    let change = Change::Move { to: "flyball.toml".into() };
    let edits = vec![FileEdit { path: "x.toml".into(), change }];
    assert_eq!(stance(before("apply_patch", Tool::Edit(edits))), Stance::Deny);
}

#[test]
fn the_reason_says_what_why_and_what_instead() {
    let judgement = judged(ONLY, &[], shell("echo x > flyball.toml"));
    let reason = &judgement.merged.reasons[0].reason;
    assert_eq!(
        reason.text(),
        "`flyball.toml` is flyball's configuration; an agent may not change it. The rules are the user's to \
         change, not the agent's. Work within the rules, or tell the user what you would change and why; a \
         person changes it in an editor or a terminal of their own"
    );
}
