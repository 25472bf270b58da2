//! `flyball demo`: a recorded session through the real hook.

use crate::support::{Project, program, run};

#[test]
fn the_demo_shows_each_decision_and_leaves_nothing_behind() {
    let project = Project::new();
    let temporary = project.folder().join("tmp");
    std::fs::create_dir(&temporary).unwrap();
    let project = project.with("TMPDIR", &temporary.to_string_lossy());
    let ran = project.run(&["demo"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    let decisions: Vec<&str> = ran
        .stdout
        .lines()
        .filter_map(|line| line.strip_prefix("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|word| ["deny", "finding", "hold", "ask", "allow", "silent"].contains(word))
        .collect();
    let expected = "silent silent silent allow deny silent silent silent deny ask deny deny deny ask silent deny deny deny \
         finding silent silent deny silent silent hold silent silent silent silent silent hold silent silent";
    assert_eq!(decisions.join(" "), expected);
    assert!(ran.stdout.contains("$ flyball explain "), "{}", ran.stdout);
    let end = "33 events: 9 denied, 1 finding, 2 held back from stopping, 2 left to the user. All of it was recorded.\n\n\
        Use it in your project\n  flyball init    set it up; --dry-run shows every change first\n  \
        flyball doctor  check that it is registered and its hooks run\n  \
        flyball dash    see what your agents do, in the browser\n";
    assert!(ran.stdout.ends_with(end), "{}", ran.stdout);
    assert_eq!(std::fs::read_dir(&temporary).unwrap().count(), 0);
}

/// Somebody at a terminal who presses the space bar all the time.
const IMPATIENT: &str = "
import os, pty, sys
pid, terminal = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], sys.argv[1:])
os.write(terminal, b' ' * 100)
text = b''
while True:
    try:
        text += os.read(terminal, 4096)
    except OSError:
        break
sys.stdout.write(text.decode().replace('\\r\\n', '\\n'))
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
";

#[test]
fn at_a_terminal_there_are_pauses_that_a_key_ends() {
    let project = Project::new();
    for (options, hint) in [(&["demo"][..], true), (&["demo", "--no-pause"], false)] {
        let mut command = std::process::Command::new("python3");
        command.args(["-c", IMPATIENT]).arg(program()).args(options).current_dir(project.root()).env_clear();
        command.env("HOME", project.home()).env("PATH", std::env::var_os("PATH").unwrap_or_default());
        let ran = run(command, b"");
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
        assert_eq!(ran.stdout.contains("; a key goes on at once"), hint, "{}", ran.stdout);
        assert!(ran.stdout.contains("33 events: "), "{}", ran.stdout);
    }
}

#[test]
fn the_rules_of_the_demo_pass_their_own_cases() {
    let project = Project::new();
    project.config(include_str!("../../src/commands/demo/flyball.toml"));
    let ran = project.run(&["test"]);
    assert_eq!((ran.status, ran.stdout.lines().last()), (0, Some("2 passed, 0 failed")), "{ran:?}");
}
