//! Checks the hub: traces of an earlier one, whether it responds or can be started, and its
//! version. The check has no other effect than any command that needs a hub.

use std::path::{Path, PathBuf};
use std::time::Duration;

use ask_config::clock;
use ask_config::home::Home;
use ask_core::Time;
use ask_hub::client::Client;
use ask_hub::{is_newer, lock, replaces, version};
use ask_protocol::ipc::{self, Address, Status};
use tokio::time::timeout;

use super::finding::{Finding, Report};

/// How long a hub may take to start. A lock that is never released is found within this time.
const START_LIMIT: Duration = Duration::from_secs(30);

/// The state of the hub before the check.
enum PriorState {
    Nothing,
    /// `hub.json` or the lock names a process that doesn't respond.
    Unresponsive(u32),
    /// `hub.json` can't be read.
    Unreadable(String),
    /// Its status, and whether this program replaces it.
    Runs(Status, bool),
}

/// Connects to the hub and reads its status; `None` if that fails.
pub(super) async fn check(
    home: &Home,
    report: &mut Report,
) -> anyhow::Result<Option<(Client, Status)>> {
    let connecting = async {
        let prior = find_prior_state(home).await?;
        let client = Client::connect(home).await?;
        let status = client.status().await?;
        anyhow::Ok((prior, client, status))
    };
    let failed = match timeout(START_LIMIT, connecting).await {
        Ok(Ok((prior, client, status))) => {
            report.add(hub_finding(home, &prior, &status))?;
            let more = [socket_finding(home), other_settings_finding(home)];
            for finding in more.into_iter().flatten() {
                report.add(finding)?;
            }
            return Ok(Some((client, status)));
        }
        Ok(Err(error)) => Finding::failed("hub", &error),
        Err(_) => Finding::fail("hub", format!("no hub came up within {START_LIMIT:?}"))
            .mend("`ask-user hub --foreground` shows what it does"),
    };
    report.add(failed)?;
    for skipped in ["store", "http", "round trip"] {
        report.add(Finding::fail(skipped, "not tried, because there is no hub"))?;
    }
    Ok(None)
}

async fn find_prior_state(home: &Home) -> anyhow::Result<PriorState> {
    if let Some(client) = Client::find(home).await? {
        let text = std::fs::read_to_string(home.address_file()).unwrap_or_default();
        let is_replaced = ipc::read_address(&text).is_ok_and(|hub| replaces(home, &hub));
        return Ok(PriorState::Runs(client.status().await?, is_replaced));
    }
    let path = home.address_file();
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Ok(lock::holder_pid(home).map_or(PriorState::Nothing, PriorState::Unresponsive));
        }
        Err(error) => return Ok(PriorState::Unreadable(error.to_string())),
    };
    Ok(match ipc::read_address(&text) {
        Ok(Address { pid, .. }) => PriorState::Unresponsive(pid),
        Err(problem) => PriorState::Unreadable(problem.to_string()),
    })
}

fn hub_finding(home: &Home, prior: &PriorState, status: &Status) -> Finding {
    let (ours, theirs) = (version(), &status.version);
    let runs = format!("{theirs} answers (process {})", status.pid);
    let log = home.log_file();
    let log = log.display();
    match prior {
        PriorState::Unreadable(problem) => Finding::warn(
            "hub",
            format!(
                "{} could not be read ({problem}); {runs} and has written it anew",
                home.address_file().display()
            ),
        ),
        PriorState::Unresponsive(pid) if *pid == status.pid => Finding::warn(
            "hub",
            format!("the socket or hub.json was missing and was recreated; {runs}"),
        ),
        PriorState::Unresponsive(pid) => Finding::warn(
            "hub",
            format!("hub process {pid} ended unexpectedly; {runs} in its place"),
        )
        .mend(format!("nothing is lost; {log} may say why")),
        PriorState::Runs(status, true) if is_newer(&ours, &status.version) => Finding::fine(
            "hub",
            format!(
                "{runs}; it has taken the place of {}, which was older",
                status.version
            ),
        ),
        PriorState::Runs(prior, true) => Finding::fine(
            "hub",
            format!(
                "{runs}; it has taken the place of process {}, whose program was replaced",
                prior.pid
            ),
        ),
        _ if is_newer(theirs, &ours) => Finding::warn(
            "hub",
            format!("{runs}, which is newer than this program ({ours}): it serves both"),
        )
        .mend("install the newer ask-user in this place too, or remove this one"),
        PriorState::Nothing => Finding::fine(
            "hub",
            format!("{runs}; it was started just now; log in {log}"),
        ),
        PriorState::Runs(..) => {
            let uptime = uptime(&home.address_file());
            let uptime = uptime.map_or_else(String::new, |uptime| format!(", up for {uptime}"));
            Finding::fine("hub", format!("{runs}{uptime}; log in {log}"))
        }
    }
}

/// How long the hub has been running. It writes its address file when it starts.
fn uptime(address: &Path) -> Option<String> {
    let began = std::fs::metadata(address)
        .and_then(|metadata| metadata.modified())
        .ok()?;
    let began = began.duration_since(std::time::UNIX_EPOCH).ok()?;
    let began = Time(i64::try_from(began.as_millis()).ok()?);
    let minutes = clock::now().since_ms(began) / 60_000;
    Some(match (minutes / 60, minutes) {
        (0, 0) => "less than a minute".to_owned(),
        (0, minutes) => format!("{minutes} min"),
        (hours @ 0..48, minutes) => format!("{hours} h {} min", minutes % 60),
        (hours, _) => format!("{} days", hours / 24),
    })
}

/// Warns of a hub with other settings: those of another folder, as a program could do that wants its
/// answers to be taken, or those from before a change.
fn other_settings_finding(home: &Home) -> Option<Finding> {
    let text = std::fs::read_to_string(home.address_file()).ok()?;
    let theirs = PathBuf::from(ipc::read_address(&text).ok()?.settings?);
    let ours = home.config_file();
    // One folder may have several paths.
    let folder = |file: &Path| {
        let folder = file.parent().unwrap_or(file);
        folder.canonicalize().unwrap_or_else(|_| folder.to_owned())
    };
    if folder(&theirs) != folder(&ours) {
        let message = format!("the hub uses {}, not {}", theirs.display(), ours.display());
        let fix = "ask-user hub --stop; the next command here starts a hub with the settings here";
        return Some(Finding::warn("settings", message).mend(fix));
    }
    let changed_at = |file: &Path| std::fs::metadata(file).ok()?.modified().ok();
    (changed_at(&ours)? > changed_at(&home.address_file())?).then(|| {
        let message = format!(
            "{} was changed after the hub had started, which has the settings of then",
            ours.display()
        );
        let fix = "ask-user hub --stop; the next command starts a hub with the settings of now";
        Finding::warn("settings", message).mend(fix)
    })
}

/// Reports a socket outside of the state folder: its path has a length limit (`sun_path`), which the path
/// of a deep folder exceeds.
fn socket_finding(home: &Home) -> Option<Finding> {
    let path = home.socket_file().ok()?;
    (!path.starts_with(home.state())).then(|| {
        let folder = path.parent().unwrap_or(&path).display().to_string();
        let message =
            format!("the folder's path is too long for a socket: the hub's is in {folder}");
        Finding::fine("socket", message)
    })
}
