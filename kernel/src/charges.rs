//! What each step of the kernel is charged. Proofs count with this table, and hosts with virtual time advance
//! by it.

use beryl_abi::{CallNumber, Duration, Instant};
use beryl_syscode::Instruction;

use crate::event::{Call, Event, Machine};
use crate::kernel::Kernel;
use crate::machine::activity::Activity;
use crate::rows::threads::ThreadKind;
use crate::sizes::Sizes;
use crate::table::Table;

/// The kind of the next step, for hosts that charge for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StepKind {
    /// The alarm went off.
    Alarm,
    /// A job is released, or a timer's turn comes.
    Release,
    /// The search for the place that is being sorted in goes on.
    Sorting,
    /// A job ends.
    Completion,
    /// A driver begins or is carried out.
    Driver,
    /// Any other work of programs that is done once an instant: phases, triggers, looks at ports.
    Instant,
    /// The last look of an instant: it decides who runs.
    Look,
    /// Any other step of the E machine: an instruction, part of a value, the end of a driver.
    EMachine,
    /// A decision that doesn't end an instant.
    Decision,
    /// Any other step that a job, driver or interrupt costs.
    Job,
    /// Something is stopped, or passes on to others because of that.
    Stop,
    /// A fault, a piece of its record, or a look for something to stop or to pass on that finds nothing.
    Search,
    /// Calls that threads make for themselves.
    Call,
}

/// The most that each kind of step takes, in time of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Charges {
    /// The alarm, including setting the next one.
    pub alarm: Duration,
    /// A job's release.
    pub release: Duration,
    /// One step of the search for a released thread's place, rounded down.
    pub sorting: Duration,
    /// The end of a job.
    pub completion: Duration,
    /// A driver, without the steps that it takes.
    pub driver: Duration,
    /// A switch between threads, without the step that ends with it.
    pub switch: Duration,
    /// An instant, with all of its steps.
    pub instant: Duration,
    /// Each step of an instant but the last, rounded down.
    pub instant_step: Duration,
    /// The last step of an instant, rounded down.
    pub look: Duration,
    /// Any other step of the E machine, rounded down.
    pub e_machine: Duration,
    /// Any other decision, rounded down.
    pub decision: Duration,
    /// Any step that a job costs, rounded down.
    pub job: Duration,
    /// A step that stops something, rounded down.
    pub stop: Duration,
    /// A look for what there is to stop, rounded down.
    pub search: Duration,
    /// Any step at all, rounded down.
    pub call: Duration,
}

impl Charges {
    /// Steps that take no time.
    pub const NONE: Charges = Charges {
        alarm: Duration::ZERO,
        release: Duration::ZERO,
        sorting: Duration::ZERO,
        completion: Duration::ZERO,
        driver: Duration::ZERO,
        switch: Duration::ZERO,
        instant: Duration::ZERO,
        instant_step: Duration::ZERO,
        look: Duration::ZERO,
        e_machine: Duration::ZERO,
        decision: Duration::ZERO,
        job: Duration::ZERO,
        stop: Duration::ZERO,
        search: Duration::ZERO,
        call: Duration::ZERO,
    };

    /// The charge for a step of a kind. The charges for many steps never add up to more than proofs count for
    /// them.
    #[must_use]
    pub fn of(&self, kind: StepKind) -> Duration {
        match kind {
            StepKind::Alarm => self.alarm,
            StepKind::Release => self.release,
            StepKind::Sorting => self.sorting,
            StepKind::Completion => self.completion,
            StepKind::Driver => self.e_machine.plus(self.driver),
            StepKind::Instant => self.instant_step,
            StepKind::Look => self.look,
            StepKind::EMachine => self.e_machine,
            StepKind::Decision => self.decision,
            StepKind::Job => self.job,
            StepKind::Stop => self.stop,
            StepKind::Search => self.search,
            StepKind::Call => self.call,
        }
    }
}

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// The kind of step that an event is going to be.
    #[must_use]
    pub fn kind_of(&mut self, event: &Event) -> StepKind {
        match event {
            Event::Call(call) => self.kind_of_call(call),
            Event::Alarm => StepKind::Alarm,
            Event::Start | Event::Interrupt(_) => StepKind::Job,
            Event::Fault(_) => StepKind::Search,
            Event::Continue if self.state.has_deferred_work => self.kind_of_deferred(),
            Event::Continue if self.state.undecided && self.state.e_machine.activity == Activity::Idle => {
                StepKind::Decision
            }
            Event::Continue => self.kind_of_activity(),
        }
    }

    fn kind_of_call(&mut self, call: &Call) -> StepKind {
        let kind = self.caller_kind();
        match CallNumber::decode(call.number) {
            Some(CallNumber::Complete) if kind == ThreadKind::Task => StepKind::Completion,
            Some(CallNumber::WaitPeriod) if kind == ThreadKind::Periodic => StepKind::Completion,
            // A free thread that goes to sleep has finished what it woke up for.
            Some(number) if kind == ThreadKind::Free && self.sleeps(number, call.arguments) => {
                StepKind::Completion
            }
            // Asking for the first driver is part of the driver thread's own time.
            Some(CallNumber::DriverDone) if kind == ThreadKind::Drivers => {
                match self.state.e_machine.activity {
                    Activity::Await { fetched: true, .. } => StepKind::EMachine,
                    _ => StepKind::Call,
                }
            }
            _ => StepKind::Call,
        }
    }

    /// Whether this call makes the running thread sleep.
    fn sleeps(&mut self, number: CallNumber, [_, second, third, _]: [u32; 4]) -> bool {
        match number {
            CallNumber::NotificationWait => {
                let mask = if second == 0 { u32::MAX } else { second };
                self.state.threads.at(self.state.running().index()).bits & mask == 0
            }
            CallNumber::SleepUntil => {
                let instant = Instant::from_ticks(u64::from(third) << 32 | u64::from(second));
                instant > self.machine.now()
            }
            _ => false,
        }
    }

    /// Stopping, and beginning anew, are counted by themselves. All other deferred work is done before it, except the
    /// threads that wake one by one.
    fn kind_of_deferred(&self) -> StepKind {
        let state = &self.state;
        if state.bands.is_sorting() {
            return StepKind::Sorting;
        }
        let has_places = state.returning.is_some() || state.stuck.is_some();
        let has_waits = state.waking.is_some() || state.timing.is_some() || state.late.is_some();
        let comes_before = has_places
            || has_waits
            || state.promised.is_some()
            || state.reading.is_under_way()
            || state.has_opening_to_set()
            || state.has_watchdog_to_set();
        match state.stopping {
            _ if comes_before => StepKind::Job,
            _ if state.is_writing_crash() => StepKind::Search,
            Some(stopping) if self.finds_something(stopping) => StepKind::Stop,
            Some(_) => StepKind::Search,
            None if state.is_renewing() => StepKind::Call,
            None => StepKind::Job,
        }
    }

    fn kind_of_activity(&mut self) -> StepKind {
        match self.state.e_machine.activity {
            Activity::Run { program, address } => {
                match Instruction::decode(self.instruction_at(program, address)) {
                    Some(Instruction::Call { .. } | Instruction::Calls { .. }) => StepKind::Driver,
                    Some(Instruction::Release { .. } | Instruction::Releases { .. }) => StepKind::Release,
                    Some(
                        Instruction::Phase { .. }
                        | Instruction::Future { .. }
                        | Instruction::Next { .. }
                        | Instruction::Beat { .. }
                        | Instruction::When { .. }
                        | Instruction::Return {},
                    ) => StepKind::Instant,
                    _ => StepKind::EMachine,
                }
            }
            Activity::Idle | Activity::Select => self.kind_of_selection(),
            Activity::Look { .. } => StepKind::Instant,
            Activity::Await { .. }
            | Activity::Copy { .. }
            | Activity::Resume { .. }
            | Activity::Drop { .. } => StepKind::EMachine,
        }
    }

    /// First comes the timeout of a thread that went on early, then ports and triggers, then timers: a
    /// release, or the end of a wait, which is only noted. If nothing is due, the instant ends.
    fn kind_of_selection(&mut self) -> StepKind {
        let looks_first = self.looks_elsewhere_first();
        let now = self.machine.now();
        let (_, key) = self.state.e_machine.first();
        let (_, moment) = self.state.timers.first();
        match looks_first || key.instant().is_due(now) {
            true => StepKind::Instant,
            false if !now.moment().is_before(moment) => StepKind::Release,
            false => StepKind::Look,
        }
    }
}
