//! Programs that only read, unless an option makes them write.

use super::super::call::Call;
use super::super::code;
use super::super::collector::Collector;
use crate::model::{Content, FileAct, Insertion, OpaqueReason, Sent, Word};

pub(super) fn nothing(_: &Call, _: &mut Collector) {}

pub(super) fn operands(call: &Call, found: &mut Collector) {
    call.each_operand(&FileAct::Read, found);
}

/// `grep` and the like: the first operand is the pattern, unless an option gives one.
pub(super) fn search(call: &Call, found: &mut Collector) {
    call.reads_values("f file", found);
    let has_pattern = call.has("e regexp f file files");
    call.each(call.operands.iter().copied().skip(usize::from(!has_pattern)), &FileAct::Read, found);
}

/// `sort -o f`, `tree -o f`, `shuf -o f`, `iconv -o f`, `pandoc -o f`, compilers.
pub(super) fn with_output(call: &Call, found: &mut Collector) {
    operands(call, found);
    call.writes_values("o output output-file", found);
}

/// `uniq in out`, `xxd in out`: the second operand is written.
pub(super) fn into_second(call: &Call, found: &mut Collector) {
    let mut words = call.operands.iter().copied();
    call.each(words.next(), &FileAct::Read, found);
    call.each(words, &FileAct::Write(Content::Unknown), found);
}

/// `jq filter files` and `yq`, which may change files in place.
pub(super) fn json(call: &Call, found: &mut Collector) {
    let mut operands = call.operands.as_slice();
    if call.name == "yq"
        && let [verb, rest @ ..] = operands
        && ["e", "eval", "ea", "eval-all"].iter().any(|name| verb.is(name))
    {
        operands = rest;
    }
    call.reads_values("f from-file L", found);
    let names = named_values(call);
    let skipped = names + usize::from(!call.has("f from-file expression"));
    let in_place = call.has("i in-place inplace");
    let act = if in_place { FileAct::Change } else { FileAct::Read };
    // All operands behind these are values, not files.
    if call.has("args jsonargs") {
        return;
    }
    call.each(operands.iter().copied().skip(skipped), &act, found);
}

/// `--arg name value` takes two words, of which the grammar knows one; files come the same way.
fn named_values(call: &Call) -> usize {
    call.options
        .iter()
        .filter(|given| matches!(given.name, "arg" | "argjson" | "slurpfile" | "rawfile"))
        .count()
}

/// `awk 'program' files`: the program may write and start others.
pub(super) fn awk(call: &Call, found: &mut Collector) {
    call.reads_values("f file", found);
    let has_file = call.has("f file");
    let program = if has_file { None } else { call.operands.first() };
    let files = call.operands.iter().copied().skip(usize::from(!has_file));
    // `awk '…' name=value file`
    let files = files.filter(|word| !word.text.as_deref().is_some_and(|text| text.contains('=')));
    let in_place = call.values("i include").any(|library| library.is("inplace"));
    if crate::code::runs_lines(call.name, call.arguments) {
        call.each(files.clone(), &FileAct::Run, found);
    }
    call.each(files, if in_place { &FileAct::Change } else { &FileAct::Read }, found);
    if (has_file || program.is_some()) && !code::run(call.site(), found) {
        found.opaque(OpaqueReason::Code, call.name);
    }
}

/// `sed`, also in place.
pub(super) fn sed(call: &Call, found: &mut Collector) {
    call.reads_values("f file", found);
    let in_place = call.has("i I in-place");
    let mut operands = call.operands.iter().copied().peekable();
    // BSD's `-i` takes the next word: `sed -i '' 's/a/b/' f`.
    if in_place {
        operands.next_if(|word| word.is(""));
    }
    let script = if call.has("e expression f file") { None } else { operands.next() };
    let has_script = script.is_some() || call.has("e expression f file");
    if has_script && !code::run(call.site(), found) {
        found.opaque(OpaqueReason::Code, call.name);
    }
    let (act, by) = if in_place { (FileAct::Change, "sed -i") } else { (FileAct::Read, call.name) };
    let scripts = script.into_iter().chain(call.values("e expression").filter(|_| in_place));
    let texts: Vec<&str> = scripts.filter(|_| in_place).filter_map(|word| word.text.as_deref()).collect();
    let runs_lines = crate::code::runs_lines(call.name, call.arguments);
    for word in operands {
        if runs_lines {
            found.file(FileAct::Run, call.target(word), by);
        }
        found.file(act.clone(), call.target(word), by);
        inserted(call, word, &texts, found);
    }
}

/// Adds what scripts of sed put into a file.
pub(super) fn inserted(call: &Call, file: &Word, scripts: &[&str], found: &mut Collector) {
    for script in scripts {
        for (old, new) in crate::code::insertions(script) {
            found.insertion(Insertion { target: call.target(file), old, new });
        }
    }
}

/// `openssl verb -in f -out f`
pub(super) fn openssl(call: &Call, found: &mut Collector) {
    call.reads_values("in inkey CAfile", found);
    call.writes_values("out keyout", found);
    // A plain connection, like that of `nc`.
    if call.operands.first().is_some_and(|verb| verb.is("s_client")) {
        let to = call.value("connect").and_then(|word| word.text.clone());
        found.network(to, call.has_input().then_some(Sent::Input).into_iter().collect());
    }
}
