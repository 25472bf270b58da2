//! Quotes, escapes, patterns and braces.

use super::Row;

pub(super) const ROWS: &[Row] = &[
    (
        "every way to quote a program",
        r#"\rm a; 'r'm b; "rm" c; $'rm' d; r""m e; r\m f"#,
        &["rm a", "rm b", "rm c", "rm d", "rm e", "rm f"],
    ),
    ("letters by number", r"$'\x72m' a; $'\162\155' b; $'\u0072m' c", &["rm a", "rm b", "rm c"]),
    ("quotes inside quotes", r#"echo 'it'\''s' "a\"b" $'it\'s'"#, &[r#"echo it's a"b it's"#]),
    (
        "escapes in each kind of quotes",
        r#"echo a\ b "a\\b" 'a\b' "a\nb" $'a\tb'"#,
        &[r#"echo "a b" a\b a\b a\nb "a\tb""#],
    ),
    (
        "no expansion in single quotes",
        r#"echo '$x' "\$x" \$x '$(rm x)' "\$(rm x)" "\`rm x\`""#,
        &[r#"echo $x $x $x "$(rm x)" "$(rm x)" "`rm x`""#],
    ),
    (
        "escapes before an expansion",
        r#"echo "a \`b\` \"c\" $(rm +"%Y-%m")""#,
        &["rm +%Y-%m $()", r#"echo ?"\"a \\`b\\` \\\"c\\\" $(rm +\"%Y-%m\")\"""#],
    ),
    (
        "a long text in quotes with braces",
        "node -e \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx {a, b}\"",
        &[
            "node -e \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx {a, b}\"",
        ],
    ),
    ("translated quotes", r#"echo $"hello""#, &["echo hello"]),
    ("empty words", r#"echo '' "" $''"#, &[r#"echo "" "" """#]),
    ("a continued line in quotes", "echo \"c\\\nd\"", &["echo cd"]),
    ("history is not expanded", r#"echo !x !! "!x""#, &["echo !x !! !x"]),
    (
        "patterns",
        "ls *.rs **/*.rs [a-z]* x?y @(a|b)",
        &["ls glob:*.rs glob:**/*.rs glob:[a-z]* glob:x?y glob:@(a|b)"],
    ),
    ("no patterns", r#"ls "*.rs" '*' \* [ ] a["#, &["ls *.rs * * [ ] a["]),
    ("tilde is kept", r#"rm ~/x ~user/y "~/z" a~"#, &["rm ~/x ~user/y ~/z a~"]),
    ("braces", "echo {a,b}{c,d} pre{x,y}post {a,{b,c}}", &["echo ac ad bc bd prexpost preypost a b c"]),
    ("sequences", "echo {1..3} {1..10..3} {z..x} {3..1}", &["echo 1 2 3 1 4 7 10 z y x 3 2 1"]),
    ("no braces", r#"echo {a} "{a,b}" \{a,b} {} {a,b"#, &["echo {a} {a,b} {a,b} {} {a,b"]),
    ("braces with quotes", r#"echo {a,'b c',"d,e"}"#, &[r#"echo a "b c" d,e"#]),
    ("a command out of braces", "{rm,-rf,x}", &["rm -rf x"]),
    ("braces with an unknown part", "echo pre{x,$y}post", &["echo ?pre{x,$y}post"]),
    ("too many words out of braces", "echo {1..1000}", &["echo ?{1..1000}"]),
    (
        "letters outside ASCII",
        r#"echo "Größe: $x" 'naïve' 日本語 $'é\n' > größe"#,
        &[r#"echo ?"\"Größe: $x\"" naïve 日本語 "é\n" >größe"#],
    ),
    ("an assignment as an argument", "dd if=a of=b", &["dd if=a of=b"]),
    ("numbers and signs", "kill -9 %1 @ ^ a=b -- -", &["kill -9 %1 @ ^ a=b -- -"]),
    (
        "special variables",
        r#"echo "$@" $# $? $$ $! "${x[@]}" "${!x}" "${#x}""#,
        &[r#"echo ?"$@" ?$# ?$? ?$$ ?$! ?"${x[@]}" ?"${!x}" ?"${#x}""#],
    ),
    (
        "a program that is a variable",
        r#"$X rm; "$Y/bin/z" a"#,
        &["?$X rm", r#"?"$Y/bin/z" a @?"#, "?Program $X", r#"?Program "$Y/bin/z""#],
    ),
    (
        "a path",
        "/bin/rm x; ./a.sh; C:/tools/git.exe status",
        &["/bin/rm x", "./a.sh", "C:/tools/git.exe status"],
    ),
];
