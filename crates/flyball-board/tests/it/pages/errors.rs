//! Empty stores, broken stores, and addresses that lead nowhere.

use flyball_board::PageError;
use flyball_core::config::StoreSettings;
use flyball_store::FoldOptions;

use crate::pages::sample::{FixedViews, Home, NOW, day, record, request};

#[test]
fn a_new_store_shows_what_it_waits_for() {
    let home = Home::new();
    assert_eq!(
        home.page("/"),
        "<div class=\"head\"><h1>Overview</h1></div><section class=\"empty start\"><h2>Nothing has been recorded yet</h2>\
         <p>Events appear here as soon as a coding agent calls flyball.</p>\
         <dl class=\"facts\"><dt><code>flyball init</code></dt>\
         <dd>connects a client: run it in a project, then start the client there</dd><dt><code>flyball doctor</code></dt>\
         <dd>shows whether the client calls flyball, and what to do if it does not</dd>\
         <dt><code>flyball demo --dash</code></dt><dd>opens a board with sample data</dd></dl></section>"
    );
    let policies = home.page("/policies");
    assert!(policies.contains("never fired in this time"), "{policies}");
    let tasks = home.page("/tasks");
    assert!(tasks.contains("No loop is open.") && tasks.contains("No task is open."), "{tasks}");
}

#[test]
fn a_time_without_events_is_shown_as_such() {
    let home = Home::with(&[record(1, 600)]);
    let page = home.page("/?range=1h");
    for expected in
        ["Nothing happened in this time.", "Nothing was blocked in this time.", "No policy ran in this time."]
    {
        assert!(page.contains(expected), "{expected} is not in {page}");
    }
}

#[test]
fn an_unknown_project_has_an_empty_overview_and_stays_chosen() {
    let page = Home::with(&[record(1, 5)]).page("/?project=%2Fnowhere%2Felse");
    assert!(page.contains("<option value=\"/nowhere/else\" selected>else</option>"), "{page}");
    assert!(page.contains("Nothing happened in this time."), "{page}");
}

#[test]
fn an_unknown_policy_is_not_found_and_the_page_leads_home() {
    let home = Home::with(&[record(1, 5)]);
    let error = home.rendered("/policies/no.such", &FixedViews).unwrap_err();
    assert!(matches!(error, PageError::NotFound(_)), "{error}");
    assert_eq!(
        error.page().body.into_string(),
        "<section class=\"error\" role=\"alert\"><h1>Not found</h1><p>no policy no.such</p>\
         <p><strong>Fix: </strong>It may be too old and deleted by now, or the address is incomplete.</p>\
         <p><a href=\"/\">Back to the overview</a></p></section>"
    );
}

#[test]
fn a_broken_store_is_shown_with_its_fix() {
    let home = Home::with(&day()[..5]);
    drop(home.index());
    std::fs::write(
        home.store.root().join("flyball.db"),
        "this is not a database, and long enough to be sure of it",
    )
    .unwrap();
    let settings = StoreSettings::default();
    let options = FoldOptions {
        now: flyball_core::time::Time::from_micros(NOW),
        ..FoldOptions::now(&settings, std::time::Duration::from_secs(60))
    };
    let error = home.store.open(Some(&options)).err().unwrap();
    let page = PageError::from(error).page().framed(&request("/")).into_string();
    assert!(page.contains("<h1>The store cannot be read</h1>"), "{page}");
    assert!(page.contains("flyball doctor --repair"), "{page}");
}
