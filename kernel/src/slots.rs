//! Slots: programs that arrive while the system runs.
//!
//! A process that may do so writes a program into the spare room of a module's slot, part by part. With the first step of the check the
//! room becomes the kernel's: nobody writes to it any more, and no user code can. The steps are calls of their own, so the
//! check takes what its caller gets of the processor, and delays nobody by more than a step. What is accepted takes
//! over where the running program ends a period: its outputs are published, nothing of the next period has begun, no job
//! of it is at work.
//!
//! ```text
//!            write (1)             check (2)                                  (2)
//!   Empty -------------> Filling -----------> Reading -> Structure .. Weight -> Time or Demand -> Waiting
//!                         ^  ^                    |           |          |                       |
//!                         |  |                    +-----------+----------+-> Refused             | a period ends (3)
//!                         |  +------------------------------------------------ (1)               v
//!                         +--------------------------------------------------------------- (1) Running
//!                                                         rollback (4): from everywhere to Waiting
//! ```
//! Behind the structure of a program with threads of S code come the names of the tasks that it takes over (`takeovers`). Where nothing is
//! being checked and nothing waits, a period may be recorded in the spare room instead (`recordings`).
//!
//! (1) `write_slot`, (2) `check_slot`, (3) `end_period`, (4) `roll_back`.
//!
//! A program that carries a certificate is checked by it (`Demand`), any other one by carrying it out (`Time`), if the slot takes such programs.

use beryl_abi::call::{LONGEST_PART, Operand, SUCCESS};
use beryl_abi::{CallError, Duration, ProgramId, Progress, Range, Record, SlotId, ThreadId};
use beryl_syscode::check::demand::{self, Demand};
use beryl_syscode::check::structure::Stand;
use beryl_syscode::check::time::{self, Image, Time};
use beryl_syscode::check::weight::{Weighed, Weight};
use beryl_syscode::check::{self, Structure};
use beryl_syscode::container::Reading;
use beryl_syscode::generate::Recorder;
use beryl_syscode::refused::Refused;
use beryl_syscode::{Condition, Container, ContainerError, Instruction};

use crate::bands::Bands;
use crate::calls::Outcome;
use crate::event::Machine;
use crate::handle::{Kernel, Next};
use crate::programs::Room;
use crate::reactions::Activity;
use crate::sizes::{Sizes, Table};
use crate::system::{Processes, ProgramSlot, System};
use crate::takeovers::{Named, Naming};
use crate::texts::Text;

/// What changes of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ProgramSlotState {
    pub(crate) phase: Phase,
    /// Where the program lies that runs.
    pub(crate) running: Room,
    /// Where the one lies that ran before it.
    pub(crate) previous: Room,
    /// The tasks that the programs in the two rooms take over: a bit for each slot of the bands.
    named: [u32; 2],
    /// Where the parts of the one that runs are, if it isn't the image's.
    pub(crate) text: Text,
}

/// What is being done in a slot. Its first byte says which: so an empty one is zero, as memory is before the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(crate) enum Phase {
    /// Nothing was written.
    Empty,
    /// A period is recorded, or will be.
    Recording(Recorder),
    /// So many bytes of a recording lie in the room.
    Recorded(u16),
    /// So many bytes were written.
    Filling(u16),
    /// The container is read.
    Reading(Reading),
    /// The program's structure is checked.
    Structure(Stand),
    /// The tasks that it takes over are put down.
    Names(Naming),
    /// Its instants are weighed.
    Weight(Weight),
    /// It is checked for time safety by carrying it out.
    Time(Time),
    /// It is checked for time safety by its certificate.
    Demand(Demand),
    /// A program takes over as soon as a period ends.
    Waiting(Room),
    /// It has taken over.
    Running,
    /// It was refused.
    Refused(Refused),
}

impl ProgramSlotState {
    pub(crate) const EMPTY: ProgramSlotState = ProgramSlotState {
        phase: Phase::Empty,
        running: Room::Image,
        previous: Room::Image,
        named: [0; 2],
        text: Text::NONE,
    };

    /// The tasks that the program in a room takes over; the image's takes none.
    fn named(&self, room: Room) -> u32 {
        let [first, second] = self.named;
        match room {
            Room::Image => 0,
            Room::First => first,
            Room::Second => second,
        }
    }

    fn with_names(self, room: Room, tasks: u32) -> ProgramSlotState {
        let [first, second] = self.named;
        let named = if room == Room::Second { [first, tasks] } else { [tasks, second] };
        ProgramSlotState { named, ..self }
    }

    /// What rollback would bring back is about to be written over, if it lies in this room.
    pub(crate) fn without(self, room: Room) -> ProgramSlotState {
        ProgramSlotState { previous: if self.previous == room { Room::Image } else { self.previous }, ..self }
    }

    /// Whether its check has begun and isn't over.
    fn is_checked(&self) -> bool {
        matches!(
            self.phase,
            Phase::Reading(_)
                | Phase::Structure(_)
                | Phase::Names(_)
                | Phase::Weight(_)
                | Phase::Time(_)
                | Phase::Demand(_)
        )
    }

    fn progress(&self) -> Progress {
        match self.phase {
            Phase::Empty | Phase::Recording(_) | Phase::Recorded(_) => Progress::Nothing,
            Phase::Filling(_)
            | Phase::Reading(_)
            | Phase::Structure(_)
            | Phase::Names(_)
            | Phase::Weight(_)
            | Phase::Time(_)
            | Phase::Demand(_) => Progress::More,
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
        let state = ProgramSlotState { phase: Phase::Filling(end as u16), ..state.without(spare) };
        *self.slot_mut(slot) = if Self::HAS_TAKEOVERS { state.with_names(spare, 0) } else { state };
        self.succeed();
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
        self.answer([SUCCESS, first, second]);
        Ok(Next::Stay)
    }

    /// Whether a check of another slot's program has begun and may go on: all checks keep what they know in one memory, and none may read what
    /// another has written there. Those of a process that was stopped never go on.
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

    /// The check goes on where it stands; what it keeps is changed in its place.
    fn check_step(&mut self, slot: SlotId, row: &'static ProgramSlot) -> Result<(), Refused> {
        let system = self.machine.system();
        let (rooms, memory) = (self.state.rooms.rows(), self.state.check_memory.rows_mut());
        let state = self.state.program_slots.at_mut(slot.index());
        let spare = state.running.spare();
        let base = spare.base(row);
        let bytes = rooms.get(base..base + usize::from(row.size)).unwrap_or_default();
        let image = match &mut state.phase {
            Phase::Filling(_) => {
                state.phase = Phase::Reading(Reading::BEGIN);
                return Ok(());
            }
            Phase::Reading(reading) => {
                if read_step::<S>(row, bytes, reading)? {
                    state.phase = Phase::Structure(Stand::BEGIN);
                }
                return Ok(());
            }
            Phase::Empty
            | Phase::Recording(_)
            | Phase::Recorded(_)
            | Phase::Waiting(_)
            | Phase::Running
            | Phase::Refused(_) => return Ok(()),
            // Reading has found its length inside of the room.
            _ => Container::reopen(bytes).map(|container| SlotImage { container, system, row }),
        };
        let image = image.ok_or(Refused::Container(ContainerError::Malformed { offset: 4 }))?;
        let container = image.container;
        match &mut state.phase {
            Phase::Structure(stand) => {
                let mut structure = Structure::resume(container, row.rights, memory, *stand);
                match structure.step_for::<SlotImage<'_, S>>() {
                    check::Progress::Again => *stand = structure.stand(),
                    check::Progress::Accepted(_) if Self::HAS_TAKEOVERS => {
                        state.phase = Phase::Names(Naming::BEGIN);
                    }
                    check::Progress::Accepted(_) => state.phase = Phase::Weight(Weight::BEGIN),
                    check::Progress::Refused(refusal) => return Err(Refused::Structure(refusal)),
                }
            }
            Phase::Names(naming) if Self::HAS_TAKEOVERS => {
                if let Named::All(tasks) = naming.name(&container, system, slot)? {
                    let phase = Phase::Weight(Weight::BEGIN);
                    *state = ProgramSlotState { phase, ..state.with_names(spare, tasks) };
                }
            }
            Phase::Weight(weight) => {
                match weight.step_for::<SlotImage<'_, S>>(&container, &row.costs, memory) {
                    Weighed::Again => {}
                    Weighed::TooHeavy(address) => return Err(Refused::Heavy(address)),
                    Weighed::Most(_) if container.certificate_length() > 0 => {
                        state.phase = Phase::Demand(Demand::BEGIN);
                    }
                    Weighed::Most(_) if row.certified_only || S::CERTIFIED_ONLY => {
                        return Err(Refused::Uncertified);
                    }
                    Weighed::Most(_) => {
                        let places = row.threads.saturating_mul(4);
                        state.phase = Phase::Time(Time::new(&image, places, time::PATIENCE));
                    }
                }
            }
            Phase::Time(time) if !S::CERTIFIED_ONLY => match time.step(&image, memory) {
                time::Outcome::Again => {}
                time::Outcome::Accepted(_) => state.phase = Phase::Waiting(spare),
                time::Outcome::Refused(breach) => return Err(Refused::Time(breach)),
            },
            Phase::Demand(demand) => match demand.step(&image, &container, memory) {
                demand::Outcome::Again => {}
                demand::Outcome::Accepted => state.phase = Phase::Waiting(spare),
                demand::Outcome::Refused(refusal) => return Err(refusal.into()),
            },
            _ => {}
        }
        Ok(())
    }

    /// The program that ran before takes over again.
    #[inline(never)]
    pub(crate) fn roll_back(&mut self, operand: Operand) -> Outcome {
        let (slot, _) = self.own_slot(operand)?;
        self.give_up_recording(slot);
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
        let room = match state.phase {
            Phase::Waiting(room) => room,
            Phase::Recording(recorder) if Self::HAS_TAKEOVERS => {
                self.turn_recording(slot, recorder);
                return Activity::Run { program, address: then };
            }
            _ => return Activity::Run { program, address: then },
        };
        if Self::HAS_TAKEOVERS {
            let (before, after) = (state.named(state.running), state.named(room));
            if !self.may_take_over(before, after) {
                return Activity::Run { program, address: then };
            }
            self.state.bands.take_over(before, after);
        }
        let text = self.text_in(self.machine.system().program_slots.at(slot.index()), room);
        *self.slot_mut(slot) =
            ProgramSlotState { phase: Phase::Running, running: room, previous: state.running, text, ..state };
        self.state.reactions.programs.at_mut(program.index()).room = room;
        let instant = self.state.reactions.instant;
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
        self.must_be_allowed(row.processes)?;
        Ok((slot, row))
    }

    /// Whether the spare room is the kernel's.
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

/// Whether a duration is a number of grains: only then nothing that the builder counted a grain comes more often.
fn is_number_of(duration: Duration, grain: u32) -> bool {
    u32::try_from(duration.ticks()).is_ok_and(|ticks| ticks.checked_rem(grain) == Some(0))
}

/// A program in a slot as the check of time sees it: alone, with its share of the processor.
struct SlotImage<'a, S: Sizes> {
    container: Container<'a>,
    system: &'static System<S>,
    row: &'static ProgramSlot,
}

impl<S: Sizes> Image for SlotImage<'_, S> {
    const HAS_THREADS: bool = S::Schedules::LENGTH > 1;

    fn programs(&self) -> u8 {
        1
    }

    fn start(&self, _: u8) -> u16 {
        self.container.start()
    }

    fn instruction(&self, _: u8, address: u16) -> Option<Instruction> {
        self.container.decoded(address.into())
    }

    fn duration(&self, _: u8, number: u8) -> Option<Duration> {
        self.container.duration(number)
    }

    fn condition(&self, _: u8, number: u8) -> Option<Condition> {
        self.container.condition(number)
    }

    fn completion(&self, _: u8, _: u8) -> Option<(u8, u16)> {
        None
    }

    fn trigger_places(&self, _: u8) -> u8 {
        self.container.trigger_places()
    }

    fn thread_places(&self, _: u8) -> u8 {
        self.container.thread_places()
    }

    fn tasks(&self) -> u8 {
        self.row.times.len() as u8
    }

    fn task(&self, task: u8) -> time::Task {
        self.row.times.get(usize::from(task)).copied().unwrap_or(time::Task { bound: u32::MAX, rank: 0 })
    }

    fn ranks(&self) -> u8 {
        self.row.policies.len() as u8
    }

    fn policy(&self, rank: u8) -> time::Policy {
        self.row.policies.get(usize::from(rank)).copied().unwrap_or(time::Policy::None)
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

    fn loss(&self, row: u8) -> Option<time::Loss> {
        self.row.losses.get(usize::from(row)).copied()
    }
}

/// Sums up, and looks at names and numbers; answers whether all of the program is read.
fn read_step<S: Sizes>(row: &ProgramSlot, bytes: &[u8], reading: &mut Reading) -> Result<bool, Refused> {
    // One that says that it is longer than the room is cut off, and the reading says so.
    let bytes = bytes.get(..Container::length_in(bytes)).unwrap_or(bytes);
    let Some(container) = reading.step(bytes).map_err(Refused::Container)? else { return Ok(false) };
    if reading.interface() != row.interface {
        return Err(Refused::Interface);
    }
    let threads = if Bands::<S>::HAS_OFFERS { row.threads } else { 0 };
    let is_plain = container.completions().next().is_none() && container.thread_places() <= threads;
    if !is_plain || container.trigger_places() > row.triggers {
        return Err(Refused::Places);
    }
    // bound: 255, the conditions that a container counts
    if !container.conditions().all(|condition| may_wait_for::<S>(row, condition)) {
        return Err(Refused::Event);
    }
    // bound: 255, the durations that a container counts
    if !container.durations().all(|duration| is_number_of(duration, row.grain)) {
        return Err(Refused::Grain);
    }
    Ok(true)
}

/// Whether a slot's programs may wait for something: what threads wait for, completions, and the lines and ports that are theirs.
fn may_wait_for<S: Sizes>(row: &ProgramSlot, condition: Condition) -> bool {
    let has_watches = S::Watches::LENGTH > 1;
    match condition {
        Condition::Clock(_) | Condition::Released(_) => true,
        Condition::Completed(_) => has_watches,
        Condition::Interrupt(line) => has_watches && row.lines.contains(&line),
        Condition::Changed(port) | Condition::Compare(port, ..) => has_watches && port.0 < row.ports,
    }
}
