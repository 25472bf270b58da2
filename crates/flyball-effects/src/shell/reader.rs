//! Walks the parser's tree and collects commands.
//!
//! Text inside text (`bash -c '…'`, escaped backticks, here-documents) is not parsed on the spot:
//! the parser needs much stack, so such text is deferred and read when the tree is gone.

use std::ops::Range;

use shuck_parser::parser::{ParseResult, ParseStatus, Parser};
use shuck_parser::{ShellDialect, ShellProfile};

use super::changes::PossibleChanges;
use super::coverage::Coverage;
use super::endless::starts_without_end;
use super::file_budget::FileBudget;
use super::launch::Input;
use super::limits::{self, MOST_LEVELS, MOST_SHELLS};
use super::mask::masked;
use super::scope::Scope;
use crate::model::{Disk, Place, Script, Unknown, UnknownReason, Word, WrittenText};

/// The longest excerpt in an [`Unknown`], in bytes.
const MOST_EXCERPT: usize = 200;

/// Some text to read, and what is known at its place.
pub(super) struct Text {
    pub(super) source: String,
    pub(super) form: Form,
    pub(super) place: Place,
    pub(super) wrappers: Vec<String>,
    pub(super) scope: Scope,
    pub(super) input: Input,
}

impl Text {
    /// A whole line, of which nothing is known yet.
    pub(super) fn line(source: &str) -> Self {
        Self {
            source: source.to_owned(),
            form: Form::Commands,
            place: Place::default(),
            wrappers: Vec::new(),
            scope: Scope::default(),
            input: Input::default(),
        }
    }
}

/// What is guessed so far.
#[derive(Default)]
pub(super) struct Guesses(pub(super) Vec<Text>);

impl Guesses {
    pub(super) fn take(&mut self) -> Vec<Text> {
        std::mem::take(&mut self.0)
    }
}

/// What kind of text it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Commands,
    /// One command that does not run itself: only the commands in its words and here-documents do.
    Carrier,
}

/// What one line may cost in total, however its parts contain each other.
pub(super) struct Budget {
    inner_bytes: usize,
    value_bytes: usize,
    round_bytes: usize,
    pipes: u32,
    descriptors: i32,
    pub(super) files: FileBudget,
    pub(super) guesses: Guesses,
    /// What the line itself leaves in files.
    pub(super) written: Vec<WrittenText>,
    /// Programs that the user says only start another one.
    pub(super) wrappers: Vec<String>,
}

impl Budget {
    pub(super) fn new(wrappers: &[String]) -> Self {
        Self {
            // Each limit is for the whole line: text that contains text would otherwise multiply its cost.
            inner_bytes: 4 * limits::MOST_BYTES,
            value_bytes: 64 * 1024,
            round_bytes: 16 * 1024,
            pipes: 0,
            descriptors: 9,
            files: FileBudget::default(),
            guesses: Guesses::default(),
            written: Vec::new(),
            wrappers: wrappers.to_vec(),
        }
    }

    /// Takes `bytes` from what values of variables may still put into words.
    pub(super) fn spend_value(&mut self, bytes: usize) -> bool {
        let rest = self.value_bytes.checked_sub(bytes);
        self.value_bytes = rest.unwrap_or(0);
        rest.is_some()
    }

    /// The values with which the body of a loop is read one by one, if all are known and few
    /// enough for a body of this length.
    pub(super) fn spend_rounds(&mut self, items: &[Word], body_bytes: usize) -> Option<Vec<String>> {
        let literal = |item: &Word| item.text.clone().filter(|_| !item.glob);
        let values: Vec<String> = items.iter().take(MOST_ROUNDS + 1).map_while(literal).collect();
        if values.len() != items.len() || values.is_empty() || values.len() > MOST_ROUNDS {
            return None;
        }
        self.round_bytes = self.round_bytes.checked_sub(values.len().saturating_mul(body_bytes))?;
        Some(values)
    }

    /// Takes one more reading of a function's body from what loops may still cost.
    pub(super) fn spend_call(&mut self, body_bytes: usize) -> bool {
        // The fixed part bounds many calls of a tiny function too.
        let rest = self.round_bytes.checked_sub(body_bytes.saturating_add(64));
        self.round_bytes = rest.unwrap_or(self.round_bytes);
        rest.is_some()
    }

    /// A number for the next pipe of the line.
    pub(super) fn next_pipe(&mut self) -> u32 {
        self.pipes = self.pipes.saturating_add(1);
        self.pipes
    }

    /// The number of the next descriptor that the shell chooses itself.
    pub(super) fn next_descriptor(&mut self) -> i32 {
        self.descriptors = self.descriptors.saturating_add(1);
        self.descriptors
    }

    /// Takes `bytes` from what may still be read of text inside text.
    fn spend_inner(&mut self, bytes: usize) -> bool {
        let rest = self.inner_bytes.checked_sub(bytes);
        self.inner_bytes = rest.unwrap_or(self.inner_bytes);
        rest.is_some()
    }
}

/// A loop over more values than this is read once, for all of them.
const MOST_ROUNDS: usize = 16;

/// A deferred text, and the index of the command it comes before.
struct Deferred {
    at: usize,
    text: Text,
}

/// Collects the commands of one text.
pub(super) struct Reader<'a> {
    pub(super) source: &'a str,
    pub(super) script: Script,
    pub(super) scope: Scope,
    pub(super) wrappers: Vec<String>,
    pub(super) input: Input,
    pub(super) budget: &'a mut Budget,
    /// Where the files are that the line runs; `None` if only the line itself is read.
    pub(super) disk: Option<&'a dyn Disk>,
    /// What the last pipeline wrote, and which commands it was.
    pub(super) piped_output: Option<(Range<usize>, String)>,
    pub(super) covered: Coverage,
    /// Whether the source is the line itself, not a text inside of it.
    pub(super) is_line: bool,
    deferred: Vec<Deferred>,
    moves: Option<bool>,
}

/// Reads `text`, which `shells` other texts contain.
pub(super) fn read(text: Text, shells: usize, disk: Option<&dyn Disk>, budget: &mut Budget) -> Script {
    let refused =
        if shells > MOST_SHELLS { Some(UnknownReason::TooDeep) } else { limits::refuse(&text.source) };
    if let Some(why) = refused {
        return Script { unknown: vec![unknown(why, &text.source)], ..Script::default() };
    }
    let (script, later) = walk(text, shells == 0, disk, budget);
    splice(script, later, |text| {
        // The fixed part bounds how many short texts are parsed.
        if budget.spend_inner(text.source.len() + 64) {
            read(text, shells + 1, disk, budget)
        } else {
            Script { unknown: vec![unknown(UnknownReason::TooMany, &text.source)], ..Script::default() }
        }
    })
}

/// The script with the commands of the deferred texts in their places.
fn splice(script: Script, later: Vec<Deferred>, mut read: impl FnMut(Text) -> Script) -> Script {
    if later.is_empty() {
        return script;
    }
    let mut whole = Script {
        commands: Vec::with_capacity(script.commands.len()),
        unknown: script.unknown,
        starts_without_end: script.starts_without_end,
    };
    let mut rest = script.commands.into_iter();
    let mut taken = 0;
    for Deferred { at, text } in later {
        // Texts are deferred in the order of the commands, so `at` never goes down.
        whole.commands.extend(rest.by_ref().take(at - taken));
        taken = at;
        let inner = read(text);
        whole.commands.extend(inner.commands);
        whole.unknown.extend(inner.unknown);
        whole.starts_without_end |= inner.starts_without_end;
    }
    whole.commands.extend(rest);
    whole
}

fn walk(text: Text, is_line: bool, disk: Option<&dyn Disk>, budget: &mut Budget) -> (Script, Vec<Deferred>) {
    let Text { source, form, place, wrappers, scope, input } = text;
    let parsed = parse(&masked(&source));
    let mut reader = Reader {
        source: &source,
        script: Script::default(),
        scope,
        wrappers,
        input,
        budget,
        disk,
        piped_output: None,
        covered: Coverage::default(),
        is_line,
        deferred: Vec::new(),
        moves: None,
    };
    reader.note_errors(&parsed);
    match form {
        Form::Commands => {
            reader.statements(&parsed.file.body, place);
            reader.script.starts_without_end = starts_without_end(&parsed.file.body, &source);
            // After an error the whole text is reported as unknown anyway.
            if parsed.status == ParseStatus::Clean {
                reader.flag_gaps(0, source.len(), Coverage::default());
            }
        }
        Form::Carrier => reader.carried(&parsed.file.body, place),
    }
    if is_line && disk.is_some() {
        reader.budget.written = reader.scope.written_texts();
    }
    (reader.script, reader.deferred)
}

/// Parses as bash; what bash does not accept may still be zsh.
fn parse(source: &str) -> ParseResult {
    let parsed = parse_as(source, ShellDialect::Bash);
    if parsed.status == ParseStatus::Clean {
        return parsed;
    }
    let other = parse_as(source, ShellDialect::Zsh);
    if other.status == ParseStatus::Clean { other } else { parsed }
}

fn parse_as(source: &str, dialect: ShellDialect) -> ParseResult {
    let fuel = source.len().saturating_mul(4).max(100_000);
    Parser::with_limits_and_profile(source, MOST_LEVELS, fuel, ShellProfile::native(dialect)).parse()
}

fn unknown(why: UnknownReason, text: &str) -> Unknown {
    // Where a limit stopped the reading, what matters is the part that may do harm.
    let is_limit = matches!(why, UnknownReason::TooLong | UnknownReason::TooDeep | UnknownReason::TooMany);
    let harm = if is_limit { limits::harmful_part(text) } else { None };
    let start = harm.filter(|_| text.len() > MOST_EXCERPT).unwrap_or(0);
    let excerpt = text.get(start..).unwrap_or_default();
    let mut end = excerpt.len().min(MOST_EXCERPT);
    while !excerpt.is_char_boundary(end) {
        end -= 1;
    }
    Unknown { why, text: excerpt.get(..end).unwrap_or_default().to_owned(), may_harm: harm.is_some() }
}

impl Reader<'_> {
    /// Records a part that cannot be known.
    pub(super) fn unknown(&mut self, why: UnknownReason, text: &str) {
        self.script.unknown.push(unknown(why, text));
    }

    /// Defers a text, to be read as if it were here.
    pub(super) fn defer(&mut self, text: Text) {
        self.deferred.push(Deferred { at: self.script.commands.len(), text });
    }

    /// Defers `source`, to be read as the part of this text at `place`.
    pub(super) fn defer_text(&mut self, source: String, form: Form, place: Place) {
        let text = Text {
            source,
            form,
            place,
            wrappers: self.wrappers.clone(),
            scope: self.scope.clone(),
            input: self.input.clone(),
        };
        self.defer(text);
    }

    /// Records what was not read between `start` and `end`, and goes on with `outer`.
    pub(super) fn flag_gaps(&mut self, start: usize, end: usize, outer: Coverage) {
        let covered = std::mem::replace(&mut self.covered, outer);
        if let Some(gap) = covered.gap(self.source, start, end) {
            self.unknown(UnknownReason::Syntax, gap);
        }
    }

    /// Whether anything in this text may change the directory.
    pub(super) fn moves_somewhere(&mut self) -> bool {
        let source = self.source;
        *self.moves.get_or_insert_with(|| PossibleChanges::from_text(source).changes_directory)
    }

    fn note_errors(&mut self, parsed: &ParseResult) {
        if parsed.status == ParseStatus::Clean {
            return;
        }
        let is_limit = parsed.diagnostics.iter().any(|diagnostic| {
            ["nesting too deep", "too long", "fuel"].iter().any(|limit| diagnostic.message.contains(limit))
        });
        self.unknown(if is_limit { UnknownReason::TooDeep } else { UnknownReason::Syntax }, self.source);
    }
}
