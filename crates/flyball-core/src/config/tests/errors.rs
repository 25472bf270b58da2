//! What people are shown of each mistake, whole.

use super::*;

struct Case {
    name: &'static str,
    text: &'static str,
    shown: &'static str,
}

#[test]
fn every_mistake_is_shown_with_its_place_and_the_fix() {
    for Case { name, text, shown } in CASES {
        let errors = compile(&[project(text)], REGISTRY).unwrap_err();
        let rendered: Vec<String> = errors.iter().map(|error| error.render(RenderStyle::Plain)).collect();
        assert_eq!(format!("\n{}\n", rendered.join("\n")), *shown, "{name}");
    }
}

const CASES: &[Case] = &[
    Case {
        name: "a misspelt key",
        text: "[guard.packages]\npyton = \"uv\"\n",
        shown: r#"
error: unknown key `pyton`
  ╭▸ flyball.toml:2:1
  │
1 │ [guard.packages]
2 │ pyton = "uv"
  │ ━━━━━
  │
  ╰ help: did you mean `python`?
"#,
    },
    Case {
        name: "a misspelt `mode`, which the type of the section does not know",
        text: "[guard.packages]\nmdoe = \"off\"\n",
        shown: r#"
error: unknown key `mdoe`
  ╭▸ flyball.toml:2:1
  │
1 │ [guard.packages]
2 │ mdoe = "off"
  │ ━━━━
  │
  ╰ help: did you mean `mode`?
"#,
    },
    Case {
        name: "the beginning of a key",
        text: "[engine]\ndeadline = 5\n",
        shown: r#"
error: unknown key `deadline`
  ╭▸ flyball.toml:2:1
  │
1 │ [engine]
2 │ deadline = 5
  │ ━━━━━━━━
  │
  ╰ help: did you mean `deadline_ms`?
"#,
    },
    Case {
        name: "a key like no other",
        text: "[guard.packages]\nzzz = 1\n",
        shown: r#"
error: unknown key `zzz`
  ╭▸ flyball.toml:2:1
  │
1 │ [guard.packages]
2 │ zzz = 1
  │ ━━━
  │
  ╰ help: the keys here are `mode`, `python`, `allow`
"#,
    },
    Case {
        name: "flyball's own sections have no mode",
        text: "[engine]\nmode = \"off\"\n",
        shown: r#"
error: unknown key `mode`
  ╭▸ flyball.toml:2:1
  │
1 │ [engine]
2 │ mode = "off"
  │ ━━━━
  │
  ╰ help: the keys here are `deadline_ms`, `context_chars`, `wrappers`
"#,
    },
    Case {
        name: "a misspelt mode",
        text: "[guard.packages]\nmode = \"offf\"\n",
        shown: r#"
error: unknown mode `offf`
  ╭▸ flyball.toml:2:8
  │
1 │ [guard.packages]
2 │ mode = "offf"
  │        ━━━━━━
  │
  ╰ help: did you mean `off`?
"#,
    },
    Case {
        name: "a mode like no other",
        text: "[guard.packages]\nmode = \"never\"\n",
        shown: r#"
error: unknown mode `never`
  ╭▸ flyball.toml:2:8
  │
1 │ [guard.packages]
2 │ mode = "never"
  │        ━━━━━━━
  │
  ╰ help: the modes are `off`, `observe`, `enforce`
"#,
    },
    Case {
        name: "a misspelt value",
        text: "[guard.packages]\npython = \"uvx\"\n",
        shown: r#"
error: unknown value `uvx`
  ╭▸ flyball.toml:2:10
  │
1 │ [guard.packages]
2 │ python = "uvx"
  │          ━━━━━
  │
  ╰ help: did you mean `uv`?
"#,
    },
    Case {
        name: "a number for a name",
        text: "[guard.packages]\npython = 5\n",
        shown: r#"
error: expected a string
  ╭▸ flyball.toml:2:10
  │
1 │ [guard.packages]
2 │ python = 5
  ╰╴         ━
"#,
    },
    Case {
        name: "a string for an array",
        text: "[guard.packages]\nallow = \"ls\"\n",
        shown: r#"
error: expected an array, found the string `"ls"`
  ╭▸ flyball.toml:2:9
  │
1 │ [guard.packages]
2 │ allow = "ls"
  ╰╴        ━━━━
"#,
    },
    Case {
        name: "an entry of another type",
        text: "[guard.packages]\nallow = [\"ls\", 5]\n",
        shown: r#"
error: expected a string, found the integer `5`
  ╭▸ flyball.toml:2:16
  │
1 │ [guard.packages]
2 │ allow = ["ls", 5]
  ╰╴               ━
"#,
    },
    Case {
        name: "a table for an array",
        text: "[guard.packages]\nallow = { a = 1 }\n",
        shown: r#"
error: expected an array, found a table
  ╭▸ flyball.toml:2:9
  │
1 │ [guard.packages]
2 │ allow = { a = 1 }
  ╰╴        ━━━━━━━━━
"#,
    },
    Case {
        name: "a negative number",
        text: "[guard.self]\ntries.max = -1\n",
        shown: r#"
error: expected a whole number from 0 to 4294967295, found the integer `-1`
  ╭▸ flyball.toml:2:13
  │
1 │ [guard.self]
2 │ tries.max = -1
  ╰╴            ━━
"#,
    },
    Case {
        name: "a number too large for TOML",
        text: "[guard.self]\ntries.max = 99999999999999999999999999999999999999999\n",
        shown: r#"
error: the number is too large
  ╭▸ flyball.toml:2:13
  │
1 │ [guard.self]
2 │ tries.max = 99999999999999999999999999999999999999999
  ╰╴            ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
"#,
    },
    Case {
        name: "a number too large for the key",
        text: "[rules]\npatience = 256\n",
        shown: r#"
error: expected a whole number from 0 to 255, found the integer `256`
  ╭▸ flyball.toml:2:12
  │
1 │ [rules]
2 │ patience = 256
  ╰╴           ━━━
"#,
    },
    Case {
        name: "a number for a table",
        text: "[guard.self]\ntries = 5\n",
        shown: r#"
error: expected a table, found the integer `5`
  ╭▸ flyball.toml:2:9
  │
1 │ [guard.self]
2 │ tries = 5
  ╰╴        ━
"#,
    },
    Case {
        name: "several mistakes in one table",
        text: "[guard.self.tries]\ntell = \"yes\"\nmaxx = 1\n",
        shown: r#"
error: expected a boolean, found the string `"yes"`
  ╭▸ flyball.toml:2:8
  │
1 │ [guard.self.tries]
2 │ tell = "yes"
  ╰╴       ━━━━━
error: unknown key `maxx`
  ╭▸ flyball.toml:3:1
  │
2 │ tell = "yes"
3 │ maxx = 1
  │ ━━━━
  │
  ╰ help: did you mean `max`?
"#,
    },
    Case {
        name: "mistakes in several sections",
        text: "[store]\npayloads = \"ful\"\n[guard.packages]\nmode = 'on'\n",
        shown: r#"
error: unknown value `ful`
  ╭▸ flyball.toml:2:12
  │
1 │ [store]
2 │ payloads = "ful"
  │            ━━━━━
  │
  ╰ help: did you mean `full`?
error: unknown mode `on`
  ╭▸ flyball.toml:4:8
  │
3 │ [guard.packages]
4 │ mode = 'on'
  │        ━━━━
  │
  ╰ help: the modes are `off`, `observe`, `enforce`
"#,
    },
    Case {
        name: "a misspelt section",
        text: "[guard.slef]\n",
        shown: r#"
error: unknown section `guard.slef`
  ╭▸ flyball.toml:1:8
  │
1 │ [guard.slef]
  │        ━━━━
  │
  ╰ help: did you mean `guard.self`?
"#,
    },
    Case {
        name: "the last part of a section's name",
        text: "[self]\n",
        shown: r#"
error: unknown section `self`
  ╭▸ flyball.toml:1:2
  │
1 │ [self]
  │  ━━━━
  │
  ╰ help: did you mean `guard.self`?
"#,
    },
    Case {
        name: "a misspelt table of sections",
        text: "[gaurd.self]\n",
        shown: r#"
error: unknown section `gaurd`
  ╭▸ flyball.toml:1:2
  │
1 │ [gaurd.self]
  │  ━━━━━
  │
  ╰ help: did you mean `guard`?
"#,
    },
    Case {
        name: "a key between sections",
        text: "[guard]\nmode = \"off\"\n",
        shown: r#"
error: unknown key `guard.mode`
  ╭▸ flyball.toml:2:1
  │
1 │ [guard]
2 │ mode = "off"
  │ ━━━━
  │
  ╰ help: the sections here are `guard.self`, `guard.packages`
"#,
    },
    Case {
        name: "a section like no other",
        text: "[frobnicate]\n",
        shown: r#"
error: unknown section `frobnicate`
  ╭▸ flyball.toml:1:2
  │
1 │ [frobnicate]
  │  ━━━━━━━━━━
  │
  ╰ help: `flyball policies` lists the sections
"#,
    },
    Case {
        name: "a value for a section",
        text: "guard = 5\n",
        shown: r#"
error: `guard` is a section: expected a table
  ╭▸ flyball.toml:1:9
  │
1 │ guard = 5
  │         ━
  │
  ╰ help: write `[guard]`, and its keys below
"#,
    },
    Case {
        name: "a misspelt array",
        text: "[[rul]]\n",
        shown: r#"
error: unknown key `rul`
  ╭▸ flyball.toml:1:3
  │
1 │ [[rul]]
  │   ━━━
  │
  ╰ help: did you mean `rule`?
"#,
    },
    Case {
        name: "a value for an array of tables",
        text: "rule = 5\n",
        shown: r#"
error: `rule` is a list: expected an array of tables
  ╭▸ flyball.toml:1:8
  │
1 │ rule = 5
  │        ━
  │
  ╰ help: each entry starts with `[[rule]]`
"#,
    },
    Case {
        name: "an array of tables where it does not belong",
        text: "[rules]\nrule = []\n",
        shown: r#"
error: unknown key `rule`
  ╭▸ flyball.toml:2:1
  │
1 │ [rules]
2 │ rule = []
  │ ━━━━
  │
  ╰ help: each entry starts with `[[rule]]`
"#,
    },
    Case {
        name: "a lock in a project",
        text: "lock = [\"rules\"]\n",
        shown: r#"
error: a project cannot lock anything
  ╭▸ flyball.toml:1:8
  │
1 │ lock = ["rules"]
  │        ━━━━━━━━━
  │
  ╰ help: `lock` belongs in the user's or the administrator's file
"#,
    },
    Case {
        name: "mistakes in the entries of an array",
        text: "[[rule]]\nwehn = \"a\"\nthen = \"deyn\"\n\n[[rule]]\nwhen = 1\nthen = \"deny\"\n[[rule]]\nwhen = ''\n",
        shown: r#"
error: unknown key `wehn`
  ╭▸ flyball.toml:2:1
  │
1 │ [[rule]]
2 │ wehn = "a"
  │ ━━━━
  │
  ╰ help: did you mean `when`?
error: unknown value `deyn`
  ╭▸ flyball.toml:3:8
  │
2 │ wehn = "a"
3 │ then = "deyn"
  │        ━━━━━━
  │
  ╰ help: did you mean `deny`?
error: expected a string, found the integer `1`
  ╭▸ flyball.toml:6:8
  │
5 │ [[rule]]
6 │ when = 1
  ╰╴       ━
error: missing key `then`
  ╭▸ flyball.toml:8:1
  │
7 │ then = "deny"
8 │ [[rule]]
  ╰╴━━━━━━━━
"#,
    },
    Case {
        name: "a policy's own errors, at their columns",
        text: "[[rule]]\nwhen = \"\\t@ b\"\nthen = \"deny\"\n\n[[rule]]\nwhen = '''\nx\n@'''\nthen = \"deny\"\n",
        shown: r#"
error: a condition has no `@`
  ╭▸ flyball.toml:2:11
  │
1 │ [[rule]]
2 │ when = "\t@ b"
  │           ━
  │
  ╰ help: leave it out
error: a condition has no `@`
  ╭▸ flyball.toml:8:1
  │
7 │ x
8 │ @'''
  │ ━
  │
  ╰ help: leave it out
"#,
    },
    Case {
        name: "no value",
        text: "[guard.packages]\npython = \n",
        shown: r#"
error: expected a value
  ╭▸ flyball.toml:2:10
  │
1 │ [guard.packages]
2 │ python = 
  ╰╴         ━
"#,
    },
    Case {
        name: "no quotes",
        text: "[guard.packages]\npython = uv\n",
        shown: r#"
error: a string needs quotes
  ╭▸ flyball.toml:2:10
  │
1 │ [guard.packages]
2 │ python = uv
  │          ━━
  │
  ╰ help: write `"uv"`
"#,
    },
    Case {
        name: "no bracket",
        text: "[guard.packages\npython = 1\n",
        shown: r#"
error: unclosed table
  ╭▸ flyball.toml:1:16
  │
1 │ [guard.packages
  │                ━
  │
  ╰ help: expected `]`
"#,
    },
    Case {
        name: "no equals sign",
        text: "[guard.packages]\npython\n",
        shown: r#"
error: key with no value
  ╭▸ flyball.toml:2:7
  │
1 │ [guard.packages]
2 │ python
  │       ━
  │
  ╰ help: expected `=`
"#,
    },
    Case {
        name: "a key twice",
        text: "[guard.packages]\nallow = []\nallow = []\n",
        shown: r#"
error: duplicate key `allow`
  ╭▸ flyball.toml:3:1
  │
2 │ allow = []
3 │ allow = []
  ╰╴━━━━━
"#,
    },
    Case {
        name: "no closing quote",
        text: "a = \"x\n",
        shown: r#"
error: invalid basic string
  ╭▸ flyball.toml:1:7
  │
1 │ a = "x
  │       ━
  │
  ╰ help: expected `"`
"#,
    },
    Case {
        name: "an unknown escape",
        text: "a = \"\\q\"\n",
        shown: r#"
error: missing escaped value
  ╭▸ flyball.toml:1:7
  │
1 │ a = "\q"
  │       ━
  │
  ╰ help: expected `b`, `e`, `f`, `n`, `r`, `\`, `"`, `x`, `u`, `U`
"#,
    },
    Case {
        name: "more on a line than belongs there",
        text: "a = 'é' b\n",
        shown: r#"
error: unexpected key or value
  ╭▸ flyball.toml:1:9
  │
1 │ a = 'é' b
  │         ━
  │
  ╰ help: expected newline, `#`
"#,
    },
    Case {
        name: "wide characters and Windows line ends",
        text: "[guard.packages]\r\n\"ключ\" = 'é'\r\n",
        shown: r#"
error: unknown key `ключ`
  ╭▸ flyball.toml:2:1
  │
1 │ [guard.packages]
2 │ "ключ" = 'é'
  │ ━━━━━━
  │
  ╰ help: the keys here are `mode`, `python`, `allow`
"#,
    },
];
