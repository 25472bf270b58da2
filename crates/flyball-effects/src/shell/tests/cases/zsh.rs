//! What only zsh runs.

use super::Row;

pub(super) const ROWS: &[Row] = &[
    ("repeat", "repeat 3 rm x", &["repeat> rm x"]),
    ("if with braces", "if [[ -f x ]] { rm x }", &["rm x if"]),
    ("foreach", "foreach f (a b) { rm $f }", &["rm ?$f if"]),
    ("background and disown", "rm x &! rm y &|", &["rm x &", "rm y &"]),
    ("qualifiers", "print -l *(.)", &["print -l glob:*(.)"]),
    ("precommands", "noglob rm x; - rm y; nocorrect rm z", &["noglob> rm x", "-> rm y", "nocorrect> rm z"]),
    ("a program looked up by equals", "=rm x", &["=rm x"]),
    (
        "substitution by equals",
        "echo =(rm x)",
        &[r#"echo ?"=(rm x)""#, r#"?TooDeep "=(rm x)""#, r#"?Syntax "=(rm x)""#],
    ),
];
