//! The response of a receiver: whether it accepted everything.

use serde_json::Value;

/// What a receiver rejected of a request that it accepted. Sending it again would not help.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PartialSuccess {
    pub rejected: u64,
    /// Why, in its own words; also a warning where nothing was rejected.
    pub message: String,
}

/// The rejections in the response to an accepted request; nothing if there are none, or if it cannot be read.
#[must_use]
pub fn partial_success(body: &[u8]) -> Option<PartialSuccess> {
    let partial = match body.first() {
        // By the body, not by its content type: `{` would be a group in field 15, which no protobuf reply
        // has.
        Some(b'{') => from_json(body)?,
        Some(_) => from_protobuf(field(body, 1)?.bytes()?),
        None => return None,
    };
    (partial != PartialSuccess::default()).then_some(partial)
}

fn from_json(body: &[u8]) -> Option<PartialSuccess> {
    let reply: Value = serde_json::from_slice(body).ok()?;
    let partial = reply.get("partialSuccess")?;
    let counts = ["rejectedLogRecords", "rejectedDataPoints", "rejectedSpans"];
    let rejected = counts
        .iter()
        .find_map(|name| partial.get(name))
        // OTLP/JSON writes 64-bit numbers as text, but a number is valid as well.
        .and_then(|count| count.as_u64().or_else(|| count.as_str()?.parse().ok()));
    let message = partial.get("errorMessage").and_then(Value::as_str).unwrap_or_default();
    Some(PartialSuccess { rejected: rejected.unwrap_or_default(), message: message.to_owned() })
}

fn from_protobuf(message: &[u8]) -> PartialSuccess {
    let rejected = field(message, 1).and_then(|field| field.number()).unwrap_or_default();
    let text = field(message, 2).and_then(|field| field.bytes()).unwrap_or_default();
    PartialSuccess { rejected, message: String::from_utf8_lossy(text).into_owned() }
}

#[derive(Clone, Copy)]
enum Part<'a> {
    Number(u64),
    Bytes(&'a [u8]),
}

impl<'a> Part<'a> {
    const fn bytes(self) -> Option<&'a [u8]> {
        if let Part::Bytes(bytes) = self { Some(bytes) } else { None }
    }

    const fn number(self) -> Option<u64> {
        if let Part::Number(number) = self { Some(number) } else { None }
    }
}

/// The first field of that number, if all before it can be read.
fn field(mut bytes: &[u8], number: u64) -> Option<Part<'_>> {
    while !bytes.is_empty() {
        let key = varint(&mut bytes)?;
        let part = match key & 7 {
            0 => Part::Number(varint(&mut bytes)?),
            1 => Part::Bytes(take(&mut bytes, 8)?),
            2 => {
                let length = varint(&mut bytes)?;
                Part::Bytes(take(&mut bytes, usize::try_from(length).ok()?)?)
            }
            5 => Part::Bytes(take(&mut bytes, 4)?),
            _ => return None,
        };
        if key >> 3 == number {
            return Some(part);
        }
    }
    None
}

fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    // A varint of 64 bits has at most ten bytes; more is not ours to read.
    for place in 0..10 {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(byte & 0x7f) << (place * 7);
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

fn take<'a>(bytes: &mut &'a [u8], length: usize) -> Option<&'a [u8]> {
    let (taken, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    Some(taken)
}
