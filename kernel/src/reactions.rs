//! The E machine: system code at logical instants.
//!
//! ```text
//!             alarm (1)            trigger due (2)             call (4)
//!     Idle -------------> Select ------------------> Run -------------------> Copy, Await
//!      ^                    |  ^                     |  ^                        |
//!      +--------------------+  +---------------------+  +------------------------+
//!       nothing is due (3)       phase, return (5)           driver done (6)
//! ```
//! (1) `alarm`, (2) and (3) `select`, (4) `drivers::begin_driver`, (5) `perform`,
//! (6) `drivers::copy_chunk`, `drivers::driver_done`.
//!
//! Algorithms 1 and 2 of the programmable-microkernel paper, with three differences: the trigger
//! queue is ordered by instant, phase and program, so that several programs at one instant keep the
//! phases of the timing language (rule 2); each arrow is a step of its own, so that the masked
//! stretch doesn't grow with the program; delays count from the logical instant, not from the
//! moment at which the machine came to the instruction, so that nothing drifts.

use beryl_abi::{DriverId, Instant, ProgramId, ThreadId};
use beryl_syscode::Instruction;

use crate::event::{Machine, Switch};
use crate::handle::Kernel;
use crate::sizes::{Blank, Sizes, Table};
use crate::system::System;
use crate::tree::{Key, Tree};

/// What the E machine is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Activity {
    /// Nothing: no trigger is due.
    Idle,
    /// Looking for the next trigger that is due.
    Select,
    /// Carrying out the instruction at an address.
    Run {
        /// The program.
        program: ProgramId,
        /// Its next instruction.
        address: u16,
    },
    /// Copying a driver's value, chunk by chunk.
    Copy {
        /// The program.
        program: ProgramId,
        /// The driver.
        driver: DriverId,
        /// How many bytes are done.
        offset: u32,
        /// Where the program goes on.
        then: u16,
    },
    /// Waiting for a native driver.
    Await {
        /// The program.
        program: ProgramId,
        /// The driver.
        driver: DriverId,
        /// The driver thread.
        thread: ThreadId,
        /// Where the program goes on.
        then: u16,
        /// When its budget is used up; `NEVER` until it begins.
        until: Instant,
        /// Whether the thread has been told what to do.
        fetched: bool,
    },
}

/// The E machine's state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Reactions<S: Sizes> {
    pub activity: Activity,
    /// The logical instant.
    pub instant: Instant,
    pub programs: S::ProgramStates,
    keys: S::TriggerKeys,
    nodes: S::TriggerNodes,
}

impl<S: Sizes> Reactions<S> {
    const QUEUE: Tree = Tree { base: 0, leaves: S::TriggerKeys::LENGTH };

    /// No program has a trigger.
    pub const BLANK: Reactions<S> = Reactions {
        activity: Activity::Idle,
        instant: Instant::START,
        programs: S::ProgramStates::BLANK,
        keys: S::TriggerKeys::BLANK,
        nodes: S::TriggerNodes::BLANK,
    };

    /// Gives every program its first trigger: the start.
    pub(crate) fn begin(&mut self, system: &System<S>) {
        Self::QUEUE.clear(&mut self.nodes);
        for index in 0..S::Programs::LENGTH {
            let program = system.programs.at(index);
            if !program.code.is_empty() {
                self.set_trigger(ProgramId(index as u8), Instant::START, 0, program.start);
            }
        }
    }

    /// Gives a program its trigger. Phases have three bits of the order, programs five.
    #[inline(always)]
    fn set_trigger(&mut self, program: ProgramId, instant: Instant, phase: u8, address: u16) {
        let key = Key::new(instant, phase << 5 | program.0 & 31);
        self.programs.at_mut(program.index()).address = address;
        Self::QUEUE.set(&mut self.keys, &mut self.nodes, program.index(), key);
    }

    /// The first trigger in the queue.
    #[inline(always)]
    fn first(&self) -> (ProgramId, Key) {
        let slot = Self::QUEUE.first(&self.nodes);
        (ProgramId(slot as u8), *self.keys.at(slot))
    }

    /// Takes a program's trigger out of the queue.
    #[inline(always)]
    fn take(&mut self, program: ProgramId) {
        Self::QUEUE.set(&mut self.keys, &mut self.nodes, program.index(), Key::NEVER);
    }
}

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// The alarm went off while user code runs of whose caller nothing has to be asked: what comes first is
    /// carried out, and if nothing else is due, the decision is made at once.
    #[inline(never)]
    pub fn alarm_at_once(&mut self) -> Switch {
        let now = self.machine.now();
        self.charge_until(now);
        let (_, key) = self.state.reactions.first();
        let (thread, moment) = self.state.timers.first();
        let is_timer = !key.instant().is_due(now) && !now.moment().is_before(moment);
        if !is_timer || !self.is_plain_release(thread, now) {
            return self.go_on_selecting();
        }
        let is_first = self.release_at_once(thread, now);
        let (_, moment) = self.state.timers.first();
        if !now.moment().is_before(moment) {
            self.state.undecided = true;
            return self.go_on_selecting();
        }
        let until = key.instant().since(now).ticks();
        let is_trigger_first = until < u64::from(moment.ticks_since(now.moment()));
        self.arm(if is_trigger_first { key.instant().moment() } else { moment });
        self.state.since = self.machine.moment();
        if is_first { self.run_at_once(thread) } else { Switch::Stay }
    }

    #[cold]
    #[inline(never)]
    fn go_on_selecting(&mut self) -> Switch {
        self.state.reactions.activity = Activity::Select;
        self.go_on_at_length()
    }

    /// The alarm went off. What the kernel does from here on isn't charged to the running thread.
    /// Answers whether another step follows.
    #[inline(never)]
    pub(crate) fn alarm(&mut self) -> Switch {
        let activity = self.state.reactions.activity;
        if !matches!(activity, Activity::Idle | Activity::Await { .. }) {
            return Switch::Again;
        }
        let now = self.charge_until_now();
        if let Activity::Await { until, .. } = activity {
            self.check_budget(until, now);
            return if self.is_under_way() { Switch::Again } else { Switch::Stay };
        }
        match self.state.chores || self.state.undecided || self.state.displaced {
            true => {
                self.state.reactions.activity = Activity::Select;
                Switch::Again
            }
            false => self.select(now),
        }
    }

    /// One step of the E machine.
    #[inline(always)]
    pub(crate) fn react(&mut self) -> Switch {
        match self.state.reactions.activity {
            Activity::Idle | Activity::Select => {
                let now = self.machine.now();
                self.select(now)
            }
            Activity::Await { .. } => {
                self.wait_for_driver();
                self.decide()
            }
            Activity::Run { program, address } => {
                self.state.reactions.activity = self.perform(program, address);
                Switch::Again
            }
            Activity::Copy { program, driver, offset, then } => {
                self.state.reactions.activity = self.copy_chunk(program, driver, offset, then);
                Switch::Again
            }
        }
    }

    /// Takes the first trigger that is due, or the first timer, or ends the instant.
    #[inline(never)]
    fn select(&mut self, now: Instant) -> Switch {
        let (program, key) = self.state.reactions.first();
        if key.instant().is_due(now) {
            self.state.reactions.instant = key.instant();
            self.state.reactions.take(program);
            let address = self.state.reactions.programs.at(program.index()).address;
            self.state.reactions.activity = Activity::Run { program, address };
            return Switch::Again;
        }
        let (thread, moment) = self.state.timers.first();
        if !now.moment().is_before(moment) {
            self.expire(thread, now);
            self.state.reactions.activity = Activity::Select;
            return Switch::Again;
        }
        self.state.reactions.activity = Activity::Idle;
        self.state.since = now.moment();
        self.arm(key.instant().min(now.nearest(moment)).moment());
        self.decide_at_length()
    }

    /// Carries out one instruction; answers what follows it. A word that isn't one ends the
    /// activation; the verifier has seen to it that there is none.
    #[inline(never)]
    fn perform(&mut self, program: ProgramId, address: u16) -> Activity {
        let row = self.machine.system().programs.at(program.index());
        let word = row.code.get(usize::from(address)).copied().unwrap_or_default();
        let then = address.saturating_add(1);
        let next = Activity::Run { program, address: then };
        let duration = |number: u8| row.durations.get(usize::from(number)).copied().unwrap_or_default();
        let instant = self.state.reactions.instant;
        match Instruction::decode(word).unwrap_or(Instruction::Return {}) {
            Instruction::Call { driver } => self.begin_driver(program, driver, then),
            Instruction::Release { task, .. } if self.is_at_work(task) => {
                self.violation(task);
                // The new job is released all the same, in a step of its own.
                Activity::Run { program, address }
            }
            Instruction::Release { task, deadline } => {
                self.release(program, task, duration(deadline));
                next
            }
            Instruction::Future { delay, address } => {
                let due = instant.after(duration(delay));
                self.state.reactions.set_trigger(program, due, 0, address);
                next
            }
            Instruction::Phase { phase } => {
                self.state.reactions.set_trigger(program, instant, phase, then);
                Activity::Select
            }
            Instruction::Jump { address } => Activity::Run { program, address },
            Instruction::Branch { address } => {
                if self.state.reactions.programs.at(program.index()).verdict {
                    next
                } else {
                    Activity::Run { program, address }
                }
            }
            // Return, and what this kernel doesn't carry out, which the verifier has refused.
            _ => Activity::Select,
        }
    }
}
