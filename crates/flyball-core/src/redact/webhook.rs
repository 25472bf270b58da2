//! Addresses whose path is all that somebody has to know to use them.

struct Webhook {
    /// How the host ends.
    host: &'static str,
    /// What comes before the secret in the path.
    marker: &'static str,
}

const fn webhook(host: &'static str, marker: &'static str) -> Webhook {
    Webhook { host, marker }
}

const WEBHOOKS: &[Webhook] = &[
    webhook("hooks.slack.com", "/services/"),
    webhook("hooks.slack.com", "/workflows/"),
    webhook("hooks.slack.com", "/triggers/"),
    webhook("hooks.slack-gov.com", "/services/"),
    webhook("discord.com", "/webhooks/"),
    webhook("discordapp.com", "/webhooks/"),
    webhook("hooks.zapier.com", "/catch/"),
    webhook("webhook.office.com", "/webhookb2/"),
    webhook("outlook.office.com", "/webhook/"),
    webhook("outlook.office365.com", "/webhook/"),
    webhook("maker.ifttt.com", "/key/"),
    webhook("make.com", "/"),
    webhook("hook.integromat.com", "/"),
    webhook("api.telegram.org", "/bot"),
    webhook("events.pagerduty.com", "/integration/"),
    webhook("open.feishu.cn", "/hook/"),
    webhook("open.larksuite.com", "/hook/"),
    webhook("webhook.site", "/"),
    webhook("hc-ping.com", "/"),
];

/// Whether this host takes messages from whoever knows a path of it.
pub(super) fn is_host(host: &[u8]) -> bool {
    WEBHOOKS.iter().any(|row| host.ends_with(row.host.as_bytes()))
}

/// The length of a path's harmless beginning, if this host takes messages from whoever knows the rest.
pub(super) fn secret_after(host: &[u8], path: &[u8]) -> Option<usize> {
    let rows = WEBHOOKS.iter().filter(|row| host.ends_with(row.host.as_bytes()));
    let mut ends = rows.filter_map(|row| {
        let marker = row.marker.as_bytes();
        // Sites of that domain that are for people have no such host.
        let is_hook = row.host != "make.com" || host.starts_with(b"hook.");
        let at = path.windows(marker.len()).position(|part| part == marker).filter(|_| is_hook)?;
        Some(at + marker.len())
    });
    ends.next()
}
