//! The whole session as a strip above the lanes: where much happened, what was denied, and which part is looked at.

use flyball_core::time::{Time, whole_micros};

use flyball_store::TimeBucket;
use maud::{Markup, html};

use super::super::{PageError, parts};
use super::session_data::SessionData;
use super::view::at;

/// Stretches of the strip.
const STRETCHES: usize = 80;
const HEIGHT: f64 = 34.0;
/// Below this many events the lanes show all there is.
const FEW: u64 = 300;

/// The strip; nothing where the lanes show the whole session anyway. Its bars lead to their stretch.
pub(super) fn strip(data: &SessionData<'_>) -> Result<Markup, PageError> {
    if data.view.is_whole && data.session.events <= FEW {
        return Ok(html! {});
    }
    let buckets = data.context.index.timeline(&data.whole(), STRETCHES)?;
    let most = buckets.iter().map(|bucket| bucket.events).max().unwrap_or_default();
    let (Some(first), Some(last), true) = (buckets.first(), buckets.last(), most > 0) else {
        return Ok(html! {});
    };
    let whole = Stretch { from: first.start, to: last.start + last.length };
    let (left, right) = (whole.percent(data.view.from), whole.percent(data.view.to));
    Ok(html! {
        svg.strip data-brush="" width="100%" height=(HEIGHT) role="group" aria-label="The whole session" {
            rect.shown x=(format!("{left:.2}%")) y="0" width=(format!("{:.2}%", (right - left).max(0.3))) height=(HEIGHT) {}
            @for bucket in buckets.iter().filter(|bucket| bucket.events > 0) { (bar(data, bucket, (&whole, most))) }
        }
    })
}

struct Stretch {
    from: Time,
    to: Time,
}

impl Stretch {
    #[expect(clippy::cast_precision_loss, reason = "a place in a picture")]
    fn percent(&self, at: Time) -> f64 {
        let whole = whole_micros(self.to.since(self.from)).max(1) as f64;
        (whole_micros(at.since(self.from)) as f64 / whole * 100.0).clamp(0.0, 100.0)
    }
}

fn bar(data: &SessionData<'_>, bucket: &TimeBucket, scale: (&Stretch, u64)) -> Markup {
    let (whole, most) = scale;
    let left = whole.percent(bucket.start);
    let wide = whole.percent(bucket.start + bucket.length) - left;
    let begin = bucket.start.as_micros().to_string();
    let end = (bucket.start + bucket.length).as_micros().to_string();
    let words = format!(
        "{}: {}, {} blocked, {} held, {}",
        parts::clock(bucket.start, data.context.now.time_zone()),
        parts::counted(bucket.events, "event"),
        bucket.denied.blocked,
        bucket.denied.held,
        parts::counted(bucket.denied.findings, "finding")
    );
    html! {
        // Earlier, later, closer and wider do the same by keyboard; eighty more tab stops would be a nuisance.
        a href=(at(data.context.request, &begin, Some(&end))) data-from=(begin) data-to=(end) tabindex="-1" aria-label=(words) {
            title { (words) }
            (column((left, wide), ("events", height(bucket.events, most))))
            @if bucket.denials > 0 { (column((left, wide), ("deny", height(bucket.denials, most)))) }
        }
    }
}

fn column(place: (f64, f64), look: (&str, f64)) -> Markup {
    let ((left, wide), (class, high)) = (place, look);
    html! {
        rect class=(class) x=(format!("{left:.2}%")) width=(format!("{:.2}%", wide * 0.85)) y=(format!("{:.1}", HEIGHT - high)) height=(format!("{high:.1}")) {}
    }
}

/// By the square root: one denial among a thousand events must be seen.
#[expect(clippy::cast_precision_loss, reason = "the height of a bar")]
fn height(many: u64, most: u64) -> f64 {
    (many as f64 / most.max(1) as f64).sqrt() * (HEIGHT - 2.0)
}
