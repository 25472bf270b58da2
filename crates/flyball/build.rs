//! Has the program started by `src/start.rs` where it can be: the hook then leaves out what the runtime does first.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|set| set == value);
    // glibc hands the arguments to the standard library before `main`, with or without the runtime.
    if is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") {
        println!("cargo::rustc-link-arg-bins=-Wl,--wrap=main");
    }
}
