//! The settings in force, where they were written, and the player.

use flyball_core::config::Mode;
use flyball_core::world::Clock;
use flyball_policies::notify::settings::Settings;
use flyball_policies::notify::{Equipment, POLICY, Sound};
use flyball_world::machine::Machine;

use crate::outcome::Failed;
use crate::project_context::{Origins, ProjectContext, mode_in};
use crate::show::{Page, Text};
use crate::terminal::Style;

/// The settings of the sound in this project.
pub(super) struct SoundState {
    pub(super) mode: Mode,
    pub(super) settings: Settings,
    pub(super) machine: Machine,
    origins: Origins,
}

impl SoundState {
    pub(super) fn read() -> Result<SoundState, Failed> {
        let here = ProjectContext::find()?;
        let config = here.load_config().config;
        let section = config.sections.get(POLICY.id.as_str());
        let settings = section.map_or_else(|| Ok(Settings::default()), |section| section.parse())?;
        Ok(SoundState {
            mode: mode_in(&config, &POLICY),
            settings,
            machine: here.machine(),
            origins: Origins::read(&here.files),
        })
    }

    /// Where a key of the section was written.
    pub(super) fn origin(&self, key: &str) -> String {
        self.origins.describe_key(&format!("{}.{key}", POLICY.id))
    }

    /// Whether a sound is played at all.
    pub(super) fn is_on(&self) -> bool {
        self.mode == Mode::Enforce && self.settings.sound && self.settings.volume.percent() > 0
    }

    /// How the sound would be played here, whether it is on or not.
    pub(super) fn sound(&self) -> Sound {
        // `find` looks for a player only if the sound is on.
        let settings = Settings { sound: true, ..self.settings.clone() };
        let equipment = Equipment::find(&settings, &self.machine);
        equipment.sound(settings.volume, settings.file.as_ref(), &self.machine)
    }

    pub(super) fn page(&self) -> Page {
        let settings = &self.settings;
        let on_off = |is_on: bool| if is_on { "on" } else { "off" }.to_owned();
        let quiet: Vec<String> = settings.quiet.iter().map(ToString::to_string).collect();
        let file = settings.file.as_ref().map_or("the built-in tone", |file| file.as_str());
        let rows = [
            ("mode", self.mode.name().to_owned()),
            ("sound", on_off(settings.sound)),
            ("desktop", on_off(settings.desktop)),
            ("volume", format!("{}%", settings.volume.percent())),
            ("file", file.to_owned()),
            ("quiet", if quiet.is_empty() { "never".to_owned() } else { quiet.join(", ") }),
        ];
        let mut page = Page::default();
        let style = if self.is_on() { Style::Good } else { Style::Warning };
        page.line(Text::from("sound is ").then(style.text(on_off(self.is_on()))));
        for (key, value) in rows {
            let origin = Style::Faint.text(format!("({})", self.origin(key)));
            page.line(Text::from(format!("  {key:<8} {value} ")).then(origin));
        }
        if self.machine.local_minutes().is_some_and(|minute| settings.is_quiet(minute)) {
            page.line("  these are quiet hours: no sound is played now");
        }
        // For the same reason as in `sound`.
        let desktop = Settings { desktop: true, ..settings.clone() };
        page.line(format!("  {:<8} {}", "player", player(&self.sound())));
        page.line(format!("  {:<8} {}", "notices", Equipment::find(&desktop, &self.machine).notifier_name()));
        page
    }
}

fn player(sound: &Sound) -> String {
    match sound {
        Sound::Played { player, follow_up: command, instead_of: None } => {
            format!("{player} ({})", command.program)
        }
        Sound::Played { player, follow_up: command, instead_of: Some(file) } => {
            format!("{player} ({}) plays the built-in tone: it cannot play `{file}`", command.program)
        }
        Sound::Bell(why) => format!("the terminal's bell: {why}"),
        Sound::Nothing => "none: the volume is 0".to_owned(),
    }
}
