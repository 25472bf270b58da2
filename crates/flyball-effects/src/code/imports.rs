//! Names that code takes from modules.

use super::token::Kind;
use super::value::Value;
use super::walker::Walker;
use crate::model::Language;

/// More modules are not searched for a name.
const MOST_OPEN_MODULES: usize = 4;

impl<'t> Walker<'t> {
    /// Reads an import, if one is next.
    pub(super) fn import(&mut self) -> bool {
        match (self.language(), self.name_ahead(0)) {
            (Language::Python, Some("import")) => {
                self.at += 1;
                self.python_import();
            }
            (Language::Python, Some("from")) if self.name_ahead(1).is_some() || self.is_relative() => {
                self.at += 1;
                self.python_from();
            }
            (Language::JavaScript, Some("import"))
                if !matches!(self.ahead(1), Some(Kind::Sign("(" | "."))) =>
            {
                self.at += 1;
                self.javascript_import();
            }
            (Language::Perl, Some("use" | "no")) => {
                self.at += 1;
                self.perl_use();
            }
            (Language::Php, Some("namespace" | "use")) => self.skip_statement(),
            _ => return false,
        }
        true
    }

    /// `from . import x`: a module of the project.
    fn is_relative(&self) -> bool {
        matches!(self.ahead(1), Some(Kind::Sign("." | ".." | "...")))
    }

    /// `a.b as c, d`
    fn python_import(&mut self) {
        loop {
            let (Some(first), full) = (self.name_ahead(0), self.dotted()) else { return };
            self.note_module(&full);
            if let Some(alias) = self.alias() {
                self.variables.insert(alias, Value::Named(full));
            } else {
                // `import a.b` binds `a`.
                self.variables.insert(first, Value::Named(first.to_owned()));
            }
            if !self.eat(",") {
                return;
            }
        }
    }

    /// `a.b import c as d, e`
    fn python_from(&mut self) {
        let is_relative = matches!(self.ahead(0), Some(Kind::Sign(_)));
        while matches!(self.ahead(0), Some(Kind::Sign("." | ".." | "..."))) {
            self.at += 1;
        }
        let module = self.dotted();
        if is_relative {
            // A module of the project runs its own code when it is loaded.
            self.is_opaque = true;
        } else {
            self.note_module(&module);
        }
        if self.name_ahead(0) == Some("import") {
            self.at += 1;
        }
        let is_bracketed = self.eat("(");
        if self.eat("*") {
            if self.open_modules.len() < MOST_OPEN_MODULES {
                self.open_modules.push(module);
            }
            return;
        }
        loop {
            while is_bracketed && matches!(self.ahead(0), Some(Kind::Newline)) {
                self.at += 1;
            }
            let Some(name) = self.name_ahead(0) else { break };
            self.at += 1;
            let alias = self.alias().unwrap_or(name);
            let value = if is_relative { Value::Unknown } else { Value::Named(format!("{module}.{name}")) };
            self.variables.insert(alias, value);
            if !self.eat(",") {
                break;
            }
        }
    }

    /// `as name`
    fn alias(&mut self) -> Option<&'t str> {
        let name = self.name_ahead(1).filter(|_| self.name_ahead(0) == Some("as"))?;
        self.at += 2;
        Some(name)
    }

    fn dotted(&mut self) -> String {
        let mut full = String::new();
        while let Some(name) = self.name_ahead(0) {
            full.push_str(name);
            self.at += 1;
            if !(self.is_sign(".") && self.name_ahead(1).is_some()) {
                break;
            }
            full.push('.');
            self.at += 1;
        }
        full
    }

    fn note_module(&mut self, name: &str) {
        // Loading a module runs it.
        self.is_opaque |= !self.is_quiet_module(name);
    }

    /// `a, { b as c }, * as d from 'm'`
    fn javascript_import(&mut self) {
        let mut names: Vec<(Option<&'t str>, &'t str)> = Vec::new();
        let mut is_inner = false;
        let module = loop {
            match self.ahead(0) {
                Some(Kind::Text(parts)) => {
                    self.at += 1;
                    break self.text(parts);
                }
                Some(Kind::Sign("{")) => is_inner = true,
                Some(Kind::Sign("}")) => is_inner = false,
                Some(Kind::Name("from")) => {}
                Some(Kind::Name(name)) => match (self.name_ahead(1), self.name_ahead(2)) {
                    (Some("as"), Some(alias)) => {
                        names.push((Some(name), alias));
                        self.at += 2;
                    }
                    _ => names.push((is_inner.then_some(*name), name)),
                },
                Some(Kind::Sign("*")) => {
                    // `* as d`
                    if let Some(alias) = self.name_ahead(2) {
                        names.push((None, alias));
                        self.at += 2;
                    }
                }
                Some(Kind::Sign(",") | Kind::Newline) => {}
                _ => break Value::Unknown,
            }
            self.at += 1;
        };
        let module = self.load(module.text());
        for (member, alias) in names {
            let value = match member {
                Some(name) => self.member(module.clone(), name),
                None => module.clone(),
            };
            self.variables.insert(alias, value);
        }
    }

    /// `const { a, b: c } = value`
    pub(super) fn destructuring(&mut self) -> bool {
        let is_declared = matches!(self.name_ahead(0), Some("const" | "let" | "var"));
        if self.language() != Language::JavaScript
            || !is_declared
            || !matches!(self.ahead(1), Some(Kind::Sign("{")))
        {
            return false;
        }
        self.at += 2;
        let mut names: Vec<(&'t str, &'t str)> = Vec::new();
        while let Some(token) = self.token() {
            match (&token.kind, self.ahead(1), self.ahead(2)) {
                (Kind::Name(name), Some(Kind::Sign(":")), Some(Kind::Name(alias))) => {
                    names.push((name, alias));
                    self.at += 2;
                }
                (Kind::Name(name), ..) => names.push((name, name)),
                (Kind::Sign("}"), ..) => break,
                _ => {}
            }
            self.at += 1;
        }
        self.eat("}");
        let value = if self.eat("=") { self.expression() } else { Value::Unknown };
        for (member, alias) in names {
            let is_module = matches!(value, Value::Named(_));
            // Fields of other objects are not followed.
            let value = if is_module { self.member(value.clone(), member) } else { Value::Unknown };
            self.variables.insert(alias, value);
        }
        true
    }

    /// The module of this name.
    pub(super) fn load(&mut self, name: Option<&str>) -> Value {
        let Some(name) = name else {
            self.is_opaque = true;
            return Value::Unknown;
        };
        let name = name.strip_prefix("node:").unwrap_or(name);
        let name = name.strip_prefix("bun:").unwrap_or(name);
        // Data, not code.
        if name.ends_with(".json") {
            return Value::Unknown;
        }
        if name.starts_with(['.', '/']) || !self.is_quiet_module(name) {
            self.is_opaque = true;
            return Value::Unknown;
        }
        match self.language() {
            Language::JavaScript | Language::Python => Value::Named(name.replace('/', ".")),
            _ => Value::Unknown,
        }
    }

    /// `use Module LIST;`
    fn perl_use(&mut self) {
        if let Some(name) = self.name_ahead(0) {
            // `use v5;` loads nothing.
            let is_version = name.starts_with('v') && name.bytes().skip(1).all(|byte| byte.is_ascii_digit());
            if !is_version && !self.is_quiet_module(name) {
                self.is_opaque = true;
            }
        }
        self.skip_statement();
    }

    fn skip_statement(&mut self) {
        while self.token().is_some_and(|token| !token.is(";")) {
            self.at += 1;
        }
    }
}
