//! What a line says about itself: variables and directories.

use super::Row;

pub(super) const ROWS: &[Row] = &[
    (
        "a variable as a target",
        r#"f=flyball.toml; echo x > $f; echo y >> "$f.bak"; cat ${f}"#,
        &["f=flyball.toml", "echo x >flyball.toml", "echo y >>flyball.toml.bak", "cat flyball.toml"],
    ),
    ("a variable as a command", r#"cmd="rm -rf x"; $cmd y"#, &[r#"cmd="rm -rf x""#, "rm -rf x y"]),
    (
        "a quoted variable is one word",
        r#"x="a b"; echo $x "$x" p$x"#,
        &[r#"x="a b""#, r#"echo a b "a b" ?p$x"#],
    ),
    ("an empty variable is no word", "x=; $x rm a", &[r#"x="""#, "rm a"]),
    ("two variables on one line", "a=rm b=$a; $b x", &["a=rm b=rm", "rm x"]),
    (
        "export",
        "export F=a; echo > $F; x=b; export x; echo > $x",
        &["export F=a", "echo >a", "x=b", "export x", "echo >b"],
    ),
    ("a variable for one command", "F=b cmd $F; echo $F", &["F=b cmd ?$F", "echo ?$F"]),
    ("a variable built from itself", "x=a; x=$x$x; echo $x ${x}b", &["x=a", "x=aa", "echo aa aab"]),
    ("an array is unknown", "x=(a b); echo $x", &[r#"x=?"(a b)""#, "echo ?$x"]),
    ("an addition", "x=a; x+=b; echo $x", &["x=a", "x=ab", "echo ab"]),
    (
        "a variable set in a branch",
        "x=a; if c; then x=b; fi; echo $x",
        &["x=a", "c", "x=b if", "echo a if", "echo b if", "echo ?$x"],
    ),
    (
        "the same value in both branches",
        "x=a; if c; then x=b; else x=b; fi; echo $x",
        &["x=a", "c", "x=b if", "x=b if", "echo b"],
    ),
    (
        "a variable set behind and",
        "x=a; c && x=b; echo $x",
        &["x=a", "c", "x=b if", "echo b if", "echo a if", "echo ?$x"],
    ),
    (
        "a variable set in a subshell",
        "x=a; (x=b; echo $x); echo $x",
        &["x=a", "x=b ()", "echo b ()", "echo a"],
    ),
    (
        "a variable set in a pipeline",
        "x=a; c | x=b; echo $x",
        &["x=a", "c |out", "x=b |in", "echo b if", "echo a if", "echo ?$x"],
    ),
    (
        "a variable set later in a loop",
        "x=a; for i in 1 2; do echo $x; x=b; done",
        &["x=a", "echo a if", "echo ?$x if", "x=b if"],
    ),
    ("a variable only read in a loop", "x=a; for i in 1 2; do echo $x; done", &["x=a", "echo a if"]),
    (
        "a variable set by a function",
        "x=a; f() { x=b; }; echo $x; f; echo $x",
        &["x=a", "x=b fn", "echo a", "f", "echo a if", "echo ?$x"],
    ),
    ("a variable in a function", "x=a; f() { echo $x; }", &["x=a", "echo ?$x fn"]),
    (
        "read, printf, unset, arithmetic",
        "x=a; read x; echo $x; y=a; printf -v y b; echo $y; z=1; ((z++)); echo $z",
        &["x=a", "read x", "echo ?$x", "y=a", "printf -v y b", "echo b", "z=1", "echo 1 if", "echo ?$z"],
    ),
    ("a default that assigns", "x=a; echo ${x:=b}; echo $x", &["x=a", "echo a", "echo ?$x"]),
    (
        "another name for a variable",
        "x=a; declare -n r=x; r=b; echo $x",
        &["x=a", "declare -n r=x", "r=b", "echo b"],
    ),
    ("another separator", "IFS=x; y=rmxz; $y", &["IFS=x", "y=rmxz", "rm z"]),
    ("a pattern in a variable", r#"x='*'; rm $x "$x""#, &["x=*", "rm glob:* *"]),
    ("cd and", "cd api && rm x; rm y", &["cd api", "rm x if @api", "rm y @.|api"]),
    ("cd or exit", "cd api || exit 1; rm x", &["cd api", "exit 1 if @.|api", "rm x @api"]),
    (
        "cd or a group that exits",
        "cd api || { echo no; exit 1; }; rm x",
        &["cd api", "echo no if @.|api", "exit 1 if @.|api", "rm x @api"],
    ),
    ("cd and a semicolon", "cd api; rm x", &["cd api", "rm x @.|api"]),
    (
        "cd twice",
        "cd a && cd b/c && rm x && cd .. && rm y",
        &["cd a", "cd b/c if @a", "rm x if @a/b/c", "cd .. if @a/b/c", "rm y if @a/b/c/.."],
    ),
    (
        "cd to absolute places",
        "cd /a && rm x && cd ~/b && rm y && cd && rm z",
        &["cd /a", "rm x if @/a", "cd ~/b if @/a", "rm y if @~/b", "cd if @~/b", "rm z if @~"],
    ),
    (
        "cd to an unknown place",
        r#"cd "$D" && rm x; cd /a && rm y"#,
        &[r#"cd ?"$D""#, "rm x if @?", "cd /a @?", "rm y if @/a"],
    ),
    (
        "cd back",
        "cd a && cd - && rm x; pushd b && rm y && popd && rm z",
        &["cd a", "cd - if @a", "rm x if @?", "pushd b @?", "rm y if @?", "popd if @?", "rm z if @?"],
    ),
    (
        "cd with options",
        "cd -P -- a && rm x; cd -L b && rm y",
        &["cd -P -- a", "rm x if @a", "cd -L b @.|a", "rm y if @b|a/b"],
    ),
    ("cd in a subshell", "(cd api && rm x); rm y", &["cd api ()", "rm x () if @api", "rm y"]),
    (
        "cd in a pipeline and in the background",
        "cd a | rm x; cd b & rm y",
        &["cd a |out", "rm x |in", "cd b &", "rm y"],
    ),
    ("cd in a branch", "if c; then cd a; fi; rm x", &["c", "cd a if", "rm x @.|a"]),
    ("cd as a condition", "if cd a; then rm x; else rm y; fi", &["cd a", "rm x if @a", "rm y if @.|a"]),
    ("cd in a loop", "for d in a b; do rm x; cd d; done; rm y", &["rm x if @?", "cd d if @?", "rm y @?"]),
    ("cd that may not happen", "true && cd /tmp; rm x", &["true", "cd /tmp if", "rm x @.|/tmp"]),
    ("cd in a function", "f() { cd a; }; rm x; f; rm y", &["cd a fn @?", "rm x", "f", "rm y @?"]),
    (
        "cd in a substitution",
        "x=$(cd a && rm y); rm z",
        &["cd a $()", "rm y $() if @a", r#"x=?"$(cd a && rm y)""#, "rm z"],
    ),
    ("the home of the session", r#"rm -rf $HOME/x "$HOME" "${HOME}/y""#, &["rm -rf ~/x ~ ~/y"]),
    ("a name that begins like it", "rm $HOMEx $HOME.bak", &["rm ?$HOMEx ?$HOME.bak"]),
    ("the folder of the session", r#"rm "$PWD/x" $PWD"#, &["rm ./x ."]),
    ("the folder saved before", "d=$PWD; cd a && rm $d/x", &["d=?$PWD", "cd a", "rm ?$d/x if @a"]),
    ("home in the middle", "rm a$HOME", &["rm ?a$HOME"]),
    ("cd with another HOME", "HOME=/x; cd && rm y", &["HOME=/x", "cd", "rm y if @?"]),
    (
        "cd behind wrappers",
        "builtin cd a && rm x; command cd b && rm y",
        &["builtin> cd a", "rm x if @a", "command> cd b @.|a", "rm y if @b|a/b"],
    ),
    (
        "mkdir and cd",
        "mkdir -p d && cd d && touch f && git init",
        &["mkdir -p d", "cd d if", "touch f if @d", "git init if @d"],
    ),
];
