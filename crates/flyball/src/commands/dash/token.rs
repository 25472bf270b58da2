//! The token that a browser needs to open the board.

use flyball_core::encoding::hex;
use ring::rand::{SecureRandom, SystemRandom};

use crate::outcome::Failed;

/// Shorter ones could be guessed.
const SHORTEST: usize = 16;
const LONGEST: usize = 200;

/// A new one: 160 bits that nobody can guess.
pub(super) fn new() -> Result<String, Failed> {
    let mut bytes = [0; 20];
    SystemRandom::new()
        .fill(&mut bytes)
        .map_err(|_| Failed::new("the system has no random numbers", "pass your own token with --token"))?;
    Ok(hex(&bytes))
}

/// Checks that a token can be part of an address and of a cookie without escaping.
pub(super) fn validate(token: &str) -> Result<String, Failed> {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    if (SHORTEST..=LONGEST).contains(&token.len()) && token.bytes().all(fits) {
        return Ok(token.to_owned());
    }
    let fix = format!(
        "use {SHORTEST} to {LONGEST} letters, digits, `-` or `_`, or leave out --token for a new one"
    );
    Err(Failed::new("this token cannot be used", fix))
}
