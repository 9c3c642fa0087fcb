//! The folders where agents look for skills: the two that nearly all of them read, and those of
//! clients that read no other, if such a client is installed.

use std::path::{Path, PathBuf};

use ask_clients::registration::RegistrationEnv;

/// The name of the skill and of its folder; the format requires both to be equal.
pub(super) const NAME: &str = "ask-user";
const FILE: &str = "SKILL.md";

/// A folder of skills: in the person's home, and in a project.
struct SkillFolder {
    personal: &'static str,
    project: Option<&'static str>,
    /// The folder that an installed client has. `None` if the skill is always written.
    requires: Option<&'static str>,
}

const SKILL_FOLDERS: [SkillFolder; 6] = [
    // Claude Code, and also Copilot and opencode.
    SkillFolder {
        personal: "${CLAUDE_CONFIG_DIR:-~/.claude}/skills",
        project: Some(".claude/skills"),
        requires: None,
    },
    // Codex, Gemini CLI, Copilot, opencode, Cline, Zed, pi, and others that follow the convention.
    SkillFolder {
        personal: "~/.agents/skills",
        project: Some(".agents/skills"),
        requires: None,
    },
    SkillFolder {
        personal: "~/.config/agents/skills",
        project: None,
        requires: Some("~/.config/amp"),
    },
    SkillFolder {
        personal: "~/.qwen/skills",
        project: Some(".qwen/skills"),
        requires: Some("~/.qwen"),
    },
    SkillFolder {
        personal: "~/.factory/skills",
        project: Some(".factory/skills"),
        requires: Some("~/.factory"),
    },
    SkillFolder {
        personal: "~/.kiro/skills",
        project: Some(".kiro/skills"),
        requires: Some("~/.kiro"),
    },
];

/// The paths where the skill should be.
pub(super) fn target_paths(here: &RegistrationEnv, in_project: bool) -> Vec<PathBuf> {
    let is_there =
        |folder: &&SkillFolder| folder.requires.is_none_or(|path| here.path(path).is_dir());
    let folders = SKILL_FOLDERS.iter().filter(is_there);
    folders
        .filter_map(|folder| skill_file(folder, here, in_project))
        .collect()
}

/// All paths where the skill may be.
pub(super) fn all_paths(here: &RegistrationEnv, in_project: bool) -> Vec<PathBuf> {
    let folders = SKILL_FOLDERS.iter();
    folders
        .filter_map(|folder| skill_file(folder, here, in_project))
        .collect()
}

/// The folder that is never removed, even if it is empty.
pub(super) fn root(here: &RegistrationEnv, in_project: bool) -> &Path {
    match in_project {
        true => &here.project,
        false => &here.home,
    }
}

fn skill_file(place: &SkillFolder, here: &RegistrationEnv, in_project: bool) -> Option<PathBuf> {
    let folder = match in_project {
        true => here.project.join(place.project?),
        false => here.path(place.personal),
    };
    Some(folder.join(NAME).join(FILE))
}
