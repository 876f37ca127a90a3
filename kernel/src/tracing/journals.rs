//! Journals: events that threads have written down by themselves are told when the kernel is entered.
//!
//! While anybody listens to events, every way into the kernel leads through here
//! ([`Caller`](crate::scheduling::caller::Caller)). Only one thread runs between two entries, so everything
//! new in its process's journal is its own. It is told before anything else happens: in its place in the
//! story, whatever the process claims about its author. Then the journal moves on by one lap: a thread that
//! was preempted while writing an event notices that, and writes it anew (`user/src/trace/protocol.rs`).
//!
//! A process can write anything into its journal. In any case only places of the journal are read, no more
//! than there are, and told as events of the thread that ran.

use beryl_abi::{Classes, Journal, Moment, Note, ProcessId, Record, ThreadId};

use crate::event::{Event, Machine};
use crate::kernel::Kernel;
use crate::parts::Parts;
use crate::sizes::Sizes;
use crate::table::Table;

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// Tells the events that the running thread has written since it last left the kernel.
    #[cold]
    #[inline(never)]
    pub(super) fn read_journal(&mut self, event: &Event) {
        match event {
            Event::Start => self.open_journals(),
            Event::Continue => {}
            _ => self.tell_what_is_new(),
        }
    }

    fn tell_what_is_new(&mut self) {
        let thread = self.state.running();
        let ProcessId(process) = self.machine.system().threads.at(thread.index()).process;
        let Journal { address, places } = self.machine.system().processes.at(process.into()).journal;
        if places == 0 {
            return;
        }
        let put = self.machine.load(address.wrapping_add(Journal::PUT));
        let end = self.machine.load(address.wrapping_add(Journal::END));
        let first = end.wrapping_sub(places);
        let count = put.wrapping_sub(first).min(places).min(S::JOURNAL);
        // bound: JOURNAL
        for number in 0..count {
            let place = Journal::place(address, first.wrapping_add(number), places.wrapping_sub(1));
            self.tell_event(thread, place);
        }
        let put = put.wrapping_add(places);
        self.machine.store(address.wrapping_add(Journal::PUT), put);
        self.machine.store(address.wrapping_add(Journal::END), put.wrapping_add(places));
    }

    /// Tells the event that stands at `place`.
    #[inline(always)]
    fn tell_event(&mut self, thread: ThreadId, place: u32) {
        let event = self.machine.load(place);
        let time = Moment::from_ticks(self.machine.load(place.wrapping_add(4)));
        let note = Note::event(thread, event as u16, self.machine.load(place.wrapping_add(8)));
        if S::HAS_BUFFER && self.state.buffer.classes.has(Classes::EVENTS) {
            let now = self.machine.moment();
            self.state.buffer.put_late(note, time, now);
        }
        if self.state.host.has(Classes::EVENTS) {
            self.machine.trace_late(Record::Note(note), time);
        }
    }

    /// Gives all journals room if anybody listens to events, or none if not. They move on by a whole lap: a
    /// thread that is just writing begins anew.
    #[cold]
    #[inline(never)]
    pub(super) fn open_journals(&mut self) {
        let is_heard = self.state.tracing.has(Classes::EVENTS);
        // bound: PROCESSES
        for process in 0..S::Processes::LENGTH {
            let Journal { address, places } = self.machine.system().processes.at(process).journal;
            if places == 0 {
                continue;
            }
            let put = self.machine.load(address.wrapping_add(Journal::PUT)).wrapping_add(places);
            let end = if is_heard { put.wrapping_add(places) } else { put };
            let words = [put, end, is_heard.into(), places.wrapping_sub(1)];
            let mut place = address;
            // bound: 4
            for word in words {
                self.machine.store(place, word);
                place = place.wrapping_add(4);
            }
        }
    }
}
