//! What a person meets who starts flyball in a project as projects are: the real program and the real linters in layouts
//! modelled on kinds of public projects, all written for these tests. `docs/quality.md` has the results.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "what fails here fails the test"
)]

mod checkout;
mod first_day;
mod kinds;
mod page;
mod tools;

use std::collections::BTreeSet;

use self::checkout::{Checkout, Report};
use self::kinds::{KINDS, Layout};

/// Walks through all that a layout promises, and holds its row of the page to what was seen.
#[track_caller]
fn holds(layout: &Layout) {
    // Go builds its own library at the first use, which takes longer than a linter may: so by hand first.
    let by_hand = tools::find_by_hand(layout);
    let checkout = Checkout::new(layout);
    let chosen = checkout.chosen();
    assert_eq!(chosen.keys().map(String::as_str).collect::<BTreeSet<_>>(), layout.linters(), "what acts");

    let untouched = checkout.lint(&[]);
    assert_eq!(untouched, Report::default(), "an untouched checkout");
    let all = checkout.lint(&["--scope", "file"]);
    assert_eq!(all.found, by_hand, "the same as by hand");
    assert_eq!(checkout.changed(), "", "looking never writes");

    checkout.start();
    for edit in layout.innocent {
        checkout.edit(edit).assert_silent();
    }
    let edited = checkout.changed();
    checkout.stop().assert_silent();
    assert_eq!(checkout.changed(), edited, "only what was edited");
    assert_eq!(checkout.lint(&[]), Report::default(), "after innocent edits");

    let checkout = Checkout::new(layout);
    checkout.start();
    let at_edit = checkout.edit(&layout.guilty);
    let edited = checkout.changed();
    let at_stop = checkout.stop();
    let (file, finding) = (layout.guilty.file, layout.finding);
    if layout.is_found_at_edit {
        let head = format!("1 finding in {file}\n  {finding}\nFix the code, not the rules.");
        assert_eq!(at_edit.reason().split_once("] ").unwrap().1, format!("{head}\n[flyball quality]"));
    } else {
        at_edit.assert_silent();
    }
    let left = at_stop.reason();
    let head =
        format!("1 finding left in {file}\n  {finding}\nFix the code, not the rules, before you stop;");
    assert!(left.split_once("] ").unwrap().1.starts_with(&head), "{left}");
    let new = checkout.lint(&[]);
    assert_eq!(new.found.total(), 1, "{new:?}");
    assert_eq!(checkout.changed(), edited, "only what was edited");

    page::hold(layout, &chosen, &by_hand);
}

macro_rules! layouts {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            holds(KINDS.iter().find(|layout| layout.name == stringify!($name)).unwrap());
        })*

        #[test]
        fn the_page_has_a_row_for_each_layout() {
            let names: Vec<&str> = KINDS.iter().map(|layout| layout.name).collect();
            assert_eq!(names, [$(stringify!($name)),*]);
            assert_eq!(page::names(), names);
        }
    };
}

layouts!(express flask requests httpx django nvm vue monorepo rust go docs);
