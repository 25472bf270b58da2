//! The adviser against servers on loopback.

mod chain;
mod failing;
mod keys;
mod providers;
mod test_workshop;

use crate::models::testing::server;

use super::{Advice, Question, Settings, fallback};

/// The question of these tests.
fn question() -> Question {
    Question {
        reason: "review of backend failed 3 times in a row".to_owned(),
        iteration: 3,
        max_iterations: 5,
        open: vec!["review of backend: failed 3 times".to_owned()],
        issues: vec!["the lock is held over the call".to_owned()],
        files: vec!["src/a.py".to_owned()],
        history: vec!["iteration 1: review failed".to_owned()],
    }
}

/// Settings as people write them, switched on.
fn settings(text: &str) -> Settings {
    Settings { enabled: true, ..toml::from_str(text).unwrap() }
}

/// Settings with one provider at this address, and one model of its.
fn only(provider: &str, url: &str) -> Settings {
    settings(&format!("providers = ['{provider}']\n[{provider}]\nurl = '{url}'\nmodels = ['m']"))
}

/// The same with the provider's usual key, which another address gets only if the config says so.
fn keyed(provider: &str, url: &str) -> Settings {
    let variable = format!("{}_API_KEY", provider.to_uppercase());
    settings(&format!(
        "providers = ['{provider}']\n[{provider}]\nurl = '{url}'\nmodels = ['m']\nkey_variable = '{variable}'"
    ))
}

/// The advice of a model.
fn advice_by(by: &str, text: &str) -> Advice {
    Advice { text: text.to_owned(), by: by.to_owned(), failures: Vec::new() }
}

/// The fallback advice, with the reasons why no model answered.
fn nobody(failures: &[&str]) -> Advice {
    Advice { text: fallback::advise(&question()), by: String::new(), failures: lines(failures) }
}

fn lines(all: &[&str]) -> Vec<String> {
    all.iter().map(|&line| line.to_owned()).collect()
}
