//! A digest: a signed summary of an exported file.

use std::path::Path;

use flyball_core::time::Time;

use flyball_store::{Checkpoint, Link};
use serde::{Deserialize, Serialize};

use super::input::read_failure;
use super::key::{PublicKey, SigningKey};
use crate::outcome::Failed;

const FORMAT: &str = "flyball-digest 1";

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Digest {
    format: String,
    #[serde(with = "flyball_core::time::micros")]
    pub(super) made_at: Time,
    /// The flyball that made it.
    pub(super) flyball: String,
    /// The SHA-256 of the exported file.
    pub(super) sha256: String,
    /// How many events are in it.
    pub(super) events: u64,
    pub(super) sessions: Vec<Contents>,
}

/// What is in the file of one session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Contents {
    pub(super) client: String,
    pub(super) session: String,
    /// The numbers of the events, from and to, in the order of the file.
    pub(super) numbers: Vec<(u64, u64)>,
    /// The last event that has a link: its number and link.
    pub(super) last: Option<(u64, Link)>,
}

impl Contents {
    /// Adds the next event of the file.
    pub(super) fn add(&mut self, seq: u64, link: Option<Link>) {
        match self.numbers.last_mut() {
            Some((_, to)) if *to + 1 == seq => *to = seq,
            _ => self.numbers.push((seq, seq)),
        }
        self.last = link.map(|link| (seq, link)).or(self.last);
    }
}

/// The file of a digest.
#[derive(Serialize, Deserialize)]
struct Envelope {
    /// The digest as JSON: exactly the text that is signed.
    // A text within the JSON, not an object: a parser that reorders keys would break the signature.
    signed: String,
    /// The public key, in hexadecimal digits.
    key: String,
    signature: String,
}

impl Digest {
    pub(super) fn new(sha256: String, events: u64, sessions: Vec<Contents>) -> Digest {
        let made_at = Time::now();
        let flyball = env!("CARGO_PKG_VERSION").to_owned();
        Digest { format: FORMAT.to_owned(), made_at, flyball, sha256, events, sessions }
    }

    /// The text of the file, signed.
    pub(super) fn sign(&self, own: &SigningKey) -> Result<String, Failed> {
        let bug = |cause| Failed::new(format!("the digest cannot be written: {cause}"), "this is a bug");
        let signed = serde_json::to_string(self).map_err(bug)?;
        let signature = own.sign(&signed);
        let envelope = Envelope { signed, key: own.public().hex(), signature };
        Ok(serde_json::to_string_pretty(&envelope).map_err(bug)? + "\n")
    }

    /// The last event of each session when the digest was made.
    pub(super) fn positions(&self) -> Vec<Checkpoint> {
        let checkpoint = |it: &Contents| {
            let (seq, link) = it.last?;
            let (client, session) = (it.client.clone(), it.session.clone());
            Some(Checkpoint { client, session, seq, link, at: self.made_at })
        };
        self.sessions.iter().filter_map(checkpoint).collect()
    }
}

/// Whose signature a digest has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Signer {
    /// The trusted key.
    Trusted,
    /// Some key: no trusted key was given to compare it with.
    Unverified(PublicKey),
}

/// The result of reading a digest.
pub(super) enum Opened {
    Valid(Box<Digest>, Signer),
    /// The signature is wrong or from another key; why.
    Forged(String),
}

/// Reads a digest and verifies its signature, with the trusted key if there is one.
pub(super) fn open(path: &Path, trusted: Option<PublicKey>) -> Result<Opened, Failed> {
    let text = std::fs::read_to_string(path).map_err(|cause| read_failure(path, &cause))?;
    let Ok(envelope) = serde_json::from_str::<Envelope>(&text) else {
        let what = format!("`{}` is not a digest", path.display());
        return Err(Failed::new(what, "`flyball audit export` writes one beside the exported file"));
    };
    let Some(key) = PublicKey::from_hex(&envelope.key) else {
        return Ok(Opened::Forged("its key is invalid".to_owned()));
    };
    // The key in the file proves nothing by itself: a forger signs with a key of their own.
    if trusted.is_some_and(|trusted| trusted != key) {
        return Ok(Opened::Forged(format!("it was signed with another key ({})", key.hex())));
    }
    // Before the content is parsed: nothing in it is trusted until then.
    if !key.has_signed(&envelope.signed, &envelope.signature) {
        return Ok(Opened::Forged("its signature is invalid: it was changed".to_owned()));
    }
    let signer = if trusted.is_some() { Signer::Trusted } else { Signer::Unverified(key) };
    match serde_json::from_str::<Digest>(&envelope.signed) {
        Ok(digest) if digest.format == FORMAT => Ok(Opened::Valid(Box::new(digest), signer)),
        _ => {
            let what = format!("`{}` has a format that this flyball does not support", path.display());
            Err(Failed::new(what, "update flyball"))
        }
    }
}
