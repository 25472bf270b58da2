//! Whole command lines: where the code is found, and what the shell reader makes of it.

use super::render::render;
use crate::code::read_command;
use crate::model::{Script, UnknownReason};
use crate::shell::parse;

/// Lines whose code only reads, computes and prints.
pub(super) const HARMLESS: &[&str] = &[
    "curl -s http://a | python3 -c \"import json,sys; print(json.load(sys.stdin)['a'])\"",
    "cat a.json | python3 -c 'import sys,json; [print(x[\"id\"]) for x in json.load(sys.stdin)]'",
    "python3 - <<'EOF'\nimport json\nprint(json.load(open('a.json'))['b'])\nEOF",
    "python3 <<EOF\nprint(\"$HOME\")\nEOF",
    "python -c \"print('$X')\"",
    "python3 -c 'import sys; print(sys.argv[1])' rm",
    "python3 -m json.tool a.json",
    "python3 script.py",
    "python3 --version",
    "node -p 'process.version'",
    "node -e \"console.log(require('fs').existsSync('$f'))\"",
    "node --input-type=module -e \"import fs from 'fs'; console.log(fs.readdirSync('.'))\"",
    "deno eval 'console.log(1)'",
    "bun -e 'console.log(Bun.version)'",
    "perl -ne 'print if /a/' f",
    "perl -pe 's/a/b/' f",
    "perl -MJSON::PP -e 'print encode_json({a=>1})'",
    "perl -lane 'print $F[1]' f",
    "perl -0777 -ne 'print \"$1\\n\" while /x(\\d+)/g' f",
    "ruby -rjson -e 'puts JSON.parse(STDIN.read).keys' < a.json",
    "ruby -ne 'puts $_ if /x/' f",
    "php -r 'echo PHP_VERSION;'",
    "lua -e 'print(1)'",
    "awk -F: '{ print $1 }' /etc/passwd",
    "awk -v n=5 'NR > n' f",
    "sed -n '1,20p' f",
    "sed -e 's/a/b/' -e 's/c/d/' f",
    "sed -E \"s/$a/$b/g\" f",
    "git log --format=%s | awk '{ c[$1]++ } END { for (k in c) print k, c[k] }'",
    "echo 'print(1)' | python3",
    "osascript -e 'display notification \"done\"'",
];

/// The acts of all code in a line.
fn acts(script: &Script) -> Vec<String> {
    script.commands.iter().filter_map(read_command).flat_map(|reading| render(&reading)).collect()
}

/// The programs of a line, with the wrappers that start them.
fn programs(script: &Script) -> Vec<String> {
    let name = |command: &crate::model::Command| {
        let program = command.program.text.clone().unwrap_or_else(|| "?".to_owned());
        let words = command.arguments.iter().map(|word| word.text.clone().unwrap_or_else(|| "?".to_owned()));
        let words: Vec<String> =
            command.wrappers.iter().map(|by| format!("{by}>")).chain([program]).chain(words).collect();
        words.join(" ")
    };
    script.commands.iter().filter(|command| !command.wrappers.is_empty()).map(name).collect()
}

#[test]
fn harmless_lines_start_and_change_nothing() {
    let wrong: Vec<String> = HARMLESS
        .iter()
        .filter_map(|line| {
            let script = parse(line);
            let acts: Vec<String> =
                acts(&script).into_iter().filter(|act| !act.starts_with("read ")).collect();
            let is_right = acts.is_empty() && programs(&script).is_empty() && script.unknown.is_empty();
            (!is_right).then(|| format!("{line}\n  {acts:?} {:?} {:?}", programs(&script), script.unknown))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn code_is_found_wherever_it_is() {
    let rows: &[(&str, &[&str])] = &[
        ("python -c \"open('ruff.toml','w').write('x')\"", &["write ruff.toml \"x\""]),
        ("python3.12 -Ic 'open(\"a\",\"w\")'", &["write a"]),
        ("python3 - <<'EOF'\nopen('a','w').write('b')\nEOF", &["write a \"b\""]),
        ("python3 <<EOF\nopen('a','w')\nEOF", &["write a"]),
        ("python3 <<EOF\nopen('$X/a','w')\nEOF", &["write ?"]),
        ("python3 <<< \"open('a','w')\"", &["write a"]),
        ("echo \"open('a','w')\" | python", &["write a"]),
        ("cat <<'E' | python3 -\nopen('a','w')\nE", &["write a"]),
        ("curl http://a | python3", &["opaque"]),
        ("python -c \"$X\"", &["opaque"]),
        ("python -c \"print($X)\"", &["opaque"]),
        ("X=\"open('a','w')\"; python -c \"$X\"", &["write a"]),
        ("sudo env A=1 python3 -c \"open('a','w')\"", &["write a"]),
        ("node --eval=\"require('fs').unlinkSync('a')\"", &["delete a"]),
        ("node -pe \"require('fs').unlinkSync('a')\"", &["delete a"]),
        ("node <<'E'\nrequire('fs').unlinkSync('a')\nE", &["delete a"]),
        ("deno eval --ext=ts \"Deno.removeSync('a')\"", &["delete a"]),
        ("bun -e \"await Bun.write('a','b')\"", &["write a \"b\""]),
        ("perl -e 'unlink \"a\"' -e ';unlink \"b\"'", &["delete a", "delete b"]),
        ("perl -pi -e 's/a/b/; unlink \"c\"' f", &["delete c"]),
        ("perl -i.bak -ne 'print unless /x/' f", &[]),
        ("perl -MFoo::Bar -e 'go'", &["opaque"]),
        ("ruby -rfileutils -e 'FileUtils.rm_rf(\"a\")'", &["delete-tree a"]),
        ("php -r 'unlink(\"a\");'", &["delete a"]),
        ("echo '<?php unlink(\"a\");' | php", &["delete a"]),
        ("echo 'unlink(\"a\");' | php", &[]),
        ("lua -e 'os.remove(\"a\")'", &["delete a"]),
        ("gawk -F, '{ print > \"a\" }' f", &["write a \"\""]),
        ("awk -f prog.awk f", &[]),
        ("sed -i '' 's/a/b/w c' f", &["write c"]),
        ("sed -n -e 's/a/b/' -e 'w c' f", &["write c"]),
        ("sed --expression='w c' f", &["write c"]),
        ("sed -f s.sed f", &[]),
        ("osascript -e 'do shell script \"ls\"'", &["shell ls"]),
        ("python3 x.py <<'EOF'\nopen('a','w')\nEOF", &[]),
        ("python3 -m mod -c \"open('a','w')\"", &[]),
        ("grep -c \"open('a','w')\" f", &[]),
    ];
    for (line, expected) in rows {
        assert_eq!(acts(&parse(line)), *expected, "{line}");
    }
}

#[test]
fn what_code_starts_is_a_command_of_the_line() {
    let rows: &[(&str, &[&str])] = &[
        ("python -c \"import os; os.system('pip install x')\"", &["python -c> pip install x"]),
        (
            "sudo python3 - <<'E'\nimport subprocess\nsubprocess.run(['sudo', 'rm', '-rf', f])\nE",
            &["sudo> python3 <<> sudo> rm -rf ?", "sudo> python3 -"],
        ),
        (
            "node -e \"require('child_process').execSync('cd a && npm i')\"",
            &["node -e> cd a", "node -e> npm i"],
        ),
        ("awk 'BEGIN { system(\"rm a\") }'", &["awk> rm a"]),
        ("sed '1e rm a' f", &["sed> rm a"]),
        ("ruby -e '`bash -c \"rm a\"`'", &["ruby -e> bash -c> rm a", "ruby -e> bash -c rm a"]),
        (
            "perl -e 'exec \"python\", \"-c\", \"import os; os.system(q)\"'",
            &["perl -e> python -c import os; os.system(q)"],
        ),
        ("echo \"import os; os.system('rm a')\" | python3", &["python3 <<> rm a"]),
        ("osascript -e 'do shell script \"rm a\"'", &["osascript -e> rm a"]),
    ];
    for (line, expected) in rows {
        assert_eq!(programs(&parse(line)), *expected, "{line}");
    }
}

#[test]
fn unknown_commands_are_reported_as_unknown() {
    let unknown = |line: &str| parse(line).unknown.iter().map(|unknown| unknown.why).collect::<Vec<_>>();
    assert_eq!(unknown("python -c 'import os; os.system(x)'"), [UnknownReason::Source]);
    assert_eq!(unknown("python -c 'import subprocess; subprocess.run(x)'"), [UnknownReason::Program]);
    assert_eq!(unknown("python -c 'import subprocess; subprocess.run([\"ls\", x])'"), []);
    assert_eq!(unknown("python -c 'print(1)'"), []);
}

#[test]
fn a_command_runs_in_the_directory_that_the_code_gives_it() {
    let script = parse("python -c \"import subprocess as s; s.run(['rm', 'a'], cwd='d')\"");
    let directory = &script.commands.first().expect("a command").directory;
    assert_eq!(*directory, crate::model::Directory::OneOf(vec!["d".to_owned()]));
}
