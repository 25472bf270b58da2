//! What the functions of each language do.

mod javascript;
mod lua;
mod perl;
mod php;
mod python;
mod ruby;

use super::dialect::Dialect;
use crate::model::Language;

/// The dialect of a language that the walker reads.
pub(super) fn dialect(language: Language) -> Option<&'static Dialect> {
    match language {
        Language::Python => Some(&python::DIALECT),
        Language::JavaScript => Some(&javascript::DIALECT),
        Language::Perl => Some(&perl::DIALECT),
        Language::Ruby => Some(&ruby::DIALECT),
        Language::Php => Some(&php::DIALECT),
        Language::Lua => Some(&lua::DIALECT),
        Language::Awk | Language::Sed | Language::AppleScript => None,
    }
}
