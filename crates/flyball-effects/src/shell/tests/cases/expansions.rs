//! Commands inside words.

use super::Row;

pub(super) const ROWS: &[Row] = &[
    (
        "substitution",
        r#"echo $(rm x) "a $(rm y) b""#,
        &["rm x $()", "rm y $()", r#"echo ?"$(rm x)" ?"\"a $(rm y) b\"""#],
    ),
    ("backticks", r#"echo `rm x` "`rm y`""#, &["rm x $()", "rm y $()", r#"echo ?"`rm x`" ?"\"`rm y`\"""#]),
    (
        "backticks in backticks",
        r"echo `echo \`rm x\``",
        &["rm x $()", r#"echo ?"`rm x`" $()"#, r#"echo ?"`echo \\`rm x\\``""#],
    ),
    (
        "backticks with quotes",
        r#"echo "`rm \"a b\"`""#,
        &[r#"rm "a b" $()"#, r#"echo ?"\"`rm \\\"a b\\\"`\"""#],
    ),
    (
        "substitution in substitution",
        "a=$(b=$(rm x); rm $b)",
        &["rm x $()", r#"b=?"$(rm x)" $()"#, "rm ?$b $()", r#"a=?"$(b=$(rm x); rm $b)""#],
    ),
    ("substitution as the program", "$(rm x) y", &["rm x $()", r#"?"$(rm x)" y"#, r#"?Program "$(rm x)""#]),
    (
        "substitution that starts with a subshell",
        "echo $((rm x); rm y)",
        &["rm x $() ()", "rm y $()", r#"echo ?"$((rm x); rm y)""#],
    ),
    (
        "substitution of two subshells",
        r#"echo "$((rm x) | (rm y))""#,
        &["rm x |out $() ()", "rm y |in $() ()", r#"echo ?"\"$((rm x) | (rm y))\"""#],
    ),
    (
        "substitution in braces",
        "echo ${ rm x; } ${| rm y; }",
        &["rm x $()", "rm y $()", r#"echo ?"${ rm x; }" ?"${| rm y; }""#],
    ),
    (
        "process substitution",
        "diff <(rm a) >(rm b)",
        &["rm a |out $()", "rm b |in $()", r#"diff ?"<(rm a)" ?">(rm b)""#],
    ),
    (
        "redirection into a process",
        "make 2> >(tee err.log >&2)",
        &["tee err.log 1>&2 |in $()", r#"make 2>?">(tee err.log >&2)""#],
    ),
    (
        "arithmetic",
        "echo $((1 + $(rm x))) $[ `rm y` ]",
        &["rm x $()", "rm y $()", r#"echo ?"$((1 + $(rm x)))" ?"$[ `rm y` ]""#],
    ),
    (
        "arithmetic without commands",
        "echo $((1 + (2 * 3))) $(($x)) $((10#$y))",
        &[r#"echo ?"$((1 + (2 * 3)))" ?$(($x)) ?$((10#$y))"#],
    ),
    ("arithmetic command", "((i = $(rm x))) || (( `rm z` ))", &["rm x $()", "rm z $() if"]),
    (
        "defaults",
        r#"echo ${x:-$(rm a)} "${x:-"$(rm b)"}" ${x:+`rm c`} ${x:=$(rm d)} ${x:?$(rm e)}"#,
        &[
            "rm a $()",
            "rm b $()",
            "rm c $()",
            "rm d $()",
            "rm e $()",
            r#"echo ?"${x:-$(rm a)}" ?"\"${x:-\"$(rm b)\"}\"" ?"${x:+`rm c`}" ?"${x:=$(rm d)}" ?"${x:?$(rm e)}""#,
        ],
    ),
    (
        "process substitution in a default",
        "cat ${x:-<(rm a)}",
        &[r#"cat ?"${x:-<(rm a)}""#, r#"?TooDeep "<(rm a)""#],
    ),
    (
        "subscripts",
        "echo ${x[$(rm a)]} ${x[${y:-$(rm b)}]}",
        &["rm a $()", "rm b $()", r#"echo ?"${x[$(rm a)]}" ?"${x[${y:-$(rm b)}]}""#],
    ),
    (
        "patterns and slices",
        "echo ${x#$(rm a)} ${x/$(rm b)/$(rm c)} ${x:$(rm d):1} ${!x:-$(rm e)}",
        &[
            "rm a $()",
            "rm b $()",
            "rm c $()",
            "rm d $()",
            "rm e $()",
            r#"echo ?"${x#$(rm a)}" ?"${x/$(rm b)/$(rm c)}" ?"${x:$(rm d):1}" ?"${!x:-$(rm e)}""#,
        ],
    ),
    (
        "assignments",
        "x=$(rm x) y=(a $(rm y) <(rm z)) z[$(rm w)]=1",
        &[
            "rm x $()",
            "rm y $()",
            "rm z |out $()",
            "rm w $()",
            r#"x=?"$(rm x)" y=?"(a $(rm y) <(rm z))" z=?1"#,
        ],
    ),
    (
        "declarations",
        "export A=$(rm a); declare -A m=([$(rm k)]=$(rm v))",
        &[
            "rm a $()",
            r#"export ?"A=$(rm a)""#,
            "rm k $()",
            "rm v $()",
            r#"declare -A ?"m=([$(rm k)]=$(rm v))""#,
        ],
    ),
    (
        "redirection targets",
        r#"echo > $(rm x) 2> "$(rm y)""#,
        &["rm x $()", "rm y $()", r#"echo >?"$(rm x)" 2>?"\"$(rm y)\"""#],
    ),
    ("here-strings", r#"cat <<< "x$(rm y)""#, &["rm y $()", r#"cat <<<?"\"x$(rm y)\"""#]),
    ("let", r#"let "x = $(rm y)""#, &["rm y $()", r#"let ?"\"x = $(rm y)\"""#]),
    ("a comment in a substitution", "echo $(rm x # )\n)", &["rm x $()", r#"echo ?"$(rm x # )\n)""#]),
    (
        "case in a substitution",
        "echo $(case a in a) rm x;; esac)",
        &["rm x $() if", r#"echo ?"$(case a in a) rm x;; esac)""#],
    ),
    (
        "quotes in a substitution in quotes",
        r#"echo "a $(echo ")" "b $(rm x)") c""#,
        &["rm x $()", r#"echo ) ?"\"b $(rm x)\"" $()"#, r#"echo ?"\"a $(echo \")\" \"b $(rm x)\") c\"""#],
    ),
];
