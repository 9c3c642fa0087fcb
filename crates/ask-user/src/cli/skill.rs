//! `ask-user skill`: teaches agents with a shell and without MCP how to ask, as an Agent Skill and
//! as a block for AGENTS.md.

mod marker_block;
mod paths;

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use ask_clients::registration::{RegistrationEnv, diff, file_io};
use ask_config::exit::{Exit, Failure};
use ask_core::SafeText;
use ask_files::Root;
use ask_hub::spawn;
use clap::{Args, Subcommand};

use super::doctor::binary;

/// The skill, in the format of agentskills.io.
const SKILL: &str = include_str!("skill/skill.md");

/// The line in the head of every version of our skill. A file without it isn't ours and is never
/// replaced.
const OUR_MARK: &str = "written-by: ask-user skill install";

/// Teach agents that have only a shell how to ask: with an Agent Skill, and in AGENTS.md
#[derive(Args)]
#[command(
    after_help = "The skill goes to ~/.claude/skills and ~/.agents/skills, which nearly every client reads, and to the folders of Amp, Qwen Code, droid and Kiro where one of those is installed. What else is there stays."
)]
pub(crate) struct Skill {
    #[command(subcommand)]
    command: SkillCommand,
}

#[derive(Subcommand)]
enum SkillCommand {
    /// Write the skill into the folders that agents read
    Install(ChangeArgs),
    /// Remove what `install` wrote
    Remove(ChangeArgs),
    /// Print the skill
    Print {
        /// Print the block for AGENTS.md instead
        #[arg(long)]
        agents_md: bool,
    },
}

#[derive(Args)]
struct ChangeArgs {
    /// Use this project's folders instead of your own
    #[arg(long)]
    project: bool,
    /// The block in this project's AGENTS.md, too
    #[arg(long)]
    agents_md: bool,
    /// Show what would change, and change nothing
    #[arg(long)]
    dry_run: bool,
}

impl Skill {
    pub(super) fn run(self) -> anyhow::Result<Exit> {
        match self.command {
            SkillCommand::Print { agents_md } => {
                let text = match agents_md {
                    true => marker_block::block(),
                    false => SKILL.to_owned(),
                };
                std::io::stdout().write_all(text.as_bytes())?;
                Ok(Exit::Done)
            }
            SkillCommand::Install(change) => change.install(),
            SkillCommand::Remove(change) => change.remove(),
        }
    }
}

impl ChangeArgs {
    fn install(&self) -> anyhow::Result<Exit> {
        let here = RegistrationEnv::find()?;
        let mut refused = false;
        for path in paths::target_paths(&here, self.project) {
            refused |= self.change_file(&here, &path, |before| match before {
                Some(text) if !is_ours(text) => Err(foreign_skill_error()),
                _ => Ok(Some(SKILL.to_owned())),
            })?;
        }
        if self.agents_md {
            let path = agents_md(&here);
            refused |= self.change_file(&here, &path, |before| {
                marker_block::insert(before).map(Some)
            })?;
        }
        if let Some(own) = program_not_on_path() {
            writeln!(
                std::io::stdout(),
                "A shell doesn't find `ask-user` yet: `ask-user doctor` says how to put {own} on PATH."
            )?;
        }
        Ok(exit_code(refused))
    }

    fn remove(&self) -> anyhow::Result<Exit> {
        let here = RegistrationEnv::find()?;
        let mut refused = false;
        for path in paths::all_paths(&here, self.project) {
            refused |= self.change_file(&here, &path, |before| match before {
                Some(text) if !is_ours(text) => Err(foreign_skill_error()),
                _ => Ok(None),
            })?;
        }
        if self.agents_md {
            let path = agents_md(&here);
            refused |= self.change_file(&here, &path, |before| {
                let Some(text) = before else {
                    return Ok(None);
                };
                let rest = marker_block::remove(text)?.unwrap_or_else(|| text.to_owned());
                Ok((!marker_block::is_only_block(text)).then_some(rest))
            })?;
        }
        Ok(exit_code(refused))
    }

    /// Where a file may be. In the person's own folders links are followed anywhere, and in a
    /// project only within it.
    fn root<'here>(&self, here: &'here RegistrationEnv, path: &Path) -> &'here Root {
        match self.project || path == agents_md(here) {
            true => here.checkout(),
            false => &Root::Anywhere,
        }
    }

    /// Creates, changes or removes one file, as `edit` says, and prints the result. Returns whether it was
    /// refused.
    fn change_file(
        &self,
        here: &RegistrationEnv,
        path: &Path,
        edit: impl Fn(Option<&str>) -> Result<Option<String>, Failure>,
    ) -> anyhow::Result<bool> {
        let shown = SafeText::line(&here.shown(path)).to_string();
        let root = self.root(here, path);
        let before = file_io::read(root, path);
        let before = before.with_context(|| format!("reading {shown}"))?;
        let after = match edit(before.as_deref()) {
            Ok(after) => after,
            Err(failure) => {
                writeln!(std::io::stderr(), "ask-user: {shown}: {failure}")?;
                return Ok(true);
            }
        };
        let mut out = std::io::stdout();
        let change = match (&before, &after) {
            (None, None) => return Ok(false),
            (Some(before), Some(after)) if before == after => "is as it should be",
            (None, Some(_)) => "written",
            (Some(_), Some(_)) => "changed",
            (Some(_), None) => "removed",
        };
        if self.dry_run && before != after {
            writeln!(out, "{shown}: would be {change}")?;
            let diff = diff::unified(&shown, before.as_deref(), after.as_deref());
            out.write_all(diff.as_bytes())?;
            return Ok(false);
        }
        match (&before, &after) {
            (before, Some(after)) if before.as_ref() != Some(after) => {
                file_io::replace(root, path, before.as_deref(), after)
                    .with_context(|| format!("writing {shown}"))?;
            }
            (Some(before), None) => {
                file_io::remove(root, path, before, paths::root(here, self.project))
                    .with_context(|| format!("removing {shown}"))?;
            }
            _ => {}
        }
        writeln!(out, "{shown}: {change}")?;
        Ok(false)
    }
}

fn agents_md(here: &RegistrationEnv) -> PathBuf {
    here.project.join("AGENTS.md")
}

/// Whether we wrote this skill, in any version.
fn is_ours(text: &str) -> bool {
    text.lines().any(|line| line.trim() == OUR_MARK)
}

fn foreign_skill_error() -> Failure {
    Failure::new(
        Exit::Failure,
        "another skill is there under this name, so it was left as it is",
        "move it away, then run this again",
    )
}

/// The path of this program, if a shell doesn't find one of its name.
fn program_not_on_path() -> Option<String> {
    let own = spawn::program_path().ok()?;
    binary::find_on_path()
        .is_none()
        .then(|| own.display().to_string())
}

fn exit_code(refused: bool) -> Exit {
    match refused {
        true => Exit::Failure,
        false => Exit::Done,
    }
}
