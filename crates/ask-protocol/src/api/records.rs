//! Asks as the API returns them, and the results of requests about them.

use std::borrow::Cow;

use serde::Serialize;
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use super::responses;
use crate::ipc;
use crate::native::{Moment, Origin, Outcome, Record};
use ask_core::history::{self, End};
use ask_core::{Json, SafeText, Time};

/// An ask, as far as the client may see it.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
pub struct RecordView<'a> {
    #[serde(flatten)]
    record: Record<'a>,
    /// Texts made safe to show; for a single ask also Markdown as trees. Not for agents.
    #[schema(value_type = Option<Object>)]
    shown: Option<Json>,
    /// In a history: how the ask ended.
    end: Option<Ending>,
    /// The reply to its agent, in its dialect. Not for agents.
    reply: Option<Cow<'a, str>>,
}

/// The outcome of an ask, and who gave it.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WaitResponse<'a> {
    #[serde(flatten)]
    outcome: Outcome<'a>,
    /// The surface on which the ask was closed.
    answered_by: Cow<'a, str>,
    /// The program that closed it, if an agent had started that: it may be the agent's own answer.
    answered_from: Option<Origin<'a>>,
}

impl<'a> WaitResponse<'a> {
    /// The response about a record, once its ask is closed.
    pub fn of_record(record: &'a ask_core::Record) -> Option<Self> {
        let settlement = record.settlement()?;
        let origin = settlement.origin.as_deref();
        let below_agent = origin.filter(|origin| origin.below_agent.is_some());
        Some(Self {
            outcome: Outcome::from_record(record, &settlement.outcome),
            answered_by: (&settlement.surface).into(),
            answered_from: below_agent.map(Origin::from),
        })
    }
}

/// How an ask ended, in a history.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum Ending {
    Answered,
    Late,
    Declined,
    AskBack,
    Expired,
    Withdrawn,
}

impl From<End> for Ending {
    fn from(end: End) -> Self {
        match end {
            End::Answered => Self::Answered,
            End::Late => Self::Late,
            End::Declined => Self::Declined,
            End::AskedBack => Self::AskBack,
            End::Expired => Self::Expired,
            End::Withdrawn => Self::Withdrawn,
        }
    }
}

impl<'a> RecordView<'a> {
    /// A record for a list: its name and its asker are safe to show.
    pub fn listed(record: &'a ask_core::Record) -> Self {
        Self {
            record: Record::from(record),
            shown: Some(responses::brief(record)),
            end: None,
            reply: None,
        }
    }

    /// A record for a history, with how it ended.
    fn in_history(record: &'a ask_core::Record) -> Self {
        Self {
            end: history::end(record).map(Ending::from),
            ..Self::listed(record)
        }
    }

    /// A record for its card: everything in it is safe to show, and Markdown is in trees. Once it
    /// is closed, it has the reply that its agent got or gets, in the dialect's words.
    pub fn whole(record: &'a ask_core::Record, reply: Option<String>) -> Self {
        Self {
            record: Record::from(record),
            shown: Some(responses::whole(record)),
            end: None,
            reply: reply.map(Cow::from),
        }
    }

    /// A record for its agent. What the person has begun to fill in or is offered is theirs alone, so
    /// it is left out.
    pub fn for_agent(record: &'a ask_core::Record) -> Self {
        Self {
            record: Record {
                draft: None,
                earlier_answer: None,
                shown_on: None,
                shown_at: None,
                snoozed_until: None,
                held_until: None,
                taken_back: None,
                ..Record::from(record)
            }
            .without_held_outcome(record),
            shown: None,
            end: None,
            reply: None,
        }
    }
}

/// The asks that a person can act on, or a page of the history.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
pub struct Asks<'a> {
    asks: Vec<RecordView<'a>>,
    /// Open asks: the cursor of the event stream.
    cursor: Option<u64>,
    /// Open asks: the current time of the hub.
    now: Option<Moment>,
    /// Open asks: what the list holds beside the asks.
    day: Option<Day>,
    /// Closed asks: the `before` of the next page, if there is one.
    before: Option<u64>,
}

impl<'a> Asks<'a> {
    /// The asks that a person can act on, with the cursor of the feed.
    pub fn waiting(records: &'a [ask_core::Record], cursor: u64, now: Time, day: ipc::Day) -> Self {
        Self {
            asks: records.iter().map(RecordView::listed).collect(),
            cursor: Some(cursor),
            now: Some(Moment(now)),
            day: Some(day.into()),
            before: None,
        }
    }

    /// A page of a history. `before` leads to the next page, and is 0 on the last one.
    pub fn page(records: impl IntoIterator<Item = &'a ask_core::Record>, before: u64) -> Self {
        Self {
            asks: records.into_iter().map(RecordView::in_history).collect(),
            cursor: None,
            now: None,
            day: None,
            before: (before > 0).then_some(before),
        }
    }
}

/// What a list of asks holds beside the asks.
#[derive(Serialize, ToSchema)]
pub struct Day {
    /// How many asks the person has answered since midnight.
    answered: u64,
    /// Whether notifications are muted.
    muted: bool,
    /// How many open asks are not in the list.
    more: u64,
}

impl From<ipc::Day> for Day {
    fn from(day: ipc::Day) -> Self {
        Self {
            answered: day.answered,
            muted: day.muted,
            more: day.more,
        }
    }
}

/// An attempt has closed an ask.
#[derive(Serialize, ToSchema)]
pub struct Settled<'a> {
    won: bool,
    record: RecordView<'a>,
}

impl<'a> From<RecordView<'a>> for Settled<'a> {
    fn from(record: RecordView<'a>) -> Self {
        Self { won: true, record }
    }
}

/// The revision under which a draft was saved.
#[derive(Serialize, ToSchema)]
pub struct Revision {
    /// The revision, for `builtOn` of the next draft.
    pub revision: u64,
}

/// How many asks were deleted, or would be.
#[derive(Serialize, ToSchema)]
pub struct Removed {
    /// How many were deleted, or would be.
    pub count: u64,
    /// How many are kept because their outcome was not delivered.
    pub undelivered: u64,
}

/// The status of the hub, with the version of its page, its language and some settings.
#[derive(Serialize, ToSchema)]
pub struct Status<'a> {
    /// The status of the hub.
    #[serde(flatten)]
    pub hub: &'a ipc::Status,
    /// Whether a hub is running.
    pub running: bool,
    /// The version of the hub's page.
    pub page: &'a str,
    /// The language of the hub's messages.
    pub language: &'a str,
    /// Settings of the person.
    pub settings: Settings<'a>,
}

/// Settings that a page shows.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Settings<'a> {
    /// The settings file.
    pub file: &'a str,
    /// For how many days closed asks are kept; 0 means forever.
    pub keep_days: u64,
    /// The language that the person has set.
    pub language: Option<&'a str>,
}

/// The files of a folder that match what was typed.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
pub struct Found<'a> {
    /// At most 50 paths below the folder, the best match first.
    pub paths: Vec<FoundPath<'a>>,
    /// How many files match.
    pub total: usize,
    /// Whether the search is complete. If not, the same request may return more.
    pub ended: bool,
    /// Whether the folder is known, exists and can be read.
    pub readable: bool,
    /// How many files were searched, if there are more.
    pub cut: Option<usize>,
}

/// One of the files.
#[derive(Serialize, ToSchema)]
pub struct FoundPath<'a> {
    /// The path, made safe to show.
    shown: &'a str,
    /// The path for use in a text: quoted if it contains spaces, without invisible characters.
    text: &'a str,
}

impl<'a> From<&'a (String, SafeText)> for FoundPath<'a> {
    fn from((text, shown): &'a (String, SafeText)) -> Self {
        Self {
            shown: shown.as_str(),
            text,
        }
    }
}
