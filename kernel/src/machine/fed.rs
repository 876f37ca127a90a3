//! Inputs that are fed: what a task reads is what its more urgent writer's last job comes to, also if that is still at work.
//!
//! A reader that is released while its writer is at work can't begin before that job is done, since it is less urgent. So
//! its input is copied then, out of the writer's own output. Of a writer whose last job is done it is copied at once.
//! Each link knows a job of its writer by that job's deadline, since no two jobs of a task have the same:
//!
//! ```text
//!                       fetch, writer at work (1)
//!             +-----------------------------------------+
//!             |                                         v
//!     +--> done: that job's value is whole          waiting for that job
//!     |       |                                         |
//!     +-------+-------- feed, writer completes (2) <----+  the input is copied
//! ```
//! (1) [`fetch`](Kernel::begin_fed), (2) [`feed`](Kernel::begin_fed).
//!
//! A job that was stopped never completes: nobody is fed with what it wrote, and a reader that is released before the
//! next one completes keeps its old input. After decision 0151; the model is `fed.rs` of the analysis.

use beryl_abi::{DriverId, Instant, ProgramId, ThreadId};

use crate::event::Machine;
use crate::kernel::Kernel;
use crate::machine::activity::Activity;
use crate::rows::fed::Fed;
use crate::sizes::Sizes;
use crate::state::State;
use crate::table::{Blank, Optional, Table};

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
enum Effect {
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
    fn fetch(&mut self, job: Instant, is_at_work: bool) -> Effect {
        if is_at_work {
            *self = LinkState { job, standing: JobStanding::Awaited };
            return Effect::Passes;
        }
        if *self == (LinkState { job, standing: JobStanding::Done }) { Effect::Copies } else { Effect::Lost }
    }

    /// The writer's job is done.
    #[inline(always)]
    fn feed(&mut self, job: Instant) -> Effect {
        let is_awaited = *self == LinkState { job, standing: JobStanding::Awaited };
        *self = LinkState { job, standing: JobStanding::Done };
        if is_awaited { Effect::Copies } else { Effect::Passes }
    }
}

impl Blank for LinkState {
    const BLANK: LinkState = LinkState { job: Instant::START, standing: JobStanding::Awaited };
}

impl<S: Sizes> State<S> {
    /// No writer has had a job.
    pub(crate) fn begin_links(&mut self) {
        // bound: the length of the table of links
        for link in 0..S::LINKS {
            if let Some(state) = self.links.get_mut(link) {
                *state = LinkState::FIRST;
            }
        }
    }
}

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// Begins a driver of a link; the program goes on at `then`.
    #[inline(never)]
    pub(crate) fn begin_fed(
        &mut self,
        program: ProgramId,
        driver: DriverId,
        part: Fed,
        then: u16,
    ) -> Activity {
        let row = self.machine.system().drivers.at(driver.index());
        let after = Activity::Run { program, address: then };
        let effect = match part {
            Fed::Fetch { writer, link } => self.fetch(writer, link),
            Fed::Feed { link } => self.feed(row.task, link),
            Fed::Nothing => Effect::Passes,
        };
        match effect {
            Effect::Copies if row.length <= State::<S>::CHUNK => {
                self.machine.copy(row.from, row.to, row.length);
                self.trace_driver(driver, row);
            }
            Effect::Copies => return Activity::Copy { program, driver, offset: 0, then },
            Effect::Passes => {}
            Effect::Lost => self.leave_out(program, row),
        }
        after
    }

    fn fetch(&mut self, writer: ThreadId, link: u8) -> Effect {
        let is_at_work = self.is_at_work(writer);
        let job = self.state.threads.at(writer.index()).deadline;
        let link = self.state.links.get_mut(link.into());
        link.map_or(Effect::Lost, |link| link.fetch(job, is_at_work))
    }

    fn feed(&mut self, writer: ThreadId, link: u8) -> Effect {
        let job = self.state.threads.at(writer.index()).deadline;
        let link = self.state.links.get_mut(link.into());
        link.map_or(Effect::Lost, |link| link.feed(job))
    }
}
