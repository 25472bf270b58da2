//! Databases that are damaged, or in a newer format.

use std::cell::RefCell;
use std::time::Duration;

use flyball_core::config::StoreSettings;
use flyball_store::{DatabaseHealth, Filter, FoldOptions, StoreError, StoreProgress};

use super::sample::{Home, NOW, options_at, record};

fn with_events(many: u64) -> Home {
    let home = Home::new();
    for number in 1..=many {
        home.commit(&record(number));
    }
    drop(home.index());
    home
}

#[test]
fn a_database_in_a_newer_format_is_left_alone() {
    let home = with_events(1);
    let path = home.state().join("flyball.db");
    rusqlite::Connection::open(&path).unwrap().pragma_update(None, "user_version", 7).unwrap();
    let error = home.store.open(None).err().unwrap();
    let expected =
        format!("`{}` was written by a newer flyball (schema 7, this program knows 3)", path.display());
    assert_eq!(error.to_string(), expected);
    assert_eq!(error.fix(), "update flyball or set FLYBALL_STATE_DIR");
    let DatabaseHealth::Unusable(error) = home.store.health().unwrap().database else { panic!("usable") };
    assert_eq!(error.to_string(), expected);
}

#[test]
fn a_file_that_is_not_a_database_is_named_and_rebuilt() {
    let home = with_events(5);
    let path = home.state().join("flyball.db");
    std::fs::write(&path, "not a database at all, but long enough to look at".repeat(100)).unwrap();
    let error = home.store.open(None).err().unwrap();
    assert!(matches!(error, StoreError::DamagedIndex { .. }), "{error:?}");
    assert_eq!(error.to_string(), format!("`{}` is damaged: file is not a database", path.display()));
    assert_eq!(error.fix(), "`flyball doctor --repair` moves it aside and builds it again from the journals");
    let DatabaseHealth::Unusable(_) = home.store.health().unwrap().database else { panic!("usable") };

    let report = home.store.rebuild(&options_at(&Default::default(), NOW)).unwrap();
    assert_eq!(report.moved, [home.state().join("flyball.db.damaged-1")]);
    assert_eq!((report.saved, report.fold.records), (0, 5));
    assert_eq!(home.index().events(&Filter::default()).unwrap().len(), 5);
}

#[test]
fn what_only_the_database_has_is_saved_as_far_as_it_can_be_read() {
    let home = with_events(2_000);
    std::fs::remove_file(home.journal_path()).unwrap();
    let path = home.state().join("flyball.db");
    let mut bytes = std::fs::read(&path).unwrap();
    let third = bytes.len() / 3;
    bytes[third..third + 4096].fill(0xff);
    std::fs::write(&path, bytes).unwrap();
    let DatabaseHealth::Unusable(_) = home.store.health().unwrap().database else { panic!("usable") };
    let report = home.store.rebuild(&options_at(&Default::default(), NOW)).unwrap();
    assert!(report.saved > 1_500, "{report:?}");
    let DatabaseHealth::Sound { schema: 3 } = home.store.health().unwrap().database else {
        panic!("unsound")
    };
    assert_eq!(home.index().counts(&Filter::default()).unwrap().events, report.saved);
}

#[test]
fn a_repair_waits_for_a_process_that_folds() {
    let home = with_events(5);
    let lock = std::fs::File::open(home.state().join("fold.lock")).unwrap();
    lock.lock().unwrap();
    let settings = StoreSettings::default();
    let options = FoldOptions { wait: Duration::ZERO, ..options_at(&settings, NOW) };
    let error = home.store.rebuild(&options).unwrap_err();
    assert!(matches!(error, StoreError::Busy { .. }), "{error:?}");
    assert!(!home.state().join("flyball.db.damaged-1").exists());
}

/// Someone who reads the new index prevents that its log is moved into it.
#[test]
fn a_new_index_that_is_not_whole_replaces_nothing() {
    let home = with_events(5);
    let settings = StoreSettings::default();
    let reader = RefCell::new(None);
    let on_progress = |step: StoreProgress| {
        if matches!(step, StoreProgress::Saving { .. }) {
            reader.borrow_mut().get_or_insert_with(|| {
                let connection = rusqlite::Connection::open(home.state().join("flyball.db.new")).unwrap();
                connection.execute_batch("BEGIN").unwrap();
                let events = "SELECT count(*) FROM events";
                assert_eq!(connection.query_row(events, [], |row| row.get::<_, i64>(0)).unwrap(), 0);
                connection
            });
        }
    };
    let error = home.store.rebuild_reporting(&options_at(&settings, NOW), &on_progress).unwrap_err();
    assert!(matches!(error, StoreError::Database { .. }), "{error:?}");
    assert!(!home.state().join("flyball.db.damaged-1").exists());
    assert_eq!(home.index().counts(&Filter::default()).unwrap().events, 5);
}

#[test]
fn an_empty_store_is_in_good_health() {
    let home = Home::new();
    let health = home.store.health().unwrap();
    assert!(matches!(health.database, DatabaseHealth::Missing));
    assert!(!home.state().exists(), "reading made something");
    assert_eq!(home.index().events(&Filter::default()).unwrap(), []);
    assert!(home.index().last_event().unwrap().is_none());
    // A process that was killed right after it had made the file.
    std::fs::write(home.state().join("flyball.db"), "").unwrap();
    assert!(!home.store.health().unwrap().is_damaged());
    assert_eq!(home.index().events(&Filter::default()).unwrap(), []);
}
