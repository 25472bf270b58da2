//! Edge cases that are not on the page.

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
        ("git writes to a given file", "git diff --output=flyball.toml", Deny),
        ("a folder only known later", "cd \"$HERE/.claude\" && echo > settings.json", Ask),
        ("a path only known later", "echo > \"$HERE/flyball.toml\"", Ask),
        ("reading a path only known later", "cat \"$HERE/flyball.toml\"", Silent),
        ("its name passed on", "echo flyball.toml | xargs rm", Deny),
        ("its name passed on, perhaps", "ls | grep flyball.toml | xargs rm", Ask),
        ("its name passed on to a reader", "echo flyball.toml | xargs cat", Silent),
        ("found and removed", "find . -name flyball.toml -exec rm {} +", Ask),
        ("others found and removed", "find . -name '*.pyc' -exec rm {} +", Silent),
        ("a variable that every session has", "rm -rf \"$PWD\"", Deny),
        ("another one", "echo {} > $HOME/.config/flyball/config.toml", Deny),
        ("with quotes around it only", "echo {} > \"$HOME\"/.config/flyball/config.toml", Deny),
        ("in the title of something", "gh pr create --title flyball.toml --body x", Silent),
        ("copying it elsewhere", "cp flyball.toml \"$BACKUP\"", Silent),
        ("node one-liner", "node -e \"require('fs').unlinkSync('flyball.toml')\"", Deny),
        ("code that reads it", "python3 -c \"print(open('flyball.toml').read())\"", Silent),
        ("code that cannot be read", "python3 -c \"exec(load('flyball.toml'))\"", Ask),
        ("a dry run of init", "flyball init --dry-run", Silent),
        ("init", "flyball init --yes", Deny),
        ("approving", "flyball approve .ruff.toml", Deny),
        ("approving at a terminal of its own", "script -qc 'flyball approve .ruff.toml' /dev/null", Deny),
        ("another one", "python3 -c \"import pty; pty.spawn(['flyball', 'approve'])\"", Deny),
        (
            "another one from a document",
            "python3 - <<'END'\nimport pty\npty.spawn(['flyball', 'approve'])\nEND",
            Deny,
        ),
        ("approving a file with the name of a command", "flyball approve import dash", Deny),
        ("after env and setsid", "env -i setsid flyball approve", Deny),
        ("listing what needs approval", "flyball approve --list", Silent),
        ("how it differs", "flyball approve --diff .ruff.toml", Silent),
        ("restoring", "flyball restore .ruff.toml", Silent),
        ("granting itself more", "flyball loop continue 3", Deny),
        ("accepting its own work", "flyball loop accept --session 3f2a", Deny),
        ("ending its own loop", "cd src && flyball loop abort", Deny),
        ("handing off the task", "flyball loop handoff /feature", Deny),
        ("a value that looks like a read-only flag", "flyball loop handoff -- --help", Deny),
        ("deciding at a terminal of its own", "script -qc 'flyball loop accept' /dev/null", Deny),
        ("another one", "python3 -c \"import pty; pty.spawn(['flyball', 'loop', 'abort'])\"", Deny),
        ("how to decide", "flyball loop accept --help", Silent),
        ("looking at the loop", "flyball loop status --json", Silent),
        ("bounding a task", "flyball loop start --task accept --max 3", Silent),
        ("a command that flyball runs", "flyball loop start --task x --until 'cargo test'", Ask),
        ("in one word", "flyball loop start --task=x '--until=cargo test' --max 3", Ask),
        ("perhaps one", "flyball loop start --task x $MORE", Ask),
        ("a task from a variable", "flyball loop start --task \"$TASK\"", Silent),
        ("in a shell", "sh -c \"flyball loop start --task x --until 'make test'\"", Ask),
        ("by a package", "npx flyball loop start --task x --until true", Ask),
        ("what it would do", "flyball loop start --task x --until 'rm flyball.toml'", Deny),
        ("at a terminal of its own", "script -qc 'flyball loop start --task x --until true' /dev/null", Deny),
        ("ending a task", "flyball loop done", Silent),
        ("listing what is pending", "flyball learn", Silent),
        ("listing it", "flyball learn list --json --all", Silent),
        ("showing one", "flyball learn show accept", Silent),
        ("reporting one", "flyball learn add --title accept --detail 'learn accept'", Silent),
        ("accepting one", "flyball learn accept PITFALL-1 --detail x", Ask),
        ("accepting one by path", "cd a && /usr/bin/flyball learn accept PITFALL-1", Ask),
        ("showing what would be written", "flyball learn accept PITFALL-1 --dry-run", Silent),
        ("how to accept", "flyball learn accept --help", Silent),
        ("rejecting one", "flyball learn reject PITFALL-1", Ask),
        ("editing one", "flyball learn edit PITFALL-1 --title x --detail y", Ask),
        ("deleting one", "flyball learn discard PITFALL-1", Ask),
        ("accepting all", "flyball learn list | xargs -n1 flyball learn accept", Ask),
        ("what is denied wins", "flyball learn accept x; flyball loop abort", Deny),
        ("also if it is a file", "flyball learn accept x; echo x > flyball.toml", Deny),
        ("accepting at a terminal of its own", "script -qc 'flyball learn accept x' /dev/null", Deny),
        ("reviewing there", "script -qc 'flyball learn' /dev/null", Deny),
        ("pretending to be a person there", "script -qc 'flyball learn add --title x' /dev/null", Deny),
        ("looking there", "script -qc 'flyball learn list' /dev/null", Silent),
        ("what is known", "flyball memory resolve src/a.rs", Silent),
        ("what agents are served", "flyball mcp", Silent),
        ("noting a lesson", "flyball knowledge add --type avoid 'promote nothing'", Silent),
        ("tidying lessons up", "flyball knowledge compact", Silent),
        ("making lessons rules", "flyball knowledge promote 3", Ask),
        ("verifying the record", "flyball audit verify --json", Silent),
        ("signing the record", "flyball audit export --out x.jsonl", Ask),
        ("making the key", "flyball audit key", Ask),
        ("signing it at a terminal of its own", "script -qc 'flyball audit key' /dev/null", Deny),
        ("sending the record", "flyball export", Ask),
        ("sending it again", "flyball export --since 2h", Ask),
        ("how far it was sent", "flyball export --status --json", Silent),
        ("whether it could be sent", "flyball export --check", Silent),
        ("what would be sent", "flyball export --dry-run --since 2h", Silent),
        ("opening the board", "flyball dash --no-open --port 0", Silent),
        ("opening it to all", "flyball dash --listen 0.0.0.0 --expose", Deny),
        ("opening it by a package", "npx flyball dash --expose --listen ::", Deny),
        ("starting a task", "flyball task start x", Silent),
        ("the state of tasks", "flyball task status", Silent),
        ("finishing a task", "flyball task finish", Silent),
        ("making a task", "flyball task new 'Search by price' --phases 3", Silent),
        ("going on with a task", "flyball task resume", Silent),
        ("pausing a task", "flyball task pause x", Deny),
        ("releasing a task", "flyball task release", Deny),
        ("cancelling a task", "flyball task cancel --yes", Deny),
        ("releasing it by a shell", "bash -c 'flyball task release'", Deny),
        ("releasing it by another", "sh -lc \"cd a && exec flyball task release --task x\"", Deny),
        ("releasing it by a package", "npx flyball task release", Deny),
        ("releasing it by its path", "./node_modules/.bin/flyball task release", Deny),
        ("releasing it later", "nohup timeout 5 flyball task release &", Deny),
        ("accepting by a shell", "bash -c 'flyball learn accept PITFALL-1'", Ask),
        ("accepting by eval", "eval \"flyball learn accept PITFALL-1\"", Ask),
        ("accepting by a package", "npx --yes flyball learn accept PITFALL-1", Ask),
        ("accepting by a version of it", "npx -y flyball@1.2.3 learn accept PITFALL-1", Ask),
        ("accepting by its newest", "pnpm dlx flyball@latest learn accept PITFALL-1", Ask),
        ("accepting by a line for it", "npm exec -c 'flyball learn accept PITFALL-1'", Ask),
        ("accepting by the script of a package", "npm run flyball -- learn accept PITFALL-1", Ask),
        ("accepting from a build", "cargo run -p flyball -- learn accept PITFALL-1", Ask),
        ("accepting from a folder", "find . -name x -exec flyball learn accept {} \\;", Ask),
        ("looking by a package", "npx flyball learn list", Silent),
        ("testing it", "cargo nextest run -p flyball learn", Silent),
        ("building it", "cargo build -p flyball", Silent),
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
fn variables_of_flyball_are_not_set_for_later() {
    use Stance::{Ask, Deny, Silent};
    let cases = [
        ("echo 'export FLYBALL_SKIP=guard.self' >> ~/.bashrc", Deny),
        ("sed -i '1i export FLYBALL_STATE_DIR=/tmp/x' ~/.profile", Deny),
        ("v=FLYBALL; echo \"export ${v}_SKIP=x\" >> ~/.zshenv", Deny),
        ("echo FLYBALL_SKIP=x | sudo tee -a /etc/environment", Deny),
        ("echo 'FLYBALL_SKIP=x' > ~/.config/environment.d/9.conf", Deny),
        ("echo 'export FLYBALL_SKIP=x' >> \"$ZDOTDIR/.zshrc\"", Ask),
        ("python3 -c \"open('/home/dev/.bashrc','a').write('export FLYBALL_SKIP=x')\"", Deny),
        ("systemctl --user set-environment FLYBALL_SKIP=x", Deny),
        ("launchctl setenv FLYBALL_SKIP x", Deny),
        ("tmux set-environment -g FLYBALL_SKIP x", Deny),
        ("fish -c 'set -Ux FLYBALL_SKIP x'", Deny),
        ("tmux show-environment FLYBALL_SKIP", Silent),
        ("echo 'export EDITOR=vim' >> ~/.bashrc", Silent),
        ("echo '# FLYBALL_SKIP is for people' >> ~/.bashrc", Silent),
        ("echo FLYBALL_SKIP=x >> compose.env", Silent),
        ("FLYBALL_STATE_DIR=/tmp/x cargo test", Silent),
        ("grep FLYBALL_ ~/.bashrc", Silent),
    ];
    for (line, expected) in cases {
        assert_eq!(stance(shell(line)), expected, "{line}");
    }
    let edit = |path, text| stance(crate::testing::write(path, text));
    assert_eq!(edit("/project/.envrc", "export FLYBALL_SKIP=x\n"), Deny);
    assert_eq!(edit("/project/.vscode/settings.json", "{\"env\": {\"FLYBALL_SKIP\": \"x\"}}"), Deny);
    assert_eq!(edit("/project/docs/setup.md", "export FLYBALL_SKIP=x\n"), Silent);
}

#[test]
fn nothing_takes_the_place_of_flyball_or_git() {
    use Stance::{Ask, Deny, Silent};
    let cases = [
        ("printf '#!/bin/sh\\nexit 0\\n' > ~/.local/bin/flyball", Deny),
        ("ln -s /bin/true bin/flyball", Deny),
        ("install -m 755 /bin/true ~/.cargo/bin/flyball", Deny),
        ("rm ~/.cargo/bin/flyball", Deny),
        ("printf '#!/bin/sh\\n' > /tmp/x/git", Deny),
        ("chmod +x /tmp/x/git", Deny),
        ("chmod -x \"$(command -v flyball)\"", Ask),
        ("sudo mv $(which flyball) /tmp/old", Ask),
        ("echo 'alias flyball=true' >> ~/.bash_aliases", Deny),
        ("echo \"export PATH=$PWD/bin:\\$PATH\" >> ~/.bashrc", Ask),
        ("echo 'export PATH=$PWD/bin:$PATH' >> .envrc", Silent),
        ("echo 'export PATH=$HOME/.local/bin:$PATH' >> ~/.bashrc", Silent),
        ("ls -l \"$(which flyball)\"", Silent),
        ("git clone https://example.com/git.git ~/src/git", Silent),
        ("cp completions/git ~/.bash_completion.d/git", Silent),
    ];
    for (line, expected) in cases {
        assert_eq!(stance(shell(line)), expected, "{line}");
    }
}

#[test]
fn flyball_is_not_uninstalled() {
    use Stance::{Deny, Silent};
    let cases = [
        ("cargo uninstall flyball", Deny),
        ("brew uninstall --force flyball", Deny),
        ("brew unlink flyball", Deny),
        ("npm rm -g @org/flyball", Deny),
        ("sudo apt-get purge -y flyball", Deny),
        ("sudo dpkg -r flyball", Deny),
        ("sudo rpm -e flyball", Deny),
        ("sudo pacman -Rns flyball", Deny),
        ("nix profile remove flyball", Deny),
        ("uv tool uninstall flyball", Deny),
        ("pipx uninstall flyball", Deny),
        ("claude plugin disable flyball", Deny),
        ("claude plugin uninstall flyball@flyball", Deny),
        ("cargo uninstall ripgrep", Silent),
        ("cargo run -p flyball -- rm", Silent),
        ("brew list --versions flyball", Silent),
        ("npm rm flyball-theme", Silent),
        ("claude plugin list", Silent),
    ];
    for (line, expected) in cases {
        assert_eq!(stance(shell(line)), expected, "{line}");
    }
}

#[test]
fn events_are_reported_by_clients_only() {
    use Stance::{Deny, Silent};
    let cases = [
        ("flyball hook < /tmp/stop.json", Deny),
        ("echo '{}' | flyball hook --client claude-code", Deny),
        ("python3 -c \"import subprocess; subprocess.run(['flyball', 'hook'], input=b'{}')\"", Deny),
        ("flyball hook --help", Silent),
        ("flyball trust .", Deny),
        ("flyball forget --yes", Deny),
        ("flyball task finish --anyway", Deny),
        ("flyball task finish x", Silent),
        ("kitty @ send-text 'flyball approve .ruff.toml\\r'", Deny),
        ("tmux send-keys 'flyball status; flyball approve' Enter", Deny),
        ("xdotool type 'flyball loop accept'", Deny),
        ("tmux send-keys -t 0 'flyball allow --all' Enter", Deny),
        ("screen -S main -X stuff 'flyball off\\n'", Deny),
        ("wtype 'flyball disable'", Deny),
        ("tmux send-keys -t 0 'flyball status' Enter", Silent),
        ("tmux new-session -d 'flyball log'", Silent),
        ("echo 'rm -f flyball.toml' | at now + 5 minutes", Deny),
    ];
    for (line, expected) in cases {
        assert_eq!(stance(shell(line)), expected, "{line}");
    }
}

#[test]
fn our_file_is_seen_in_patterns_pipes_and_variables() {
    use Stance::{Ask, Silent};
    let cases = [
        ("find . -name 'fly*.toml' -exec sed -i s/a/b/ {} +", Ask),
        ("find . -name '*.json' -exec prettier --write {} +", Silent),
        ("ls -A | grep '^fly' | while read -r f; do mv \"$f\" /tmp; done", Ask),
        ("ls -A | grep '^src' | while read -r f; do mv \"$f\" /tmp; done", Silent),
        ("git archive HEAD~9 flyball.toml | tar x", Ask),
        ("git archive HEAD~9 flyball.toml | tar x -C /tmp/old", Silent),
        ("echo \"rm -f $PWD/flyball.toml\" | at now + 5 minutes", Ask),
        ("(crontab -l; echo '* * * * * pkill flyball') | crontab -", Ask),
        ("(crontab -l; echo '0 3 * * * make backup') | crontab -", Silent),
        ("tee -a ${XDG_CONFIG_HOME:-$HOME/.config}/flyball/config.toml", Stance::Deny),
        ("rm \"$CLAUDE_CONFIG_DIR/settings.json\"", Ask),
    ];
    for (line, expected) in cases {
        assert_eq!(stance(shell(line)), expected, "{line}");
    }
}

#[test]
fn a_script_may_not_do_what_a_line_may_not() {
    use Stance::{Deny, Silent};
    let cases = [
        ("fix.sh", "#!/bin/sh\nrm -f flyball.toml\n", "bash fix.sh", Deny),
        ("fix.sh", "#!/bin/sh\nflyball approve\n", "./fix.sh", Deny),
        ("tidy.py", "import pathlib\npathlib.Path('flyball.toml').write_text('')\n", "python3 tidy.py", Deny),
        ("Makefile", "reset:\n\trm -f .claude/settings.json\n", "make reset", Deny),
        ("package.json", r#"{"scripts":{"reset":"rm flyball.toml"}}"#, "npm run reset", Deny),
        ("Makefile", "test:\n\tpytest\nreset:\n\trm -f flyball.toml\n", "make test", Silent),
        ("fix.sh", "#!/bin/sh\ncat flyball.toml\n", "bash fix.sh", Silent),
        ("fix.sh", "#!/bin/sh\nrm -f build.log\n", "bash fix.sh", Silent),
    ];
    for (file, text, line, expected) in cases {
        let world = crate::testing::PinnedWorld::new().file(&format!("/project/{file}"), text);
        let surroundings = crate::testing::Surroundings { world, ..Default::default() };
        let judgement = crate::testing::judged_in(ONLY, &[], shell(line), surroundings);
        assert_eq!(judgement.merged.stance, expected, "{file}: {line}");
    }
}

#[test]
fn a_tool_server_cannot_write_our_file() {
    let mut event = before("mcp__files__write", Tool::Mcp { server: "files".into(), tool: "write".into() });
    let flyball_core::event::EventData::BeforeTool(call) = &mut event.happening else { unreachable!() };
    call.input = r#"{"path":"/project/flyball.toml","text":"x"}"#.into();
    assert_eq!(stance(event), Stance::Deny);
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
        "Work within the rules, or ask the user to do it: `flyball.toml` is flyball's configuration. Agents may not \
         change it"
    );
}

#[test]
fn a_lesson_is_for_the_user_to_confirm() {
    let judgement = judged(ONLY, &[], shell("flyball learn accept PITFALL-1"));
    assert_eq!(
        judgement.merged.reasons[0].reason.text(),
        "Show the user what would be written and let them decide; `flyball learn list`, `show` and `add` are allowed: \
         `flyball learn accept` is a decision of the user about what the project has learned. It is added to every \
         later session"
    );
}

#[test]
fn nobody_but_the_client_speaks_to_the_hook() {
    use Stance::{Ask, Deny, Silent};
    let cases = [
        ("by its path", "/usr/local/bin/flyball hook < e.json", Deny),
        ("through env", "env -i PATH=/usr/bin flyball hook < e.json", Deny),
        ("through a shell", "sh -c 'flyball hook < e.json'", Deny),
        ("through xargs", "cat e.json | xargs -0 flyball hook", Deny),
        ("its word through xargs", "echo hook | xargs flyball", Deny),
        ("another word through xargs", "echo status | xargs flyball", Silent),
        ("in the background, away from its parents", "setsid nohup flyball hook < e.json &", Deny),
        ("a payload piped into it", "printf '{}' | flyball hook --client claude-code", Deny),
        ("from a document", "flyball hook <<'END'\n{}\nEND", Deny),
        ("a copy made in the line", "cp $(command -v flyball) x; ./x hook < e.json", Deny),
        ("a link made in the line", "ln -s ~/.local/bin/flyball /tmp/x && /tmp/x hook", Deny),
        ("through a variable", "f=$(which flyball); $f hook < e.json", Deny),
        ("where it is looked up", "\"$(command -v flyball)\" hook < e.json", Deny),
        ("with a word from a variable", "flyball \"$WORD\" < e.json", Ask),
        ("its help", "flyball hook --help", Silent),
        ("its version", "flyball --version", Silent),
        ("the hook of something else", "./scripts/dev hook", Silent),
        ("of a client that is built here", "cargo build -p flyball && ./scripts/dev init", Silent),
    ];
    for (name, line, expected) in cases {
        assert_eq!(stance(shell(line)), expected, "{name}: {line}");
    }
}

#[test]
fn a_copy_of_the_program_is_known_by_its_content() {
    use Stance::{Deny, Silent};
    let program = "/home/dev/.local/bin/flyball";
    let cases = [
        ("the copy", "ELF flyball", "./x hook < e.json", Deny),
        ("the copy for something harmless", "ELF flyball", "./x status", Silent),
        ("the copy decides", "ELF flyball", "./x loop accept", Deny),
        ("another program of that size", "ELF flybalm", "./x hook < e.json", Silent),
        ("another program", "#!/bin/sh", "./x hook < e.json", Silent),
    ];
    for (name, content, line, expected) in cases {
        let world = crate::testing::PinnedWorld::new()
            .with_program(program, "ELF flyball")
            .file("/project/x", content);
        let surroundings = crate::testing::Surroundings { world, ..Default::default() };
        let judgement = crate::testing::judged_in(ONLY, &[], shell(line), surroundings);
        assert_eq!(judgement.merged.stance, expected, "{name}: {line}");
    }
    // A script that the session wrote is read like the line.
    let world =
        crate::testing::PinnedWorld::new().file("/project/x.sh", "#!/bin/sh\ncat e.json | flyball hook\n");
    let surroundings = crate::testing::Surroundings { world, ..Default::default() };
    let judgement = crate::testing::judged_in(ONLY, &[], shell("sh x.sh"), surroundings);
    assert_eq!(judgement.merged.stance, Deny);
}
