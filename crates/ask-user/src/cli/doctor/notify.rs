//! Checks the notification channels.

use ask_config::config::Notify;
use ask_hub::notify::channels;

use super::finding::{Finding, Report};

pub(super) fn check(settings: &Notify, report: &mut Report) -> anyhow::Result<()> {
    let results = channels::configured(settings);
    let works = results.iter().filter_map(|(name, result)| {
        let text = result.as_ref().ok()?;
        Some(format!("{name}: {text}"))
    });
    let works: Vec<String> = works.collect();
    for (name, result) in &results {
        if let Err(problem) = result {
            let fix = format!("mend that, or take notify.{name} out of the settings");
            report.add(Finding::warn("notify", format!("{name}: {problem}")).mend(fix))?;
        }
    }
    let message = match works.is_empty() {
        true => "only an open inbox or page notifies you; docs/how-to/notifications.md".to_owned(),
        false => format!("{}; `ask-user notify --test` tries them", works.join("; ")),
    };
    report.add(Finding::fine("notify", message))
}
