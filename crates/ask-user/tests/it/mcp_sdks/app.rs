//! The official TypeScript SDKs as a chat client with MCP Apps: the tools of its model, the card
//! that it reads, and the answer that the card sends through it.

use super::{BINARY, PEERS, Peer, folder, json, part};
use crate::support::sandbox::{Running, Sandbox};

const CALL: &str =
    r#"{"questions":[{"id":"db","question":"Which database?","options":["SQLite","PostgreSQL"]}]}"#;

/// Settings that let this client show the card while its call waits.
const MAY: &str = "[clients.chat]\nnames = [\"peer-typescript\"]\napps = \"beside\"\n";

impl Peer {
    /// Starts the SDK as a client with MCP Apps.
    fn start_with_apps(&self, sandbox: &Sandbox) -> Running {
        let mut command = sandbox.command(self.program());
        let sdk = self.script.trim_end_matches(".mjs");
        command.arg(folder().join("app.mjs"));
        command.args([sdk, CALL, BINARY, "mcp"]);
        command.env("ERA", self.era);
        sandbox.start(self.name, command)
    }
}

#[test]
fn an_official_sdk_answers_through_the_card() {
    for peer in &PEERS[..3] {
        let sandbox = Sandbox::new();
        sandbox.write_settings(MAY);
        let mut client = peer.start_with_apps(&sandbox);
        let mut next = |what: &str| client.out.find(what, |line| part(line, what));
        let tools = next("tools");
        let tools: Vec<_> = tools.as_array().expect("an array").iter().collect();
        assert!(tools.iter().any(|name| **name == "ask_ui_submit"));
        assert_eq!(next("model"), json(r#"["ask_user","ask_user_result"]"#));
        let card = next("card");
        assert_eq!(card["mimeType"], "text/html;profile=mcp-app", "{card}");
        let uri = card["uri"].as_str().expect("an address");
        assert!(uri.starts_with("ui://"), "{uri}");
        assert_eq!(
            (&card["whole"], &card["keyed"]),
            (&json("true"), &json("true"))
        );
        let refused = next("refused");
        assert_eq!(refused["isError"], true, "without its key: {refused}");
        let asked = next("asked");
        assert_eq!(asked["shown"], "Which database?", "{asked}");
        assert_eq!(next("kept")["revision"], 1);
        assert_eq!(next("submitted"), "app");
        let result = next("result");
        let told = result["content"][0]["text"].as_str().expect("a text");
        let answer = &json(told)["answers"][0];
        assert_eq!(answer["values"][0], "PostgreSQL", "{told}");
        assert_eq!(answer["note"], "from the card", "{told}");
    }
}
