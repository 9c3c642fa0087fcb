//! Notifications of a freedesktop.org desktop, over the D-Bus session bus (Desktop Notifications
//! Specification).

use std::collections::HashMap;
use std::path::Path;
use std::pin::Pin;
use std::time::Duration;

use futures_core::Stream;
use tokio::sync::mpsc;
use zbus::{Connection, MatchRule, Message, MessageStream, Variant, connection, message};

use super::super::text::Text;
use super::{DesktopCommand, DesktopEvent};

const NAME: &str = "org.freedesktop.Notifications";
const PLACE: &str = "/org/freedesktop/Notifications";
/// The time limit of a call.
const LIMIT: Duration = Duration::from_secs(10);

/// A connection to the session bus.
struct Bus {
    connection: Connection,
    signals: MessageStream,
    /// Whether the desktop reads bodies as markup, so that they must be escaped.
    markup: bool,
}

/// The address of the session bus.
pub(crate) fn place() -> Result<String, String> {
    let addresses = addresses();
    addresses
        .into_iter()
        .next()
        .ok_or_else(|| "there is no session bus (DBUS_SESSION_BUS_ADDRESS)".to_owned())
}

/// The candidate addresses. The environment alone isn't enough: the hub may have been started
/// outside of the desktop's session, or outlive one.
fn addresses() -> Vec<String> {
    let said = std::env::var("DBUS_SESSION_BUS_ADDRESS").ok();
    let runtime = match std::env::var_os("XDG_RUNTIME_DIR") {
        Some(runtime) => Path::new(&runtime).join("bus"),
        None => {
            let own = rustix::process::getuid().as_raw();
            Path::new("/run/user").join(own.to_string()).join("bus")
        }
    };
    let usual = runtime
        .exists()
        .then(|| format!("unix:path={}", runtime.display()));
    let said = said.filter(|said| !said.is_empty());
    said.into_iter().chain(usual).collect()
}

/// Carries out commands and reports events until the hub drops the channel.
pub(crate) async fn serve(
    mut wishes: mpsc::UnboundedReceiver<DesktopCommand>,
    say: mpsc::UnboundedSender<DesktopEvent>,
) {
    let mut bus: Option<Bus> = None;
    loop {
        let wish = tokio::select! {
            wish = wishes.recv() => wish,
            signal = next(&mut bus) => {
                match signal {
                    Some(message) => {
                        if let Some(heard) = heard(&message) {
                            // The hub drops the receiver at its end.
                            let _ = say.send(heard);
                        }
                    }
                    None => bus = None,
                }
                continue;
            }
        };
        let Some(wish) = wish else { return };
        let done = tokio::time::timeout(LIMIT, carry_out(&mut bus, wish)).await;
        let said = match done {
            Ok(Ok(said)) => said,
            Ok(Err(problem)) => Some(DesktopEvent::Failed(problem)),
            Err(_) => Some(DesktopEvent::Failed(
                "the desktop doesn't answer".to_owned(),
            )),
        };
        if matches!(said, Some(DesktopEvent::Failed(_))) {
            bus = None;
        }
        if let Some(said) = said {
            // The hub drops the receiver at its end.
            let _ = say.send(said);
        }
    }
}

async fn carry_out(
    bus: &mut Option<Bus>,
    wish: DesktopCommand,
) -> Result<Option<DesktopEvent>, String> {
    let said = |error: zbus::Error| error.to_string();
    let bus = match bus {
        Some(bus) => bus,
        None => bus.insert(Bus::connect().await?),
    };
    match wish {
        DesktopCommand::Show {
            group,
            text,
            sound,
            open,
        } => {
            let number = bus.show(&text, sound, open.as_deref()).await;
            Ok(Some(DesktopEvent::Shown(group, number.map_err(said)?)))
        }
        DesktopCommand::Close(number) => {
            let (at, body) = (Some(NAME), (number,));
            let called = bus
                .connection
                .call_method(at, PLACE, at, "CloseNotification", &body);
            // It fails if the notification is closed already, which is fine.
            let _ = called.await;
            Ok(None)
        }
        DesktopCommand::Listen => Ok(None),
    }
}

impl Bus {
    async fn connect() -> Result<Self, String> {
        let mut problem = place().err().unwrap_or_default();
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
        let rule = MatchRule::builder()
            .msg_type(message::Type::Signal)
            .interface(NAME)
            .build()?;
        let signals = MessageStream::for_match_rule(rule, &connection, None).await?;
        let mut bus = Self {
            connection,
            signals,
            markup: false,
        };
        let at = Some(NAME);
        let called = bus
            .connection
            .call_method(at, PLACE, at, "GetCapabilities", &());
        let reply = called.await?;
        let can: Vec<String> = reply.body().deserialize()?;
        bus.markup = can.iter().any(|what| what == "body-markup");
        Ok(bus)
    }

    async fn show(&self, text: &Text, sound: bool, open: Option<&str>) -> zbus::Result<u32> {
        let body = match self.markup {
            true => escaped(&text.body),
            false => text.body.clone(),
        };
        let actions: Vec<&str> = open
            .into_iter()
            .flat_map(|open| ["default", open])
            .collect();
        let mut hints: HashMap<&str, Variant<'_>> = HashMap::new();
        hints.insert("urgency", Variant::U8(1));
        match sound {
            true => hints.insert("sound-name", Variant::from("message-new-instant")),
            false => hints.insert("suppress-sound", Variant::Bool(true)),
        };
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
        let at = Some(NAME);
        let called = self.connection.call_method(at, PLACE, at, "Notify", &call);
        called.await?.body().deserialize()
    }
}

/// The next signal; `None` once the connection is lost. Never resolves while there is no
/// connection.
async fn next(bus: &mut Option<Bus>) -> Option<Message> {
    let Some(bus) = bus else {
        return std::future::pending().await;
    };
    let signals = &mut bus.signals;
    std::future::poll_fn(|context| Pin::new(&mut *signals).poll_next(context))
        .await?
        .ok()
}

fn heard(message: &Message) -> Option<DesktopEvent> {
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

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;");
    text.replace('<', "&lt;").replace('>', "&gt;")
}
