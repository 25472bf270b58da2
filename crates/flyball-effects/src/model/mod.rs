//! What all layers speak about: the words and commands of a line, what code does, what a command
//! does to files and the network. Looks at no other module.

mod code;
mod command;
mod disk;
mod effect;

pub(crate) use command::{LOADS, base_name, input_redirect};

pub use code::{CodeAct, CodeReading, Language};
pub use command::{Command, Directory, Place, Redirect, RedirectKind, Script, Unknown, UnknownReason, Word};
pub use disk::{Disk, WrittenText};
pub use effect::{
    Content, DecodedCode, Effects, FetchedCode, FetchedFile, FileAct, FileEffect, Insertion, NetworkEffect,
    Opaque, OpaqueReason, Sent, Target,
};
