//! Rules of the client and the patterns they become.

use super::rule::{List, Owner, convert};

fn outcome(rule: &str, list: List, owner: Owner) -> String {
    match convert(rule, list, owner) {
        Ok(converted) => converted.describe(),
        Err(why) => format!("no: {why}"),
    }
}

#[test]
fn rules_become_patterns() {
    let cases = [
        ("Bash(npm run test:*)", "npm run test"),
        ("Bash(git log *)", "git log"),
        ("Bash(npm run build)", "npm run build$"),
        ("Bash(npm run test*)", "npm run test*"),
        ("Bash(git * main)", "git * main$ (where `*` is one word)"),
        ("Bash(git * main *)", "git * main (where `*` is one word)"),
        ("Bash(ls:*)", "ls"),
        ("Bash( cargo   test )", "cargo test$"),
        ("Bash", "no: it matches every command; name the commands"),
        ("Bash(*)", "no: it matches every command; name the commands"),
        ("Bash(* install)", "no: the program cannot contain `*`"),
        ("Bash(npm*)", "no: the program cannot contain `*`"),
        ("Bash(a && b)", "no: several commands at once; each is matched on its own"),
        ("Bash(echo \"a\":*)", "no: a pattern cannot contain `\"`"),
        ("Bash(FOO=1 npm test)", "no: `FOO=1` is not a program"),
        ("Bash(npm test", "no: the bracket is not closed"),
        ("Read(~/.zshrc)", "read:~/.zshrc"),
        ("Read(//etc/hosts)", "read:/etc/hosts, read:/etc/hosts/**"),
        ("Read(/docs/**)", "read:docs/**"),
        ("Read(./docs/*.md)", "read:docs/*.md"),
        ("Read(.env)", "read:**/.env"),
        ("Read(*.pem)", "read:**/*.pem"),
        ("Read(**)", "read:**"),
        ("Read", "read:/**"),
        ("Read(secrets/)", "read:**/secrets/**"),
        ("Read(~/code)", "read:~/code, read:~/code/**"),
        ("Read(!x)", "no: a rule that negates another has no pattern"),
        ("Read(../x/**)", "no: `../x/**` contains `..`"),
        ("Edit(src/**)", "edit:src/**"),
        ("Edit", "edit:/**"),
        ("Write(src/**)", "no: the client ignores it; it checks `Edit(src/**)`"),
        ("Grep(src/**)", "no: the client ignores it; it checks `Read(src/**)`"),
        ("Write", "no: allow edits by file, for example `edit:src/**`"),
        ("WebFetch(domain:docs.rs)", "fetch:docs.rs"),
        ("WebFetch(domain:*.rs)", "fetch:*.rs"),
        ("WebFetch", "fetch:*"),
        ("WebFetch(url:x)", "no: pages are matched by `domain:` only"),
        ("WebSearch", "tool:WebSearch"),
        ("Grep", "tool:Grep"),
        ("mcp__github", "mcp:github/*"),
        ("mcp__github__*", "mcp:github/*"),
        ("mcp__github__get_issue", "mcp:github/get_issue"),
        ("mcp__github__get_issue(x)", "no: there is no pattern for the arguments of a server's tool"),
        ("Agent(reviewer)", "no: there is no pattern for the arguments of `Agent`"),
        ("Agent", "tool:Agent"),
        ("", "no: no tool"),
    ];
    for (rule, expected) in cases {
        assert_eq!(outcome(rule, List::Allow, Owner::Project), expected, "{rule}");
    }
}

#[test]
fn lists_and_owners_make_a_difference() {
    assert_eq!(outcome("Write", List::Deny, Owner::Project), "tool:Write");
    assert_eq!(
        outcome("Read(/docs/**)", List::Allow, Owner::User),
        "no: `/` is ambiguous in the user's settings; `//` is absolute"
    );
}
