//! A transport that passes over what a client says before it says hello. The library would give up on it.

use std::future::Future;

use rmcp::RoleServer;
use rmcp::model::JsonRpcMessage;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;

/// Waits for the first request.
pub(super) struct WaitForRequest<T> {
    inner: T,
    has_begun: bool,
}

impl<T> WaitForRequest<T> {
    pub(super) const fn new(inner: T) -> WaitForRequest<T> {
        WaitForRequest { inner, has_begun: false }
    }
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for WaitForRequest<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.inner.send(item)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let message = self.inner.receive().await?;
            self.has_begun |= matches!(message, JsonRpcMessage::Request(_));
            if self.has_begun {
                return Some(message);
            }
        }
    }

    fn close(&mut self) -> impl Future<Output = Result<(), Self::Error>> + Send {
        self.inner.close()
    }
}
