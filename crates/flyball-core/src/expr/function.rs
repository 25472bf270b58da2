//! The functions and macros of the language, as a table. The checker, its suggestions and the
//! reference read it.

use super::schema::{Shape, Type};

/// Which function, in a compiled program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum FunctionName {
    /// How many characters, items or keys.
    Size,
    /// Is a text inside?
    Contains,
    /// Does it begin so?
    StartsWith,
    /// Does it end so?
    EndsWith,
    /// Does a regular expression match?
    Matches,
    /// Does a glob match?
    Glob,
    LowerAscii,
    UpperAscii,
    Trim,
    /// Cut into a list.
    Split,
}

/// One function: called as `receiver.name(argument)`.
#[derive(Debug)]
pub struct Function {
    pub function: FunctionName,
    /// How conditions write it.
    pub name: &'static str,
    /// What it is called on.
    pub receiver: Receiver,
    /// What it takes, if anything.
    pub argument: Option<Type>,
    pub result: Type,
    /// One line for the reference.
    pub doc: &'static str,
}

/// What a function is called on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Receiver {
    String,
    /// A string, a list or a map.
    Sized,
}

impl Receiver {
    pub(super) fn accepts(self, ty: Type) -> bool {
        match (self, ty.shape()) {
            (Self::String | Self::Sized, _) if ty == Type::STRING => true,
            (Self::String, _) => false,
            (Self::Sized, Shape::List(_)) => true,
            (Self::Sized, Shape::Leaf(_)) => ty.is_map(),
        }
    }
}

pub static FUNCTIONS: &[Function] = &[
    Function {
        function: FunctionName::Size,
        name: "size",
        receiver: Receiver::Sized,
        argument: None,
        result: Type::INT,
        doc: "how many characters, items or keys there are; also written `size(x)`",
    },
    Function {
        function: FunctionName::Contains,
        name: "contains",
        receiver: Receiver::String,
        argument: Some(Type::STRING),
        result: Type::BOOL,
        doc: "whether the argument is somewhere inside",
    },
    Function {
        function: FunctionName::StartsWith,
        name: "startsWith",
        receiver: Receiver::String,
        argument: Some(Type::STRING),
        result: Type::BOOL,
        doc: "whether it begins with the argument",
    },
    Function {
        function: FunctionName::EndsWith,
        name: "endsWith",
        receiver: Receiver::String,
        argument: Some(Type::STRING),
        result: Type::BOOL,
        doc: "whether it ends with the argument",
    },
    Function {
        function: FunctionName::Matches,
        name: "matches",
        receiver: Receiver::String,
        argument: Some(Type::STRING),
        result: Type::BOOL,
        doc: "whether a regular expression matches somewhere inside; `^` and `$` tie it to the ends",
    },
    Function {
        function: FunctionName::Glob,
        name: "glob",
        receiver: Receiver::String,
        argument: Some(Type::STRING),
        result: Type::BOOL,
        doc: "whether a glob such as `src/**/*.rs` matches the whole; not part of CEL",
    },
    Function {
        function: FunctionName::LowerAscii,
        name: "lowerAscii",
        receiver: Receiver::String,
        argument: None,
        result: Type::STRING,
        doc: "the same text with the letters A to Z in lower case",
    },
    Function {
        function: FunctionName::UpperAscii,
        name: "upperAscii",
        receiver: Receiver::String,
        argument: None,
        result: Type::STRING,
        doc: "the same text with the letters a to z in upper case",
    },
    Function {
        function: FunctionName::Trim,
        name: "trim",
        receiver: Receiver::String,
        argument: None,
        result: Type::STRING,
        doc: "the same text without the blanks at both ends",
    },
    Function {
        function: FunctionName::Split,
        name: "split",
        receiver: Receiver::String,
        argument: Some(Type::STRING),
        result: Type::STRING.list(),
        doc: "the pieces between the occurrences of the argument",
    },
];

/// Which macro, in a compiled program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum MacroName {
    /// Does one item fit?
    Exists,
    /// Do all items fit?
    All,
    /// Does exactly one item fit?
    ExistsOne,
    /// The items that fit.
    Filter,
    /// What each item becomes.
    Map,
}

/// One macro: called as `list.name(variable, expression)`.
#[derive(Debug)]
pub struct Macro {
    pub function: MacroName,
    /// How conditions write it.
    pub name: &'static str,
    /// One line for the reference.
    pub doc: &'static str,
}

/// Every macro over lists. `has(field)` is the one that is not.
pub static MACROS: &[Macro] = &[
    Macro {
        function: MacroName::Exists,
        name: "exists",
        doc: "whether the condition holds for at least one item",
    },
    Macro { function: MacroName::All, name: "all", doc: "whether the condition holds for every item" },
    Macro {
        function: MacroName::ExistsOne,
        name: "exists_one",
        doc: "whether the condition holds for exactly one item",
    },
    Macro { function: MacroName::Filter, name: "filter", doc: "the items for which the condition holds" },
    Macro { function: MacroName::Map, name: "map", doc: "the value of the expression for each item" },
];

pub(super) fn find_function(name: &str) -> Option<&'static Function> {
    FUNCTIONS.iter().find(|function| function.name == name)
}

pub(super) fn find_macro(name: &str) -> Option<&'static Macro> {
    MACROS.iter().find(|candidate| candidate.name == name)
}
