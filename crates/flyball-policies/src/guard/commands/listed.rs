//! The calls that `programs/risks.toml` lists for a rule.

use flyball_effects::Word;
use flyball_effects::argv::{Grammar, OptionStyle, Parsed, parse};
use flyball_programs::{program, risky_program};

use super::context::{Call, Context};
use super::finding::Finding;
use super::zone::{is_disk, is_temporary_file};

/// What a rule says about a call that is listed for it.
pub(super) struct Listed {
    /// What the call would do, behind its words: `would open the firewall`.
    pub(super) does: &'static str,
    pub(super) why: &'static str,
    pub(super) instead: &'static str,
    /// Calls that are free all the same, because of what they are about.
    pub(super) free: fn(&Call<'_>) -> bool,
}

impl Listed {
    pub(super) const fn new(does: &'static str, why: &'static str, instead: &'static str) -> Listed {
        Listed { does, why, instead, free: |_| false }
    }

    pub(super) const fn unless(mut self, free: fn(&Call<'_>) -> bool) -> Listed {
        self.free = free;
        self
    }

    pub(super) fn finding(&self, call: &Call<'_>) -> Option<Finding> {
        if (self.free)(call) {
            return None;
        }
        Finding::new(format!("`{}` {}", call.display_text(), self.does), self.why, self.instead)
    }
}

/// The rules that a call is listed for.
pub(super) fn rules_of(context: &Context<'_>, call: &Call<'_>) -> Vec<&'static str> {
    let Some(risky) = risky_program(call.program) else { return Vec::new() };
    let grammar = risky.grammar.unwrap_or_else(|| own_grammar(call.program));
    let reading = Reading { context, call, parsed: parse(grammar, &call.command.arguments), grammar };
    if reading.only_shows() {
        return Vec::new();
    }
    let matching = risky.risks.iter().filter(|risk| reading.matches(risk.pattern));
    matching.map(|risk| risk.rule).collect()
}

/// The grammar of a program's own entry. One that stops at the first operand would hide the options of verbs.
fn own_grammar(name: &str) -> &'static Grammar {
    let own = program(name).map_or(&Grammar::PLAIN, |known| known.grammar);
    match own.option_style {
        OptionStyle::InFront | OptionStyle::Wrapper => &Grammar::PLAIN,
        OptionStyle::Gnu | OptionStyle::Anywhere | OptionStyle::OneDash => own,
    }
}

/// A call as patterns see it.
struct Reading<'c, 'a> {
    context: &'c Context<'a>,
    call: &'c Call<'a>,
    parsed: Parsed<'a>,
    grammar: &'static Grammar,
}

impl Reading<'_, '_> {
    /// Whether it only shows what it would do, or its help.
    fn only_shows(&self) -> bool {
        let is_help = |word: &&&Word| word.is("help");
        let operands = &self.parsed.operands;
        self.has("help version dry-run dryrun dry_run noop what-if")
            || operands.first().filter(is_help).or(operands.last().filter(is_help)).is_some()
            || matches!(self.call.command.arguments.as_slice(), [only] if only.is("-h") || only.is("-V"))
    }

    fn has(&self, names: &str) -> bool {
        self.parsed.has(names, self.grammar.option_style)
    }

    fn matches(&self, pattern: &str) -> bool {
        let (places, conditions): (Vec<&str>, Vec<&str>) =
            pattern.split_ascii_whitespace().partition(|part| is_place(part));
        conditions.into_iter().all(|part| self.holds(part))
            && self.match_operands(&places, &self.parsed.operands)
    }

    fn holds(&self, condition: &str) -> bool {
        match condition.strip_prefix('!') {
            Some(option) if option.starts_with('-') => !self.gives(option),
            Some(word) => !self.parsed.operands.iter().any(|operand| self.is_one_of(word, operand)),
            None if condition == "@xargs" => {
                self.call.command.wrappers.iter().any(|wrapper| wrapper.starts_with("xargs"))
            }
            None => self.gives(condition),
        }
    }

    /// Whether an option of `-x|--long` or `-x|--long=value` is given.
    fn gives(&self, option: &str) -> bool {
        let (names, value) = match option.split_once('=') {
            Some((names, value)) => (names, Some(value)),
            None => (option, None),
        };
        let names = names.split('|').map(|name| name.trim_start_matches('-')).collect::<Vec<_>>().join(" ");
        let style = self.grammar.option_style;
        let mut given = self.parsed.options.iter().filter(|given| given.is_one_of(&names, style));
        let Some(value) = value else { return given.next().is_some() };
        given.any(|given| given.text().is_some_and(|text| matches_one(value, text)))
    }

    /// Whether the operands begin with these.
    fn match_operands(&self, places: &[&str], operands: &[&Word]) -> bool {
        let Some((first, rest)) = places.split_first() else { return true };
        if *first == "**" {
            return (0..=operands.len())
                .any(|from| operands.get(from..).is_some_and(|left| self.match_operands(rest, left)));
        }
        let Some((operand, left)) = operands.split_first() else { return false };
        self.is_one_of(first, operand) && self.match_operands(rest, left)
    }

    /// Whether an operand is one of `a|b|@disk`.
    fn is_one_of(&self, choices: &str, operand: &Word) -> bool {
        choices.split('|').any(|choice| match (choice, operand.text.as_deref()) {
            ("*", _) => true,
            ("@unknown", text) => text.is_none(),
            ("@disk", Some(text)) => text.contains("dev") && self.is_at(operand, is_disk),
            ("@temp", Some(text)) => text.starts_with('/') && is_temporary_file(text),
            ("@url", Some(text)) => text.contains("://"),
            (choice, Some(text)) => matches_one(choice, text),
            // A part that only the run knows does not hide the rest: `repos/a/statuses/$(git rev-parse HEAD)`.
            (choice, None) => {
                choice.len() > 2
                    && choice.starts_with('*')
                    && choice.ends_with('*')
                    && matches_one(choice, &operand.raw)
            }
        })
    }

    fn is_at(&self, operand: &Word, is_there: fn(&str) -> bool) -> bool {
        let found = self.context.locate(operand, &self.call.command.directory);
        found.paths().iter().any(|path| is_there(path))
    }
}

/// Whether a part of a pattern is an operand, not a condition.
fn is_place(part: &str) -> bool {
    part == "-"
        || part.split('|').any(|choice| choice == "-")
        || !(part.starts_with(['-', '!']) || part == "@xargs")
}

/// Whether a text is one of `a|b*`, ignoring case.
fn matches_one(choices: &str, text: &str) -> bool {
    choices.split('|').any(|choice| matches_glob(choice.as_bytes(), text.as_bytes()))
}

fn matches_glob(glob: &[u8], text: &[u8]) -> bool {
    match glob {
        [] => text.is_empty(),
        [b'\\', letter, rest @ ..] => {
            text.split_first().is_some_and(|(first, left)| first == letter && matches_glob(rest, left))
        }
        [b'*', rest @ ..] => {
            (0..=text.len()).any(|from| text.get(from..).is_some_and(|left| matches_glob(rest, left)))
        }
        [letter, rest @ ..] => text
            .split_first()
            .is_some_and(|(first, left)| first.eq_ignore_ascii_case(letter) && matches_glob(rest, left)),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use flyball_programs::RISKS;

    use super::{super::table, matches_one};

    #[test]
    fn a_glob_is_the_whole_text_and_ignores_case() {
        let cases = [
            ("delete-*", "delete-bucket", true),
            ("delete-*", "undelete-bucket", false),
            ("*privileged*", "{\"privileged\":true}", true),
            ("none|no", "No", true),
            ("\\*", "*", true),
            ("\\*", "x", false),
            ("", "", true),
            ("", "x", false),
        ];
        for (choices, text, expected) in cases {
            assert_eq!(matches_one(choices, text), expected, "{choices} {text}");
        }
    }

    #[test]
    fn every_listed_call_has_a_rule() {
        let known: BTreeSet<&str> = table::ids().collect();
        let listed: BTreeSet<&str> =
            RISKS.iter().flat_map(|risky| risky.risks).map(|risk| risk.rule).collect();
        assert_eq!(listed.difference(&known).collect::<Vec<_>>(), Vec::<&&str>::new());
    }
}
