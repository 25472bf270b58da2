//! Prompts, and the folders of invented projects that they mean.

use flyball_core::path::AbsolutePath;

use super::*;

/// A project: its title, and the text of the node of each folder.
struct Project {
    title: &'static str,
    nodes: &'static [(&'static str, &'static str)],
}

/// A shop of several services.
const SHOP: Project = Project {
    title: "# Corner shop",
    nodes: &[
        (
            "services/billing",
            "# Billing\n\n## Pitfalls\n\n- Webhooks of Stripe come twice.\n- Payments are booked once: see `LedgerEntry`.\n- Never round an invoice.\n",
        ),
        (
            "services/search",
            "# Search\n\n## Rules\n\n- An index is never changed in place.\n- Synonyms are reloaded at night.\n- Endpoints answer within 200 ms.\n",
        ),
        (
            "services/user-auth",
            "# Accounts\n\n## Rules\n\n- Sessions end after a day.\n- Endpoints check the role first.\n",
        ),
        (
            "web",
            "# Shop front\n\n## Pitfalls\n\n- Safari lacks `dialog`.\n- Icons need a label.\n- The cart is kept in `localStorage`.\n",
        ),
        ("tests", "# Tests\n\n- Fixtures are made by `factory()`.\n"),
        ("docs", "# Docs\n\n- One page answers one question.\n"),
    ],
};

/// A compiler: its folders have plain names.
const COMPILER: Project = Project {
    title: "# Tiny compiler",
    nodes: &[
        ("lexer", "# Lexer\n\n- Tokens borrow from the source.\n- Numbers keep their spelling.\n"),
        ("parser", "# Parser\n\n- Errors are recovered at a semicolon.\n- Tokens are never copied.\n"),
        ("core/data", "# Data\n\n- Arenas own all nodes.\n"),
        ("codegen", "# Code generation\n\n- Registers are spilled in order.\n"),
        ("ui", "# Playground\n\n- Colors come from the theme.\n"),
    ],
};

/// A company's repository, where many parts have one name and talk of the same.
const MONOREPO: Project = Project {
    title: "# Platform",
    nodes: &[
        ("apps/orders/api", "# Orders API\n\n- Tenants are checked in `requireTenant`.\n"),
        ("apps/stock/api", "# Stock API\n\n- Tenants are checked in `requireTenant`.\n"),
        (
            "apps/reports/api",
            "# Reporting API\n\n- Tenants are checked in `requireTenant`.\n- Spreadsheets are streamed.\n",
        ),
        ("apps/stock", "# Stock\n\n- Warehouses are locked before a count.\n"),
        ("libs/paymentGateway", "# Payment gateway\n\n- Refunds need a reason.\n"),
        ("libs/config", "# Config\n\n- Defaults are in `defaults.toml`.\n"),
        ("infra", "# Terraform\n\n- Modules are pinned.\n"),
    ],
};

const CASES: &[(&Project, &str, &[&str])] = &[
    // The name of a folder.
    (&SHOP, "Find out why the search pipeline is slow.", &["services/search"]),
    (&SHOP, "Test the search pipeline", &["services/search"]),
    (&SHOP, "Search: paging is wrong on the last page", &["services/search"]),
    (&SHOP, "Search is slow since Monday. Find the cause.", &["services/search"]),
    (&SHOP, "Find the search endpoint and fix it", &["services/search"]),
    (&SHOP, "Add retries to search, then to billing", &["services/billing", "services/search"]),
    (&SHOP, "Rename the fields in billing and search", &["services/billing", "services/search"]),
    (&SHOP, "Fix the user auth", &["services/user-auth"]),
    (&SHOP, "The `userAuth` service rejects old cookies", &["services/user-auth"]),
    (&SHOP, "Authentication fails for new customers", &["services/user-auth"]),
    (&SHOP, "Rewrite the documentation", &["docs"]),
    (&SHOP, "Move the fixtures in the tests folder", &["tests"]),
    (&COMPILER, "Make the lexers faster", &["lexer"]),
    (&COMPILER, "Clean up the data module", &["core/data"]),
    (&COMPILER, "The ui flickers", &["ui"]),
    (&MONOREPO, "Add a filter to the API of orders", &["apps/orders/api"]),
    (&MONOREPO, "Let the stock api return an error for unknown ids", &["apps/stock/api"]),
    (&MONOREPO, "Log what the payment gateway answers", &["libs/paymentGateway"]),
    (&MONOREPO, "The config library merges in the wrong order", &["libs/config"]),
    // What the node of a folder is about.
    (&SHOP, "Fix the retry logic of the payment webhooks", &["services/billing"]),
    (&SHOP, "An invoice shows the wrong total", &["services/billing"]),
    (&SHOP, "LedgerEntry is written twice", &["services/billing"]),
    (&SHOP, "Sessions are lost after a deploy", &["services/user-auth"]),
    (&SHOP, "Let the cart survive a reload", &["web"]),
    (&COMPILER, "Too many registers are spilled", &["codegen"]),
    (&MONOREPO, "Add a reason code to refunds", &["libs/paymentGateway"]),
    (&MONOREPO, "Two warehouses are counted at once", &["apps/stock"]),
    // Verbs of everyday work.
    (&SHOP, "Search the code for usages of foo()", &[]),
    (&SHOP, "Search for TODOs", &[]),
    (&SHOP, "Please search for all of it", &[]),
    (&SHOP, "Read the logs, then search for the cause and report back", &[]),
    (&SHOP, "You should first search files that are older than a week", &[]),
    (&SHOP, "Do a web search for the newest React", &[]),
    (&SHOP, "Start by searching all files", &[]),
    (&SHOP, "Test it and document the result", &[]),
    (&COMPILER, "Index all files and parse the output", &[]),
    (&MONOREPO, "Report what calls `stock()` and `config()`", &[]),
    // Plain words, and those that many nodes share.
    (&SHOP, "Fix the endpoints", &[]),
    (&SHOP, "Look at the author of it", &[]),
    (&SHOP, "Have a look around the shop and write a report", &[]),
    (&SHOP, "Let every user export the list", &[]),
    (&COMPILER, "Return the data as JSON", &[]),
    (&MONOREPO, "Check how the configuration is merged", &[]),
    (&COMPILER, "Tokens are wrong", &[]),
    (&MONOREPO, "Fix the api", &[]),
    (&MONOREPO, "Check tenants everywhere", &[]),
    // What is left alone, addresses, and logs.
    (&SHOP, "Clean up, but don't touch billing or the search", &[]),
    (&SHOP, "See https://example.com/search?q=billing", &[]),
    (&SHOP, "What does this say?\n```\nbilling: webhooks failed\n```\n", &[]),
];

fn node(text: &str) -> Node {
    Node::new(AbsolutePath::from_root("/p/AGENTS.md"), text)
}

fn read(project: &Project) -> (Vec<String>, Vec<Place>) {
    let places = project.nodes.iter().map(|(path, text)| Place::new((*path).to_owned(), &node(text)));
    (title_words(&node(project.title)), places.collect())
}

#[test]
fn a_prompt_means_the_folders_that_it_names_and_else_those_that_are_about_its_words() {
    let mut wrong = Vec::new();
    for (project, prompt, expected) in CASES {
        let (title, places) = read(project);
        let found = sought(prompt, &[], &title, &places);
        if found != *expected {
            wrong.push(format!("{prompt}: {found:?}, not {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_path_wins_over_words() {
    let (title, places) = read(&SHOP);
    let found = |prompt, path: &str| sought(prompt, &[path.to_owned()], &title, &places);
    assert_eq!(found("Fix the webhooks in web/cart.ts", "web/cart.ts"), [""; 0], "only the path");
    assert_eq!(found("Fix services/search/index.ts", "services/search/index.ts"), [""; 0]);
    assert_eq!(found("Fix the billing page in web/cart.ts", "web/cart.ts"), ["services/billing"]);
}

#[test]
fn in_a_long_prompt_one_word_is_not_enough() {
    let (title, places) = read(&SHOP);
    let numbered: Vec<String> = (0..60).map(|at| format!("subject{}", "x".repeat(at))).collect();
    let long = |words: &str| format!("Look at {} and {words}.", numbered.join(" "));
    assert_eq!(sought(&long("invoices"), &[], &title, &places), [""; 0]);
    assert_eq!(sought(&long("invoices of Stripe"), &[], &title, &places), ["services/billing"]);
    assert_eq!(sought(&long("the billing"), &[], &title, &places), ["services/billing"]);
}

#[test]
fn the_lists_are_sorted_for_the_search_in_them() {
    assert!(ADJECTIVES.is_sorted());
}
