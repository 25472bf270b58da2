//! Builtins that declare variables, arguments and programs: `declare`, `export`, `set`, `shift`, `hash`.

use super::quoting::quote;
use super::reader::Reader;
use super::scope::ARGUMENTS;
use crate::model::Word;

impl Reader<'_> {
    /// Attributes change the value of a variable, a reference gives it another name, and
    /// `printf -v` and `unset` write to it: such variables are forgotten.
    pub(super) fn redeclare(&mut self, arguments: &[Word]) {
        let is_reference = |text: &str| text.starts_with('-') && text.contains('n');
        for argument in arguments {
            match argument.text.as_deref() {
                Some(text) if is_reference(text) => self.scope.trust_no_variable(),
                Some(text) => self.scope.forget(text.split(['=', '[']).next().unwrap_or(text)),
                None => self.scope.forget_variables(),
            }
        }
    }

    /// `declare -l name=VALUE`, `declare -u name=value`. `false` if it is something else.
    pub(super) fn declare_case(&mut self, arguments: &[Word]) -> bool {
        let [flag, pairs @ ..] = arguments else { return false };
        let is_lower = flag.is("-l");
        if !is_lower && !flag.is("-u") {
            return false;
        }
        let pair = |word: &Word| {
            let (name, value) = word.text.as_deref()?.split_once('=')?;
            let value = if is_lower { value.to_lowercase() } else { value.to_uppercase() };
            Some((name.to_owned(), value))
        };
        let Some(pairs) = pairs.iter().map(pair).collect::<Option<Vec<(String, String)>>>() else {
            return false;
        };
        pairs.into_iter().for_each(|(name, value)| self.scope.set(&name, Some(value)));
        true
    }

    /// `hash -p /bin/rm name`: from here on, the name starts that program.
    pub(super) fn remember_hashed(&mut self, arguments: &[Word]) {
        let texts: Vec<&str> = arguments.iter().filter_map(|word| word.text.as_deref()).collect();
        if let ["-p", path, names @ ..] = texts.as_slice() {
            let body = format!("{} \"$@\"", quote(path));
            names.iter().for_each(|name| self.scope.define(name, &body));
        }
    }

    pub(super) fn export(&mut self, arguments: &[Word], exports: bool) {
        if exports {
            let names = arguments.iter().filter_map(|word| word.text.as_deref());
            names.for_each(|text| self.scope.export(text.split('=').next().unwrap_or(text)));
        }
    }

    /// `set -- a b` and `set a b`; with options alone, the arguments stay.
    pub(super) fn set_arguments(&mut self, arguments: &[Word]) {
        let mut at = 0;
        while let Some(text) = arguments.get(at).and_then(|word| word.text.as_deref()) {
            at += 1;
            match text {
                "--" => break,
                // `-o name`, also as in `-euo pipefail`.
                _ if text.starts_with(['-', '+']) => at += usize::from(text.ends_with('o')),
                _ => {
                    at -= 1;
                    break;
                }
            }
        }
        let sets_arguments = at < arguments.len() || arguments.last().is_some_and(|word| word.is("--"));
        if sets_arguments {
            self.scope.set_list(ARGUMENTS, arguments.get(at..).unwrap_or_default());
        }
    }

    /// `shift` and `shift 2`.
    pub(super) fn shift_arguments(&mut self, arguments: &[Word]) {
        let count = arguments.first().map_or(Some(1), |word| word.text.as_deref()?.parse::<usize>().ok());
        let rest = count.and_then(|count| self.scope.list(ARGUMENTS)?.get(count..).map(<[String]>::to_vec));
        match rest {
            Some(rest) => {
                let rest: Vec<Word> = rest.into_iter().map(Word::literal).collect();
                self.scope.set_list(ARGUMENTS, &rest);
            }
            None => self.scope.forget(ARGUMENTS),
        }
    }
}
