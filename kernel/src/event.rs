//! The kernel's events, its answers, and its only door to the world.

use beryl_abi::crash::PIECE;
use beryl_abi::{Fault, Instant, Line, Moment, ProcessId, Record, ThreadId};

use crate::scheduling::renewal::Piece;
use crate::sizes::Sizes;
use crate::system::System;

/// A system call as the caller's registers hold it, not yet decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Call {
    /// Which call; see [`beryl_abi::CallNumber`].
    pub number: u32,
    /// Its arguments: r1, r2, r3 and r12 on Armv7-M.
    pub arguments: [u32; 4],
}

/// One event. All of them concern the running thread or the machine as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// The system starts; the clock shows [`Instant::START`]. Comes once, first.
    Start,
    /// The running thread made a system call.
    Call(Call),
    /// The alarm that [`Machine::arm`] set went off. Early alarms do no harm.
    Alarm,
    /// An interrupt line was raised.
    Interrupt(Line),
    /// The running thread did something that it may not do.
    Fault(Fault),
    /// The last step answered [`Switch::Again`].
    Continue,
}

/// The kernel's answer to the host: what to do after a step.
#[must_use = "a scheduling decision that is dropped leaves the wrong thread running"]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Switch {
    /// The same thread goes on.
    Stay,
    /// The host saves the running thread's registers in kernel memory, protects memory for this
    /// thread's process and stack, and lets it run.
    To(ThreadId),
    /// The instant isn't complete. The host takes what is pending (an interrupt, a fault), then
    /// calls again with [`Event::Continue`]. No user code runs in between. See [`Machine::is_pending`].
    Again,
}

/// The kernel's door to the world, which hosts implement. No operation can fail, since the builder checked
/// the tables that the arguments come from.
pub trait Machine<S: Sizes> {
    /// The constant tables of the system that runs here.
    fn system(&self) -> &'static System<S>;
    /// Kernel time. It never goes back. The kernel reads it only where it needs it.
    fn now(&mut self) -> Instant;
    /// The low word of kernel time. The host makes sure that an alarm comes at least every 2^31 ticks, so
    /// that two successive readings tell the time between them.
    #[inline(always)]
    fn moment(&mut self) -> Moment {
        self.now().moment()
    }
    /// Sets the one-shot alarm to the nearest instant with the low word `moment`, replacing the previous
    /// setting. It is at most 2^30 ticks ahead; if it has passed, the alarm goes off at once.
    fn arm(&mut self, moment: Moment);
    /// Copies memory of ports and messages, at most [`crate::State::CHUNK`] bytes at a time, in whole words.
    fn copy(&mut self, from: u32, to: u32, length: u32);
    /// As [`Machine::copy`], for the value of a driver, which is one word most of the time.
    #[inline(always)]
    fn copy_value(&mut self, from: u32, to: u32, length: u32) {
        self.copy(from, to, length);
    }
    /// As [`Machine::copy`], for one word.
    #[inline(always)]
    fn copy_word(&mut self, from: u32, to: u32) {
        self.copy(from, to, 4);
    }
    /// Reads a word that user code may be writing.
    fn load(&mut self, address: u32) -> u32;
    /// Writes a word that user code may be reading.
    fn store(&mut self, address: u32, value: u32);
    /// Puts the values that a system call returns into the registers of the thread that made it, behind the
    /// status: r1 and r2 on Armv7-M.
    fn result(&mut self, thread: ThreadId, values: [u32; 2]);
    /// Puts the status of a call there: why it was refused, or anything else to report. A call that simply
    /// succeeds leaves the register as the caller filled it, with the call's number.
    fn status(&mut self, thread: ThreadId, status: u32);
    /// As [`Machine::status`], for the running thread, whose registers a host may reach faster.
    #[inline(always)]
    fn tell(&mut self, caller: ThreadId, status: u32) {
        self.status(caller, status);
    }
    /// As [`Machine::result`], for a thread that sleeps and doesn't have the processor.
    #[inline(always)]
    fn deliver(&mut self, sleeper: ThreadId, values: [u32; 2]) {
        self.result(sleeper, values);
    }
    /// As [`Machine::result`], for the running thread.
    #[inline(always)]
    fn answer(&mut self, caller: ThreadId, values: [u32; 2]) {
        self.result(caller, values);
    }
    /// Makes a thread begin at its entry point with an empty stack when it runs next. If it is the running
    /// thread, its registers are given up: they aren't saved at the next switch, its pending system call or
    /// fault is forgotten, and the kernel's next decision is [`Switch::To`], even to the same thread.
    fn restart(&mut self, thread: ThreadId);
    /// Makes a thread that was just restarted begin at another address than its entry point: its process runs code from a
    /// room. A host that has no such code leaves the thread as it is.
    fn begin_at(&mut self, _thread: ThreadId, _entry: u32) {}
    /// Puts a piece of a process's own memory back to what it held at the start, at most
    /// [`crate::State::CHUNK`] bytes. Answers which piece is next; none if that was the last. Journals stay.
    fn put_back(&mut self, _process: ProcessId, _piece: Piece) -> Option<Piece> {
        None
    }
    /// The stack pointer of a thread that faulted and hasn't run since, as it was before the exception; 0 where a host
    /// has none.
    fn stack_pointer(&mut self, _thread: ThreadId) -> u32 {
        0
    }
    /// Writes down a piece of what is left of such a thread: 0 is its frame, 1 the other registers, from 2 on the words
    /// of its own stack from its stack pointer upwards: see [`beryl_abi::crash`]. Answers how many words are there; the
    /// others become 0, and all of them if it is no thread. A host that has none leaves all as they are, which is 0.
    fn write_down(&mut self, _thread: ThreadId, _piece: u8, _words: &mut [u32; PIECE]) -> u8 {
        0
    }
    /// Whether the host has something pending to take between two steps. While it has nothing, the next step
    /// follows at once, as if the host had called again. A host that wants control after every step always
    /// says yes.
    #[inline(always)]
    fn is_pending(&mut self) -> bool {
        true
    }
    /// How deep the processor sleeps when the idle thread next waits for an interrupt: 0 is the lightest sleep,
    /// which wakes at once; the others are the rows of the system's depths, from 1 on.
    fn sleep(&mut self, _depth: u8) {}
    /// Rings a doorbell of another core: see [`beryl_abi::doorbell`]. A host without other cores has none.
    fn ring(&mut self, _bell: u32) {}
    /// Masks an interrupt line.
    fn mask(&mut self, line: Line);
    /// Unmasks an interrupt line.
    fn unmask(&mut self, line: Line);
    /// Reports what happened. Called only while the state's trace switch is on.
    fn trace(&mut self, record: Record);
    /// Reports what happened at an earlier `moment`, as told by somebody who may be wrong: the record never
    /// counts as earlier than the last one.
    fn trace_late(&mut self, record: Record, _moment: Moment) {
        self.trace(record);
    }
}
