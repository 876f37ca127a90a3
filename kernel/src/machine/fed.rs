//! Inputs that are fed: what a task reads is what its more urgent writer's last job comes to, also if that is still at work.
//!
//! A reader that is released while its writer is at work can't begin before that job is done, since it is less urgent. So
//! its input is copied then, out of the writer's own output. Of a writer whose last job is done it is copied at once.
//! Each link knows a job of its writer by that job's deadline, since no two jobs of a task have the same; see `link.rs`.
//!
//! A job that was stopped never completes: nobody is fed with what it wrote, and a reader that is released before the
//! next one completes keeps its old input. After decision 0151; the model is `fed.rs` of the analysis.

use beryl_abi::{DriverId, ProgramId, ThreadId};

use crate::event::Machine;
use crate::kernel::Kernel;
use crate::machine::activity::Activity;
use crate::machine::link::{Effect, LinkState};
use crate::rows::fed::Fed;
use crate::sizes::Sizes;
use crate::state::State;
use crate::table::{Optional, Table};

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
