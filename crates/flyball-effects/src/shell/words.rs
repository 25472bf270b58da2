//! Turns the parser's words into ours: text, spelling, and the commands inside them.

use shuck_ast::{
    BourneParameterExpansion, LiteralText, ParameterExpansion, ParameterOp, Pattern, PatternPart, SourceText,
    Span, VarRef, Word as Tree, WordPart, WordPartNode,
};

use super::ansi;
use super::braces;
use super::launch::Input;
use super::mask::unmasked;
use super::operations;
use super::quoting::{Expansion, Kind, Quotes, breaks_word, find_expansion, letters};
use super::reader::{Form, Reader};
use super::scope::ARGUMENTS;
use crate::model::{Place, UnknownReason, Word};

/// What brace expansion costs, charged like the values of variables.
const BRACE_COST: usize = 256;

/// The text of a word while it is put together.
struct Draft {
    /// The quotes around the part that is being read.
    quotes: Quotes,
    text: String,
    is_unknown: bool,
    glob: bool,
    /// It has a value that the shell splits into words.
    splits: bool,
    kind: Kind,
    /// It has text that no shell would take for one word.
    is_broken: bool,
    /// It begins with `~` or `.` for a folder, which means that folder only in front of a `/`.
    is_folder: bool,
    /// Whether each letter is quoted; only recorded for words with braces.
    quoted: Option<Vec<(char, bool)>>,
}

impl Draft {
    fn new(quotes: Quotes, kind: Kind) -> Self {
        Self {
            quotes,
            text: String::new(),
            is_unknown: false,
            glob: false,
            splits: false,
            kind,
            is_broken: false,
            is_folder: false,
            quoted: None,
        }
    }

    /// A word of the line.
    fn word() -> Self {
        Self::new(Quotes::None, Kind::Word)
    }

    fn push(&mut self, text: &str, is_quoted: bool) {
        self.text.push_str(text);
        self.glob |= !is_quoted && is_glob(text);
        if let Some(quoted) = &mut self.quoted {
            quoted.extend(text.chars().map(|letter| (letter, is_quoted)));
        }
    }

    fn push_literal(&mut self, raw: &str) {
        let is_bare = self.quotes == Quotes::None;
        self.is_broken |= is_bare && breaks_word(raw, self.kind);
        let has_marks = raw.contains('\\') || (is_bare && raw.contains(['\'', '"']));
        if has_marks { self.push_letters(raw) } else { self.push(raw, !is_bare) }
    }

    fn push_letters(&mut self, raw: &str) {
        let mut pattern = String::new();
        for (letter, is_quoted) in letters(raw, self.quotes) {
            self.text.push(letter);
            if !is_quoted {
                pattern.push(letter);
            }
            if let Some(quoted) = &mut self.quoted {
                quoted.push((letter, is_quoted));
            }
        }
        self.glob |= is_glob(&pattern);
    }

    fn finish(self, raw: &str) -> Word {
        // `$HOMEx` or `$HOME-old` is not below the home directory, whatever it looks like with `~`.
        let is_other = self.is_folder && !matches!(self.text.as_bytes().get(1), None | Some(b'/'));
        let text = (!self.is_unknown && !is_other).then_some(self.text);
        Word { glob: self.glob && text.is_some(), text, raw: raw.to_owned() }
    }

    /// Whether what follows is at the beginning of a word, also of one in braces: `{rm,$HOME}`.
    fn begins_word(&self) -> bool {
        let last = self.quoted.as_ref().and_then(|letters| letters.last());
        self.text.is_empty() || matches!(last, Some((',' | '{', false)))
    }

    /// How a value is split is known only if it is the whole word.
    fn split(mut self, is_whole_word: bool, raw: &str, into: &mut Vec<Word>) {
        if !is_whole_word {
            self.is_unknown = true;
            return into.push(self.finish(raw));
        }
        // An empty value becomes no word at all.
        into.extend(self.text.split_ascii_whitespace().map(|field| Word {
            text: Some(field.to_owned()),
            raw: raw.to_owned(),
            glob: is_glob(field),
        }));
    }

    fn expand_braces(mut self, letters: &[(char, bool)], raw: &str, into: &mut Vec<Word>) {
        let Some(words) = braces::expand(letters) else {
            self.is_unknown = true;
            return into.push(self.finish(raw));
        };
        let glob = self.glob;
        into.extend(words.into_iter().map(|text| Word { text: Some(text), raw: raw.to_owned(), glob }));
    }
}

impl Reader<'_> {
    /// The words that `tree` becomes: none or several where the shell splits it.
    pub(super) fn words(&mut self, tree: &Tree, place: Place, into: &mut Vec<Word>) {
        let raw = self.spelling(tree);
        if let Some(words) = self.listed(&raw) {
            // Still visited, so that its letters count as read.
            self.check(tree, place);
            return into.extend(words);
        }
        let mut draft = Draft::word();
        if braces::may_expand(&raw) {
            draft.quoted = Some(Vec::new());
            draft.is_unknown = !self.budget.spend_value(BRACE_COST);
        }
        self.whole(tree, place, &mut draft);
        match draft.quoted.take() {
            // An unknown word must stay one word: what it expands to cannot be counted.
            _ if draft.is_unknown => into.push(draft.finish(&raw)),
            _ if draft.splits => draft.split(tree.parts.len() == 1, &raw, into),
            Some(letters) => draft.expand_braces(&letters, &raw, into),
            None => into.push(draft.finish(&raw)),
        }
    }

    /// The words of `"$@"`.
    pub(super) fn arguments(&self) -> Vec<Word> {
        const ALL: &str = "\"$@\"";
        self.listed(ALL).unwrap_or_else(|| vec![Word::unknown(ALL)])
    }

    /// The words of `"$@"` and `"${list[@]}"`, where the line sets them.
    fn listed(&self, raw: &str) -> Option<Vec<Word>> {
        let quoted = raw.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        let inner = quoted.unwrap_or(raw).strip_prefix('$')?;
        let braced = inner.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
        let name = match inner {
            "@" | "{@}" => Some(ARGUMENTS),
            "*" if quoted.is_none() => Some(ARGUMENTS),
            _ => braced.and_then(|braced| braced.strip_suffix("[@]")),
        };
        let name = name.or_else(|| braced.filter(|_| quoted.is_none())?.strip_suffix("[*]"));
        let slice;
        let texts = match name {
            Some(name) => self.scope.list(name)?,
            None => {
                slice = operations::sliced(braced?, &self.scope)?;
                slice.as_slice()
            }
        };
        let is_split = |text: &String| is_glob(text) || text.contains(|letter: char| letter.is_whitespace());
        // Unquoted, each item is split and matched against file names again.
        if quoted.is_none() && (self.scope.has_custom_ifs() || texts.iter().any(is_split)) {
            return None;
        }
        let word = |text: &String| Word { text: Some(text.clone()), raw: raw.to_owned(), glob: false };
        Some(texts.iter().map(word).collect())
    }

    /// The one word that `tree` is where the shell does not split it.
    pub(super) fn word(&mut self, tree: &Tree, place: Place) -> Word {
        let mut draft = Draft::word();
        self.whole(tree, place, &mut draft);
        draft.finish(&self.spelling(tree))
    }

    /// Looks for commands in a word of the line whose text does not matter.
    pub(super) fn check(&mut self, tree: &Tree, place: Place) {
        self.whole(tree, place, &mut Draft::word());
    }

    /// Looks for commands in a regular expression of the line.
    pub(super) fn check_pattern(&mut self, tree: &Tree, place: Place) {
        self.whole(tree, place, &mut Draft::new(Quotes::None, Kind::Pattern));
    }

    /// Looks for commands in a part of a word, which other letters end than a word.
    pub(super) fn visit(&mut self, tree: &Tree, place: Place) {
        self.parts(&tree.parts, place, &mut Draft::word());
    }

    /// Looks for commands in an arithmetic expression, which is read as if it were quoted.
    pub(super) fn visit_quoted(&mut self, tree: &Tree, place: Place) {
        self.parts(&tree.parts, place, &mut Draft::new(Quotes::Double, Kind::Word));
    }

    fn spelling(&self, tree: &Tree) -> String {
        let raw = tree.span.slice(self.source);
        if raw.is_empty() { tree.render_syntax(self.source) } else { raw.to_owned() }
    }

    /// A word of the line. If it is broken, the parser has lost its place, for instance behind an
    /// open `{"`, and more may run than it saw.
    fn whole(&mut self, tree: &Tree, place: Place, draft: &mut Draft) {
        self.covered.add(tree.span);
        self.parts(&tree.parts, place, draft);
        if draft.is_broken {
            self.unknown(UnknownReason::Syntax, tree.span.slice(self.source));
        }
    }

    fn parts(&mut self, parts: &[WordPartNode], place: Place, draft: &mut Draft) {
        for part in parts {
            self.part(part, place, draft);
        }
    }

    fn part(&mut self, part: &WordPartNode, place: Place, draft: &mut Draft) {
        match &part.kind {
            WordPart::Literal(literal) => self.literal(literal, part.span, draft),
            WordPart::SingleQuoted { value, dollar } => match self.quoted(value, part.span, *dollar) {
                Some(text) => draft.push(&text, true),
                None => draft.is_unknown = true,
            },
            WordPart::DoubleQuoted { parts, .. } => {
                let outer = std::mem::replace(&mut draft.quotes, Quotes::Double);
                self.parts(parts, place, draft);
                draft.quotes = outer;
            }
            WordPart::Variable(name) if name.is_empty() => {
                draft.is_unknown = true;
                self.brace_substitution(part.span, place);
            }
            WordPart::Variable(name) => self.value(name.as_str(), draft),
            WordPart::Parameter(parameter) => match plain_name(parameter, self.source) {
                Some(name) => self.value(name, draft),
                None => self.operated(parameter, place, draft),
            },
            WordPart::CommandSubstitution { .. } => {
                let before = self.script.commands.len();
                self.expansion(part, draft.quotes, place);
                // `$(echo x)` is known; what other programs write is not.
                match self.output_since(before) {
                    // The shell removes all newlines at the end of a substitution.
                    Some(text) => self.put_value(text.trim_end_matches('\n'), draft),
                    None => draft.is_unknown = true,
                }
            }
            WordPart::ProcessSubstitution { is_input: true, .. } => {
                let before = self.script.commands.len();
                draft.is_unknown = true;
                self.expansion(part, draft.quotes, place);
                // The command that gets it may run it as a file.
                if let Some(text) = self.output_since(before) {
                    let directory = self.scope.directory.clone();
                    let name = part.span.slice(self.source).to_owned();
                    self.scope.store(&name, &directory, Some(text));
                }
            }
            WordPart::ZshQualifiedGlob(glob) => {
                draft.push(part.span.slice(self.source), false);
                draft.glob = true;
                self.zsh_glob(glob, place);
            }
            _ => {
                match self.evaluated(part.span) {
                    Some(value) => self.put_value(&value, draft),
                    None => draft.is_unknown = true,
                }
                self.expansion(part, draft.quotes, place);
            }
        }
    }

    /// What all commands since `before` wrote, which are those of a substitution.
    fn output_since(&mut self, before: usize) -> Option<String> {
        let end = self.script.commands.len();
        match self.piped_output.take() {
            Some((commands, text)) if commands == (before..end) => Some(text),
            _ => self.written_since(before, &Input::Unread),
        }
    }

    fn literal(&mut self, literal: &LiteralText, span: Span, draft: &mut Draft) {
        let masked = literal.syntax_str(self.source, span);
        // Text that the parser changed no longer matches the original, so the original cannot be put back.
        match unmasked(masked, span.slice(self.source)) {
            Some(raw) => draft.push_literal(raw),
            None => draft.is_unknown = true,
        }
        // The parser falls back to plain text where it would nest too deep, or where it does not
        // know the syntax: zsh's `=(…)`, `${x:-<(…)}`.
        let expansion = find_expansion(masked, draft.quotes);
        draft.is_unknown |= expansion > Expansion::Nothing;
        if expansion == Expansion::Commands {
            let text = masked.to_owned();
            self.unknown(UnknownReason::TooDeep, &text);
        }
    }

    fn quoted(&self, value: &SourceText, span: Span, is_ansi: bool) -> Option<String> {
        if !is_ansi {
            let original = value.span().slice(self.source);
            return unmasked(value.slice(self.source), original).map(str::to_owned);
        }
        let raw = span.slice(self.source).strip_prefix("$'")?.strip_suffix('\'')?;
        ansi::decoded(raw)
    }

    fn value(&mut self, name: &str, draft: &mut Draft) {
        let is_split = draft.quotes == Quotes::None;
        let is_unsplit = is_split && self.scope.has_custom_ifs() && self.scope.value("IFS").is_none();
        let known = self.scope.value(name).filter(|_| !is_unsplit);
        match known.map(str::to_owned) {
            Some(value) => self.put_value(&value, draft),
            // `~` and `.` mean a folder only at the beginning of a word.
            None if draft.begins_word() && !draft.is_unknown => self.session_value(name, draft),
            None => draft.is_unknown = true,
        }
    }

    /// What an expansion puts into a word.
    fn put_value(&mut self, value: &str, draft: &mut Draft) {
        let is_split = draft.quotes == Quotes::None;
        // Empty values cost one byte, so that their number is bounded as well.
        let value =
            if is_split && self.scope.has_custom_ifs() { self.spaced(value) } else { Some(value.to_owned()) };
        let Some(value) = value.filter(|value| self.budget.spend_value(value.len() + 1)) else {
            return draft.is_unknown = true;
        };
        let value = value.as_str();
        let has_space = value.contains(|letter: char| letter.is_ascii_whitespace());
        draft.splits |= is_split && (value.is_empty() || has_space);
        draft.glob |= is_split && is_glob(value);
        // As quoted, because the result of an expansion is not expanded again for braces.
        draft.push(value, true);
    }

    /// A value with blanks where the line's own `IFS` splits it. With blanks that do not split, it is not followed.
    fn spaced(&self, value: &str) -> Option<String> {
        let marks = self.scope.value("IFS")?;
        let is_blank = |letter: char| letter.is_ascii_whitespace() && !marks.contains(letter);
        (!value.contains(is_blank)).then(|| value.replace(|letter| marks.contains(letter), " "))
    }

    /// `${name%x}` and the like, where the value and what is done to it are plain.
    fn operated(&mut self, parameter: &ParameterExpansion, place: Place, draft: &mut Draft) {
        match operation(parameter, self.source) {
            // `${x:?message}` is the value itself, or the shell stops.
            Some((name, ParameterOp::Error)) => self.value(name, draft),
            // What is written is what runs unless the environment says otherwise; only a deep reading goes by that.
            Some((name, ParameterOp::UseDefault | ParameterOp::AssignDefault))
                if self.is_deep() && self.scope.value(name).is_none() =>
            {
                return self.default_value(parameter, place, draft);
            }
            Some((name, operator)) => {
                let value = self.scope.value(name).and_then(|value| applied(value, operator, self.source));
                match value.or_else(|| self.evaluated(parameter.span)) {
                    Some(value) => self.put_value(&value, draft),
                    None => draft.is_unknown = true,
                }
            }
            None => {
                self.prompt_value(parameter, place);
                match self.evaluated(parameter.span) {
                    Some(value) => self.put_value(&value, draft),
                    None => draft.is_unknown = true,
                }
            }
        }
        self.parameter(parameter, place);
    }

    /// What an expansion becomes, if the line says all of it.
    fn evaluated(&self, span: Span) -> Option<String> {
        let inner = span.slice(self.source).strip_prefix("${")?.strip_suffix('}')?;
        operations::evaluated(inner, &self.scope)
    }

    /// `${name@P}` runs the commands in a value, as a prompt would.
    fn prompt_value(&mut self, parameter: &ParameterExpansion, place: Place) {
        let raw = parameter.span.slice(self.source);
        let name = raw.strip_prefix("${").and_then(|rest| rest.strip_suffix("@P}"));
        let value = name.and_then(|name| self.scope.value(name)).map(str::to_owned);
        if let Some(value) = value.filter(|value| value.contains("$(") || value.contains('`')) {
            self.defer_text(format!(": \"{}\"", value.replace('"', "\\\"")), Form::Commands, place);
        }
    }

    /// The operand of `${name:-operand}`.
    fn default_value(&mut self, parameter: &ParameterExpansion, place: Place, draft: &mut Draft) {
        let operand = match parameter.bourne() {
            Some(BourneParameterExpansion::Operation { operand_word_ast, .. }) => operand_word_ast.as_deref(),
            _ => None,
        };
        let Some(operand) = operand else { return draft.is_unknown = true };
        let mut inner = Draft::new(draft.quotes, Kind::Word);
        self.parts(&operand.parts, place, &mut inner);
        if inner.is_unknown {
            return draft.is_unknown = true;
        }
        let text = inner.text;
        self.put_value(&text, draft);
    }

    /// The value of a variable that every session has, in front of a path: `$HOME/x` is `~/x`.
    /// Where the line changes directory, `$PWD` may be the one from before.
    fn session_value(&mut self, name: &str, draft: &mut Draft) {
        let folder = match name {
            "HOME" if self.scope.trusts_session() => "~",
            "PWD" if self.scope.trusts_session() && !self.moves_somewhere() => ".",
            // Whichever it is, it reads what follows as a shell does.
            "SHELL" if self.is_deep() => {
                return draft.push("sh", true);
            }
            _ => return draft.is_unknown = true,
        };
        draft.is_folder = true;
        draft.push(folder, true);
    }
}

/// The name in `${name}`, if nothing is done to its value.
fn plain_name<'p>(parameter: &'p ParameterExpansion, source: &str) -> Option<&'p str> {
    match parameter.bourne()? {
        BourneParameterExpansion::Access { reference } if is_whole(reference, source) => {
            Some(reference.name.as_str())
        }
        _ => None,
    }
}

/// Whether a variable is meant as a whole. The first source is the script itself, which is stored like a variable.
fn is_whole(reference: &VarRef, source: &str) -> bool {
    reference.subscript.as_ref().is_none_or(|subscript| {
        reference.name.as_str() == "BASH_SOURCE" && subscript.syntax_text(source).trim() == "0"
    })
}

/// The name and what is done to its value.
fn operation<'p>(parameter: &'p ParameterExpansion, source: &str) -> Option<(&'p str, &'p ParameterOp)> {
    match parameter.bourne()? {
        BourneParameterExpansion::Operation { reference, operator, .. } if is_whole(reference, source) => {
            Some((reference.name.as_str(), operator))
        }
        _ => None,
    }
}

/// The result of an operation on a value, where its patterns are plain text.
fn applied(value: &str, operator: &ParameterOp, source: &str) -> Option<String> {
    let without = |rest: Option<&str>| Some(rest.unwrap_or(value).to_owned());
    match operator {
        ParameterOp::UseDefault | ParameterOp::AssignDefault | ParameterOp::Error => {
            // Empty, the operand would be used, which is not followed.
            (!value.is_empty()).then(|| value.to_owned())
        }
        ParameterOp::RemovePrefixShort { pattern } | ParameterOp::RemovePrefixLong { pattern }
            if matches!(starred(pattern, source), Some(Starred::Before(_))) =>
        {
            let Some(Starred::Before(mark)) = starred(pattern, source) else { return None };
            let is_long = matches!(operator, ParameterOp::RemovePrefixLong { .. });
            let parts = if is_long { value.rsplit_once(&mark) } else { value.split_once(&mark) };
            without(parts.map(|(_, rest)| rest))
        }
        ParameterOp::RemoveSuffixShort { pattern } | ParameterOp::RemoveSuffixLong { pattern }
            if matches!(starred(pattern, source), Some(Starred::Behind(_))) =>
        {
            let Some(Starred::Behind(mark)) = starred(pattern, source) else { return None };
            let is_long = matches!(operator, ParameterOp::RemoveSuffixLong { .. });
            let parts = if is_long { value.split_once(&mark) } else { value.rsplit_once(&mark) };
            without(parts.map(|(rest, _)| rest))
        }
        ParameterOp::RemovePrefixShort { pattern } | ParameterOp::RemovePrefixLong { pattern } => {
            without(value.strip_prefix(&*plain_pattern(pattern, source)?))
        }
        ParameterOp::RemoveSuffixShort { pattern } | ParameterOp::RemoveSuffixLong { pattern } => {
            without(value.strip_suffix(&*plain_pattern(pattern, source)?))
        }
        ParameterOp::ReplaceFirst { pattern, replacement_word_ast, .. } => {
            let with = plain_text(replacement_word_ast, source)?;
            Some(value.replacen(&*plain_pattern(pattern, source)?, with, 1))
        }
        ParameterOp::ReplaceAll { pattern, replacement_word_ast, .. } => {
            let with = plain_text(replacement_word_ast, source)?;
            Some(value.replace(&*plain_pattern(pattern, source)?, with))
        }
        ParameterOp::LowerAll => Some(value.to_lowercase()),
        ParameterOp::UpperAll => Some(value.to_uppercase()),
        ParameterOp::UseReplacement | ParameterOp::UpperFirst | ParameterOp::LowerFirst => None,
    }
}

/// A pattern of plain text with one star at an end.
enum Starred {
    /// `*text`
    Before(String),
    /// `text*`
    Behind(String),
}

/// `*/` and `/*`, by which scripts take a path apart.
fn starred(pattern: &Pattern, source: &str) -> Option<Starred> {
    let parts: Vec<(&PatternPart, Span)> = pattern.parts_with_spans().collect();
    let plain = |part: &PatternPart, span: Span| match part {
        PatternPart::Literal(literal) => {
            let text = literal.syntax_str(source, span);
            (!text.is_empty() && !text.contains(SPECIAL)).then(|| text.to_owned())
        }
        _ => None,
    };
    match parts.as_slice() {
        [(PatternPart::AnyString, _), (part, span)] => plain(part, *span).map(Starred::Before),
        [(part, span), (PatternPart::AnyString, _)] => plain(part, *span).map(Starred::Behind),
        _ => None,
    }
}

/// A pattern in which nothing is special.
fn plain_pattern(pattern: &Pattern, source: &str) -> Option<String> {
    let mut text = String::new();
    for (part, span) in pattern.parts_with_spans() {
        let PatternPart::Literal(literal) = part else { return None };
        text.push_str(literal.syntax_str(source, span));
    }
    // These anchor a replacement: `${x/#a/b}`.
    let is_plain = !text.is_empty() && !text.starts_with(['#', '%']) && !text.contains(SPECIAL);
    is_plain.then_some(text)
}

fn plain_text<'a>(tree: &Tree, source: &'a str) -> Option<&'a str> {
    Some(tree.span.slice(source)).filter(|text| !text.contains(SPECIAL))
}

/// What quotes, expands or matches more than itself.
// `&` is the matched text in a replacement of newer bash.
const SPECIAL: [char; 10] = ['\\', '\'', '"', '$', '`', '*', '?', '[', '&', '('];

/// Whether unquoted text is a pattern of file names.
fn is_glob(text: &str) -> bool {
    text.contains(['*', '?', '(']) || text.split_once('[').is_some_and(|(_, rest)| rest.contains(']'))
}
