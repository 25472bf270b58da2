//! The pages there are, and the addresses they have. Every page can be linked to, with its filters.

use std::collections::BTreeMap;
use std::fmt;

/// A page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Route {
    /// `/`: what is going on, and how it went lately.
    Overview,
    /// `/sessions`
    Sessions,
    /// `/sessions/CLIENT/ID`: one session with its agents, lanes, loop, findings.
    Session {
        /// The client.
        client: String,
        /// The session's id.
        id: String,
    },
    /// `/events`: all events, by filters and search. `/events?verdict=deny` are the denials.
    Events,
    /// `/events/ANSWER`: one decision, explained.
    Event {
        /// The id of the answer.
        answer: String,
    },
    /// `/policies`: what each did, and how long it took.
    Policies,
    /// `/policies/ID`
    Policy {
        /// The policy.
        id: String,
    },
    /// `/tasks`: open tasks, and loops that are not finished.
    Tasks,
}

/// A page that is asked for, with the values behind its `?`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The page.
    pub route: Route,
    /// `project`, `session`, `policy`, `verdict`, `tool`, `kind`, `agent`, `range`, `q`, `before`: those that are given and not empty.
    pub values: BTreeMap<String, String>,
}

impl Request {
    /// The page at an address, given as its path and what is behind the `?`. Nothing if there is no such page.
    #[must_use]
    pub fn parse(path: &str, query: Option<&str>) -> Option<Request> {
        let parts: Vec<String> = path.split('/').filter(|part| !part.is_empty()).map(decoded).collect();
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        let route = match parts.as_slice() {
            [] => Route::Overview,
            ["sessions"] => Route::Sessions,
            ["sessions", client, id] => Route::Session { client: (*client).to_owned(), id: (*id).to_owned() },
            ["events"] => Route::Events,
            ["events", answer] => Route::Event { answer: (*answer).to_owned() },
            ["policies"] => Route::Policies,
            ["policies", id] => Route::Policy { id: (*id).to_owned() },
            ["tasks"] => Route::Tasks,
            _ => return None,
        };
        let pairs = query.unwrap_or_default().split('&').filter_map(|pair| pair.split_once('='));
        let values = pairs.map(|(key, value)| (decoded(key), decoded(&value.replace('+', " "))));
        Some(Request { route, values: values.filter(|(_, value)| !value.is_empty()).collect() })
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

    /// The same page with another value for a key; without one, without the key. Where it goes back to
    /// the first page of a list.
    #[must_use]
    pub fn with(&self, key: &str, value: Option<&str>) -> Request {
        let mut values = self.values.clone();
        values.remove("before");
        match value {
            Some(value) => values.insert(key.to_owned(), value.to_owned()),
            None => values.remove(key),
        };
        Request { route: self.route.clone(), values }
    }
}

impl Route {
    /// The address of a page without any values.
    #[must_use]
    pub fn bare(self) -> Request {
        Request { route: self, values: BTreeMap::new() }
    }
}

impl fmt::Display for Request {
    /// The address, as a link has it.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.route {
            Route::Overview => out.write_str("/")?,
            Route::Sessions => out.write_str("/sessions")?,
            Route::Session { client, id } => write!(out, "/sessions/{}/{}", encoded(client), encoded(id))?,
            Route::Events => out.write_str("/events")?,
            Route::Event { answer } => write!(out, "/events/{}", encoded(answer))?,
            Route::Policies => out.write_str("/policies")?,
            Route::Policy { id } => write!(out, "/policies/{}", encoded(id))?,
            Route::Tasks => out.write_str("/tasks")?,
        }
        for (number, (key, value)) in self.values.iter().enumerate() {
            write!(out, "{}{}={}", if number == 0 { '?' } else { '&' }, encoded(key), encoded(value))?;
        }
        Ok(())
    }
}

/// How far back a page looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Range {
    /// The last hour.
    Hour,
    /// The last day.
    #[default]
    Day,
    /// The last week.
    Week,
    /// The last thirty days.
    Month,
    /// All there is.
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

    /// Its length in microseconds; none for all there is.
    #[must_use]
    pub const fn micros(self) -> Option<i64> {
        const HOUR: i64 = 3_600_000_000;
        match self {
            Range::Hour => Some(HOUR),
            Range::Day => Some(24 * HOUR),
            Range::Week => Some(7 * 24 * HOUR),
            Range::Month => Some(30 * 24 * HOUR),
            Range::All => None,
        }
    }
}

fn encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => out.push(char::from(byte)),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let digits = (*first == b'%').then(|| after.get(..2)).flatten();
        let byte = digits
            .and_then(|two| std::str::from_utf8(two).ok())
            .and_then(|two| u8::from_str_radix(two, 16).ok());
        match byte {
            Some(byte) => {
                bytes.push(byte);
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_leads_back_to_its_page() {
        for address in [
            "/",
            "/sessions",
            "/sessions/claude-code/a%2Fb%20c",
            "/events?q=rm%20-rf%20%26&verdict=deny",
            "/events/4k7q2m8x",
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
