//! What the hub tells the terminal surface: the list, and then every change.

use ask_core::Record;
use ask_hub::client::{Client, Listing, News, Subscription, sorted};
use ask_hub::surface::previous_answers;
use ask_protocol::ipc::Day;
use tokio::sync::mpsc;

use super::event::Event;
use crate::Mode;

/// So many asks are read before all the others.
const FIRST_PAGE: u64 = 100;

/// Where news go.
type Events = mpsc::UnboundedSender<anyhow::Result<Event>>;

/// The surface doesn't listen any more.
struct ReceiverGone;

/// Tells the list, then what changes.
pub async fn follow(client: Client, mode: Mode, events: Events) {
    let follow = HubStream {
        client,
        mode,
        events,
        day: None,
    };
    // Nobody listens any more: then nothing is left to do.
    let _ = follow.run().await;
}

struct HubStream {
    client: Client,
    mode: Mode,
    events: Events,
    /// What was last said besides the list.
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
                News::All(listing) => {
                    self.tell_day(listing.day)?;
                    let records = self.with_own(listing.records).await;
                    self.tell(Event::Records(records))?;
                    self.tell_late().await?;
                }
                News::Changed(changes) => {
                    let day = changes.last().map(|change| change.day);
                    self.tell_day(day.unwrap_or_default())?;
                    let (records, gone) = sorted(&changes);
                    self.tell(Event::Changed { records, gone })?;
                }
            }
        }
    }

    /// Has the hub tell all. What is on the first screen is seen while the rest is on its way.
    async fn begin(&mut self) -> anyhow::Result<Subscription> {
        // Where one is opened by itself, it has to be among the first.
        if self.mode == Mode::Inbox {
            let Listing { records, day, .. } = self.client.most_urgent(FIRST_PAGE).await?;
            if day.more > 0 {
                // Whoever doesn't listen any more isn't told the rest either.
                let _ = self.tell_day(day);
                let _ = self.tell(Event::Records(records));
            }
        }
        Ok(self.client.subscribe())
    }

    /// The list, and the one ask that is shown by itself, listed or not.
    async fn with_own(&self, mut records: Vec<Record>) -> Vec<Record> {
        if let Mode::One(id) = &self.mode
            && records.iter().all(|record| record.id != *id)
            && let Ok(own) = self.client.get(id.as_str()).await
        {
            records.push(own);
        }
        records
    }

    /// Asks whose time has passed a while ago: their agents may ask again, and be told. Nobody waits
    /// for them, so they come behind all others; without the hub they come with the next start.
    async fn tell_late(&self) -> Result<(), ReceiverGone> {
        if self.mode != Mode::Inbox {
            return Ok(());
        }
        let records = previous_answers::late(&self.client)
            .await
            .unwrap_or_default();
        match records.is_empty() {
            true => Ok(()),
            false => self.tell(Event::Changed {
                records,
                gone: Vec::new(),
            }),
        }
    }

    fn tell_day(&mut self, day: Day) -> Result<(), ReceiverGone> {
        match self.day.replace(day) == Some(day) {
            true => Ok(()),
            false => self.tell(Event::Day(day)),
        }
    }

    fn tell(&self, event: Event) -> Result<(), ReceiverGone> {
        self.events.send(Ok(event)).map_err(|_| ReceiverGone)
    }
}
