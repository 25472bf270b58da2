//! The programs that play a sound, and their arguments. flyball installs none of them.

use super::settings::Volume;

/// A program that plays a sound file.
#[derive(Debug)]
pub(super) struct Player {
    pub(super) name: &'static str,
    pub(super) loudness: Loudness,
    pub(super) formats: Formats,
    words: fn(Volume) -> Vec<String>,
}

/// How the volume is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Loudness {
    Argument,
    /// By the file itself.
    InTheFile,
}

/// What a player can play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Formats {
    /// All common formats.
    Usual,
    /// Waves. Anything else comes out as noise.
    Waves,
}

/// The first that is installed is used.
pub(super) const PLAYERS: &[Player] = &[
    player("afplay", |volume| vec!["-v".to_owned(), share(volume)]),
    player("pw-play", |volume| vec![format!("--volume={}", share(volume))]),
    // PulseAudio's full volume is 65536.
    player("paplay", |volume| vec![format!("--volume={}", u32::from(volume.percent()) * 65_536 / 100)]),
    Player {
        name: "aplay",
        loudness: Loudness::InTheFile,
        formats: Formats::Waves,
        words: |_| vec!["-q".to_owned()],
    },
    player("ffplay", |volume| {
        let mut words = ["-nodisp", "-autoexit", "-loglevel", "quiet", "-volume"].map(str::to_owned).to_vec();
        words.push(volume.percent().to_string());
        words
    }),
    player("mpv", |volume| {
        let mut words = ["--no-config", "--no-terminal", "--no-video"].map(str::to_owned).to_vec();
        words.push(format!("--volume={}", volume.percent()));
        words
    }),
    player("play", |volume| vec!["-q".to_owned(), "-v".to_owned(), share(volume)]),
];

const fn player(name: &'static str, words: fn(Volume) -> Vec<String>) -> Player {
    Player { name, loudness: Loudness::Argument, formats: Formats::Usual, words }
}

impl Player {
    /// Its words for a file: an absolute path, which no player takes for an option.
    pub(super) fn arguments(&self, volume: Volume, file: &str) -> Vec<String> {
        let mut words = (self.words)(volume);
        words.push(file.to_owned());
        words
    }

    /// Whether it can play a file of this name.
    pub(super) fn can_play(&self, file: &str) -> bool {
        let ending = file.rsplit('.').next().unwrap_or_default().to_lowercase();
        self.formats == Formats::Usual || ending == "wav"
    }
}

fn share(volume: Volume) -> String {
    format!("{}.{:02}", volume.percent() / 100, volume.percent() % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_player_gets_the_volume_in_its_own_form() {
        let cases = [
            ("afplay", 50, "-v 0.50 /s.wav"),
            ("afplay", 100, "-v 1.00 /s.wav"),
            ("pw-play", 7, "--volume=0.07 /s.wav"),
            ("paplay", 50, "--volume=32768 /s.wav"),
            ("paplay", 100, "--volume=65536 /s.wav"),
            ("paplay", 0, "--volume=0 /s.wav"),
            ("aplay", 50, "-q /s.wav"),
            ("ffplay", 50, "-nodisp -autoexit -loglevel quiet -volume 50 /s.wav"),
            ("mpv", 5, "--no-config --no-terminal --no-video --volume=5 /s.wav"),
            ("play", 50, "-q -v 0.50 /s.wav"),
        ];
        for (name, percent, expected) in cases {
            let player = PLAYERS.iter().find(|player| player.name == name).unwrap();
            let volume = Volume::from_percent(percent).unwrap();
            assert_eq!(player.arguments(volume, "/s.wav").join(" "), expected, "{name} at {percent}");
        }
        let named: Vec<&str> = PLAYERS.iter().map(|player| player.name).collect();
        assert!(named.iter().all(|name| cases.iter().any(|(case, ..)| case == name)), "{named:?}");
    }

    #[test]
    fn a_player_of_waves_gets_no_other_format() {
        let can =
            |name: &str, file| PLAYERS.iter().find(|player| player.name == name).unwrap().can_play(file);
        assert_eq!(
            [can("aplay", "/a.wav"), can("aplay", "/a.WAV"), can("aplay", "/a.mp3")],
            [true, true, false]
        );
        assert!(can("mpv", "/a.mp3"));
    }
}
