//! `find`: what it deletes and writes itself. What it starts is a command of its own.

use super::super::call::Call;
use super::super::collector::Collector;
use crate::model::{Content, FileAct, Word};

/// `find`
pub(super) fn find(call: &Call, found: &mut Collector) {
    let (roots, expression) = split(call.arguments);
    for pair in expression.windows(2) {
        if let [action, file] = pair
            && ["-fprint", "-fprintf", "-fprint0", "-fls"].iter().any(|name| action.is(name))
        {
            found.file(FileAct::Write(Content::Unknown), call.target(file), call.name);
        }
    }
    if !expression.iter().any(|word| word.is("-delete")) {
        return;
    }
    let here = Word::literal(".");
    let tests = Tests::parse(expression);
    if roots.is_empty() {
        delete(call, &here, &tests, found);
    }
    for root in roots {
        delete(call, root, &tests, found);
    }
}

/// The folders to search, and the expression behind them.
fn split(arguments: &[Word]) -> (&[Word], &[Word]) {
    let text = |word: &Word| word.text.clone().unwrap_or_default();
    let options = arguments.iter().take_while(|word| {
        let text = text(word);
        matches!(text.as_str(), "-H" | "-L" | "-P" | "-X" | "-E") || text.starts_with("-O")
    });
    let rest = arguments.get(options.count()..).unwrap_or_default();
    let starts = |word: &Word| text(word).starts_with(['-', '(', '!']);
    let end = rest.iter().position(starts).unwrap_or(rest.len());
    rest.split_at_checked(end).unwrap_or((rest, &[]))
}

/// What the tests of an expression match.
#[derive(Default)]
struct Tests<'a> {
    /// Patterns of names, of which one must match.
    names: Vec<&'a Word>,
    /// Patterns of whole paths.
    paths: Vec<&'a Word>,
    /// A test whose outcome is known only at run time.
    depends_on_run_time: bool,
}

impl<'a> Tests<'a> {
    fn parse(expression: &'a [Word]) -> Tests<'a> {
        let mut tests = Tests::default();
        let mut is_negated = false;
        for (at, pair) in expression.windows(2).enumerate() {
            let [test, value] = pair else { continue };
            // `-path ./kept -prune -o …` names what is left alone.
            is_negated |= expression.get(at + 2).is_some_and(|word| word.is("-prune"));
            match test.text.as_deref().unwrap_or_default() {
                "!" | "-not" => {
                    is_negated = true;
                    continue;
                }
                "-name" if !is_negated => tests.names.push(value),
                "-path" | "-wholename" if !is_negated => tests.paths.push(value),
                "-type" => tests.depends_on_run_time |= value.is("d") || value.is("l"),
                "-delete" | "-print" | "-print0" | "-o" | "-or" | "-a" | "-and" | "(" | ")" | "-depth"
                | "-maxdepth" | "-mindepth" | "-xdev" | "-mount" | "-true" => {}
                text => tests.depends_on_run_time |= text.starts_with('-'),
            }
            is_negated = false;
        }
        tests.depends_on_run_time |= expression.last().is_some_and(|word| word.is("-empty"));
        tests
    }
}

fn delete(call: &Call, root: &Word, tests: &Tests, found: &mut Collector) {
    let act = FileAct::Delete { recursive: false };
    let by = "find -delete";
    for name in &tests.names {
        let pattern = pattern(root, name, |root, name| format!("{}/**/{name}", root.trim_end_matches('/')));
        found.file(act.clone(), call.target(&pattern), by);
    }
    for path in &tests.paths {
        // In `-path`, `*` also matches slashes.
        let pattern = pattern(root, path, |_, path| path.replace('*', "**"));
        found.file(act.clone(), call.target(&pattern), by);
    }
    if !tests.names.is_empty() || !tests.paths.is_empty() {
        return;
    }
    // Some files below, which ones is unknown; without any test, find deletes the whole tree.
    if tests.depends_on_run_time {
        found.file(act, call.target(&Word::unknown(format!("{}/**", root.raw))), by);
    } else {
        found.file(FileAct::Delete { recursive: true }, call.target(root), by);
    }
}

fn pattern(root: &Word, value: &Word, join: impl Fn(&str, &str) -> String) -> Word {
    match (&root.text, &value.text) {
        (Some(root), Some(value)) => Word { glob: true, ..Word::literal(join(root, value)) },
        _ => Word::unknown(format!("{}/{}", root.raw, value.raw)),
    }
}
