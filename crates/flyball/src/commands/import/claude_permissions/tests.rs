//! Rules of the client and what becomes of each.

use super::rule::{List, Owner, convert};

fn turned(rule: &str, list: List, owner: Owner) -> String {
    match convert(rule, list, owner) {
        Ok(turned) if turned.note.is_empty() => turned.patterns.join(", "),
        Ok(turned) => format!("{} ({})", turned.patterns.join(", "), turned.note),
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
        ("Bash", "no: it is about every command; name the commands that are meant"),
        ("Bash(*)", "no: it is about every command; name the commands that are meant"),
        ("Bash(* install)", "no: the program must be named"),
        ("Bash(npm*)", "no: the program must be named"),
        ("Bash(a && b)", "no: it is about several commands at once; each is judged by itself"),
        ("Bash(echo \"a\":*)", "no: `\"` in a pattern"),
        ("Bash(FOO=1 npm test)", "no: `FOO=1` is no program"),
        ("Bash(npm test", "no: its bracket is not closed"),
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
        ("Read(!x)", "no: a rule that takes another back has no pattern"),
        ("Read(../x/**)", "no: `../x/**` climbs with `..`"),
        ("Edit(src/**)", "edit:src/**"),
        ("Edit", "edit:/**"),
        ("Write(src/**)", "no: the client does not look at it; `Edit(src/**)` is what it looks at"),
        ("Grep(src/**)", "no: the client does not look at it; `Read(src/**)` is what it looks at"),
        ("Write", "no: edits are allowed by file, for example `edit:src/**`"),
        ("WebFetch(domain:docs.rs)", "fetch:docs.rs"),
        ("WebFetch(domain:*.rs)", "fetch:*.rs"),
        ("WebFetch", "fetch:*"),
        ("WebFetch(url:x)", "no: pages are known by their `domain:` alone"),
        ("WebSearch", "tool:WebSearch"),
        ("Grep", "tool:Grep"),
        ("mcp__github", "mcp:github/*"),
        ("mcp__github__*", "mcp:github/*"),
        ("mcp__github__get_issue", "mcp:github/get_issue"),
        ("mcp__github__get_issue(x)", "no: there is no pattern for what a tool of a server is called with"),
        ("Agent(reviewer)", "no: there is no pattern for what `Agent` is called with"),
        ("Agent", "tool:Agent"),
        ("", "no: it names no tool"),
    ];
    for (rule, expected) in cases {
        assert_eq!(turned(rule, List::Allow, Owner::Project), expected, "{rule}");
    }
}

#[test]
fn lists_and_owners_make_a_difference() {
    assert_eq!(turned("Write", List::Deny, Owner::Project), "tool:Write");
    assert_eq!(
        turned("Read(/docs/**)", List::Allow, Owner::User),
        "no: `/` is no certain place in the user's settings; `//` is absolute"
    );
}
