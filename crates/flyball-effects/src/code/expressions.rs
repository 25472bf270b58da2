//! Reads the values of expressions, and finds the calls in them.

use super::token::Kind;
use super::value::{Arg, Args, Value};
use super::walker::Walker;
use crate::model::Language;

/// What follows a value.
enum Operator {
    /// Nothing that belongs to it.
    End,
    /// Puts two texts together.
    Concat,
    /// `a / b`
    Slash,
    /// `f << text`
    Push,
    /// `(a) => b`
    Arrow,
    /// Anything else: the result is not known.
    Other,
}

impl<'t> Walker<'t> {
    /// The value of the expression that is next.
    pub(super) fn expression(&mut self) -> Value {
        self.deeper(Self::operators)
    }

    fn operators(&mut self) -> Value {
        let mut value = self.operand();
        let mut questions = 0;
        loop {
            let operator = self.operator(&mut questions);
            if matches!(operator, Operator::End) {
                return value;
            }
            self.skip_newlines();
            if matches!(operator, Operator::Arrow) {
                // The body is read for its calls at once, as if the function were called.
                self.expression();
                return Value::Local;
            }
            let right = self.operand();
            let is_decoded = value.is_encoded() || right.is_encoded();
            value = match operator {
                // Also in `chr(x) for x in …`.
                Operator::Concat | Operator::Other if is_decoded => Value::Encoded,
                Operator::Concat => self.joined(value, right),
                Operator::Slash => self.below(value, right),
                Operator::Push => self.pushed(value, &right),
                Operator::Arrow | Operator::Other | Operator::End => Value::Unknown,
            };
        }
    }

    /// Goes over the operator that is next.
    fn operator(&mut self, questions: &mut usize) -> Operator {
        self.skip_inner_newlines();
        let language = self.language();
        let operator = match self.ahead(0) {
            Some(Kind::Name(name)) if self.dialect.infixes.contains(name) => {
                // `unlink "x" or die`: the whole command comes before the word.
                if self.is_command { Operator::End } else { Operator::Other }
            }
            Some(Kind::Sign(sign)) => match (*sign, language) {
                ("+", Language::Python | Language::JavaScript | Language::Ruby)
                | (".", Language::Perl | Language::Php)
                | ("..", Language::Lua) => Operator::Concat,
                ("/", _) => Operator::Slash,
                ("=>", Language::JavaScript) => Operator::Arrow,
                ("<<", Language::Ruby) => Operator::Push,
                ("?", _) => {
                    *questions += 1;
                    Operator::Other
                }
                // Only the colon of a `?`; others belong to slices, labels and blocks.
                (":", _) if *questions > 0 => {
                    *questions -= 1;
                    Operator::Other
                }
                (
                    "+" | "-" | "*" | "**" | "%" | "//" | "&" | "|" | "^" | "<<" | ">>" | "<" | ">" | "<="
                    | ">=" | "==" | "===" | "!=" | "!==" | "&&" | "||" | "??" | "=~" | "!~" | "<=>" | ".."
                    | "..." | "." | "~=" | "@",
                    _,
                ) => Operator::Other,
                _ => Operator::End,
            },
            _ => Operator::End,
        };
        if !matches!(operator, Operator::End) {
            self.at += 1;
        }
        operator
    }

    fn joined(&mut self, left: Value, right: Value) -> Value {
        let value = match (left, right) {
            (Value::Text(left), Value::Text(right)) => Value::Text(left + &right),
            // `os.homedir() + '/x'`.
            (Value::Path(Some(left)), Value::Text(right)) => Value::Path(Some(left + &right)),
            (Value::List(mut left), Value::List(right)) => {
                left.extend(right);
                Value::List(left)
            }
            _ => Value::Unknown,
        };
        self.charge(value)
    }

    /// `Path('a') / 'b'`; between numbers it divides.
    fn below(&mut self, left: Value, right: Value) -> Value {
        match (left, right.text()) {
            (Value::Path(Some(left)), Some(right)) => {
                let value = Value::Path(Some(join(&left, right)));
                self.charge(value)
            }
            (Value::Path(_), _) => Value::Path(None),
            _ => Value::Unknown,
        }
    }

    fn pushed(&mut self, value: Value, right: &Value) -> Value {
        if let Value::Handle(handle) = value {
            self.write_to(handle, right.text().map(str::to_owned));
        }
        value
    }

    pub(super) fn skip_newlines(&mut self) {
        while matches!(self.ahead(0), Some(Kind::Newline)) {
            self.at += 1;
        }
    }

    /// In brackets, lines do not end anything.
    pub(super) fn skip_inner_newlines(&mut self) {
        if self.brackets > 0 {
            self.skip_newlines();
        }
    }

    fn operand(&mut self) -> Value {
        let mut is_spread = false;
        loop {
            self.skip_inner_newlines();
            match self.ahead(0) {
                Some(Kind::Sign("*" | "**" | "...")) => is_spread = true,
                Some(Kind::Sign("-" | "+" | "!" | "~" | "&" | "\\" | "@" | "++" | "--" | "$" | "%")) => {}
                Some(Kind::Name(name)) if self.dialect.prefixes.contains(name) => {
                    if let Some(value) = self.keyword(name) {
                        return self.postfix(value);
                    }
                    continue;
                }
                _ => break,
            }
            self.at += 1;
        }
        let Some(value) = self.primary() else { return Value::Unknown };
        let value = self.postfix(value);
        // A spread list is any number of arguments.
        if is_spread { Value::Unknown } else { value }
    }

    /// Goes over a keyword; functions written in place are values.
    fn keyword(&mut self, name: &str) -> Option<Value> {
        self.at += 1;
        match name {
            "lambda" if self.language() == Language::Python => {
                while self.token().is_some_and(|token| !token.is(":") && token.kind != Kind::Newline) {
                    self.at += 1;
                }
                self.eat(":");
                self.expression();
                Some(Value::Local)
            }
            "function" | "sub" | "fn" => {
                self.function();
                Some(Value::Local)
            }
            _ => None,
        }
    }

    /// The name, parameters and body of a function.
    fn function(&mut self) {
        self.eat("*");
        while self.name_ahead(0).is_some() {
            self.at += 1;
            if !(self.eat(".") || self.eat(":")) {
                break;
            }
        }
        if self.eat("(") {
            self.args();
        }
        if self.name_ahead(0) == Some("use") {
            self.at += 1;
            if self.eat("(") {
                self.args();
            }
        }
        if self.is_sign("{") {
            self.braces();
        }
    }

    fn primary(&mut self) -> Option<Value> {
        let token = self.token()?;
        let before = self.at;
        self.at += 1;
        let value = match &token.kind {
            Kind::Name(name) => self.look_up(name),
            Kind::Text(parts) => {
                let value = self.text(parts);
                self.adjacent(value)
            }
            Kind::Shell(parts) => self.shell_text(parts),
            Kind::Words(words) => Value::List(words.iter().cloned().map(Value::Text).collect()),
            Kind::Value => Value::Unknown,
            Kind::Hole => {
                // The shell puts text here that may be any code.
                self.is_opaque = true;
                Value::Unknown
            }
            Kind::Sign("(") => self.group(),
            Kind::Sign("[") => {
                Value::List(self.args_until("]").items.into_iter().map(|arg| arg.value).collect())
            }
            Kind::Sign("{") => {
                self.at = before;
                self.braces()
            }
            Kind::Sign("->") => self.arrow(),
            Kind::Sign(_) | Kind::Newline => {
                self.at = before;
                return None;
            }
        };
        if let Value::List(items) = &value {
            self.note_list(items);
        }
        Some(value)
    }

    /// Python puts strings that follow each other together.
    fn adjacent(&mut self, mut value: Value) -> Value {
        while self.language() == Language::Python {
            self.skip_inner_newlines();
            let Some(Kind::Text(parts)) = self.ahead(0) else { break };
            self.at += 1;
            let more = self.text(parts);
            value = self.joined(value, more);
        }
        value
    }

    /// `( … )`: one value, or a list.
    fn group(&mut self) -> Value {
        let mut items = self.args().items;
        match items.pop() {
            Some(only) if items.is_empty() => only.value,
            Some(last) => {
                items.push(last);
                Value::List(items.into_iter().map(|arg| arg.value).collect())
            }
            None => Value::List(Vec::new()),
        }
    }

    /// `->(x) { … }`
    fn arrow(&mut self) -> Value {
        if self.eat("(") {
            self.args();
        }
        if self.is_sign("{") {
            self.braces();
        }
        Value::Local
    }

    /// The arguments up to `)`.
    pub(super) fn args(&mut self) -> Args {
        self.args_until(")")
    }

    pub(super) fn args_until(&mut self, close: &str) -> Args {
        let outer = (self.brackets, self.is_command);
        self.brackets += 1;
        self.is_command = false;
        let mut args = Args::default();
        loop {
            self.skip_newlines();
            if self.token().is_none() || self.eat(close) {
                break;
            }
            let before = self.at;
            if !self.eat(",") {
                let arg = self.argument();
                args.items.push(arg);
            }
            // A token that begins nothing is skipped, or this would never end.
            if self.at == before {
                self.at += 1;
            }
        }
        (self.brackets, self.is_command) = outer;
        args
    }

    /// One argument, with its name if it has one.
    pub(super) fn argument(&mut self) -> Arg {
        let name = match (self.ahead(0), self.ahead(1)) {
            (Some(Kind::Name(name)), Some(Kind::Sign("=" | ":="))) => Some(*name),
            (Some(Kind::Name(name)), Some(Kind::Sign(":"))) if has_labels(self.language()) => Some(*name),
            _ => None,
        };
        if let Some(name) = name {
            // Outside Python, `=` between brackets assigns: `if ((x = f()))`.
            let sets = self.language() != Language::Python || matches!(self.ahead(1), Some(Kind::Sign(":=")));
            self.at += 2;
            let value = self.expression();
            if sets {
                self.variables.insert(name, value.clone());
            }
            return Arg { name: Some(name.to_owned()), value };
        }
        let value = self.expression();
        if self.is_sign("=>") || self.is_sign("=") || self.is_sign(":") {
            self.at += 1;
            // An unknown key counts as a name, so that its value is not taken for a positional argument.
            let name = value.text().map(str::to_owned).or(Some(String::new()));
            return Arg { name, value: self.expression() };
        }
        Arg { name: None, value }
    }

    /// `{ … }`: a block, a hash, an object literal.
    pub(super) fn braces(&mut self) -> Value {
        self.at += 1;
        let outer = (self.brackets, self.is_command);
        // In Python braces are a dict or a set, in which lines end nothing; elsewhere they are mostly blocks.
        self.brackets = usize::from(self.language() == Language::Python);
        self.is_command = false;
        self.block_parameters();
        let mut fields = Vec::new();
        while self.token().is_some() && !self.eat("}") {
            let before = self.at;
            self.deeper(|walker| walker.entry(&mut fields));
            if self.at == before {
                self.at += 1;
            }
        }
        (self.brackets, self.is_command) = outer;
        if fields.is_empty() { Value::Unknown } else { Value::Fields(fields) }
    }

    /// `|f|` at the beginning of a block.
    pub(super) fn block_parameters(&mut self) {
        let mut value = self.block_value.take();
        if !self.eat("|") {
            return;
        }
        while let Some(token) = self.token() {
            self.at += 1;
            match token.kind {
                Kind::Name(name) => {
                    self.variables.insert(name, value.take().unwrap_or(Value::Unknown));
                }
                Kind::Sign("|") | Kind::Newline => return,
                _ => {}
            }
        }
    }

    /// One field of an object, or one statement of a block.
    fn entry(&mut self, fields: &mut Vec<(String, Value)>) {
        let key = match (self.ahead(0), self.ahead(1)) {
            (Some(Kind::Name(name)), Some(Kind::Sign(":"))) => Some((*name).to_owned()),
            (Some(Kind::Text(parts)), Some(Kind::Sign(":" | "=>"))) => {
                self.text(parts).text().map(str::to_owned)
            }
            (Some(Kind::Name(name)), Some(Kind::Sign("=>"))) if self.language() != Language::JavaScript => {
                Some((*name).to_owned())
            }
            (Some(Kind::Name(name)), Some(Kind::Sign("="))) if self.language() == Language::Lua => {
                Some((*name).to_owned())
            }
            _ => None,
        };
        if let Some(key) = key {
            self.at += 2;
            let value = self.expression();
            fields.push((key, value));
            return;
        }
        self.statement();
        let is_pair = self.is_sign("=>") && self.language() != Language::JavaScript;
        if is_pair || (self.is_sign(":") && self.language() == Language::Python) {
            self.at += 1;
            self.expression();
        }
    }
}

/// Whether arguments are named by `name:`.
fn has_labels(language: Language) -> bool {
    matches!(language, Language::Ruby | Language::Php)
}

/// One path below another.
pub(super) fn join(left: &str, right: &str) -> String {
    if right.starts_with('/') || left.is_empty() {
        right.to_owned()
    } else if left.ends_with('/') {
        format!("{left}{right}")
    } else {
        format!("{left}/{right}")
    }
}
