//! Laws of the lanes, for sessions of all shapes.

use flyball_core::event::{Agent, EventKind};
use flyball_core::record::Record;
use flyball_core::time::Time;
use flyball_core::verdict::Stance;
use flyball_store::StoredEvent;
use jiff::tz::TimeZone;

use super::draw;
use super::plan::{MOST_LANES, MOST_MARKS, Plan};
use crate::route::Route;

/// Numbers that look like chance and are the same each time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }

    fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        let place = self.roll(all.len() as u64);
        all[usize::try_from(place).unwrap()]
    }
}

/// A session of any length, with bursts, pauses and agents.
fn session(dice: &mut Dice) -> Vec<StoredEvent> {
    let many = dice.pick(&[0, 1, 2, 5, 40, 299, 301, 800]);
    let agents = dice.pick(&[1, 2, 7, 60]);
    let mut at = 1_794_700_800_000_000;
    (0..many)
        .map(|row| {
            at += dice.pick(&[0, 0, 1, 900_000, 20_000_000, 4_000_000_000, 90_000_000_000]);
            let who = dice.roll(agents);
            StoredEvent { row, seq: 1, record: record(dice, at, who) }
        })
        .collect()
}

fn record(dice: &mut Dice, at: i64, who: u64) -> Record {
    Record {
        at: Time::from_micros(at),
        agent: (who > 0).then(|| Agent { id: who.to_string(), role: "worker".to_owned() }),
        kind: dice.pick(&[
            EventKind::BeforeTool,
            EventKind::AfterTool,
            EventKind::PromptSubmit,
            EventKind::Stop,
        ]),
        subject: dice.pick(&["ls", "make"]).to_owned(),
        stance: dice.pick(&[
            Stance::Silent,
            Stance::Silent,
            Stance::Silent,
            Stance::Ask,
            Stance::Allow,
            Stance::Deny,
        ]),
        ..flyball_testkit::record(0)
    }
}

#[test]
fn every_event_is_drawn_once_and_within_the_box() {
    let mut dice = Dice(0x9e37_79b9);
    for round in 0..200 {
        let events = session(&mut dice);
        let plan = Plan::build(&events, &[]);
        let drawn = plan.marks.len() + usize::try_from(plan.without_mark()).unwrap();
        assert_eq!(drawn, events.len(), "round {round}");
        assert_eq!(plan.marks.len(), events.len().min(MOST_MARKS), "round {round}");
        assert!(plan.lanes.len() <= MOST_LANES + 1, "round {round}: {} lanes", plan.lanes.len());
        for mark in &plan.marks {
            assert!(
                (0.0..=100.0).contains(&mark.x) && mark.lane < plan.lanes.len(),
                "round {round}: {}",
                mark.x
            );
        }
        for (before, after) in plan.marks.iter().zip(plan.marks.iter().skip(1)) {
            assert!(
                before.x <= after.x && before.record.at <= after.record.at,
                "round {round}: time runs to the right"
            );
        }
        for span in &plan.spans {
            assert!(0.0 <= span.left && span.left <= span.right && span.right <= 100.0, "round {round}");
        }
        let html = draw::lanes(&plan, &TimeZone::UTC, |_| Route::Events.bare()).into_string();
        assert_eq!(html.matches("class=\"mark\"").count(), plan.marks.len(), "round {round}");
        assert!(!html.contains("NaN") && !html.contains("inf"), "round {round}");
    }
}

#[test]
fn what_is_denied_has_a_mark_however_much_happened() {
    let mut dice = Dice(7);
    let mut events: Vec<StoredEvent> = (0..1_000)
        .map(|row| {
            let stance = if row % 100 == 3 { Stance::Deny } else { Stance::Silent };
            StoredEvent { row, seq: 1, record: Record { stance, ..record(&mut dice, row * 1_000_000, 0) } }
        })
        .collect();
    events.iter_mut().for_each(|event| event.record.kind = EventKind::BeforeTool);
    let plan = Plan::build(&events, &[]);
    assert_eq!(plan.marks.iter().filter(|mark| mark.record.stance == Stance::Deny).count(), 10);
}
