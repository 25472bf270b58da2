//! Commands that bring text which the line does not show: from the network, or decoded.

use crate::code::language;
use crate::model::{Command, Redirect, RedirectKind};

/// Whether a command brings text that the line does not show.
pub(super) fn brings_text(command: &Command) -> bool {
    fetches(command)
        || is_clone(command)
        || is_decoder(command)
        || command.redirects.iter().any(is_socket)
        || command.program_name().is_some_and(is_powershell)
}

/// Whether a command brings text from elsewhere.
pub(super) fn fetches(command: &Command) -> bool {
    let has = |verb: &str| command.arguments.iter().any(|word| word.is(verb));
    match command.program_name() {
        Some("openssl") => has("s_client"),
        Some("rclone" | "gcloud") => has("cat"),
        Some(name) => is_fetcher(name),
        None => false,
    }
}

/// `< /dev/tcp/host/port`: what another machine sends.
pub(super) fn is_socket(redirect: &Redirect) -> bool {
    let address = ["/dev/tcp/", "/dev/udp/"]
        .iter()
        .find_map(|place| redirect.target.raw.trim_matches(['"', '\'']).strip_prefix(place));
    let reads = matches!(redirect.kind, RedirectKind::Read | RedirectKind::ReadWrite);
    let is_local = |address: &str| address.starts_with("localhost/") || address.starts_with("127.");
    reads && address.is_some_and(|address| !is_local(address))
}

pub(super) use crate::windows::is_powershell;

/// `pwsh -c "iex (iwr …)"`: what PowerShell is given fetches text and runs it.
pub(super) fn runs_fetched_by_powershell(command: &Command) -> bool {
    const RUNS: &[&str] = &["iex", "invoke-expression", "scriptblock]::create", "invoke-command", "icm"];
    const FETCHES: &[&str] = &[
        "iwr",
        "irm",
        "invoke-webrequest",
        "invoke-restmethod",
        "downloadstring",
        "downloadfile",
        "webclient",
        "httpclient",
        "start-bitstransfer",
        "curl ",
        "wget ",
    ];
    let words = command.arguments.iter().map(|word| word.text.as_deref().unwrap_or(&word.raw));
    let documents = command.redirects.iter().map(|it| it.target.text.as_deref().unwrap_or(&it.target.raw));
    let whole: String = words.chain(documents).chain(command.input.as_deref()).collect::<Vec<_>>().join(" ");
    let text = whole.to_ascii_lowercase();
    // `irm` is in `-Confirm` too.
    let is_short = |word: &str| word.len() == 3;
    let mut parts = text.split(|letter: char| !letter.is_ascii_alphanumeric());
    let parts: Vec<&str> = parts.by_ref().collect();
    let has = |words: &[&str]| {
        words.iter().any(|word| if is_short(word) { parts.contains(word) } else { text.contains(word) })
    };
    has(RUNS) && has(FETCHES)
}

/// `powershell -EncodedCommand …`: text that nobody can read.
pub(super) fn runs_encoded(command: &Command) -> bool {
    let is_encoded = |text: &str| {
        let lower = text.to_ascii_lowercase();
        lower == "-ec" || (lower.len() > 2 && "-encodedcommand".starts_with(lower.as_str()))
    };
    command.program_name().is_some_and(is_powershell)
        && command.arguments.iter().filter_map(|word| word.text.as_deref()).any(is_encoded)
}

pub(super) fn is_clone(command: &Command) -> bool {
    command.program_name() == Some("git") && command.arguments.iter().any(|word| word.is("clone"))
}

const COMPRESSORS: &[&str] = &["gzip", "xz", "bzip2", "zstd", "lz4", "brotli", "lzma"];
const DECOMPRESSORS: &[&str] =
    &["zcat", "gzcat", "bzcat", "xzcat", "zstdcat", "lz4cat", "gunzip", "bunzip2", "unxz", "unzstd"];

/// Whether a decoder is one that decompresses.
pub(super) fn decompresses(command: &Command) -> bool {
    command.program_name().is_some_and(|name| COMPRESSORS.contains(&name) || DECOMPRESSORS.contains(&name))
}

/// Whether a command prints text that nobody can read in what it is given.
pub(super) fn is_decoder(command: &Command) -> bool {
    let texts = || command.arguments.iter().filter_map(|word| word.text.as_deref());
    let has = |options: &[&str]| texts().any(|text| options.contains(&text));
    // Letters may be put together: `-dc`.
    let has_letter = |letter: char| {
        texts().any(|text| text.starts_with('-') && !text.starts_with("--") && text.contains(letter))
    };
    match command.program_name().unwrap_or_default() {
        "base64" | "gbase64" | "base32" | "basenc" | "b64" => {
            has(&["--decode"]) || has_letter('d') || has_letter('D')
        }
        "xxd" => has(&["-revert"]) || has_letter('r'),
        "openssl" => has(&["-d", "-decrypt", "-base64"]) && !has(&["-out"]),
        name if COMPRESSORS.contains(&name) => has(&["--decompress", "--uncompress"]) || has_letter('d'),
        name if DECOMPRESSORS.contains(&name) => true,
        "gpg" | "gpg2" | "age" => has(&["--decrypt"]) || has_letter('d'),
        "uudecode" | "rev" | "tr" => true,
        "printf" => texts().any(has_escapes),
        "echo" => has_letter('e') && texts().any(has_escapes),
        name if language(name).is_some() => texts().any(decodes),
        _ => false,
    }
}

/// Whether code makes text of something that nobody can read.
fn decodes(code: &str) -> bool {
    const DECODERS: &[&str] = &[
        "pack(",
        "pack ",
        "fromhex",
        "unhexlify",
        "b64decode",
        "b32decode",
        "decode64",
        "base64_decode",
        "hex2bin",
        "atob(",
        "'base64'",
        "\"base64\"",
        "'hex'",
        "\"hex\"",
        "fromCharCode",
        "rot13",
        "rot_13",
        "decompress",
        "inflate",
        "MIME::Base64",
    ];
    DECODERS.iter().any(|decoder| code.contains(decoder))
}

/// `\x72` and `\162` are letters.
pub(super) fn has_escapes(text: &str) -> bool {
    text.split('\\').skip(1).filter(|part| part.starts_with(['x', 'u', 'U', '0', '1'])).count() > 1
}

/// Programs that bring text from elsewhere.
pub(super) fn is_fetcher(name: &str) -> bool {
    matches!(
        name,
        "curl"
            | "wget"
            | "fetch"
            | "http"
            | "https"
            | "xh"
            | "xhs"
            | "grpcurl"
            | "lynx"
            | "links"
            | "w3m"
            | "aria2c"
            | "nc"
            | "ncat"
            | "netcat"
            | "socat"
            | "deno"
            | "gh"
            | "aws"
            | "gsutil"
            | "dig"
            | "nslookup"
            | "scp"
            | "sftp"
            | "ftp"
            | "rsync"
            | "ssh"
            | "telnet"
            | "websocat"
            | "wscat"
            | "tftp"
            | "axel"
            | "curlie"
    )
}
