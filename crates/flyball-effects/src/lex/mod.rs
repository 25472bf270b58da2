//! A small lexer for source files: separates code, comments and strings in any language that it
//! has a table for. The reader of code on a command line, [`crate::code`], needs more and has its own.

mod language;
mod lexer;
mod tokens;

pub use language::{Language, Quote, Syntax};
pub use lexer::{Comment, Lexed, is_first_in_line, lex, window};
pub use tokens::{Token, TokenKind};
