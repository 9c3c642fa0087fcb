//! A server on ask-user's HTTP stack, with everything that MCP's official conformance suite calls
//! and that ask-user doesn't offer. So the suite covers the parts of the stack that our tools don't
//! use. `tests/conformance/run` drives it. The suite prescribes all names and results.

mod client_messages;
mod content;
mod fixture;
mod forms;
mod input_requests;
mod jobs;
mod prompts;
mod resources;
mod rounds;
mod tasks;
mod tools;

use std::io::Write;

use ask_hub::http::Guard;
use ask_mcp::endpoint;
use tokio::net::TcpListener;

/// Serves on a free port and prints the address.
#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    let fixture = fixture::Fixture::default();
    let guard = Guard::default();
    let router = endpoint("/mcp", move || Ok(fixture.clone()), &guard);
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    writeln!(std::io::stdout(), "http://{address}/mcp")?;
    axum::serve(listener, router).await?;
    Ok(())
}
