//! Recordings: what the scheduler does in one period of a module, kept in the spare room of its slot, as
//! material for a new program.
//!
//! ```text
//!           record (1)               a period begins, and ends (2); or something goes wrong (3)
//!   Empty ------------> Recording ------------------------------------------------------------> Recorded
//!   (or another phase in which the kernel                write, roll back (4): to Filling or Running
//!   doesn't need the room)
//! ```
//! (1) `record_period`, (2) `turn_recording`, (3) `take_note`, (4) `give_up_recording`.
//!
//! A recording is made from the records that hosts are told. So while it runs, calls and alarms don't take
//! the ordinary way, just as in a traced run; at any other time it costs nothing.

use beryl_abi::call::{LONGEST_PART, Operand};
use beryl_abi::{CallError, Range, Record, SlotId};
use beryl_syscode::generate::{Recorded, Recorder};

use crate::arriving::slot::Phase;
use crate::event::Machine;
use crate::kernel::{Kernel, Next, Outcome};
use crate::parts::Parts;
use crate::sizes::Sizes;
use crate::table::Table;
use crate::ways::Any;

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// The next period of a slot's module will be recorded. There is one recording at a time.
    #[cold]
    #[inline(never)]
    pub(crate) fn record_period(&mut self, operand: Operand) -> Outcome {
        let (slot, _) = self.own_slot(operand)?;
        let is_others = self.state.recorded != SlotId::NONE && self.state.recorded != slot;
        if self.is_busy(slot) || is_others {
            return Err(CallError::WouldBlock);
        }
        let now = self.state.e_machine.instant;
        let state = self.slot_mut(slot);
        state.forget(state.running.spare());
        state.phase = Phase::Recording(Recorder::asked(now));
        self.state.record_for(slot);
        Ok(Next::Stay)
    }

    /// Copies a part of the recording to its reader.
    #[cold]
    #[inline(never)]
    pub(crate) fn read_slot(&mut self, operand: Operand, offset: u32, part: Range) -> Outcome {
        let (slot, row) = self.own_slot(operand)?;
        let length = match self.slot(slot).phase {
            Phase::Recorded(length) => u32::from(length),
            Phase::Recording(_) => return Err(CallError::WouldBlock),
            _ => return Err(CallError::OutOfPlace),
        };
        let is_part = (1..=LONGEST_PART).contains(&part.length) && (part.length | offset) & 3 == 0;
        if !is_part || offset.saturating_add(part.length) > length {
            return Err(CallError::OutOfPlace);
        }
        self.must_be_callers(Any::UNDER_WAY, part.address, part.length)?;
        let base = self.slot(slot).running.spare().base(row) + offset as usize;
        // bound: 8, the words of a part
        for word in 0..part.length / 4 {
            let place = base + word as usize * 4;
            let bytes = self.state.rooms.rows().get(place..place + 4).and_then(<[u8]>::first_chunk);
            let value = u32::from_le_bytes(bytes.copied().unwrap_or_default());
            self.machine.store(part.address.wrapping_add(word * 4), value);
        }
        self.answer([length, 0]);
        Ok(Next::Stay)
    }

    /// A period of the recorded module ends, and another begins.
    #[cold]
    #[inline(never)]
    pub(crate) fn turn_recording(&mut self, slot: SlotId, recorder: Recorder) {
        let instant = self.state.e_machine.instant;
        self.go_on_recording(slot, recorder, |recorder, room| recorder.turn(instant, room));
    }

    /// Writes a record down, if a period is being recorded.
    pub(crate) fn take_note(&mut self, record: &Record) {
        let slot = self.state.recorded;
        if slot.index() < S::ProgramSlots::LENGTH
            && let Phase::Recording(recorder) = self.slot(slot).phase
        {
            self.go_on_recording(slot, recorder, |recorder, room| recorder.take(record, room));
        }
    }

    fn go_on_recording(
        &mut self,
        slot: SlotId,
        mut recorder: Recorder,
        go_on: impl FnOnce(&mut Recorder, &mut [u8]),
    ) {
        let row = self.machine.system().program_slots.at(slot.index());
        let base = self.slot(slot).running.spare().base(row);
        let room = self.state.rooms.rows_mut().get_mut(base..base + usize::from(row.size));
        go_on(&mut recorder, room.unwrap_or_default());
        let is_over = !matches!(recorder.recorded(), Recorded::Asked | Recorded::Begun);
        self.slot_mut(slot).phase = match is_over {
            true => Phase::Recorded(recorder.length()),
            false => Phase::Recording(recorder),
        };
        if is_over {
            self.state.record_for(SlotId::NONE);
        }
    }

    /// The room of a slot is needed for something else.
    pub(crate) fn give_up_recording(&mut self, slot: SlotId) {
        if S::HAS_TAKEOVERS && self.state.recorded == slot {
            self.state.record_for(SlotId::NONE);
        }
    }
}
