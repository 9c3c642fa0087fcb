//! Checks the notification channels.

use ask_config::config::Notify;
use ask_hub::notify::channels;

use super::finding::{Finding, Report};

pub(super) fn check(settings: &Notify, report: &mut Report) -> anyhow::Result<()> {
    let ways = channels::configured(settings);
    let works = ways.iter().filter_map(|(name, said)| {
        let said = said.as_ref().ok()?;
        Some(format!("{name}: {said}"))
    });
    let works: Vec<String> = works.collect();
    for (name, said) in &ways {
        if let Err(problem) = said {
            let mend = format!("mend that, or take notify.{name} out of the settings");
            report.say(Finding::warn("notify", format!("{name}: {problem}")).mend(mend))?;
        }
    }
    let said = match works.is_empty() {
        true => "only an open inbox or page notifies you; docs/how-to/notifications.md".to_owned(),
        false => format!("{}; `ask-user notify --test` tries them", works.join("; ")),
    };
    report.say(Finding::fine("notify", said))
}
