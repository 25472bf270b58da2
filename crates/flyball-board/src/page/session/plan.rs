//! What is drawn where in the swim-lanes: one lane for each agent, one mark for each event, and never more than a
//! browser and a keyboard can handle.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use flyball_core::event::EventKind;
use flyball_core::record::Record;
use flyball_core::time::Time;
use flyball_core::verdict::Stance;
use flyball_store::StoredEvent;

use super::axis::Axis;
use crate::page::calls::{self, agent_of};

/// Marks that are links; what comes on top is drawn as density.
pub(super) const MOST_MARKS: usize = 300;
/// Lanes of their own; further agents share the last one.
pub(super) const MOST_LANES: usize = 24;
const MOST_SPANS: usize = 400;
/// A call that would be a narrower bar is shown by its marks alone, in per cent of the width.
const NARROWEST_SPAN: f64 = 0.25;
/// Steps of density over the width.
pub(super) const BINS: usize = 100;

/// An agent, as its lane names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LaneName {
    /// Its id; empty for the main one.
    pub(super) agent: String,
    /// What is written beside the lane.
    pub(super) name: String,
}

/// The whole picture. Places are per cent of the width and numbers of lanes.
pub(super) struct Plan<'a> {
    pub(super) axis: Axis,
    pub(super) lanes: Vec<Lane>,
    pub(super) marks: Vec<Mark<'a>>,
    pub(super) spans: Vec<Span<'a>>,
    pub(super) moments: Vec<Moment<'a>>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Lane {
    /// The agent; none for the lane that many share.
    pub(super) agent: Option<String>,
    pub(super) name: String,
    /// How many events without a mark are where, by bins.
    pub(super) density: Vec<u32>,
}

impl Lane {
    /// How many of its events have no mark.
    pub(super) fn without_mark(&self) -> u32 {
        self.density.iter().sum()
    }
}

pub(super) struct Mark<'a> {
    pub(super) x: f64,
    pub(super) lane: usize,
    pub(super) record: &'a Record,
}

/// A call from its question to its end.
pub(super) struct Span<'a> {
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) lane: usize,
    pub(super) record: &'a Record,
    /// How long it ran.
    pub(super) took: Duration,
    pub(super) has_failed: bool,
}

/// A moment that matters to all agents.
pub(super) struct Moment<'a> {
    pub(super) x: f64,
    pub(super) label: &'static str,
    pub(super) record: &'a Record,
}

impl<'a> Plan<'a> {
    /// Plans the picture of these events, oldest first. The agents give the lanes their order and their names.
    pub(super) fn build(events: &'a [StoredEvent], agents: &[LaneName]) -> Plan<'a> {
        let times: Vec<Time> = events.iter().map(|event| event.record.at).collect();
        let axis = Axis::over(&times);
        let (mut lanes, place) = lanes(events, agents);
        let marked = marked(events);
        let mut marks = Vec::new();
        for event in events {
            let record = &event.record;
            let lane = place.get(agent_of(record)).copied().unwrap_or_default();
            let x = axis.x(record.at);
            if marked.contains(&event.row) {
                marks.push(Mark { x, lane, record });
            } else if let Some(bin) = lanes.get_mut(lane).and_then(|lane| lane.density.get_mut(bin(x))) {
                *bin += 1;
            }
        }
        let spans = spans(events, &axis, &place);
        let moments = events.iter().filter_map(|event| moment(&event.record, &axis)).collect();
        Plan { axis, lanes, marks, spans, moments }
    }

    /// How many events have no mark of their own.
    pub(super) fn without_mark(&self) -> u32 {
        self.lanes.iter().map(Lane::without_mark).sum()
    }
}

/// The lanes, and which lane each agent is in.
fn lanes(events: &[StoredEvent], agents: &[LaneName]) -> (Vec<Lane>, BTreeMap<String, usize>) {
    let mut weights: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut order: Vec<LaneName> = agents.to_vec();
    let mut known: BTreeSet<String> = agents.iter().map(|lane| lane.agent.clone()).collect();
    for event in events {
        let agent = agent_of(&event.record);
        let weight = weights.entry(agent).or_default();
        weight.0 += usize::from(event.record.stance >= Stance::Ask);
        weight.1 += 1;
        if known.insert(agent.to_owned()) {
            order.push(LaneName { agent: agent.to_owned(), name: fallback_name(&event.record) });
        }
    }
    // Agents without an event in this part of the session get no lane.
    order.retain(|lane| weights.contains_key(lane.agent.as_str()));
    let own = with_own_lane(&order, &weights);
    let mut lanes = Vec::new();
    let mut place = BTreeMap::new();
    let (separate, shared): (Vec<LaneName>, Vec<LaneName>) =
        order.into_iter().partition(|lane| own.contains(&lane.agent));
    for lane in separate {
        place.insert(lane.agent.clone(), lanes.len());
        lanes.push(Lane { agent: Some(lane.agent), name: lane.name, density: vec![0; BINS] });
    }
    if !shared.is_empty() {
        let name = format!("{} more agents", shared.len());
        place.extend(shared.into_iter().map(|lane| (lane.agent, lanes.len())));
        lanes.push(Lane { agent: None, name, density: vec![0; BINS] });
    }
    (lanes, place)
}

/// The main agent, those that were refused something, and the busiest.
fn with_own_lane(order: &[LaneName], weights: &BTreeMap<&str, (usize, usize)>) -> BTreeSet<String> {
    let mut ranked: Vec<&LaneName> = order.iter().collect();
    ranked.sort_by_key(|lane| {
        let weight = weights.get(lane.agent.as_str()).copied().unwrap_or_default();
        (!lane.agent.is_empty(), std::cmp::Reverse(weight))
    });
    // A shared lane with one agent is that agent's own lane.
    let most = if ranked.len() == MOST_LANES + 1 { ranked.len() } else { MOST_LANES };
    ranked.into_iter().take(most).map(|lane| lane.agent.clone()).collect()
}

fn fallback_name(record: &Record) -> String {
    match &record.agent {
        None => "main".to_owned(),
        Some(agent) if agent.role.is_empty() => "agent".to_owned(),
        Some(agent) => agent.role.clone(),
    }
}

/// The rows of the events that get a mark: those that matter most, then the newest.
fn marked(events: &[StoredEvent]) -> BTreeSet<i64> {
    let mut ranked: Vec<&StoredEvent> = events.iter().collect();
    ranked.sort_by_key(|event| std::cmp::Reverse((weight(&event.record), event.record.at, event.row)));
    ranked.into_iter().take(MOST_MARKS).map(|event| event.row).collect()
}

fn weight(record: &Record) -> u8 {
    match record.stance {
        Stance::Deny => 4,
        Stance::Ask => 3,
        // Prompts and ends are what people orient themselves by, whatever flyball answered.
        Stance::Silent | Stance::Allow if moment_label(record).is_some() => 2,
        Stance::Allow => 1,
        Stance::Silent => 0,
    }
}

fn spans<'a>(events: &'a [StoredEvent], axis: &Axis, place: &BTreeMap<String, usize>) -> Vec<Span<'a>> {
    let mut spans = Vec::new();
    for (before, after) in calls::paired(events.iter()) {
        let (before, after) = (&before.record, &after.record);
        let (left, right) = (axis.x(before.at), axis.x(after.at));
        let lane = place.get(agent_of(before)).copied().unwrap_or_default();
        if right - left < NARROWEST_SPAN {
            continue;
        }
        let has_failed = after.kind != EventKind::AfterTool;
        spans.push(Span { left, right, lane, record: before, took: after.at.since(before.at), has_failed });
    }
    // The longest first: shorter ones are drawn over them.
    spans.sort_by(|a, b| (b.right - b.left).total_cmp(&(a.right - a.left)));
    spans.truncate(MOST_SPANS);
    spans
}

fn moment<'a>(record: &'a Record, axis: &Axis) -> Option<Moment<'a>> {
    moment_label(record).map(|word| Moment { x: axis.x(record.at), label: word, record })
}

/// What is written at a moment that matters to all agents.
fn moment_label(record: &Record) -> Option<&'static str> {
    match record.kind {
        EventKind::PromptSubmit => Some("prompt"),
        EventKind::BeforeCompact => Some("compaction"),
        EventKind::Stop if record.stance == Stance::Deny => Some("stop held"),
        EventKind::SessionEnd => Some("end"),
        _ => None,
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a percentage, kept within the bins"
)]
fn bin(x: f64) -> usize {
    (x.clamp(0.0, 99.9) as usize).min(BINS - 1)
}
