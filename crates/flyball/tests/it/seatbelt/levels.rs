//! The levels of the seatbelt.

use super::*;

#[test]
fn at_the_level_project_nothing_else_is_written() {
    for_each_user("[seatbelt]\nlevel = \"project\"\nwrite = [\"~/shared\"]\n", |belted| {
        let home = belted.project.home();
        // What is below a temporary folder could be written anyway.
        assert_eq!(belted.run("echo x > $P/src.txt && mkdir -p $P/a/b && rm -r $P/a").status, 0);
        let ran = belted.run("echo x > /var/lib/flyball-test-probe; echo x > /flyball-test-probe");
        assert!(
            ran.stderr.contains("ead-only file system") || ran.stderr.contains("ermission denied"),
            "{}",
            ran.stderr
        );
        assert!(!Path::new("/flyball-test-probe").exists());
        assert_eq!(belted.run("echo > /dev/null && mktemp -d > /dev/null").status, 0);
        // A tool that is used for the first time has its folder; `/tmp` itself is not where the home is for this test.
        let is_there = |tool: &str| {
            let path = std::env::var_os("PATH").unwrap();
            std::env::split_paths(&path).any(|folder| folder.join(tool).exists())
        };
        assert!(home.join(".cache").is_dir());
        assert_eq!(home.join(".npm").is_dir(), is_there("npm"));
        assert_eq!(home.join(".composer").is_dir(), is_there("composer"));
    });
}

#[test]
fn at_the_level_secrets_keys_are_empty() {
    for_each_user("[seatbelt]\nlevel = \"secrets\"\nread = [\"~/.kube\"]\n", |belted| {
        let home = belted.project.home();
        for (file, text) in [
            (".ssh/id_ed25519", "key"),
            (".aws/credentials", "aws"),
            (".netrc", "net"),
            (".kube/config", "kube"),
        ] {
            let path = home.join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        belted.hand_over();
        let ran =
            belted.run("cat $H/.ssh/id_ed25519 $H/.aws/credentials $H/.netrc $H/.kube/config 2>/dev/null");
        assert_eq!(ran.stdout, "kube");
        // A line that calls git needs git's keys, and no others.
        let ran = belted.run(
            "git --version > /dev/null; cat $H/.ssh/id_ed25519 $H/.netrc $H/.aws/credentials 2>/dev/null",
        );
        assert_eq!(ran.stdout, "keynet");
    });
}

#[test]
fn without_a_network_this_machine_still_reaches_itself() {
    for_each_user("[seatbelt]\nnet = \"off\"\n", |belted| {
        let ran = belted.run(
            "python3 -c 'import socket; s = socket.socket(); s.bind((\"127.0.0.1\", 0)); s.listen(); socket.create_connection(s.getsockname()); print(\"self\", len(socket.if_nameindex()))'",
        );
        assert_eq!(ran.stdout, "self 1\n", "{}", ran.stderr);
    });
}

#[test]
fn a_project_that_nobody_trusts_cannot_loosen_it() {
    let belted = Belted::new(Who::Tester, "");
    let Some(belted) = belted else { return };
    belted.project.untrusted_config("[seatbelt]\nmode = \"off\"\n");
    let ran = belted.run("sh -c 'echo > .claude/settings.json'");
    assert!(ran.stderr.contains("Read-only file system"), "{}{}", ran.stdout, ran.stderr);
}
