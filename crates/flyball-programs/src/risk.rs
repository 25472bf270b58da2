//! Calls that a rule is about, as patterns.

use crate::Grammar;

/// The calls of one program that rules are about.
#[derive(Debug)]
pub struct RiskyProgram {
    pub name: &'static str,
    /// How its options are read; that of the program's own entry if this is none.
    pub grammar: Option<&'static Grammar>,
    pub risks: &'static [Risk],
}

/// A call that a rule is about.
#[derive(Debug, PartialEq, Eq)]
pub struct Risk {
    /// The rule's id.
    pub rule: &'static str,
    /// Parts with spaces between them, all of which must hold; an empty pattern is every call.
    ///
    /// - `word` is the next operand, `a|b` one of several, `*` in it any text (`\*` a star), and case is ignored.
    ///   Operands behind the last of these are free.
    /// - `**` skips operands.
    /// - `@disk`, `@temp`, `@url` and `@unknown` are operands too: a disk, a file in a temporary folder, an
    ///   address, a word that is only known at run time.
    /// - `-x|--long` is an option, and `-x|--long=word` an option with such a value.
    /// - `@xargs` is a call with words that `xargs` adds.
    /// - `!` in front of an option or a word means that it is not there.
    pub pattern: &'static str,
}
