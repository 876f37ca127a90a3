//! A link from a task to one that reads its output at once: which job of the writer it knows, and what of it.
//!
//! ```text
//!                       fetch, writer at work (1)
//!             +-----------------------------------------+
//!             |                                         v
//!     +--> Done: that job's value is whole          Awaited, that job
//!     |       |                                         |
//!     +-------+-------- feed, writer completes (2) <----+  the input is copied
//! ```
//! (1) [`fetch`](LinkState::fetch), (2) [`feed`](LinkState::feed).

use beryl_abi::Instant;

use crate::table::Blank;

/// A link from a task to one that reads its output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LinkState {
    /// The deadline of the writer's job.
    job: Instant,
    /// What is known of that job.
    standing: JobStanding,
}

/// What a link knows of a job of its writer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum JobStanding {
    /// It was at work when the reader was released.
    Awaited,
    /// It is done, and its value is whole.
    Done,
}

/// What becomes of a driver of a link.
pub(crate) enum Effect {
    /// The value is copied.
    Copies,
    /// The value is copied later, or was already.
    Passes,
    /// The value is lost: the old one stays.
    Lost,
}

impl LinkState {
    /// Before the writer's first job its output has its initial value: a task without a job has this deadline.
    pub(crate) const FIRST: LinkState = LinkState { job: Instant::NEVER, standing: JobStanding::Done };

    /// The reader is released, and the writer's last job is this one.
    #[inline(always)]
    pub(crate) fn fetch(&mut self, job: Instant, is_at_work: bool) -> Effect {
        if is_at_work {
            *self = LinkState { job, standing: JobStanding::Awaited };
            return Effect::Passes;
        }
        if *self == (LinkState { job, standing: JobStanding::Done }) { Effect::Copies } else { Effect::Lost }
    }

    /// The writer's job is done.
    #[inline(always)]
    pub(crate) fn feed(&mut self, job: Instant) -> Effect {
        let is_awaited = *self == LinkState { job, standing: JobStanding::Awaited };
        *self = LinkState { job, standing: JobStanding::Done };
        if is_awaited { Effect::Copies } else { Effect::Passes }
    }
}

impl Blank for LinkState {
    const BLANK: LinkState = LinkState { job: Instant::START, standing: JobStanding::Awaited };
}
