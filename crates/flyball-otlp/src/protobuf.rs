//! Protobuf: varints, fixed words and parts with their length before them.

use crate::message::{Message, Wire};

const VARINT: u32 = 0;
const WORD: u32 = 1;
const SIZED: u32 = 2;

impl Message {
    /// The message as protobuf.
    #[must_use]
    pub fn protobuf(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for field in &self.0 {
            write(&mut out, field.number, &field.value);
        }
        out
    }
}

fn write(out: &mut Vec<u8>, number: u32, value: &Wire) {
    match value {
        Wire::Text(text) => sized(out, number, text.as_bytes()),
        Wire::Id(bytes) => sized(out, number, bytes),
        Wire::Flag(flag) => small(out, number, u64::from(*flag)),
        Wire::Number(value) => small(out, number, u64::from(*value)),
        // `int64` is not zigzag encoded: a negative one takes ten bytes.
        Wire::Int(value) => small(out, number, value.cast_unsigned()),
        Wire::Fixed(value) => word(out, number, value.to_le_bytes()),
        Wire::SignedFixed(value) => word(out, number, value.to_le_bytes()),
        Wire::Double(value) => word(out, number, value.to_le_bytes()),
        // Repeated numbers are packed in proto3: one length, then all of them.
        Wire::Fixeds(all) => {
            sized(out, number, &all.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>());
        }
        Wire::Doubles(all) => {
            sized(out, number, &all.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>());
        }
        Wire::One(message) => sized(out, number, &message.protobuf()),
        Wire::Many(all) => all.iter().for_each(|message| sized(out, number, &message.protobuf())),
    }
}

fn sized(out: &mut Vec<u8>, number: u32, bytes: &[u8]) {
    key(out, number, SIZED);
    varint(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

fn small(out: &mut Vec<u8>, number: u32, value: u64) {
    key(out, number, VARINT);
    varint(out, value);
}

fn word(out: &mut Vec<u8>, number: u32, bytes: [u8; 8]) {
    key(out, number, WORD);
    out.extend_from_slice(&bytes);
}

fn key(out: &mut Vec<u8>, number: u32, kind: u32) {
    varint(out, u64::from(number << 3 | kind));
}

fn varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push((value & 0x7f) as u8 | 0x80);
        value >>= 7;
    }
    out.push((value & 0x7f) as u8);
}
