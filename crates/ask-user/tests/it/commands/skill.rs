//! `ask-user skill`: the instructions for agents that only have a shell, and where they are
//! installed.

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

use crate::support::sandbox::{BINARY, Sandbox, ended};
use crate::support::traps::{TRAPS, clear};

/// A person's home with a project in it.
struct Desk {
    sandbox: Sandbox,
}

impl Desk {
    fn new() -> Self {
        let desk = Self {
            sandbox: Sandbox::new(),
        };
        std::fs::create_dir_all(desk.project().join(".git")).expect("a writable home");
        desk
    }

    fn home(&self) -> &Path {
        self.sandbox.home()
    }

    fn project(&self) -> std::path::PathBuf {
        self.home().join("shop")
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.sandbox.command(BINARY);
        let folder = Path::new(BINARY).parent().expect("a parent folder");
        command.env("PATH", format!("{}:/usr/bin:/bin", folder.display()));
        command
            .env("HOME", self.home())
            .env_remove("CLAUDE_CONFIG_DIR");
        command
            .current_dir(self.project())
            .arg("skill")
            .args(arguments);
        command
    }

    /// The exit code, and the output with the errors.
    fn skill(&self, arguments: &[&str]) -> (i32, String) {
        let output = ended(self.command(arguments));
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let said = text(&output.stdout) + &text(&output.stderr);
        let said = said.replace(&self.home().display().to_string(), "HOME");
        (output.status.code().expect("no signal ended it"), said)
    }

    fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.home().join(path)).unwrap_or_default()
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.home().join(path);
        std::fs::create_dir_all(path.parent().expect("a parent folder")).expect("a writable home");
        std::fs::write(path, text).expect("a writable home");
    }

    /// Every file and folder, except those of git.
    fn tree(&self) -> Vec<String> {
        let mut left = vec![self.home().to_owned()];
        let mut found = Vec::new();
        while let Some(folder) = left.pop() {
            for entry in std::fs::read_dir(folder)
                .expect("an existing folder")
                .flatten()
            {
                let path = entry.path();
                let name = path.strip_prefix(self.home()).expect("inside");
                found.push(name.display().to_string());
                if path.is_dir() {
                    left.push(path);
                }
            }
        }
        found.sort();
        found
    }
}

#[test]
fn the_skill_keeps_to_the_format() {
    let (code, text) = Desk::new().skill(&["print"]);
    assert_eq!(code, 0);
    let head = text
        .strip_prefix("---\n")
        .expect("the file begins with front matter");
    let (head, body) = head.split_once("\n---\n").expect("the front matter ends");
    let field = |name: &str| {
        let start = format!("{name}: ");
        let line = head.lines().find_map(|line| line.strip_prefix(&start));
        line.unwrap_or_else(|| panic!("{name} is missing"))
            .to_owned()
    };
    assert_eq!(field("name"), "ask-user", "as its folder");
    let description = field("description");
    assert!((1..=1024).contains(&description.chars().count()));
    assert!(!description.contains(": "), "as YAML it is one plain text");
    assert!(field("compatibility").chars().count() <= 500);
    assert!(body.lines().count() < 500, "an agent reads it at once");
    insta::assert_snapshot!("skill", text);
    let (_, block) = Desk::new().skill(&["print", "--agents-md"]);
    insta::assert_snapshot!("block", block);
}

#[test]
fn what_the_skill_says_to_run_can_be_run() {
    let desk = Desk::new();
    let (_, text) = desk.skill(&["print"]);
    let mut ran = 0;
    for example in text.split("```sh\n").skip(1) {
        let (example, _) = example.split_once("```").expect("a closing mark");
        let quick = example.replace("--return-after 100s", "--return-after 1ms");
        let mut shell = desk.command(&[]);
        let path = shell.get_envs().find(|(name, _)| *name == "PATH");
        let path = path.and_then(|(_, path)| path).expect("a PATH").to_owned();
        shell = desk.sandbox.command("bash");
        shell.env("PATH", path).args(["-c", &quick]);
        let output = ended(shell);
        assert_eq!(output.status.code(), Some(8), "{example}: {output:?}");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            said.contains("To go on waiting, run: ask-user wait a_"),
            "{said}"
        );
        ran += 1;
    }
    assert_eq!(ran, 2);
}

#[test]
fn it_is_put_where_agents_look_and_taken_away_again() {
    let desk = Desk::new();
    let before = desk.tree();
    let (code, said) = desk.skill(&["install", "--dry-run"]);
    assert_eq!((code, desk.tree()), (0, before.clone()), "{said}");
    let would = "~/.claude/skills/ask-user/SKILL.md: would be written\n--- /dev/null\n";
    assert!(said.starts_with(would), "{said}");
    let (code, said) = desk.skill(&["install"]);
    assert_eq!(code, 0, "{said}");
    assert_eq!(
        said,
        "~/.claude/skills/ask-user/SKILL.md: written\n~/.agents/skills/ask-user/SKILL.md: written\n"
    );
    let (_, printed) = desk.skill(&["print"]);
    assert_eq!(desk.read(".agents/skills/ask-user/SKILL.md"), printed);
    assert_eq!(
        desk.skill(&["install"]).1,
        "~/.claude/skills/ask-user/SKILL.md: is as it should be\n~/.agents/skills/ask-user/SKILL.md: is as it should be\n"
    );
    let older = printed.replace("When to ask", "When one asks");
    desk.write(".claude/skills/ask-user/SKILL.md", &older);
    let (_, said) = desk.skill(&["install"]);
    assert!(
        said.contains("~/.claude/skills/ask-user/SKILL.md: changed\n"),
        "{said}"
    );
    assert_eq!(desk.read(".claude/skills/ask-user/SKILL.md"), printed);
    let (code, said) = desk.skill(&["remove"]);
    assert_eq!(code, 0, "{said}");
    assert_eq!(said.matches(": removed\n").count(), 2, "{said}");
    assert_eq!(desk.tree(), before, "as if it had never been there");
    assert_eq!(desk.skill(&["remove"]), (0, String::new()));
}

#[test]
fn a_project_has_folders_of_its_own() {
    let desk = Desk::new();
    let inner = desk.project().join("src");
    std::fs::create_dir(&inner).expect("a writable home");
    std::fs::create_dir(desk.home().join(".qwen")).expect("a writable home");
    let mut command = desk.command(&["install", "--project"]);
    let output = ended({
        command.current_dir(&inner);
        command
    });
    assert!(output.status.success(), "{output:?}");
    for place in [".claude", ".agents", ".qwen"] {
        let path = format!("shop/{place}/skills/ask-user/SKILL.md");
        assert!(desk.read(&path).contains("name: ask-user\n"), "{path}");
    }
    assert!(
        !desk.home().join(".claude").exists(),
        "the person's own folder isn't used"
    );
    desk.skill(&["remove", "--project"]);
    let left = desk.tree();
    assert!(left.iter().all(|path| !path.contains("skills")), "{left:?}");
}

#[test]
fn a_skill_of_somebody_elses_is_left_alone() {
    let desk = Desk::new();
    let theirs = "---\nname: ask-user\ndescription: Mine.\n---\nAsk me.\n";
    desk.write(".claude/skills/ask-user/SKILL.md", theirs);
    for verb in ["install", "remove"] {
        let (code, said) = desk.skill(&[verb]);
        assert_eq!(code, 1, "{said}");
        let left = "ask-user: ~/.claude/skills/ask-user/SKILL.md: another skill is there under this name, so it was left as it is\n  move it away, then run this again\n";
        assert!(said.contains(left), "{said}");
        assert_eq!(desk.read(".claude/skills/ask-user/SKILL.md"), theirs);
    }
}

#[test]
fn the_block_in_agents_md_leaves_everything_else_as_it_is() {
    let desk = Desk::new();
    let rules = "# Rules\n\nBe kind.   \n\n\n- no end of line";
    desk.write("shop/AGENTS.md", rules);
    let (code, said) = desk.skill(&["install", "--agents-md", "--project"]);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("~/shop/AGENTS.md: changed\n"), "{said}");
    let now = desk.read("shop/AGENTS.md");
    let (_, block) = desk.skill(&["print", "--agents-md"]);
    assert_eq!(now, format!("{rules}\n{block}"));
    let (_, said) = desk.skill(&["install", "--agents-md", "--project"]);
    assert!(
        said.contains("~/shop/AGENTS.md: is as it should be\n"),
        "{said}"
    );
    desk.write(
        "shop/AGENTS.md",
        &now.replace("Silence is not consent", "Whatever"),
    );
    desk.skill(&["install", "--agents-md", "--project"]);
    assert_eq!(desk.read("shop/AGENTS.md"), now, "the block is restored");
    desk.skill(&["remove", "--agents-md", "--project"]);
    assert_eq!(desk.read("shop/AGENTS.md"), rules, "byte for byte");
    std::fs::remove_file(desk.project().join("AGENTS.md")).expect("an existing file");
    desk.skill(&["install", "--agents-md", "--project"]);
    assert_eq!(desk.read("shop/AGENTS.md"), block);
    desk.skill(&["remove", "--agents-md", "--project"]);
    assert!(!desk.project().join("AGENTS.md").exists());
    desk.write("shop/AGENTS.md", "");
    desk.skill(&["install", "--agents-md", "--project"]);
    desk.skill(&["remove", "--agents-md", "--project"]);
    assert_eq!(desk.read("shop/AGENTS.md"), "", "empty, as it was");
    std::fs::remove_file(desk.project().join("AGENTS.md")).expect("an existing file");
    desk.write("shop/AGENTS.md", "<!-- ask-user: begin -->\nno end\n");
    let (code, said) = desk.skill(&["install", "--agents-md", "--project"]);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("has a beginning and no end"), "{said}");
    assert_eq!(
        desk.read("shop/AGENTS.md"),
        "<!-- ask-user: begin -->\nno end\n"
    );
}

#[test]
fn who_finds_no_program_is_told() {
    let desk = Desk::new();
    let mut command = desk.command(&["install"]);
    command.env("PATH", "/usr/bin:/bin");
    let said = String::from_utf8_lossy(&ended(command).stdout).into_owned();
    assert!(
        said.contains("A shell doesn't find `ask-user` yet: `ask-user doctor` says"),
        "{said}"
    );
}

#[test]
fn what_a_checkout_brings_along_leads_nowhere_and_stops_nobody() {
    let desk = Desk::new();
    desk.write("outside.md", "precious\n");
    let outside = desk.home().join("outside.md");
    let skills = ".claude/skills/ask-user/SKILL.md";
    for (file, arguments) in [
        ("AGENTS.md", &["install", "--agents-md"][..]),
        ("AGENTS.md", &["remove", "--agents-md"]),
        (skills, &["install", "--project"]),
        (skills, &["remove", "--project"]),
    ] {
        let path = desk.project().join(file);
        std::fs::create_dir_all(path.parent().expect("a parent folder")).expect("a writable home");
        for (trap, put) in TRAPS {
            put(&path, &outside);
            let (code, said) = desk.skill(arguments);
            assert_eq!(code, 1, "{arguments:?}, {trap}: {said}");
            assert!(!said.contains("precious"), "{trap}: {said}");
            assert_eq!(desk.read("outside.md"), "precious\n", "{trap}");
            assert!(!desk.home().join("outside.new").exists(), "{trap}");
            clear(&path);
        }
    }
    clear(&desk.project().join(".claude"));
    std::fs::create_dir(desk.home().join("elsewhere")).expect("a writable home");
    symlink("../elsewhere", desk.project().join(".claude")).expect("a new link");
    let (code, said) = desk.skill(&["install", "--project"]);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("out of the project"), "{said}");
    let there = std::fs::read_dir(desk.home().join("elsewhere"));
    assert_eq!(there.expect("an existing folder").count(), 0);
}

#[test]
fn a_link_within_the_project_or_in_the_home_is_followed() {
    let desk = Desk::new();
    desk.write("shop/CLAUDE.md", "# Rules\n");
    let link = desk.project().join("AGENTS.md");
    symlink("CLAUDE.md", &link).expect("a new link");
    desk.write("dotfiles/claude/settings.json", "{}");
    symlink("dotfiles/claude", desk.home().join(".claude")).expect("a new link");
    let (code, said) = desk.skill(&["install", "--agents-md"]);
    assert_eq!(code, 0, "{said}");
    assert!(link.is_symlink());
    assert!(desk.read("shop/CLAUDE.md").contains("ask-user: begin"));
    assert!(
        !desk
            .read("dotfiles/claude/skills/ask-user/SKILL.md")
            .is_empty()
    );
}

#[test]
fn what_a_person_shares_has_the_modes_of_their_umask() {
    for (umask, folder, file) in [("022", 0o755, 0o644), ("027", 0o750, 0o640)] {
        let desk = Desk::new();
        for arguments in [
            "skill install --project --agents-md",
            "register claude-code --project",
        ] {
            let mut command = desk.sandbox.command("sh");
            let script = format!("umask {umask}; exec \"$0\" {arguments}");
            command.args(["-c", &script, BINARY]);
            command.env("HOME", desk.home()).current_dir(desk.project());
            let output = ended(command);
            assert!(output.status.success(), "{arguments}: {output:?}");
        }
        for (path, expected) in [
            (".claude/skills", folder),
            (".agents/skills/ask-user", folder),
            (".agents/skills/ask-user/SKILL.md", file),
            ("AGENTS.md", file),
            (".mcp.json", file),
        ] {
            let about = std::fs::metadata(desk.project().join(path)).expect(path);
            assert_eq!(about.permissions().mode() & 0o777, expected, "{path}");
        }
    }
}

#[test]
fn what_stands_in_place_of_gits_files_stops_nobody() {
    let desk = Desk::new();
    desk.write("outside", "secret words\n");
    let outside = desk.home().join("outside");
    let git = desk.project().join(".git");
    for file in [git.join("HEAD"), git.clone()] {
        for (trap, put) in TRAPS {
            clear(&file);
            put(&file, &outside);
            let mut command = desk.sandbox.command(BINARY);
            command.current_dir(desk.project());
            command.args(["ask", trap, "--no-wait"]);
            let output = ended(command);
            assert_eq!(output.status.code(), Some(8), "{trap}: {output:?}");
        }
        clear(&file);
    }
    let listed = desk.sandbox.done(&["list", "--json"]);
    assert!(!listed.contains("secret"), "{listed}");
}
