//! The row of numbers at the top.

use flyball_core::time::whole_micros;

use flyball_store::TimeBucket;
use maud::{Markup, html};

use super::Overview;
use crate::chart;
use crate::page::parts;
use crate::route::{Request, Route};

/// One number, where it leads, and how it went.
struct Tile<'a> {
    name: &'a str,
    value: String,
    detail: String,
    address: Request,
    class: &'static str,
    sparkline: Option<Vec<Option<f64>>>,
}

impl Overview<'_> {
    pub(super) fn numbers(&self) -> Markup {
        html! {
            ul.tiles.plain aria-label="Numbers" {
                @for tile in self.answer_tiles().into_iter().chain(self.other_tiles()) {
                    li class=(tile.class) {
                        a href=(tile.address) {
                            span.name { (tile.name) }
                            span.value { (tile.value) }
                            span.detail { (tile.detail) }
                        }
                        @if let Some(values) = &tile.sparkline {
                            div aria-hidden="true" { (chart::spark(values, tile.name)) }
                        }
                    }
                }
            }
        }
    }

    fn answer_tiles(&self) -> [Tile<'_>; 3] {
        let total = &self.total;
        [
            Tile {
                name: "Events",
                value: parts::number(total.events),
                detail: format!("in {}", parts::counted(self.total.sessions, "session")),
                address: self.events(None),
                class: "",
                sparkline: Some(self.sparkline(|bucket| bucket.events)),
            },
            Tile {
                name: "Blocked",
                value: parts::number(total.denied.blocked),
                detail: format!(
                    "{} held · {}",
                    parts::number(total.denied.held),
                    parts::counted(total.denied.findings, "finding")
                ),
                address: self.context.request.elsewhere(Route::Denials),
                class: if total.denied.blocked > 0 { "deny" } else { "" },
                sparkline: Some(self.sparkline(|bucket| bucket.denied.blocked)),
            },
            Tile {
                name: "Asks",
                value: parts::number(total.asks),
                detail: "left to a person".to_owned(),
                address: self.events(Some(("verdict", "ask"))),
                class: if total.asks > 0 { "ask" } else { "" },
                sparkline: Some(self.sparkline(|bucket| bucket.asks)),
            },
        ]
    }

    fn other_tiles(&self) -> [Tile<'_>; 3] {
        let total = &self.total;
        let active = self.recent.iter().filter(|recent| recent.is_active).count();
        let percentile = |share| total.took.percentile(share).map_or("–".to_owned(), parts::duration);
        [
            Tile {
                name: "Active sessions",
                value: parts::number(u64::try_from(active).unwrap_or(u64::MAX)),
                detail: format!("of {} seen", parts::number(self.total.sessions)),
                address: self.context.request.elsewhere(Route::Sessions),
                class: "",
                sparkline: None,
            },
            Tile {
                name: "Time in hooks",
                value: parts::duration(total.took.sum()),
                detail: format!("p50 {} · p99 {}", percentile(0.5), percentile(0.99)),
                address: self.context.request.elsewhere(Route::Policies),
                class: "",
                sparkline: Some(self.sparkline(|bucket| whole_micros(bucket.took.sum()))),
            },
            Tile {
                name: "Context added",
                #[expect(clippy::cast_precision_loss, reason = "shown with three digits")]
                value: parts::short(total.context_chars as f64),
                detail: "characters".to_owned(),
                address: self.events(None),
                class: "",
                sparkline: Some(self.sparkline(|bucket| bucket.context_chars)),
            },
        ]
    }

    #[expect(clippy::cast_precision_loss, reason = "drawn, not counted")]
    fn sparkline(&self, value: impl Fn(&TimeBucket) -> u64) -> Vec<Option<f64>> {
        self.buckets.iter().map(|bucket| Some(value(bucket) as f64)).collect()
    }
}
