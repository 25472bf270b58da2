//! `flyball mcp`: serve what the project knows to agents, over MCP on standard input and output.
//!
//! Standard output carries the protocol and nothing else. Every call is bounded in time and in size, and nothing outside
//! of the allowed projects is read.

mod projects;
mod resources;
mod server;
mod tools;
mod wait_for_request;

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use flyball_clients::{CLIENTS, FACTS};
use flyball_knowledge::layout;
use rmcp::ServiceExt;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::io::stdio;

use self::projects::Projects;
use self::server::Server;
use self::wait_for_request::WaitForRequest;
use crate::outcome::{Done, Failed};
use crate::terminal::Terminal;

/// A message that is longer than this is dropped.
const LONGEST_LINE: usize = 4 * 1024 * 1024;

/// How many calls run at a time, with room for the two streams.
const MOST_THREADS: usize = 32;

/// Arguments of `flyball mcp`.
#[derive(Args)]
#[command(after_help = after_help())]
pub(crate) struct Arguments {
    /// Allow another project too; can be given several times. `INTENT_LAYER_ALLOWED_PROJECTS` names more, separated by
    /// colons
    #[arg(long = "project", value_name = "PATH")]
    projects: Vec<PathBuf>,
}

/// How each client registers it, and what it gives.
fn after_help() -> String {
    let width = CLIENTS.iter().map(|client| client.title.len()).max().unwrap_or_default();
    let ways = CLIENTS.iter().map(|client| {
        format!("  {:width$}  {} flyball -- flyball mcp\n", client.title, client.facts.add_server)
    });
    let nodes: Vec<&str> = layout::node_names(FACTS).collect();
    format!(
        "Register it once, in the project or for the user:\n{}\n\
         It gives agents five tools (read_context, report_learning, search_knowledge, loop_status,\n\
         task_status) and the project's {} files as resources. It ends when\nstandard input does.",
        ways.collect::<String>(),
        nodes.join(" and "),
    )
}

/// Serves until standard input ends.
pub(crate) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    let projects = Projects::open(&arguments.projects)?;
    if terminal.is_interactive() {
        // A person typed the command and would wonder. Without standard error, nobody can read the hint.
        let hint = "This is an MCP server, waiting for a client. To register it, see `flyball mcp --help`; to end it, press Ctrl-D.";
        drop(writeln!(std::io::stderr(), "{hint}"));
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(MOST_THREADS)
        .build()
        .map_err(|cause| {
            Failed::new(
                format!("the server cannot be started: {cause}"),
                "close other programs and try again",
            )
        })?;
    // One thread for the protocol is enough; calls run on the blocking ones.
    let served = runtime.block_on(serve(Server::new(projects)));
    // A call that still hangs must not keep the process alive.
    runtime.shutdown_background();
    served
}

async fn serve(server: Server) -> Result<Done, Failed> {
    let (input, output) = stdio();
    let transport = AsyncRwTransport::new_server(input, output).with_max_line_length(LONGEST_LINE);
    match server.serve(WaitForRequest::new(transport)).await {
        Ok(running) => {
            // Also after an error, the client is gone.
            drop(running.waiting().await);
            Ok(Done::Success)
        }
        // The client is gone: nobody is left to report to.
        Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => Ok(Done::Success),
        Err(problem) => {
            let fix = "check that the client speaks MCP over standard input and output";
            Err(Failed::new(format!("the client did not start the MCP protocol: {problem}"), fix))
        }
    }
}
