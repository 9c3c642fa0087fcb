//! `ask-user skill`: the instructions for agents that only have a shell, and where they are
//! installed.

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

use crate::support::sandbox::{BINARY, Sandbox, run_to_end};
use crate::support::traps::{TRAPS, clear};

/// A person's home with a project in it.
struct ProjectDirs {
    sandbox: Sandbox,
}

impl ProjectDirs {
    fn new() -> Self {
        let dirs = Self {
            sandbox: Sandbox::new(),
        };
        std::fs::create_dir_all(dirs.project().join(".git")).expect("a writable home");
        dirs
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
        let output = run_to_end(self.command(arguments));
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
fn the_skill_has_the_required_format() {
    let (code, text) = ProjectDirs::new().skill(&["print"]);
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
    let (_, block) = ProjectDirs::new().skill(&["print", "--agents-md"]);
    insta::assert_snapshot!("block", block);
}

#[test]
fn the_commands_of_the_skill_run() {
    let dirs = ProjectDirs::new();
    let (_, text) = dirs.skill(&["print"]);
    let mut ran = 0;
    for example in text.split("```sh\n").skip(1) {
        let (example, _) = example.split_once("```").expect("a closing mark");
        let quick = example.replace("--return-after 100s", "--return-after 1ms");
        let mut shell = dirs.command(&[]);
        let path = shell.get_envs().find(|(name, _)| *name == "PATH");
        let path = path.and_then(|(_, path)| path).expect("a PATH").to_owned();
        shell = dirs.sandbox.command("bash");
        shell.env("PATH", path).args(["-c", &quick]);
        let output = run_to_end(shell);
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
fn install_and_remove_restore_the_home() {
    let dirs = ProjectDirs::new();
    let before = dirs.tree();
    let (code, said) = dirs.skill(&["install", "--dry-run"]);
    assert_eq!((code, dirs.tree()), (0, before.clone()), "{said}");
    let would = "~/.claude/skills/ask-user/SKILL.md: would be written\n--- /dev/null\n";
    assert!(said.starts_with(would), "{said}");
    let (code, said) = dirs.skill(&["install"]);
    assert_eq!(code, 0, "{said}");
    assert_eq!(
        said,
        "~/.claude/skills/ask-user/SKILL.md: written\n~/.agents/skills/ask-user/SKILL.md: written\n"
    );
    let (_, printed) = dirs.skill(&["print"]);
    assert_eq!(dirs.read(".agents/skills/ask-user/SKILL.md"), printed);
    assert_eq!(
        dirs.skill(&["install"]).1,
        "~/.claude/skills/ask-user/SKILL.md: is as it should be\n~/.agents/skills/ask-user/SKILL.md: is as it should be\n"
    );
    let older = printed.replace("When to ask", "When one asks");
    dirs.write(".claude/skills/ask-user/SKILL.md", &older);
    let (_, said) = dirs.skill(&["install"]);
    assert!(
        said.contains("~/.claude/skills/ask-user/SKILL.md: changed\n"),
        "{said}"
    );
    assert_eq!(dirs.read(".claude/skills/ask-user/SKILL.md"), printed);
    let (code, said) = dirs.skill(&["remove"]);
    assert_eq!(code, 0, "{said}");
    assert_eq!(said.matches(": removed\n").count(), 2, "{said}");
    assert_eq!(dirs.tree(), before, "as if it had never been there");
    assert_eq!(dirs.skill(&["remove"]), (0, String::new()));
}

#[test]
fn a_project_has_folders_of_its_own() {
    let dirs = ProjectDirs::new();
    let inner = dirs.project().join("src");
    std::fs::create_dir(&inner).expect("a writable home");
    std::fs::create_dir(dirs.home().join(".qwen")).expect("a writable home");
    let mut command = dirs.command(&["install", "--project"]);
    let output = run_to_end({
        command.current_dir(&inner);
        command
    });
    assert!(output.status.success(), "{output:?}");
    for place in [".claude", ".agents", ".qwen"] {
        let path = format!("shop/{place}/skills/ask-user/SKILL.md");
        assert!(dirs.read(&path).contains("name: ask-user\n"), "{path}");
    }
    assert!(
        !dirs.home().join(".claude").exists(),
        "the person's own folder isn't used"
    );
    dirs.skill(&["remove", "--project"]);
    let left = dirs.tree();
    assert!(left.iter().all(|path| !path.contains("skills")), "{left:?}");
}

#[test]
fn a_foreign_skill_is_unchanged() {
    let dirs = ProjectDirs::new();
    let theirs = "---\nname: ask-user\ndescription: Mine.\n---\nAsk me.\n";
    dirs.write(".claude/skills/ask-user/SKILL.md", theirs);
    for verb in ["install", "remove"] {
        let (code, said) = dirs.skill(&[verb]);
        assert_eq!(code, 1, "{said}");
        let left = "ask-user: ~/.claude/skills/ask-user/SKILL.md: another skill is there under this name, so it was left as it is\n  move it away, then run this again\n";
        assert!(said.contains(left), "{said}");
        assert_eq!(dirs.read(".claude/skills/ask-user/SKILL.md"), theirs);
    }
}

#[test]
fn the_block_in_agents_md_leaves_everything_else_as_it_is() {
    let dirs = ProjectDirs::new();
    let rules = "# Rules\n\nBe kind.   \n\n\n- no end of line";
    dirs.write("shop/AGENTS.md", rules);
    let (code, said) = dirs.skill(&["install", "--agents-md", "--project"]);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("~/shop/AGENTS.md: changed\n"), "{said}");
    let now = dirs.read("shop/AGENTS.md");
    let (_, block) = dirs.skill(&["print", "--agents-md"]);
    assert_eq!(now, format!("{rules}\n{block}"));
    let (_, said) = dirs.skill(&["install", "--agents-md", "--project"]);
    assert!(
        said.contains("~/shop/AGENTS.md: is as it should be\n"),
        "{said}"
    );
    dirs.write(
        "shop/AGENTS.md",
        &now.replace("Silence is not consent", "Whatever"),
    );
    dirs.skill(&["install", "--agents-md", "--project"]);
    assert_eq!(dirs.read("shop/AGENTS.md"), now, "the block is restored");
    dirs.skill(&["remove", "--agents-md", "--project"]);
    assert_eq!(dirs.read("shop/AGENTS.md"), rules, "byte for byte");
    std::fs::remove_file(dirs.project().join("AGENTS.md")).expect("an existing file");
    dirs.skill(&["install", "--agents-md", "--project"]);
    assert_eq!(dirs.read("shop/AGENTS.md"), block);
    dirs.skill(&["remove", "--agents-md", "--project"]);
    assert!(!dirs.project().join("AGENTS.md").exists());
    dirs.write("shop/AGENTS.md", "");
    dirs.skill(&["install", "--agents-md", "--project"]);
    dirs.skill(&["remove", "--agents-md", "--project"]);
    assert_eq!(dirs.read("shop/AGENTS.md"), "", "empty, as it was");
    std::fs::remove_file(dirs.project().join("AGENTS.md")).expect("an existing file");
    dirs.write("shop/AGENTS.md", "<!-- ask-user: begin -->\nno end\n");
    let (code, said) = dirs.skill(&["install", "--agents-md", "--project"]);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("has a beginning and no end"), "{said}");
    assert_eq!(
        dirs.read("shop/AGENTS.md"),
        "<!-- ask-user: begin -->\nno end\n"
    );
}

#[test]
fn a_missing_program_on_path_is_reported() {
    let dirs = ProjectDirs::new();
    let mut command = dirs.command(&["install"]);
    command.env("PATH", "/usr/bin:/bin");
    let said = String::from_utf8_lossy(&run_to_end(command).stdout).into_owned();
    assert!(
        said.contains("A shell doesn't find `ask-user` yet: `ask-user doctor` says"),
        "{said}"
    );
}

#[test]
fn traps_in_a_checkout_are_refused() {
    let dirs = ProjectDirs::new();
    dirs.write("outside.md", "precious\n");
    let outside = dirs.home().join("outside.md");
    let skills = ".claude/skills/ask-user/SKILL.md";
    for (file, arguments) in [
        ("AGENTS.md", &["install", "--agents-md"][..]),
        ("AGENTS.md", &["remove", "--agents-md"]),
        (skills, &["install", "--project"]),
        (skills, &["remove", "--project"]),
    ] {
        let path = dirs.project().join(file);
        std::fs::create_dir_all(path.parent().expect("a parent folder")).expect("a writable home");
        for (trap, put) in TRAPS {
            put(&path, &outside);
            let (code, said) = dirs.skill(arguments);
            assert_eq!(code, 1, "{arguments:?}, {trap}: {said}");
            assert!(!said.contains("precious"), "{trap}: {said}");
            assert_eq!(dirs.read("outside.md"), "precious\n", "{trap}");
            assert!(!dirs.home().join("outside.new").exists(), "{trap}");
            clear(&path);
        }
    }
    clear(&dirs.project().join(".claude"));
    std::fs::create_dir(dirs.home().join("elsewhere")).expect("a writable home");
    symlink("../elsewhere", dirs.project().join(".claude")).expect("a new link");
    let (code, said) = dirs.skill(&["install", "--project"]);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("out of the project"), "{said}");
    let there = std::fs::read_dir(dirs.home().join("elsewhere"));
    assert_eq!(there.expect("an existing folder").count(), 0);
}

#[test]
fn a_link_within_the_project_or_in_the_home_is_followed() {
    let dirs = ProjectDirs::new();
    dirs.write("shop/CLAUDE.md", "# Rules\n");
    let link = dirs.project().join("AGENTS.md");
    symlink("CLAUDE.md", &link).expect("a new link");
    dirs.write("dotfiles/claude/settings.json", "{}");
    symlink("dotfiles/claude", dirs.home().join(".claude")).expect("a new link");
    let (code, said) = dirs.skill(&["install", "--agents-md"]);
    assert_eq!(code, 0, "{said}");
    assert!(link.is_symlink());
    assert!(dirs.read("shop/CLAUDE.md").contains("ask-user: begin"));
    assert!(
        !dirs
            .read("dotfiles/claude/skills/ask-user/SKILL.md")
            .is_empty()
    );
}

#[test]
fn written_files_have_the_modes_of_the_umask() {
    for (umask, folder, file) in [("022", 0o755, 0o644), ("027", 0o750, 0o640)] {
        let dirs = ProjectDirs::new();
        for arguments in [
            "skill install --project --agents-md",
            "register claude-code --project",
        ] {
            let mut command = dirs.sandbox.command("sh");
            let script = format!("umask {umask}; exec \"$0\" {arguments}");
            command.args(["-c", &script, BINARY]);
            command.env("HOME", dirs.home()).current_dir(dirs.project());
            let output = run_to_end(command);
            assert!(output.status.success(), "{arguments}: {output:?}");
        }
        for (path, expected) in [
            (".claude/skills", folder),
            (".agents/skills/ask-user", folder),
            (".agents/skills/ask-user/SKILL.md", file),
            ("AGENTS.md", file),
            (".mcp.json", file),
        ] {
            let about = std::fs::metadata(dirs.project().join(path)).expect(path);
            assert_eq!(about.permissions().mode() & 0o777, expected, "{path}");
        }
    }
}

#[test]
fn traps_in_place_of_git_files_are_ignored() {
    let dirs = ProjectDirs::new();
    dirs.write("outside", "secret words\n");
    let outside = dirs.home().join("outside");
    let git = dirs.project().join(".git");
    for file in [git.join("HEAD"), git.clone()] {
        for (trap, put) in TRAPS {
            clear(&file);
            put(&file, &outside);
            let mut command = dirs.sandbox.command(BINARY);
            command.current_dir(dirs.project());
            command.args(["ask", trap, "--no-wait"]);
            let output = run_to_end(command);
            assert_eq!(output.status.code(), Some(8), "{trap}: {output:?}");
        }
        clear(&file);
    }
    let listed = dirs.sandbox.run_ok(&["list", "--json"]);
    assert!(!listed.contains("secret"), "{listed}");
}
