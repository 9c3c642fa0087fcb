//! Agents over MCP: they ask in every dialect and era, wait or give up with or without a
//! cancellation, end in every way an agent can end, and often ask the same again in another
//! session. Some ask what their twins ask.

use std::rc::Rc;
use std::time::Duration;

use ask_core::Json;
use tokio::time::Instant;

use crate::log::How;
use crate::model::World;
use crate::replies::Asked;
use crate::report::BREATH;
use crate::rng::Chance;
use crate::session::{Session, Who};
use crate::twins::{Family, Way};
use crate::words::{WORDINGS, Wording};

/// A person takes seconds at most, and the replacement of a killed hub less.
const PATIENCE: Duration = Duration::from_secs(30);

/// Asks that were left behind and will be asked again.
type Left = Vec<(Wording, u64)>;

/// An agent.
pub(crate) struct Agent {
    /// The name of its client.
    pub client: String,
    /// How it connects to the hub.
    pub way: Way,
    /// The agents that ask the same; `None` for an agent without twins.
    pub family: Option<Rc<Family>>,
}

/// Asks until the time of faults is over.
pub(crate) async fn ask(world: Rc<World>, agent: Agent, mut chance: Chance) {
    let mut left = Left::new();
    while !world.is_over() {
        let wording = match (&agent.family, left.last()) {
            (Some(family), _) => family.wording(),
            (None, Some((wording, _))) if chance.percent(80) => *wording,
            (None, _) => chance.one(&WORDINGS),
        };
        let opened = agent.begins(&world, wording, &mut chance).await;
        let Some(mut session) = opened else { continue };
        for _ in 0..=chance.below(7) {
            let asks_on = |family: &Rc<Family>| family.wording() == wording;
            if world.is_over() || session.is_over() || !agent.family.iter().all(asks_on) {
                break;
            }
            let mut turn = Turn {
                world: &world,
                agent: &agent,
                session: &mut session,
                wording,
                left: &mut left,
                chance: &mut chance,
            };
            turn.step().await;
        }
        session.leave(&mut chance).await;
    }
}

impl Agent {
    async fn begins(
        &self,
        world: &Rc<World>,
        wording: Wording,
        chance: &mut Chance,
    ) -> Option<Session> {
        let mut who = Who {
            client: self.client.clone(),
            name: None,
            modern: self.way == Way::HttpProcess || chance.percent(50),
        };
        match self.way {
            Way::SubAgent => Session::piped(world, wording.dialect, who, false).await,
            Way::Program => Session::piped(world, wording.dialect, who, true).await,
            Way::Http | Way::HttpProcess => {
                if self.family.is_none() {
                    who.name = Some(self.client.clone());
                }
                let has_process = self.way == Way::HttpProcess;
                Session::http(world, wording.dialect, who, has_process, chance).await
            }
        }
    }
}

/// An agent within a session.
struct Turn<'all> {
    world: &'all World,
    agent: &'all Agent,
    session: &'all mut Session,
    wording: Wording,
    left: &'all mut Left,
    chance: &'all mut Chance,
}

impl Turn<'_> {
    async fn step(&mut self) {
        match self.chance.below(100) {
            0..50 => self.several(1).await,
            50..66 => {
                let count = 2 + self.chance.below(3);
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
        let until = Instant::now() + PATIENCE;
        for (tag, asked) in calls {
            let id = asked.id;
            match tokio::time::timeout_at(until, asked.reply).await {
                Ok(Ok(reply)) if was_asked(&reply) => {}
                Ok(_) => self.keep(tag),
                Err(_) => {
                    self.look_into(tag);
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
        let limit = self.chance.ms(0, 900);
        if let Ok(Ok(reply)) = tokio::time::timeout(limit, asked.reply).await
            && was_asked(&reply)
        {
            return;
        }
        if self.chance.percent(60) {
            self.session.cancel(id).await;
            self.world.ledger.borrow_mut().fault("calls cancelled");
        } else {
            self.session.give_up(id);
            let mut ledger = self.world.ledger.borrow_mut();
            ledger.fault("calls left without a word");
        }
        self.keep(tag);
    }

    async fn call(&mut self) -> (u64, Asked) {
        let tag = self.next();
        // Every eleventh ask has a deadline of its own, the same whenever it is asked again.
        let limit = tag.is_multiple_of(11).then_some(200 + tag % 1_500);
        let arguments = self.wording.call(tag, limit);
        let asked = self
            .session
            .call(self.wording.asks, &arguments, Some(tag), How::Reply)
            .await;
        (tag, asked)
    }

    /// The next ask's number: one that was left behind, one of the twins', or a new one.
    fn next(&mut self) -> u64 {
        if let Some(family) = &self.agent.family {
            self.world.ledger.borrow_mut().count("asked by twins");
            return family.asks(self.world, self.chance);
        }
        let wording = self.wording;
        let again = self.left.iter().rposition(|(known, _)| *known == wording);
        let mut ledger = self.world.ledger.borrow_mut();
        match again {
            Some(at) if self.chance.percent(85) => {
                ledger.count("asked again");
                self.left.swap_remove(at).1
            }
            _ => ledger.new_ask(),
        }
    }

    fn keep(&mut self, tag: u64) {
        if self.agent.family.is_none() && self.chance.percent(75) {
            self.left.push((self.wording, tag));
        }
    }

    /// Reports a call that has had no reply for too long although there was an answer for it. An
    /// answer that was accepted only just now may still be on its way, and no answer can be while the
    /// hub is away.
    fn look_into(&self, tag: u64) {
        if self.session.is_over() || self.hub_was_away() {
            return;
        }
        let number = self.session.number();
        let is_twin = self.agent.family.is_some();
        let mut ledger = self.world.ledger.borrow_mut();
        let forgotten = ledger.kept_from(number, tag, is_twin, Instant::now() - BREATH);
        if !forgotten.is_empty() {
            let said = format!("agent {number} waits in vain for {}", forgotten.join(", "));
            ledger.stuck.push(said);
        }
    }

    /// Whether no hub answered for long while the call waited.
    fn hub_was_away(&self) -> bool {
        let slow_recovery = self.world.ledger.borrow().slow_recovery;
        self.world.hub_killed.get().is_some()
            || slow_recovery.is_some_and(|ended| ended.elapsed() < PATIENCE)
    }

    /// Fetches all undelivered outcomes, or one by its id.
    async fn fetch(&mut self) {
        let Some((tool, key)) = self.wording.fetches else {
            return;
        };
        let (arguments, how) = if self.wording.fetches_all && self.chance.percent(60) {
            ("{}".to_owned(), How::Reply)
        } else {
            let ledger = self.world.ledger.borrow();
            let recent: Vec<&String> = ledger.ids.values().rev().take(12).flatten().collect();
            if recent.is_empty() {
                return;
            }
            let at = self.chance.below(recent.len() as u64);
            let id = recent[usize::try_from(at).unwrap_or(0)];
            (format!(r#"{{"{key}":"{id}"}}"#), How::Read)
        };
        self.world.ledger.borrow_mut().count("fetched");
        let asked = self.session.call(tool, &arguments, None, how).await;
        // The reader of the stream records the reply.
        let _ = tokio::time::timeout(PATIENCE, asked.reply).await;
    }
}

/// Whether a reply is neither an error nor the message that the ask could not be asked.
fn was_asked(reply: &Json) -> bool {
    let text = reply["result"]["content"][0]["text"].as_str();
    reply.get("error").is_none() && !text.unwrap_or_default().contains("could not be asked")
}
