//! Admission: everything that a slot demands of an arriving program, in order, one small step at a time.
//!
//! ```text
//!   Reading ----> Structure ----> Names ----> Weight ---+--> Time     carried out --------+
//!     sums,         the code,       tasks       what an  |                                +--> admitted
//!     names,        once            that its    instant  +--> Demand   by its certificate -+
//!     numbers                       threads     takes
//!                                   dispatch
//! ```
//! Targets and tools share this source; they differ in where a slot's numbers come from ([`Slot`]).

use beryl_abi::{Duration, Line, ThreadId};

use super::demand::{self, Demand};
use super::structure::{Rights, Stand, Structure};
use super::time::{self, Image, Loss, Policy, Task, Time};
use super::weight::{Costs, Weighed, Weight};
use super::{Progress, Reason, Refusal};
use crate::condition::Condition;
use crate::container::{Container, ContainerError, Reading};
use crate::instruction::Instruction;
use crate::refused::Refused;

/// What a slot demands of its programs, and their supply of the processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Terms<'a> {
    /// The checksum of the names that its programs must be made for: module, tasks, drivers, ports.
    pub interface: u32,
    /// The tasks and drivers that its programs may name, one bit each.
    pub rights: Rights<'a>,
    /// The interrupts that a program may wait for.
    pub lines: &'a [Line],
    /// How many of the image's ports, counted from the first, a program may look at: their names are among
    /// those of its programs.
    pub ports: u16,
    /// The most triggers that a program may have at one time.
    pub triggers: u8,
    /// The most threads of S code that a program may have at one time: the number of places of the module's
    /// program. If that isn't zero, the system has at least two such places.
    pub threads: u8,
    /// Only programs with a certificate are admitted: none is checked by carrying it out.
    pub certified_only: bool,
    /// All delays of its programs are multiples of this, in ticks, so nothing in a program comes more often.
    pub grain: u32,
    /// The image's tasks, by number: the longest time that a job of each may take, including the kernel's
    /// work for it.
    pub times: &'a [Task],
    /// The policy for the tasks of each rank.
    pub policies: &'a [Policy],
    /// The costs of its instants, and the most that one may take, which is counted among the losses.
    pub costs: Costs<'a>,
    /// The part of the processor that the module doesn't get: its supply is the rest.
    pub losses: &'a [Loss],
}

impl Terms<'_> {
    /// A slot that admits no program.
    pub const NONE: Terms<'static> = Terms {
        interface: 0,
        rights: Rights { tasks: &[], drivers: &[] },
        lines: &[],
        ports: 0,
        triggers: 1,
        threads: 0,
        certified_only: false,
        grain: 1,
        times: &[],
        policies: &[],
        costs: Costs { drivers: &[], instruction: 0, most: 0, threads: 0 },
        losses: &[],
    };
}

/// A slot in its image. Features that no slot of an image has are constants, so that a target leaves out
/// their code.
pub trait Slot {
    /// Whether programs have threads.
    const HAS_THREADS: bool;
    /// Whether tasks are offered to programs.
    const HAS_OFFERS: bool;
    /// Whether all slots demand certificates.
    const CERTIFIED_ONLY: bool;
    /// Whether programs may wait for anything other than time.
    fn has_event_triggers(&self) -> bool;
    /// Its terms.
    fn terms(&self) -> &Terms<'_>;
    /// The tasks whose ports a driver touches: 32 of them, as in [`Image::touched`].
    fn touched(&self, driver: u16, word: u8) -> u32;
    /// The bits of a task that is offered to its programs.
    fn offered(&self, task: ThreadId) -> Option<u32>;
}

/// Places at which each thread of S code may stand.
pub const PLACES: u8 = 4;

/// How far the checks of a program have come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Admission {
    /// The container is read.
    Reading(Reading),
    /// The program's structure is checked.
    Structure(Stand),
    /// The tasks that it takes over are noted.
    Names(Naming),
    /// Its instants are weighed.
    Weight(Weight),
    /// It is checked for time safety by carrying it out.
    Time(Time),
    /// It is checked for time safety by its certificate.
    Demand(Demand),
}

/// The result of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Step {
    /// There is more to do.
    Again,
    /// There is more to do; these are the tasks that the program takes over, as [`Slot::offered`] gives them.
    Named(u32),
    /// The program may run.
    Admitted,
}

impl Admission {
    /// Before the first step.
    pub const BEGIN: Admission = Admission::Reading(Reading::BEGIN);

    /// One step. Slot, bytes and memory are those of the steps before.
    ///
    /// # Errors
    /// Why the program may not run.
    pub fn step<S: Slot>(&mut self, slot: &S, bytes: &[u8], memory: &mut [u32]) -> Result<Step, Refused> {
        if let Admission::Reading(reading) = self {
            if read(slot, bytes, reading)? {
                *self = Admission::Structure(Stand::BEGIN);
            }
            return Ok(Step::Again);
        }
        let malformed = Refused::Container(ContainerError::Malformed { offset: 4 });
        // Reading has checked that its length lies inside the bytes.
        let container = Container::reopen(bytes).ok_or(malformed)?;
        self.look(&Alone { container, slot }, memory)
    }

    /// A step of the checks that follow once the container is read.
    fn look<S: Slot>(&mut self, image: &Alone<'_, S>, memory: &mut [u32]) -> Result<Step, Refused> {
        let (container, terms) = (image.container, image.slot.terms());
        match self {
            Admission::Reading(_) => {}
            Admission::Structure(stand) => {
                let mut structure = Structure::resume(container, terms.rights, memory, *stand);
                match structure.step_for::<Alone<'_, S>>() {
                    Progress::Again => *stand = structure.stand(),
                    Progress::Accepted(_) if S::HAS_OFFERS => *self = Admission::Names(Naming::BEGIN),
                    Progress::Accepted(_) => *self = Admission::Weight(Weight::BEGIN),
                    Progress::Refused(refusal) => return Err(Refused::Structure(refusal)),
                }
            }
            Admission::Names(naming) if S::HAS_OFFERS => {
                if let Some(tasks) = naming.name(image)? {
                    *self = Admission::Weight(Weight::BEGIN);
                    return Ok(Step::Named(tasks));
                }
            }
            Admission::Names(_) => {}
            Admission::Weight(weight) => {
                match weight.step_for::<Alone<'_, S>>(&container, &terms.costs, memory) {
                    Weighed::Again => {}
                    Weighed::TooHeavy(address) => return Err(Refused::Heavy(address)),
                    Weighed::Most(_) => *self = Admission::in_time(image)?,
                }
            }
            Admission::Time(time) if !S::CERTIFIED_ONLY => match time.step(image, memory) {
                time::Outcome::Again => {}
                time::Outcome::Accepted(_) => return Ok(Step::Admitted),
                time::Outcome::Refused(breach) => return Err(Refused::Time(breach)),
            },
            Admission::Time(_) => {}
            Admission::Demand(demand) => match demand.step(image, &container, memory) {
                demand::Outcome::Again => {}
                demand::Outcome::Accepted => return Ok(Step::Admitted),
                demand::Outcome::Refused(refusal) => return Err(refusal.into()),
            },
        }
        Ok(Step::Again)
    }

    /// How the program is checked for time safety.
    fn in_time<S: Slot>(image: &Alone<'_, S>) -> Result<Admission, Refused> {
        let terms = image.slot.terms();
        if image.container.certificate_length() > 0 {
            return Ok(Admission::Demand(Demand::BEGIN));
        }
        if terms.certified_only || S::CERTIFIED_ONLY {
            return Err(Refused::Uncertified);
        }
        let places = terms.threads.saturating_mul(PLACES);
        Ok(Admission::Time(Time::new(image, places, time::PATIENCE)))
    }
}

/// Computes the checksums, and checks names and numbers; returns whether the whole program is read.
fn read<S: Slot>(slot: &S, bytes: &[u8], reading: &mut Reading) -> Result<bool, Refused> {
    // A container that claims to be longer than the room is cut off, and reading refuses it.
    let bytes = bytes.get(..Container::length_in(bytes)).unwrap_or(bytes);
    let Some(container) = reading.step(bytes).map_err(Refused::Container)? else { return Ok(false) };
    let terms = slot.terms();
    if reading.interface() != terms.interface {
        return Err(Refused::Interface);
    }
    let threads = if S::HAS_OFFERS { terms.threads } else { 0 };
    let is_plain = container.completions().next().is_none() && container.thread_places() <= threads;
    if !is_plain || container.trigger_places() > terms.triggers {
        return Err(Refused::Places);
    }
    // bound: 255, the conditions that a container counts
    if !container.conditions().all(|condition| may_wait_for(slot, condition)) {
        return Err(Refused::Event);
    }
    // bound: 255, the durations that a container counts
    if !container.durations().all(|duration| is_number_of(duration, terms.grain)) {
        return Err(Refused::Grain);
    }
    Ok(true)
}

/// Whether a slot's programs may wait for a condition: those of threads, completions, and the slot's own
/// lines and ports.
fn may_wait_for<S: Slot>(slot: &S, condition: Condition) -> bool {
    let terms = slot.terms();
    match condition {
        Condition::Clock(_) | Condition::Released(_) | Condition::Round { .. } => true,
        Condition::Completed(_) => slot.has_event_triggers(),
        Condition::Interrupt(line) => slot.has_event_triggers() && terms.lines.contains(&line),
        Condition::Changed(port) | Condition::Compare(port, ..) => {
            slot.has_event_triggers() && port.0 < terms.ports
        }
    }
}

/// Whether a duration is a multiple of the grain: only then does nothing come more often than was counted.
fn is_number_of(duration: Duration, grain: u32) -> bool {
    u32::try_from(duration.ticks()).is_ok_and(|ticks| ticks.checked_rem(grain) == Some(0))
}

/// The tasks that a program's threads dispatch, and how far its code has been searched for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Naming {
    address: u16,
    tasks: u32,
}

impl Naming {
    const BEGIN: Naming = Naming { address: 0, tasks: 0 };

    /// One instruction: a task that it dispatches must be an offered one. Returns all tasks at the end.
    fn name<S: Slot>(&mut self, image: &Alone<'_, S>) -> Result<Option<u32>, Refused> {
        let Some(word) = image.container.instruction(self.address.into()) else {
            return Ok(Some(self.tasks));
        };
        if let Some(Instruction::Dispatch { task } | Instruction::DispatchUntil { task, .. }) =
            Instruction::decode(word)
        {
            let refused = Refused::Structure(Refusal { address: self.address.into(), reason: Reason::Task });
            self.tasks |= image.slot.offered(task).ok_or(refused)?;
        }
        self.address = self.address.saturating_add(1);
        Ok(None)
    }
}

/// A program in a slot as the checks of time see it: alone, with its supply of the processor.
#[derive(Clone, Copy, Debug)]
pub struct Alone<'a, S> {
    /// The program.
    pub container: Container<'a>,
    /// Its slot.
    pub slot: &'a S,
}

impl<S: Slot> Image for Alone<'_, S> {
    const HAS_THREADS: bool = S::HAS_THREADS;
    const HAS_EVENT_TIMEOUTS: bool = false;

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
        self.slot.terms().times.len() as u8
    }

    fn task(&self, task: u8) -> Task {
        self.slot.terms().times.get(usize::from(task)).copied().unwrap_or(Task { bound: u32::MAX, rank: 0 })
    }

    fn ranks(&self) -> u8 {
        self.slot.terms().policies.len() as u8
    }

    fn policy(&self, rank: u8) -> Policy {
        self.slot.terms().policies.get(usize::from(rank)).copied().unwrap_or(Policy::None)
    }

    fn touched(&self, driver: u16, word: u8) -> u32 {
        self.slot.touched(driver, word)
    }

    fn loss(&self, row: u8) -> Option<Loss> {
        self.slot.terms().losses.get(usize::from(row)).copied()
    }
}
