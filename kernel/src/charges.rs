//! What the steps of the kernel are charged: one table, with which proofs count and by which hosts in virtual time let it pass.

use beryl_abi::{CallNumber, Duration, Instant};
use beryl_syscode::Instruction;

use crate::event::{Call, Event, Machine};
use crate::kernel::Kernel;
use crate::machine::activity::Activity;
use crate::rows::threads::ThreadKind;
use crate::sizes::Sizes;
use crate::table::Table;

/// What kind of step follows, for those who charge for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StepKind {
    /// The alarm went off.
    Alarm,
    /// A job is released, or a timer found.
    Release,
    /// It is looked on for the place that is being sorted in.
    Sorting,
    /// A job ends.
    Completion,
    /// A driver is begun, or carried out.
    Driver,
    /// Anything else of programs that is due once an instant: phases, triggers, looks at ports.
    Instant,
    /// The last look of an instant, which decides who runs.
    Look,
    /// Any other step of the E machine: an instruction, a piece of a value, a driver's end.
    Reaction,
    /// It is decided who runs, behind anything but an instant.
    Decision,
    /// Any other step that jobs, drivers and interrupts cost.
    Job,
    /// What threads ask for themselves, and what goes wrong.
    Call,
}

/// What each kind of step takes at most, in time of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Charges {
    /// The alarm, with setting the next.
    pub alarm: Duration,
    /// A job's release.
    pub release: Duration,
    /// A step that looks on for the place of who was released, rounded down.
    pub sorting: Duration,
    /// The end of a job.
    pub completion: Duration,
    /// A driver, beside the steps that it takes.
    pub driver: Duration,
    /// A switch between threads, beside the step that ends with it.
    pub switch: Duration,
    /// An instant, with all of its steps.
    pub instant: Duration,
    /// Each of these but for the last, rounded down.
    pub instant_step: Duration,
    /// The last of these, rounded down.
    pub look: Duration,
    /// Any other step of the E machine, rounded down.
    pub reaction: Duration,
    /// Any other decision, rounded down.
    pub decision: Duration,
    /// Any step that a job costs, rounded down.
    pub job: Duration,
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
        reaction: Duration::ZERO,
        decision: Duration::ZERO,
        job: Duration::ZERO,
        call: Duration::ZERO,
    };

    /// What a step of some kind is charged. Many of them together are never charged more than proofs count for them.
    #[must_use]
    pub fn of(&self, kind: StepKind) -> Duration {
        match kind {
            StepKind::Alarm => self.alarm,
            StepKind::Release => self.release,
            StepKind::Sorting => self.sorting,
            StepKind::Completion => self.completion,
            StepKind::Driver => self.reaction.plus(self.driver),
            StepKind::Instant => self.instant_step,
            StepKind::Look => self.look,
            StepKind::Reaction => self.reaction,
            StepKind::Decision => self.decision,
            StepKind::Job => self.job,
            StepKind::Call => self.call,
        }
    }
}

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// What kind of step an event is going to be.
    #[must_use]
    pub fn kind_of(&mut self, event: &Event) -> StepKind {
        match event {
            Event::Call(call) => self.kind_of_call(call),
            Event::Alarm => StepKind::Alarm,
            Event::Start | Event::Interrupt(_) => StepKind::Job,
            Event::Fault(_) => StepKind::Call,
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
            // A free thread that goes to sleep has ended what it woke up for.
            Some(number) if kind == ThreadKind::Free && self.sleeps(number, call.arguments) => {
                StepKind::Completion
            }
            // To ask for the first driver is part of its own time.
            Some(CallNumber::DriverDone) if kind == ThreadKind::Drivers => {
                match self.state.e_machine.activity {
                    Activity::Await { fetched: true, .. } => StepKind::Reaction,
                    _ => StepKind::Call,
                }
            }
            _ => StepKind::Call,
        }
    }

    /// Whether the running thread goes to sleep by a call.
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

    /// What is stopped takes more than jobs are counted with. All other deferred work is done before that, but for those who wake one by one.
    fn kind_of_deferred(&self) -> StepKind {
        let state = &self.state;
        if state.bands.is_sorting() {
            return StepKind::Sorting;
        }
        let has_places = state.returning.is_some() || state.stuck.is_some();
        let has_waits = state.waking.is_some() || state.timing.is_some() || state.late.is_some();
        let comes_before =
            has_places || has_waits || state.promised.is_some() || state.reading.is_under_way();
        if state.stopping.is_some() && !comes_before { StepKind::Call } else { StepKind::Job }
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
                    _ => StepKind::Reaction,
                }
            }
            Activity::Idle | Activity::Select => self.kind_of_selection(),
            Activity::Look { .. } => StepKind::Instant,
            Activity::Await { .. }
            | Activity::Copy { .. }
            | Activity::Resume { .. }
            | Activity::Drop { .. } => StepKind::Reaction,
        }
    }

    /// What is left of a thread that went on before its time comes first, then ports and triggers, then timers: a release, or the end of a
    /// wait, which is only noted. Where nothing is due, the instant ends.
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
