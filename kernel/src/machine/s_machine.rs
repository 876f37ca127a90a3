//! The S machine: threads of system code that say which task runs.
//!
//! ```text
//!            fork (1)                 idle, dispatch (2)
//!     None ------------> about to go on -----------------> waits: for a time, a release, an event, its task
//!      ^                      ^     |                          |
//!      +----------------------+-----+--------------------------+
//!        return (3)             expires (4): the time has come; ends (5): the task is complete
//! ```
//! (1) `fork`, (2) `idle`, `dispatch`, (3) `instructions::perform`, (4) `go_on_with`, (5) `end_dispatch`.
//!
//! Algorithms 3 to 5 of the programmable-microkernel paper. A program has a rank of the band list to itself;
//! its head is the task that one of the program's threads has dispatched, while that task is ready. So a
//! decision costs the same whatever the number of tasks, and tasks that no program names run in the bands
//! below and above. Work that is due at one instant goes in the order of Algorithm 6: first the thread of a
//! completed task, then triggers, then timeouts (first that of the thread that holds a task). All of it is in
//! one queue, in which threads stand behind the programs.
//!
//! A second dispatch while the program's task is at work is a time-share violation (see `exceptions`):
//! without a handler the thread ends, and the trace reports a skip.

use beryl_abi::{Instant, ProgramId, ThreadId};
use beryl_syscode::Condition;

use crate::event::Machine;
use crate::kernel::Kernel;
use crate::machine::activity::{Activity, Ahead};
use crate::machine::schedule::{ScheduleId, ScheduleState};
use crate::parts::Parts;
use crate::rows::threads::{Place, Thread};
use crate::scheduling::thread::Standing;
use crate::sizes::Sizes;
use crate::table::Table;

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// Begins a thread at an address, in the place of the current one, which is about to end, or in a free
    /// one. If there is none, nothing begins; the checker has made sure that there is.
    pub(crate) fn fork(&mut self, program: ProgramId, address: u16) {
        let Some(schedule) = self.place_for_thread(program) else { return };
        let instant = self.state.e_machine.instant;
        let state = self.state.schedules.at_mut(schedule.index());
        *state = ScheduleState { reference: instant, otherwise: address, lives: true, ..ScheduleState::NONE };
        self.state.e_machine.set_timeout::<false>(schedule, instant);
    }

    /// Waits for a condition.
    pub(crate) fn idle(&mut self, program: ProgramId, until: u8, next: u16) {
        self.state.e_machine.activity = Activity::Select;
        let Some(schedule) = self.place_for_thread(program) else { return };
        self.begin_wait(schedule, ThreadId::NONE, [next, next]);
        self.wait_until::<false>(program, schedule, until);
    }

    /// Lets a task run until it is complete or a condition holds; goes on at once if it isn't at work.
    pub(crate) fn dispatch(
        &mut self,
        program: ProgramId,
        address: u16,
        task: ThreadId,
        until: Option<u8>,
        [then, otherwise]: [u16; 2],
    ) -> Ahead {
        if !self.is_at_work(task) {
            return Some(then);
        }
        self.state.e_machine.activity = Activity::Select;
        let holder = self.state.e_machine.programs.at(program.index()).holder;
        let place = self.place_for_thread(program);
        if holder.is_some() {
            return self.dispatch_beside(program, address, holder, until, otherwise);
        }
        let schedule = place?;
        self.begin_wait(schedule, task, [then, otherwise]);
        self.state.e_machine.programs.at_mut(program.index()).holder = schedule;
        let rank = self.machine.system().programs.at(program.index()).rank.number();
        let is_ready = self.state.threads.at(task.index()).standing() == Standing::In;
        self.state.bands.dispatch(rank, task, is_ready);
        if let Some(until) = until {
            self.wait_until::<true>(program, schedule, until);
        }
        None
    }

    /// As above, while `holder` has dispatched a task. That task is in the way, unless the time for this one
    /// is over already.
    #[cold]
    #[inline(never)]
    fn dispatch_beside(
        &mut self,
        program: ProgramId,
        address: u16,
        holder: ScheduleId,
        until: Option<u8>,
        otherwise: u16,
    ) -> Ahead {
        if !until.is_some_and(|until| self.is_over(program, until)) {
            let task = self.state.schedules.at(holder.index()).task;
            return self.share(program, address, task);
        }
        // It goes on where it would if it had held the task for no time: among the threads that hold one.
        let schedule = self.place_for_thread(program)?;
        self.begin_wait(schedule, ThreadId::NONE, [otherwise, otherwise]);
        self.state.e_machine.set_timeout::<true>(schedule, self.state.e_machine.instant);
        None
    }

    /// Whether a condition holds already.
    fn is_over(&self, program: ProgramId, until: u8) -> bool {
        let e_machine = &self.state.e_machine;
        match self.condition_of(program, until) {
            Some(Condition::Clock(number)) => {
                e_machine.reference.after(self.duration_of(program, number)).is_due(e_machine.instant)
            }
            Some(Condition::Released(task)) => self.is_at_work(task),
            // Events are looked at from the next instant on.
            Some(condition) if S::HAS_EVENT_TRIGGERS => !condition.is_event(),
            _ => true,
        }
    }

    /// A task isn't at work any more: returns the thread that has dispatched it, which goes on at once.
    #[inline(always)]
    pub(crate) fn end_dispatch(&mut self, program: ProgramId, task: ThreadId) -> Option<ScheduleId> {
        let schedule = self.state.e_machine.programs.at(program.index()).holder;
        if !schedule.is_some() || self.state.schedules.at(schedule.index()).task != task {
            return None;
        }
        self.let_go(program, schedule);
        Some(schedule)
    }

    /// As above, for a task that was stopped: the thread goes on in its turn, before everything else.
    pub(crate) fn end_dispatch_later(&mut self, program: ProgramId, task: ThreadId) {
        let Some(schedule) = self.end_dispatch(program, task) else { return };
        self.go_on_first(schedule);
        if self.state.e_machine.activity == Activity::Idle {
            self.state.e_machine.activity = Activity::Select;
        }
    }

    /// A thread whose task is complete goes on before everything else that is due.
    pub(crate) fn go_on_first(&mut self, schedule: ScheduleId) {
        self.state.schedules.at_mut(schedule.index()).is_done = true;
        self.state.e_machine.set_timeout::<true>(schedule, Instant::START);
    }

    /// A task is released: threads that wait for its release go on at this instant. If no thread waits for
    /// any release, the threads aren't searched again until one does.
    #[inline(never)]
    pub(crate) fn tell_of_release(&mut self, task: ThreadId) {
        self.state.e_machine.has_expectant = false;
        // bound: SCHEDULES
        for index in 0..S::Schedules::LENGTH {
            let awaited = self.state.schedules.at(index).awaited;
            if awaited == task {
                self.expire_now(ScheduleId(index as u8));
            } else if awaited.is_some() {
                self.state.e_machine.has_expectant = true;
            }
        }
    }

    /// A thread whose task is complete goes on now.
    #[inline(always)]
    pub(crate) fn go_on_behind(&mut self, program: ProgramId, schedule: ScheduleId) {
        let state = self.state.schedules.at_mut(schedule.index());
        (state.awaited, state.lives) = (ThreadId::NONE, false);
        let (reference, address) = (state.reference, state.then);
        let e_machine = &mut self.state.e_machine;
        e_machine.forget_timeout_later(schedule);
        (e_machine.schedule, e_machine.reference) = (schedule, reference);
        if S::HAS_EVENT_TRIGGERS {
            e_machine.has_worked = true;
        }
        e_machine.activity = Activity::Run { program, address };
    }

    /// A thread's turn has come: the program that it belongs to goes on.
    #[inline(never)]
    pub(crate) fn go_on_with(&mut self, schedule: ScheduleId, due: Instant) -> Activity {
        let program = self.program_of(schedule);
        let state = *self.state.schedules.at(schedule.index());
        if state.task.is_some() {
            self.let_go(program, schedule);
        }
        let state_now = self.state.schedules.at_mut(schedule.index());
        (state_now.is_done, state_now.awaited, state_now.lives) = (false, ThreadId::NONE, false);
        self.state.e_machine.schedule = schedule;
        self.state.e_machine.reference = state.reference;
        if S::HAS_EVENT_TRIGGERS {
            self.state.e_machine.has_worked = true;
        }
        if !state.is_done {
            self.state.e_machine.instant = due;
        }
        Activity::Run { program, address: if state.is_done { state.then } else { state.otherwise } }
    }

    /// A thread ends, whatever it waits for.
    pub(crate) fn forget_schedule(&mut self, program: ProgramId, schedule: ScheduleId) {
        let state = *self.state.schedules.at(schedule.index());
        if !state.lives {
            return;
        }
        if state.task.is_some() {
            self.let_go(program, schedule);
        }
        *self.state.schedules.at_mut(schedule.index()) = ScheduleState::NONE;
        self.state.e_machine.forget_timeout(schedule);
    }

    /// The program whose threads dispatch a task at present, if any.
    #[inline(always)]
    pub(crate) fn dispatcher_of(&self, row: &Thread) -> Option<ProgramId> {
        match row.place {
            Place::Coded { program } if S::SCHEDULED => Some(program),
            Place::Offered { program, .. } if S::HAS_TAKEOVERS && self.state.bands.is_taken(row) => {
                Some(program)
            }
            _ => None,
        }
    }

    /// A thread lets go of its task.
    pub(crate) fn let_go(&mut self, program: ProgramId, schedule: ScheduleId) {
        let system = self.machine.system();
        if self.is_watching() {
            self.forget_watch_for(schedule);
        }
        let rank = system.programs.at(program.index()).rank.number();
        let task = system.threads.at(self.state.schedules.at(schedule.index()).task.index());
        match task.place {
            Place::Offered { .. } if S::HAS_TAKEOVERS => self.state.bands.give_back(task),
            _ => self.state.bands.let_go(rank),
        }
        self.state.e_machine.programs.at_mut(program.index()).holder = ScheduleId::NONE;
        self.state.schedules.at_mut(schedule.index()).task = ThreadId::NONE;
    }

    pub(crate) fn begin_wait(&mut self, schedule: ScheduleId, task: ThreadId, [then, otherwise]: [u16; 2]) {
        let reference = self.state.e_machine.reference;
        *self.state.schedules.at_mut(schedule.index()) =
            ScheduleState { reference, task, then, otherwise, lives: true, ..ScheduleState::NONE };
    }

    /// Sets the end of a thread's wait, with a task or without: when a condition holds. A condition that
    /// makes no sense here holds at once.
    #[inline(always)]
    fn wait_until<const HOLDS: bool>(&mut self, program: ProgramId, schedule: ScheduleId, until: u8) {
        match self.condition_of(program, until) {
            Some(Condition::Clock(number)) => {
                let delay = self.duration_of(program, number);
                let due = self.state.schedules.at(schedule.index()).reference.after(delay);
                // Where that time is over already, the thread goes on now.
                let due = due.max(self.state.e_machine.instant);
                self.state.e_machine.set_timeout::<HOLDS>(schedule, due);
            }
            Some(Condition::Released(task)) if !self.is_at_work(task) => {
                self.state.schedules.at_mut(schedule.index()).awaited = task;
                self.state.e_machine.has_expectant = true;
            }
            Some(condition) if S::HAS_EVENT_TRIGGERS && condition.is_event() => {
                self.watch_for(schedule, condition);
            }
            _ => self.expire_now(schedule),
        }
    }

    fn expire_now(&mut self, schedule: ScheduleId) {
        self.state.schedules.at_mut(schedule.index()).awaited = ThreadId::NONE;
        let instant = self.state.e_machine.instant;
        self.set_timeout(schedule, instant);
    }

    pub(crate) fn set_timeout(&mut self, schedule: ScheduleId, due: Instant) {
        match self.state.schedules.at(schedule.index()).task.is_some() {
            true => self.state.e_machine.set_timeout::<true>(schedule, due),
            false => self.state.e_machine.set_timeout::<false>(schedule, due),
        }
    }

    /// A place for a thread of a program: that of the current one, or a free one.
    fn place_for_thread(&self, program: ProgramId) -> Option<ScheduleId> {
        let current = self.state.e_machine.schedule;
        if current.is_some() && !self.state.schedules.at(current.index()).lives {
            return Some(current);
        }
        let row = self.machine.system().programs.at(program.index());
        let (first, end) = (row.first_schedule, row.first_schedule.saturating_add(row.schedules));
        // bound: SCHEDULES
        (first..end).map(ScheduleId).find(|schedule| !self.state.schedules.at(schedule.index()).lives)
    }

    /// The program to which a thread belongs.
    pub(crate) fn program_of(&self, schedule: ScheduleId) -> ProgramId {
        // bound: PROGRAMS
        for index in 0..S::Programs::LENGTH {
            let row = self.machine.system().programs.at(index);
            if schedule.0.wrapping_sub(row.first_schedule) < row.schedules {
                return ProgramId(index as u8);
            }
        }
        ProgramId(0)
    }
}
