//! What is reported as unknown.

use super::Row;

pub(super) const ROWS: &[Row] = &[
    ("open quotes", r#"echo "open"#, &[r#"?Syntax "echo \"open""#]),
    ("an open substitution", "rm x; echo $(", &[r#"?Syntax "rm x; echo $(""#]),
    ("an open if", "if a; then b", &[r#"?Syntax "if a; then b""#]),
    ("a stray parenthesis", "a ) b", &["a", r#"?Syntax "a ) b""#]),
    ("a stray terminator", "a;;b", &["a", "b", "?Syntax a;;b"]),
    ("a broken substitution", "echo $(if a)", &[r#"echo ?"$(if a)""#, r#"?Syntax "if a""#]),
    (
        "a broken substitution in arithmetic",
        "echo $((1+$(if a)))",
        &[r#"echo ?"$((1+$(if a)))""#, r#"?Syntax "if a""#],
    ),
    ("a broken body", "cat <<E\n$(if a)\nE", &[r#"cat <<?"$(if a)\n""#, r#"?Syntax "if a""#]),
    ("a broken shell text", "bash -c 'if a; rm x'", &[r#"bash -c "if a; rm x""#, r#"?Syntax "if a; rm x""#]),
    (
        "an open brace swallows the rest",
        r#"echo {" ; echo " ; rm x"#,
        &[r#"echo "{ ; echo  ; rm x""#, r#"?Syntax "{\" ; echo \" ; rm x""#],
    ),
    (
        "an open brace and a closed one",
        r"echo {a,b \{a,b}",
        &[r#"echo a "b {a" b"#, r#"?Syntax "{a,b \\{a,b}""#],
    ),
    ("an open brace in a test", "[[ -n {a ]] && rm x", &[r#"?Syntax " ]] && rm x""#]),
    ("an open brace in an array", "x=(a {b);rm x", &["x=?(", r#"?Syntax "{b);rm x""#]),
    ("a word cut in two", "echo }x", &["echo } x", r#"?Syntax "echo }x""#]),
    (
        "quotes in braces",
        r"echo ${x:-$'e\'f'};( rm x )",
        &[r#"echo ?"${x:-$'e\\'f'};( rm x )""#, r#"?Syntax "${x:-$'e\\'f'};( rm x )""#],
    ),
    ("two subshells taken for arithmetic", "((rm a) | (rm b))", &[r#"?Syntax "rm a) | (rm b)""#]),
    ("a reserved word after a redirection", "3<s ! rm y", &["! rm y 3<s", r#"?Syntax "! rm y""#]),
    (
        "defaults in each other",
        "echo ${a:-${a:-${a:-${a:-${a:-${a:-${a:-${a:-${a:-${a:-${a:-$(rm x)}}}}}}}}}}}",
        &[
            r#"echo ?"${a:-${a:-${a:-${a:-${a:-${a:-${a:-${a:-${a:-${a:-${a:-$(rm x)}}}}}}}}}}}""#,
            r#"?TooDeep "${a:-$(rm x)}""#,
        ],
    ),
];
