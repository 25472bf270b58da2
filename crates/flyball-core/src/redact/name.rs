//! Names whose value is a secret, and values that are none whatever their name.

/// What a name says about its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// It is a secret.
    Secret,
    /// It is a password, and may be a number.
    Password,
    /// It is one if it does not look like what else is named so: `pass: 12 tests`, `PWD=/home/ada`.
    Pass,
    Directory,
    /// It is one if it looks drawn by lot.
    Perhaps,
    /// A header with a scheme and credentials.
    Authorization,
    /// A header with cookies.
    Cookie,
    /// The rest of a private key.
    KeyLines,
    Nothing,
}

/// The ends of names, in lower case and with `_` for `-`, by their last letter: most names are sorted out by it.
#[expect(clippy::too_many_lines, reason = "it is a table")]
const fn endings(last: u8) -> &'static [Ending] {
    match last {
        b'd' => {
            const {
                &[
                    end("password", Kind::Password),
                    end("passwd", Kind::Password),
                    end("pwd", Kind::Directory),
                    end("jsessionid", Kind::Perhaps),
                ]
            }
        }
        b'e' => {
            const {
                &[
                    end("passphrase", Kind::Password),
                    end("seed_phrase", Kind::Password),
                    end("passcode", Kind::Password),
                    end("secret_key_base", Kind::Secret),
                    end("set_cookie", Kind::Cookie),
                    end("cookie", Kind::Cookie),
                    end("signature", Kind::Perhaps),
                ]
            }
        }
        b'g' => const { &[end("sig", Kind::Perhaps), end("connection_string", Kind::Perhaps)] },
        b'h' => const { &[end("_auth", Kind::Perhaps), end("auth", Kind::Perhaps)] },
        b'l' => const { &[end("credential", Kind::Perhaps)] },
        b'c' => const { &[end("mnemonic", Kind::Password), end("hmac", Kind::Perhaps)] },
        b'n' => const { &[end("token", Kind::Secret), end("authorization", Kind::Authorization)] },
        b'r' => const { &[end("bearer", Kind::Perhaps)] },
        b's' => {
            const {
                &[
                    end("pass", Kind::Pass),
                    end("credentials", Kind::Perhaps),
                    end("creds", Kind::Perhaps),
                    end("private_lines", Kind::KeyLines),
                    end("sas", Kind::Perhaps),
                ]
            }
        }
        b't' => {
            const {
                &[
                    end("secret", Kind::Secret),
                    end("jwt", Kind::Perhaps),
                    end("pat", Kind::Perhaps),
                    end("salt", Kind::Perhaps),
                ]
            }
        }
        b'w' => const { &[end("_pw", Kind::Secret)] },
        b'y' => {
            const {
                &[
                    end("api_key", Kind::Secret),
                    end("apikey", Kind::Secret),
                    end("access_key", Kind::Secret),
                    end("accesskey", Kind::Secret),
                    end("private_key", Kind::Secret),
                    end("privatekey", Kind::Secret),
                    end("secret_key", Kind::Secret),
                    end("secretkey", Kind::Secret),
                    end("account_key", Kind::Secret),
                    end("accountkey", Kind::Secret),
                    end("encryption_key", Kind::Secret),
                    end("signing_key", Kind::Secret),
                    end("app_key", Kind::Secret),
                    end("application_key", Kind::Secret),
                    end("auth_key", Kind::Secret),
                    end("authkey", Kind::Secret),
                    end("master_key", Kind::Secret),
                    end("consumer_key", Kind::Secret),
                    end("subscription_key", Kind::Secret),
                    end("functions_key", Kind::Secret),
                    end("shared_key", Kind::Secret),
                    end("storage_key", Kind::Secret),
                    end("deploy_key", Kind::Secret),
                    end("license_key", Kind::Secret),
                    end("service_key", Kind::Secret),
                    end("service_role_key", Kind::Secret),
                    end("key", Kind::Perhaps),
                ]
            }
        }
        _ => &[],
    }
}

struct Ending {
    text: &'static str,
    kind: Kind,
}

const fn end(text: &'static str, kind: Kind) -> Ending {
    Ending { text, kind }
}

pub(super) const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Words that are found in place of secrets and are none.
pub(super) fn is_filler(value: &[u8]) -> bool {
    const WORDS: &[&[u8]] = &[
        b"true",
        b"false",
        b"null",
        b"none",
        b"nil",
        b"undefined",
        b"string",
        b"str",
        b"number",
        b"int",
        b"bool",
        b"boolean",
        b"any",
        b"bytes",
        b"usize",
        b"u64",
        b"u32",
    ];
    value.iter().all(|byte| *byte == b'*') || WORDS.iter().any(|word| value.eq_ignore_ascii_case(word))
}

/// What a name, or what ends in one, says about its value. A number behind it does not matter; a word does:
/// `token_count`.
pub(super) fn kind(name: &[u8]) -> Kind {
    let digits = name.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let mut name = name.get(..name.len() - digits).unwrap_or_default();
    if digits > 0 {
        name = name.strip_suffix(b"_").unwrap_or(name);
    }
    let last = name.last().copied().unwrap_or_default().to_ascii_lowercase();
    let Some(ending) = endings(last).iter().find(|ending| ends_with(name, ending.text.as_bytes())) else {
        return Kind::Nothing;
    };
    match ending.kind {
        Kind::Pass if !starts_word(name, ending.text.len()) => Kind::Nothing,
        // `API key: …` may be a sentence.
        Kind::Secret if name.iter().rev().take(ending.text.len()).any(|byte| *byte == b' ') => Kind::Perhaps,
        kind => kind,
    }
}

/// Whether the end of this length is a word of its own: `DB_PASS`, `dbPass`, `SSHPASS`, not `bypass`.
fn starts_word(name: &[u8], length: usize) -> bool {
    let mut back = name.iter().rev().skip(length - 1);
    let first = back.next().copied().unwrap_or_default();
    let before = back.next().copied().unwrap_or_default();
    !before.is_ascii_alphanumeric() || (first.is_ascii_uppercase() && !name.ends_with(b"BYPASS"))
}

/// Whether the value of that name is a secret, whatever it looks like.
pub(super) fn is_secret(name: &[u8]) -> bool {
    matches!(kind(name), Kind::Secret | Kind::Password | Kind::Pass | Kind::Authorization)
}

/// Whether it ends so, in either case and with `-` or a blank for `_`.
pub(super) fn ends_with(name: &[u8], end: &[u8]) -> bool {
    let start = name.len().checked_sub(end.len());
    let same = |(byte, expected): (&u8, &u8)| {
        byte.to_ascii_lowercase() == *expected || (matches!(byte, b'-' | b' ') && *expected == b'_')
    };
    start.and_then(|start| name.get(start..)).is_some_and(|tail| tail.iter().zip(end).all(same))
}
