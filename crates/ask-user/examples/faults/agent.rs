//! Agents over MCP: they ask in every dialect and era, wait or give up with or without a
//! cancellation, end in every way an agent can end, and often ask the same again in another
//! session. Some ask what their twins ask.

use std::rc::Rc;
use std::time::Duration;

use ask_core::Json;
use tokio::time::Instant;

use crate::log::Route;
use crate::model::Campaign;
use crate::replies::PendingCall;
use crate::report::REPORT_GRACE;
use crate::rng::Rng;
use crate::session::{Identity, Session};
use crate::twins::{Connection, Family};
use crate::words::{WORDINGS, Wording};

/// A person takes seconds at most, and the replacement of a killed hub less.
const REPLY_LIMIT: Duration = Duration::from_secs(30);

/// Asks that were left behind and will be asked again.
type Left = Vec<(Wording, u64)>;

/// An agent.
pub(crate) struct Agent {
    /// The name of its client.
    pub client: String,
    /// How it connects to the hub.
    pub connection: Connection,
    /// The agents that ask the same; `None` for an agent without twins.
    pub family: Option<Rc<Family>>,
}

/// Asks until the time of faults is over.
pub(crate) async fn ask(campaign: Rc<Campaign>, agent: Agent, mut rng: Rng) {
    let mut left = Left::new();
    while !campaign.is_over() {
        let wording = match (&agent.family, left.last()) {
            (Some(family), _) => family.wording(),
            (None, Some((wording, _))) if rng.percent(80) => *wording,
            (None, _) => rng.one(&WORDINGS),
        };
        let opened = agent.begins(&campaign, wording, &mut rng).await;
        let Some(mut session) = opened else { continue };
        for _ in 0..=rng.below(7) {
            let still_asks = |family: &Rc<Family>| family.wording() == wording;
            if campaign.is_over() || session.is_over() || !agent.family.iter().all(still_asks) {
                break;
            }
            let mut turn = Turn {
                campaign: &campaign,
                agent: &agent,
                session: &mut session,
                wording,
                left: &mut left,
                rng: &mut rng,
            };
            turn.step().await;
        }
        session.leave(&mut rng).await;
    }
}

impl Agent {
    async fn begins(
        &self,
        campaign: &Rc<Campaign>,
        wording: Wording,
        rng: &mut Rng,
    ) -> Option<Session> {
        let mut identity = Identity {
            client: self.client.clone(),
            name: None,
            modern: self.connection == Connection::HttpProcess || rng.percent(50),
        };
        match self.connection {
            Connection::SubAgent => {
                Session::piped(campaign, wording.dialect, identity, false).await
            }
            Connection::Program => Session::piped(campaign, wording.dialect, identity, true).await,
            Connection::Http | Connection::HttpProcess => {
                if self.family.is_none() {
                    identity.name = Some(self.client.clone());
                }
                let has_process = self.connection == Connection::HttpProcess;
                Session::http(campaign, wording.dialect, identity, has_process, rng).await
            }
        }
    }
}

/// An agent within a session.
struct Turn<'all> {
    campaign: &'all Campaign,
    agent: &'all Agent,
    session: &'all mut Session,
    wording: Wording,
    left: &'all mut Left,
    rng: &'all mut Rng,
}

impl Turn<'_> {
    async fn step(&mut self) {
        match self.rng.below(100) {
            0..50 => self.several(1).await,
            50..66 => {
                let count = 2 + self.rng.below(3);
                self.several(count).await;
            }
            66..92 => self.early().await,
            _ => self.fetch().await,
        }
    }

    /// Asks several questions at once and waits for every reply.
    async fn several(&mut self, count: u64) {
        let mut calls = Vec::new();
        for _ in 0..count {
            calls.push(self.call().await);
        }
        let until = Instant::now() + REPLY_LIMIT;
        for (tag, asked) in calls {
            let id = asked.id;
            match tokio::time::timeout_at(until, asked.reply).await {
                Ok(Ok(reply)) if was_asked(&reply) => {}
                Ok(_) => self.keep(tag),
                Err(_) => {
                    self.check_stuck(tag);
                    self.session.cancel(id).await;
                    self.keep(tag);
                }
            }
        }
    }

    /// Asks and gives up before anybody has answered, like a client with a time limit.
    async fn early(&mut self) {
        let (tag, asked) = self.call().await;
        let id = asked.id;
        let limit = self.rng.ms(0, 900);
        if let Ok(Ok(reply)) = tokio::time::timeout(limit, asked.reply).await
            && was_asked(&reply)
        {
            return;
        }
        if self.rng.percent(60) {
            self.session.cancel(id).await;
            self.campaign.log.borrow_mut().fault("calls cancelled");
        } else {
            self.session.give_up(id);
            let mut log = self.campaign.log.borrow_mut();
            log.fault("calls given up silently");
        }
        self.keep(tag);
    }

    async fn call(&mut self) -> (u64, PendingCall) {
        let tag = self.next();
        // Every eleventh ask has a deadline of its own, the same whenever it is asked again.
        let limit = tag.is_multiple_of(11).then_some(200 + tag % 1_500);
        let arguments = self.wording.call(tag, limit);
        let asked = self
            .session
            .call(self.wording.asks, &arguments, Some(tag), Route::Reply)
            .await;
        (tag, asked)
    }

    /// The next ask's number: one that was left behind, one of the twins', or a new one.
    fn next(&mut self) -> u64 {
        if let Some(family) = &self.agent.family {
            self.campaign.log.borrow_mut().count("asked by twins");
            return family.asks(self.campaign, self.rng);
        }
        let wording = self.wording;
        let again = self.left.iter().rposition(|(known, _)| *known == wording);
        let mut log = self.campaign.log.borrow_mut();
        match again {
            Some(at) if self.rng.percent(85) => {
                log.count("asked again");
                self.left.swap_remove(at).1
            }
            _ => log.new_ask(),
        }
    }

    fn keep(&mut self, tag: u64) {
        if self.agent.family.is_none() && self.rng.percent(75) {
            self.left.push((self.wording, tag));
        }
    }

    /// Reports a call that has had no reply for too long although there was an answer for it. An
    /// answer that was accepted only just now may still be on its way, and no answer can be while the
    /// hub is away.
    fn check_stuck(&self, tag: u64) {
        if self.session.is_over() || self.hub_was_away() {
            return;
        }
        let number = self.session.number();
        let is_twin = self.agent.family.is_some();
        let mut log = self.campaign.log.borrow_mut();
        let forgotten = log.missing_answers(number, tag, is_twin, Instant::now() - REPORT_GRACE);
        if !forgotten.is_empty() {
            let forgotten = forgotten.join(", ");
            let asks = log.asks_of(tag).join(", ");
            let said = format!("agent {number} has no reply for {forgotten}; all asks: {asks}");
            log.stuck.push(said);
        }
    }

    /// Whether no hub answered for long while the call waited.
    fn hub_was_away(&self) -> bool {
        let slow_recovery = self.campaign.log.borrow().slow_recovery;
        self.campaign.hub_killed.get().is_some()
            || slow_recovery.is_some_and(|ended| ended.elapsed() < REPLY_LIMIT)
    }

    /// Fetches all undelivered outcomes, or one by its id.
    async fn fetch(&mut self) {
        let Some((tool, key)) = self.wording.fetches else {
            return;
        };
        let (arguments, route) = if self.wording.fetches_all && self.rng.percent(60) {
            ("{}".to_owned(), Route::Reply)
        } else {
            let log = self.campaign.log.borrow();
            let recent: Vec<&String> = log.ids.values().rev().take(12).flatten().collect();
            if recent.is_empty() {
                return;
            }
            let at = self.rng.below(recent.len() as u64);
            let id = recent[usize::try_from(at).unwrap_or(0)];
            (format!(r#"{{"{key}":"{id}"}}"#), Route::Read)
        };
        self.campaign.log.borrow_mut().count("fetched");
        let asked = self.session.call(tool, &arguments, None, route).await;
        // The reader of the stream records the reply.
        let _ = tokio::time::timeout(REPLY_LIMIT, asked.reply).await;
    }
}

/// Whether a reply is neither an error nor the message that the ask could not be asked.
fn was_asked(reply: &Json) -> bool {
    let text = reply["result"]["content"][0]["text"].as_str();
    reply.get("error").is_none() && !text.unwrap_or_default().contains("could not be asked")
}
