//! Many processes on one session.

use std::collections::BTreeSet;

use flyball_core::config::StoreSettings;
use flyball_store::{Filter, ReadStore};

use super::child::Writer;
use super::sample::{Home, NOW, options_at};

pub(crate) fn seqs(index: &dyn ReadStore) -> Vec<u64> {
    let mut seqs: Vec<u64> = index
        .events(&Filter { with_duplicates: true, ..Filter::default() })
        .unwrap()
        .iter()
        .map(|e| e.seq)
        .collect();
    seqs.sort_unstable();
    seqs
}

#[test]
fn sixteen_processes_lose_no_update() {
    let home = Home::new();
    let writers: Vec<Writer> = (0..16).map(|_| Writer::start(home.state(), 50)).collect();
    let ids: BTreeSet<String> = writers.into_iter().flat_map(Writer::finish).collect();
    assert_eq!(ids.len(), 800);
    assert_eq!(home.read("counter").as_deref(), Some("800"));
    assert_eq!(seqs(&*home.index()), (1..=800).collect::<Vec<u64>>());
}

#[test]
fn folding_beside_writers_loses_nothing() {
    let home = Home::new();
    let writers: Vec<Writer> = (0..4).map(|_| Writer::start(home.state(), 200)).collect();
    let settings = StoreSettings::default();
    let mut folded = 0;
    while folded < 400 {
        folded += home.store.fold(&options_at(&settings, NOW)).unwrap().records;
    }
    let ids: BTreeSet<String> = writers.into_iter().flat_map(Writer::finish).collect();
    let index = home.index();
    assert_eq!(seqs(&*index), (1..=800).collect::<Vec<u64>>());
    let stored: BTreeSet<String> =
        index.events(&Filter::default()).unwrap().iter().map(|event| event.record.id.to_string()).collect();
    let lost: Vec<&String> = ids.difference(&stored).collect();
    assert!(ids.len() == 800 && lost.is_empty(), "lost {lost:?} of {}", ids.len());
}

#[test]
fn several_may_fold_at_once() {
    let home = Home::new();
    Writer::start(home.state(), 300).finish();
    let settings = StoreSettings::default();
    let records: u64 = std::thread::scope(|scope| {
        let folds: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| home.store.fold(&options_at(&settings, NOW)).unwrap().records))
            .collect();
        folds.into_iter().map(|fold| fold.join().unwrap()).sum()
    });
    assert_eq!(records, 300);
    assert_eq!(seqs(&*home.index()), (1..=300).collect::<Vec<u64>>());
}
