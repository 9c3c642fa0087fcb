//! `ask-user web`: the page in a browser, and its sessions.

use std::io::{IsTerminal, Write};
use std::process::Stdio;

use ask_config::config::Config;
use ask_config::exit::{Exit, Failure};
use ask_config::home::Home;
use ask_core::devices::PairingCommand;
use ask_files::programs;
use ask_files::umask;
use clap::Args;

use super::pair;

/// Open the page where you answer in a browser, or list and end browser sessions; the link works
/// once, within two minutes
#[derive(Args)]
pub(crate) struct Web {
    /// Open the browser even over ssh or without a terminal
    #[arg(long, group = "how")]
    open: bool,
    /// Print the link without opening a browser
    #[arg(long, group = "how")]
    print: bool,
    /// List the signed-in browsers of this machine, and the paired devices
    #[arg(long, group = "how")]
    sessions: bool,
    /// End a session by its name or id, or `all`
    #[arg(long, group = "how", value_name = "NAME|all")]
    end: Option<String>,
    /// Print the sessions as JSON
    #[arg(long, requires = "sessions")]
    json: bool,
}

impl Web {
    pub(super) fn run(self, home: &Home) -> anyhow::Result<Exit> {
        if self.sessions {
            return super::with_hub(home, async |client| {
                let pairing = client.pairing(PairingCommand::Look).await?;
                pair::print_sessions(&mut std::io::stdout(), &pairing, self.json)?;
                Ok(Exit::Done)
            });
        }
        if let Some(name) = &self.end {
            return super::with_hub(home, async |client| {
                let (command, message) = match name.as_str() {
                    "all" => (
                        PairingCommand::RevokeAll,
                        "Nobody is signed in now.".to_owned(),
                    ),
                    name => {
                        let device = name.to_owned();
                        let message = format!("\"{name}\" is signed out.");
                        (PairingCommand::Revoke { device }, message)
                    }
                };
                client.pairing(command).await?;
                writeln!(std::io::stdout(), "{message}")?;
                Ok(Exit::Done)
            });
        }
        let (link, public_link) = super::with_hub(home, async |client| {
            let (key, port) = client.page_key(false).await?;
            let read = Config::read(&home.config_file());
            let Some(port) = port else {
                let file = home.config_file();
                let fix = match &read.closed_by {
                    Some(mistake) => format!("mend this in {}: {mistake}", file.display()),
                    None => format!("set `enabled = true` under [http] in {}", file.display()),
                };
                return Err(Failure::new(
                    Exit::Failure,
                    "the hub doesn't listen for HTTP, so there is no page",
                    format!("{fix}\n  then: ask-user hub --stop"),
                )
                .into());
            };
            let wanted = client.status().await?.wanted_port;
            if let Some(wanted) = wanted.filter(|wanted| *wanted != 0 && *wanted != port) {
                writeln!(
                    std::io::stderr(),
                    "Port {wanted} was taken when the hub began, so the page is at port {port} for now: `ask-user doctor` says more."
                )?;
            }
            if let Some(why) = client.pairing(PairingCommand::Look).await?.signed_out {
                writeln!(std::io::stderr(), "Note: {why}.")?;
            }
            let local_link = ask_hub::http::link_keys::sign_in_link(port, &key);
            let public_link = match read.config.http.public_url {
                // A key works once, so each link has its own.
                Some(public) if self.print => {
                    if !client.pairing(PairingCommand::Look).await?.on {
                        writeln!(
                            std::io::stderr(),
                            "{} lets nobody in at the moment: `ask-user pair` turns it on.",
                            public.url()
                        )?;
                        return Ok((local_link, None));
                    }
                    let (key, _) = client.page_key(true).await?;
                    Some(format!("{}/#k={key}", public.url()))
                }
                Some(_) | None => None,
            };
            Ok((local_link, public_link))
        })?;
        let mut out = std::io::stdout();
        writeln!(out, "{link}")?;
        if let Some(public_link) = public_link {
            writeln!(out, "{public_link}")?;
        }
        out.flush()?;
        let opens =
            self.open || !self.print && std::io::stdout().is_terminal() && has_local_browser();
        if opens && let Err(error) = open_browser(&link) {
            writeln!(
                std::io::stderr(),
                "ask-user: no browser could be opened ({error}): open the link in one"
            )?;
        } else if std::io::stdout().is_terminal() {
            let opened = if opens {
                "A browser opens it."
            } else {
                "Open it in a browser."
            };
            writeln!(
                std::io::stderr(),
                "{opened} It signs that browser in for 30 days, once, within two minutes."
            )?;
        }
        Ok(Exit::Done)
    }
}

/// Whether a browser that is started here appears on the person's screen.
fn has_local_browser() -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_remote = is_set("SSH_CONNECTION") || is_set("SSH_TTY");
    let has_display = cfg!(target_os = "macos") || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY");
    !is_remote && has_display
}

fn open_browser(link: &str) -> std::io::Result<()> {
    let program = if cfg!(target_os = "macos") {
        "open"
    } else {
        "xdg-open"
    };
    let mut command = programs::command(program);
    command
        .arg(link)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    // The browser writes the person's own files, so it gets the ordinary umask.
    let status = umask::ordinary(|| command.spawn())?.wait()?;
    match status.success() {
        true => Ok(()),
        false => Err(std::io::Error::other(format!("{program}: {status}"))),
    }
}
