//! Replaces ids, times and folders, which differ from run to run, by fixed text.

#![allow(
    clippy::allow_attributes,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "all of it is test code"
)]

use crate::support::Project;

/// The text with its ids, times and folders masked. Widths stay, so that columns can be compared.
pub(crate) fn masked(text: &str, project: &Project) -> String {
    let mut text = text.replace(&*project.root().to_string_lossy(), "PROJECT");
    text = text.replace(&*project.home().to_string_lossy(), "HOME");
    for (number, record) in project.log().iter().enumerate() {
        text = text.replace(record["id"].as_str().unwrap(), &format!("id-{:05}", number + 1));
    }
    text.split('\n').map(|line| durations(&clock(line))).collect::<Vec<_>>().join("\n")
}

/// `14:02:11` becomes `hh:mm:ss`, and so does what surrounds it in a full date.
fn clock(line: &str) -> String {
    let words = line.split(' ').map(|word| {
        let digits = word.chars().filter(char::is_ascii_digit).count();
        match (word.len(), word.matches(':').count(), digits) {
            (8, 2, 6) => "hh:mm:ss".to_owned(),
            (12, 2, 9) => "hh:mm:ss.mmm".to_owned(),
            (10, 0, 8) if word.matches('-').count() == 2 => "yyyy-mm-dd".to_owned(),
            _ => word.to_owned(),
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

/// `1.2 ms` becomes `N unit`.
fn durations(line: &str) -> String {
    let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    for at in 1..words.len() {
        let is_unit = matches!(words[at].trim_end_matches(')'), "µs" | "ms" | "s" | "min");
        let number = words[at - 1].trim_start_matches('(').to_owned();
        if is_unit && number.parse::<f64>().is_ok() {
            words[at - 1] = words[at - 1].replace(&number, "N");
            let unit = words[at].trim_end_matches(')').to_owned();
            words[at] = words[at].replace(&unit, "unit");
        }
    }
    words.join(" ")
}
