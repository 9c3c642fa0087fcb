//! A server with everything that the official conformance suite calls for and
//! that ask-user has no use for, on ask-user's own HTTP side: so the suite reaches
//! the parts of it that our tools don't. `tests/conformance/run` drives it. The
//! names and the answers are the suite's; it describes them scenario by scenario.

mod content;
mod fixture;
mod forms;
mod jobs;
mod needs;
mod prompts;
mod resources;
mod rounds;
mod talk;
mod tasks;
mod tools;

use std::io::Write;

use ask_hub::http::Guard;
use ask_mcp::http::endpoint;
use tokio::net::TcpListener;

/// Serves on a free port and prints where.
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
