//! Notifications of a freedesktop.org desktop, over the D-Bus session bus (Desktop Notifications
//! Specification).

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::pin::Pin;
use std::time::Duration;

use ask_config::process;
use futures_core::Stream;
use tokio::sync::mpsc;
use zbus::{Connection, MatchRule, Message, MessageStream, Variant, connection, message};

use super::super::text::Text;
use super::{DesktopCommand, DesktopEvent};

const SERVICE: &str = "org.freedesktop.Notifications";
const OBJECT_PATH: &str = "/org/freedesktop/Notifications";
/// The time limit of a call.
const LIMIT: Duration = Duration::from_secs(10);

/// A connection to the session bus.
struct Bus {
    connection: Connection,
    signals: MessageStream,
    /// Whether the desktop reads bodies as markup, so that they must be escaped.
    reads_markup: bool,
}

/// The address of the session bus.
pub(crate) fn address() -> Result<String, String> {
    let addresses = addresses();
    addresses
        .into_iter()
        .next()
        .ok_or_else(|| "there is no session bus (DBUS_SESSION_BUS_ADDRESS)".to_owned())
}

/// The candidate addresses. The environment alone isn't enough, because the hub may start outside
/// of the desktop's session, or outlive it.
fn addresses() -> Vec<String> {
    let from_environment = std::env::var("DBUS_SESSION_BUS_ADDRESS").ok();
    let runtime = match std::env::var_os("XDG_RUNTIME_DIR") {
        Some(runtime) => Path::new(&runtime).join("bus"),
        None => {
            let own = rustix::process::getuid().as_raw();
            Path::new("/run/user").join(own.to_string()).join("bus")
        }
    };
    let default_address = runtime
        .exists()
        .then(|| format!("unix:path={}", runtime.display()));
    let from_environment = from_environment.filter(|address| !address.is_empty());
    from_environment
        .into_iter()
        .chain(default_address)
        .collect()
}

/// Carries out commands and reports events until the hub drops the channel.
pub(crate) async fn serve(
    mut commands: mpsc::UnboundedReceiver<DesktopCommand>,
    events: mpsc::UnboundedSender<DesktopEvent>,
) {
    let mut bus: Option<Bus> = None;
    // The numbers of our notifications.
    let mut shown: HashSet<u32> = HashSet::new();
    loop {
        let command = tokio::select! {
            command = commands.recv() => command,
            signal = next_signal(&mut bus) => {
                match signal {
                    Some(message) => {
                        if let Some(bus) = &bus
                            && let Some(event) = bus.admit_signal(&message, &mut shown).await
                        {
                            // The hub drops the receiver at its end.
                            let _ = events.send(event);
                        }
                    }
                    None => bus = None,
                }
                continue;
            }
        };
        let Some(command) = command else { return };
        let done = tokio::time::timeout(LIMIT, carry_out(&mut bus, command)).await;
        let result = match done {
            Ok(Ok(event)) => event,
            Ok(Err(problem)) => Some(DesktopEvent::Failed(problem)),
            Err(_) => Some(DesktopEvent::Failed(
                "the desktop doesn't answer".to_owned(),
            )),
        };
        if matches!(result, Some(DesktopEvent::Failed(_))) {
            bus = None;
        }
        if let Some(event) = result {
            if let DesktopEvent::Shown(_, number) = &event {
                shown.insert(*number);
            }
            // The hub drops the receiver at its end.
            let _ = events.send(event);
        }
    }
}

async fn carry_out(
    bus: &mut Option<Bus>,
    command: DesktopCommand,
) -> Result<Option<DesktopEvent>, String> {
    let problem = |error: zbus::Error| error.to_string();
    let bus = match bus {
        Some(bus) => bus,
        None => bus.insert(Bus::connect().await?),
    };
    match command {
        DesktopCommand::Show {
            group,
            text,
            sound,
            open,
        } => {
            let number = bus.show(&text, sound, open.as_deref()).await;
            Ok(Some(DesktopEvent::Shown(group, number.map_err(problem)?)))
        }
        DesktopCommand::Close(number) => {
            let (service, body) = (Some(SERVICE), (number,));
            let called = bus.connection.call_method(
                service,
                OBJECT_PATH,
                service,
                "CloseNotification",
                &body,
            );
            // It fails if the notification is closed already.
            let _ = called.await;
            Ok(None)
        }
        DesktopCommand::Listen => Ok(None),
    }
}

/// Refuses a bus that another account serves: the address may outlive the session, and then every
/// account can listen there.
async fn check_account(connection: &Connection) -> zbus::Result<()> {
    let served_by = connection.peer_creds().await?.unix_user_id();
    if served_by.is_some_and(process::is_own_account) {
        return Ok(());
    }
    let text = "the session bus (DBUS_SESSION_BUS_ADDRESS) isn't served by this account";
    Err(zbus::Error::Failure(text.to_owned()))
}

impl Bus {
    async fn connect() -> Result<Self, String> {
        let mut problem = address().err().unwrap_or_default();
        for address in addresses() {
            match Self::connect_to(&address).await {
                Ok(bus) => return Ok(bus),
                Err(error) => problem = format!("{address}: {error}"),
            }
        }
        Err(problem)
    }

    async fn connect_to(address: &str) -> zbus::Result<Self> {
        let connection = connection::Builder::address(address).build().await?;
        check_account(&connection).await?;
        let rule = MatchRule::builder()
            .msg_type(message::Type::Signal)
            .interface(SERVICE)
            .build()?;
        let signals = MessageStream::for_match_rule(rule, &connection, None).await?;
        let mut bus = Self {
            connection,
            signals,
            reads_markup: false,
        };
        let service = Some(SERVICE);
        let called =
            bus.connection
                .call_method(service, OBJECT_PATH, service, "GetCapabilities", &());
        let reply = called.await?;
        let capabilities: Vec<String> = reply.body().deserialize()?;
        bus.reads_markup = capabilities
            .iter()
            .any(|capability| capability == "body-markup");
        Ok(bus)
    }

    /// The event of a signal about one of our notifications, if the desktop itself sent it: every
    /// program on the bus can send one like it. Signals about others are ignored at once, because
    /// the reply to our question would wait behind them.
    async fn admit_signal(
        &self,
        message: &Message,
        shown: &mut HashSet<u32>,
    ) -> Option<DesktopEvent> {
        let event = parse_signal(message)?;
        let (DesktopEvent::Clicked(number) | DesktopEvent::Gone(number)) = &event else {
            return None;
        };
        if !shown.contains(number) {
            return None;
        }
        let called = tokio::time::timeout(LIMIT, self.owner());
        let owner = called.await.ok()?.ok()?;
        if message.header().sender()?.as_str() != owner {
            return None;
        }
        if matches!(event, DesktopEvent::Gone(_)) {
            shown.remove(number);
        }
        Some(event)
    }

    /// The connection that shows the notifications now.
    async fn owner(&self) -> zbus::Result<String> {
        let bus = Some("org.freedesktop.DBus");
        let (path, name) = ("/org/freedesktop/DBus", (SERVICE,));
        let called = self
            .connection
            .call_method(bus, path, bus, "GetNameOwner", &name);
        called.await?.body().deserialize()
    }

    async fn show(&self, text: &Text, sound: bool, open: Option<&str>) -> zbus::Result<u32> {
        let body = if self.reads_markup {
            escape_markup(&text.body)
        } else {
            text.body.clone()
        };
        let actions: Vec<&str> = open
            .into_iter()
            .flat_map(|open| ["default", open])
            .collect();
        let mut hints: HashMap<&str, Variant<'_>> = HashMap::new();
        hints.insert("urgency", Variant::U8(1));
        if sound {
            hints.insert("sound-name", Variant::from("message-new-instant"));
        } else {
            hints.insert("suppress-sound", Variant::Bool(true));
        }
        // No expiry: the hub closes the notification when its asks are closed, which may take
        // hours.
        let (icon, replaces, expires) = ("dialog-question", 0_u32, 0_i32);
        let call = (
            "ask-user",
            replaces,
            icon,
            &text.title,
            &body,
            actions,
            hints,
            expires,
        );
        let service = Some(SERVICE);
        let called = self
            .connection
            .call_method(service, OBJECT_PATH, service, "Notify", &call);
        called.await?.body().deserialize()
    }
}

/// The next signal; `None` once the connection is lost. Never resolves while there is no
/// connection.
async fn next_signal(bus: &mut Option<Bus>) -> Option<Message> {
    let Some(bus) = bus else {
        return std::future::pending().await;
    };
    let signals = &mut bus.signals;
    std::future::poll_fn(|context| Pin::new(&mut *signals).poll_next(context))
        .await?
        .ok()
}

fn parse_signal(message: &Message) -> Option<DesktopEvent> {
    let header = message.header();
    match header.member()?.as_str() {
        "ActionInvoked" => {
            let (number, _): (u32, String) = message.body().deserialize().ok()?;
            Some(DesktopEvent::Clicked(number))
        }
        "NotificationClosed" => {
            let (number, _): (u32, u32) = message.body().deserialize().ok()?;
            Some(DesktopEvent::Gone(number))
        }
        _ => None,
    }
}

fn escape_markup(text: &str) -> String {
    let text = text.replace('&', "&amp;");
    text.replace('<', "&lt;").replace('>', "&gt;")
}
