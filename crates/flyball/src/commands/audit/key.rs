//! The key that digests are signed with, and the public one that they are verified with.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::Path;

use flyball_core::encoding::hex;
use flyball_system::OpenOptionsExt;
use flyball_world::scratch;
use ring::rand::SystemRandom;
use ring::signature::{ED25519, Ed25519KeyPair, KeyPair, UnparsedPublicKey};

use super::input::read_failure;
use crate::outcome::Failed;

/// The bytes before the 32 bytes of an Ed25519 key in a `SubjectPublicKeyInfo` (RFC 8410).
const PREFIX: [u8; 12] = [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00];

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The key pair of this store.
pub(super) struct SigningKey {
    pair: Ed25519KeyPair,
}

impl SigningKey {
    /// The key below a state directory, made at first use.
    pub(super) fn open_or_make(state: &Path) -> Result<SigningKey, Failed> {
        let path = state.join("audit.key");
        let bytes = match std::fs::read(&path) {
            Err(cause) if cause.kind() == ErrorKind::NotFound => {
                // Read back, because another process may have been faster and its key is the one that counts.
                make(state, &path)?;
                std::fs::read(&path)
            }
            other => other,
        };
        let bytes = bytes.map_err(|cause| read_failure(&path, &cause))?;
        let pair = Ed25519KeyPair::from_pkcs8(&bytes).map_err(|cause| {
            let what = format!("`{}` is not a key: {cause}", path.display());
            Failed::new(
                what,
                "move it away: flyball then makes a new key, and older digests keep the old one",
            )
        })?;
        Ok(SigningKey { pair })
    }

    /// The key below a state directory, if there is one.
    pub(super) fn find(state: &Path) -> Option<SigningKey> {
        let bytes = std::fs::read(state.join("audit.key")).ok()?;
        Ed25519KeyPair::from_pkcs8(&bytes).ok().map(|pair| SigningKey { pair })
    }

    pub(super) fn public(&self) -> PublicKey {
        let mut bytes = [0; 32];
        bytes.iter_mut().zip(self.pair.public_key().as_ref()).for_each(|(to, from)| *to = *from);
        PublicKey(bytes)
    }

    pub(super) fn sign(&self, text: &str) -> String {
        hex(self.pair.sign(text.as_bytes()).as_ref())
    }
}

/// Makes a key that only its owner can read, unless another process was faster.
fn make(state: &Path, path: &Path) -> Result<(), Failed> {
    let failed = |cause: &dyn std::fmt::Display| {
        let what = format!("`{}` cannot be created: {cause}", path.display());
        Failed::new(what, "set FLYBALL_STATE_DIR to a writable directory")
    };
    let made = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).map_err(|cause| failed(&cause))?;
    // Written elsewhere and linked: a key that is half written must never have the name of the key.
    let folder = scratch::make(state, &[]).map_err(|error| failed(&error))?;
    let fresh = Path::new(folder.path()).join("audit.key");
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&fresh)
        .and_then(|mut file| file.write_all(made.as_ref()).and_then(|()| file.sync_all()))
        .map_err(|cause| failed(&cause))?;
    // A link fails if there is a key, where a rename would replace one that has signed already.
    match std::fs::hard_link(&fresh, path) {
        Err(cause) if cause.kind() != ErrorKind::AlreadyExists => Err(failed(&cause)),
        _ => Ok(()),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PublicKey([u8; 32]);

impl PublicKey {
    /// The key in a file: PEM, as `flyball audit key` and `openssl` write it, or 64 hexadecimal digits.
    pub(super) fn read(path: &Path) -> Result<PublicKey, Failed> {
        let text = std::fs::read_to_string(path).map_err(|cause| read_failure(path, &cause))?;
        PublicKey::parse(&text).ok_or_else(|| {
            let what = format!("`{}` is not an Ed25519 public key", path.display());
            Failed::new(what, "`flyball audit key` prints it on the machine that signed")
        })
    }

    fn parse(text: &str) -> Option<PublicKey> {
        if let Some(bytes) = from_hex(text.trim()) {
            return bytes.try_into().ok().map(PublicKey);
        }
        let inner: String = text.lines().filter(|line| !line.starts_with("-----")).collect();
        let bytes = from_base64(inner.trim())?;
        bytes.strip_prefix(&PREFIX)?.try_into().ok().map(PublicKey)
    }

    pub(super) fn from_hex(text: &str) -> Option<PublicKey> {
        from_hex(text)?.try_into().ok().map(PublicKey)
    }

    pub(super) fn hex(&self) -> String {
        hex(&self.0)
    }

    pub(super) fn pem(&self) -> String {
        let bytes: Vec<u8> = PREFIX.iter().chain(&self.0).copied().collect();
        format!("-----BEGIN PUBLIC KEY-----\n{}\n-----END PUBLIC KEY-----\n", base64(&bytes))
    }

    /// Whether the text was signed with this key.
    pub(super) fn has_signed(&self, text: &str, signature: &str) -> bool {
        let Some(signature) = from_hex(signature) else { return false };
        UnparsedPublicKey::new(&ED25519, self.0).verify(text.as_bytes(), &signature).is_ok()
    }
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let bytes = pairs.iter().map(|[high, low]| Some((digit(*high)? << 4) | digit(*low)?)).collect();
    if rest.is_empty() { bytes } else { None }
}

fn base64(bytes: &[u8]) -> String {
    let letter = |number: u32| LETTERS.get(number as usize & 63).map_or('=', |byte| char::from(*byte));
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let byte = |at: usize| u32::from(chunk.get(at).copied().unwrap_or(0));
        let number = (byte(0) << 16) | (byte(1) << 8) | byte(2);
        let letters = [18, 12, 6, 0].map(|shift| letter(number >> shift));
        text.extend(letters.iter().take(chunk.len() + 1));
        text.extend(std::iter::repeat_n('=', 3 - chunk.len()));
    }
    text
}

fn from_base64(text: &str) -> Option<Vec<u8>> {
    let (mut bytes, mut number, mut bits) = (Vec::new(), 0_u32, 0);
    for byte in text.trim_end_matches('=').bytes() {
        let value = LETTERS.iter().position(|letter| *letter == byte)?;
        // No more than 24 bits are ever pending.
        number = ((number << 6) | u32::try_from(value).ok()?) & 0xff_ffff;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push(u8::try_from((number >> bits) & 0xff).ok()?);
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_the_same_in_every_spelling() {
        let folder = tempfile::tempdir().unwrap();
        let own = SigningKey::open_or_make(folder.path()).unwrap();
        let public = own.public();
        assert_eq!(SigningKey::open_or_make(folder.path()).unwrap().public(), public);
        assert_eq!(PublicKey::parse(&public.pem()), Some(public));
        assert_eq!(PublicKey::parse(&public.hex()), Some(public));
        let signature = own.sign("text");
        assert!(public.has_signed("text", &signature));
        assert!(!public.has_signed("Text", &signature));
        assert!(!public.has_signed("text", &signature[2..]));
    }

    #[test]
    fn only_its_owner_can_read_it() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        SigningKey::open_or_make(folder.path()).unwrap();
        let mode = std::fs::metadata(folder.path().join("audit.key")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn base64_works_both_ways() {
        for (bytes, text) in
            [(b"".as_slice(), ""), (b"f", "Zg=="), (b"fo", "Zm8="), (b"foo", "Zm9v"), (b"foob", "Zm9vYg==")]
        {
            assert_eq!(base64(bytes), text);
            assert_eq!(from_base64(text).as_deref(), Some(bytes));
        }
    }
}
