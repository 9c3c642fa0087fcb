//! Where agents look for skills: the two folders that nearly all of them read, and those of
//! clients that read no other, where such a client is installed.

use std::path::{Path, PathBuf};

use ask_clients::registration::Here;

/// The skill, and the folder it must be in: the format wants both to be called the same.
pub const NAME: &str = "ask-user";
const FILE: &str = "SKILL.md";

/// A folder of skills: the person's, the project's, and what is there where its client is.
struct Place {
    own: &'static str,
    project: Option<&'static str>,
    /// `None`: always.
    sign: Option<&'static str>,
}

const PLACES: [Place; 6] = [
    // Claude Code; Copilot and opencode, too.
    Place {
        own: "${CLAUDE_CONFIG_DIR:-~/.claude}/skills",
        project: Some(".claude/skills"),
        sign: None,
    },
    // Codex, Gemini CLI, Copilot, opencode, Cline, Zed, pi, and whoever follows the convention.
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

/// Where the skill is to be.
pub fn wanted(here: &Here, in_project: bool) -> Vec<PathBuf> {
    let is_there = |place: &&Place| place.sign.is_none_or(|sign| here.path(sign).is_dir());
    let places = PLACES.iter().filter(is_there);
    places
        .filter_map(|place| file(place, here, in_project))
        .collect()
}

/// Where it may be.
pub fn all(here: &Here, in_project: bool) -> Vec<PathBuf> {
    let places = PLACES.iter();
    places
        .filter_map(|place| file(place, here, in_project))
        .collect()
}

/// The folder that is left alone, however empty it is.
pub fn root(here: &Here, in_project: bool) -> &Path {
    match in_project {
        true => &here.project,
        false => &here.home,
    }
}

fn file(place: &Place, here: &Here, in_project: bool) -> Option<PathBuf> {
    let folder = match in_project {
        true => here.project.join(place.project?),
        false => here.path(place.own),
    };
    Some(folder.join(NAME).join(FILE))
}
