//! Instructions: the effect of each instruction of system code, and what follows it.
//!
//! Each instruction is a step of its own, and so is each object of a batch; see `batches`. As long as nothing
//! comes in between, the next one follows without going back to the host.

use beryl_abi::ProgramId;
use beryl_syscode::Instruction;

use crate::event::Machine;
use crate::kernel::Kernel;
use crate::machine::activity::{Activity, Ahead};
use crate::machine::batches::Batch;
use crate::parts::Parts;
use crate::sizes::Sizes;
use crate::table::Table;

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// Carries out a program's instructions from an address: one, and more as long as nothing comes in
    /// between.
    #[inline(never)]
    pub(crate) fn run(&mut self, program: ProgramId, mut address: u16) {
        // bound: STEPS, each round is one
        loop {
            let Some(next) = self.perform(program, address) else { return };
            address = next;
            if self.must_pause() {
                self.state.e_machine.activity = Activity::Run { program, address };
                return;
            }
        }
    }

    /// Carries out one instruction. A word that isn't one ends the activation; the check of structure has
    /// made sure that there is none.
    #[inline(always)]
    fn perform(&mut self, program: ProgramId, address: u16) -> Ahead {
        let word = self.instruction_at(program, address);
        let then = address.saturating_add(1);
        match Instruction::decode(word).unwrap_or(Instruction::Return {}) {
            Instruction::Call { driver } => self.call_all(program, address, Batch::of_drivers(driver, 1)),
            Instruction::Calls { first, count } => {
                self.call_all(program, address, Batch::of_drivers(first, count))
            }
            Instruction::Release { task, deadline } => {
                self.release_all(program, address, Batch::of_tasks(task, 1), deadline)
            }
            Instruction::Releases { first, deadline, count } => {
                self.release_all(program, address, Batch::of_tasks(first, count), deadline)
            }
            Instruction::Future { delay, address } => {
                let due = self.state.e_machine.reference.after(self.duration_of(program, delay));
                let system = self.machine.system();
                self.state.e_machine.set_trigger(system, program, due, 0, address);
                Some(then)
            }
            Instruction::Next { round, address } if S::HAS_ROUNDS => {
                self.go_round(program, round, address);
                Some(then)
            }
            Instruction::Beat { beat, address } if S::HAS_ROUNDS => {
                Some(if self.has_beat(program, beat) { then } else { address })
            }
            Instruction::Round {} if S::HAS_ROUNDS => {
                self.begin_round(program);
                Some(then)
            }
            Instruction::When { condition, address } if S::HAS_EVENT_TRIGGERS => {
                self.set_event_trigger(program, condition, address);
                Some(then)
            }
            Instruction::Phase { phase } => self.begin_phase(program, phase, then),
            Instruction::Period {} if S::HAS_ROOMS => {
                let activity = self.end_period(program, then);
                self.follow(activity)
            }
            Instruction::Period {} => Some(then),
            Instruction::Jump { address } => Some(address),
            Instruction::Branch { address } => {
                let says_yes = self.state.e_machine.programs.at(program.index()).verdict;
                Some(if says_yes { then } else { address })
            }
            Instruction::Late { task, address } if S::HAS_HANDLERS => {
                Some(if self.was_late(task) { then } else { address })
            }
            Instruction::Owed { task, address } if S::HAS_HANDLERS => {
                Some(if self.makes_up(task) { then } else { address })
            }
            Instruction::Dispatch { task } if S::SCHEDULED => {
                self.dispatch(program, address, task, None, [then, then])
            }
            Instruction::DispatchUntil { task, until, otherwise } if S::SCHEDULED => {
                let otherwise = then.saturating_add(otherwise.into());
                self.dispatch(program, address, task, Some(until), [then, otherwise])
            }
            Instruction::Idle { until } if S::SCHEDULED => {
                self.idle(program, until, then);
                None
            }
            Instruction::Fork { address } if S::SCHEDULED => {
                self.fork(program, address);
                Some(then)
            }
            Instruction::Change { address } if S::HAS_ROOMS => {
                let activity = self.change(program, address);
                self.follow(activity)
            }
            Instruction::Terminate {} if S::HAS_HANDLERS => {
                self.terminate(program);
                Some(then)
            }
            Instruction::Resume {} if S::HAS_HANDLERS => self.leave_handler(program, false),
            Instruction::Retry {} if S::HAS_HANDLERS => self.leave_handler(program, true),
            Instruction::Postpone { most } if S::HAS_HANDLERS => self.postpone(program, most),
            Instruction::Tolerate { most } if S::HAS_HANDLERS => self.tolerate(program, most),
            Instruction::Offender { task, address } if S::HAS_HANDLERS => {
                Some(if self.is_offender(program, task) { then } else { address })
            }
            // Return, and instructions that no program of this system has.
            _ => self.break_off(Activity::Select),
        }
    }

    /// Something else follows instead of the program's next instruction.
    #[inline(always)]
    pub(crate) fn break_off(&mut self, activity: Activity) -> Ahead {
        self.state.e_machine.activity = activity;
        None
    }

    /// The program goes on, or something else follows.
    #[inline(always)]
    pub(crate) fn follow(&mut self, activity: Activity) -> Ahead {
        match activity {
            Activity::Run { address, .. } => Some(address),
            activity => self.break_off(activity),
        }
    }
}
