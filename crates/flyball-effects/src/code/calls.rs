//! Finds out what a call does, by the name of what is called.

use super::dialect::{CallEffect, Words};
use super::expressions::join;
use super::value::{Args, Value};
use super::walker::Walker;
use crate::model::Language;

/// Longer chains of names are not looked up.
const MOST_NAME_BYTES: usize = 200;

/// Names that only say where the rest of a name is looked for.
const OUTER_NAMES: [&str; 10] = [
    "builtins.",
    "__builtins__.",
    "globalThis.",
    "global.",
    "window.",
    "Kernel.",
    "CORE::GLOBAL::",
    "CORE::",
    "\\",
    "_G.",
];

/// Functions that are given a handle and write nothing to it.
const CLOSING: [&str; 10] = [
    "close",
    "fclose",
    "fflush",
    "binmode",
    "eof",
    "feof",
    "fs.closeSync",
    "fs.close",
    "io.close",
    "os.close",
];

impl Walker<'_> {
    /// The member `name` of a value.
    pub(super) fn member(&mut self, value: Value, name: &str) -> Value {
        match value {
            Value::Named(outer) if outer.len() + name.len() < MOST_NAME_BYTES => {
                // `import fs from 'fs'` and `require('fs').default` are the module itself.
                let is_same = name == "default" && self.language() == Language::JavaScript;
                Value::Named(if is_same { outer } else { format!("{outer}.{name}") })
            }
            Value::Named(_) => Value::Unknown,
            Value::Fields(fields) => {
                let field = fields.into_iter().find(|(own, _)| own == name);
                field.map_or_else(|| method(Value::Unknown, name), |(_, value)| value)
            }
            Value::Method(..) => {
                let receiver = self.resolve(value);
                method(receiver, name)
            }
            other => method(other, name),
        }
    }

    /// What a value is when nothing more is done to it.
    pub(super) fn resolve(&mut self, value: Value) -> Value {
        match value {
            Value::Method(receiver, name) => match (*receiver, name.as_str()) {
                (Value::Path(Some(path)), "parent") => Value::Path(Some(parent(&path))),
                (Value::Path(_), "parent") => Value::Path(None),
                _ => Value::Unknown,
            },
            Value::Named(name) => match name.as_str() {
                "process.env.HOME" => Value::Path(Some("~".to_owned())),
                "__dirname" | "import.meta.dirname" => Value::Path(Some(".".to_owned())),
                _ => Value::Named(name),
            },
            other => other,
        }
    }

    /// A value with an index behind it.
    pub(super) fn indexed(&mut self, value: Value, args: &Args) -> Value {
        let key = args.at(0).and_then(Value::text).filter(|_| args.items.len() == 1);
        match (value, key) {
            (Value::Named(name), Some("HOME"))
                if matches!(name.as_str(), "os.environ" | "ENV" | "process.env") =>
            {
                Value::Path(Some("~".to_owned()))
            }
            // `fs['unlinkSync']` is `fs.unlinkSync`.
            (Value::Named(name), Some(key)) if self.language() == Language::JavaScript => {
                self.member(Value::Named(name), key)
            }
            // `x[0]` of a decoded text is a part of it.
            (Value::Encoded, _) => Value::Encoded,
            (Value::Fields(fields), Some(key)) => {
                fields.into_iter().find(|(own, _)| own == key).map_or(Value::Unknown, |(_, value)| value)
            }
            _ => Value::Unknown,
        }
    }

    /// What a call does and returns.
    pub(super) fn call(&mut self, callee: Value, args: Args) -> Value {
        match callee {
            Value::Named(name) => self.call_named(&name, args),
            Value::Method(receiver, name) => self.call_method(*receiver, &name, args),
            Value::Local => {
                self.escape_args(&args);
                Value::Unknown
            }
            // PHP calls functions by their names.
            Value::Text(name) if self.language() == Language::Php => self.call_named(&name, args),
            Value::Text(_)
            | Value::Unknown
            | Value::Encoded
            | Value::Path(_)
            | Value::List(_)
            | Value::Fields(_)
            | Value::Handle(_) => {
                self.is_opaque = true;
                Value::Unknown
            }
        }
    }

    fn call_named(&mut self, name: &str, args: Args) -> Value {
        let name = OUTER_NAMES.iter().find_map(|outer| name.strip_prefix(outer)).unwrap_or(name);
        if let Some(value) = self.decoded(name, &args) {
            return self.charge(value);
        }
        // Effects before harmlessness: a harmless module may have a few functions with effects.
        if let Some(effect) = self.effect(name) {
            return self.apply(effect, args);
        }
        if self.is_harmless(name) {
            if !CLOSING.contains(&name) {
                self.spoil_handles(&args);
            }
            return Value::Unknown;
        }
        // The object may be of any class, but its method may have a name that is known for all of them.
        if let Some((_, last)) = name.rsplit_once('.') {
            return self.call_method(Value::Unknown, last, args);
        }
        if self.bindings.is_defined(name) {
            self.escape_args(&args);
            return Value::Unknown;
        }
        let full = self.open_modules.iter().map(|module| format!("{module}.{name}"));
        // `from os import *` makes every name of the module callable without it.
        match full.into_iter().find(|full| self.effect(full).is_some() || self.is_harmless(full)) {
            Some(full) => self.call_named(&full, args),
            None => {
                self.is_opaque = true;
                Value::Unknown
            }
        }
    }

    fn call_method(&mut self, receiver: Value, name: &str, args: Args) -> Value {
        if let Some(value) = self.decoded_method(&receiver, name, &args) {
            return self.charge(value);
        }
        if let Some(effect) = self.special_method(&receiver, name, &args) {
            return self.apply(effect, args.with_receiver(receiver));
        }
        if let Some((_, effect)) = self.dialect.methods.iter().find(|(own, _)| *own == name) {
            return self.apply(*effect, args.with_receiver(receiver));
        }
        if self.dialect.harmless_methods.contains(name) {
            self.spoil_handles(&args);
            // `f.seek(0)` leaves a handle what it is, `db.cursor()` a database.
            return if name == "cursor" { receiver } else { Value::Unknown };
        }
        if self.bindings.is_defined(name) {
            self.escape_args(&args);
            return Value::Unknown;
        }
        let is_file_function =
            name.ends_with("Sync") || matches!(name, "writeFile" | "appendFile" | "copyFile");
        if self.language() == Language::JavaScript
            && is_file_function
            // `fs` under another name, or `fs.promises`: these names are used for nothing else.
            && let Some(effect) = self.effect(&format!("fs.{name}"))
        {
            return self.apply(effect, args);
        }
        self.is_opaque = true;
        Value::Unknown
    }

    /// Methods that mean different things for paths and for other objects.
    fn special_method(&self, receiver: &Value, name: &str, args: &Args) -> Option<CallEffect> {
        if self.language() != Language::Python {
            return None;
        }
        let is_path = matches!(receiver, Value::Path(_));
        let is_text = matches!(receiver, Value::Text(_));
        match name {
            // `str.replace` takes two arguments, `Path.replace` one.
            "replace" | "rename" if args.positional().count() == 1 && !is_text => {
                Some(CallEffect::Move(0, 1))
            }
            "replace" | "rename" => Some(CallEffect::Nothing),
            "open" if is_path => Some(CallEffect::Open(0, 1)),
            "open" => Some(CallEffect::Nothing),
            "mkdir" | "exists" | "is_file" | "is_dir" if is_path => Some(CallEffect::Nothing),
            _ => None,
        }
    }

    fn effect(&self, name: &str) -> Option<CallEffect> {
        self.dialect.functions.iter().find(|(own, _)| *own == name).map(|(_, effect)| *effect)
    }

    fn is_harmless(&self, name: &str) -> bool {
        if self.dialect.harmless.contains(name) {
            return true;
        }
        // `a`, `a.b`, `a.b.c`: a whole module may be harmless.
        let ends = name.match_indices(['.', ':']).map(|(at, _)| at).chain([name.len()]);
        ends.filter_map(|end| name.get(..end)).any(|module| self.dialect.modules.contains(module))
    }

    /// Whether a module of this name does nothing when it is loaded.
    pub(super) fn is_quiet_module(&self, name: &str) -> bool {
        let root = name.split(['.', '/']).next().unwrap_or(name);
        let is_in = |list: Words| {
            list.iter().any(|own| own == name || own == root || own.split('.').next() == Some(root))
        };
        let has_effects =
            |(own, _): &(&str, CallEffect)| own.split('.').next() == Some(root) && own.contains('.');
        is_in(self.dialect.modules)
            || is_in(self.dialect.quiet_modules)
            || self.dialect.functions.iter().any(has_effects)
    }

    /// Functions handed to a function of the code may be called there with anything.
    pub(super) fn escape_args(&mut self, args: &Args) {
        self.spoil_handles(args);
        for arg in &args.items {
            let name = match &arg.value {
                Value::Named(name) => name,
                Value::Text(name) if self.language() == Language::Php => name,
                _ => continue,
            };
            if let Some(effect) = self.effect(name) {
                // Without arguments: the function may be called with any path.
                self.apply(effect, Args::default());
            }
        }
    }

    /// A function that is given a handle may write anything to it.
    pub(super) fn spoil_handles(&mut self, args: &Args) {
        for arg in &args.items {
            if let Value::Handle(handle) = arg.value {
                self.write_to(handle, None);
            }
        }
    }
}

fn method(receiver: Value, name: &str) -> Value {
    Value::Method(Box::new(receiver), name.to_owned())
}

pub(super) fn parent(path: &str) -> String {
    match path.rsplit_once('/') {
        Some(("", _)) => "/".to_owned(),
        Some((above, _)) => above.to_owned(),
        // The parent of `.` has no other name.
        None if path == "." || path == "~" => join(path, ".."),
        None => ".".to_owned(),
    }
}
