//! How long a model may take: a client that has waited for too long ends the hook, and the results of linters
//! and model are lost.

use flyball_quality::settings::{FixerSettings, Settings, Strength, Tier};

use crate::client_timeout::SECONDS;

/// In less time no model fixes anything.
const LEAST_SECONDS: u32 = 20;

/// The fixer's settings with limits that let it end in time for all files, which are fixed
/// one after the other. `None` if there is not enough time for a model.
pub(super) fn limit_fixer(settings: &Settings, files: usize) -> Option<FixerSettings> {
    // The project as it was is checked in a time of its own.
    let linters =
        settings.deadline_seconds.saturating_add(settings.project.deadline_seconds).saturating_mul(2);
    let each = SECONDS.saturating_sub(linters) / u32::try_from(files).unwrap_or(u32::MAX).max(1);
    // What a model changed is checked again.
    let most = each.saturating_sub(settings.deadline_seconds);
    let limited = |strength: Strength, tier: &Tier| {
        let seconds = settings.fixer.seconds(strength).min(most);
        Tier { timeout_seconds: Some(seconds), ..tier.clone() }
    };
    let mut fixer = settings.fixer.clone();
    fixer.tiers.haiku = limited(Strength::Haiku, &fixer.tiers.haiku);
    fixer.tiers.sonnet = limited(Strength::Sonnet, &fixer.tiers.sonnet);
    fixer.tiers.opus = limited(Strength::Opus, &fixer.tiers.opus);
    fixer.timeout_seconds = None;
    (most >= LEAST_SECONDS).then_some(fixer)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> Settings {
        let mut settings = Settings { deadline_seconds: 25, ..Settings::default() };
        settings.project.deadline_seconds = 60;
        settings
    }

    fn seconds(settings: &Settings, files: usize) -> Option<[u32; 3]> {
        let fixer = limit_fixer(settings, files)?;
        Some([Strength::Haiku, Strength::Sonnet, Strength::Opus].map(|strength| fixer.seconds(strength)))
    }

    #[test]
    fn a_model_gets_no_more_time_than_the_client_waits() {
        let mut settings = settings();
        assert_eq!(seconds(&settings, 1), Some([120, 300, 375]));
        assert_eq!(seconds(&settings, 4), Some([75, 75, 75]));
        assert_eq!(seconds(&settings, 20), None);
        settings.fixer.timeout_seconds = Some(90);
        assert_eq!(seconds(&settings, 1), Some([90, 90, 90]));
        settings.deadline_seconds = 600;
        assert_eq!(seconds(&settings, 1), None);
    }
}
