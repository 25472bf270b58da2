//! Linters, formatters, editors, build tools, and programs that start one of them.

use flyball_programs::{Facts, OptionStyle, program};

use super::super::call::Call;
use super::super::code;
use super::super::collector::Collector;
use super::super::site::Site;
use super::unknown::{perhaps_path, unknown};
use crate::model::{Content, FileAct, OpaqueReason, Word};

/// Long options that make a linter or formatter write.
const FIX: &str = "fix fix-only write in-place inplace apply apply-unsafe auto-correct autocorrect \
    autocorrect-all format";
/// Options that stop one from writing.
const CHECK_ONLY: &str = "check diff check-only list-different dry-run";

/// The letters that mean one of `FIX`.
fn fix_letters(name: &str) -> &'static str {
    match facts(name).fix_letters {
        "" => "fix",
        letters => letters,
    }
}

/// Whether one of these options is given without a value: `eslint --format json` fixes nothing.
fn has_flag(call: &Call, names: &str) -> bool {
    call.options.iter().any(|given| given.value.is_none() && given.is_one_of(names, OptionStyle::Anywhere))
}

/// A linter or formatter that writes only with an option: `eslint --fix`, `prettier --write`.
pub(super) fn fixes_if_asked(call: &Call, found: &mut Collector) {
    check(call, has_flag(call, FIX) || has_flag(call, fix_letters(call.name)), found);
}

/// A formatter that writes unless an option prevents it: `black`, `isort`, `rustfmt`.
pub(super) fn fixes_unless_asked(call: &Call, found: &mut Collector) {
    let only_checks = has_flag(call, CHECK_ONLY) || has_flag(call, facts(call.name).look_letters);
    check(call, !only_checks, found);
}

/// `ruff check --fix`, `ruff format`, `biome format --write`, `terraform fmt`, `dprint fmt` …:
/// the first operand is a verb.
pub(super) fn fixes_by_verb(call: &Call, found: &mut Collector) {
    let Some((verb, files)) = call.operands.split_first() else { return };
    let own_verbs = facts(call.name).writing_verbs.split(' ');
    let writes_by_itself = own_verbs.chain(["fmt", "fix"]).any(|name| verb.is(name));
    let fixes = if writes_by_itself {
        !has_flag(call, CHECK_ONLY)
    } else {
        has_flag(call, FIX) && !has_flag(call, "diff")
    };
    check_files(call, files, fixes, found);
}

fn check(call: &Call, fixes: bool, found: &mut Collector) {
    check_files(call, &call.operands, fixes, found);
}

fn check_files(call: &Call, files: &[&Word], fixes: bool, found: &mut Collector) {
    call.writes_values("o output-file output", found);
    call.reads_values("config c config-file settings-path rcfile p project", found);
    call.each(files.iter().copied(), if fixes { &FileAct::Change } else { &FileAct::Read }, found);
    if fixes {
        // Folders among them, and caches.
        found.opaque(OpaqueReason::Program, call.name);
    }
}

/// `gofmt -w`, `clang-format -i`, `shfmt -w`
pub(super) fn fixes_with_letter(call: &Call, found: &mut Collector) {
    let act = if call.has("w i write in-place") { FileAct::Change } else { FileAct::Read };
    call.each_operand(&act, found);
}

/// Editors: what they are given may be different afterwards.
pub(super) fn editor(call: &Call, found: &mut Collector) {
    let is_command = |word: &&Word| word.text.as_deref().is_some_and(|text| text.starts_with('+'));
    call.each(call.operands.iter().copied().filter(|word| !is_command(word)), &FileAct::Change, found);
    if call.has("c cmd S W w") {
        found.opaque(OpaqueReason::Code, call.name);
    }
}

/// Compilers, test runners, package managers: they read what they are given and write more than
/// the line says.
pub(super) fn builder(call: &Call, found: &mut Collector) {
    found.opaque(OpaqueReason::Program, call.name);
    // Files come as values of options too: `--config x.json`.
    let values = call.options.iter().filter_map(|given| given.value.as_deref());
    let words = call.operands.iter().copied().chain(values);
    call.each(words.filter(|word| looks_like_path(word)), &FileAct::Read, found);
}

/// `make -f file`
pub(super) fn make(call: &Call, found: &mut Collector) {
    call.each(call.values("f file makefile"), &FileAct::Run, found);
    found.opaque(OpaqueReason::Program, call.name);
}

/// Compilers that get the name of their output.
pub(super) fn compiler(call: &Call, found: &mut Collector) {
    builder(call, found);
    call.each(call.values("o output out"), &FileAct::Write(Content::Unknown), found);
}

/// `npx prettier …`, `uv run pytest …`: the program behind the options is started.
pub(super) fn starter(call: &Call, found: &mut Collector) {
    let is_code = |word: &Word| ["-e", "--eval", "-p", "--print"].iter().any(|flag| word.is(flag));
    if call.name == "bun" && call.arguments.iter().any(is_code) {
        return run_code(call, found);
    }
    let verbs = facts(call.name).starts_behind;
    let words = if verbs.is_empty() {
        call.operands.as_slice()
    } else {
        match call.operands.split_first() {
            Some((verb, rest)) if verbs.split(' ').any(|name| verb.is(name)) => inner_words(call, rest),
            // `yarn prettier --write f`
            Some((program, _)) if is_started_by_name(program) => call.operands.as_slice(),
            _ => return builder(call, found),
        }
    };
    start(call, words, found);
}

/// Programs of a package that its manager starts by their names.
fn is_started_by_name(word: &Word) -> bool {
    word.text.as_deref().is_some_and(|name| facts(name).is_started_by_name)
}

/// Starts the first of these words as a program.
fn start(call: &Call, words: &[&Word], found: &mut Collector) {
    let Some(program) = words.first() else { return builder(call, found) };
    let Some(name) = program.text.as_deref() else { return builder(call, found) };
    // By identity: an equal word may stand before it as the value of an option.
    let at = call.arguments.iter().position(|word| std::ptr::eq(word, *program)).unwrap_or(0);
    let rest = |from: usize| call.arguments.get(from..).unwrap_or_default();
    if name.ends_with(".py") {
        return found.start("python", Site { arguments: rest(at), ..call.site() });
    }
    // `npx @scope/eslint@8`
    let name = name.rsplit('/').next().unwrap_or(name);
    let name = name.split('@').next().filter(|name| !name.is_empty()).unwrap_or(name);
    found.start(name, Site { arguments: rest(at + 1), ..call.site() });
}

/// The words behind the verb, without options in front of the program.
fn inner_words<'c, 'a>(call: &Call, words: &'c [&'a Word]) -> &'c [&'a Word] {
    let is_option = |word: &&&Word| word.text.as_deref().is_some_and(|text| text.starts_with('-'));
    let mut skipped = 0;
    while let Some(word) = words.get(skipped).filter(|word| is_option(word)) {
        let takes_value = facts(call.name).start_values.split(' ').any(|name| word.is(name));
        skipped += if takes_value { 2 } else { 1 };
    }
    words.get(skipped..).unwrap_or_default()
}

/// Whether a word of a known tool is more likely a path than a name.
pub(super) fn looks_like_path(word: &Word) -> bool {
    let text = word.text.as_deref().unwrap_or(&word.raw);
    perhaps_path(word).is_some() && text.contains(['/', '.']) && !text.starts_with('@')
}

/// It may do anything, and its arguments are not files.
pub(super) fn opaque(call: &Call, found: &mut Collector) {
    let only_prints_help = call.has("version help V") && call.operands.is_empty();
    if !only_prints_help {
        found.opaque(OpaqueReason::Program, call.name);
    }
}

/// `cargo`
pub(super) fn cargo(call: &Call, found: &mut Collector) {
    let verb = call.operands.first().and_then(|word| word.text.as_deref());
    if !matches!(verb, Some("tree" | "metadata" | "search" | "version" | "help" | "locate-project")) {
        opaque(call, found);
    }
}

/// `go`
pub(super) fn go(call: &Call, found: &mut Collector) {
    let verb = call.operands.first().and_then(|word| word.text.as_deref());
    if matches!(verb, Some("version" | "list" | "doc" | "help" | "vet")) {
        return;
    }
    opaque(call, found);
    for pair in call.operands.windows(2) {
        if let [option, file] = pair
            && option.is("-o")
        {
            found.file(FileAct::Write(Content::Unknown), call.target(file), call.name);
        }
    }
}

/// Code on the line.
fn run_code(call: &Call, found: &mut Collector) {
    if !code::run(call.site(), found) {
        opaque(call, found);
    }
}

/// `deno run script`, `deno fmt files`
pub(super) fn deno(call: &Call, found: &mut Collector) {
    let Some((verb, rest)) = call.operands.split_first() else { return opaque(call, found) };
    match verb.text.as_deref() {
        Some("run") => {
            let is_file = |word: &&&Word| !word.text.as_deref().is_some_and(|text| text.contains("://"));
            call.each(rest.iter().take(1).filter(is_file).copied(), &FileAct::Run, found);
            found.opaque(OpaqueReason::Program, call.name);
        }
        Some("eval") => run_code(call, found),
        Some("fmt") => check_files(call, rest, !call.has("check"), found),
        Some("lint" | "check" | "info" | "doc") => call.each(rest.iter().copied(), &FileAct::Read, found),
        _ => opaque(call, found),
    }
}

/// `emacs --batch`: it runs code on what it is given.
pub(super) fn emacs(call: &Call, found: &mut Collector) {
    call.each_operand(&FileAct::Anything, found);
    found.opaque(OpaqueReason::Code, call.name);
}

/// A program that we know by name only.
pub(super) fn unsure(call: &Call, found: &mut Collector) {
    unknown(call.name, call.site(), found);
}

/// `terraform fmt` and `mix format` write files; their other verbs build.
pub(super) fn fixes_by_verb_or_build(call: &Call, found: &mut Collector) {
    let Some((verb, files)) = call.operands.split_first() else { return opaque(call, found) };
    let formats = verb.is("fmt") || verb.is("format");
    if !formats {
        return opaque(call, found);
    }
    let is_option = |word: &Word| word.text.as_deref().is_some_and(|text| text.starts_with('-'));
    // `-check`, `--check`, `--check-formatted`: each tool spells it its own way.
    let only_checks =
        files.iter().any(|word| word.text.as_deref().is_some_and(|text| text.contains("check")));
    let files: Vec<&Word> = files.iter().copied().filter(|word| !is_option(word)).collect();
    check_files(call, &files, !only_checks, found);
}

/// `markdownlint -f`
pub(super) fn markdownlint(call: &Call, found: &mut Collector) {
    check(call, call.has("f fix"), found);
}

/// `pipx run program`
pub(super) fn pipx(call: &Call, found: &mut Collector) {
    match call.operands.split_first() {
        Some((verb, _)) if verb.is("run") => start(call, call.operands.get(1..).unwrap_or_default(), found),
        _ => opaque(call, found),
    }
}

/// `sqlite3 file`, `psql -f file`
pub(super) fn database(call: &Call, found: &mut Collector) {
    call.each(call.values("f file init"), &FileAct::Run, found);
    call.writes_values("o output", found);
    if call.name == "sqlite3" {
        call.each(call.operands.iter().copied().take(1), &FileAct::Change, found);
        // `.output f` and `.once f` send what follows to a file.
        let texts = call.operands.iter().skip(1).filter_map(|word| word.text.as_deref());
        let named = texts.filter_map(|text| {
            text.strip_prefix(".output ").or_else(|| text.strip_prefix(".once ")).map(str::trim)
        });
        for name in named.filter(|name| !name.is_empty() && !name.starts_with('-')) {
            found.file(FileAct::Write(Content::Unknown), call.target(&Word::literal(name)), call.name);
        }
    }
    found.opaque(OpaqueReason::Program, call.name);
}

/// `tsc`: with `--noEmit` it only checks.
pub(super) fn typescript(call: &Call, found: &mut Collector) {
    call.reads_values("p project", found);
    call.each_operand(&FileAct::Read, found);
    if !call.has("noEmit version help v") {
        call.writes_values("outFile outDir", found);
        found.opaque(OpaqueReason::Program, call.name);
    }
}

/// What else is known about a program.
fn facts(name: &str) -> &'static Facts {
    program(name).map_or(&Facts::NONE, |known| known.facts)
}
