//! Time safety and time sharing, for all execution times up to the bounds at once.
//!
//! E code says at which instants tasks are released and ports are touched; between two such instants, S code
//! runs tasks in an order that doesn't depend on the clock. So the check goes from instant to instant. For
//! each place at which a thread may stand, it keeps the most that may be left of each job. If a job ends
//! earlier, its thread just goes on sooner: where both outcomes of a timeout are possible, both are followed,
//! and of two ways to one place the worse one stands for both, if one is worse. A guard may give either
//! answer: both ways are followed until they meet. Between two instants, losses go first, then the ranks in
//! order: in each rank the tasks that threads hold, then the policy's. The check ends when it comes to a
//! state that it has kept: from there on everything repeats.
//!
//! ```text
//!   Scan --> Begin        due                 nothing due        as before
//!              |      +----------> Code ---+       +---> Sweep ----------> accepted, or another way of a guard
//!              v      |                    |       |        | no
//!            React <--+--------------------+-------+        v
//!              ^                                   Expire, Settle --> Next, Lost --> Wake --> Rank, Walk --+
//!              +--------------------------- Arrive <--------------------------------------------------------+
//! ```
//!
//! **Exact class.** Programs whose triggers are on time only; whose tasks are all the policies' or all
//! dispatched, each by one thread at a time; and whose threads fork and ask guards only after a timeout. If
//! jobs may take anything from nothing to their bound, guards may give any answer, all that may be lost is
//! lost, and there is enough memory, such programs are refused only if some execution times break them.
//! Programs with other triggers, or with moments that depend on execution times, are refused with the reason
//! ([`Fault::Unknown`]). If threads dispatch only some of the tasks, or wait for events (which may come at any
//! time or never), programs may be refused without need.
//!
//! **Memory** is the caller's, in words: [`Time::words`]. A state of n tasks, t triggers and p places at
//! which threads may stand has `4 + n/32 + 2t + 3n + p (3 + n + n/32)` words, one more for each program if any
//! has rounds, and one more for each place if there are conditions on events; two states are kept, and two to
//! four more if there are guards. Programs without threads need no places. **Steps** are short, whatever the
//! number of tasks: one instruction, with one pass over the places and a copy of one; or 8 tasks, or 8 words.
//!
//! Each program must have passed the check of [structure](super::structure).

mod fault;
mod image;
mod pass;
mod paths;
mod reaction;
mod repeat;
mod scan;
mod settle;
mod state;
mod sweep;
mod wake;

pub use fault::{Breach, Fault, Unknown};
pub use image::{Image, Loss, Parts, Policy, Task};

use crate::condition::Condition;

use pass::Walk;
use paths::Ways;
use state::{NOBODY, Shape, State};
use sweep::Sweep;

/// The number of instants after which targets and tools give up: several hyperperiods of sensible programs.
pub const PATIENCE: u32 = 4096;

/// The proof about accepted programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Proof {
    /// How many instants were checked before everything repeated itself.
    pub instants: u32,
    /// How many steps it took.
    pub steps: u32,
}

/// The result of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// There is more to do.
    Again,
    /// The programs are accepted.
    Accepted(Proof),
    /// They are refused.
    Refused(Breach),
}

/// What is done next. If it concerns an instruction, that is the check's current one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Stage {
    /// Before the start: nothing is known yet.
    Clear(u16),
    /// Reading the code of each program once.
    Scan,
    /// Finds the longest time that threads wait for.
    Longest(u8),
    /// Entries of completions: code up to where all its ways have ended.
    Completion {
        index: u8,
        furthest: u16,
    },
    /// The first trigger of each program.
    Begin(u8),
    /// At an instant: triggers that are due.
    React,
    /// E code at an address.
    Code(u16),
    /// Drivers from one up to another.
    Touch {
        driver: u16,
        end: u16,
    },
    /// Releases from one task up to another.
    Release {
        task: u8,
        end: u8,
        deadline: u8,
    },
    /// A thread has begun: notes what may be left of a task.
    Birth {
        place: u8,
        task: u8,
    },
    /// Compares a new place with the others.
    Merge {
        other: u8,
    },
    Compare {
        other: u8,
        task: u8,
        relation: u8,
    },
    Unite {
        other: u8,
        task: u8,
    },
    /// Threads that have ended free their places.
    Free {
        place: u8,
        task: u8,
    },
    Disown {
        thread: u8,
        place: u8,
        task: u8,
    },
    /// Two states, a few words each step.
    Sweep(Sweep),
    /// Whether the losses stand as they stood then.
    Phases(u8),
    /// Timeouts that have come.
    Expire(u8),
    /// Threads, an instruction at a time.
    Settle,
    /// Places at which threads hold tasks.
    Sharing(u8),
    /// The next instant: conditions on the clock.
    Next {
        place: u8,
        number: u8,
    },
    /// The losses up to the next instant.
    Lost(u8),
    /// Threads that idle until an event may be woken: for a place.
    Wake(u8),
    /// A rank: threads that hold its tasks, then its policy.
    Rank,
    Policy {
        task: u8,
        best: u8,
    },
    /// A thread is followed to the next instant.
    Walk,
    /// The next instant has come: for a place.
    Arrive(u8),
    /// The next instant has come: for tasks and triggers.
    ArriveJobs(u8),
    ArriveTriggers,
    /// All ways of a guard have come to the end of the activation: checks whether any is known.
    Choose,
    /// Searches the known ways for the next way that has ended, from a slot on.
    Seek(u8),
    /// Everything repeats.
    Accepted,
}

/// How far the check has come: kept between steps, in addition to the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Time {
    shape: Shape,
    stage: Stage,
    /// What follows a stage that several others lead to.
    after: Stage,
    /// The current instruction, which any fault is reported for.
    program: u8,
    address: u16,
    /// Instructions since the last instant: limits the check of any program, however strange.
    at_once: u32,
    /// Instructions of all programs.
    length: u32,
    /// The longest time that a thread waits for.
    longest: u32,
    /// How many instants ago the current way began, and whether there is a state to compare with.
    age: u32,
    is_kept: bool,
    /// The time from now to the next instant; the part of it taken by what goes first; and that part
    /// including the current rank.
    next: u32,
    base: u32,
    busy: u32,
    rank: u8,
    /// The thread that may hold a task of the rank until the next instant, if threads wait for events.
    holder: u8,
    walk: Option<Walk>,
    ways: Ways,
    patience: u32,
    proof: Proof,
}

impl Time {
    /// A check that hasn't begun. Threads may stand at `places` places, at most 32: four for each thread
    /// nearly always suffice. It gives up after `patience` instants.
    #[must_use]
    pub fn new(image: &impl Image, places: u8, patience: u32) -> Time {
        let programs = 0..image.programs();
        let triggers = programs.clone().map(|program| u16::from(image.trigger_places(program).max(1))).sum();
        let has_threads = programs.clone().any(|program| image.thread_places(program) > 0);
        let places = if has_threads { places.min(32) } else { 0 };
        let rounds =
            if programs.clone().any(|program| has_rounds(image, program)) { image.programs() } else { 0 };
        let has_events = places > 0 && has_event_timeouts(image);
        Time {
            shape: Shape::new(image.tasks(), triggers, rounds, places, has_events),
            stage: Stage::Clear(0),
            after: Stage::React,
            program: 0,
            address: 0,
            at_once: 0,
            length: 0,
            longest: 0,
            age: 0,
            is_kept: false,
            next: 0,
            base: 0,
            busy: 0,
            rank: 0,
            holder: NOBODY,
            walk: None,
            ways: Ways::NONE,
            patience,
            proof: Proof { instants: 0, steps: 0 },
        }
    }

    /// How many words of memory it needs: two states, and `ways` more for programs with guards (four for
    /// plain ones, more where a guard's ways lead to different modes).
    #[must_use]
    pub fn words(&self, ways: usize) -> usize {
        self.shape.words() * (2 + ways)
    }

    /// One step. Image and memory are those of the steps before; the initial content of the memory doesn't
    /// matter.
    pub fn step(&mut self, image: &impl Image, memory: &mut [u32]) -> Outcome {
        self.proof.steps = self.proof.steps.saturating_add(1);
        if memory.len() < self.shape.words() {
            return Outcome::Refused(Breach { program: 0, address: 0, at: 0, fault: Fault::Memory });
        }
        let mut turn = Turn { state: State::new(self.shape, memory), check: self, image };
        match turn.perform() {
            Ok(()) if self.stage == Stage::Accepted => Outcome::Accepted(self.proof),
            Ok(()) => Outcome::Again,
            Err(fault) => {
                let at = State::new(self.shape, memory).now();
                Outcome::Refused(Breach { program: self.program, address: self.address, at, fault })
            }
        }
    }

    /// Checks to the end.
    ///
    /// # Errors
    /// Where and when the programs may first go wrong.
    pub fn run(mut self, image: &impl Image, memory: &mut [u32]) -> Result<Proof, Breach> {
        // bound: patience, times the code
        loop {
            match self.step(image, memory) {
                Outcome::Again => {}
                Outcome::Accepted(proof) => return Ok(proof),
                Outcome::Refused(breach) => return Err(breach),
            }
        }
    }
}

/// Whether a program has rounds.
fn has_rounds(image: &impl Image, program: u8) -> bool {
    // bound: 255, the conditions that a container counts
    let mut conditions = (0..=u8::MAX).map_while(|number| image.condition(program, number));
    conditions.any(|condition| matches!(condition, Condition::Round { .. }))
}

/// Whether threads may wait for events.
fn has_event_timeouts<I: Image>(image: &I) -> bool {
    // bound: 255, the conditions that a container counts
    let has = |program| {
        let mut conditions = (0..=u8::MAX).map_while(|number| image.condition(program, number));
        conditions.any(Condition::is_event)
    };
    I::HAS_EVENT_TIMEOUTS && (0..image.programs()).any(has)
}

/// A step: the check with its arguments.
struct Turn<'x, 'm, I> {
    check: &'x mut Time,
    image: &'x I,
    /// All states; the first is the live one.
    state: State<'m>,
}

/// The result of a step: the next stage is noted, or something is wrong with the current instruction.
type Go = Result<(), Fault>;

impl<I: Image> Turn<'_, '_, I> {
    fn perform(&mut self) -> Go {
        match self.check.stage {
            Stage::Clear(word) => self.clear(word),
            Stage::Scan => self.scan(),
            Stage::Longest(number) => self.longest(number),
            Stage::Completion { index, furthest } => self.completion(index, furthest),
            Stage::Begin(program) => self.begin(program),
            Stage::React => self.react(),
            Stage::Code(address) => self.code(address),
            Stage::Touch { driver, end } => self.touch(driver, end),
            Stage::Release { task, end, deadline } => self.release(task, end, deadline),
            Stage::Birth { place, task } if I::HAS_THREADS => self.birth(place, task),
            Stage::Merge { other } if I::HAS_THREADS => self.merge(other),
            Stage::Compare { other, task, relation } if I::HAS_THREADS => self.compare(other, task, relation),
            Stage::Unite { other, task } if I::HAS_THREADS => self.unite(other, task),
            Stage::Free { place, task } if I::HAS_THREADS => self.free(place, task),
            Stage::Disown { thread, place, task } if I::HAS_THREADS => self.disown(thread, place, task),
            Stage::Sweep(sweep) => self.sweep(sweep),
            Stage::Phases(row) => self.phases(row),
            Stage::Expire(place) if I::HAS_THREADS => self.expire(place),
            Stage::Settle if I::HAS_THREADS => self.settle(),
            Stage::Sharing(place) if I::HAS_THREADS => self.sharing(place),
            Stage::Next { place, number } => self.next(place, number),
            Stage::Lost(row) => self.lost(row),
            Stage::Wake(place) if I::HAS_EVENT_TIMEOUTS => self.wake(place),
            Stage::Rank => self.rank(),
            Stage::Policy { task, best } => self.policy(task, best),
            Stage::Walk if I::HAS_THREADS => self.walk(),
            Stage::Arrive(place) => self.arrive(place),
            Stage::ArriveJobs(task) => self.arrive_jobs(task),
            Stage::ArriveTriggers => self.arrive_triggers(),
            Stage::Choose => self.choose(),
            Stage::Seek(slot) => self.seek(slot),
            // No place is taken, so there is nothing to do.
            Stage::Expire(_) | Stage::Settle | Stage::Sharing(_) => self.begin_next(),
            _ => self.on(),
        }
    }

    /// Goes on to a stage.
    fn to(&mut self, stage: Stage) -> Go {
        self.check.stage = stage;
        Ok(())
    }

    /// Goes on to what follows a stage that several others lead to.
    fn on(&mut self) -> Go {
        self.to(self.check.after)
    }

    /// Goes on to a stage, and then to another.
    fn first(&mut self, stage: Stage, after: Stage) -> Go {
        self.check.after = after;
        self.to(stage)
    }

    /// Makes an instruction the current one.
    fn stand_at(&mut self, program: u8, address: u16) {
        (self.check.program, self.check.address) = (program, address);
    }

    /// Reports a fault of an instruction other than the current one.
    fn breach<T>(&mut self, program: u8, address: u16, fault: Fault) -> Result<T, Fault> {
        self.stand_at(program, address);
        Err(fault)
    }

    /// The number of places at which threads may stand: none if no program has threads.
    fn places(&self) -> u8 {
        if I::HAS_THREADS { self.check.shape.places } else { 0 }
    }

    /// The first place from a number on at which a thread may stand.
    fn used_from(&self, place: u8) -> Option<u8> {
        if I::HAS_THREADS { self.state.used_from(place) } else { None }
    }

    /// How much may be left of a task's job, wherever its thread stands.
    fn most_left(&self, task: u8) -> u32 {
        if I::HAS_THREADS { self.state.most_left(task) } else { self.state.job_left(task) }
    }

    /// Counts another instruction at this instant, and makes it the current one.
    fn count(&mut self, program: u8, address: u16) -> Go {
        self.stand_at(program, address);
        self.check.at_once = self.check.at_once.saturating_add(1);
        let size = self.check.length + u32::from(self.check.shape.tasks) + u32::from(self.check.shape.places);
        if self.check.at_once > 64 * size { Err(Fault::Long) } else { Ok(()) }
    }
}
