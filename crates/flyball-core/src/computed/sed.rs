//! Runs sed scripts on a text: substitutions, and lines deleted, added and printed. Any other command is not known.

use flyball_effects::Command;
use regex_lite::{Captures, Regex, RegexBuilder};

use super::pattern;
use super::words::known_words;

/// Longer scripts are programs.
const MOST_STEPS: usize = 64;

/// The text after `sed -i`.
pub(super) fn after(command: &Command, text: &str) -> Option<String> {
    let mut call = Call::default();
    let words = known_words(command)?;
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        call.read(word, &mut words)?;
    }
    let source =
        if call.scripts.is_empty() { call.operands.first()?.to_string() } else { call.scripts.join("\n") };
    let steps = Parser { rest: &source, is_extended: call.is_extended, count: 0 }.steps()?;
    Some(Machine { steps: &steps, is_quiet: call.is_quiet }.run(text))
}

/// The text after `perl -pi -e 's/a/b/'`.
pub(super) fn after_perl(command: &Command, text: &str) -> Option<String> {
    let words = known_words(command)?;
    let is_filter =
        words.iter().any(|word| word.starts_with('-') && !word.starts_with("--") && word.contains('p'));
    let at = words.iter().position(|word| word.starts_with('-') && word.ends_with('e'))?;
    let source = words.get(at + 1).filter(|_| is_filter)?;
    let slurps = words.iter().any(|word| word.starts_with("-0"));
    let steps = Parser { rest: source, is_extended: true, count: 0 }.steps()?;
    let only_substitutes =
        steps.iter().all(|step| matches!(step.act, Act::Substitute(_)) && step.address.is_none());
    if !only_substitutes || slurps {
        return None;
    }
    Some(Machine { steps: &steps, is_quiet: false }.run(text))
}

/// How sed is called.
#[derive(Default)]
struct Call<'w> {
    scripts: Vec<&'w str>,
    operands: Vec<&'w str>,
    is_extended: bool,
    is_quiet: bool,
}

impl<'w> Call<'w> {
    fn read(&mut self, word: &'w str, rest: &mut impl Iterator<Item = &'w str>) -> Option<()> {
        match word {
            "--expression" => self.scripts.push(rest.next()?),
            "--quiet" | "--silent" => self.is_quiet = true,
            "--regexp-extended" => self.is_extended = true,
            "--" => self.operands.extend(rest),
            _ if word.starts_with("--expression=") => self.scripts.push(word.split_once('=')?.1),
            _ if word.starts_with("--in-place") || word == "--posix" || word == "--follow-symlinks" => {}
            // Scripts in files, and lines that end with a zero byte.
            _ if word.starts_with("--") => return None,
            _ if word.starts_with('-') && word.len() > 1 => {
                for (at, letter) in word.char_indices().skip(1) {
                    match letter {
                        'E' | 'r' => self.is_extended = true,
                        'n' => self.is_quiet = true,
                        // What follows is the suffix of the copy.
                        'i' => break,
                        'e' => {
                            let attached = word.get(at + 1..).filter(|script| !script.is_empty());
                            self.scripts.push(match attached {
                                Some(script) => script,
                                None => rest.next()?,
                            });
                            break;
                        }
                        'u' | 's' | 'l' => {}
                        _ => return None,
                    }
                }
            }
            // The suffix of the copy on BSD, which is a word of its own.
            "" => {}
            _ => self.operands.push(word),
        }
        Some(())
    }
}

struct Step {
    address: Option<Address>,
    is_negated: bool,
    act: Act,
}

enum Act {
    Substitute(Substitution),
    Delete,
    Print,
    Before(String),
    After(String),
    Replace(String),
    Quit,
    Group(Vec<Step>),
    Nothing,
}

struct Substitution {
    pattern: Regex,
    new: String,
    is_global: bool,
    /// From which match on.
    from: usize,
    prints: bool,
}

enum Address {
    One(Place),
    Range(Place, Place),
    /// As many lines after the first.
    Following(Place, usize),
}

enum Place {
    Number(usize),
    Last,
    Match(Regex),
}

struct Parser<'s> {
    rest: &'s str,
    is_extended: bool,
    count: usize,
}

impl<'s> Parser<'s> {
    fn steps(&mut self) -> Option<Vec<Step>> {
        let mut steps = Vec::new();
        loop {
            self.rest = self.rest.trim_start_matches([' ', '\t', '\n', ';']);
            if self.rest.is_empty() || self.eat('}') {
                return Some(steps);
            }
            if self.rest.starts_with('#') {
                self.line();
                continue;
            }
            self.count += 1;
            if self.count > MOST_STEPS {
                return None;
            }
            steps.push(self.step()?);
        }
    }

    fn step(&mut self) -> Option<Step> {
        let address = self.address()?;
        self.rest = self.rest.trim_start();
        let is_negated = self.eat('!');
        self.rest = self.rest.trim_start();
        let letter = self.bump()?;
        let act = match letter {
            's' => Act::Substitute(self.substitution()?),
            'd' => Act::Delete,
            'p' => Act::Print,
            'i' => Act::Before(self.text()),
            'a' => Act::After(self.text()),
            'c' => Act::Replace(self.text()),
            'q' => Act::Quit,
            '{' => Act::Group(self.steps()?),
            '=' | 'l' => Act::Nothing,
            _ => return None,
        };
        Some(Step { address, is_negated, act })
    }

    fn bump(&mut self) -> Option<char> {
        let letter = self.rest.chars().next()?;
        self.rest = self.rest.get(letter.len_utf8()..)?;
        Some(letter)
    }

    fn eat(&mut self, letter: char) -> bool {
        match self.rest.strip_prefix(letter) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn line(&mut self) -> &'s str {
        let (line, rest) = self.rest.split_once('\n').unwrap_or((self.rest, ""));
        self.rest = rest;
        line
    }

    /// The text of `i`, `a` and `c`: on the same line, or on the lines after a backslash.
    fn text(&mut self) -> String {
        self.rest = self.rest.trim_start_matches([' ', '\t']);
        if let Some(rest) = self.rest.strip_prefix('\\') {
            self.rest = rest.strip_prefix('\n').unwrap_or(rest);
        }
        let mut text = String::new();
        loop {
            let line = self.line();
            match line.strip_suffix('\\') {
                Some(line) => {
                    text.push_str(line);
                    text.push('\n');
                }
                None => {
                    text.push_str(line);
                    return text.replace("\\n", "\n").replace("\\t", "\t");
                }
            }
        }
    }

    /// The outer option is `None` for what is not known, the inner one for no address.
    #[expect(clippy::option_option, reason = "one is an error, the other a missing address")]
    fn address(&mut self) -> Option<Option<Address>> {
        let Some(first) = self.place()? else { return Some(None) };
        if !self.eat(',') {
            return Some(Some(Address::One(first)));
        }
        if self.eat('+') {
            return Some(Some(Address::Following(first, self.number()?)));
        }
        let second = self.place()??;
        Some(Some(Address::Range(first, second)))
    }

    #[expect(clippy::option_option, reason = "one is an error, the other a missing address")]
    fn place(&mut self) -> Option<Option<Place>> {
        if self.rest.starts_with(|letter: char| letter.is_ascii_digit()) {
            let number = self.number()?;
            // `first~step`.
            return if self.rest.starts_with('~') { None } else { Some(Some(Place::Number(number))) };
        }
        if self.eat('$') {
            return Some(Some(Place::Last));
        }
        let end = if self.eat('/') {
            '/'
        } else if self.rest.starts_with('\\') {
            self.bump();
            self.bump()?
        } else {
            return Some(None);
        };
        let pattern = self.until(end)?;
        let ignores_case = self.eat('I');
        Some(Some(Place::Match(self.regex(pattern, ignores_case)?)))
    }

    fn number(&mut self) -> Option<usize> {
        let end = self.rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(self.rest.len());
        let (digits, rest) = self.rest.split_at_checked(end)?;
        self.rest = rest;
        digits.parse().ok()
    }

    fn until(&mut self, end: char) -> Option<&'s str> {
        let mut is_escaped = false;
        for (at, letter) in self.rest.char_indices() {
            if is_escaped {
                is_escaped = false;
            } else if letter == end {
                let text = self.rest.get(..at)?;
                self.rest = self.rest.get(at + letter.len_utf8()..)?;
                return Some(text);
            } else {
                is_escaped = letter == '\\';
            }
        }
        None
    }

    fn regex(&self, source: &str, ignores_case: bool) -> Option<Regex> {
        let pattern =
            if self.is_extended { pattern::from_extended(source) } else { pattern::from_basic(source) };
        RegexBuilder::new(&pattern).case_insensitive(ignores_case).build().ok()
    }

    fn substitution(&mut self) -> Option<Substitution> {
        let end = self.bump()?;
        let old = self.until(end)?;
        let new = self.until(end)?.to_owned();
        let (mut is_global, mut ignores_case, mut prints, mut from) = (false, false, false, 1);
        while let Some(flag) = self.rest.chars().next().filter(|letter| !";}\n \t".contains(*letter)) {
            match flag {
                'g' => is_global = true,
                'i' | 'I' => ignores_case = true,
                'p' => prints = true,
                '1'..='9' => from = usize::try_from(flag.to_digit(10)?).ok()?,
                'm' | 'M' | 's' => {}
                _ => return None,
            }
            self.bump();
        }
        let unescaped = if end == '/' || !old.contains(end) {
            old.to_owned()
        } else {
            old.replace(&format!("\\{end}"), &end.to_string())
        };
        Some(Substitution { pattern: self.regex(&unescaped, ignores_case)?, new, is_global, from, prints })
    }
}

impl Substitution {
    fn apply(&self, line: &str) -> Option<String> {
        self.pattern.is_match(line).then_some(())?;
        let mut count = 0;
        let written = self.pattern.replace_all(line, |found: &Captures<'_>| {
            count += 1;
            let is_meant = if self.is_global { count >= self.from } else { count == self.from };
            if is_meant {
                self.replacement(found)
            } else {
                found.get(0).map(|it| it.as_str().to_owned()).unwrap_or_default()
            }
        });
        Some(written.into_owned())
    }

    fn replacement(&self, found: &Captures<'_>) -> String {
        let group = |number: u32| {
            let at = usize::try_from(number).unwrap_or_default();
            found.get(at).map(|it| it.as_str()).unwrap_or_default()
        };
        let mut written = String::new();
        let mut letters = self.new.chars().peekable();
        while let Some(letter) = letters.next() {
            match letter {
                '&' => written.push_str(group(0)),
                '$' | '\\' if letters.peek().is_some_and(char::is_ascii_digit) => {
                    let digit = letters.next().and_then(|digit| digit.to_digit(10)).unwrap_or_default();
                    written.push_str(group(digit));
                }
                '\\' => match letters.next() {
                    Some('n') => written.push('\n'),
                    Some('t') => written.push('\t'),
                    Some(other) => written.push(other),
                    None => {}
                },
                other => written.push(other),
            }
        }
        written
    }
}

struct Machine<'s> {
    steps: &'s [Step],
    is_quiet: bool,
}

/// One line while the steps run on it.
struct Cycle {
    number: usize,
    is_last: bool,
    line: String,
    before: Vec<String>,
    after: Vec<String>,
    is_deleted: bool,
    is_last_cycle: bool,
}

impl Machine<'_> {
    fn run(&self, text: &str) -> String {
        let lines: Vec<&str> = text.lines().collect();
        let mut written = String::with_capacity(text.len());
        let mut ranges: Vec<usize> = Vec::new();
        for (at, line) in lines.iter().enumerate() {
            let mut cycle = Cycle {
                number: at + 1,
                is_last: at + 1 == lines.len(),
                line: (*line).to_owned(),
                before: Vec::new(),
                after: Vec::new(),
                is_deleted: false,
                is_last_cycle: false,
            };
            let mut slot = 0;
            run_steps(self.steps, &mut cycle, &mut ranges, &mut slot);
            let own = (!cycle.is_deleted && !self.is_quiet).then_some(&cycle.line);
            for line in cycle.before.iter().chain(own).chain(&cycle.after) {
                written.push_str(line);
                written.push('\n');
            }
            if cycle.is_last_cycle {
                break;
            }
        }
        written
    }
}

/// Where ranges end: one number a step, zero while the range is closed.
fn run_steps(steps: &[Step], cycle: &mut Cycle, ranges: &mut Vec<usize>, slot: &mut usize) {
    for step in steps {
        let own = *slot;
        *slot += 1;
        if ranges.len() <= own {
            ranges.resize(own + 1, 0);
        }
        let applies =
            step.address.as_ref().is_none_or(|address| is_at(address, cycle, ranges, own)) != step.is_negated;
        if let Act::Group(inner) = &step.act {
            let mut unused =
                Cycle { line: cycle.line.clone(), before: Vec::new(), after: Vec::new(), ..*cycle };
            run_steps(inner, if applies { cycle } else { &mut unused }, ranges, slot);
        } else if applies {
            run_act(&step.act, cycle);
        }
        if cycle.is_deleted || cycle.is_last_cycle {
            return;
        }
    }
}

fn run_act(act: &Act, cycle: &mut Cycle) {
    match act {
        Act::Substitute(substitution) => {
            if let Some(line) = substitution.apply(&cycle.line) {
                cycle.line = line;
                if substitution.prints {
                    cycle.before.push(cycle.line.clone());
                }
            }
        }
        Act::Delete => cycle.is_deleted = true,
        Act::Print => cycle.before.push(cycle.line.clone()),
        Act::Before(text) => cycle.before.push(text.clone()),
        Act::After(text) => cycle.after.push(text.clone()),
        Act::Replace(text) => {
            cycle.before.push(text.clone());
            cycle.is_deleted = true;
        }
        Act::Quit => cycle.is_last_cycle = true,
        Act::Group(_) | Act::Nothing => {}
    }
}

fn is_at(address: &Address, cycle: &Cycle, ranges: &mut [usize], slot: usize) -> bool {
    let is_place = |place: &Place| match place {
        Place::Number(number) => cycle.number == *number,
        Place::Last => cycle.is_last,
        Place::Match(pattern) => pattern.is_match(&cycle.line),
    };
    let Some(end) = ranges.get_mut(slot) else { return false };
    match address {
        Address::One(place) => is_place(place),
        Address::Following(first, count) => {
            if *end >= cycle.number {
                return true;
            }
            let begins = is_place(first);
            if begins {
                *end = cycle.number + count;
            }
            begins
        }
        Address::Range(first, last) => {
            let is_open = *end != 0;
            if is_open {
                let is_over = match last {
                    Place::Number(number) => cycle.number >= *number,
                    other => is_place(other),
                };
                if is_over {
                    *end = 0;
                }
                return true;
            }
            let begins = is_place(first);
            if begins && !matches!(last, Place::Number(number) if *number <= cycle.number) {
                *end = usize::MAX;
            }
            begins
        }
    }
}
