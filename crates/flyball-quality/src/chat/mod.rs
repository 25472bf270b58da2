//! Chats with the servers of model providers: builds the request of a protocol, sends it, and reads the reply.
//!
//! A key is sent as a header only, and removed from every error text.

mod address;
mod error;
mod key;
mod protocol;
mod reply;

pub use self::address::{host, is_unencrypted};
pub use self::error::{ServerError, parse_response, send, shown, visible};
pub use self::key::{KeyVariable, is_key};
pub use self::protocol::{Endpoint, Protocol, Question, Tool};
pub use self::reply::{End, Reply};
