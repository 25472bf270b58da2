//! What is counted while journals are folded.

use std::collections::BTreeMap;
use std::time::Duration;

use flyball_core::config::{Mode, StoreSettings};
use flyball_core::event::{AnswerId, CallKey, SessionId};
use flyball_core::record::Record;
use flyball_core::time::whole_micros;
use flyball_core::verdict::Stance;
use flyball_store::{Consent, Filter, FoldOptions, Overview, PolicyActivity, ReadStore, TimeBucket, Window};
use proptest::prelude::*;

use super::sample::{DAY, HOUR, Home, MINUTE, NOW, SECOND, Time, options_at, record, ruling, session};

const PROJECTS: [&str; 3] = ["/home/ada/engine", "/home/ada/loom", "/srv/x"];

fn window(since: Time, until: Time) -> Window {
    Window { since, until, project: None, session: None }
}

fn everything() -> Window {
    window(Time::default(), Time::MAX)
}

/// The sums of the buckets: events, denials, asks, characters, microseconds.
fn sums(buckets: &[TimeBucket]) -> [u64; 5] {
    let mut sums = [0; 5];
    for bucket in buckets {
        assert_eq!(bucket.took.count(), bucket.events);
        let took = whole_micros(bucket.took.sum());
        let parts = [bucket.events, bucket.denials, bucket.asks, bucket.context_chars, took];
        sums.iter_mut().zip(parts).for_each(|(sum, part)| *sum += part);
    }
    sums
}

fn sums_of<'a>(records: impl Iterator<Item = &'a Record>) -> [u64; 5] {
    let mut sums = [0; 5];
    for record in records.filter(|record| !record.duplicate) {
        let is = |stance| u64::from(record.stance == stance);
        let parts =
            [1, is(Stance::Deny), is(Stance::Ask), record.context_chars as u64, whole_micros(record.took)];
        sums.iter_mut().zip(parts).for_each(|(sum, part)| *sum += part);
    }
    sums
}

fn stored(index: &dyn ReadStore) -> Vec<Record> {
    let all = Filter { with_duplicates: true, ..Filter::default() };
    index.events(&all).unwrap().into_iter().map(|event| event.record).collect()
}

/// Compares what was counted with the events themselves.
fn check(index: &dyn ReadStore, window: &Window) {
    let records = stored(index);
    let inside = |record: &&Record| {
        (window.since..window.until).contains(&record.at)
            && window.project.as_ref().is_none_or(|project| *project == record.project)
            && window.session.as_ref().is_none_or(|session| *session == record.session)
    };
    let expected = sums_of(records.iter().filter(inside));
    for most in [1, 7, 60, 300] {
        let buckets = index.timeline(window, most).unwrap();
        assert!(buckets.len() <= most, "{} of {most}", buckets.len());
        assert_eq!(sums(&buckets), expected, "{window:?} in {most}");
        for pair in buckets.windows(2) {
            assert_eq!(pair[0].start + pair[0].length, pair[1].start);
        }
    }
    let overview = index.overview(window).unwrap();
    let [events, denials, asks, context_chars, sum] = expected;
    let found = [
        overview.events,
        overview.denials,
        overview.asks,
        overview.context_chars,
        whole_micros(overview.took.sum()),
    ];
    assert_eq!(found, [events, denials, asks, context_chars, sum]);
    assert_eq!(overview.denials + overview.asks + overview.allows + overview.silent, overview.events);
}

/// What the policies did, counted from the events themselves.
fn rulings_of(records: &[Record]) -> BTreeMap<String, (u64, u64, u64)> {
    let mut all = BTreeMap::new();
    for record in records.iter().filter(|record| !record.duplicate) {
        for ruling in &record.rulings {
            let (asked, denied, micros) = all.entry(ruling.policy.clone()).or_insert((0, 0, 0));
            *asked += 1;
            *denied += u64::from(ruling.stance == Stance::Deny);
            *micros += whole_micros(ruling.took);
        }
    }
    all
}

fn pulses_of(pulses: &[PolicyActivity]) -> BTreeMap<String, (u64, u64, u64)> {
    let one = |pulse: &PolicyActivity| {
        (pulse.policy.clone(), (pulse.took.count(), pulse.denials, whole_micros(pulse.took.sum())))
    };
    pulses.iter().map(one).collect()
}

#[test]
fn a_window_is_cut_into_stretches_with_the_empty_ones() {
    let home = Home::new();
    let start = NOW.floor(HOUR);
    for (number, minute) in [(1, 0), (2, 0), (3, 2)] {
        let mut record = record(number);
        record.at = start + minute * MINUTE + Duration::from_micros(3);
        if number == 2 {
            (record.stance, record.context_chars) = (Stance::Deny, 40);
        }
        home.commit(&record);
    }
    let buckets = home.index().timeline(&window(start, start + 3 * MINUTE), 3).unwrap();
    let counted: Vec<(Duration, Duration, u64, u64, u64)> = buckets
        .iter()
        .map(|bucket| {
            (bucket.start.since(start), bucket.length, bucket.events, bucket.denials, bucket.context_chars)
        })
        .collect();
    assert_eq!(
        counted,
        [(Duration::ZERO, MINUTE, 2, 1, 40), (MINUTE, MINUTE, 0, 0, 0), (2 * MINUTE, MINUTE, 1, 0, 0)]
    );
    assert_eq!(buckets[0].took.percentile(0.5), Some(Duration::from_micros(400)));
}

#[test]
fn an_empty_window_has_no_buckets() {
    let home = Home::new();
    let index = home.index();
    assert_eq!(index.timeline(&window(NOW, NOW), 10).unwrap(), []);
    assert_eq!(index.timeline(&window(NOW, NOW + SECOND), 0).unwrap(), []);
    assert_eq!(index.timeline(&window(Time::MIN, Time::MAX), 3).unwrap().len(), 3);
    assert_eq!(index.overview(&everything()).unwrap(), Overview::default());
    assert_eq!(index.policy_activities(&everything()).unwrap(), []);
    assert_eq!((index.first_at().unwrap(), index.tip().unwrap()), (None, 0));
}

#[test]
fn silent_policies_count_and_the_one_that_takes_most_time_is_first() {
    let home = Home::new();
    for number in 1..=3 {
        let mut record = record(number);
        record.rulings = vec![ruling("guard.packages", Stance::Deny), ruling("quality.lint", Stance::Silent)];
        record.rulings[1].took = Duration::from_millis(90);
        record.rulings[1].error = (number == 1).then(|| "no linter".to_owned());
        home.commit(&record);
    }
    let index = home.index();
    for window in [everything(), Window { session: Some(session()), ..everything() }] {
        let pulses = index.policy_activities(&window).unwrap();
        let counted: Vec<(&str, u64, u64, u64, u64)> = pulses
            .iter()
            .map(|pulse| {
                (
                    &*pulse.policy,
                    pulse.took.count(),
                    pulse.denials,
                    pulse.errors,
                    whole_micros(pulse.took.sum()),
                )
            })
            .collect();
        assert_eq!(counted, [("quality.lint", 3, 0, 1, 270_000), ("guard.packages", 3, 3, 0, 36)]);
    }
}

#[test]
fn each_part_of_a_timeline_is_the_activity_in_its_part_of_the_window() {
    let home = Home::new();
    for number in 1..=200 {
        let mut record = record(number);
        record.at = NOW + u32::try_from(number).unwrap() * 7 * MINUTE;
        let stance = if number % 3 == 0 { Stance::Deny } else { Stance::Silent };
        record.rulings = vec![ruling("guard.packages", stance), ruling("quality.lint", Stance::Silent)];
        home.commit(&record);
    }
    let index = home.index();
    for (until, most) in [(NOW + HOUR, 16), (NOW + DAY, 30), (NOW + DAY, 16), (NOW + 3 * DAY, 5)] {
        let window = window(NOW, until);
        let timeline = index.policy_timeline(&window, most, None).unwrap();
        assert!(timeline.since <= NOW && timeline.parts.len() <= most, "{timeline:?}");
        for (number, part) in (0..).zip(&timeline.parts) {
            let since = timeline.since + number * timeline.length;
            let window = Window { since, until: (since + timeline.length).min(until), ..window.clone() };
            let mut alone = index.policy_activities(&window).unwrap();
            alone.sort_by(|one, other| one.policy.cmp(&other.policy));
            assert_eq!(*part, alone, "{number} of {most}");
        }
        let one = index.policy_timeline(&window, most, Some("quality.lint")).unwrap();
        let own = |part: &Vec<PolicyActivity>| {
            part.iter().filter(|pulse| pulse.policy == "quality.lint").cloned().collect()
        };
        assert_eq!(one.parts, timeline.parts.iter().map(own).collect::<Vec<Vec<PolicyActivity>>>());
        let all = index.policy_activities(&window).unwrap();
        let lint = all.into_iter().find(|pulse| pulse.policy == "quality.lint");
        assert_eq!(index.policy_activity(&window, "quality.lint").unwrap(), lint);
    }
}

#[test]
fn what_is_forgotten_is_not_counted_any_more() {
    let home = Home::new();
    for number in 1..=300 {
        let mut record = record(number);
        record.at = NOW - 12 * DAY + u32::try_from(number).unwrap() * 17 * MINUTE + 31 * SECOND;
        record.rulings = vec![ruling("guard.packages", Stance::Deny)];
        home.commit(&record);
    }
    let settings = StoreSettings { keep_days: 10, ..StoreSettings::default() };
    home.store.fold(&options_at(&settings, NOW - HOUR)).unwrap();
    // Most of them: that does not go without asking.
    let agreed = FoldOptions { consent: Consent::DeleteAllOld, ..options_at(&settings, NOW) };
    let forgotten = home.store.fold(&agreed).unwrap().forgotten;
    assert!((100..250).contains(&forgotten), "{forgotten}");
    let index = home.store.open(None).unwrap();
    check(&*index, &everything());
    assert_eq!(pulses_of(&index.policy_activities(&everything()).unwrap()), rulings_of(&stored(&*index)));
    let old = window(Time::default(), index.first_at().unwrap().unwrap());
    assert_eq!(index.overview(&old).unwrap().events, 0);
    drop(index);
    let agreed = FoldOptions { consent: Consent::DeleteAllOld, ..options_at(&settings, NOW + 400 * DAY) };
    home.store.fold(&agreed).unwrap();
    let index = home.store.open(None).unwrap();
    assert_eq!(index.overview(&everything()).unwrap(), Overview::default());
    assert_eq!(index.policy_activities(&everything()).unwrap(), []);
}

#[test]
fn a_new_index_from_an_old_one_counts_the_same() {
    let home = Home::new();
    for number in 1..=50 {
        let mut record = record(number);
        record.rulings = vec![ruling("guard.packages", Stance::Silent)];
        home.commit(&record);
    }
    let before = home.index().timeline(&everything(), 50).unwrap();
    std::fs::remove_file(home.journal_path()).unwrap();
    home.store.rebuild(&options_at(&StoreSettings::default(), NOW)).unwrap();
    let index = home.store.open(None).unwrap();
    assert_eq!(index.timeline(&everything(), 50).unwrap(), before);
    assert_eq!(pulses_of(&index.policy_activities(&everything()).unwrap()), rulings_of(&stored(&*index)));
}

#[test]
fn a_journal_that_was_copied_back_counts_nothing_twice() {
    let home = Home::new();
    for number in 1..=20 {
        home.commit(&record(number));
    }
    let before = home.index().overview(&everything()).unwrap();
    let connection = rusqlite::Connection::open(home.state().join("flyball.db")).unwrap();
    // As if the fold had been interrupted before it noted how far it was.
    connection.execute("UPDATE journals SET folded = 0", []).unwrap();
    assert_eq!(home.index().overview(&everything()).unwrap(), before);
}

#[test]
fn the_slowest_and_the_most_context_are_found() {
    let home = Home::new();
    for number in 1..=40 {
        let mut record = record(number);
        record.took = Duration::from_micros((number * 7) % 41);
        record.context_chars = usize::try_from(number % 5).unwrap() * 100;
        record.project = PROJECTS[usize::try_from(number % 2).unwrap()].to_owned();
        home.commit(&record);
    }
    let index = home.index();
    let slowest = index.slowest(&everything(), 3).unwrap();
    assert_eq!(slowest.iter().map(|event| event.record.took.as_micros()).collect::<Vec<_>>(), [40, 39, 38]);
    let odd = Window { project: Some(PROJECTS[1].to_owned()), ..everything() };
    let most = index.most_context(&odd, 50).unwrap();
    assert_eq!(most.len(), 16);
    assert!(most.iter().all(|event| event.record.context_chars > 0 && event.record.project == PROJECTS[1]));
    assert_eq!(most[0].record.context_chars, 400);
    assert_eq!(index.slowest(&window(Time::default(), NOW), 3).unwrap(), []);
}

/// Any record: of some hours, three projects, five sessions, with duplicates.
fn any_record() -> impl Strategy<Value = Record> {
    let stance = prop::sample::select(Stance::ALL.to_vec());
    let rulings = prop::collection::vec((0_usize..4, 0_u64..3_000), 0..4);
    let place = (0..whole_micros(5 * HOUR), 0_usize..PROJECTS.len(), 0_u64..5);
    (place, stance, (any::<u16>(), 0_u64..200_000), rulings).prop_map(
        |((at, project, session), stance, (context, micros), rulings)| {
            let number = at;
            let mut record = record(number);
            record.at = NOW + Duration::from_micros(at);
            record.call = CallKey::from_payload(&(number / 3_600_000_000).to_le_bytes());
            record.id = AnswerId::from_seed(number ^ micros);
            record.project = PROJECTS[project].to_owned();
            record.session = SessionId::new(&format!("s{session}"));
            (record.stance, record.context_chars, record.took) =
                (stance, usize::from(context), Duration::from_micros(micros));
            record.rulings = rulings
                .into_iter()
                .enumerate()
                .map(|(place, (stance, micros))| {
                    let mut ruling = ruling(["a", "b", "c", "d"][place], Stance::ALL[stance]);
                    (ruling.mode, ruling.took) = (Mode::Observe, Duration::from_micros(micros));
                    ruling
                })
                .collect();
            record
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn buckets_are_the_events_whatever_the_order_and_size_of_folds(
        records in prop::collection::vec(any_record(), 1..60),
        fold_at in prop::collection::vec(any::<bool>(), 60),
        (since, length) in (0..whole_micros(7 * HOUR), 1..whole_micros(6 * HOUR)),
    ) {
        let home = Home::new();
        for (record, fold) in records.iter().zip(fold_at) {
            home.commit(record);
            if fold {
                drop(home.index());
            }
        }
        let index = home.index();
        let since = NOW - HOUR + Duration::from_micros(since);
        let some = window(since, since + Duration::from_micros(length));
        check(&*index, &everything());
        check(&*index, &some);
        check(&*index, &Window { project: Some(PROJECTS[1].to_owned()), ..some.clone() });
        check(&*index, &Window { session: Some(SessionId::new("s1")), ..some });
        prop_assert_eq!(pulses_of(&index.policy_activities(&everything()).unwrap()), rulings_of(&stored(&*index)));
    }
}
