//! The plans of SQLite for the queries of the board: none may read all events, or sort them.

use flyball_core::event::{EventKind, SessionId, ToolKind};
use flyball_core::outcome::Outcome;
use flyball_core::time::Time;
use flyball_core::verdict::Stance;
use rusqlite::params_from_iter;

use super::extremes::extreme;
use super::index::Index;
use super::query::Rows;
use super::session::{first_prompt_sql, session_sql};
use crate::questions::{Filter, Page, Window};

fn index() -> (tempfile::TempDir, Index) {
    let dir = tempfile::tempdir().unwrap();
    let index = Index::open(&dir.path().join("flyball.db"), &|_| {}).unwrap();
    (dir, index)
}

fn plan(index: &Index, rows: &Rows) -> Vec<String> {
    let sql = format!("EXPLAIN QUERY PLAN {}", rows.sql);
    let mut statement = index.connection.prepare(&sql).unwrap();
    let steps = statement.query_map(params_from_iter(&rows.values), |row| row.get(3)).unwrap();
    steps.map(Result::unwrap).collect()
}

/// Each filter of the board alone.
fn single() -> Vec<Filter> {
    let all = Filter::default;
    vec![
        all(),
        Filter { session: Some(SessionId::new("s")), ..all() },
        Filter { agent: Some("a1".into()), ..all() },
        Filter { agent: Some(String::new()), ..all() },
        Filter { project: Some("/p".into()), ..all() },
        Filter { policy: Some("guard.packages".into()), ..all() },
        Filter { stance: Some(Stance::Deny), ..all() },
        Filter { stance: Some(Stance::Silent), ..all() },
        Filter { outcome: Some(Outcome::Held), ..all() },
        Filter { would_deny: true, ..all() },
        Filter { tool: Some(ToolKind::Shell), ..all() },
        Filter { kinds: vec![EventKind::Stop], ..all() },
        Filter { kinds: vec![EventKind::Stop, EventKind::AgentStop], ..all() },
        Filter { since: Some(Time::from_micros(1)), until: Some(Time::from_micros(9)), ..all() },
    ]
}

/// Both filters together; where both set a field, the first counts.
fn both(one: &Filter, other: &Filter) -> Filter {
    Filter {
        session: one.session.clone().or_else(|| other.session.clone()),
        agent: one.agent.clone().or_else(|| other.agent.clone()),
        project: one.project.clone().or_else(|| other.project.clone()),
        kinds: if one.kinds.is_empty() { other.kinds.clone() } else { one.kinds.clone() },
        policy: one.policy.clone().or_else(|| other.policy.clone()),
        stance: one.stance.or(other.stance),
        outcome: one.outcome.or(other.outcome),
        would_deny: one.would_deny || other.would_deny,
        tool: one.tool.or(other.tool),
        since: one.since.or(other.since),
        until: one.until.or(other.until),
        limit: Some(50),
        ..Filter::default()
    }
}

fn filters() -> Vec<Filter> {
    let single = single();
    let pairs = single.iter().flat_map(|one| single.iter().map(|other| both(one, other)));
    let threes = pairs.clone().flat_map(|pair| single.iter().map(move |third| both(&pair, third)));
    let all: Vec<Filter> = threes.collect();
    let pages = [Page::Newest, Page::Before(7), Page::After(7)];
    all.into_iter().flat_map(|filter| pages.map(|page| Filter { page, ..filter.clone() })).collect()
}

#[test]
fn no_filter_reads_all_events_or_sorts_them() {
    let (_dir, index) = index();
    for filter in filters() {
        let session = filter.session.as_ref().map(|_| 1);
        let rows = Rows::from_filter(&filter, filter.lead(), filter.clause(session));
        for step in plan(&index, &rows) {
            let is_by_index = !step.starts_with("SCAN e") || step.contains("USING");
            assert!(is_by_index && !step.contains("TEMP B-TREE"), "{step}\n{}", rows.sql);
        }
    }
}

#[test]
fn what_most_filters_look_at_is_in_the_index_that_leads_to_it() {
    let (_dir, index) = index();
    for filter in filters() {
        let has_own = filter.agent.is_some() || filter.would_deny || filter.policy.is_some();
        if has_own || matches!(filter.page, Page::After(_)) {
            continue;
        }
        let session = filter.session.as_ref().map(|_| 1);
        let rows = Rows::from_filter(&filter, filter.lead(), filter.clause(session));
        let steps = plan(&index, &rows);
        let leads = steps.iter().find(|step| step.starts_with("SCAN e") || step.starts_with("SEARCH e "));
        assert!(leads.is_some_and(|step| step.contains("COVERING INDEX")), "{steps:?}\n{}", rows.sql);
    }
}

#[test]
fn a_session_is_read_without_sorting_it() {
    let (_dir, index) = index();
    let steps = plan(&index, &Rows { sql: session_sql(), values: vec![1.into()] });
    let leads = "SEARCH e USING INDEX events_session (session=?)";
    assert_eq!(steps.first().map(|step| step.replace("COVERING ", "")).as_deref(), Some(leads));
    assert!(!steps.iter().any(|step| step.contains("TEMP B-TREE") || step.starts_with("SCAN")), "{steps:?}");
}

#[test]
fn the_first_prompt_of_a_session_comes_from_its_index() {
    let (_dir, index) = index();
    let steps = plan(
        &index,
        &Rows { sql: first_prompt_sql(), values: vec!["s".to_owned().into(), "c".to_owned().into()] },
    );
    let leads = "SEARCH events USING COVERING INDEX events_session (session=?)";
    assert!(steps.iter().any(|step| step == leads), "{steps:?}");
    assert!(!steps.iter().any(|step| step.contains("TEMP B-TREE")), "{steps:?}");
}

#[test]
fn the_greatest_of_many_come_from_their_index() {
    let (_dir, index) = index();
    let window = Window {
        since: Time::from_micros(1),
        until: Time::from_micros(9),
        project: Some("/p".into()),
        session: None,
    };
    for column in ["micros", "context"] {
        let clause = extreme(column, &window, false);
        let (from, conditions) = (clause.from, clause.conditions());
        let sql = format!("SELECT e.id FROM {from} WHERE {conditions} ORDER BY e.{column} DESC LIMIT 9");
        let steps = plan(&index, &Rows { sql, values: clause.values });
        let expected = format!("SEARCH e USING COVERING INDEX events_{column} ({column}>?)");
        assert_eq!(steps.first(), Some(&expected));
        assert!(!steps.iter().any(|step| step.contains("TEMP B-TREE")), "{steps:?}");
    }
}
