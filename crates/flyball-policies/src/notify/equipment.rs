//! The programs of this machine that play sounds and show notifications.

use flyball_core::path::AbsolutePath;
use flyball_core::policy::World;
use flyball_core::verdict::FollowUp;
use flyball_core::workshop::{Places, ProgramQuery, Workshop};

use super::notifier::{Form, NOTIFIERS, Notifier};
use super::player::{Loudness, PLAYERS, Player};
use super::settings::{Settings, SoundFile, Volume};
use super::tone;

/// Set if the person is at another machine: only the terminal reaches them.
const REMOTE: [&str; 2] = ["SSH_CONNECTION", "SSH_TTY"];
/// Without one of these there is no desktop to show something on.
const DESKTOP: [&str; 3] = ["WAYLAND_DISPLAY", "DISPLAY", "DBUS_SESSION_BUS_ADDRESS"];

#[derive(Clone, Debug)]
pub struct Equipment {
    player: Option<(&'static Player, AbsolutePath)>,
    is_remote: bool,
    /// The built-in tone, as loud as the player needs it.
    tone: Option<AbsolutePath>,
    pub(super) notifier: Notifier,
}

/// How a sound is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sound {
    /// A program plays it.
    Played {
        player: &'static str,
        /// How it is started.
        follow_up: FollowUp,
        /// The configured file that does not exist, or that the program cannot play: the tone is played instead.
        instead_of: Option<AbsolutePath>,
    },
    /// The terminal's bell rings, and this is why.
    Bell(String),
    /// None: the volume is 0.
    Nothing,
}

impl Equipment {
    /// Finds the programs. The tone is written to a file for the players.
    #[must_use]
    pub fn find(settings: &Settings, workshop: &dyn Workshop) -> Equipment {
        let place = |name: &str| {
            let query = ProgramQuery {
                name: name.to_owned(),
                near: AbsolutePath::default(),
                places: Places::SearchPath,
            };
            workshop.find(&query).map(|program| program.path)
        };
        let is_set = |name: &&str| workshop.variable(name).is_some();
        let is_remote = REMOTE.iter().any(is_set);
        let players = || PLAYERS.iter().find_map(|player| Some((player, place(player.name)?)));
        let player = if is_remote || !settings.sound { None } else { players() };
        let tone = player.as_ref().and_then(|(player, _)| made_tone(player, settings.volume, workshop));
        // The other notifiers are for macOS, which needs none of these variables.
        let has_desktop = |name: &str| name != "notify-send" || DESKTOP.iter().any(is_set);
        let notifiers = || {
            let named = NOTIFIERS.into_iter().filter(|name| has_desktop(name));
            named.into_iter().find_map(|name| Some(Notifier::Program { name, path: place(name)? }))
        };
        let program = if is_remote || !settings.desktop { None } else { notifiers() };
        let notifier = program.unwrap_or_else(|| Notifier::Terminal(form(workshop)));
        Equipment { player, is_remote, tone, notifier }
    }

    /// How this sound is made here; without a file of its own it is the tone.
    #[must_use]
    pub fn sound(&self, volume: Volume, file: Option<&SoundFile>, world: &dyn World) -> Sound {
        if volume.percent() == 0 {
            return Sound::Nothing;
        }
        let Some((player, program)) = &self.player else { return Sound::Bell(self.why_none()) };
        let path = file.map(|file| world.real_path(&AbsolutePath::default(), file.as_str()));
        let is_there = |path: &AbsolutePath| world.stat(path).is_some_and(|stat| !stat.is_folder);
        let playable = path.clone().filter(|path| is_there(path) && player.can_play(path));
        let instead_of = path.filter(|_| playable.is_none());
        let Some(file) = playable.or_else(|| self.tone.clone()) else {
            return Sound::Bell(
                "there is no folder for the sound file; set HOME or FLYBALL_STATE_DIR".to_owned(),
            );
        };
        let follow_up = FollowUp { program: program.clone(), arguments: player.arguments(volume, &file) };
        Sound::Played { player: player.name, follow_up, instead_of }
    }

    /// What shows notices on the desktop, for people.
    #[must_use]
    pub fn notifier_name(&self) -> &str {
        match &self.notifier {
            Notifier::Program { name, .. } => name,
            Notifier::Terminal(_) => "the client's terminal",
        }
    }

    fn why_none(&self) -> String {
        if self.is_remote {
            return "you are connected through SSH, so that only the terminal reaches you".to_owned();
        }
        let names: Vec<&str> = PLAYERS.iter().map(|player| player.name).collect();
        format!("none of {} is installed", names.join(", "))
    }
}

/// A player without a volume option gets a tone of the right volume.
fn made_tone(player: &Player, volume: Volume, workshop: &dyn Workshop) -> Option<AbsolutePath> {
    let volume = match player.loudness {
        Loudness::Argument => Volume::from_percent(100)?,
        Loudness::InTheFile => volume,
    };
    workshop.persistent_file(&format!("tone-{}.wav", volume.percent()), &tone::wave(volume))
}

fn form(workshop: &dyn Workshop) -> Form {
    let is_rxvt = workshop.variable("TERM").is_some_and(|name| name.starts_with("rxvt"));
    if is_rxvt || workshop.variable("VTE_VERSION").is_some() { Form::Titled } else { Form::Plain }
}
