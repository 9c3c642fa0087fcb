//! Checks the person's settings: which are set, which variables override them, and which are
//! invalid.

use ask_config::config::settings::SETTINGS;
use ask_config::config::{ConfigRead, KEEPS_ALL};
use ask_config::home::Home;
use ask_mcp::default_limit;

use super::finding::{Finding, Report};

/// Variables that override settings, or affect every call.
const VARIABLES: [&str; 3] = ["CN_MCP_PORT", default_limit::VARIABLE, "ASK_USER_LIMIT_MS"];

pub(super) fn check(home: &Home, read: &ConfigRead, report: &mut Report) -> anyhow::Result<()> {
    for problem in &read.problems {
        report.add(Finding::fail("settings", &problem.what).mend(&problem.hint))?;
    }
    if read.keeps_all {
        let fix =
            "mend what is named above, then `ask-user hub --stop`; the next command starts a hub";
        report.add(Finding::warn("history", KEEPS_ALL).mend(fix))?;
    }
    let file = home.config_file();
    if read.problems.is_empty() {
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        let message = match changed_settings(&text) {
            set if set.is_empty() => format!(
                "every setting is at its default; {} may say otherwise",
                file.display()
            ),
            set => format!("{} sets {}", file.display(), set.join(", ")),
        };
        report.add(Finding::fine("settings", message))?;
    }
    let variables: Vec<String> = VARIABLES
        .iter()
        .filter_map(|name| Some(format!("{name}={}", std::env::var(name).ok()?)))
        .collect();
    if !variables.is_empty() {
        report.add(Finding::fine(
            "settings",
            format!("the environment of this shell has {}", variables.join(", ")),
        ))?;
    }
    if let (_, Some(problem)) = default_limit::read() {
        let message = format!("{}: {problem}", default_limit::VARIABLE);
        let fix = "set it to milliseconds, as 300000 for five minutes";
        report.add(Finding::warn("settings", message).mend(fix))?;
    }
    Ok(())
}

/// The settings that the file sets, in the order of the table.
fn changed_settings(text: &str) -> Vec<String> {
    let table: toml::Table = text.parse().unwrap_or_default();
    let mut all: Vec<String> = SETTINGS
        .iter()
        .filter_map(|setting| {
            let value = table.get(setting.section)?.get(setting.key)?;
            Some(format!("{} = {}", setting.path(), setting.written(value)))
        })
        .collect();
    if let Some(clients) = table.get("clients").and_then(toml::Value::as_table) {
        all.extend(clients.keys().map(|key| format!("[clients.{key}]")));
    }
    all
}
