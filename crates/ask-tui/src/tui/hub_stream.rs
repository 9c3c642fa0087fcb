//! Sends the hub's list to the terminal surface, then every change of it.

use ask_core::Record;
use ask_hub::client::{AskListing, Client, Push, Subscription, split_changes};
use ask_hub::surface::previous_answers;
use ask_protocol::ipc::Day;
use tokio::sync::mpsc;

use super::event::Event;
use crate::Mode;

/// How many of the most urgent asks are read before all others.
const FIRST_PAGE: u64 = 100;

type Events = mpsc::UnboundedSender<anyhow::Result<Event>>;

/// The error that the surface has ended and receives no events.
struct ReceiverGone;

/// Sends the list, then its changes, until the surface ends.
pub(super) async fn stream_hub(client: Client, mode: Mode, events: Events) {
    let stream = HubStream {
        client,
        mode,
        events,
        day: None,
    };
    // The only error means that the surface has ended, so nothing remains to do.
    let _ = stream.run().await;
}

struct HubStream {
    client: Client,
    mode: Mode,
    events: Events,
    /// The day's summary that was last sent.
    day: Option<Day>,
}

impl HubStream {
    async fn run(mut self) -> Result<(), ReceiverGone> {
        let subscription = match self.subscribe().await {
            Ok(subscription) => subscription,
            Err(error) => return self.events.send(Err(error)).map_err(|_| ReceiverGone),
        };
        loop {
            match subscription.next().await {
                Push::All(listing) => {
                    self.send_day(listing.day)?;
                    let records = self.with_opened_ask(listing.records).await;
                    self.send(Event::Records(records))?;
                    self.send_late().await?;
                }
                Push::Changed(changes) => {
                    let day = changes.last().map(|change| change.day);
                    self.send_day(day.unwrap_or_default())?;
                    let (records, gone) = split_changes(&changes);
                    self.send(Event::Changed { records, gone })?;
                }
            }
        }
    }

    /// Subscribes to the list. The asks of the first screen are sent before the rest has been read.
    async fn subscribe(&mut self) -> anyhow::Result<Subscription> {
        // The other modes open an ask by themselves, so they need the whole list first.
        if self.mode == Mode::Inbox {
            let AskListing { records, day, .. } = self.client.most_urgent(FIRST_PAGE).await?;
            if day.more > 0 {
                // A failed send means that the surface has ended; the next send reports it.
                let sent = self.send_day(day);
                sent.and_then(|()| self.send(Event::Records(records))).ok();
            }
        }
        Ok(self.client.subscribe())
    }

    /// Adds the one ask that the mode shows if the list doesn't hold it.
    async fn with_opened_ask(&self, mut records: Vec<Record>) -> Vec<Record> {
        if let Mode::One(id) = &self.mode
            && records.iter().all(|record| record.id != *id)
            && let Ok(opened) = self.client.get(id.as_str()).await
        {
            records.push(opened);
        }
        records
    }

    /// Sends late asks, whose agents may ask again and receive the answer. No call waits for them,
    /// so they come after all others. Without the hub's reply they are left out until the next
    /// start.
    async fn send_late(&self) -> Result<(), ReceiverGone> {
        if self.mode != Mode::Inbox {
            return Ok(());
        }
        let records = previous_answers::expired(&self.client)
            .await
            .unwrap_or_default();
        if records.is_empty() {
            Ok(())
        } else {
            self.send(Event::Changed {
                records,
                gone: Vec::new(),
            })
        }
    }

    fn send_day(&mut self, day: Day) -> Result<(), ReceiverGone> {
        if self.day.replace(day) == Some(day) {
            Ok(())
        } else {
            self.send(Event::Day(day))
        }
    }

    fn send(&self, event: Event) -> Result<(), ReceiverGone> {
        self.events.send(Ok(event)).map_err(|_| ReceiverGone)
    }
}
