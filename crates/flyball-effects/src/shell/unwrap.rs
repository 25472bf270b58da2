//! Takes wrappers off: in `sudo -u root env A=1 rm x`, the program is `rm`.

use std::rc::Rc;

use flyball_programs::{Adds, Wrapper, program};

use super::quoting::quote;
use super::span::Spans;
use crate::argv::{GivenOption, OptionStyle, parse};
use crate::model::{Directory, Word, base_name};

/// More words on an input are not read one by one.
const MOST_READ_WORDS: usize = 32;
/// More wrappers around one command are not taken off.
const MOST_WRAPPERS: usize = 16;

/// The words of one command, and what has been learned from its wrappers.
#[derive(Default)]
pub(super) struct Invocation {
    /// The program and its arguments.
    pub(super) words: Vec<Word>,
    /// Variables set for it.
    pub(super) assignments: Vec<(String, Word)>,
    /// The wrappers taken off so far.
    pub(super) wrappers: Vec<String>,
    /// The directory it is started in.
    pub(super) directory: Directory,
    /// The places of its words.
    pub(super) spans: Spans,
    /// The text that it reads, where that is known.
    pub(super) read: Option<Rc<str>>,
}

/// What is left when the wrappers are off.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Inner {
    /// The invocation's own program runs.
    Program,
    /// The remaining words are this text, which `env -S` splits.
    Text(String),
    /// There are more wrappers than we take off, or the place of the program cannot be known.
    Unknown,
}

impl Invocation {
    /// The program's name without its directory, if it is known.
    pub(super) fn name(&self) -> Option<&str> {
        self.words.first()?.text.as_deref().map(base_name)
    }

    /// Takes all wrappers off.
    pub(super) fn unwrap(&mut self, declared: &[String]) -> Inner {
        let mut inner = Inner::Program;
        for _ in 0..MOST_WRAPPERS {
            if self.take_off_declared(declared) {
                continue;
            }
            let Some(wrapper) = self.name().and_then(|name| program(name)?.facts.wrapper.as_ref()) else {
                return inner;
            };
            let Some(head) = Head::read(wrapper, self.words.get(1..).unwrap_or_default()) else {
                return inner;
            };
            // Taken off all the same: the likely command is worth showing, but marked unknown.
            if head.is_uncertain {
                inner = Inner::Unknown;
            }
            if let Some(text) = self.take_off(wrapper, head) {
                return Inner::Text(text);
            }
        }
        Inner::Unknown
    }

    /// Takes off a wrapper that the user declared, with its options.
    fn take_off_declared(&mut self, declared: &[String]) -> bool {
        let name = self.name().filter(|name| declared.iter().any(|own| own == name)).map(str::to_owned);
        let Some(name) = name else { return false };
        let is_option = |word: &&Word| word.text.as_deref().is_some_and(|text| text.starts_with('-'));
        let options = self.words.iter().skip(1).take_while(is_option).count();
        // Alone, it starts nothing and is the program itself.
        if self.words.len() <= options + 1 {
            return false;
        }
        self.words.drain(..=options);
        self.spans.drop_first(options + 1);
        self.wrappers.push(name);
        true
    }

    fn take_off(&mut self, wrapper: &Wrapper, head: Head) -> Option<String> {
        let gone = head.length.saturating_add(1).min(self.words.len());
        // Where these lead is in their own words.
        let leads_elsewhere = matches!(wrapper.name, "nsenter" | "chroot" | "unshare");
        let own = self.words.get(1..gone).unwrap_or_default().iter().filter(|_| leads_elsewhere);
        let own: String = own.map(|word| format!(" {}", word.text.as_deref().unwrap_or(&word.raw))).collect();
        self.wrappers.push(format!("{}{own}", wrapper.name));
        self.words.drain(..gone);
        self.spans.drop_first(gone);
        self.assignments.extend(head.assignments);
        match head.directory {
            Some(Some(target)) => self.directory = self.directory.join(&target),
            Some(None) => self.directory = Directory::Unknown,
            None => {}
        }
        if wrapper.adds == Adds::Words {
            self.add_words(head.mark.as_deref());
        }
        head.text.map(|text| text + &self.words.iter().map(spelled).collect::<String>())
    }

    /// Marks what the wrapper fills in when it runs: words with its mark, or one more at the end.
    fn add_words(&mut self, mark: Option<&str>) {
        // With a mark, every line is one word.
        let line = self
            .read
            .as_deref()
            .map(|text| text.trim_matches(['\n', '\0']))
            .filter(|text| !text.contains('\n'));
        let known = match (mark, line) {
            (Some(_), Some(line)) => vec![line],
            _ => self.read.as_deref().and_then(plain_words).unwrap_or_default(),
        };
        match (mark, known.as_slice()) {
            // With one word there is one run, and all of it is known; with several, each run may differ.
            (Some(mark), [only]) => self.words.iter_mut().for_each(|word| word.fill_mark(mark, only)),
            (Some(mark), _) => self.words.iter_mut().for_each(|word| word.forget_mark(mark)),
            (None, []) => self.words.push(Word::unknown("")),
            (None, words) => self.words.extend(words.iter().copied().map(Word::literal)),
        }
    }
}

impl Invocation {
    /// Adds the names that a program reads from its input: `zip -@ x.zip`, `tar -T - -cf x.tar`.
    pub(super) fn add_read_names(&mut self) {
        let Some(text) = self.read.clone() else { return };
        if !self.reads_names() {
            return;
        }
        let names = text.lines().filter(|name| !name.is_empty()).take(MOST_READ_WORDS);
        self.words.extend(names.map(Word::literal));
    }

    fn reads_names(&self) -> bool {
        let Some(name) = self.name() else { return false };
        let arguments = self.words.get(1..).unwrap_or_default();
        let has = |texts: &[&str]| arguments.iter().any(|word| texts.iter().any(|text| word.is(text)));
        let behind = |options: &[&str]| {
            let mut pairs = arguments.windows(2);
            pairs.any(|pair| matches!(pair, [option, value] if value.is("-") && options.iter().any(|it| option.is(it))))
        };
        let letters = |letter: char| {
            let is_cluster = |text: &&str| text.starts_with('-') && !text.starts_with("--");
            let mut clusters = arguments.iter().filter_map(|word| word.text.as_deref()).filter(is_cluster);
            clusters.any(|text| text.contains(letter))
        };
        match name {
            "zip" => has(&["-@", "--names-stdin"]),
            "tar" | "gtar" | "bsdtar" => {
                let last_is_names = |word: &Word| {
                    word.text.as_deref().is_some_and(|text| text.starts_with('-') && text.ends_with('T'))
                };
                let mut pairs = arguments.windows(2);
                has(&["-T-", "--files-from=-"])
                    || behind(&["-T", "--files-from"])
                    || pairs
                        .any(|pair| matches!(pair, [option, value] if value.is("-") && last_is_names(option)))
            }
            "rsync" => has(&["--files-from=-"]) || behind(&["--files-from"]),
            "cpio" => letters('o') || letters('p') || has(&["--create", "--pass-through"]),
            "pax" => letters('w'),
            _ => false,
        }
    }
}

/// The words that `xargs` makes of a text without quotes, if they are few.
fn plain_words(text: &str) -> Option<Vec<&str>> {
    let is_space = |letter: char| letter.is_ascii_whitespace() || letter == '\0';
    let words: Vec<&str> =
        text.split(is_space).filter(|word| !word.is_empty()).take(MOST_READ_WORDS + 1).collect();
    // xargs has rules of its own for quotes and backslashes.
    (words.len() <= MOST_READ_WORDS && !text.contains(['\'', '"', '\\'])).then_some(words)
}

/// Whether the shell may make several words of one, or none.
fn may_be_several(word: &Word) -> bool {
    // `A="$x"` is one word although its quotes do not begin it.
    let value = word.raw.split_once('=').map_or(word.raw.as_str(), |(_, value)| value);
    word.text.is_none() && !word.raw.starts_with('"') && !(value.starts_with('"') && value.ends_with('"'))
}

fn spelled(word: &Word) -> String {
    format!(" {}", word.text.as_deref().map_or_else(|| word.raw.clone(), quote))
}

impl Word {
    /// Replaces `mark` in the text with `value`.
    fn fill_mark(&mut self, mark: &str, value: &str) {
        if let Some(text) = self.text.as_mut().filter(|text| text.contains(mark)) {
            *text = text.replace(mark, value);
        }
    }

    /// Forgets the text if it has `mark` in it.
    pub(super) fn forget_mark(&mut self, mark: &str) {
        if self.text.as_deref().is_some_and(|text| text.contains(mark)) {
            self.text = None;
        }
    }
}

/// The words of a wrapper before the command it starts.
#[derive(Default)]
struct Head {
    length: usize,
    assignments: Vec<(String, Word)>,
    directory: Option<Option<String>>,
    mark: Option<String>,
    text: Option<String>,
    /// A word that may be none or several comes before the command.
    is_uncertain: bool,
}

impl Head {
    /// Reads them; `None` if the wrapper starts nothing.
    fn read(wrapper: &Wrapper, words: &[Word]) -> Option<Self> {
        let parsed = parse(&wrapper.grammar, words);
        let mut head = Self { length: parsed.first_operand, ..Self::default() };
        for option in &parsed.options {
            if option.is_one_of(wrapper.inert, OptionStyle::Wrapper) {
                return None;
            }
            head.apply(wrapper, option);
            if head.text.is_some() {
                // The words behind the text are appended to it, so nothing else is read as an option.
                head.length = option.words.end;
                break;
            }
        }
        head.length += wrapper.operands;
        head.take_variables(wrapper, words);
        // `flock FILE -c 'text'` gives the text to a shell, which `scripts` reads.
        if wrapper.name == "flock"
            && words.get(head.length).is_some_and(|word| word.is("-c") || word.is("--command"))
        {
            return None;
        }
        let before = words.get(..head.length).unwrap_or_default();
        head.is_uncertain = before.iter().any(may_be_several);
        let runs = head.text.is_some() || words.len() > head.length;
        runs.then_some(head)
    }

    /// Applies what an option does to the command.
    fn apply(&mut self, wrapper: &Wrapper, option: &GivenOption<'_>) {
        let value = option.text().map(str::to_owned);
        match (wrapper.name, option.name) {
            // GNU `xargs -i` and `--replace` set a mark without needing a value.
            ("xargs", "i" | "replace") => {
                self.mark = Some(value.filter(|mark| !mark.is_empty()).unwrap_or_else(|| "{}".to_owned()));
            }
            ("xargs", "I" | "J") => self.mark = Some(value.unwrap_or_default()),
            // A text that is not known is a program that is not known.
            ("env", "S" | "split-string") => self.text = Some(value.unwrap_or_else(|| "\"$_\"".to_owned())),
            ("env", "C" | "chdir") | ("sudo", "D" | "chdir") => self.directory = Some(value),
            _ => {}
        }
    }

    fn take_variables(&mut self, wrapper: &Wrapper, words: &[Word]) {
        if wrapper.adds != Adds::Variables || self.text.is_some() {
            return;
        }
        while let Some((name, value)) = words.get(self.length).and_then(variable) {
            self.assignments.push((name, value));
            self.length += 1;
        }
    }
}

/// `NAME=value` as an argument.
fn variable(word: &Word) -> Option<(String, Word)> {
    let spelled = word.text.as_deref().unwrap_or(&word.raw);
    let (name, value) = spelled.split_once('=')?;
    let is_name =
        !name.is_empty() && name.chars().all(|letter| letter == '_' || letter.is_ascii_alphanumeric());
    let value = if word.text.is_some() { Word::literal(value) } else { Word::unknown(value) };
    is_name.then(|| (name.to_owned(), value))
}
