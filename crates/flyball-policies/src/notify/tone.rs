//! The default sound: two short notes, generated here.

use super::settings::Volume;

const RATE: u32 = 22_050;
/// A third of a second.
const SAMPLES: u32 = RATE / 3;
/// The two notes, in hertz.
const LOW: u32 = 660;
const HIGH: u32 = 880;
const LOUDEST: i64 = 24_000;

/// A WAV file: 16 bits, one channel.
pub(super) fn wave(volume: Volume) -> Vec<u8> {
    let data: Vec<u8> = (0..SAMPLES).flat_map(|at| sample(at, volume).to_le_bytes()).collect();
    let length = SAMPLES * 2;
    let mut wave = Vec::with_capacity(44 + data.len());
    wave.extend(b"RIFF");
    wave.extend((36 + length).to_le_bytes());
    wave.extend(b"WAVEfmt ");
    wave.extend(16_u32.to_le_bytes());
    // Plain samples, one channel.
    wave.extend(1_u16.to_le_bytes());
    wave.extend(1_u16.to_le_bytes());
    wave.extend(RATE.to_le_bytes());
    wave.extend((RATE * 2).to_le_bytes());
    wave.extend(2_u16.to_le_bytes());
    wave.extend(16_u16.to_le_bytes());
    wave.extend(b"data");
    wave.extend(length.to_le_bytes());
    wave.extend(data);
    wave
}

/// A triangle that fades out within its note: softer than a square, and whole numbers are enough for it.
fn sample(at: u32, volume: Volume) -> i16 {
    let half = SAMPLES / 2;
    let (note, within) = if at < half { (LOW, at) } else { (HIGH, at - half) };
    let phase = i64::from((within * note) % RATE) * 4 * LOUDEST / i64::from(RATE);
    let triangle = match phase / LOUDEST {
        0 => phase,
        1 | 2 => 2 * LOUDEST - phase,
        _ => phase - 4 * LOUDEST,
    };
    let left = i64::from(half.saturating_sub(within));
    let faded = triangle * left / i64::from(half) * i64::from(volume.percent()) / 100;
    i16::try_from(faded).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tone_is_a_wave_file_of_the_given_volume() {
        let peak = |percent| {
            let wave = wave(Volume::from_percent(percent).unwrap());
            assert_eq!((&wave[..4], &wave[8..16]), (&b"RIFF"[..], &b"WAVEfmt "[..]));
            assert_eq!(wave.len(), 44 + 2 * usize::try_from(SAMPLES).unwrap());
            assert_eq!(u32::from_le_bytes(wave[4..8].try_into().unwrap()) as usize, wave.len() - 8);
            assert_eq!(u32::from_le_bytes(wave[40..44].try_into().unwrap()) as usize, wave.len() - 44);
            let samples = wave[44..].chunks(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]]));
            samples.map(i16::unsigned_abs).max().unwrap()
        };
        assert_eq!(peak(0), 0);
        assert!((10_000..12_001).contains(&peak(50)), "{}", peak(50));
        assert!((22_000..24_001).contains(&peak(100)), "{}", peak(100));
    }
}
