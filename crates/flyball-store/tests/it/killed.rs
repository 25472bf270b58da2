//! Writers that are killed at any moment.

use std::collections::BTreeSet;

use flyball_store::Filter;

use super::child::Writer;
use super::concurrent::seqs;
use super::sample::Home;

#[test]
fn what_was_acknowledged_survives_kill_9() {
    let home = Home::new();
    let mut acknowledged = BTreeSet::new();
    for round in 0..25_usize {
        let mut writers: Vec<Writer> = (0..3).map(|_| Writer::start(home.state(), u64::MAX)).collect();
        // After another number of commits in each round, so that the moment differs.
        for turn in 0..=(round * 7) % 23 {
            acknowledged.extend(writers[turn % 3].next());
        }
        acknowledged.extend(writers.into_iter().flat_map(Writer::kill));
    }
    let index = home.index();
    let stored: BTreeSet<String> =
        index.events(&Filter::default()).unwrap().iter().map(|event| event.record.id.to_string()).collect();
    let lost: Vec<&String> = acknowledged.difference(&stored).collect();
    assert!(lost.is_empty(), "lost {lost:?} of {}", acknowledged.len());
    let seqs = seqs(&*index);
    assert_eq!(seqs, (1..=seqs.len() as u64).collect::<Vec<u64>>());
    assert_eq!(home.read("counter"), Some(seqs.len().to_string()));
}
