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
const PATIENCE: Duration = Duration::from_secs(5);

/// The bytes that are read of a response; they contain the status line.
const BEGINNING: u64 = 1_000;

pub(super) async fn check(
    home: &Home,
    wanted: &Http,
    status: &Status,
    report: &mut Report,
) -> anyhow::Result<()> {
    report.say(match (wanted.enabled, status.port) {
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
        (true, Some(port)) => served(home, (wanted.port, status.wanted_port), port).await,
    })
}

/// Checks the port that is served. `then` is the port from the settings when the hub started, if it
/// reports that.
async fn served(home: &Home, (wanted, then): (u16, Option<u16>), port: u16) -> Finding {
    let alive = reply(port, "GET", "/healthz", None).await;
    if alive != Ok(200) {
        return Finding::fail(
            "http",
            format!("port {port}: /healthz {}, not 200", came(&alive)),
        )
        .mend("ask-user hub --stop");
    }
    let stranger = reply(port, "POST", "/mcp", None).await;
    if stranger != Ok(401) {
        let said = format!(
            "port {port}: /mcp without the token {}, not 401",
            came(&stranger)
        );
        return Finding::fail("http", said).mend("ask-user hub --stop");
    }
    let file = home.token_file();
    let token = std::fs::read_to_string(&file).unwrap_or_default();
    let known = reply(port, "GET", "/openapi.json", Some(token.trim())).await;
    if known != Ok(200) || shown(home).is_none_or(|address| address.token != token.trim()) {
        let said = format!(
            "port {port}: the token in {} is not the hub's: it was changed after the hub began",
            file.display()
        );
        return Finding::fail("http", said)
            .mend("ask-user hub --stop\nthe next hub takes the token that is in the file, or writes one if that is too short");
    }
    let url = format!("http://127.0.0.1:{port}/mcp");
    if wanted != 0 && wanted != port {
        if let Some(then) = then.filter(|then| *then != wanted) {
            let then = match then {
                0 => "any port".to_owned(),
                then => format!("port {then}"),
            };
            let said = format!(
                "the hub was to take {then} when it began, so MCP is at {url}, and port {wanted} is wanted now"
            );
            return Finding::warn("http", said).mend("ask-user hub --stop");
        }
        let said =
            format!("port {wanted} was taken when the hub began, so MCP is at {url} for now");
        return Finding::warn("http", said).mend(format!(
            "find who has it: lsof -nP -iTCP:{wanted} -sTCP:LISTEN\nend that, or set `port` under [http] in {}, or CN_MCP_PORT where that is set, to another\nand then, because a hub keeps the port that it has: ask-user hub --stop",
            home.config_file().display()
        ));
    }
    let token = file.display();
    Finding::fine("http", format!("MCP at {url}, with the token in {token}"))
}

fn shown(home: &Home) -> Option<HttpAddress> {
    let text = std::fs::read_to_string(home.address_file()).ok()?;
    ipc::read_address(&text).ok()?.http
}

fn came(reply: &Result<u16, String>) -> String {
    match reply {
        Ok(status) => format!("says {status}"),
        Err(problem) => problem.clone(),
    }
}

/// The status of a response, or what happened instead.
async fn reply(port: u16, method: &str, path: &str, token: Option<&str>) -> Result<u16, String> {
    let shown = token.map(|token| format!("authorization: Bearer {token}\r\n"));
    let request = format!(
        "{method} {path} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\n{}content-type: application/json\r\n\
         content-length: 2\r\nconnection: close\r\n\r\n{{}}",
        shown.unwrap_or_default()
    );
    let said = async {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).await?;
        stream.write_all(request.as_bytes()).await?;
        let mut text = Vec::new();
        stream.take(BEGINNING).read_to_end(&mut text).await?;
        std::io::Result::Ok(text)
    };
    let text = match timeout(PATIENCE, said).await {
        Ok(Ok(text)) => text,
        Ok(Err(error)) => return Err(format!("fails ({error})")),
        Err(_) => return Err(format!("says nothing for {PATIENCE:?}")),
    };
    let text = String::from_utf8_lossy(&text);
    let status = text.split(' ').nth(1).and_then(|word| word.parse().ok());
    status.ok_or_else(|| "does not speak HTTP".to_owned())
}
