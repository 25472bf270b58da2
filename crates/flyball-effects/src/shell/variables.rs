//! Builtins that put text into variables: `read`, `mapfile`, `printf -v`, `declare -n`, `a+=x`, `a[1]=x`.

use shuck_ast::{Assignment, AssignmentValue};

use super::launch::Input;
use super::reader::Reader;
use crate::argv::{Grammar, OptionStyle, parse};
use crate::model::{Place, Redirect, Word};
use crate::printed::printed;

impl Reader<'_> {
    /// `read name`: the next line of what it reads, if that is known.
    pub(super) fn read_variables(&mut self, arguments: &[Word], redirects: &[Redirect], marks: Option<&str>) {
        let grammar =
            Grammar { letters: "dinNptua", optional: "", names: "", option_style: OptionStyle::Gnu };
        let parsed = parse(&grammar, arguments);
        let names: Option<Vec<String>> = parsed.operands.iter().map(|word| word.text.clone()).collect();
        let list = parsed.value("a", OptionStyle::Gnu).and_then(|word| word.text.clone());
        let Some(names) = names else { return self.scope.forget_variables() };
        let names = if names.is_empty() && list.is_none() { vec!["REPLY".to_owned()] } else { names };
        // With these it reads less or more than a line.
        let is_line = !parsed.options.iter().any(|option| matches!(option.name, "n" | "N" | "d"));
        let from = parsed.value("u", OptionStyle::Gnu);
        let line = match from {
            _ if !is_line => None,
            Some(number) => {
                let text = number.text.as_deref().and_then(|number| self.descriptor_text(number));
                text.and_then(|text| text.lines().next().map(str::to_owned))
            }
            None => self.next_line(redirects),
        };
        // Marks of its own separate as blanks do; a blank in the text would then be none, which is not followed.
        let line = match marks.filter(|marks| !marks.trim().is_empty()) {
            Some(marks) => line.map(|line| line.replace(|letter| marks.contains(letter), " ")),
            None => line,
        };
        if let Some(list) = list {
            let words: Vec<Word> =
                line.as_deref().unwrap_or("$_").split_ascii_whitespace().map(Word::literal).collect();
            return match line {
                Some(_) => self.scope.set_list(&list, &words),
                None => self.scope.forget(&list),
            };
        }
        let mut rest = line.as_deref().map(str::trim);
        let last = names.len().saturating_sub(1);
        for (at, name) in names.iter().enumerate() {
            let value = match rest {
                // The last name gets all that is left.
                Some(text) if at < last => {
                    let (value, behind) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
                    rest = Some(behind.trim_start());
                    Some(value.to_owned())
                }
                other => other.map(str::to_owned),
            };
            self.scope.set(name, value);
        }
    }

    /// The next line of standard input; what is read is gone.
    fn next_line(&mut self, redirects: &[Redirect]) -> Option<String> {
        let Input::Text(text) = self.input_of(redirects) else { return None };
        let (line, rest) = text.split_once('\n').unwrap_or((&text, ""));
        if redirects.is_empty() {
            self.input = Input::Text(rest.into());
        }
        Some(line.to_owned())
    }

    /// `mapfile -t name`: every line is an item.
    pub(super) fn read_list(&mut self, arguments: &[Word], redirects: &[Redirect]) {
        let grammar = Grammar { letters: "dnOsuCc", optional: "", names: "", option_style: OptionStyle::Gnu };
        let parsed = parse(&grammar, arguments);
        let name = parsed.operands.first().map_or(Some("MAPFILE"), |word| word.text.as_deref());
        let Some(name) = name else { return self.scope.forget_variables() };
        let input = match parsed.value("u", OptionStyle::Gnu) {
            Some(number) => {
                let text = number.text.as_deref().and_then(|number| self.descriptor_text(number));
                text.map_or(Input::Unknown, Input::Text)
            }
            None => self.input_of(redirects),
        };
        match input {
            Input::Text(text) => {
                let lines: Vec<Word> = text.lines().map(Word::literal).collect();
                self.scope.set_list(name, &lines);
            }
            Input::Unread | Input::Unknown => self.scope.forget(name),
        }
    }

    /// `printf -v name format …`
    pub(super) fn print_variable(&mut self, arguments: &[Word]) {
        let Some((Some(name), format)) = arguments
            .get(1..)
            .and_then(<[Word]>::split_first)
            .map(|(name, rest)| (name.text.as_deref(), rest))
        else {
            return self.scope.forget_variables();
        };
        self.scope.set(name, printed(format));
    }

    /// `declare -n name=other`: another name of the same variable. `false` if it is something else.
    pub(super) fn refer(&mut self, arguments: &[Word]) -> bool {
        let [flag, pairs @ ..] = arguments else { return false };
        let pair = |word: &Word| {
            let (name, other) = word.text.as_deref()?.split_once('=')?;
            let is_name =
                !other.is_empty() && other.bytes().all(|byte| byte == b'_' || byte.is_ascii_alphanumeric());
            is_name.then(|| (name.to_owned(), other.to_owned()))
        };
        let pairs: Option<Vec<(String, String)>> = pairs.iter().map(pair).collect();
        match pairs {
            Some(pairs) if flag.is("-n") && !pairs.is_empty() => {
                pairs.into_iter().for_each(|(name, other)| self.scope.refer(&name, other));
                true
            }
            _ => false,
        }
    }

    /// The value after `name+=text`, if both parts are known.
    pub(super) fn appended(&mut self, assignment: &Assignment, name: &str, place: Place) -> Option<String> {
        let AssignmentValue::Scalar(word) = &assignment.value else { return None };
        if !assignment.append || assignment.target.subscript.is_some() {
            return None;
        }
        let before = self.scope.value(name)?.to_owned();
        let added = self.word(word, place).text?;
        Some(before + &added)
    }

    /// The items after `name+=(…)` and `name[2]=x`, if all are known.
    pub(super) fn with_items(
        &mut self,
        assignment: &Assignment,
        name: &str,
        items: &[Word],
        value: &Word,
    ) -> Option<Vec<Word>> {
        let known = || self.scope.list(name).map(|known| known.iter().map(Word::literal).collect::<Vec<_>>());
        match (&assignment.value, &assignment.target.subscript) {
            (AssignmentValue::Compound(_), None) if assignment.append => {
                let mut list = known()?;
                list.extend(items.iter().cloned());
                Some(list)
            }
            (AssignmentValue::Scalar(word), Some(subscript)) if !assignment.append => {
                let at: usize = subscript.syntax_text(self.source).trim().parse().ok()?;
                let mut list = known().unwrap_or_default();
                // Only the next item: with a gap, the places are others.
                if at != list.len() {
                    return None;
                }
                let text = value.text.clone().or_else(|| plain(word.span.slice(self.source)))?;
                list.push(Word::literal(text));
                Some(list)
            }
            _ => None,
        }
    }
}

/// A word in which nothing is special but perhaps a `~` in front.
fn plain(raw: &str) -> Option<String> {
    (!raw.contains(['$', '`', '\'', '"', '\\', '*', '?'])).then(|| raw.to_owned())
}
