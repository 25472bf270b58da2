//! The program; all of it is in the library, so that `flyball-dev` can use it too.

#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod start;

use std::process::ExitCode;

fn main() -> ExitCode {
    flyball::main()
}
