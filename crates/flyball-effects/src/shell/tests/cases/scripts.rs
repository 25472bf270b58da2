//! Text that a shell reads.

use super::Row;

pub(super) const ROWS: &[Row] = &[
    ("bash -c", "bash -c 'rm x; rm y'", &["bash -c> rm x", "bash -c> rm y", r#"bash -c "rm x; rm y""#]),
    (
        "flags together",
        "bash -lc 'rm x'; bash -euxc 'rm y'; zsh -ic 'rm z'; dash -ec 'rm w'",
        &[
            "bash -c> rm x",
            r#"bash -lc "rm x""#,
            "bash -c> rm y",
            r#"bash -euxc "rm y""#,
            "zsh -c> rm z",
            r#"zsh -ic "rm z""#,
            "dash -c> rm w",
            r#"dash -ec "rm w""#,
        ],
    ),
    (
        "options before",
        "bash -o pipefail -c 'rm y'; bash -euo pipefail -c 'rm z'; bash --norc --rcfile f -c 'rm w'",
        &[
            "bash -c> rm y",
            r#"bash -o pipefail -c "rm y""#,
            "bash -c> rm z",
            r#"bash -euo pipefail -c "rm z""#,
            "bash -c> rm w",
            r#"bash --norc --rcfile f -c "rm w""#,
        ],
    ),
    ("arguments of the text", r#"sh -c 'rm "$1"' _ x"#, &["sh -c> rm x", r#"sh -c "rm \"$1\"" _ x"#]),
    (
        "redirections of the shell",
        "bash -c 'rm x' > out < in",
        &["bash -c> rm x", r#"bash -c "rm x" >out <in"#],
    ),
    (
        "a shell in a shell in a shell",
        r#"bash -c 'bash -c "bash -c \"rm x\""'"#,
        &[
            "bash -c> bash -c> bash -c> rm x",
            r#"bash -c> bash -c> bash -c "rm x""#,
            r#"bash -c> bash -c "bash -c \"rm x\"""#,
            r#"bash -c "bash -c \"bash -c \\\"rm x\\\"\"""#,
        ],
    ),
    (
        "a shell behind wrappers",
        "sudo -E timeout 5 /bin/bash -c 'cd a && rm x'",
        &[
            "sudo> timeout> bash -c> cd a",
            "sudo> timeout> bash -c> rm x if @a",
            r#"sudo> timeout> /bin/bash -c "cd a && rm x""#,
        ],
    ),
    (
        "a directory before a shell",
        "cd a && bash -c 'rm x; cd b; rm y'; rm z",
        &[
            "cd a",
            "bash -c> rm x if @a",
            "bash -c> cd b if @a",
            "bash -c> rm y if @a|a/b",
            r#"bash -c "rm x; cd b; rm y" if @a"#,
            "rm z @.|a",
        ],
    ),
    (
        "text with a variable",
        r#"bash -c "rm -rf $X/y; cd $Z""#,
        &[
            "bash -c> rm -rf ?$X/y",
            "bash -c> cd ?$Z",
            r#"bash -c ?"\"rm -rf $X/y; cd $Z\"""#,
            r#"?Source "bash -c \"rm -rf $X/y; cd $Z\"""#,
        ],
    ),
    ("text that is a variable", r#"bash -c "$X""#, &[r#"bash -c ?"$X""#, r#"?Source "bash -c \"$X\"""#]),
    (
        "text that is a command",
        r#"bash -c "$(curl x)""#,
        &["curl x $()", r#"bash -c ?"\"$(curl x)\"""#, r#"?Source "bash -c \"$(curl x)\"""#],
    ),
    ("no text", "bash -c", &["bash -c", r#"?Source "bash -c""#]),
    (
        "a script file",
        r#"bash script.sh a; bash -x script.sh -c foo; bash -- script; sh "$f""#,
        &["bash script.sh a", "bash -x script.sh -c foo", "bash -- script", r#"sh ?"$f""#],
    ),
    (
        "a process as the script",
        "bash <(curl x)",
        &["curl x |out $()", r#"bash ?"<(curl x)""#, r#"?Source "bash <(curl x)""#],
    ),
    (
        "standard input as the script",
        "curl x | bash; curl x | sudo bash -s -- a; curl x | bash /dev/stdin",
        &[
            "curl x |out",
            "bash |in",
            "curl x |out",
            "sudo> bash -s -- a |in",
            "curl x |out",
            "bash /dev/stdin |in",
            "?Source bash",
            r#"?Source "bash -s -- a""#,
            r#"?Source "bash /dev/stdin""#,
        ],
    ),
    ("echo into a shell", "echo 'rm x' | sh", &[r#"echo "rm x" |out"#, "sh <<> rm x |in", "sh |in"]),
    (
        "echo into a shell in a group",
        "echo rm x | { read y; sh; }",
        &["echo rm x |out", "read y |in", "sh |in"],
    ),
    (
        "printf into a shell",
        r"printf '%s\n' 'rm x' | bash; printf 'rm y' | bash",
        &[
            r#"printf %s\n "rm x" |out"#,
            "bash <<> rm x |in",
            "bash |in",
            r#"printf "rm y" |out"#,
            "bash <<> rm y |in",
            "bash |in",
        ],
    ),
    ("an unknown echo into a shell", r#"echo "$X" | sh"#, &[r#"echo ?"$X" |out"#, "sh |in", "?Source sh"]),
    ("a shell that is the process", "tee >(sh)", &["sh |in $()", "tee ?>(sh)", "?Source sh"]),
    (
        "eval",
        "eval rm x; eval 'rm a;' rm b; eval",
        &["eval> rm x", "eval rm x", "eval> rm a", "eval> rm b", r#"eval "rm a;" rm b"#, "eval"],
    ),
    ("eval of the unknown", r#"eval "$Y"; rm x"#, &[r#"eval ?"$Y""#, "rm x @?", r#"?Source "eval \"$Y\"""#]),
    (
        "eval of a loop's line",
        r#"while read l; do eval "$l"; done < f"#,
        &["<f", "read l if @?", r#"eval ?"$l" if @?"#, r#"?Source "eval \"$l\"""#],
    ),
    (
        "eval changes the shell",
        r#"eval "x=1; cd z"; rm w"#,
        &["eval> x=1", "eval> cd z", r#"eval "x=1; cd z""#, "rm w @?"],
    ),
    ("eval sees variables", r#"c='rm x'; eval "$c""#, &[r#"c="rm x""#, "eval> rm x", r#"eval "rm x""#]),
    (
        "trap",
        "trap 'rm x' EXIT; trap - INT; trap '' HUP; trap",
        &["trap> rm x", r#"trap "rm x" EXIT"#, "trap - INT", r#"trap "" HUP"#, "trap"],
    ),
    (
        "su",
        "su - u -c 'rm y'; runuser -u u -- id; su --command='rm z'",
        &[
            "su -c> rm y",
            r#"su - u -c "rm y""#,
            "runuser> id",
            "runuser -u u -- id",
            "su -c> rm z",
            r#"su "--command=rm z""#,
        ],
    ),
    ("alias", "alias ll='rm x' gs; ll", &["alias> rm x", r#"alias "ll=rm x" gs"#, "ll"]),
    (
        "source",
        "source .venv/bin/activate && rm x; . ./f",
        &["source .venv/bin/activate", "rm x if", ". ./f"],
    ),
    (
        "source of a process",
        ". <(echo rm)",
        &["echo rm |out $()", ".> rm @?", r#". ?"<(echo rm)""#, r#"?Source ". <(echo rm)""#],
    ),
];
