//! Text that goes through a decoder before it is used: decoded here where the literal is known, marked where it is not.

use super::value::{Args, Value};
use super::walker::Walker;
use crate::decoders;
use crate::model::{CodeAct, Language};

/// How a function decodes its first argument.
#[derive(Clone, Copy)]
enum Decoding {
    Hexadecimal,
    Base64,
    /// As its second argument says.
    Named,
    Reversed,
    Rotated,
    /// In a way that is not followed here.
    Other,
}

/// Functions that decode, by language.
const DECODERS: &[(Language, &str, Decoding)] = &[
    (Language::Python, "bytes.fromhex", Decoding::Hexadecimal),
    (Language::Python, "bytearray.fromhex", Decoding::Hexadecimal),
    (Language::Python, "binascii.unhexlify", Decoding::Hexadecimal),
    (Language::Python, "binascii.a2b_hex", Decoding::Hexadecimal),
    (Language::Python, "base64.b16decode", Decoding::Hexadecimal),
    (Language::Python, "base64.b64decode", Decoding::Base64),
    (Language::Python, "base64.urlsafe_b64decode", Decoding::Base64),
    (Language::Python, "base64.standard_b64decode", Decoding::Base64),
    (Language::Python, "base64.decodebytes", Decoding::Base64),
    (Language::Python, "binascii.a2b_base64", Decoding::Base64),
    (Language::Python, "codecs.decode", Decoding::Named),
    (Language::Python, "codecs.encode", Decoding::Named),
    (Language::Python, "base64.b32decode", Decoding::Other),
    (Language::Python, "base64.b85decode", Decoding::Other),
    (Language::Python, "base64.a85decode", Decoding::Other),
    (Language::Python, "zlib.decompress", Decoding::Other),
    (Language::Python, "gzip.decompress", Decoding::Other),
    (Language::Python, "bz2.decompress", Decoding::Other),
    (Language::Python, "lzma.decompress", Decoding::Other),
    (Language::Python, "chr", Decoding::Other),
    (Language::Python, "reversed", Decoding::Reversed),
    (Language::JavaScript, "Buffer.from", Decoding::Named),
    (Language::JavaScript, "atob", Decoding::Base64),
    (Language::JavaScript, "String.fromCharCode", Decoding::Other),
    (Language::JavaScript, "String.fromCodePoint", Decoding::Other),
    (Language::JavaScript, "unescape", Decoding::Other),
    (Language::JavaScript, "decodeURIComponent", Decoding::Other),
    (Language::JavaScript, "zlib.inflateSync", Decoding::Other),
    (Language::JavaScript, "zlib.gunzipSync", Decoding::Other),
    (Language::JavaScript, "zlib.unzipSync", Decoding::Other),
    (Language::JavaScript, "zlib.brotliDecompressSync", Decoding::Other),
    (Language::Ruby, "Base64.decode64", Decoding::Base64),
    (Language::Ruby, "Base64.strict_decode64", Decoding::Base64),
    (Language::Ruby, "Base64.urlsafe_decode64", Decoding::Base64),
    (Language::Ruby, "Zlib.inflate", Decoding::Other),
    (Language::Ruby, "Zlib::Inflate.inflate", Decoding::Other),
    (Language::Php, "base64_decode", Decoding::Base64),
    (Language::Php, "hex2bin", Decoding::Hexadecimal),
    (Language::Php, "strrev", Decoding::Reversed),
    (Language::Php, "str_rot13", Decoding::Rotated),
    (Language::Php, "gzinflate", Decoding::Other),
    (Language::Php, "gzuncompress", Decoding::Other),
    (Language::Php, "gzdecode", Decoding::Other),
    (Language::Php, "convert_uudecode", Decoding::Other),
    (Language::Php, "pack", Decoding::Other),
    (Language::Php, "chr", Decoding::Other),
    (Language::Perl, "decode_base64", Decoding::Base64),
    (Language::Perl, "MIME::Base64::decode", Decoding::Base64),
    (Language::Perl, "pack", Decoding::Other),
    (Language::Perl, "chr", Decoding::Other),
    (Language::Perl, "reverse", Decoding::Reversed),
];

/// Methods that leave the text what it is, but for its ends or its encoding.
const KEEPING: [&str; 12] = [
    "decode",
    "encode",
    "toString",
    "to_s",
    "strip",
    "trim",
    "rstrip",
    "lstrip",
    "chomp",
    "read",
    "getvalue",
    "force_encoding",
];

impl Walker<'_> {
    /// What a function that decodes returns; `None` if it is none.
    pub(super) fn decoded(&self, name: &str, args: &Args) -> Option<Value> {
        let language = self.language();
        let first = args.at(0)?;
        // `bytes([114, 109])`, `map(chr, [114, 109])`
        let is_letters = match (language, name, first) {
            (Language::Python, "bytes" | "bytearray", Value::List(items)) => !items.is_empty(),
            (Language::Python, "map", Value::Named(called)) => called == "chr",
            (Language::JavaScript, "Buffer.from", Value::List(_)) => true,
            _ => false,
        };
        if is_letters {
            return Some(Value::Encoded);
        }
        if first.is_encoded() && matches!(name, "str" | "bytes" | "String" | "join" | "implode" | "compile") {
            return Some(Value::Encoded);
        }
        let (_, _, decoding) = DECODERS.iter().find(|(own, known, _)| *own == language && *known == name)?;
        let text = match (decoding, first) {
            (_, Value::Text(text)) => decode(*decoding, text, args.at(1).and_then(Value::text)),
            // A list that is turned around, bytes that are a text already.
            (Decoding::Reversed, _) if !first.is_encoded() => return None,
            (Decoding::Named, _) if !first.is_encoded() && args.at(1).is_none() => return None,
            _ => None,
        };
        Some(text.map_or(Value::Encoded, Value::Text))
    }

    /// What a method makes of a text or of one that went through a decoder; `None` if that is not followed here.
    pub(super) fn decoded_method(&self, receiver: &Value, name: &str, args: &Args) -> Option<Value> {
        let first = args.at(0);
        match (name, receiver, first) {
            ("decode" | "toString", Value::Text(text), None) => Some(Value::Text(text.clone())),
            ("decode" | "toString", Value::Text(text), Some(Value::Text(how))) => {
                let known = decode(Decoding::Named, text, Some(how));
                Some(known.map_or(Value::Encoded, Value::Text))
            }
            ("encode", Value::Text(text), _) => Some(Value::Text(text.clone())),
            ("reverse", Value::Text(text), None) => Some(Value::Text(text.chars().rev().collect())),
            ("reverse", Value::List(items), None) => Some(Value::List(items.iter().rev().cloned().collect())),
            ("split" | "chars", Value::Text(text), None | Some(Value::Text(_)))
                if first.is_none_or(|by| by.text() == Some("")) && (name == "chars" || first.is_some()) =>
            {
                Some(Value::List(text.chars().map(|letter| Value::Text(letter.to_string())).collect()))
            }
            // Python joins with the receiver, the others with the argument.
            ("join", Value::Text(with), Some(Value::List(items))) => joined(items, with),
            ("join", Value::List(items), Some(Value::Text(with))) => joined(items, with),
            ("join", Value::List(items), None) => joined(items, ""),
            ("join", _, Some(value)) if value.is_encoded() => Some(Value::Encoded),
            ("unpack" | "unpack1" | "pack", Value::Text(_) | Value::List(_), Some(_)) => Some(Value::Encoded),
            ("translate", Value::Text(_), Some(_)) => Some(Value::Encoded),
            (_, Value::Encoded, _)
                if KEEPING.contains(&name) || matches!(name, "join" | "replace" | "split") =>
            {
                Some(Value::Encoded)
            }
            _ => None,
        }
    }

    /// Code that is given as text: read in its own language where it is known.
    pub(super) fn run_code(&mut self, code: Option<&Value>) {
        let interpreter = match self.language() {
            Language::Python => Some(["python3", "-c"]),
            Language::JavaScript => Some(["node", "-e"]),
            Language::Ruby => Some(["ruby", "-e"]),
            Language::Php => Some(["php", "-r"]),
            Language::Perl => Some(["perl", "-e"]),
            _ => None,
        };
        match (code, interpreter) {
            (Some(Value::Encoded), _) => self.acts.push(CodeAct::Decoded),
            (Some(Value::Text(text)), Some([program, flag])) => {
                let words = [program, flag, text].map(|word| Some(word.to_owned()));
                self.acts.push(CodeAct::Command { words: words.to_vec() });
            }
            _ => {}
        }
        self.is_opaque = true;
    }
}

fn joined(items: &[Value], with: &str) -> Option<Value> {
    if items.iter().any(Value::is_encoded) {
        return Some(Value::Encoded);
    }
    let texts: Option<Vec<&str>> = items.iter().map(Value::text).collect();
    Some(Value::Text(texts?.join(with)))
}

fn decode(decoding: Decoding, text: &str, how: Option<&str>) -> Option<String> {
    match decoding {
        Decoding::Hexadecimal => decoders::hexadecimal(text),
        Decoding::Base64 => decoders::base64(text),
        Decoding::Reversed => Some(text.chars().rev().collect()),
        Decoding::Rotated => Some(decoders::rotated(text)),
        Decoding::Named => match how.map(|how| how.to_ascii_lowercase().replace(['_', '-'], "")).as_deref() {
            None | Some("utf8" | "ascii" | "latin1" | "binary" | "utf16le") => Some(text.to_owned()),
            Some("hex" | "hexcodec") => decoders::hexadecimal(text),
            Some("base64" | "base64url" | "base64codec") => decoders::base64(text),
            Some("rot13") => Some(decoders::rotated(text)),
            Some(_) => None,
        },
        Decoding::Other => None,
    }
}
