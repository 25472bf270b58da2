//! The program; all of it is in the library, so that `flyball-dev` can use it too.

use std::process::ExitCode;

fn main() -> ExitCode {
    flyball::main()
}
