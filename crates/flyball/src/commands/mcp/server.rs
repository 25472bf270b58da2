//! The server: what the protocol asks for, answered by the tools and the resources.

use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation,
    ListResourcesResult, ListToolsResult, PaginatedRequestParams, ReadResourceRequestParams,
    ReadResourceResponse, ReadResourceResult, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::Value;

use super::projects::{Projects, Refusal, quote};
use super::{resources, tools};

/// No call takes longer.
const LIMIT: Duration = Duration::from_secs(20);

/// The description of the server for the model.
const INSTRUCTIONS: &str = "What this project has learned: rules from its AGENTS.md and CLAUDE.md files, reports of what \
went wrong, lessons of its tasks. Before you edit a file, `read_context` returns the rules for it. \
`search_knowledge` finds what is known about a subject. When you find out something the next agent should know, \
`report_learning` reports it to a person.";

#[derive(Clone)]
pub(super) struct Server {
    projects: Arc<Projects>,
}

impl Server {
    pub(super) fn new(projects: Projects) -> Server {
        Server { projects: Arc::new(projects) }
    }

    /// Runs work on a thread of its own, with a time limit.
    async fn bounded<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Projects) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let projects = Arc::clone(&self.projects);
        // Files and git block, and the one thread of the runtime has to answer other requests meanwhile.
        let work = tokio::task::spawn_blocking(move || work(&projects));
        match tokio::time::timeout(LIMIT, work).await {
            Ok(Ok(done)) => done,
            Ok(Err(_)) => {
                Err(Refusal("flyball crashed during this call, which is a bug; try another call".to_owned()))
            }
            Err(_) => Err(Refusal(format!(
                "ask for less: it took longer than {} s and was stopped",
                LIMIT.as_secs()
            ))),
        }
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_resources().build();
        let own = Implementation::new("flyball", env!("CARGO_PKG_VERSION"));
        ServerConfig::new(capabilities).with_server_info(own).with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools::list_tools()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = tools::find_tool(&request.name) else {
            let what = format!("unknown tool `{}`", quote(&request.name));
            return Err(ErrorData::invalid_params(what, None));
        };
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        let done = self.bounded(move |projects| (tool.run)(projects, arguments)).await;
        let result = match done {
            Ok(text) => CallToolResult::success(vec![ContentBlock::text(text)]),
            // An error within the result is for the model; one of the protocol may never reach it.
            Err(Refusal(why)) => CallToolResult::error(vec![ContentBlock::text(why)]),
        };
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let cursor = request.and_then(|request| request.cursor);
        let page = self.bounded(move |projects| resources::page(projects, cursor.as_deref())).await;
        page.map_err(|Refusal(why)| ErrorData::invalid_params(why, None))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let contents = self.bounded(move |projects| resources::read(projects, &request.uri)).await;
        match contents {
            Ok(contents) => Ok(ReadResourceResult::new(vec![contents]).into()),
            Err(Refusal(why)) => Err(ErrorData::resource_not_found(why, None)),
        }
    }
}
