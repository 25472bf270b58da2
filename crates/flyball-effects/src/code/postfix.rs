//! What follows a value: members, calls with and without brackets, indexes, blocks.

use super::token::{Kind, Token};
use super::value::{Arg, Args, Value};
use super::walker::Walker;
use crate::model::Language;

impl<'t> Walker<'t> {
    /// Members, calls and indexes behind a value.
    pub(super) fn postfix(&mut self, mut value: Value) -> Value {
        loop {
            self.skip_inner_newlines();
            self.skip_to_member();
            let Some(token) = self.token() else { break };
            let before = self.at;
            value = match &token.kind {
                Kind::Sign(sign) => self.signed(value, sign, token),
                Kind::Name("do") if self.language() == Language::Ruby => self.ruby_block(value),
                Kind::Text(parts) if self.calls_text(&value, token) => {
                    self.at += 1;
                    let text = self.text(parts);
                    // The only templates that are called are the shell functions of bun, zx and execa.
                    let is_shell = self.language() == Language::JavaScript;
                    if is_shell {
                        self.shell(&text);
                        Value::Unknown
                    } else {
                        self.call(value, Args { items: vec![Arg { name: None, value: text }] })
                    }
                }
                _ => value,
            };
            if self.at != before {
                continue;
            }
            let Some(called) = self.bare_call(&value) else { break };
            value = called;
        }
        self.resolve(value)
    }

    /// A chain may go on in the next line: `.then(…)`.
    fn skip_to_member(&mut self) {
        let newlines = self
            .tokens
            .get(self.at..)
            .unwrap_or_default()
            .iter()
            .take_while(|it| it.kind == Kind::Newline)
            .count();
        let next = self.tokens.get(self.at + newlines);
        if newlines > 0
            && self.language() == Language::Ruby
            && next.is_some_and(|token| token.is(".") || token.is("&."))
        {
            self.at += newlines;
        }
    }

    fn signed(&mut self, value: Value, sign: &str, token: &Token<'_>) -> Value {
        let language = self.language();
        let has_dots = !matches!(language, Language::Perl | Language::Php);
        let next = self.ahead(1);
        match sign {
            "." | "?." | "&." if has_dots => match next {
                Some(Kind::Name(name)) => self.take_member(value, name),
                // `f?.(x)` and `a?.[x]` of JavaScript: the call or index follows.
                Some(Kind::Sign("(" | "[")) => {
                    self.at += 1;
                    value
                }
                _ => value,
            },
            "->" | "?->" if !has_dots => match next {
                Some(Kind::Name(name)) if name.starts_with('$') => {
                    // `$object->$method` may be any method.
                    self.at += 2;
                    Value::Unknown
                }
                Some(Kind::Name(name)) => self.take_member(value, name),
                _ => {
                    self.at += 1;
                    value
                }
            },
            "::" => match next {
                Some(Kind::Name(name)) => self.take_member(value, name),
                _ => value,
            },
            ":" if language == Language::Lua => match (next, self.ahead(2)) {
                (Some(Kind::Name(name)), Some(Kind::Sign("(" | "{") | Kind::Text(_))) => {
                    self.take_member(value, name)
                }
                _ => value,
            },
            // `foreach my $x (…)` calls nothing.
            "(" if language == Language::Perl && self.is_behind_sigil() => value,
            // With a space, Ruby takes the bracket for the beginning of an argument: `puts (1)`.
            "(" if !(token.spaced && language == Language::Ruby) => {
                self.at += 1;
                self.called(value, Walker::args)
            }
            "[" if !(token.spaced && language == Language::Ruby) => {
                self.at += 1;
                let start = self.at;
                let args = self.args_until("]");
                match &value {
                    Value::Text(text) if self.turns_around(start) => {
                        Value::Text(text.chars().rev().collect())
                    }
                    _ => self.indexed(value, &args),
                }
            }
            "{" => self.braced(value, token),
            "++" | "--" => {
                self.at += 1;
                Value::Unknown
            }
            _ => value,
        }
    }

    /// Whether the index since a token is Python's `[::-1]`.
    fn turns_around(&self, start: usize) -> bool {
        let index = self.tokens.get(start..self.at).unwrap_or_default();
        let signs = index.iter().map(|token| match token.kind {
            Kind::Sign(sign) => sign,
            _ => "",
        });
        let spelled: String = signs.collect();
        self.language() == Language::Python && spelled == "::-]"
    }

    fn take_member(&mut self, value: Value, name: &str) -> Value {
        self.at += 2;
        self.member(value, name)
    }

    fn called(&mut self, value: Value, read: impl FnOnce(&mut Self) -> Args) -> Value {
        // Read before the arguments, because they move past the name.
        let handle = self.perl_handle_name(&value);
        let args = self.printed_args(&value, read);
        let result = self.call(value, args);
        if let Some(name) = handle {
            self.variables.insert(name, result.clone());
        }
        result
    }

    /// A brace behind a value: an index in Perl, a block in Ruby, a table in Lua.
    fn braced(&mut self, value: Value, token: &Token<'_>) -> Value {
        match self.language() {
            Language::Perl if !token.spaced && self.is_behind_variable() => {
                let is_environment = matches!(self.before(), Some(Kind::Name("$ENV")));
                self.at += 1;
                let key = self.args_until("}");
                let is_home = match key.at(0) {
                    Some(Value::Text(key) | Value::Named(key)) => key == "HOME",
                    _ => false,
                };
                if is_environment && is_home { Value::Path(Some("~".to_owned())) } else { Value::Unknown }
            }
            Language::Ruby => self.ruby_block(value),
            Language::Lua if matches!(value, Value::Named(_)) => {
                self.braces();
                self.call(value, Args::default())
            }
            _ => value,
        }
    }

    fn is_behind_variable(&self) -> bool {
        self.is_behind_sigil() || matches!(self.before(), Some(Kind::Sign("->" | "}" | "]")))
    }

    fn is_behind_sigil(&self) -> bool {
        matches!(self.before(), Some(Kind::Name(name)) if name.starts_with(['$', '@', '%']))
    }

    fn before(&self) -> Option<&'t Kind<'t>> {
        self.at.checked_sub(1).and_then(|at| self.tokens.get(at)).map(|token| &token.kind)
    }

    fn ruby_block(&mut self, value: Value) -> Value {
        let value = match value {
            Value::Method(..) => self.call(value, Args::default()),
            Value::Named(ref name) if name.contains('.') => self.call(value, Args::default()),
            other => other,
        };
        if matches!(value, Value::Handle(_)) {
            // `File.open(x) { |f| … }` gives the handle to the block.
            self.block_value = Some(value);
        }
        if self.is_sign("{") {
            self.braces();
        } else {
            self.at += 1;
            self.block_parameters();
        }
        Value::Unknown
    }

    /// Lua calls a function with a string behind it, JavaScript a template.
    fn calls_text(&self, value: &Value, token: &Token<'_>) -> bool {
        match (self.language(), value) {
            (Language::Lua, Value::Named(_) | Value::Method(..)) => true,
            (Language::JavaScript, Value::Named(name)) => {
                !token.spaced && matches!(name.as_str(), "$" | "Bun.$" | "zx.$" | "execa.$")
            }
            _ => false,
        }
    }

    /// Ruby and Perl call without brackets.
    fn bare_call(&mut self, value: &Value) -> Option<Value> {
        let is_callable = match self.language() {
            Language::Ruby => matches!(value, Value::Method(..) | Value::Named(_) | Value::Local),
            Language::Perl => matches!(value, Value::Named(_) | Value::Local),
            _ => false,
        };
        if !is_callable {
            return None;
        }
        if self.starts_bare_argument(value) {
            return Some(self.called(value.clone(), Walker::bare_args));
        }
        let is_method = self.language() == Language::Ruby
            && match value {
                Value::Method(..) => true,
                Value::Named(name) => name
                    .rsplit_once('.')
                    // `File::SEPARATOR` is a constant, not a call.
                    .is_some_and(|(_, last)| !last.starts_with(|letter: char| letter.is_ascii_uppercase())),
                _ => false,
            };
        is_method.then(|| self.call(value.clone(), Args::default()))
    }

    fn starts_bare_argument(&self, callee: &Value) -> bool {
        let Some(token) = self.token() else { return false };
        let is_perl = self.language() == Language::Perl;
        let touches = self.tokens.get(self.at + 1).is_some_and(|token| !token.spaced);
        match &token.kind {
            Kind::Text(_) | Kind::Shell(_) | Kind::Words(_) | Kind::Value | Kind::Hole => {
                token.spaced || is_perl
            }
            Kind::Name(name) => {
                token.spaced
                    && !self.dialect.infixes.contains(name)
                    && !matches!(*name, "do" | "then" | "end" | "else")
            }
            Kind::Sign("[" | "(" | "->") => token.spaced && !is_perl,
            Kind::Sign("\\" | "$" | "@" | "%") => is_perl,
            // `f -x` is a call, `f - x` a subtraction.
            Kind::Sign("-" | "*" | "&" | ":") => token.spaced && touches,
            Kind::Sign("{") => is_perl && matches!(callee, Value::Named(name) if takes_block(name)),
            Kind::Sign(_) | Kind::Newline => false,
        }
    }

    fn bare_args(&mut self) -> Args {
        let outer = std::mem::replace(&mut self.is_command, true);
        let mut args = Args::default();
        loop {
            let (before, is_block) = (self.at, self.is_sign("{"));
            let arg = self.deeper(|walker| {
                // A block is not called by the bracket behind it.
                Some(if is_block { Arg { name: None, value: walker.braces() } } else { walker.argument() })
            });
            args.items.extend(arg);
            // `map { … } @list` has no comma behind the block.
            let goes_on = self.eat(",") || (is_block && self.at > before && !self.ends_statement());
            if !goes_on {
                break;
            }
            self.skip_newlines();
            if self.ends_statement() {
                break;
            }
        }
        self.is_command = outer;
        args
    }

    fn ends_statement(&self) -> bool {
        match self.ahead(0) {
            None | Some(Kind::Newline | Kind::Sign(";" | ")" | "]" | "}" | ",")) => true,
            Some(Kind::Name(name)) => self.dialect.infixes.contains(name),
            Some(_) => false,
        }
    }

    /// The name that Perl's `open` gives to the handle.
    fn perl_handle_name(&self, callee: &Value) -> Option<&'t str> {
        if self.language() != Language::Perl || *callee != Value::Named("open".to_owned()) {
            return None;
        }
        let mut names = (0..3).filter_map(|step| self.name_ahead(step));
        names.find(|name| !matches!(*name, "my" | "our" | "local"))
    }

    /// The arguments of Perl's `print`, which may follow a handle without a comma.
    fn printed_args(&mut self, callee: &Value, read: impl FnOnce(&mut Self) -> Args) -> Args {
        let prints =
            matches!(callee, Value::Named(name) if matches!(name.as_str(), "print" | "printf" | "say"));
        if self.language() != Language::Perl || !prints {
            return read(self);
        }
        let is_braced = self.is_sign("{");
        let at = usize::from(is_braced);
        let behind = if is_braced { at + 2 } else { at + 1 };
        let is_handle = match (self.name_ahead(at), self.ahead(behind)) {
            (Some(_), Some(Kind::Text(_) | Kind::Value)) => true,
            (Some(_), Some(Kind::Name(name))) => !self.dialect.infixes.contains(name),
            _ => false,
        };
        // `print join ",", @x` prints what a function returns.
        let Some(name) = self.name_ahead(at).filter(|name| is_handle && *name != "join" && *name != "map")
        else {
            return read(self);
        };
        // Handles are `$fh` or in upper case: `STDERR`, `OUT`.
        let is_function = !name.starts_with('$') && !name.bytes().all(|byte| byte.is_ascii_uppercase());
        if is_function {
            return read(self);
        }
        self.at += behind;
        let handle = self.look_up(name);
        read(self).with_receiver(handle)
    }
}

/// Perl functions whose first argument is a block.
fn takes_block(name: &str) -> bool {
    matches!(
        name,
        "map"
            | "grep"
            | "sort"
            | "first"
            | "any"
            | "all"
            | "none"
            | "reduce"
            | "eval"
            | "do"
            | "print"
            | "printf"
            | "say"
            | "BEGIN"
            | "END"
            | "sum"
            | "max_by"
            | "min_by"
            | "uniq_by"
            | "sort_by"
            | "try"
            | "catch"
    )
}
