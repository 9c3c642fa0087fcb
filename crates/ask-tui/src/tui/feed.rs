//! What the hub tells the terminal surface: the list, and what changes whenever
//! the bell rings.

use ask_hub::client::Client;
use ask_hub::surface::recall;
use ask_protocol::ipc::Day;
use tokio::sync::mpsc;

use super::event::Event;
use crate::Mode;

/// So many asks are read before all the others.
const FIRST_PAGE: u64 = 100;

/// Where news go.
type Events = mpsc::UnboundedSender<anyhow::Result<Event>>;

/// A list or what is new in it, the cursor behind it, and what is said besides.
type News = (Event, u64, Day);

/// The surface doesn't listen any more.
struct Deaf;

/// Reads the list, then what changes whenever the bell rings.
pub async fn feed(client: Client, mode: Mode, events: Events) {
    let mut bell = client.bell();
    let mut cursor = None;
    let mut said = None;
    loop {
        bell.mark_unchanged();
        let news = match cursor {
            None => begin(&client, &mode, &events).await,
            Some(after) => changes(&client, &mode, after).await,
        };
        let told = match news {
            Ok((event, next, day)) => {
                let first = cursor.replace(next).is_none();
                let day = (said.replace(day) != Some(day)).then_some(Event::Day(day));
                let late = match first {
                    true => late(&client, &mode).await,
                    false => None,
                };
                tell(&events, day.into_iter().chain([event]).chain(late))
            }
            // The client reconnects by itself and rings when it has; only the first look must succeed.
            Err(_) if cursor.is_some() => Ok(()),
            Err(error) => events.send(Err(error)).map_err(|_| Deaf),
        };
        if told.is_err() || bell.changed().await.is_err() {
            return;
        }
    }
}

fn tell(events: &Events, news: impl Iterator<Item = Event>) -> Result<(), Deaf> {
    for event in news {
        events.send(Ok(event)).map_err(|_| Deaf)?;
    }
    Ok(())
}

/// The whole list. What is on the first screen is seen while the rest is still on its way.
async fn begin(client: &Client, mode: &Mode, events: &Events) -> anyhow::Result<News> {
    // Where one is opened by itself, it has to be among the first.
    if *mode != Mode::Inbox {
        return listing(client, mode, None).await;
    }
    let (event, cursor, day) = listing(client, mode, Some(FIRST_PAGE)).await?;
    if day.more == 0 {
        return Ok((event, cursor, day));
    }
    // Whoever doesn't listen any more isn't told the rest either.
    tell(events, [Event::Day(day), event].into_iter()).ok();
    listing(client, mode, None).await
}

async fn listing(client: &Client, mode: &Mode, first: Option<u64>) -> anyhow::Result<News> {
    let mut listing = match first {
        Some(first) => client.most_urgent(first).await?,
        None => client.waiting().await?,
    };
    if let Mode::One(id) = mode
        && listing.records.iter().all(|record| record.id != *id)
    {
        listing.records.push(client.get(id.as_str()).await?);
    }
    let event = Event::Records(listing.records);
    Ok((event, listing.cursor, listing.day))
}

/// Asks whose time has passed a while ago: their agents may ask again, and be told. Nobody waits
/// for them, so they come behind all others; without the hub they come with the next start.
async fn late(client: &Client, mode: &Mode) -> Option<Event> {
    if *mode != Mode::Inbox {
        return None;
    }
    let records = recall::late(client).await.ok()?;
    let gone = Vec::new();
    (!records.is_empty()).then_some(Event::Changed { records, gone })
}

async fn changes(client: &Client, mode: &Mode, after: u64) -> anyhow::Result<News> {
    let changes = client.changes(after).await?;
    if changes.reset {
        return listing(client, mode, None).await;
    }
    let event = Event::Changed {
        records: changes.records,
        gone: changes.gone,
    };
    Ok((event, changes.cursor, changes.day))
}
