//! Replays a session from the store.

use std::ops::ControlFlow;

use flyball_store::{Queries, SessionSummary, StoreError};

use super::replayer::{ReplayContext, Replayer, SessionResult};

pub(super) fn replay(
    session: &SessionSummary,
    index: &dyn Queries,
    context: &ReplayContext<'_>,
) -> Result<SessionResult, StoreError> {
    let mut replayer = Replayer::new(context);
    index.visit_session(&session.client, &session.session, &mut |event| {
        if replayer.is_over() {
            return ControlFlow::Break(());
        }
        replayer.record(&event.record);
        ControlFlow::Continue(())
    })?;
    Ok(replayer.result)
}
