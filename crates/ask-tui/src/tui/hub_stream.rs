//! Follows the hub for the terminal surface: the list first, then every change.

use ask_core::Record;
use ask_hub::client::{AskListing, Client, Push, Subscription, sorted};
use ask_hub::surface::previous_answers;
use ask_protocol::ipc::Day;
use tokio::sync::mpsc;

use super::event::Event;
use crate::Mode;

/// How many of the most urgent asks are read before all others.
const FIRST_PAGE: u64 = 100;

/// Where events are sent.
type Events = mpsc::UnboundedSender<anyhow::Result<Event>>;

/// The surface has ended and receives no more events.
struct ReceiverGone;

/// Sends the list, then its changes, until the surface ends.
pub(super) async fn follow(client: Client, mode: Mode, events: Events) {
    let follow = HubStream {
        client,
        mode,
        events,
        day: None,
    };
    // The only error means that the surface has ended: nothing is left to do.
    let _ = follow.run().await;
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
        let subscription = match self.begin().await {
            Ok(subscription) => subscription,
            Err(error) => return self.events.send(Err(error)).map_err(|_| ReceiverGone),
        };
        loop {
            match subscription.next().await {
                Push::All(listing) => {
                    self.tell_day(listing.day)?;
                    let records = self.with_own(listing.records).await;
                    self.tell(Event::Records(records))?;
                    self.tell_late().await?;
                }
                Push::Changed(changes) => {
                    let day = changes.last().map(|change| change.day);
                    self.tell_day(day.unwrap_or_default())?;
                    let (records, gone) = sorted(&changes);
                    self.tell(Event::Changed { records, gone })?;
                }
            }
        }
    }

    /// Reads the list. The asks of the first screen are sent while the rest is still being read.
    async fn begin(&mut self) -> anyhow::Result<Subscription> {
        // The other modes open an ask by themselves, so they need the whole list first.
        if self.mode == Mode::Inbox {
            let AskListing { records, day, .. } = self.client.most_urgent(FIRST_PAGE).await?;
            if day.more > 0 {
                // A surface that has ended is noticed by the next send.
                let _ = self.tell_day(day);
                let _ = self.tell(Event::Records(records));
            }
        }
        Ok(self.client.subscribe())
    }

    /// Adds the one ask that the mode shows if the list doesn't hold it.
    async fn with_own(&self, mut records: Vec<Record>) -> Vec<Record> {
        if let Mode::One(id) = &self.mode
            && records.iter().all(|record| record.id != *id)
            && let Ok(own) = self.client.get(id.as_str()).await
        {
            records.push(own);
        }
        records
    }

    /// Sends late asks, whose agents may ask again and receive the answer. No call waits for them,
    /// so they come after all others. Without the hub's reply they are left out until the next
    /// start.
    async fn tell_late(&self) -> Result<(), ReceiverGone> {
        if self.mode != Mode::Inbox {
            return Ok(());
        }
        let records = previous_answers::late(&self.client)
            .await
            .unwrap_or_default();
        if records.is_empty() {
            Ok(())
        } else {
            self.tell(Event::Changed {
                records,
                gone: Vec::new(),
            })
        }
    }

    fn tell_day(&mut self, day: Day) -> Result<(), ReceiverGone> {
        if self.day.replace(day) == Some(day) {
            Ok(())
        } else {
            self.tell(Event::Day(day))
        }
    }

    fn tell(&self, event: Event) -> Result<(), ReceiverGone> {
        self.events.send(Ok(event)).map_err(|_| ReceiverGone)
    }
}
