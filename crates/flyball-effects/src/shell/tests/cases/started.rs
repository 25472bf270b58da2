//! Functions with arguments, arrays, scripts that the line wrote, and what programs start.

use super::Row;

pub(super) const ROWS: &[Row] = &[
    ("a function with an argument", r#"f() { rm "$1"; }; f a"#, &[r#"rm ?"$1" fn"#, "rm a", "f a"]),
    ("a function with all of them", r#"f() { rm "$@"; }; f -r a"#, &[r#"rm ?"$@" fn"#, "rm -r a", "f -r a"]),
    ("a function that calls itself", "f() { f $1; }; f a", &["f ?$1 fn", "f a", "f a"]),
    ("set arguments", r#"set -- a b; rm "$2" "$@""#, &["set -- a b", "rm b a b"]),
    (
        "options keep the arguments",
        r#"set -- a; set -euo pipefail; rm "$1""#,
        &["set -- a", "set -euo pipefail", "rm a"],
    ),
    ("arguments moved on", r#"set -- a b; shift; rm "$1""#, &["set -- a b", "shift", "rm b"]),
    ("an array", r#"c=(rm -r a); "${c[@]}" b"#, &[r#"c=?"(rm -r a)""#, "rm -r a b"]),
    (
        "an array with something unknown",
        r#"c=(rm "$X"); "${c[@]}""#,
        &[r#"c=?"(rm \"$X\")""#, r#"?"${c[@]}""#, r#"?Program "${c[@]}""#],
    ),
    ("a declared variable", "declare -r x=a; rm $x", &["declare -r x=a", "rm a"]),
    (
        "a variable for an inner shell",
        "export x=a; y=b sh -c 'rm $x $y $z'",
        &["export x=a", "sh -c> rm a b ?$z", r#"y=b sh -c "rm $x $y $z""#],
    ),
    ("a suffix taken off", "x=a.b; rm ${x%.b} ${x/b/c}", &["x=a.b", "rm a a.c"]),
    ("a value that must be there", "rm ${HOME:?}/x", &["rm ~/x"]),
    ("text that echo gives", "rm $(echo a) `printf %s b`", &["echo a $()", "printf %s b $()", "rm a b"]),
    ("a program that which finds", "$(which rm) x", &["which rm $()", "rm x"]),
    ("a file that which finds", "cat $(which rm)", &["which rm $()", r#"cat ?"$(which rm)""#]),
    (
        "a script written and run",
        "echo 'rm x' > s.sh && sh s.sh",
        &[r#"echo "rm x" >s.sh"#, "sh> rm x if", "sh s.sh if"],
    ),
    (
        "a script written and run by its name",
        "cat > s <<'E'\nrm x\nE\n./s",
        &[r#"cat >s <<"rm x\n""#, "s> rm x", "./s"],
    ),
    ("another file is run", "echo 'rm x' > s.sh; sh t.sh", &[r#"echo "rm x" >s.sh"#, "sh t.sh"]),
    (
        "code written and run",
        "echo 'f()' > s.py; python s.py a",
        &["echo f() >s.py", r#"python> python3 -c "f()\n" a"#, "python s.py a"],
    ),
    (
        "text that was encoded",
        "echo cm0geA== | base64 -d | sh",
        &["echo cm0geA== |out", "base64 -d |in |out", "sh <<> rm x |in", "sh |in"],
    ),
    (
        "an alias of git",
        "git -c alias.x='!rm a' x b",
        &["git alias> rm a b", r#"git -c "alias.x=!rm a" x b"#],
    ),
    (
        "an alias of git for later",
        "git config alias.x 'push -f'; git x a",
        &[r#"git config alias.x "push -f""#, "git alias> git push -f a", "git x a"],
    ),
    ("an editor for git", "EDITOR='rm x;' git commit", &["git> rm x", r#"EDITOR="rm x;" git commit"#]),
    ("a plain editor for git", "EDITOR=vim git commit", &["EDITOR=vim git commit"]),
    (
        "a command for every commit",
        "git rebase -x 'make test' main",
        &["git rebase> make test", r#"git rebase -x "make test" main"#],
    ),
    ("an environment", "conda run -n base rm x", &["conda> rm x", "conda run -n base rm x"]),
    ("another verb of it", "conda install x", &["conda install x"]),
    ("a terminal", "tmux new -d 'rm x'", &["tmux> rm x", r#"tmux new -d "rm x""#]),
    ("a job for later", "at now <<< 'rm x'", &["at> rm x", r#"at now <<<"rm x""#]),
    ("this machine by ssh", "ssh localhost rm x", &["ssh> cd ~", "ssh> rm x if @~", "ssh localhost rm x"]),
    ("another machine by ssh", "ssh host rm x", &["ssh host rm x"]),
];
