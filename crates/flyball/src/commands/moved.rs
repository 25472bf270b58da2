//! Commands that are no longer part of the program, and where they went.

use clap::Args;

use crate::outcome::{Done, Failed};

/// Whatever the command took.
#[derive(Args)]
pub(crate) struct Arguments {
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<String>,
}

/// Says what to run instead.
pub(crate) fn run(name: &str, arguments: &Arguments) -> Result<Done, Failed> {
    let words: String = arguments.rest.iter().map(|word| format!(" {word}")).collect();
    Err(Failed::new(
        format!("`flyball {name}` is a development command and no longer part of the program"),
        format!("run `cargo dev {name}{words}` in the repository"),
    ))
}
