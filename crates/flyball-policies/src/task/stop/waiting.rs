//! What the agent waits for in the background. Its end wakes the agent up, so there is no reason to block it.

use std::collections::BTreeMap;

use flyball_core::event::EventData;
use flyball_core::policy::{PolicyError, Situation};
use flyball_core::text;
use flyball_core::time::Time;
use serde::{Deserialize, Serialize};

use super::settings::Settings;

const KEY: &str = "task.stop.background";
const MOST_CHARS: usize = 120;

/// When each piece of work in the background was first seen at a stop, by the client's id of it.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
struct Seen(#[serde(with = "flyball_core::time::millis")] BTreeMap<String, Time>);

/// What runs in the background, if it is not there for so long already that it may never end.
pub(super) fn awaited(situation: &Situation<'_>, settings: &Settings) -> Result<Option<String>, PolicyError> {
    let EventData::Stop(stopping) = &situation.event.happening else { return Ok(None) };
    if stopping.background.is_empty() {
        return Ok(None);
    }
    let now = situation.world.now();
    let stored = situation.memory.read(KEY)?;
    let before: Seen = stored.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    let since = |id: &String| before.0.get(id).copied().unwrap_or(now);
    let ids = stopping.background.iter().map(|work| &work.id);
    let seen = Seen(ids.map(|id| (id.clone(), since(id))).collect());
    let is_awaited = |id: &String| now.since(since(id)) <= settings.background.duration();
    let awaited = stopping.background.iter().find(|work| is_awaited(&work.id));
    if seen != before {
        situation.memory.write(KEY, serde_json::to_string(&seen).unwrap_or_default())?;
    }
    Ok(awaited.map(|work| {
        let what = [&work.command, &work.description, &work.kind].into_iter().find(|text| !text.is_empty());
        text::cut(&text::one_line(what.unwrap_or(&work.id)), MOST_CHARS).into_owned()
    }))
}
