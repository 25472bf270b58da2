//! The pages there are, and the addresses they have. Every page can be linked to, with its filters.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use flyball_core::encoding::{percent_decoded, percent_encoded};
use flyball_core::time::{DAY, HOUR};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Route {
    /// `/`: what is going on, and how it went lately.
    Overview,
    /// `/sessions`
    Sessions,
    /// `/sessions/CLIENT/ID`: one session with its agents, lanes, loop, findings.
    Session { client: String, id: String },
    /// `/events`: all events, by filters and search.
    Events,
    /// `/denials`: what was blocked, by rule and project, and what would change it.
    Denials,
    /// `/events/ANSWER`: one decision, explained.
    Event {
        /// The id of the answer.
        answer: String,
    },
    /// `/policies`: what each did, and how long it took.
    Policies,
    /// `/policies/ID`
    Policy { id: String },
    /// `/tasks`: open tasks, and loops that are not finished.
    Tasks,
}

/// A place that the navigation and the keyboard lead to. Every page belongs to one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Overview,
    /// All sessions, and each.
    Sessions,
    /// All events, and each.
    Events,
    /// What was blocked, by rule and project.
    Denials,
    /// All policies, and each.
    Policies,
    /// Open tasks and loops.
    Tasks,
}

impl Place {
    /// All of them, in the order of the navigation.
    pub const ALL: [Place; 6] =
        [Place::Overview, Place::Sessions, Place::Events, Place::Denials, Place::Policies, Place::Tasks];

    /// Its name, the key that leads to it behind `g`, and its page.
    const fn row(self) -> (&'static str, char, Route) {
        match self {
            Place::Overview => ("Overview", 'o', Route::Overview),
            Place::Sessions => ("Sessions", 's', Route::Sessions),
            Place::Events => ("Events", 'e', Route::Events),
            Place::Denials => ("Denials", 'd', Route::Denials),
            Place::Policies => ("Policies", 'p', Route::Policies),
            Place::Tasks => ("Tasks", 't', Route::Tasks),
        }
    }

    /// Its name in the navigation.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().0
    }

    /// The key that leads to it, behind `g`.
    #[must_use]
    pub fn key(self) -> char {
        self.row().1
    }

    #[must_use]
    pub fn address(self) -> Request {
        self.row().2.bare()
    }

    /// Its address for someone who comes from a page: the range and project that they look at stay.
    #[must_use]
    pub fn address_from(self, request: &Request) -> Request {
        request.elsewhere(self.row().2)
    }
}

/// A page that is asked for, with the values behind its `?`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    pub route: Route,
    /// `project`, `session`, `policy`, `verdict`, `tool`, `kind`, `agent`, `range`, `from`, `to`, `sort`, `q`, `before`: those that
    /// are given and not empty.
    pub values: BTreeMap<String, String>,
}

impl Request {
    /// The page at an address, given as its path and what is behind the `?`. Nothing if there is no such page.
    #[must_use]
    pub fn parse(path: &str, query: Option<&str>) -> Option<Request> {
        // Split before decoding: an encoded slash is part of an id and not of the address.
        let parts: Vec<String> = path.split('/').filter(|part| !part.is_empty()).map(decoded).collect();
        let route = Route::at(&parts)?;
        let pairs = query.unwrap_or_default().split('&').filter_map(|pair| pair.split_once('='));
        // Forms send spaces as `+`, and a plus as `%2B`.
        let values = pairs.map(|(key, value)| (decoded(key), decoded(&value.replace('+', " "))));
        Some(Request { route, values: values.filter(|(_, value)| !value.is_empty()).collect() })
    }

    /// The place that the page belongs to.
    #[must_use]
    pub fn place(&self) -> Place {
        match &self.route {
            Route::Overview => Place::Overview,
            Route::Sessions | Route::Session { .. } => Place::Sessions,
            Route::Denials => Place::Denials,
            Route::Events | Route::Event { .. } => Place::Events,
            Route::Policies | Route::Policy { .. } => Place::Policies,
            Route::Tasks => Place::Tasks,
        }
    }

    /// A value behind the `?`.
    #[must_use]
    pub fn value(&self, key: &str) -> Option<&str> {
        self.values.get(key).map(String::as_str)
    }

    /// The time that is looked at.
    #[must_use]
    pub fn range(&self) -> Range {
        self.value("range").and_then(Range::from_name).unwrap_or_default()
    }

    /// The same page with another value for a key, or without the key. It goes back to
    /// the first page of a list.
    #[must_use]
    pub fn with(&self, key: &str, value: Option<&str>) -> Request {
        let mut values = self.values.clone();
        // A position in a list means nothing once the list is another one.
        values.remove("before");
        match value {
            Some(value) => values.insert(key.to_owned(), value.to_owned()),
            None => values.remove(key),
        };
        Request { route: self.route.clone(), values }
    }

    /// Another page with the same range and project.
    #[must_use]
    pub fn elsewhere(&self, route: Route) -> Request {
        // The part of a session that its page shows is not a range for other pages.
        let has_range = !matches!(self.route, Route::Session { .. });
        let is_shared = |key: &str| match key {
            "project" => true,
            "range" | "from" | "to" => has_range,
            _ => false,
        };
        let shared = self.values.iter().filter(|(key, _)| is_shared(key));
        Request { route, values: shared.map(|(key, value)| (key.clone(), value.clone())).collect() }
    }
}

impl Route {
    /// The page at an address, given as its parts.
    fn at(parts: &[String]) -> Option<Route> {
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        // A page without parts of its own is the one of its place; `parts` says what its address is.
        if let Some(page) = Place::ALL.iter().map(|place| place.row().2).find(|page| page.parts() == parts) {
            return Some(page);
        }
        match parts.as_slice() {
            ["sessions", client, id] => {
                Some(Route::Session { client: (*client).to_owned(), id: (*id).to_owned() })
            }
            ["events", answer] => Some(Route::Event { answer: (*answer).to_owned() }),
            ["policies", id] => Some(Route::Policy { id: (*id).to_owned() }),
            _ => None,
        }
    }

    /// The parts of its address.
    fn parts(&self) -> Vec<&str> {
        match self {
            Route::Overview => vec![],
            Route::Sessions => vec!["sessions"],
            Route::Session { client, id } => vec!["sessions", client, id],
            Route::Events => vec!["events"],
            Route::Denials => vec!["denials"],
            Route::Event { answer } => vec!["events", answer],
            Route::Policies => vec!["policies"],
            Route::Policy { id } => vec!["policies", id],
            Route::Tasks => vec!["tasks"],
        }
    }

    /// The address of a page without any values.
    #[must_use]
    pub fn bare(self) -> Request {
        Request { route: self, values: BTreeMap::new() }
    }
}

impl fmt::Display for Request {
    /// The address, as a link has it.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<String> = self.route.parts().into_iter().map(percent_encoded).collect();
        write!(out, "/{}", parts.join("/"))?;
        for (number, (key, value)) in self.values.iter().enumerate() {
            let mark = if number == 0 { '?' } else { '&' };
            write!(out, "{mark}{}={}", percent_encoded(key), percent_encoded(value))?;
        }
        Ok(())
    }
}

/// How far back a page looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Range {
    Hour,
    #[default]
    Day,
    Week,
    /// The last thirty days.
    Month,
    All,
}

impl Range {
    /// All of them, shortest first.
    pub const ALL: [Range; 5] = [Range::Hour, Range::Day, Range::Week, Range::Month, Range::All];

    /// Its name in an address.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Range::Hour => "1h",
            Range::Day => "24h",
            Range::Week => "7d",
            Range::Month => "30d",
            Range::All => "all",
        }
    }

    /// The range of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Range> {
        Range::ALL.into_iter().find(|range| range.name() == name)
    }

    /// Its length; none for all there is.
    #[must_use]
    pub fn length(self) -> Option<Duration> {
        match self {
            Range::Hour => Some(HOUR),
            Range::Day => Some(DAY),
            Range::Week => Some(7 * DAY),
            Range::Month => Some(30 * DAY),
            Range::All => None,
        }
    }
}

fn decoded(text: &str) -> String {
    String::from_utf8_lossy(&percent_decoded(text)).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_has_a_key_of_its_own_and_is_found_at_its_address() {
        let mut keys: Vec<char> = Place::ALL.iter().map(|place| place.key()).collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), Place::ALL.len());
        for place in Place::ALL {
            let address = place.address().to_string();
            let (path, query) =
                address.split_once('?').map_or((address.as_str(), None), |(path, query)| (path, Some(query)));
            assert_eq!(Request::parse(path, query).unwrap().place(), place);
        }
    }

    #[test]
    fn an_address_leads_back_to_its_page() {
        for address in [
            "/",
            "/sessions",
            "/sessions/claude-code/a%2Fb%20c",
            "/events?q=rm%20-rf%20%26&verdict=deny",
            "/events/4k7q2m8x",
            "/denials?from=2026-11-15T14%3A00&to=2026-11-15T15%3A00",
            "/policies",
            "/policies/guard.packages?range=7d",
            "/tasks",
        ] {
            let (path, query) =
                address.split_once('?').map_or((address, None), |(path, query)| (path, Some(query)));
            assert_eq!(Request::parse(path, query).unwrap().to_string(), address);
        }
        assert_eq!(Request::parse("/nowhere", None), None);
    }
}
