//! What a browser has to know to be let in.

use ring::rand::{SecureRandom, SystemRandom};

use crate::outcome::Failed;

/// Shorter ones could be guessed.
const SHORTEST: usize = 16;
const LONGEST: usize = 200;

/// A new one: 160 bits that nobody can guess.
pub(super) fn new() -> Result<String, Failed> {
    let mut bytes = [0; 20];
    SystemRandom::new().fill(&mut bytes).map_err(|_| {
        Failed::new("the system gives no random numbers", "give a token of your own: --token")
    })?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// One that was given, if it can be part of an address and of a cookie as it is.
pub(super) fn validate(token: &str) -> Result<String, Failed> {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    if (SHORTEST..=LONGEST).contains(&token.len()) && token.bytes().all(fits) {
        return Ok(token.to_owned());
    }
    let fix =
        format!("{SHORTEST} to {LONGEST} letters, digits, `-` or `_`; without --token a new one is made");
    Err(Failed::new("this token cannot be used", fix))
}
