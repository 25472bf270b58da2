//! Redirections and here-documents.

use super::Row;

pub(super) const ROWS: &[Row] = &[
    (
        "all redirections",
        "cmd 2>/dev/null >>log <in 2>&1 <>rw >|f &>all",
        &["cmd 2>/dev/null >>log <in 2>&1 <>rw >f >all"],
    ),
    ("both outputs appended", "cmd &>>all", &["cmd >>all 2>&1"]),
    ("a file behind the ampersand", "cmd >&both", &["cmd 1>both"]),
    ("copied and closed descriptors", "exec 3<>f; cmd <&3 >&- 2>&3", &["exec 3<>f", "cmd 0>&3 1>&- 2>&3"]),
    ("a descriptor in a variable", "exec {fd}>k", &["exec 10>k"]),
    ("a redirection in front", "2>&1 >out cmd", &["cmd 2>&1 >out"]),
    (
        "unquoted body",
        "cat <<E\n$(rm a) `rm b` ${X:-$(rm c)} \\$(no) \\`no\\`\nE",
        &["rm a $()", "rm b $()", "rm c $()", r#"cat <<?"$(rm a) `rm b` ${X:-$(rm c)} \\$(no) \\`no\\`\n""#],
    ),
    ("quoted body", "cat <<'E'\n$(rm a)\nE", &[r#"cat <<"$(rm a)\n""#]),
    ("body quoted by an escape", "cat <<\\E\n$(rm a)\nE", &[r#"cat <<"$(rm a)\n""#]),
    (
        "two bodies",
        "cat <<A <<B\n$(rm a)\nA\n$(rm b) `rm c`\nB",
        &["rm a $()", "rm b $()", "rm c $()", r#"cat <<?"$(rm a)\n" <<?"$(rm b) `rm c`\n""#],
    ),
    (
        "two bodies and a word",
        "cmd <<E1 <<'E2' arg\n$(rm 1)\nE1\n$(rm 2)\nE2\nrm 3",
        &["rm 1 $()", r#"cmd arg <<?"$(rm 1)\n" <<"$(rm 2)\n""#, "rm 3"],
    ),
    ("tabs before the end", "cat <<-E\n\t$(rm x)\n\tE\nrm y", &["rm x $()", r#"cat <<?"$(rm x)\n""#, "rm y"]),
    ("empty body", "cmd <<E\nE", &[r#"cmd <<"""#]),
    ("a body without an end", "cmd <<E\nopen $(rm x)", &["rm x $()", r#"cmd <<?"open $(rm x)""#]),
    (
        "a body in a substitution",
        "echo \"$(cat <<E\n$(rm x)\nE\n)\"",
        &["rm x $()", r#"cat <<?"$(rm x)\n" $()"#, r#"echo ?"\"$(cat <<E\n$(rm x)\nE\n)\"""#],
    ),
    (
        "a quoted body in a substitution",
        "x=$(cat <<'E'\na ) b\nE\n)",
        &[r#"cat <<"a ) b\n" $()"#, r#"x="a ) b""#],
    ),
    (
        "a subshell in a body",
        "cat <<E\n$((rm x); rm y)\nE",
        &["rm x $() ()", "rm y $()", r#"cat <<?"$((rm x); rm y)\n""#],
    ),
    ("quotes in a body", "cat <<E\nit's \"$x\"\nE\nrm y", &[r#"cat <<?"it's \"$x\"\n""#, "rm y"]),
    (
        "a body and a pipe",
        "cat <<'E' | wc > out\na\nE\nrm y",
        &[r#"cat <<"a\n" |out"#, "wc >out |in", "rm y"],
    ),
    (
        "a shell reads a body",
        "bash <<'E'\nrm a\ncd x && rm b\nE",
        &["bash <<> rm a", "bash <<> cd x", "bash <<> rm b if @x", r#"bash <<"rm a\ncd x && rm b\n""#],
    ),
    ("a shell reads an unquoted body", "sh -s arg <<E\nrm a\nE", &["sh <<> rm a", r#"sh -s arg <<"rm a\n""#]),
    ("a shell reads a body with variables", "sh <<E\nrm $x\nE", &[r#"sh <<?"rm $x\n""#, "?Source sh"]),
    ("a shell reads a here-string", "bash <<< 'rm x'", &["bash <<> rm x", r#"bash <<<"rm x""#]),
    ("a shell in a group reads a body", "{ sh; } <<'E'\nrm x\nE", &[r#"<<"rm x\n""#, "sh <<> rm x", "sh"]),
    (
        "a shell reads a body through cat",
        "cat <<E | sudo sh\nrm x\nE",
        &[r#"cat <<"rm x\n" |out"#, "sudo> sh <<> rm x |in", "sudo> sh |in"],
    ),
    (
        "a shell reads its descriptor by number",
        "bash 0<<< 'rm x'; sh 0<<E\nrm y\nE",
        &["bash <<> rm x", r#"bash 0<<<"rm x""#, "sh <<> rm y", r#"sh 0<<"rm y\n""#],
    ),
    ("a shell reads another descriptor", "bash 3<<< 'rm x'", &[r#"bash 3<<<"rm x""#]),
    ("a shell reads a file", "bash -s < script", &["bash -s <script"]),
    ("a file is written", "cat > f <<'E'\ntext\nE", &[r#"cat >f <<"text\n""#]),
];
