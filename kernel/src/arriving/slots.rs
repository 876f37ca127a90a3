//! Program slots: programs that arrive while the system runs.
//!
//! A process with the right to do so writes a program into the spare room of a module's slot, part by part.
//! With the first step of the check the room becomes the kernel's, and no user code can write to it any more.
//! Each step of the check is a call, so the check uses its caller's processor time, and delays other threads
//! by one step at most. An accepted program takes over where the running program ends a period: its outputs
//! are published, nothing of the next period has begun, and no job of it is at work.
//!
//! ```text
//!            write (1)             check (2)               (2)
//!   Empty -------------> Filling -----------> Checking ----------> Waiting
//!                         ^  ^                    |                   |
//!                         |  |                    +-> Refused         | a period ends (3)
//!                         |  +---------------------------- (1)        v
//!                         +--------------------------------- (1) Running
//!                                      rollback (4): from everywhere to Waiting
//! ```
//! The checks and their order are those of `syscode`'s `admission`, whose source the tools share. It also
//! notes the tasks that a program takes over (`takeovers`). While nothing is being checked and nothing waits,
//! a period may be recorded in the spare room instead (`recordings`).
//!
//! (1) `write_slot`, (2) `check_slot`, (3) `end_period`, (4) `roll_back`.

use beryl_abi::call::{LONGEST_PART, Operand};
use beryl_abi::{CallError, ProgramId, Range, Record, SlotId, ThreadId};
use beryl_syscode::check::admission::{Admission, Slot, Step, Terms};
use beryl_syscode::refused::Refused;

use crate::arriving::slot::{Phase, ProgramSlotState};
use crate::arriving::takeovers::offered_bit;
use crate::event::Machine;
use crate::kernel::{Kernel, Next, Outcome};
use crate::machine::activity::Activity;
use crate::parts::Parts;
use crate::rows::processes::Processes;
use crate::rows::programs::ProgramSlot;
use crate::sizes::Sizes;
use crate::system::System;
use crate::table::Table;
use crate::ways::Any;

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// Writes the next part of a program into the spare room.
    #[inline(never)]
    pub(crate) fn write_slot(&mut self, operand: Operand, offset: u32, part: Range) -> Outcome {
        let (slot, row) = self.own_slot(operand)?;
        let filled = match self.slot(slot).phase {
            _ if offset == 0 && !self.is_busy(slot) => 0,
            Phase::Filling(filled) => filled,
            _ if self.is_busy(slot) => return Err(CallError::WouldBlock),
            _ => return Err(CallError::OutOfPlace),
        };
        let is_part = (1..=LONGEST_PART).contains(&part.length) && part.length & 3 == 0;
        let end = u32::from(filled).saturating_add(part.length);
        if !is_part || offset != u32::from(filled) || end > u32::from(row.size) {
            return Err(CallError::OutOfPlace);
        }
        self.must_be_callers(Any::UNDER_WAY, part.address, part.length)?;
        self.give_up_recording(slot);
        let state = *self.slot(slot);
        let spare = state.running.spare();
        let base = spare.base(row) + usize::from(filled);
        // bound: 8, the words of a part
        for word in 0..part.length / 4 {
            let value = self.machine.load(part.address.wrapping_add(word * 4)).to_le_bytes();
            let place = base + word as usize * 4;
            if let Some(bytes) = self.state.rooms.rows_mut().get_mut(place..place + 4) {
                bytes.copy_from_slice(&value);
            }
        }
        let state = self.slot_mut(slot);
        state.forget(spare);
        state.phase = Phase::Filling(end as u16);
        if S::HAS_TAKEOVERS {
            state.name(spare, 0);
        }
        Ok(Next::Stay)
    }

    /// Does one step of checking.
    #[inline(never)]
    pub(crate) fn check_slot(&mut self, operand: Operand) -> Outcome {
        let (slot, row) = self.own_slot(operand)?;
        if matches!(self.slot(slot).phase, Phase::Filling(_)) && self.another_is_checked(slot) {
            return Err(CallError::WouldBlock);
        }
        if let Err(refused) = self.check_step(slot, row) {
            self.slot_mut(slot).phase = Phase::Refused(refused);
        }
        let [first, second] = self.slot(slot).progress().encode();
        self.answer([first, second]);
        Ok(Next::Stay)
    }

    /// Whether the check of another slot's program has begun and may go on: all checks use one memory, and
    /// none may read what another has written there. A check by a process that was stopped never goes on.
    fn another_is_checked(&self, slot: SlotId) -> bool {
        let rows = &self.machine.system().program_slots;
        // bound: PROGRAMS
        (0..S::ProgramSlotStates::LENGTH).any(|other| {
            other != slot.index()
                && self.state.program_slots.at(other).is_checked()
                && !self.all_are_stopped(rows.at(other).processes)
        })
    }

    fn all_are_stopped(&self, processes: Processes) -> bool {
        // bound: PROCESSES
        (0..S::Processes::LENGTH)
            .all(|process| processes >> process & 1 == 0 || self.state.processes.at(process).stopped)
    }

    /// Goes on with the check; its state is changed in place.
    fn check_step(&mut self, slot: SlotId, row: &'static ProgramSlot) -> Result<(), Refused> {
        let system = self.machine.system();
        let (rooms, memory) = (self.state.rooms.rows(), self.state.check_memory.rows_mut());
        let state = self.state.program_slots.at_mut(slot.index());
        let spare = state.running.spare();
        let base = spare.base(row);
        let bytes = rooms.get(base..base + usize::from(row.size)).unwrap_or_default();
        let admission = match &mut state.phase {
            Phase::Filling(_) => {
                state.phase = Phase::Checking(Admission::BEGIN);
                return Ok(());
            }
            Phase::Checking(admission) => admission,
            Phase::Empty
            | Phase::Recording(_)
            | Phase::Recorded(_)
            | Phase::Waiting(_)
            | Phase::Running
            | Phase::Refused(_) => return Ok(()),
        };
        match admission.step(&OfKernel { system, id: slot, row }, bytes, memory)? {
            Step::Again => {}
            Step::Named(tasks) => state.name(spare, tasks),
            Step::Admitted => state.phase = Phase::Waiting(spare),
        }
        Ok(())
    }

    /// The program that ran before takes over again.
    #[inline(never)]
    pub(crate) fn roll_back(&mut self, operand: Operand) -> Outcome {
        let (slot, _) = self.own_slot(operand)?;
        self.give_up_recording(slot);
        let state = self.slot_mut(slot);
        // A program that only waits is called off; a room that is being filled or checked is given up.
        let target = match state.phase {
            Phase::Waiting(_) => state.running,
            _ => state.previous,
        };
        state.phase = if target == state.running { Phase::Running } else { Phase::Waiting(target) };
        Ok(Next::Stay)
    }

    /// A period of a program ends: another may take over.
    #[inline(never)]
    pub(crate) fn end_period(&mut self, program: ProgramId, then: u16) -> Activity {
        let slot = self.machine.system().programs.at(program.index()).slot;
        if slot == SlotId::NONE {
            return Activity::Run { program, address: then };
        }
        let state = *self.slot(slot);
        let room = match state.phase {
            Phase::Waiting(room) => room,
            Phase::Recording(recorder) if S::HAS_TAKEOVERS => {
                self.turn_recording(slot, recorder);
                return Activity::Run { program, address: then };
            }
            _ => return Activity::Run { program, address: then },
        };
        if S::HAS_TAKEOVERS {
            let (before, after) = (state.named(state.running), state.named(room));
            if !self.may_take_over(before, after) {
                return Activity::Run { program, address: then };
            }
            self.state.bands.take_over(before, after);
        }
        let layout = self.layout_in(self.machine.system().program_slots.at(slot.index()), room);
        *self.slot_mut(slot) = ProgramSlotState {
            phase: Phase::Running,
            running: room,
            previous: state.running,
            layout,
            ..state
        };
        self.state.e_machine.programs.at_mut(program.index()).room = room;
        let instant = self.state.e_machine.instant;
        self.trace(Record::Swap { program, room: room as u8, instant });
        self.begin_anew(program, self.start_of(program))
    }

    /// The caller's slot.
    pub(crate) fn own_slot(&self, operand: Operand) -> Result<(SlotId, &'static ProgramSlot), CallError> {
        let slot = SlotId(operand.number());
        if slot.index() >= S::ProgramSlots::LENGTH {
            return Err(CallError::NoSuchObject);
        }
        let row = self.machine.system().program_slots.at(slot.index());
        self.must_be_allowed(Any::UNDER_WAY, row.processes)?;
        Ok((slot, row))
    }

    /// Whether the spare room belongs to the kernel.
    pub(crate) fn is_busy(&self, slot: SlotId) -> bool {
        let state = self.slot(slot);
        state.is_checked() || matches!(state.phase, Phase::Waiting(_))
    }

    pub(crate) fn slot(&self, slot: SlotId) -> &ProgramSlotState {
        self.state.program_slots.at(slot.index())
    }

    pub(crate) fn slot_mut(&mut self, slot: SlotId) -> &mut ProgramSlotState {
        self.state.program_slots.at_mut(slot.index())
    }
}

/// A slot as the checks of its programs see it.
struct OfKernel<S: Sizes> {
    system: &'static System<S>,
    id: SlotId,
    row: &'static ProgramSlot,
}

impl<S: Sizes> Slot for OfKernel<S> {
    const HAS_THREADS: bool = S::Schedules::LENGTH > 1;
    const HAS_OFFERS: bool = S::HAS_TAKEOVERS;
    const CERTIFIED_ONLY: bool = S::CERTIFIED_ONLY;

    fn has_event_triggers(&self) -> bool {
        S::HAS_EVENT_TRIGGERS
    }

    fn terms(&self) -> &Terms<'_> {
        &self.row.terms
    }

    fn touched(&self, driver: u16, word: u8) -> u32 {
        let row = self.system.drivers.at(driver.into());
        let [first, second] = row.others;
        let bit = |task: ThreadId| match task != ThreadId::NONE && task.0 / 32 == word {
            true => 1 << (task.0 % 32),
            false => 0,
        };
        bit(row.task) | bit(first) | bit(second)
    }

    fn offered(&self, task: ThreadId) -> Option<u32> {
        offered_bit(self.system, self.id, task)
    }
}
