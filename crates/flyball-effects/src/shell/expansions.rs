//! Finds the commands inside expansions: `$(…)`, backticks, `<(…)`, `${x:-$(…)}`, `$(( … ))`.

use shuck_ast::{
    BourneParameterExpansion as Bourne, CommandSubstitutionSyntax, ParameterExpansion,
    ParameterExpansionSyntax, ParameterOp, Pattern, PatternPart, SourceText, Span, StmtSeq, VarRef,
    Word as Tree, WordPart, WordPartNode, ZshExpansionTarget, ZshGlobSegment, ZshParameterExpansion,
    ZshQualifiedGlob,
};

use super::launch::Input;
use super::quoting::{Expansion, Kind, Quotes, breaks_word, find_expansion};
use super::reader::{Form, Reader};
use crate::model::{Place, UnknownReason};

/// A command substitution, and its surroundings.
pub(super) struct Substitution<'a> {
    pub(super) body: &'a StmtSeq,
    pub(super) syntax: CommandSubstitutionSyntax,
    pub(super) span: Span,
    pub(super) quotes: Quotes,
}

/// What `${…}` does to a value.
type Operation<'a> = (Option<&'a ParameterOp>, Option<&'a Tree>);

impl Reader<'_> {
    /// An expansion other than plain text and plain variables.
    pub(super) fn expansion(&mut self, part: &WordPartNode, quotes: Quotes, place: Place) {
        let span = part.span;
        match &part.kind {
            WordPart::CommandSubstitution { body, syntax } => {
                self.command_substitution(&Substitution { body, syntax: *syntax, span, quotes }, place);
            }
            WordPart::ProcessSubstitution { body, is_input } => {
                // The outer command is at the other end of the pipe, which has no number.
                let place =
                    Place { pipe_in: !is_input || place.pipe_in, pipe_out: *is_input, into_pipe: 0, ..place };
                let outer = self.input.clone();
                if !is_input {
                    self.input = Input::Unknown;
                }
                self.substituted(body, span, place);
                self.input = outer;
            }
            WordPart::ArithmeticExpansion { expression, expression_ast, expression_word_ast, .. } => {
                match expression_ast {
                    Some(_) => self.arithmetic(expression, expression_word_ast, place),
                    None => self.not_arithmetic(expression, span, place),
                }
            }
            WordPart::Parameter(parameter) => self.parameter(parameter, place),
            WordPart::ParameterExpansion { reference, operator, operand_word_ast, .. } => {
                self.operation(reference, (Some(operator), operand_word_ast.as_deref()), place);
            }
            WordPart::IndirectExpansion { reference, operator, operand_word_ast, .. } => {
                self.operation(reference, (operator.as_deref(), operand_word_ast.as_deref()), place);
            }
            WordPart::Substring { reference, offset_word_ast, length_word_ast, .. }
            | WordPart::ArraySlice { reference, offset_word_ast, length_word_ast, .. } => {
                self.variable(reference, place);
                self.visit(offset_word_ast, place);
                length_word_ast.iter().for_each(|word| self.visit(word, place));
            }
            WordPart::Length(reference)
            | WordPart::ArrayAccess(reference)
            | WordPart::ArrayLength(reference)
            | WordPart::ArrayIndices(reference)
            | WordPart::Transformation { reference, .. } => self.variable(reference, place),
            WordPart::PrefixMatch { .. } => {}
            // Read as text by the caller.
            WordPart::Literal(_)
            | WordPart::SingleQuoted { .. }
            | WordPart::DoubleQuoted { .. }
            | WordPart::Variable(_)
            | WordPart::ZshQualifiedGlob(_) => {}
        }
    }

    /// `$(…)` or backticks. The parser leaves escapes inside backticks alone, so a body with
    /// escapes is read again on its own.
    pub(super) fn command_substitution(&mut self, found: &Substitution, place: Place) {
        // The output becomes a word, so it does not go into the pipe of the command around it.
        let place = Place { pipe_out: false, into_pipe: 0, ..place };
        match (found.syntax, inside(found.span.slice(self.source))) {
            (CommandSubstitutionSyntax::Backtick, Some(inner)) if inner.contains('\\') => {
                let source = without_backtick_escapes(inner, found.quotes);
                self.defer_text(source, Form::Commands, within(place));
            }
            _ => self.substituted(found.body, found.span, place),
        }
    }

    /// The body of a substitution. One that the parser could not read is empty, without an error.
    fn substituted(&mut self, body: &StmtSeq, span: Span, place: Place) {
        let place = within(place);
        let inner = inside(span.slice(self.source));
        if let Some(inner) = inner
            && !body.is_empty()
        {
            // The body has its own coverage: the word around it counts as read and would hide a gap.
            let outer = std::mem::take(&mut self.covered);
            self.in_subshell(|reader| reader.statements(body, place));
            let end = span.end.offset().saturating_sub(1);
            return self.flag_gaps(end.saturating_sub(inner.len()), end, outer);
        }
        match inner {
            Some(inner) if inner.trim().is_empty() => {}
            Some(inner) => self.defer_text(inner.to_owned(), Form::Commands, place),
            None => self.unknown(UnknownReason::Syntax, span.slice(self.source)),
        }
    }

    /// `${ …; }` and `${| …; }` of newer shells, which the parser takes for a variable.
    pub(super) fn brace_substitution(&mut self, span: Span, place: Place) {
        let raw = span.slice(self.source);
        let body = raw.strip_prefix("${").and_then(|rest| rest.strip_suffix('}'));
        match body {
            Some(body) if body.starts_with(|letter: char| letter == '|' || letter.is_ascii_whitespace()) => {
                self.defer_text(body.trim_start_matches('|').to_owned(), Form::Commands, within(place));
            }
            Some(_) | None => self.unknown(UnknownReason::Syntax, raw),
        }
    }

    /// `$((rm x); rm y)` is a substitution that starts with a subshell; the parser takes it for
    /// arithmetic that it cannot read.
    pub(super) fn not_arithmetic(&mut self, expression: &SourceText, span: Span, place: Place) {
        let raw = span.slice(self.source);
        match inside(raw) {
            _ if expression.slice(self.source).trim().is_empty() => {}
            Some(inner) => self.defer_text(inner.to_owned(), Form::Commands, within(place)),
            None => self.unknown(UnknownReason::Syntax, raw),
        }
    }

    /// `$(( … ))`; its words are enough to find commands.
    pub(super) fn arithmetic(&mut self, expression: &SourceText, words: &Tree, place: Place) {
        // `$((x = 1))` assigns.
        self.scope.run_text(expression.slice(self.source));
        self.visit_quoted(words, place);
    }

    /// `${…}`.
    pub(super) fn parameter(&mut self, parameter: &ParameterExpansion, place: Place) {
        // The parser ends `$'…\'…'` inside braces too early, and so the braces too late.
        let raw = parameter.span.slice(self.source);
        if !raw.ends_with('}') || (raw.contains("$'") && raw.contains("\\'")) {
            self.unknown(UnknownReason::Syntax, raw);
        }
        match &parameter.syntax {
            ParameterExpansionSyntax::Bourne(bourne) => self.bourne(bourne, place),
            ParameterExpansionSyntax::Zsh(zsh) => self.zsh(zsh, place),
        }
    }

    fn bourne(&mut self, bourne: &Bourne, place: Place) {
        match bourne {
            Bourne::Access { reference }
            | Bourne::Length { reference }
            | Bourne::Indices { reference }
            | Bourne::Transformation { reference, .. } => self.variable(reference, place),
            Bourne::Indirect { reference, operator, operand_word_ast, .. } => {
                self.operation(reference, (operator.as_deref(), operand_word_ast.as_deref()), place);
            }
            Bourne::Operation { reference, operator, operand_word_ast, .. } => {
                self.operation(reference, (Some(operator), operand_word_ast.as_deref()), place);
            }
            Bourne::Slice { reference, offset_word_ast, length_word_ast, .. } => {
                self.variable(reference, place);
                self.visit(offset_word_ast, place);
                length_word_ast.iter().for_each(|word| self.visit(word, place));
            }
            Bourne::PrefixMatch { .. } => {}
        }
    }

    fn operation(&mut self, reference: &VarRef, (operator, operand): Operation, place: Place) {
        self.variable(reference, place);
        operand.iter().for_each(|word| self.visit(word, place));
        match operator {
            // Whether it assigns depends on what is set when it runs.
            Some(ParameterOp::AssignDefault) => self.scope.forget(reference.name.as_str()),
            Some(
                ParameterOp::RemovePrefixShort { pattern }
                | ParameterOp::RemovePrefixLong { pattern }
                | ParameterOp::RemoveSuffixShort { pattern }
                | ParameterOp::RemoveSuffixLong { pattern },
            ) => self.pattern(pattern, place),
            Some(
                ParameterOp::ReplaceFirst { pattern, replacement_word_ast, .. }
                | ParameterOp::ReplaceAll { pattern, replacement_word_ast, .. },
            ) => {
                self.pattern(pattern, place);
                self.visit(replacement_word_ast, place);
            }
            Some(
                ParameterOp::UseDefault
                | ParameterOp::UseReplacement
                | ParameterOp::Error
                | ParameterOp::UpperFirst
                | ParameterOp::UpperAll
                | ParameterOp::LowerFirst
                | ParameterOp::LowerAll,
            )
            | None => {}
        }
    }

    /// A variable with its subscript, which may contain commands.
    pub(super) fn variable(&mut self, reference: &VarRef, place: Place) {
        self.covered.add(reference.span);
        let Some(subscript) = &reference.subscript else { return };
        // A subscript is arithmetic, which can assign: `${a[i=1]}`.
        self.scope.run_text(subscript.syntax_text(self.source));
        match subscript.word_ast() {
            Some(word) => self.visit(word, place),
            None => self.flag_expansions(subscript.syntax_text(self.source)),
        }
    }

    /// A pattern of file names or text.
    pub(super) fn pattern(&mut self, pattern: &Pattern, place: Place) {
        for (part, span) in pattern.parts_with_spans() {
            match part {
                PatternPart::Literal(literal) => self.flag_expansions(literal.syntax_str(self.source, span)),
                PatternPart::CharClass(text) => self.flag_expansions(text.slice(self.source)),
                PatternPart::Group { patterns, .. } => {
                    patterns.iter().for_each(|inner| self.pattern(inner, place))
                }
                PatternPart::Word(word) => self.visit(word, place),
                PatternPart::AnyString | PatternPart::AnyChar => {}
            }
        }
    }

    /// A pattern that is a word of its own, in `case` or `[[ … ]]`.
    pub(super) fn word_pattern(&mut self, pattern: &Pattern, place: Place) {
        self.covered.add(pattern.span);
        for (part, span) in pattern.parts_with_spans() {
            if let PatternPart::Literal(literal) = part {
                let text = literal.syntax_str(self.source, span);
                if breaks_word(text, Kind::Pattern) {
                    self.unknown(UnknownReason::Syntax, text);
                }
            }
        }
        self.pattern(pattern, place);
    }

    /// Records text that the parser left unread although something runs in it.
    pub(super) fn flag_expansions(&mut self, text: &str) {
        if find_expansion(text, Quotes::None) == Expansion::Commands {
            self.unknown(UnknownReason::TooDeep, text);
        }
    }

    fn zsh(&mut self, zsh: &ZshParameterExpansion, place: Place) {
        match &zsh.target {
            ZshExpansionTarget::Reference(reference) => self.variable(reference, place),
            ZshExpansionTarget::Nested(parameter) => self.parameter(parameter, place),
            ZshExpansionTarget::Word(word) => self.visit(word, place),
            ZshExpansionTarget::Empty => {}
        }
        for modifier in &zsh.modifiers {
            modifier.argument_word_ast().iter().for_each(|word| self.visit(word, place));
        }
        let Some(operation) = &zsh.operation else { return };
        let words = [
            operation.operand_word_ast(),
            operation.pattern_word_ast(),
            operation.replacement_word_ast(),
            operation.offset_word_ast(),
            operation.length_word_ast(),
        ];
        words.into_iter().flatten().for_each(|word| self.visit(word, place));
    }

    /// A zsh pattern with qualifiers.
    pub(super) fn zsh_glob(&mut self, glob: &ZshQualifiedGlob, place: Place) {
        for segment in &glob.segments {
            match segment {
                ZshGlobSegment::Pattern(pattern) => self.pattern(pattern, place),
                ZshGlobSegment::InlineControl(_) => {}
            }
        }
        // A qualifier can run code: `*(e:'rm $REPLY':)`.
        let Some(qualifiers) = &glob.qualifiers else { return };
        let text = qualifiers.span.slice(self.source);
        if text.contains(['e', '+']) {
            self.unknown(UnknownReason::Source, text);
        }
    }
}

/// The place inside a substitution.
fn within(place: Place) -> Place {
    Place { substitution: true, position: 0, ..place.deeper() }
}

/// The text between the marks of a substitution.
fn inside(raw: &str) -> Option<&str> {
    if let Some(inner) = raw.strip_prefix('`') {
        return inner.strip_suffix('`');
    }
    // `=(…)` is zsh: the output goes into a temporary file.
    let inner = ["$(", "<(", ">(", "=("].iter().find_map(|open| raw.strip_prefix(open))?;
    inner.strip_suffix(')')
}

/// Inside backticks, `\` escapes `$`, a backtick and itself; within `"…"` also `"`.
fn without_backtick_escapes(raw: &str, quotes: Quotes) -> String {
    let mut text = String::with_capacity(raw.len());
    let mut rest = raw.chars().peekable();
    while let Some(letter) = rest.next() {
        let escapes =
            |next: &char| matches!(next, '$' | '`' | '\\') || (quotes == Quotes::Double && *next == '"');
        let escaped = rest.next_if(|next| letter == '\\' && escapes(next));
        text.push(escaped.unwrap_or(letter));
    }
    text
}
