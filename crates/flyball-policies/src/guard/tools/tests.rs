//! Which searches match, what is suggested, and how often.

use std::sync::Arc;

use flyball_core::engine::{Judgement, Registry};
use flyball_core::event::{Event, EventData, SearchFor, Tool};
use flyball_core::verdict::Stance;

use crate::testing::{
    InMemory, PinnedWorld, Surroundings, before, judged, judged_in, problems, sections, shell,
};

static ONLY: Registry = &[&super::POLICY];

const DENY: &str = r#"
[[guard.tools.prefer]]
instead_of = ["search", "glob", "grep", "rg", "find", "fd", "ag"]
use = "mcp__symbols__find"
paths = ["src/**", "packages/*/lib/**"]
files = ["*.ts", "*.go"]
pattern = "symbol"
action = "deny"
"#;

const REMIND: &str = r#"
[[guard.tools.prefer]]
instead_of = ["search", "grep"]
use = "mcp__symbols__find"
every = "10m"
"#;

fn search(target: SearchFor, pattern: &str, path: Option<&str>) -> Event {
    let path = path.map(str::to_owned);
    before("Search", Tool::Search { target, pattern: pattern.to_owned(), path })
}

fn with_input(mut event: Event, input: &str) -> Event {
    if let EventData::BeforeTool(call) = &mut event.happening {
        input.clone_into(&mut call.input);
    }
    event
}

fn server(server: &str, tool: &str) -> Event {
    before(&format!("mcp__{server}__{tool}"), Tool::Mcp { server: server.to_owned(), tool: tool.to_owned() })
}

fn stance(config: &str, event: Event) -> Stance {
    judged(ONLY, &sections(config), event).merged.stance
}

fn reasons(judgement: &Judgement) -> Vec<String> {
    judgement.merged.reasons.iter().map(|given| given.reason.text()).collect()
}

#[test]
fn nothing_is_preferred_unless_the_config_says_so() {
    assert_eq!(stance("", shell("grep -rn UserService src")), Stance::Silent);
}

#[test]
fn searches_on_a_command_line() {
    use Stance::{Deny, Silent};
    let cases = [
        ("recursively", "grep -rn UserService src", Deny),
        ("with the pattern by option", "grep -rne UserService src", Deny),
        ("with the pattern by long option", "grep -r --regexp=UserService src", Deny),
        ("below the place", "grep -rn UserService src/app/", Deny),
        ("one file of the kind", "grep UserService src/app/a.ts", Deny),
        ("a pattern of files", "grep UserService src/*.ts", Deny),
        ("one file of another kind", "grep UserService src/app/a.css", Silent),
        ("input from a file", "grep UserService < src/a.ts", Deny),
        ("input from a log", "grep UserService < build.log", Silent),
        ("without a file", "grep UserService", Silent),
        ("without a file, in colour", "grep --color UserService", Silent),
        ("recursively by long option", "grep --color --recursive UserService", Deny),
        ("only such files", "grep -r --include='*.go' UserService .", Deny),
        ("only other files", "grep -r --include='*.md' UserService .", Silent),
        ("only other files, option before", "grep -r UserService --include \"*.md\" src", Silent),
        ("elsewhere", "grep -rn UserService docs", Silent),
        ("a place above", "grep -rn UserService packages", Deny),
        ("another place above", "grep -rn UserService pack", Silent),
        ("deep in a place", "rg UserService packages/core/lib", Deny),
        ("beside it", "rg UserService packages/core/docs", Silent),
        ("outside", "rg UserService ~/.cargo", Silent),
        ("outside and inside", "rg UserService ~/.cargo src", Deny),
        ("only known later", "rg UserService \"$DIR\"", Silent),
        ("a pattern only known later", "rg \"$NAME\" src", Silent),
        ("patterns from a file", "rg -f names.txt src", Silent),
        ("by type", "rg -tgo UserService", Deny),
        ("by another type", "rg --type md UserService", Silent),
        ("by what is left out", "rg -g '!*.test.ts' UserService", Deny),
        ("through sudo", "sudo rg UserService src", Deny),
        ("in a substitution", "vim $(rg -l UserService src)", Deny),
        ("filters a pipe", "make 2>&1 | rg UserService", Silent),
        ("searches in spite of a pipe", "make | grep -r UserService src", Deny),
        ("fed by xargs", "git ls-files | xargs grep UserService", Deny),
        ("run by find", "find src -type f -exec grep -l UserService {} +", Deny),
        ("a text", "rg 'user service' src", Silent),
        ("a program that is not named", "ack UserService src", Silent),
        ("ag", "ag UserService src", Deny),
        ("find", "find src -type f -name 'UserService*'", Deny),
        ("find all", "find src -type f", Silent),
        ("find and do", "find src -name 'UserService*' -delete", Silent),
        ("fd", "fd UserService src", Deny),
        ("fd by ending", "fd -e md UserService src", Silent),
        ("another folder", "cd docs && rg UserService", Silent),
        ("its folder", "cd src && rg UserService", Deny),
        ("in a message", "git commit -m 'rg UserService src'", Silent),
    ];
    for (name, line, expected) in cases {
        assert_eq!(stance(DENY, shell(line)), expected, "{name}: {line}");
    }
}

#[test]
fn searches_of_the_client() {
    use SearchFor::{Content, Names};
    use Stance::{Deny, Silent};
    let cases = [
        ("all of it", search(Content, "UserService", None), Deny),
        ("there", search(Content, "class UserService", Some("src")), Deny),
        ("elsewhere", search(Content, "UserService", Some("/project/docs")), Silent),
        ("outside", search(Content, "UserService", Some("/elsewhere/src")), Silent),
        ("a text", search(Content, "cannot .* find", Some("src")), Silent),
        ("such files", with_input(search(Content, "Foo", None), r#"{"glob":"**/*.{ts,tsx}"}"#), Deny),
        ("other files", with_input(search(Content, "Foo", None), r#"{"glob":"*.md"}"#), Silent),
        ("such a type", with_input(search(Content, "Foo", None), r#"{"type":"ts"}"#), Deny),
        ("another type", with_input(search(Content, "Foo", None), r#"{"type":"py"}"#), Silent),
        ("a name", search(Names, "src/**/UserService.ts", None), Deny),
        ("a name anywhere", search(Names, "**/UserService*", None), Deny),
        ("a name elsewhere", search(Names, "docs/**/UserService.ts", None), Silent),
        ("a name of another kind", search(Names, "**/UserService.md", None), Silent),
        ("a kind", search(Names, "**/*.ts", None), Silent),
    ];
    for (name, event, expected) in cases {
        assert_eq!(stance(DENY, event), expected, "{name}");
    }
}

#[test]
fn tools_of_a_server_are_redirected() {
    let config = r#"
        [[guard.tools.prefer]]
        instead_of = ["mcp:salesforce/*"]
        use = "scripts/sf"
        action = "deny"
        unless_file = ".direct-allowed"
        message = "The scripts keep the record of what was asked"
    "#;
    let judgement = judged(ONLY, &sections(config), server("salesforce", "query"));
    assert_eq!(
        reasons(&judgement),
        [
            "Use `scripts/sf`: this project does not call `mcp__salesforce__query` directly. The scripts keep the record of \
             what was asked"
        ]
    );
    assert_eq!(stance(config, server("github", "query")), Stance::Silent);
    assert_eq!(stance(config, shell("scripts/sf query")), Stance::Silent, "what is suggested is allowed");
    let world = PinnedWorld::new().file("/project/.direct-allowed", "");
    let lifted = judged_in(
        ONLY,
        &sections(config),
        server("salesforce", "query"),
        Surroundings { world, ..Surroundings::default() },
    );
    assert_eq!(lifted.merged.stance, Stance::Silent);
}

#[test]
fn what_is_preferred_is_never_replaced() {
    let config = "[[guard.tools.prefer]]\ninstead_of = ['mcp:symbols/*', 'grep', 'rg']\nuse = 'mcp__symbols__find'\naction = 'deny'\n\
                  [[guard.tools.prefer]]\ninstead_of = ['grep', 'rg']\nuse = 'rg'\naction = 'deny'\npattern = 'text'\n";
    assert_eq!(stance(config, server("symbols", "find")), Stance::Silent);
    assert_eq!(stance(config, server("symbols", "dump")), Stance::Deny);
    let only_second = config.split_at(config.rfind("[[").unwrap()).1;
    assert_eq!(stance(only_second, shell("rg 'a b' src")), Stance::Silent);
    assert_eq!(stance(only_second, shell("grep -r 'a b' src")), Stance::Deny);
}

#[test]
fn the_query_is_built_from_the_pattern() {
    let cases = [
        ("grep -rn 'class UserService' src", "`grep`", "Use `mcp__symbols__find` for `UserService` in `src`"),
        ("rg -t go '\\bLoad\\b'", "`rg`", "Use `mcp__symbols__find` for `Load` (`*.go`)"),
        (
            "find src -name 'UserService*.ts'",
            "`find`",
            "Use `mcp__symbols__find` for `UserService` in `src` (`UserService*.ts`)",
        ),
    ];
    for (line, tool, suggested) in cases {
        let expected = format!("{suggested}: this project does not use {tool} for such a search");
        assert_eq!(reasons(&judged(ONLY, &sections(DENY), shell(line))), [expected], "{line}");
    }
}

#[test]
fn a_reminder_allows_the_call_and_is_given_once_per_period() {
    let memory = Arc::new(InMemory::default());
    let reminder = |minutes: u64, line: &str| {
        let mut world = PinnedWorld::new();
        world.now += std::time::Duration::from_mins(minutes);
        let judgement = judged_in(
            ONLY,
            &sections(REMIND),
            shell(line),
            Surroundings { world, memory: Arc::clone(&memory) },
        );
        assert_eq!(judgement.merged.stance, Stance::Silent);
        judgement.merged.context.text
    };
    assert_eq!(
        reminder(0, "grep -rn 'user service' src"),
        "Use `mcp__symbols__find` for `user service` in `src`: this project prefers it to `grep`"
    );
    assert_eq!(reminder(9, "grep -rn UserService src"), "");
    assert_eq!(reminder(9, "ls"), "");
    assert_ne!(reminder(10, "grep -rn UserService src"), "");
    assert_eq!(reminder(19, "grep -rn UserService src"), "");
    assert_ne!(reminder(20, "grep -rn UserService src"), "");
}

#[test]
fn a_quote_in_a_pattern_breaks_nothing() {
    let judgement = judged(ONLY, &sections(REMIND), shell("grep -r 'say \"hi\" to `x`' ."));
    assert_eq!(
        judgement.merged.context.text,
        "Use `mcp__symbols__find` for \"say \"hi\" to `x`\": this project prefers it to `grep`"
    );
}

#[test]
fn an_invalid_setting_is_an_error_with_its_position() {
    let cases = [
        (
            "[[guard.tools.prefer]]\ninstead_of = ['grep', 'gerp']\nuse = 'x'\n",
            "flyball.toml:2:23: `gerp` is not a way of searching; did you mean `grep`?",
        ),
        (
            "[[guard.tools.prefer]]\ninstead_of = ['mcp:docs']\nuse = 'x'\n",
            "flyball.toml:2:15: `mcp:docs` is not a way of searching; write `search`, `glob`, `grep`, \
             `git-grep`, `rg`, `ag`, `ack`, `find`, `fd` or `mcp:server/tool`",
        ),
        (
            "[[guard.tools.prefer]]\ninstead_of = ['grep']\nuse = 'x'\nevery = '10 minutes'\n",
            "flyball.toml:4:9: invalid length of time `10 minutes`; write `30s`, `10m`, `2h` or `1d`",
        ),
        (
            "[[guard.tools.prefer]]\ninstead_of = ['grep']\nuse = 'x'\naction = 'block'\n",
            "flyball.toml:4:10: unknown value `block`; the values are `remind`, `deny`",
        ),
        (
            "[[guard.tools.prefer]]\ninstead_of = ['grep']\nuse = 'x'\nfiles = ['*.{ts']\n",
            "flyball.toml:4:10: invalid glob `*.{ts`: unclosed brace expansion at byte 2; missing '}' (to match a \
             literal '{', escape it as '\\{' or '[{]')",
        ),
        ("[[guard.tools.prefer]]\ninstead_of = ['grep']\n", "flyball.toml:1:1: missing key `use`"),
    ];
    for (text, expected) in cases {
        assert_eq!(problems(text), [expected], "{text}");
    }
}
