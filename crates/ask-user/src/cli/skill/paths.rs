//! The folders where agents look for skills: the two that nearly all of them read, and those of
//! clients that read no other, if such a client is installed.

use std::path::{Path, PathBuf};

use ask_clients::registration::RegistrationEnv;

/// The name of the skill and of its folder; the format requires both to be equal.
pub(super) const NAME: &str = "ask-user";
const FILE: &str = "SKILL.md";

/// A folder of skills: the person's, the project's, and the folder that shows that its client is
/// installed.
struct Place {
    own: &'static str,
    project: Option<&'static str>,
    /// `None` if the folder is always used.
    sign: Option<&'static str>,
}

const PLACES: [Place; 6] = [
    // Claude Code, and also Copilot and opencode.
    Place {
        own: "${CLAUDE_CONFIG_DIR:-~/.claude}/skills",
        project: Some(".claude/skills"),
        sign: None,
    },
    // Codex, Gemini CLI, Copilot, opencode, Cline, Zed, pi, and others that follow the convention.
    Place {
        own: "~/.agents/skills",
        project: Some(".agents/skills"),
        sign: None,
    },
    Place {
        own: "~/.config/agents/skills",
        project: None,
        sign: Some("~/.config/amp"),
    },
    Place {
        own: "~/.qwen/skills",
        project: Some(".qwen/skills"),
        sign: Some("~/.qwen"),
    },
    Place {
        own: "~/.factory/skills",
        project: Some(".factory/skills"),
        sign: Some("~/.factory"),
    },
    Place {
        own: "~/.kiro/skills",
        project: Some(".kiro/skills"),
        sign: Some("~/.kiro"),
    },
];

/// The paths where the skill should be.
pub(super) fn wanted(here: &RegistrationEnv, in_project: bool) -> Vec<PathBuf> {
    let is_there = |place: &&Place| place.sign.is_none_or(|sign| here.path(sign).is_dir());
    let places = PLACES.iter().filter(is_there);
    places
        .filter_map(|place| file(place, here, in_project))
        .collect()
}

/// All paths where the skill may be.
pub(super) fn all_places(here: &RegistrationEnv, in_project: bool) -> Vec<PathBuf> {
    let places = PLACES.iter();
    places
        .filter_map(|place| file(place, here, in_project))
        .collect()
}

/// The folder that is never removed, even if it is empty.
pub(super) fn root(here: &RegistrationEnv, in_project: bool) -> &Path {
    match in_project {
        true => &here.project,
        false => &here.home,
    }
}

fn file(place: &Place, here: &RegistrationEnv, in_project: bool) -> Option<PathBuf> {
    let folder = match in_project {
        true => here.project.join(place.project?),
        false => here.path(place.own),
    };
    Some(folder.join(NAME).join(FILE))
}
