//! A server that an app owns: registered in Antigravity's settings when it starts, found there by
//! its app, and started again by the client.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

use ask_core::Json;

use super::connect_app;
use crate::support::agent::{Agent, Era};
use crate::support::app::App;
use crate::support::http::Http;
use crate::support::sandbox::{BINARY, Running, Sandbox};
use crate::support::{json, text};

const FILE: &str = ".gemini/antigravity/mcp_config.json";

/// A server that an app starts, without standard streams.
fn start_server(sandbox: &Sandbox, arguments: &[&str], window: Option<&str>) -> Running {
    start_server_in(sandbox.home(), sandbox, arguments, window)
}

/// The same in another folder than the home.
fn start_server_in(
    folder: &Path,
    sandbox: &Sandbox,
    arguments: &[&str],
    window: Option<&str>,
) -> Running {
    let mut command = sandbox.command(BINARY);
    command.args([
        "mcp",
        "--dialect",
        "codenomad",
        "--tool-name",
        "cn_ask_user",
    ]);
    command.args(["--port", "0"]).args(arguments);
    command.env("HOME", sandbox.home()).stdin(Stdio::piped());
    command.envs(window.map(|window| ("ASK_USER_INSTANCE", window)));
    command.current_dir(folder);
    sandbox.start("mcp", command)
}

fn read_port(server: &mut Running) -> u16 {
    server.err.find("the port is named", |line| {
        let (_, rest) = line.split_once("http://127.0.0.1:")?;
        rest.strip_suffix("/mcp")?.parse().ok()
    })
}

fn token_file(sandbox: &Sandbox, mode: u32) -> String {
    let file = sandbox.home().join("app-token");
    fs::write(&file, "chosen\n").expect("a writable home");
    fs::set_permissions(&file, fs::Permissions::from_mode(mode)).expect("its permissions");
    file.display().to_string()
}

fn read_entry(sandbox: &Sandbox) -> Json {
    let settings = fs::read_to_string(sandbox.home().join(FILE)).expect("the settings file exists");
    json(&settings)["mcpServers"]["codenomad-ask-user"].clone()
}

fn argument(entry: &Json, name: &str) -> String {
    let args = entry["args"].as_array().expect("arguments");
    let at = args
        .iter()
        .position(|word| word == name)
        .expect("the argument is in the entry");
    args[at + 1].as_str().expect("a word").to_owned()
}

/// Starts the client's registered command.
fn start_client(sandbox: &Sandbox, entry: &Json) -> Agent {
    let mut command = Command::new(text(entry, "command"));
    let args = entry["args"].as_array().expect("arguments");
    command.args(args.iter().filter_map(Json::as_str));
    let env = entry["env"].as_object().expect("the home is set");
    command.envs(
        env.iter()
            .filter_map(|(name, value)| Some((name, value.as_str()?))),
    );
    command.current_dir(sandbox.home()).stdin(Stdio::piped());
    let mut running = sandbox.start("mcp", command);
    let input = running.child.stdin.take().expect("its input is piped");
    let mut agent = Agent::from_streams(running, input);
    agent.open(Era::Initialize("2025-11-25"));
    agent
}

#[test]
fn an_app_finds_its_server_where_the_client_finds_it() {
    let sandbox = Sandbox::new();
    let file = sandbox.home().join(FILE);
    fs::create_dir_all(file.parent().expect("a parent folder")).expect("a writable folder");
    fs::write(
        &file,
        r#"{"mcpServers":{"other":{"command":"x"}},"more":1}"#,
    )
    .expect("a file");
    let mut server = start_server(&sandbox, &["--register"], None);
    let port = read_port(&mut server);
    let entry_then = read_entry(&sandbox);
    assert_eq!(argument(&entry_then, "--port"), port.to_string());
    let token = text(&entry_then["env"], "ASK_USER_TOKEN");
    assert!(!entry_then["args"].to_string().contains(&token));
    assert!(token.len() >= 32, "it is chosen at random: {token}");
    let settings = json(&fs::read_to_string(&file).expect("an existing file"));
    assert_eq!(
        settings["mcpServers"]["other"]["command"], "x",
        "{settings}"
    );
    assert_eq!(settings["more"], 1, "{settings}");
    let mode = fs::metadata(&file)
        .expect("an existing file")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600, "only the owner may read the token");

    let mut wizard = connect_app(port, &token);
    let mut agent = start_client(&sandbox, &entry_then);
    let call = agent.call("cn_ask_user", r#"{"questions":[{"question":"Here?"}]}"#);
    let id = text(&wizard.receive("cn_ask_user.asked"), "requestId");
    wizard.send_message(&format!(
        r#"{{"type":"cn_ask_user.answered","requestId":"{id}","answers":[{{"values":["here"]}}]}}"#
    ));
    assert!(agent.receive_reply(call).contains("here"));

    // The next start has another port and another token; nothing else changes.
    let mut again = start_server(&sandbox, &["--register"], None);
    again.err.find("it is entered", |line| {
        line.contains("entered in").then_some(())
    });
    let entry_now = read_entry(&sandbox);
    assert_ne!(entry_now["env"]["ASK_USER_TOKEN"], token.as_str());
    assert_ne!(argument(&entry_now, "--port"), port.to_string());
    assert_eq!(entry_now["command"], entry_then["command"]);
}

#[test]
fn an_invalid_settings_file_is_unchanged_and_the_server_runs() {
    let sandbox = Sandbox::new();
    let file = sandbox.home().join("broken.json");
    fs::write(&file, "{\"mcpServers\": [").expect("a file");
    let named = format!("--register={}", file.display());
    let mut server = start_server(&sandbox, &[&named], None);
    server.err.find("it says where", |line| {
        line.contains("broken.json:1:").then_some(())
    });
    server
        .err
        .find("it serves", |line| line.ends_with("/mcp").then_some(()));
    assert_eq!(
        fs::read_to_string(&file).expect("an existing file"),
        "{\"mcpServers\": ["
    );
}

#[test]
fn a_link_in_a_checkout_leads_to_no_file_outside() {
    let sandbox = Sandbox::new();
    let outside = sandbox.home().join("outside.json");
    fs::write(&outside, "{}").expect("a file");
    let checkout = sandbox.home().join("checkout");
    fs::create_dir_all(checkout.join(".git")).expect("a folder");
    for (name, target) in [
        ("linked.json", "../outside.json"),
        ("new.json", "../new.json"),
    ] {
        symlink(target, checkout.join(name)).expect("a link");
        let named = format!("--register={name}");
        let mut server = start_server_in(&checkout, &sandbox, &[&named], None);
        server.err.find("it is refused", |line| {
            line.contains("out of the project").then_some(())
        });
        read_port(&mut server);
    }
    assert_eq!(fs::read_to_string(&outside).expect("a file"), "{}");
    assert!(!sandbox.home().join("new.json").exists());
    // The same link outside of a checkout is the person's own.
    let own = sandbox.home().join("own.json");
    symlink("outside.json", &own).expect("a link");
    let named = format!("--register={}", own.display());
    read_port(&mut start_server_in(&checkout, &sandbox, &[&named], None));
    let entered = fs::read_to_string(&outside).expect("a file");
    assert!(entered.contains("codenomad-ask-user"), "{entered}");
}

#[test]
fn a_server_of_one_window_shows_only_its_asks() {
    let sandbox = Sandbox::new();
    let file = token_file(&sandbox, 0o600);
    let mut server = start_server(&sandbox, &["--token-file", &file], Some("w1"));
    let port = read_port(&mut server);
    sandbox.ask(&["Somebody else's?"]);
    let mut wizard = connect_app(port, "chosen");
    let http = Http {
        trust: None,
        host: "127.0.0.1".to_owned(),
        port,
        token: "chosen".to_owned(),
        path: "/mcp".to_owned(),
    };
    let call = std::thread::spawn(move || {
        http.call(1, "cn_ask_user", r#"{"questions":[{"question":"Mine?"}]}"#)
    });
    let asked = wizard.receive("cn_ask_user.asked");
    assert_eq!(asked["questions"][0]["question"], "Mine?", "{asked}");
    assert_eq!(asked["instanceId"], "w1", "{asked}");
    let id = text(&asked, "requestId");
    wizard.send_message(&format!(
        r#"{{"type":"cn_ask_user.answered","requestId":"{id}","answers":[{{"values":["yes"]}}]}}"#
    ));
    let told = call.join().expect("the call ends").message().to_string();
    assert!(told.contains("yes"), "{told}");
}

#[test]
fn a_server_without_its_own_token_requires_the_answer_token() {
    let sandbox = Sandbox::new();
    let agents = Http::of_hub(&sandbox).token;
    let mut server = start_server(&sandbox, &[], None);
    let port = read_port(&mut server);
    assert_eq!(App::connect(port, &agents, &[]).err(), Some(401));
    let token = fs::read_to_string(sandbox.home().join("answer-token")).expect("the hub's token");
    connect_app(port, token.trim()).close();
}

#[test]
fn a_token_in_the_arguments_cannot_answer() {
    let sandbox = Sandbox::new();
    let mut server = start_server(&sandbox, &["--token", "chosen"], None);
    let port = read_port(&mut server);
    assert_eq!(App::connect(port, "chosen", &[]).err(), Some(401));
    let http = Http {
        trust: None,
        host: "127.0.0.1".to_owned(),
        port,
        token: "chosen".to_owned(),
        path: "/mcp".to_owned(),
    };
    let call = std::thread::spawn(move || {
        http.call(1, "cn_ask_user", r#"{"questions":[{"question":"Here?"}]}"#)
    });
    let token = fs::read_to_string(sandbox.home().join("answer-token")).expect("the hub's token");
    let mut wizard = connect_app(port, token.trim());
    let id = text(&wizard.receive("cn_ask_user.asked"), "requestId");
    wizard.send_message(&format!(
        r#"{{"type":"cn_ask_user.cancelled","requestId":"{id}"}}"#
    ));
    call.join().expect("the call ends").message();
}

#[test]
fn a_token_file_is_registered_by_path_and_must_be_private() {
    let sandbox = Sandbox::new();
    let open = token_file(&sandbox, 0o644);
    let mut refused = start_server(&sandbox, &["--token-file", &open], None);
    let said = refused.err.rest();
    assert!(said.contains("other accounts"), "{said}");
    let file = token_file(&sandbox, 0o600);
    let mut server = start_server(&sandbox, &["--register", "--token-file", &file], None);
    let port = read_port(&mut server);
    let entry = read_entry(&sandbox);
    assert_eq!(argument(&entry, "--token-file"), file);
    assert!(!entry.to_string().contains("chosen"), "{entry}");
    let mut wizard = connect_app(port, "chosen");
    let mut agent = start_client(&sandbox, &entry);
    let call = agent.call("cn_ask_user", r#"{"questions":[{"question":"Here?"}]}"#);
    let id = text(&wizard.receive("cn_ask_user.asked"), "requestId");
    wizard.send_message(&format!(
        r#"{{"type":"cn_ask_user.answered","requestId":"{id}","answers":[{{"values":["here"]}}]}}"#
    ));
    assert!(agent.receive_reply(call).contains("here"));
}
