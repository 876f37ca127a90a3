//! Restarts: a process that was stopped after a fault begins anew, as at the start.
//!
//! Its threads are stopped and what they held is taken back before ([`super::stopping`]). Then its memory is
//! put back, piece by piece, and what only it may name; what it shares with others stays as they left it. At
//! last its threads begin: free ones at once, periodic ones with the next release of their own grid, tasks
//! with the next release of their program. All of that is deferred work, a piece a step, so no step is longer
//! for it, and nobody runs before it is done.

use beryl_abi::{Duration, MailboxId, Note, ProcessId, ThreadId};

use crate::event::Machine;
use crate::kernel::Kernel;
use crate::objects::event_group::EventGroupState;
use crate::objects::mailbox::MailboxState;
use crate::objects::semaphore::SemaphoreState;
use crate::rows::processes::Processes;
use crate::rows::threads::{Thread, ThreadKind};
use crate::scheduling::renewal::{Piece, Renewal, Stage};
use crate::scheduling::thread::Wait;
use crate::sizes::Sizes;
use crate::state::State;
use crate::table::{Optional, Table};
use crate::ways::Any;

impl<S: Sizes> State<S> {
    /// Whether a process is being put back to the start.
    pub(crate) fn is_renewing(&self) -> bool {
        self.renewal.get(0).is_some_and(|renewal| renewal.stage != Stage::Nothing)
    }
}

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// All of a process is stopped: it begins anew, if it may and hasn't done so too often.
    pub(crate) fn begin_renewal(&mut self, process: ProcessId) {
        let Some(row) = self.machine.system().restarts.get(process.index()) else { return };
        if row.most == 0 {
            return;
        }
        let now = self.machine.now();
        let Some(restarts) = self.state.restarts.get_mut(process.index()) else { return };
        let is_allowed = restarts.note(row, now);
        let made = restarts.made;
        if is_allowed && let Some(renewal) = self.state.renewal.get_mut(0) {
            renewal.begin(process);
        }
        self.note(Note::restart(process, is_allowed, made));
    }

    /// Puts the next piece back.
    #[cold]
    #[inline(never)]
    pub(crate) fn renew_next(&mut self) {
        let Some(mut renewal) = self.state.renewal.get(0).copied() else { return };
        let is_left = match renewal.stage {
            Stage::Memory => self.put_back(&mut renewal),
            _ => self.renew_one(renewal),
        };
        renewal.next = renewal.next.wrapping_add(1);
        if !is_left {
            renewal.pass_on();
            if renewal.stage == Stage::Threads {
                self.state.processes.at_mut(renewal.process.index()).stopped = false;
            }
        }
        if let Some(place) = self.state.renewal.get_mut(0) {
            *place = renewal;
        }
    }

    /// Puts a piece of memory back. Returns whether there is another.
    fn put_back(&mut self, renewal: &mut Renewal) -> bool {
        let next = match S::REPLACED {
            true => self.fill(renewal.process, renewal.piece),
            false => self.machine.put_back(renewal.process, renewal.piece),
        };
        renewal.piece = next.unwrap_or(Piece::FIRST);
        next.is_some()
    }

    /// Puts back the next object, thread or line of a stage. Returns whether there was one.
    fn renew_one(&mut self, renewal: Renewal) -> bool {
        let index: usize = renewal.next.into();
        let alone = 1 << (renewal.process.0 & 31);
        match renewal.stage {
            Stage::Semaphores if S::SHARED && index < S::Semaphores::LENGTH => {
                self.renew_semaphore(index, alone);
            }
            Stage::Mailboxes if S::SHARED && index < S::Mailboxes::LENGTH => {
                let row = self.machine.system().mailboxes.at(index);
                // What a supervisor was told stays.
                let is_kernels = S::SUPERVISED && row.senders == 0;
                if row.senders | row.receivers == alone && !is_kernels {
                    *self.state.mailboxes.at_mut(index) = MailboxState::of(row);
                } else if is_kernels && row.receivers == alone {
                    self.leave_mailbox(MailboxId(index as u8));
                }
            }
            Stage::EventGroups if S::GROUPED && index < S::EventGroups::LENGTH => {
                let row = self.machine.system().event_groups.at(index);
                if row.sources | row.waiters == alone {
                    *self.state.event_groups.at_mut(index) = EventGroupState::EMPTY;
                }
            }
            Stage::Slots if index < S::ProgramSlotStates::LENGTH => {
                if self.machine.system().program_slots.at(index).processes == alone {
                    self.state.program_slots.at_mut(index).forget_check();
                }
            }
            Stage::Threads if index < S::Threads::LENGTH => {
                self.renew_thread(ThreadId(index as u8), renewal.process);
            }
            Stage::Lines if S::SHARED && index < S::Interrupts::LENGTH => {
                self.renew_line(index, renewal.process);
            }
            _ => return false,
        }
        true
    }

    fn renew_semaphore(&mut self, index: usize, alone: Processes) {
        let row = self.machine.system().semaphores.at(index);
        if row.processes != alone {
            return;
        }
        let state = SemaphoreState::of(row);
        *self.state.semaphores.at_mut(index) = state;
        if state.word != 0 {
            self.machine.store(state.word, 0);
        }
    }

    /// A line stays masked until its thread is done with an interrupt, which it never will be.
    fn renew_line(&mut self, index: usize, process: ProcessId) {
        let row = self.machine.system().interrupts.at(index);
        if row.thread.is_some() && self.machine.system().threads.at(row.thread.index()).process == process {
            self.machine.unmask(row.line);
        }
    }

    /// A thread begins anew, if it belongs to the process.
    fn renew_thread(&mut self, thread: ThreadId, process: ProcessId) {
        let row = self.machine.system().threads.at(thread.index());
        if row.process != process || matches!(row.kind, ThreadKind::None | ThreadKind::Idle) {
            return;
        }
        let state = self.state.threads.at_mut(thread.index());
        state.begin_anew();
        match row.kind {
            ThreadKind::Free => {
                state.be_ready();
                self.want_from_now_on(thread);
                self.return_to_band(thread);
            }
            ThreadKind::Periodic if S::PERIODIC => self.await_next_release(thread, row),
            _ => {}
        }
        self.note(Note::stop(thread, true));
    }

    /// A periodic thread waits for the next release of its own grid; those that have passed are left out.
    fn await_next_release(&mut self, thread: ThreadId, row: &Thread) {
        let now = self.machine.now();
        let state = self.state.threads.at_mut(thread.index());
        state.be_ready();
        state.fall_asleep(Any::UNDER_WAY, Wait::Period, 0, 0);
        let (moment, period) = (now.moment(), row.period.ticks() as u32);
        if !moment.is_before(state.release) {
            let passed = moment.ticks_since(state.release).checked_div(period).unwrap_or(0);
            let ticks = passed.wrapping_add(1).wrapping_mul(period);
            state.release = state.release.after(ticks);
        }
        state.clock = Duration::ZERO;
        self.set_timer(thread, now);
    }
}
