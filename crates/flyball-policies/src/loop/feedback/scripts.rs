//! The scripts behind the commands that prove something. If one says something else than when the session began, a pass is
//! no proof by itself: a person decides.

use std::collections::BTreeSet;

use flyball_core::path::{AbsolutePath, strip_folder};
use flyball_core::policy::{PolicyError, Situation};
use flyball_core::verdict::Verdict;

use super::super::definition::{self, Reach};
use super::super::pins::Pins;
use super::session::Session;
use super::settings::Settings;
use super::state::{Ending, Escalation};
use super::{content, messages};
use crate::digest::digest;

const KEY: &str = "loop.feedback.scripts";

/// Notes what the scripts say, unless that is known or the session begins `anew`.
pub(super) fn note(situation: &Situation<'_>, settings: &Settings, anew: bool) -> Result<(), PolicyError> {
    pins(situation).note(anew, || files(situation, settings))
}

/// Whether anything was noted.
pub(super) fn is_noted(situation: &Situation<'_>) -> Result<bool, PolicyError> {
    situation.memory.has(KEY)
}

fn pins<'a>(situation: &'a Situation<'a>) -> Pins<'a> {
    Pins { situation, key: KEY }
}

fn files(situation: &Situation<'_>, settings: &Settings) -> Vec<AbsolutePath> {
    let all =
        settings.commands().flat_map(|command| definition::files(situation.world, command, Reach::Scripts));
    all.collect::<BTreeSet<_>>().into_iter().collect()
}

impl Session<'_> {
    /// Everything has passed, but by scripts that changed: the agent is released, and a person decides, once for each
    /// content of them.
    pub(super) fn ask_about_scripts(&mut self) -> Result<Option<Verdict>, PolicyError> {
        if self.state.iteration == 0 || !self.open_phases().is_empty() {
            return Ok(None);
        }
        let changed = pins(self.situation).changed(files(self.situation, &self.settings))?;
        let root = content::real_root(self.situation.world);
        let named = |path: &AbsolutePath| strip_folder(path, &root).unwrap_or(path).to_owned();
        let names: Vec<String> = changed.iter().map(named).collect();
        if names.is_empty() {
            return Ok(None);
        }
        let world = self.situation.world;
        let says = |path: &AbsolutePath| {
            let text = world.read(path, 1024 * 1024).ok().flatten();
            text.map_or_else(String::new, |text| world.hash(&text).as_str().to_owned())
        };
        let texts: Vec<String> = changed.iter().flat_map(|path| [path.to_string(), says(path)]).collect();
        let print = digest(texts.iter().map(String::as_str));
        if self.state.accepted_scripts == Some(print) {
            return Ok(None);
        }
        // Work that passes by them later is another question: nobody accepted them.
        if self.state.shown_scripts == Some(print) && matches!(self.state.ending, Some(Ending::Escalated(_)))
        {
            return Ok(Some(Verdict::silent()));
        }
        self.state.shown_scripts = Some(print);
        let reason = messages::changed_scripts(&names);
        let on =
            self.state.domains.iter().map(|(name, domain)| (name.clone(), domain.fingerprint())).collect();
        let escalation = Escalation { reason: reason.clone(), at: self.now(), on, ..Escalation::default() };
        self.state.ending = Some(Ending::Escalated(escalation));
        let text = messages::changed_scripts_question(&reason, &names);
        Ok(Some(Verdict::notice(text).with_evidence("escalation", reason)))
    }
}
