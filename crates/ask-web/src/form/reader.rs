//! Who reads a page without scripts: in which language, over which way, and whether they may answer.

use ask_config::words::Words;
use ask_protocol::api::routes::Devices;

use crate::Web;
use crate::door::{self, Who};
use crate::way::{Entry, Way};

/// Who reads.
#[derive(Clone, Copy)]
pub struct Reader {
    /// The person's language.
    pub words: Words,
    /// Whether others on the way can read along, which every page says.
    pub is_overheard: bool,
    /// Whether they may answer, and not only see.
    pub may_answer: bool,
}

impl Reader {
    /// Somebody, as far as the way tells that they came.
    pub fn on(web: &Web, way: Way) -> Self {
        Self::of(web, !way.is_here() && !way.is_encrypted())
    }

    /// Somebody who came as far as a listener.
    pub fn at(web: &Web, entry: &Entry) -> Self {
        let is_overheard = match entry {
            Entry::Loopback => false,
            Entry::Lan(place) => !place.is_encrypted(),
        };
        Self::of(web, is_overheard)
    }

    /// The same, once it is known who that is.
    pub fn who_is(self, who: &Who) -> Self {
        let may_answer = match who {
            Who::Device(device) => door::device_may(device, Devices::Answer).is_ok(),
            Who::Page(_) | Who::Program | Who::Agent | Who::Nobody => true,
        };
        Self { may_answer, ..self }
    }

    fn of(web: &Web, is_overheard: bool) -> Self {
        Self {
            words: Words::of_person(web.shared.config().language),
            is_overheard,
            may_answer: true,
        }
    }
}
