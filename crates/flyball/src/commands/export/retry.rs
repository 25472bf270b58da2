//! What an answer means, and how long to wait before the next try.

use std::time::Duration;

use flyball_core::time::{SECOND, Time};

use flyball_store::outbox::LONGEST_PAUSE;
use flyball_world::upload::{Reply, UploadError};

use crate::show::time;

/// The first pause, and the longest one.
const FIRST: Duration = SECOND;
const LONGEST: Duration = Duration::from_mins(5);
/// The pause where trying again alone will not help.
const REFUSED: Duration = Duration::from_mins(15);

/// What an answer means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Accepted,
    /// The receiver asks for a smaller batch.
    TooLarge,
    /// Try again, after the time that the receiver asked for.
    Retry {
        what: String,
        after: Option<Duration>,
    },
    /// Trying again will not help until someone changes something.
    Refused {
        what: String,
    },
}

/// The outcome of a request.
pub(super) fn interpret(answer: &Result<Reply, UploadError>, now: Time) -> Outcome {
    let reply = match answer {
        Ok(reply) => reply,
        Err(UploadError { what, is_temporary: true }) => {
            return Outcome::Retry { what: what.clone(), after: None };
        }
        Err(UploadError { what, is_temporary: false }) => return Outcome::Refused { what: what.clone() },
    };
    let what = format!("the receiver answered {}{}", reply.status, status_hint(reply.status));
    match reply.status {
        200..=299 => Outcome::Accepted,
        413 => Outcome::TooLarge,
        // OTLP/HTTP names 429, 502, 503 and 504 as retryable; 408 is a timeout of the receiver or of a proxy.
        408 | 429 | 502..=504 => {
            let after = reply.retry_after.as_deref().and_then(|text| parse_retry_after(text, now));
            Outcome::Retry { what, after }
        }
        _ => Outcome::Refused { what },
    }
}

/// How long to wait after this many failures. `chance` is any number: a fifth of the time depends on it,
/// so that many senders do not come back at once.
pub(super) fn pause(outcome: &Outcome, failures: u32, chance: u64) -> Duration {
    let usual = match outcome {
        Outcome::Refused { .. } => REFUSED,
        _ => FIRST.saturating_mul(1 << failures.saturating_sub(1).min(20)).min(LONGEST),
    };
    let spread = u32::try_from(chance % 1_000).unwrap_or_default();
    let jittered = usual - usual / 5 + usual / 2_500 * spread;
    let asked = if let Outcome::Retry { after, .. } = outcome { *after } else { None };
    // What the receiver asks for counts, within what `is_due` accepts as a pause.
    asked.map_or(jittered, |asked| asked.clamp(jittered.min(FIRST), LONGEST_PAUSE))
}

/// `Retry-After`: seconds, or a date.
fn parse_retry_after(text: &str, now: Time) -> Option<Duration> {
    if let Ok(seconds) = text.trim().parse::<u32>() {
        return Some(Duration::from_secs(seconds.into()));
    }
    let date = jiff::fmt::rfc2822::parse(text.trim()).ok()?;
    Some(time::of(&date).since(now))
}

const fn status_hint(status: u16) -> &'static str {
    match status {
        400 => " (bad request)",
        401 | 403 => ": it does not accept the key; check `headers` of `[otlp]`",
        404 => ": nothing there; check the address in `[otlp]`",
        429 => " (too many requests)",
        503 => " (not available)",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(status: u16, retry_after: Option<&str>) -> Result<Reply, UploadError> {
        Ok(Reply { status, retry_after: retry_after.map(str::to_owned), body: Vec::new() })
    }

    #[test]
    fn only_temporary_failures_are_tried_again() {
        let now = Time::from_millis(784_111_777_000);
        let later =
            |what: &str, after| Outcome::Retry { what: format!("the receiver answered {what}"), after };
        let cases = [
            (reply(200, None), Outcome::Accepted),
            (reply(202, None), Outcome::Accepted),
            (reply(413, None), Outcome::TooLarge),
            (reply(429, Some("7")), later("429 (too many requests)", Some(7 * SECOND))),
            (
                reply(503, Some("Sun, 06 Nov 1994 08:50:37 GMT")),
                later("503 (not available)", Some(60 * SECOND)),
            ),
            (reply(502, Some("soon")), later("502", None)),
            (reply(500, None), Outcome::Refused { what: "the receiver answered 500".to_owned() }),
            (reply(302, None), Outcome::Refused { what: "the receiver answered 302".to_owned() }),
            (
                Err(UploadError { what: "gone".to_owned(), is_temporary: true }),
                Outcome::Retry { what: "gone".to_owned(), after: None },
            ),
        ];
        for (answer, expected) in cases {
            assert_eq!(interpret(&answer, now), expected, "{answer:?}");
        }
    }

    #[test]
    fn pauses_grow_to_a_limit_and_differ_by_chance() {
        let later = Outcome::Retry { what: String::new(), after: None };
        let pauses: Vec<u128> =
            [1, 2, 3, 9, 10, 99].map(|failures| pause(&later, failures, 999).as_millis() / 100).to_vec();
        assert_eq!(pauses, [11, 23, 47, 3070, 3598, 3598]);
        assert_eq!(pause(&later, 1, 0), Duration::from_millis(800));
        let asked = Outcome::Retry { what: String::new(), after: Some(40 * SECOND) };
        assert_eq!(pause(&asked, 5, 3), 40 * SECOND);
        assert_eq!(pause(&Outcome::Refused { what: String::new() }, 1, 500), REFUSED);
    }
}
