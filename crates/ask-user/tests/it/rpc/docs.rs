//! The examples of `docs/reference/protocol.md` are replayed and must match: `$` is typed in a shell, `>` is
//! written by the host, `<` is what it reads.

use std::path::Path;

use crate::support::host::Host;
use crate::support::sandbox::{BINARY, Sandbox, run_to_end};

#[test]
fn the_examples_of_the_protocol_page_replay() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/protocol.md");
    let page = std::fs::read_to_string(path).expect("the page is there");
    let sessions = page.split("```").skip(1).step_by(2);
    let sessions: Vec<&str> = sessions.filter(|block| block.starts_with("\n$ ")).collect();
    assert_eq!(sessions.len(), 3, "one in each direction, and a prompt");
    for session in sessions {
        replay(session);
    }
}

fn replay(session: &str) {
    let fixed = [
        ("ASK_USER_NOW", "2026-02-04T12:00:00Z"),
        ("ASK_USER_SEED", "7"),
        ("ASK_USER_PROJECT", "shop"),
    ];
    let sandbox = Sandbox::new();
    let home = sandbox.home().display().to_string();
    let mut host: Option<Host> = None;
    for line in session.trim().lines() {
        let (sign, text) = line.split_at(2);
        match (sign, host.as_mut()) {
            ("$ ", None) if text.contains(" rpc") => {
                let arguments: Vec<&str> = text.split(' ').skip(1).collect();
                host = Some(Host::start_command(&sandbox, &arguments, &fixed));
            }
            ("$ ", _) => {
                let mut command = sandbox.command("sh");
                let (_, arguments) = text.split_once(' ').expect("a command of ours");
                command.args(["-c", &format!("\"$0\" {arguments}"), BINARY]);
                command.envs(fixed);
                let output = run_to_end(command);
                let code = output.status.code();
                assert!(matches!(code, Some(0 | 8)), "{line}: {output:?}");
            }
            ("> ", Some(host)) => host.send_message(text),
            ("< ", Some(host)) => {
                let heard = host.process.out.next().expect("a line");
                let heard = heard.replace(&home, "/srv/shop");
                let version = concat!("\"", env!("CARGO_PKG_VERSION"), "\"");
                assert_eq!(heard.replace(version, "\"0.1.0\""), text);
            }
            _ => panic!("a session begins with a command: {line}"),
        }
    }
}
