//! System calls: decode, then perform.

use beryl_abi::{CallError, CallNumber};

use crate::event::{Call, Machine, Switch};
use crate::handle::Step;
use crate::sizes::{Sizes, Table};
use crate::system::ThreadKind;

impl<S: Sizes, M: Machine> Step<'_, S, M> {
    /// Carries out a system call of the running thread.
    #[inline(always)]
    pub fn call(&mut self, call: Call) -> Switch {
        match CallNumber::decode(call.number) {
            Some(CallNumber::Null) => self.answer([0, 0]),
            Some(CallNumber::Yield) => self.yield_processor(),
            Some(other) => self.rare_call(other, call.arguments),
            None => self.refuse(CallError::UnknownCall),
        }
    }

    #[inline(never)]
    fn rare_call(&mut self, number: CallNumber, [first, ..]: [u32; 3]) -> Switch {
        match number {
            CallNumber::Null | CallNumber::Yield => Switch::Stay,
            CallNumber::Complete => self.complete(),
            CallNumber::DriverDone => self.driver_done(first != 0),
            CallNumber::ExecutionTime => {
                let now = self.machine.now();
                self.charge(now);
                let ticks = self.state.threads.at(self.state.running.index()).clock.ticks();
                self.answer(words(ticks))
            }
            CallNumber::Time => {
                let ticks = self.machine.now().ticks();
                self.answer(words(ticks))
            }
            CallNumber::Stop if !matches!(self.caller_kind(), ThreadKind::Task | ThreadKind::Free) => {
                self.refuse(CallError::WrongCaller)
            }
            CallNumber::Stop => {
                self.stop_thread(self.state.running);
                let now = self.machine.now();
                self.decide(now)
            }
        }
    }

    #[inline(always)]
    fn yield_processor(&mut self) -> Switch {
        let running = self.state.running;
        self.state.bands.rotate(self.system, &self.state.threads, running);
        self.machine.result(running, [0, 0]);
        let now = self.machine.now();
        self.decide(now)
    }

    #[inline(always)]
    fn answer(&mut self, values: [u32; 2]) -> Switch {
        self.machine.result(self.state.running, values);
        Switch::Stay
    }

    pub fn refuse(&mut self, error: CallError) -> Switch {
        self.answer([error as u32, 0])
    }

    /// What the running thread is for.
    pub fn caller_kind(&self) -> ThreadKind {
        self.system.threads.at(self.state.running.index()).kind
    }
}

/// The low and the high word.
const fn words(value: u64) -> [u32; 2] {
    [value as u32, (value >> 32) as u32]
}
