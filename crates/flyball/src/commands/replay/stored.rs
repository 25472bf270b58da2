//! A session out of the store, event by event.

use std::ops::ControlFlow;

use flyball_store::{Queries, SessionSummary, StoreError};

use super::replayer::{ReplayContext, Replayer, SessionResult};

/// Plays what is recorded of a session.
pub(super) fn replay(
    session: &SessionSummary,
    index: &dyn Queries,
    theatre: &ReplayContext<'_>,
) -> Result<SessionResult, StoreError> {
    let mut player = Replayer::new(theatre);
    index.visit_session(&session.client, &session.session, &mut |event| {
        if player.is_over() {
            return ControlFlow::Break(());
        }
        player.record(&event.record);
        ControlFlow::Continue(())
    })?;
    Ok(player.result)
}
