//! Replacements: a process that arrives while the system runs, and takes the place of another.
//!
//! Another process, which the description names, writes it into the spare one of two rooms, part by part. With the
//! first step of the check the room stays as it is. Each step of the check is a call, as for programs ([`super::slots`]).
//! What is accepted begins as a process does that faulted and begins anew (`scheduling::restarts`): all of its threads
//! are stopped, peers are told, its memory is filled, here from its room. It counts among the restarts of its process,
//! so the others lose no more than was proved; if there were too many it waits.
//!
//! ```text
//!            write (1)             check (2)               (2)                (2), may it begin anew?
//!   Empty -------------> Filling -----------> Checking ----------> Waiting ----------------------> Running
//!                         ^  ^                    |                   ^
//!                         |  |                    +-> Refused         |
//!                         |  +---------------------------- (1)        |
//!                         +--------------------------------- (1) Running
//!                                                revert (3): from everywhere to Waiting
//! ```
//! (1) `write_process`, (2) `check_process`, (3) `revert_process`.

use beryl_abi::call::{LONGEST_PART, Operand};
use beryl_abi::process_image::{self, ENTRY, HEAD, Misfit, STRETCH, STRETCHES, offset};
use beryl_abi::{CallError, ProcessId, Range, SlotId, ThreadId};

use crate::arriving::replacement::{Check, Phase, Replacement};
use crate::event::Machine;
use crate::kernel::{Kernel, Next, Outcome};
use crate::machine::program::Room;
use crate::rows::replaceable::Replaceable;
use crate::scheduling::renewal::Piece;
use crate::scheduling::stop::Scope;
use crate::sizes::Sizes;
use crate::state::State;
use crate::table::{Optional, Table};
use crate::ways::Any;

/// Words that a step of the check adds to the checksum.
const WORDS: u32 = 8;

/// What doesn't fit, and which thread or stretch.
type Unfit = (Misfit, u16);

impl Replaceable {
    /// Where a room begins; the image's code has none.
    fn room(&self, room: Room) -> Option<u32> {
        let [first, second] = self.rooms;
        match room {
            Room::Image => None,
            Room::First => Some(first),
            Room::Second => Some(second),
        }
    }
}

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// Writes the next part of a process into the spare room.
    #[inline(never)]
    pub(crate) fn write_process(&mut self, operand: Operand, offset: u32, part: Range) -> Outcome {
        let (process, row) = self.own_replaceable(operand)?;
        let state = self.replacement(process);
        let filled = match state.phase {
            Phase::Checking(..) | Phase::Waiting(_) => return Err(CallError::WouldBlock),
            _ if offset == 0 => 0,
            Phase::Filling(filled) => filled,
            _ => return Err(CallError::OutOfPlace),
        };
        let is_part = (1..=LONGEST_PART).contains(&part.length) && part.length & 3 == 0;
        let end = filled.saturating_add(part.length);
        if !is_part || offset != filled || end > row.size {
            return Err(CallError::OutOfPlace);
        }
        self.must_be_callers(Any::UNDER_WAY, part.address, part.length)?;
        let spare = state.running.spare();
        let Some(room) = row.room(spare) else { return Err(CallError::NoSuchObject) };
        self.machine.copy(part.address, room.wrapping_add(filled), part.length);
        self.put_replacement(process, Replacement { phase: Phase::Filling(end), ..state.without(spare) });
        Ok(Next::Stay)
    }

    /// Does one step of checking; or lets the one that was accepted begin, if it may.
    #[inline(never)]
    pub(crate) fn check_process(&mut self, operand: Operand) -> Outcome {
        let (process, row) = self.own_replaceable(operand)?;
        let state = self.replacement(process);
        let (phase, next) = match state.phase {
            Phase::Filling(length) => (Phase::Checking(length, Check::Head), Next::Stay),
            Phase::Checking(length, check) => {
                let spare = state.running.spare();
                let room = Range::new(row.room(spare).unwrap_or(0), length);
                let phase = match self.check_part(process, row, room, check) {
                    Ok(Some(next)) => Phase::Checking(length, next),
                    Ok(None) => Phase::Waiting(spare),
                    Err((misfit, number)) => Phase::Refused(misfit, number),
                };
                (phase, Next::Stay)
            }
            Phase::Waiting(room) if self.may_begin_anew(process) => {
                self.put_replacement(
                    process,
                    Replacement { phase: Phase::Running, running: room, previous: state.running },
                );
                self.state.processes.at_mut(process.index()).stopped = true;
                self.begin_stopping(Scope::Process { process, next: ThreadId(0) });
                (Phase::Running, Next::Again)
            }
            phase => (phase, Next::Stay),
        };
        let state = Replacement { phase, ..self.replacement(process) };
        self.put_replacement(process, state);
        let [first, second] = state.progress().encode();
        self.answer([first, second]);
        Ok(next)
    }

    /// The one that ran before takes its place again.
    #[inline(never)]
    pub(crate) fn revert_process(&mut self, operand: Operand) -> Outcome {
        let (process, _) = self.own_replaceable(operand)?;
        let state = self.replacement(process);
        // One that only waits is called off; a room that is being filled or checked is given up.
        let target = match state.phase {
            Phase::Waiting(_) => state.running,
            _ => state.previous,
        };
        let phase = if target == state.running { Phase::Running } else { Phase::Waiting(target) };
        self.put_replacement(process, Replacement { phase, ..state });
        Ok(Next::Stay)
    }

    /// Checks something, and answers what comes next; nothing if that was all.
    fn check_part(
        &mut self,
        process: ProcessId,
        row: &Replaceable,
        room: Range,
        check: Check,
    ) -> Result<Option<Check>, Unfit> {
        Ok(Some(match check {
            Check::Head => {
                self.check_head(row, room)?;
                Check::Words { at: HEAD, sum: process_image::NO_WORDS }
            }
            Check::Words { at, sum } if at < room.length => self.sum_up(room, at, sum),
            Check::Words { sum, .. } => match self.number_at(room, offset::CHECKSUM) == sum {
                true => Check::Entry(0),
                false => return Err((Misfit::Checksum, 0)),
            },
            Check::Entry(thread) if usize::from(thread) < S::Threads::LENGTH => {
                self.check_entry(process, room, thread)?;
                Check::Entry(thread.wrapping_add(1))
            }
            Check::Entry(_) => Check::Stretch(0),
            Check::Stretch(stretch) if stretch < STRETCHES => {
                self.check_stretch(process, room, stretch)?;
                Check::Stretch(stretch.wrapping_add(1))
            }
            Check::Stretch(_) => return Ok(None),
        }))
    }

    /// The numbers before the entries.
    fn check_head(&mut self, row: &Replaceable, room: Range) -> Result<(), Unfit> {
        let rows = S::Threads::LENGTH as u32 | u32::from(STRETCHES) << 16;
        if room.length < code(S::Threads::LENGTH) {
            return Err((Misfit::Length, 0));
        }
        let [first, second] = row.layout;
        let wanted = [
            (offset::MAGIC, process_image::MAGIC, Misfit::Format),
            (offset::VERSION, process_image::VERSION, Misfit::Format),
            (offset::LENGTH, room.length, Misfit::Length),
            (offset::LAYOUT, first, Misfit::Layout),
            (offset::LAYOUT + 4, second, Misfit::Layout),
            (offset::ROWS, rows, Misfit::Layout),
            (offset::ROOM, room.address, Misfit::Room),
        ];
        // bound: 7, what is wanted
        for (offset, number, misfit) in wanted {
            if self.number_at(room, offset) != number {
                return Err((misfit, 0));
            }
        }
        Ok(())
    }

    /// Adds the next words to the checksum.
    fn sum_up(&mut self, room: Range, mut at: u32, mut sum: u32) -> Check {
        let end = at.saturating_add(WORDS * 4).min(room.length);
        // bound: 8, `WORDS`
        while at < end {
            sum = process_image::and_word(sum, self.number_at(room, at));
            at = at.wrapping_add(4);
        }
        Check::Words { at, sum }
    }

    /// A thread of the process begins in its code.
    fn check_entry(&mut self, process: ProcessId, room: Range, thread: u16) -> Result<(), Unfit> {
        let entry = self.number_at(room, entry_offset(thread.into()));
        let code = code(S::Threads::LENGTH);
        let is_its = self.machine.system().threads.at(thread.into()).process == process;
        // What marks the kind of code isn't part of its address.
        let place = (entry & !1).wrapping_sub(room.address);
        match !is_its && entry == 0 || is_its && (code..room.length).contains(&place) {
            true => Ok(()),
            false => Err((Misfit::Entry, thread)),
        }
    }

    /// A stretch of memory is the process's own, and isn't its journal; its bytes came with it.
    fn check_stretch(&mut self, process: ProcessId, room: Range, stretch: u16) -> Result<(), Unfit> {
        let Stretch { load, address, length, zeros } = self.stretch(room.address, stretch);
        let row = self.machine.system().processes.at(process.index());
        let ([memory, ..], journal) = (row.memory, row.journal.range());
        let all = length.saturating_add(zeros);
        let is_whole = (load | address | length | zeros) & 3 == 0;
        let is_its = memory.contains(Range::new(address, all));
        let is_apart = address.saturating_add(all) <= journal.address
            || journal.address.saturating_add(journal.length) <= address;
        let is_empty = all == 0;
        let came = length == 0 || room.contains(Range::new(load, length));
        match is_whole && came && (is_empty || is_its && is_apart) {
            true => Ok(()),
            false => Err((Misfit::Memory, stretch)),
        }
    }

    /// Whether a process may begin anew now.
    fn may_begin_anew(&mut self, process: ProcessId) -> bool {
        let now = self.machine.now();
        let row = self.machine.system().restarts.get(process.index());
        let restarts = self.state.restarts.get(process.index());
        row.zip(restarts).is_some_and(|(row, restarts)| restarts.may(row, now))
    }

    /// The process that a call is about, which the caller's process may replace.
    fn own_replaceable(&self, operand: Operand) -> Result<(ProcessId, &'static Replaceable), CallError> {
        let process = SlotId(operand.number()).process().ok_or(CallError::NoSuchObject)?;
        let row = match process.index() < S::Processes::LENGTH {
            true => self.machine.system().replaceable.get(process.index()),
            false => None,
        };
        let Some(row) = row.filter(|row| row.size > 0 && self.caller().process != process) else {
            return Err(CallError::NoSuchObject);
        };
        self.must_be_allowed(Any::UNDER_WAY, row.writers)?;
        Ok((process, row))
    }

    fn replacement(&self, process: ProcessId) -> Replacement {
        self.state.replacements.get(process.index()).copied().unwrap_or(Replacement::NONE)
    }

    fn put_replacement(&mut self, process: ProcessId, state: Replacement) {
        if let Some(place) = self.state.replacements.get_mut(process.index()) {
            *place = state;
        }
    }

    /// The room whose code a process runs; nothing if that is the image's.
    fn room_of(&self, process: ProcessId) -> Option<u32> {
        let row = self.machine.system().replaceable.get(process.index())?;
        row.room(self.replacement(process).running)
    }

    /// Where a thread begins that runs code from a room.
    pub(crate) fn entry_in_room(&mut self, thread: ThreadId) -> Option<u32> {
        let process = self.machine.system().threads.at(thread.index()).process;
        let room = self.room_of(process)?;
        Some(self.machine.load(room.wrapping_add(entry_offset(thread.index() as u32))))
    }

    /// Puts a piece of a process's memory to what it starts with, whichever code it runs. Answers which piece is next.
    pub(crate) fn fill(&mut self, process: ProcessId, piece: Piece) -> Option<Piece> {
        let Some(room) = self.room_of(process) else { return self.machine.put_back(process, piece) };
        if piece.stretch >= STRETCHES {
            return None;
        }
        let Stretch { load, address, length, zeros } = self.stretch(room, piece.stretch);
        let (from, to) = (load.wrapping_add(piece.done), address.wrapping_add(piece.done));
        let put = match length.saturating_sub(piece.done) {
            0 => {
                let put = zeros.saturating_sub(piece.done.saturating_sub(length)).min(State::<S>::CHUNK);
                self.clear(to, put);
                put
            }
            left => {
                let put = left.min(State::<S>::CHUNK);
                self.machine.copy(from, to, put);
                put
            }
        };
        let done = piece.done.saturating_add(put);
        Some(match done < length.saturating_add(zeros) {
            true => Piece { done, ..piece },
            false => Piece { stretch: piece.stretch.wrapping_add(1), done: 0 },
        })
    }

    fn clear(&mut self, address: u32, length: u32) {
        let mut done = 0;
        // bound: 16, the words of a chunk
        while done < length {
            self.machine.store(address.wrapping_add(done), 0);
            done = done.wrapping_add(4);
        }
    }

    fn stretch(&mut self, room: u32, stretch: u16) -> Stretch {
        let place = stretch_offset::<S>(stretch).wrapping_add(room);
        Stretch {
            load: self.machine.load(place),
            address: self.machine.load(place.wrapping_add(4)),
            length: self.machine.load(place.wrapping_add(8)),
            zeros: self.machine.load(place.wrapping_add(12)),
        }
    }

    /// A number of what was written into a room.
    fn number_at(&mut self, room: Range, offset: u32) -> u32 {
        self.machine.load(room.address.wrapping_add(offset))
    }
}

/// Memory, and what it holds at the start.
struct Stretch {
    load: u32,
    address: u32,
    length: u32,
    zeros: u32,
}

const fn entry_offset(thread: u32) -> u32 {
    HEAD.wrapping_add(thread.wrapping_mul(ENTRY))
}

fn stretch_offset<S: Sizes>(stretch: u16) -> u32 {
    entry_offset(S::Threads::LENGTH as u32).wrapping_add(u32::from(stretch).wrapping_mul(STRETCH))
}

/// Where code may begin, behind the numbers for a system with so many threads.
const fn code(threads: usize) -> u32 {
    entry_offset(threads as u32).wrapping_add(STRETCHES as u32 * STRETCH)
}
