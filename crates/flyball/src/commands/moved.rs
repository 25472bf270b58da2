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
        format!("`flyball {name}` is for those who work on flyball, and not part of the program any more"),
        format!("run `cargo dev {name}{words}` in the repository"),
    ))
}
