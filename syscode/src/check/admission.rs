//! Admission: all that a slot asks of a program that arrives, in the order in which it is asked, one small step at a time.
//!
//! ```text
//!   Reading ----> Structure ----> Names ----> Weight ---+--> Time     carried out --------+
//!     sums,         the code,       tasks       what an  |                                +--> admitted
//!     names,        once            that its    instant  +--> Demand   by its certificate -+
//!     numbers                       threads     takes
//!                                   dispatch
//! ```
//! Targets and tools have the same text for it; what differs is where a slot's numbers come from ([`Slot`]).

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

/// What a slot asks of its programs, and what they have of the processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Terms<'a> {
    /// The checksum of the names that its programs must be made for: module, tasks, drivers, ports.
    pub interface: u32,
    /// The tasks and drivers that its programs may name, a bit each.
    pub rights: Rights<'a>,
    /// The interrupts for which a program may wait.
    pub lines: &'a [Line],
    /// How many of the image's ports, from the first on, a program may look at: their names are among those of its programs.
    pub ports: u16,
    /// How many triggers a program may have at one time.
    pub triggers: u8,
    /// How many threads of S code a program may have at one time: as many as the module's program has places for. Where that isn't
    /// zero, the system has two such places or more.
    pub threads: u8,
    /// A program has to carry a certificate: it isn't checked by carrying it out.
    pub certified_only: bool,
    /// All delays of its programs are numbers of this, in ticks: so nothing of a program comes more often.
    pub grain: u32,
    /// The image's tasks, by their numbers: the longest time that a job of each may take, what the kernel does for it included.
    pub times: &'a [Task],
    /// Who runs of the tasks of each rank.
    pub policies: &'a [Policy],
    /// What its instants take, and the most that one may: so much is counted among the losses.
    pub costs: Costs<'a>,
    /// What the module doesn't get of the processor: its supply is what is left.
    pub losses: &'a [Loss],
}

impl Terms<'_> {
    /// A slot for which there is no program.
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

/// A slot in its image. What no slot of an image has is a constant, so that a target leaves out what is about it.
pub trait Slot {
    /// Whether programs have threads.
    const HAS_THREADS: bool;
    /// Whether tasks are offered to programs.
    const HAS_OFFERS: bool;
    /// Whether all slots ask for certificates.
    const CERTIFIED_ONLY: bool;
    /// Whether programs may wait for anything but time.
    fn has_event_triggers(&self) -> bool;
    /// What it asks.
    fn terms(&self) -> &Terms<'_>;
    /// The tasks whose ports a driver touches: 32 of them, as [`Image::touched`] has them.
    fn touched(&self, driver: u16, word: u8) -> u32;
    /// Bits for a task that is offered to its programs.
    fn offered(&self, task: ThreadId) -> Option<u32>;
}

/// Places at which a thread of S code may stand.
pub const PLACES: u8 = 4;

/// How far the checks of a program have come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Admission {
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
}

/// What a step came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Step {
    /// There is more to do.
    Again,
    /// The same, and these are the tasks that the program takes over, as [`Slot::offered`] has them.
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
        // Reading has found its length inside of the bytes.
        let container = Container::reopen(bytes).ok_or(malformed)?;
        self.look(&Alone { container, slot }, memory)
    }

    /// A step of what is looked at once the container is read.
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

/// Sums up, and looks at names and numbers; answers whether all of the program is read.
fn read<S: Slot>(slot: &S, bytes: &[u8], reading: &mut Reading) -> Result<bool, Refused> {
    // One that says that it is longer than the room is cut off, and the reading says so.
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

/// Whether a slot's programs may wait for something: what threads wait for, completions, and the lines and ports that are theirs.
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

/// Whether a duration is a number of grains: only then nothing that was counted a grain comes more often.
fn is_number_of(duration: Duration, grain: u32) -> bool {
    u32::try_from(duration.ticks()).is_ok_and(|ticks| ticks.checked_rem(grain) == Some(0))
}

/// The tasks that a program's threads dispatch, and how far its code has been looked at for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Naming {
    address: u16,
    tasks: u32,
}

impl Naming {
    const BEGIN: Naming = Naming { address: 0, tasks: 0 };

    /// One instruction: a task that it dispatches must be one that is offered. All tasks at the end.
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

/// A program in a slot as the checks of time see it: alone, with its share of the processor.
#[derive(Clone, Copy, Debug)]
pub struct Alone<'a, S> {
    /// The program.
    pub container: Container<'a>,
    /// Its slot.
    pub slot: &'a S,
}

impl<S: Slot> Image for Alone<'_, S> {
    const HAS_THREADS: bool = S::HAS_THREADS;

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
