//! Input made to exhaust the stack or the clock.

use std::time::Duration;

use crate::model::UnknownReason;
use crate::shell::parse;

/// A way to write something `n` times.
type Family = (&'static str, fn(usize) -> String);

fn nested(open: &str, middle: &str, close: &str, depth: usize) -> String {
    format!("{}{middle}{}", open.repeat(depth), close.repeat(depth))
}

const NESTED: [Family; 27] = [
    ("substitutions", |n| format!("echo {}", nested("$(", "x", ")", n))),
    ("open substitutions", |n| format!("echo {}", "$(".repeat(n))),
    ("subshells", |n| nested("( ", "x", " )", n)),
    ("open subshells", |n| "( ".repeat(n)),
    ("parentheses", |n| format!("a; {}", nested("(", "x", ")", n))),
    ("groups", |n| nested("{ ", "x", "; }", n)),
    ("open groups", |n| "{ ".repeat(n)),
    ("if", |n| nested("if a; then ", "x", "; fi", n)),
    ("open if", |n| "if ".repeat(n)),
    ("loops", |n| nested("while a; do ", "x", "; done", n)),
    ("case", |n| nested("case a in a) ", "x", ";; esac", n)),
    ("functions", |n| nested("a() { ", "x", "; }", n)),
    ("quoted substitutions", |n| format!("echo {}", nested("\"$(", "x", ")\"", n))),
    ("open quoted substitutions", |n| format!("echo {}", "\"$(".repeat(n))),
    ("defaults", |n| format!("echo {}", nested("${a:-", "x", "}", n))),
    ("open defaults", |n| format!("echo {}", "${a:-".repeat(n))),
    ("quoted defaults", |n| format!("echo {}", nested("\"${a:-", "x", "}\"", n))),
    ("arithmetic", |n| format!("echo {}", nested("$((", "x", "))", n))),
    ("process substitutions", |n| format!("cat {}", nested("<(", "x", ")", n))),
    ("braces", |n| format!("echo {}", nested("{a,", "b", "}", n))),
    ("open braces", |n| format!("echo {}", "{a,".repeat(n))),
    ("subscripts", |n| format!("{}=1", nested("a[", "1", "]", n))),
    ("tests", |n| format!("[[ {} ]]", nested("( ", "x", " )", n))),
    ("negated tests", |n| format!("[[ {}x ]]", "! ".repeat(n))),
    ("times", |n| format!("{}x", "time ".repeat(n))),
    ("broken times", |n| format!("{}x", "time \\\n".repeat(n))),
    ("coprocesses", |n| format!("{}x", "coproc time ".repeat(n))),
];

const LONG: [Family; 24] = [
    ("statements", |n| "a;".repeat(n)),
    ("lines", |n| "a\n".repeat(n)),
    ("and lists", |n| format!("{}a", "a && ".repeat(n))),
    ("pipelines", |n| format!("{}a", "a | ".repeat(n))),
    ("words", |n| format!("echo {}", "a ".repeat(n))),
    ("one word", |n| format!("echo {}", "a".repeat(n))),
    ("substitutions", |n| format!("echo {}", "$(a) ".repeat(n))),
    ("substitutions in a word", |n| format!("echo {}", "$(a)".repeat(n))),
    ("substitutions in quotes", |n| format!("echo \"{}\"", "$(a) ".repeat(n))),
    ("backticks", |n| format!("echo {}", "`a` ".repeat(n))),
    ("escaped backticks", |n| format!("echo {}", "`\\\\` ".repeat(n))),
    ("redirections", |n| format!("a {}", ">b ".repeat(n))),
    ("assignments", |n| format!("{}a", "b=1 ".repeat(n))),
    ("here-documents", |n| "cat <<A\n$(x)\nA\n".repeat(n)),
    ("here-documents of one line", |n| format!("cat {}\n{}", "<<A ".repeat(n), "$x\nA\n".repeat(n))),
    ("substitutions in a here-document", |n| format!("cat <<A\n{}A\n", "$(a)\n".repeat(n))),
    ("functions", |n| "f() { x=1; cd y; }; f; ".repeat(n)),
    ("shells", |n| "bash -c 'cd x; a'; ".repeat(n)),
    ("variables", |n| format!("a={}; {}", "x".repeat(500), "b $a; ".repeat(n))),
    ("directories", |n| format!("cd {} && {}b", "x".repeat(500), "b; ".repeat(n))),
    ("subshells", |n| format!("a=1; b=2; {}", "(c); ".repeat(n))),
    ("broken commands", |n| ") ;".repeat(n)),
    ("interpreters", |n| "python -c 'x=open(y)'; ".repeat(n)),
    ("shells out of code", |n| format!("python -c '{}'", "os.system(\"a\");".repeat(n))),
];

#[test]
fn ten_thousand_levels_are_refused_and_do_not_overflow_the_stack() {
    for (name, write) in NESTED {
        let script = parse(&write(10_000));
        assert_ne!(script.unknown, [], "{name}");
    }
}

#[test]
fn moderate_nesting_is_read_or_reported_as_unknown() {
    for (name, write) in NESTED {
        for depth in [5, 20, 60, 150] {
            let script = parse(&format!("a; {}; b", write(depth)));
            assert!(script.commands.len() >= 2 || !script.unknown.is_empty(), "{name} {depth}");
        }
    }
}

#[test]
fn a_source_that_is_too_long_is_reported_as_too_long() {
    let source = format!("echo {}", "a".repeat(257 * 1024));
    let script = parse(&source);
    assert_eq!(script.commands, []);
    assert_eq!(
        script.unknown.iter().map(|unknown| unknown.why).collect::<Vec<_>>(),
        [UnknownReason::TooLong]
    );
}

#[test]
fn what_is_only_quoted_is_not_counted() {
    let templates = "const a = `x ${b} $(c) y`;\n".repeat(1_000);
    let quoted = [
        format!("cat > app.js <<'EOF'\n{templates}EOF\n"),
        format!("node -e '{}'; ", templates.replace('`', "|")),
        format!("echo '{}'; ", "([{".repeat(3_000)),
        format!("echo \"{}\"; ", "([{".repeat(3_000)),
        format!("echo \"$(echo '{}')\"; ", "$(".repeat(500)),
        format!("echo '{}' > big.txt; ", "text ".repeat(200_000)),
        format!("cat > big.txt <<'EOF'\n{}EOF\n", "some text here\n".repeat(60_000)),
    ];
    for text in quoted {
        let script = parse(&format!("{text}rm x"));
        let start: String = text.chars().take(40).collect();
        assert_eq!(script.unknown, [], "{start}");
        let last = script.commands.last().and_then(|command| command.program.text.as_deref());
        assert_eq!(last, Some("rm"), "{start}");
    }
}

#[test]
fn what_only_looks_quoted_is_counted() {
    let deep = "$(".repeat(200);
    let open = [
        format!("echo \"it's {deep}\"; echo 'x'"),
        format!("cat <<A\nit's {deep}\nA\necho 'x'"),
        format!("echo \\' {deep} \\'"),
        format!("echo x#' {deep}"),
        format!("echo \"${{x:-'}} {deep}\" 'x'"),
        format!("echo ' {deep}"),
        format!("a=\"$(b \"c\" {deep}"),
        format!("echo $'\\'' {deep} ''"),
        format!("rm -rf x; (#{deep}"),
        format!("echo \\ #{deep}"),
        format!("echo ${{x:- # {deep}}}"),
        format!("echo \"$(case x in a) echo \"' {deep} '\" ;; esac)\""),
        format!("echo \"${{x:-\"}}\"' {deep} '}}\""),
        format!("echo \"`( {deep}`\""),
        format!(": \"<<'E'\"\necho {deep}\nE\n"),
        format!("# <<'E'\necho {deep}\nE\n"),
    ];
    for text in open {
        assert_ne!(parse(&text).unknown, [], "{text}");
    }
}

#[test]
fn eight_times_the_input_takes_about_eight_times_as_long() {
    for (name, write) in &LONG {
        let small = best_of_two(&write(550));
        let large = best_of_two(&write(4_400));
        // Generous, because caches and clocks vary; quadratic growth would be 64.
        let bound = small * 30 + Duration::from_millis(60);
        assert!(large < bound, "{name}: {small:?} grew to {large:?}");
    }
}

/// How long this thread has been on a processor: that does not grow with the load of the machine.
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

fn best_of_two(source: &str) -> Duration {
    let time = |_| {
        let start = processor_time();
        let script = parse(source);
        let taken = processor_time().saturating_sub(start);
        // Freeing the script is not measured.
        drop(script);
        taken
    };
    (0..2).map(time).min().unwrap_or_default()
}

#[test]
fn text_that_contains_itself_ends() {
    let script = parse("a='eval \"$a\"; eval \"$a\"; eval \"$a\"'; eval \"$a\"");
    assert_ne!(script.unknown, []);
    let doubled = format!("a=x; {}echo $a", "a=$a$a; ".repeat(60));
    assert_eq!(parse(&doubled).commands.len(), 62);
}

#[test]
fn shells_in_shells_are_followed_up_to_a_limit() {
    let script = parse(&format!("{}rm x", "eval ".repeat(30)));
    assert_eq!(
        script.unknown.iter().map(|unknown| unknown.why).collect::<Vec<_>>(),
        [UnknownReason::TooDeep]
    );
}
