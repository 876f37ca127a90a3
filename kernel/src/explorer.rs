//! An explorer of small systems: tries every order of a few events, to some depth, and checks what must hold
//! in every state.

mod answers;
mod bandwidth;
mod budgets;
mod e_machine;
mod gates;
mod lacks;
mod limits;
mod objects;
mod pools;
mod sections;
mod sound;
mod watchdogs;

use std::boxed::Box;
use std::collections::{HashSet, VecDeque};
use std::hash::{Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::vec::Vec;

use beryl_abi::{CallNumber, Classes, Duration, Instant, Line, Moment, Record, ThreadId};

use crate::event::{Event, Machine, Switch};
use crate::kernel::Kernel;
use crate::scheduling::thread::Wait;
use crate::sizes::Sizes;
use crate::state::State;
use crate::system::System;
use crate::table::Table;

/// A clock, an alarm, and a few words of memory.
#[derive(Clone, Debug)]
struct Clock<S: Sizes> {
    system: &'static System<S>,
    now: Instant,
    alarm: Instant,
    words: [u32; WORDS],
    /// Whether the system's only interrupt line, if it has one, may come.
    unmasked: bool,
}

/// The first word's address.
const MEMORY: u32 = 0x100;
const WORDS: usize = 16;

impl<S: Sizes> Clock<S> {
    fn place(address: u32) -> usize {
        let place = (address.checked_sub(MEMORY).expect("memory before the first word") / 4) as usize;
        assert!(place < WORDS && address.is_multiple_of(4), "memory that there isn't: {address:#x}");
        place
    }
}

/// The system is always the same.
impl<S: Sizes> PartialEq for Clock<S> {
    fn eq(&self, other: &Clock<S>) -> bool {
        (self.now, self.alarm, self.words, self.unmasked)
            == (other.now, other.alarm, other.words, other.unmasked)
    }
}

impl<S: Sizes> Eq for Clock<S> {}

impl<S: Sizes> Hash for Clock<S> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        (self.now, self.alarm, self.words, self.unmasked).hash(hasher);
    }
}

impl<S: Sizes> Machine<S> for Clock<S> {
    fn system(&self) -> &'static System<S> {
        self.system
    }
    fn now(&mut self) -> Instant {
        self.now
    }
    fn arm(&mut self, moment: Moment) {
        self.alarm = self.now.nearest(moment);
    }
    fn copy(&mut self, _from: u32, _to: u32, length: u32) {
        assert!(length <= State::<S>::CHUNK);
    }
    fn load(&mut self, address: u32) -> u32 {
        self.words[Clock::<S>::place(address)]
    }
    fn store(&mut self, address: u32, value: u32) {
        self.words[Clock::<S>::place(address)] = value;
    }
    fn result(&mut self, thread: ThreadId, _values: [u32; 2]) {
        assert!(thread.index() < S::Threads::LENGTH);
    }
    fn status(&mut self, thread: ThreadId, _status: u32) {
        assert!(thread.index() < S::Threads::LENGTH);
    }
    fn restart(&mut self, thread: ThreadId) {
        assert!(thread.index() < S::Threads::LENGTH);
    }
    fn mask(&mut self, _line: Line) {
        self.unmasked = false;
    }
    fn unmask(&mut self, _line: Line) {
        self.unmasked = true;
    }
    fn trace(&mut self, _record: Record) {}
}

/// A place in the exploration.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Place<S: Sizes> {
    kernel: Kernel<S, Clock<S>>,
    /// The kernel's last answer was `Again`.
    again: bool,
}

/// An event, and the ticks that pass before it.
type Happening = (u64, Event);

/// What may happen in a system, and what must hold.
struct Scene<'a, S: Sizes> {
    /// What may happen next.
    events: &'a dyn Fn(&Place<S>) -> Vec<Happening>,
    /// What must hold after every step, in addition to what always must.
    check: &'a dyn Fn(&Place<S>),
    /// The most steps that one event may ask for.
    bound: &'a dyn Fn(&Place<S>) -> usize,
}

fn follow<S: Sizes>(place: &Place<S>, (passed, event): Happening) -> Place<S> {
    let mut next = place.clone();
    next.kernel.machine.now = next.kernel.machine.now.after(Duration::from_ticks(passed));
    if event == Event::Alarm {
        next.kernel.machine.alarm = Instant::NEVER;
    }
    let answer = next.kernel.handle(event);
    next.again = answer == Switch::Again;
    let state = &next.kernel.state;
    match answer {
        Switch::To(thread) => assert_eq!(thread, state.running()),
        Switch::Stay => {
            assert!(!state.processor.is_displaced(), "the running thread goes on without registers")
        }
        Switch::Again => {}
    }
    // clocks stay small here, so moments compare as instants do
    let now = next.kernel.machine.now;
    assert!(now.moment().since(state.since) <= now.since(Instant::START));
    assert!(place.kernel.state.instant() <= state.instant(), "logical time goes back");
    assert_let_come(place, event, &next);
    assert_heard_alike(place, event, answer, &next);
    next
}

/// An event has the same effect whether or not anybody listens.
fn assert_heard_alike<S: Sizes>(before: &Place<S>, event: Event, answer: Switch, after: &Place<S>) {
    let mut heard = before.clone();
    heard.kernel.state.record(Classes::ALL);
    heard.kernel.machine.now = after.kernel.machine.now;
    if event == Event::Alarm {
        heard.kernel.machine.alarm = Instant::NEVER;
    }
    assert_eq!(heard.kernel.handle(event), answer, "the answer where somebody listens");
    assert_eq!(
        heard.kernel.machine, after.kernel.machine,
        "what was asked of the machine where somebody listens"
    );
    let [heard, silent] = [&heard, after].map(|place| {
        let machine = &place.kernel.machine;
        place.kernel.state.canonical(machine.system, machine.now)
    });
    assert_eq!(heard, silent, "the state where somebody listens");
}

/// A wait unmasks an interrupt only for a thread that goes to sleep. A thread that goes on may still have its
/// device to serve, and would see its level twice.
fn assert_let_come<S: Sizes>(before: &Place<S>, event: Event, after: &Place<S>) {
    let is_wait = matches!(event, Event::Call(call) if call.number == CallNumber::NotificationWait as u32);
    if is_wait && !before.kernel.machine.unmasked && after.kernel.machine.unmasked {
        let waiter = after.kernel.state.threads.at(before.kernel.state.running().index());
        assert_eq!(waiter.wait(), Wait::Notification, "what doesn't sleep lets an interrupt come");
    }
}

/// Without disturbance every event ends in a bounded number of steps.
fn assert_ends<S: Sizes>(place: &Place<S>, bound: usize) {
    let mut place = place.clone();
    for _ in 0..bound {
        if !place.again {
            return;
        }
        place = follow(&place, (0, Event::Continue));
    }
    panic!("more than {bound} steps: {place:?}");
}

/// Visits every place that is at most `depth` events from the start; returns how many there are.
fn explore<S: Sizes>(system: System<S>, depth: usize, scene: &Scene<S>) -> usize {
    let machine = Clock {
        system: Box::leak(Box::new(system)),
        now: Instant::START,
        alarm: Instant::NEVER,
        words: [0; WORDS],
        unmasked: false,
    };
    let start = follow(&Place { kernel: Kernel::new(machine), again: false }, (0, Event::Start));
    let mut known = HashSet::from([start.clone()]);
    let mut trail = Trail { steps: Vec::new() };
    let mut queue = VecDeque::from([(start, 0, None)]);
    while let Some((place, reached, before)) = queue.pop_front() {
        for event in (scene.events)(&place) {
            let goes_on = event.1 == Event::Continue;
            if reached == depth && !goes_on {
                continue;
            }
            let here = trail.add(before, place.kernel.state.running(), event);
            let next = trail.told(here, || follow(&place, event));
            if !known.insert(next.clone()) {
                continue;
            }
            trail.told(here, || {
                sound::check(&next);
                (scene.check)(&next);
                assert_ends(&next, (scene.bound)(&next));
            });
            // the further steps of an event cost no depth: they come before everything of the next depth
            if goes_on {
                queue.push_front((next, reached, here));
            } else {
                queue.push_back((next, reached + 1, here));
            }
        }
    }
    std::println!("{} places", known.len());
    known.len()
}

/// How each place was reached: from which step, with which thread running, by which event after how much
/// time.
struct Trail {
    steps: Vec<(Option<usize>, ThreadId, Happening)>,
}

impl Trail {
    fn add(&mut self, before: Option<usize>, who: ThreadId, event: Happening) -> Option<usize> {
        self.steps.push((before, who, event));
        Some(self.steps.len() - 1)
    }

    /// Runs a check; if it panics, prints the way here first.
    fn told<T>(&self, here: Option<usize>, what: impl FnOnce() -> T) -> T {
        catch_unwind(AssertUnwindSafe(what)).unwrap_or_else(|panic| {
            let way = std::iter::successors(here, |step| self.steps[*step].0);
            let mut way: Vec<_> = way.map(|step| &self.steps[step]).collect();
            way.reverse();
            for (_, who, (passed, event)) in way {
                std::eprintln!("{passed} ticks later, {who:?}: {event:?}");
            }
            resume_unwind(panic)
        })
    }
}
