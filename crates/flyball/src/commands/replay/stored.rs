//! A session out of the store, event by event.

use std::ops::ControlFlow;

use flyball_store::{Questions, SessionSummary, StoreError};

use super::play::{Played, Player, Theatre};

/// Plays what is recorded of a session.
pub(super) fn play(
    session: &SessionSummary,
    index: &dyn Questions,
    theatre: &Theatre<'_>,
) -> Result<Played, StoreError> {
    let mut player = Player::new(theatre);
    index.visit_session(&session.client, &session.session, &mut |event| {
        if player.is_over() {
            return ControlFlow::Break(());
        }
        player.record(&event.record);
        ControlFlow::Continue(())
    })?;
    Ok(player.played)
}
