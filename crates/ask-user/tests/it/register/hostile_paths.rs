//! Links and pipes that a checkout puts in the place of a client's settings don't lead outside and
//! don't block.

use std::os::unix::fs::symlink;

use super::Person;
use crate::support::traps::{TRAPS, clear};

const PRECIOUS: &str = "{\"mcpServers\": {\"precious\": {}}}\n";

#[test]
fn a_projects_settings_are_files_of_the_project() {
    let person = Person::new();
    person.write("outside.json", PRECIOUS);
    let outside = person.file("outside.json");
    let settings = person.file("shop/.mcp.json");
    for (trap, put) in TRAPS {
        put(&settings, &outside);
        for verb in ["register", "unregister"] {
            let output = person.run(&[verb, "claude-code", "--project"]);
            let stays = verb == "unregister" && output.out.contains("nothing");
            assert!(output.code == 1 || stays, "{verb}, {trap}: {output:?}");
            assert!(
                !output.out.contains("precious"),
                "{verb}, {trap}: {output:?}"
            );
        }
        assert_eq!(person.read("outside.json"), PRECIOUS, "{trap}");
        assert!(!person.file("outside.new").exists(), "{trap}");
        clear(&settings);
    }

    // A backup could be a link as well and would be put in the place of the settings.
    assert_eq!(
        person.run(&["register", "claude-code", "--project"]).code,
        0
    );
    let backup = person.file("shop/.mcp.json.ask-user-backup");
    for (trap, put) in TRAPS {
        put(&backup, &outside);
        let output = person.run(&["unregister", "claude-code", "--project"]);
        assert_eq!(output.code, 0, "{trap}: {output:?}");
        let left = std::fs::read_to_string(&settings).unwrap_or_default();
        assert!(!left.contains("precious"), "{trap}: {left}");
        person.run(&["register", "claude-code", "--project"]);
        clear(&backup);
    }
    assert_eq!(person.read("outside.json"), PRECIOUS);
}

#[test]
fn a_projects_folders_are_in_the_project() {
    let person = Person::new();
    std::fs::create_dir(person.file("elsewhere")).expect("a writable home");
    for (folder, client) in [(".cursor", "cursor"), (".pi", "pi")] {
        symlink("../elsewhere", person.file("shop").join(folder)).expect("a new link");
        let output = person.run(&["register", client, "--project"]);
        assert_eq!(output.code, 1, "{output:?}");
        assert!(output.err.contains("out of the project"), "{output:?}");
        let there = std::fs::read_dir(person.file("elsewhere"));
        assert_eq!(there.expect("an existing folder").count(), 0);
    }
}

#[test]
fn a_link_within_the_project_is_followed() {
    let person = Person::new();
    person.write("shop/tools/mcp.json", "{}\n");
    let link = person.file("shop/.mcp.json");
    symlink("tools/mcp.json", &link).expect("a new link");
    assert_eq!(
        person.run(&["register", "claude-code", "--project"]).code,
        0
    );
    assert!(link.is_symlink());
    assert!(person.read("shop/tools/mcp.json").contains("ask-user"));
}
