//! Every client's files: absent, with other servers, with comments, and of a project.

use toml::{Table, Value};

use super::Person;
use crate::support::json;

const TABLE: &str = include_str!("../../../../ask-clients/src/clients.toml");

/// A client whose settings file we write.
struct Client {
    key: String,
    format: String,
    at: String,
    has_person: bool,
    has_project: bool,
}

fn clients() -> Vec<Client> {
    let table: Table = TABLE.parse().expect("one TOML file");
    let client = |(key, row): (&String, &Value)| {
        let register = row.get("register")?;
        let text = |name: &str| Some(register.get(name)?.as_str()?.to_owned());
        Some(Client {
            key: key.clone(),
            format: text("format")?,
            at: text("at").expect("the table says where the entry is"),
            has_person: register.get("file").is_some(),
            has_project: register.get("project").is_some(),
        })
    };
    table.iter().filter_map(client).collect()
}

impl Client {
    /// Settings with another server, and with comments if the format has them.
    fn others(&self, comments: bool) -> String {
        let at = self.at.trim_end_matches("[]");
        match (self.format.as_str(), self.at.ends_with("[]")) {
            ("toml", list) => {
                let header = match list {
                    true => format!("[[{at}]]\nname = \"other\""),
                    false => format!("[{at}.other]"),
                };
                let text = format!(
                    "# how it answers\nmodel   = \"small\" # enough\n\n{header}\ncommand = \"other\"\nargs = [\n  \"serve\", # always\n]\n"
                );
                if comments {
                    text
                } else {
                    without_comments(&text, '#')
                }
            }
            ("yaml", _) => {
                let text = format!(
                    "# how it answers\nMODEL: small # enough\n{at}:\n  # the first\n  other:\n    type: stdio\n    cmd: other\n    args:\n    - serve # always\n\n# the end\nTHEME: \"dark\"\n"
                );
                if comments {
                    text
                } else {
                    without_comments(&text, '#')
                }
            }
            _ if comments => format!(
                "// how it looks\n{{\n    \"theme\": \"dark\", // at night\n    /* servers */\n    \"{at}\": {{\n        // the first\n        \"other\": {{ \"command\": \"other\", \"args\": [\"serve\"] }}, // keep\n    }},\n}}\n"
            ),
            _ => format!(
                "{{\n  \"theme\": \"dark\",\n  \"{at}\": {{\n    \"other\": {{\n      \"command\": \"other\",\n      \"args\": [\"serve\"]\n    }}\n  }},\n  \"last\": [1, 2.50]\n}}"
            ),
        }
    }
}

fn without_comments(text: &str, mark: char) -> String {
    let lines = text.lines().filter(|line| !line.trim().starts_with(mark));
    let lines = lines.map(|line| line.split(mark).next().unwrap_or_default().trim_end());
    lines.map(|line| format!("{line}\n")).collect()
}

/// The first file that a registration would write.
fn first_file(person: &Person, arguments: &[&str]) -> String {
    let mut all = arguments.to_vec();
    all.extend(["--dry-run", "--json"]);
    let output = person.run(&all);
    assert_eq!(output.code, 0, "{output:?}");
    let file = output.out.split("\"file\":\"").nth(1).expect("a file");
    let file = file.split('"').next().expect("its path");
    file.replace("/HERE/person/", "~/").replace("/HERE/", "")
}

/// Registers, reads the file, registers again and unregisters. Returns what the file held.
fn register_and_unregister(
    case: &str,
    before: Option<(&str, String)>,
    arguments: &[&str],
) -> String {
    let person = Person::new();
    if let Some((path, text)) = &before {
        person.write(path, text);
    }
    let original = person.own_files();
    let mut register = vec!["register"];
    register.extend(arguments);
    let output = person.run(&register);
    assert_eq!((output.code, output.err.as_str()), (0, ""), "{output:?}");
    let mut text = format!("## {case}\n\n{}", output.out);
    let there = person.files();
    for (path, content) in &there {
        match path.strip_suffix(".ask-user-backup") {
            Some(path) => assert_eq!(Some(content), original.get(path), "kept as it was"),
            None => text.push_str(&format!("\n--- {path}\n{content}\n")),
        }
    }
    let again = person.run(&register);
    assert!(again.out.contains("already registered"), "{again:?}");
    assert_eq!(person.files(), there, "a second time changes no byte");
    let mut unregister = vec!["unregister"];
    unregister.extend(arguments);
    let output = person.run(&unregister);
    assert_eq!(output.code, 0, "{output:?}");
    assert_eq!(person.own_files(), original, "back to the letter");
    text
}

#[test]
fn every_client_is_registered_and_unregistered() {
    for client in clients() {
        let key = client.key.as_str();
        let person = Person::new();
        let mut text = String::new();
        if client.has_person {
            let file = first_file(&person, &["register", key]);
            text.push_str(&register_and_unregister("no file", None, &[key]));
            let others = [("other servers", false), ("comments", true)];
            for (case, comments) in others {
                let before = Some((file.as_str(), client.others(comments)));
                text.push_str(&format!(
                    "\n{}",
                    register_and_unregister(case, before, &[key])
                ));
            }
            let before = Some((file.as_str(), client.others(true).replace('\n', "\r\n")));
            register_and_unregister("line endings of Windows", before, &[key]);
        }
        if client.has_project {
            let arguments = [key, "--project"];
            text.push_str(&format!(
                "\n{}",
                register_and_unregister("a project", None, &arguments)
            ));
        }
        insta::assert_snapshot!(format!("register-{key}"), text);
    }
}

#[test]
fn broken_settings_are_unchanged_and_other_clients_are_registered() {
    for client in clients().iter().filter(|client| client.has_person) {
        let person = Person::new();
        let file = first_file(&person, &["register", &client.key]);
        let broken = match client.format.as_str() {
            "toml" => "model = \"small\"\n[mcp_servers\n",
            "yaml" => "MODEL: small\nextensions: [\n",
            _ => "{\n  \"theme\": \"dark\"\n  \"last\": 1\n}\n",
        };
        person.write(&file, broken);
        let other = if client.key == "cursor" {
            "junie"
        } else {
            "cursor"
        };
        let output = person.run(&["register", &client.key, other]);
        assert_eq!(output.code, 1, "{output:?}");
        assert_eq!(person.read(&file), broken, "untouched");
        assert!(output.err.contains(&format!("{file}, line ")), "{output:?}");
        assert!(output.err.contains("column "), "{output:?}");
        assert!(
            output.err.contains("It was left as it is. Mend it there"),
            "{output:?}"
        );
        assert!(
            output.out.contains("registered in ~/."),
            "the other goes on: {output:?}"
        );
        let backup = format!("{file}.ask-user-backup");
        assert!(
            !person.file(&backup).exists(),
            "nothing was changed, nothing is kept"
        );
    }
}

#[test]
fn a_takeover_is_announced_and_removed() {
    let text = register_and_unregister("a takeover", None, &["claude-code"]);
    assert!(
        !text.contains("AskUserQuestion"),
        "a takeover has to be asked for"
    );
    let person = Person::new();
    let hooks = "{\"hooks\":{\"PreToolUse\":[{\"matcher\":\"Bash\",\"hooks\":[]}]}}\n";
    person.write("~/.claude/settings.json", hooks);
    let output = person.run(&["register", "claude-code", "--takeover"]);
    assert_eq!(output.code, 0, "{output:?}");
    let first = output.out.lines().next().expect("a line");
    assert!(
        first.contains("AskUserQuestion goes through the inbox"),
        "{first}"
    );
    insta::assert_snapshot!(
        "takeover-claude-code",
        person.own_files()["~/.claude/settings.json"]
    );
    let again = person.run(&["register", "claude-code", "--takeover"]);
    assert!(again.out.contains("already registered"), "{again:?}");
    assert_eq!(person.run(&["unregister", "claude-code"]).code, 0);
    assert_eq!(person.read("~/.claude/settings.json"), hooks);
    let none = person.run(&["register", "cursor", "--takeover", "--dry-run"]);
    assert!(none.out.contains("offers no way"), "{none:?}");
}

#[test]
fn commands_beside_ours_in_a_group_of_hooks_are_kept() {
    let person = Person::new();
    let file = "~/.claude/settings.json";
    let theirs = r#"{"type": "command", "command": "tee -a /home/me/ask-user.log"}"#;
    let register = ["register", "claude-code", "--takeover"];
    assert_eq!(person.run(&register).code, 0);
    let ours = "\"matcher\": \"AskUserQuestion\",\n        \"hooks\": [\n";
    let written = person.read(file);
    assert!(written.contains(ours), "{written}");
    let shared = written.replace(ours, &format!("{ours}{theirs},\n"));
    person.write(file, &shared);
    let again = person.run(&register);
    assert!(again.out.contains("already registered"), "{again:?}");
    assert_eq!(person.read(file), shared);

    let older = shared.replace(" hook claude-code", " hook claude-code --older");
    person.write(file, &older);
    assert_eq!(person.run(&register).code, 0);
    assert_eq!(json(&person.read(file)), json(&shared));

    assert_eq!(person.run(&["unregister", "claude-code"]).code, 0);
    let left = json(&person.read(file));
    let groups = json(&format!(
        r#"[{{"matcher":"AskUserQuestion","hooks":[{theirs}]}}]"#
    ));
    assert_eq!(left["hooks"]["PreToolUse"], groups, "{left}");
    assert_eq!(left["hooks"]["PostToolUse"], groups, "{left}");
}

#[test]
fn a_link_to_a_file_that_did_not_exist_stays() {
    let person = Person::new();
    let file = person.file("~/.cursor/mcp.json");
    let target = person.file("~/dotfiles/mcp.json");
    for path in [&file, &target] {
        let folder = path.parent().expect("it is in a folder");
        std::fs::create_dir_all(folder).expect("the home is writable");
    }
    std::os::unix::fs::symlink(&target, &file).expect("the folder is writable");
    assert_eq!(person.run(&["register", "cursor"]).code, 0);
    assert!(target.exists());
    assert_eq!(person.run(&["unregister", "cursor"]).code, 0);
    assert!(!target.exists(), "nothing of ours is left");
    assert!(file.is_symlink(), "the person's link is left");
}

#[test]
fn a_takeover_plugin_is_installed_and_removed() {
    let person = Person::new();
    person.write("~/.config/opencode/plugin/mine.js", "// mine\n");
    let before = person.own_files();
    let output = person.run(&["register", "opencode", "--takeover"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(
        output.out.starts_with("OpenCode: taking over: "),
        "{output:?}"
    );
    let plugin = person.own_files()["~/.config/opencode/plugin/ask-user.js"].clone();
    assert!(plugin.contains("const PROGRAM = \"/PROGRAM\";"), "{plugin}");
    let again = person.run(&["register", "opencode", "--takeover"]);
    assert!(again.out.contains("already registered"), "{again:?}");
    person.write(
        "~/.config/opencode/plugin/ask-user.js",
        "// Hands opencode's own questions to ask-user, as an older version did\n",
    );
    let again = person.run(&["register", "opencode", "--takeover"]);
    assert!(
        again
            .out
            .contains("OpenCode: registered in ~/.config/opencode/plugin"),
        "{again:?}"
    );
    assert_eq!(person.run(&["unregister", "opencode"]).code, 0);
    assert_eq!(person.own_files(), before);
}

#[test]
fn an_extension_is_a_folder_of_files() {
    for arguments in [["pi"].as_slice(), &["pi", "--project"]] {
        let person = Person::new();
        let (folder, start) = match arguments {
            [_] => ("~/.pi/agent/extensions", ""),
            _ => (".pi/extensions", "shop/"),
        };
        person.write(&format!("{start}{folder}/mine.ts"), "// mine\n");
        let ours = person.file(&format!("{start}{folder}/ask-user"));
        let folder = format!("{folder}/ask-user");
        let before = person.own_files();
        let output = person.run(&[["register"].as_slice(), arguments].concat());
        assert_eq!(output.code, 0, "{output:?}");
        let files = person.own_files();
        assert!(
            files.contains_key(&format!("{folder}/index.ts")),
            "{output:?}"
        );
        assert_eq!(
            files[&format!("{folder}/ask-user.json")],
            "{ \"bin\": \"/PROGRAM\" }\n"
        );
        let again = person.run(&[["register"].as_slice(), arguments].concat());
        assert!(again.out.contains("already registered"), "{again:?}");
        let output = person.run(&[["unregister"].as_slice(), arguments].concat());
        assert_eq!(output.code, 0, "{output:?}");
        assert_eq!(person.own_files(), before);
        assert!(!ours.exists(), "an empty folder of ours goes too");
    }
}
