//! A host for kernels in tests: a clock, an alarm, and what a test puts around them.

use std::fmt::Display;

use beryl_abi::{Instant, Line, Moment, Record, ThreadId};
use beryl_kernel::{Event, Kernel, Machine, Sizes, Switch, System};

/// What is around a kernel. Whatever a test doesn't look at does nothing, or is zero.
pub trait Around {
    fn copy(&mut self, _now: Instant, _from: u32, _to: u32) {}
    fn load(&mut self, _address: u32) -> u32 {
        0
    }
    fn store(&mut self, _address: u32, _value: u32) {}
    fn result(&mut self, _values: [u32; 2]) {}
    fn status(&mut self, _status: u32) {}
    fn is_pending(&mut self) -> bool {
        true
    }
    fn trace(&mut self, now: Instant, record: Record);
}

/// The host of a kernel; `around` is the test's own.
#[derive(Clone)]
pub struct Host<S: Sizes, A> {
    pub system: &'static System<S>,
    pub now: Instant,
    pub alarm: Instant,
    pub around: A,
}

impl<S: Sizes, A> Host<S, A> {
    /// Before the start, with no alarm.
    pub fn new(system: &'static System<S>, around: A) -> Host<S, A> {
        Host { system, now: Instant::START, alarm: Instant::NEVER, around }
    }
}

impl<S: Sizes, A: Around> Machine<S> for Host<S, A> {
    fn system(&self) -> &'static System<S> {
        self.system
    }
    fn now(&mut self) -> Instant {
        self.now
    }
    fn arm(&mut self, moment: Moment) {
        self.alarm = self.now.nearest(moment);
    }
    fn copy(&mut self, from: u32, to: u32, _length: u32) {
        self.around.copy(self.now, from, to);
    }
    fn load(&mut self, address: u32) -> u32 {
        self.around.load(address)
    }
    fn store(&mut self, address: u32, value: u32) {
        self.around.store(address, value);
    }
    fn result(&mut self, _thread: ThreadId, values: [u32; 2]) {
        self.around.result(values);
    }
    fn status(&mut self, _thread: ThreadId, status: u32) {
        self.around.status(status);
    }
    fn restart(&mut self, _thread: ThreadId) {}
    fn is_pending(&mut self) -> bool {
        self.around.is_pending()
    }
    fn mask(&mut self, _line: Line) {}
    fn unmask(&mut self, _line: Line) {}
    fn trace(&mut self, record: Record) {
        self.around.trace(self.now, record);
    }
}

/// Lets a kernel do all steps of an event, of which there may be so many; `at` says where a failing test is.
#[track_caller]
pub fn raise<S: Sizes, A: Around>(
    kernel: &mut Kernel<S, Host<S, A>>,
    event: Event,
    most: usize,
    at: &dyn Display,
) {
    let mut event = event;
    for _ in 0..most {
        if kernel.handle(event) != Switch::Again {
            return;
        }
        event = Event::Continue;
    }
    panic!("{at}: the instant {:?} never ends", kernel.machine.now);
}
