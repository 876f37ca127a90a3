//! Trace points: where the kernel tells what happens.
//!
//! A trace point is one line at the place where something happens. It makes no record unless somebody listens
//! to its class: the test is a load, a bit and a branch, and the rest stands out of line. By the ordinary way
//! nobody listens, so nothing is tested there (`ways`), except whether a job was late or took too long.
//! Whether somebody listens is a bit of what the ordinary way checks first
//! ([`Caller`](crate::scheduling::caller::Caller)).

use beryl_abi::words::StandsFor;
use beryl_abi::{Awaited, Classes, DriverId, Duration, Instant, Kind, Note, Record, SlotId, ThreadId};

use crate::event::{Event, Machine};
use crate::kernel::Kernel;
use crate::parts::Parts;
use crate::rows::drivers::Driver;
use crate::scheduling::thread::Wait;
use crate::sizes::Sizes;
use crate::state::State;
use crate::table::Table;
use crate::ways::Way;

// A note names a wait by its number.
impl StandsFor<Awaited> for Wait {
    #[inline(always)]
    fn its_word(self) -> u32 {
        self as u32
    }
}
const _: () = assert!(
    Wait::Period as u8 == Awaited::Period as u8 && Wait::EventGroup as u8 == Awaited::EventGroup as u8
);

impl<S: Sizes> State<S> {
    /// Switches records of decisions and jobs on or off.
    pub fn set_tracing(&mut self, tracing: bool) {
        self.record(if tracing { Classes::BASIC } else { Classes::NONE });
    }

    /// Sets the classes that the host is told from now on.
    pub fn record(&mut self, classes: Classes) {
        self.host = classes;
        self.listen();
    }

    /// Begins to record a period for a slot, or for none.
    pub(crate) fn record_for(&mut self, slot: SlotId) {
        self.recorded = slot;
        self.listen();
    }

    /// The wanted classes have changed: trace points test for all classes that anybody wants.
    pub(crate) fn listen(&mut self) {
        let recording = if self.recorded == SlotId::NONE { Classes::NONE } else { Classes::BASIC };
        self.tracing = self.host.with(self.buffer.classes).with(recording);
        self.processor.be_heard(self.tracing.is_any());
    }
}

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// A trace point for a record that isn't a note.
    #[inline(always)]
    pub(crate) fn trace(&mut self, record: Record) {
        if !self.state.tracing.has(record.class()) {
            return;
        }
        if S::HAS_BUFFER {
            let note = record.note();
            self.store_apart(note.header, note.words);
        }
        if !S::HAS_BUFFER || S::HAS_TAKEOVERS || self.state.host.is_any() {
            self.tell(&record);
        }
    }

    /// A trace point for a note.
    #[inline(always)]
    pub(crate) fn note(&mut self, note: Note) {
        if self.state.tracing.has(note.class()) {
            self.tell_note(note.header, note.words);
        }
    }

    /// A trace point in an operation that is written for both ways.
    #[inline(always)]
    pub(crate) fn note_on<W: Way>(&mut self, _way: W, note: Note) {
        if !W::IS_ORDINARY {
            self.note(note);
        }
    }

    /// As above, for a record that isn't a note.
    #[inline(always)]
    pub(crate) fn trace_on<W: Way>(&mut self, _way: W, record: Record) {
        if !W::IS_ORDINARY {
            self.trace(record);
        }
    }

    #[cold]
    #[inline(never)]
    fn store_apart(&mut self, header: u32, words: [u32; 2]) {
        self.store(Note { header, words });
    }

    /// Kept out of line, away from the paths that don't trace.
    #[cold]
    #[inline(never)]
    fn tell(&mut self, record: &Record) {
        if S::HAS_TAKEOVERS {
            self.take_note(record);
        }
        if self.state.host.has(record.class()) {
            self.machine.trace(*record);
        }
    }

    #[cold]
    #[inline(never)]
    fn tell_note(&mut self, header: u32, words: [u32; 2]) {
        let note = Note { header, words };
        if S::HAS_BUFFER {
            self.store(note);
        }
        if self.state.host.has(note.class()) {
            self.machine.trace(Record::Note(note));
        }
    }

    /// A driver has been carried out.
    #[inline(always)]
    pub(crate) fn trace_driver(&mut self, driver: DriverId, row: &Driver) {
        if self.state.tracing.has(Classes::DRIVERS) {
            self.tell_of_driver(driver, row);
        }
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn tell_of_driver(&mut self, driver: DriverId, row: &Driver) {
        let value = row.value();
        self.trace(Record::Driver { driver, instant: self.state.e_machine.instant, value });
        if S::HAS_BUFFER {
            self.store_value(Kind::Value, value);
        }
    }

    /// A thread goes to wait; its state says for what.
    #[inline(always)]
    pub(crate) fn trace_block(&mut self, thread: ThreadId) {
        if self.state.tracing.has(Classes::WAITS) {
            self.tell_of_wait(thread);
        }
    }

    /// A thread waits for something that `owner` owns.
    #[inline(always)]
    pub(crate) fn trace_lend<W: Way>(&mut self, _way: W, thread: ThreadId, owner: ThreadId) {
        if !W::IS_ORDINARY && self.state.tracing.has(Classes::LOCKS) {
            self.tell_of_lending(thread, owner);
        }
    }

    #[cold]
    #[inline(never)]
    fn tell_of_wait(&mut self, thread: ThreadId) {
        let state = self.state.threads.at(thread.index());
        let note = Note::block(thread, state.wait(), state.object());
        self.note(note);
    }

    #[cold]
    #[inline(never)]
    fn tell_of_lending(&mut self, thread: ThreadId, owner: ThreadId) {
        let state = self.state.threads.at(thread.index());
        let note = Note::lend(thread, state.wait(), state.object(), owner);
        self.note(note);
    }

    /// A job has used more than its declared worst.
    pub(crate) fn tell_of_spending(&mut self, thread: ThreadId, used: Duration) {
        self.note(Note::budget(thread, None, used));
    }

    /// A native driver has used up its budget, which ended at `until`.
    #[inline(always)]
    pub(crate) fn trace_exhaustion(&mut self, driver: DriverId, until: Instant, now: Instant) {
        if self.state.tracing.has(Classes::BUDGETS) {
            self.tell_of_exhaustion(driver, until, now);
        }
    }

    #[cold]
    #[inline(never)]
    fn tell_of_exhaustion(&mut self, driver: DriverId, until: Instant, now: Instant) {
        let budget = self.machine.system().drivers.at(driver.index()).budget();
        let used = budget.plus(now.since(until));
        self.note(Note::budget(self.state.running(), Some(driver), used));
    }

    /// The kernel is entered for an event.
    #[inline(always)]
    pub(crate) fn trace_entry(&mut self, event: &Event) {
        if S::HAS_JOURNALS && self.state.tracing.has(Classes::EVENTS) {
            self.read_journal(event);
        }
        if !S::FOLLOWED.is_empty() && self.state.tracing.has(Classes::STATES) {
            self.tell_followed(event);
        }
        if self.state.tracing.has(Classes::KERNEL) {
            self.tell_of_entry(event);
        }
    }

    #[cold]
    #[inline(never)]
    fn tell_of_entry(&mut self, event: &Event) {
        let why = match event {
            Event::Continue => return,
            Event::Start | Event::Alarm | Event::Interrupt(_) => 0,
            Event::Fault(_) => 1,
            Event::Call(call) => call.number.saturating_add(2),
        };
        self.note(Note::enter(self.state.running(), why));
    }
}
