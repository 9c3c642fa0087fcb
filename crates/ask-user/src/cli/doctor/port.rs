//! Checks the hub's HTTP side as an agent with a URL uses it. Two short requests over a bare socket
//! need no HTTP library.

use std::time::Duration;

use ask_config::config::Http;
use ask_config::home::Home;
use ask_protocol::ipc::{self, HttpAddress, Status};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::finding::{Finding, Report};

/// How long a response may take on this machine.
const RESPONSE_LIMIT: Duration = Duration::from_secs(5);

/// How many bytes of a response are read. They contain the status line.
const STATUS_LINE_BYTES: u64 = 1_000;

pub(super) async fn check(
    home: &Home,
    wanted: &Http,
    status: &Status,
    report: &mut Report,
) -> anyhow::Result<()> {
    report.add(match (wanted.enabled, status.port) {
        (false, None) => Finding::fine("http", "off: `http.enabled` is false"),
        (true, None) => Finding::fail(
            "http",
            format!(
                "nobody is served over HTTP, though `http.enabled` is true; see {}",
                home.log_file().display()
            ),
        )
        .mend("ask-user hub --stop\nif it stays so, the log says why"),
        (false, Some(port)) => Finding::warn(
            "http",
            format!("the hub still serves port {port}, though `http.enabled` is false now"),
        )
        .mend("ask-user hub --stop"),
        (true, Some(port)) => check_port(home, (wanted.port, status.wanted_port), port).await,
    })
}

/// Checks the port that is served. `then` is the port that the settings had when the hub started, if the
/// hub reports it.
async fn check_port(home: &Home, (wanted, then): (u16, Option<u16>), port: u16) -> Finding {
    let health = request_status(port, "GET", "/healthz", None).await;
    if health != Ok(200) {
        return Finding::fail(
            "http",
            format!(
                "port {port}: /healthz {}, not 200",
                describe_status(&health)
            ),
        )
        .mend("ask-user hub --stop");
    }
    let without_token = request_status(port, "POST", "/mcp", None).await;
    if without_token != Ok(401) {
        let message = format!(
            "port {port}: /mcp without the token {}, not 401",
            describe_status(&without_token)
        );
        return Finding::fail("http", message).mend("ask-user hub --stop");
    }
    let file = home.token_file();
    let token = std::fs::read_to_string(&file).unwrap_or_default();
    let with_token = request_status(port, "GET", "/openapi.json", Some(token.trim())).await;
    if with_token != Ok(200)
        || read_address(home).is_none_or(|address| address.token != token.trim())
    {
        let message = format!(
            "port {port}: the token in {} is not the hub's: it was changed after the hub began",
            file.display()
        );
        return Finding::fail("http", message)
            .mend("ask-user hub --stop\nthe next hub takes the token that is in the file, or writes one if that is too short");
    }
    let url = format!("http://127.0.0.1:{port}/mcp");
    if wanted != 0 && wanted != port {
        if let Some(then) = then.filter(|then| *then != wanted) {
            let then = match then {
                0 => "any port".to_owned(),
                then => format!("port {then}"),
            };
            let message = format!(
                "the hub was to take {then} when it began, so MCP is at {url}, and port {wanted} is wanted now"
            );
            return Finding::warn("http", message).mend("ask-user hub --stop");
        }
        let message =
            format!("port {wanted} was taken when the hub began, so MCP is at {url} for now");
        return Finding::warn("http", message).mend(format!(
            "find who has it: lsof -nP -iTCP:{wanted} -sTCP:LISTEN\nend that, or set `port` under [http] in {}, or CN_MCP_PORT where that is set, to another\nand then, because a hub keeps the port that it has: ask-user hub --stop",
            home.config_file().display()
        ));
    }
    let token = file.display();
    Finding::fine("http", format!("MCP at {url}, with the token in {token}"))
}

fn read_address(home: &Home) -> Option<HttpAddress> {
    let text = std::fs::read_to_string(home.address_file()).ok()?;
    ipc::read_address(&text).ok()?.http
}

fn describe_status(status: &Result<u16, String>) -> String {
    match status {
        Ok(code) => format!("returns {code}"),
        Err(problem) => problem.clone(),
    }
}

/// The status of a response, or what happened instead.
async fn request_status(
    port: u16,
    method: &str,
    path: &str,
    token: Option<&str>,
) -> Result<u16, String> {
    let authorization = token.map(|token| format!("authorization: Bearer {token}\r\n"));
    let request = format!(
        "{method} {path} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\n{}content-type: application/json\r\n\
         content-length: 2\r\nconnection: close\r\n\r\n{{}}",
        authorization.unwrap_or_default()
    );
    let exchange = async {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).await?;
        stream.write_all(request.as_bytes()).await?;
        let mut text = Vec::new();
        stream
            .take(STATUS_LINE_BYTES)
            .read_to_end(&mut text)
            .await?;
        std::io::Result::Ok(text)
    };
    let text = match timeout(RESPONSE_LIMIT, exchange).await {
        Ok(Ok(text)) => text,
        Ok(Err(error)) => return Err(format!("fails ({error})")),
        Err(_) => return Err(format!("does not respond within {RESPONSE_LIMIT:?}")),
    };
    let text = String::from_utf8_lossy(&text);
    let status = text.split(' ').nth(1).and_then(|word| word.parse().ok());
    status.ok_or_else(|| "does not speak HTTP".to_owned())
}
