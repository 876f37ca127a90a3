//! Slots: programs that arrive while the system runs.
//!
//! A process that may do so writes a program into the spare room of a module's slot, part by part. With the first step of the check the
//! room becomes the kernel's: nobody writes to it any more, and no user code can. The steps are calls of their own, so the
//! check takes what its caller gets of the processor, and delays nobody by more than a step. What is accepted takes
//! over where the running program ends a period: its outputs are published, nothing of the next period has begun, no job
//! of it is at work.
//!
//! ```text
//!            write (1)             check (2)                          (2)
//!   Empty -------------> Filling ------------> Reading -> Structure -------> Waiting
//!                         ^  ^                    |           |                |
//!                         |  |                    +-----------+--> Refused     | a period ends (3)
//!                         |  +------------------------------------- (1)        v
//!                         +--------------------------------------------- (1) Running
//!                                                     rollback (4): from everywhere to Waiting
//! ```
//! (1) `write_slot`, (2) `check_slot`, (3) `end_period`, (4) `roll_back`.

use beryl_abi::call::{LONGEST_PART, Operand, SUCCESS};
use beryl_abi::{CallError, ProgramId, Progress, Range, Record, SlotId};
use beryl_syscode::check::{self, Structure, structure::Stand};
use beryl_syscode::container::Reading;
use beryl_syscode::refused::Refused;
use beryl_syscode::{Container, ContainerError};

use crate::calls::Outcome;
use crate::event::Machine;
use crate::handle::{Kernel, Next};
use crate::programs::Room;
use crate::reactions::Activity;
use crate::sizes::{Sizes, Table};
use crate::system::ProgramSlot;

/// What changes of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ProgramSlotState {
    phase: Phase,
    /// Where the program lies that runs.
    running: Room,
    /// Where the one lies that ran before it.
    previous: Room,
}

/// What is being done in a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Phase {
    /// Nothing was written.
    Empty,
    /// So many bytes were written.
    Filling(u16),
    /// The container is read.
    Reading(Reading),
    /// The program's structure is checked.
    Structure(Stand),
    /// A program takes over as soon as a period ends.
    Waiting(Room),
    /// It has taken over.
    Running,
    /// It was refused.
    Refused(Refused),
}

impl ProgramSlotState {
    pub(crate) const EMPTY: ProgramSlotState =
        ProgramSlotState { phase: Phase::Empty, running: Room::Image, previous: Room::Image };

    fn progress(&self) -> Progress {
        match self.phase {
            Phase::Empty => Progress::Nothing,
            Phase::Filling(_) | Phase::Reading(_) | Phase::Structure(_) => Progress::More,
            Phase::Waiting(_) => Progress::Accepted,
            Phase::Running => Progress::Running,
            Phase::Refused(refused) => {
                let (reason, address) = refused.encode();
                Progress::Refused { reason, address }
            }
        }
    }
}

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
        self.must_be_callers(part.address, part.length)?;
        let state = *self.slot(slot);
        let spare = state.running.spare();
        // What rollback would bring back is about to be written over.
        let previous = if state.previous == spare { Room::Image } else { state.previous };
        let base = spare.base(row) + usize::from(filled);
        // bound: 8, the words of a part
        for word in 0..part.length / 4 {
            let value = self.machine.load(part.address.wrapping_add(word * 4)).to_le_bytes();
            let place = base + word as usize * 4;
            if let Some(bytes) = self.state.rooms.rows_mut().get_mut(place..place + 4) {
                bytes.copy_from_slice(&value);
            }
        }
        *self.slot_mut(slot) = ProgramSlotState { phase: Phase::Filling(end as u16), previous, ..state };
        self.succeed();
        Ok(Next::Stay)
    }

    /// Does one step of checking.
    #[inline(never)]
    pub(crate) fn check_slot(&mut self, operand: Operand) -> Outcome {
        let (slot, row) = self.own_slot(operand)?;
        let state = *self.slot(slot);
        let phase = match state.phase {
            Phase::Filling(_) => Ok(Phase::Reading(Reading::BEGIN)),
            Phase::Reading(reading) => self.read_step(row, state, reading),
            Phase::Structure(stand) => self.structure_step(row, state, stand),
            other => Ok(other),
        };
        let phase = phase.unwrap_or_else(Phase::Refused);
        self.slot_mut(slot).phase = phase;
        let [first, second] = self.slot(slot).progress().encode();
        self.answer([SUCCESS, first, second]);
        Ok(Next::Stay)
    }

    /// The program that ran before takes over again.
    #[inline(never)]
    pub(crate) fn roll_back(&mut self, operand: Operand) -> Outcome {
        let (slot, _) = self.own_slot(operand)?;
        let state = self.slot_mut(slot);
        // One that only waits is called off; the room that is being filled or checked is given up.
        let target = match state.phase {
            Phase::Waiting(_) => state.running,
            _ => state.previous,
        };
        state.phase = if target == state.running { Phase::Running } else { Phase::Waiting(target) };
        self.succeed();
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
        let Phase::Waiting(room) = state.phase else { return Activity::Run { program, address: then } };
        *self.slot_mut(slot) =
            ProgramSlotState { phase: Phase::Running, running: room, previous: state.running };
        self.state.reactions.programs.at_mut(program.index()).room = room;
        let instant = self.state.reactions.instant;
        self.trace(Record::Swap { program, room: room as u8, instant });
        self.begin_anew(program, self.start_of(program))
    }

    /// Sums up, and looks at names and numbers.
    fn read_step(
        &self,
        row: &ProgramSlot,
        state: ProgramSlotState,
        mut reading: Reading,
    ) -> Result<Phase, Refused> {
        let bytes = self.bytes_of(row, state.running.spare());
        // One that says that it is longer than the room is cut off, and the reading says so.
        let bytes = bytes.get(..Container::length_in(bytes)).unwrap_or(bytes);
        let Some(container) = reading.step(bytes).map_err(Refused::Container)? else {
            return Ok(Phase::Reading(reading));
        };
        if reading.interface() != row.interface {
            return Err(Refused::Interface);
        }
        let is_plain = container.completions().next().is_none() && container.thread_places() == 0;
        if !is_plain || container.trigger_places() > row.triggers {
            return Err(Refused::Places);
        }
        Ok(Phase::Structure(Stand::BEGIN))
    }

    /// Looks at an instruction.
    fn structure_step(
        &mut self,
        row: &ProgramSlot,
        state: ProgramSlotState,
        stand: Stand,
    ) -> Result<Phase, Refused> {
        let spare = state.running.spare();
        let base = spare.base(row);
        let bytes = self.state.rooms.rows().get(base..base + usize::from(row.size)).unwrap_or_default();
        let container = Container::reopen(bytes).ok_or(Refused::Container(too_long()))?;
        let mut structure = Structure::resume(container, row.rights, self.state.marks.rows_mut(), stand);
        match structure.step() {
            check::Progress::Again => Ok(Phase::Structure(structure.stand())),
            check::Progress::Accepted(_) => Ok(Phase::Waiting(spare)),
            check::Progress::Refused(refusal) => Err(Refused::Structure(refusal)),
        }
    }

    /// The caller's slot.
    fn own_slot(&self, operand: Operand) -> Result<(SlotId, &'static ProgramSlot), CallError> {
        let slot = SlotId(operand.number());
        if slot.index() >= S::ProgramSlots::LENGTH {
            return Err(CallError::NoSuchObject);
        }
        let row = self.machine.system().program_slots.at(slot.index());
        self.must_be_allowed(row.processes)?;
        Ok((slot, row))
    }

    /// Whether the spare room is the kernel's.
    fn is_busy(&self, slot: SlotId) -> bool {
        matches!(self.slot(slot).phase, Phase::Reading(_) | Phase::Structure(_) | Phase::Waiting(_))
    }

    fn slot(&self, slot: SlotId) -> &ProgramSlotState {
        self.state.program_slots.at(slot.index())
    }

    fn slot_mut(&mut self, slot: SlotId) -> &mut ProgramSlotState {
        self.state.program_slots.at_mut(slot.index())
    }
}

/// A container that says that it is longer than its room.
fn too_long() -> ContainerError {
    ContainerError::Malformed { offset: 4 }
}
