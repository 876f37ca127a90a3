//! System calls: decode, then perform.

use beryl_abi::{CallError, CallNumber};

use crate::event::{Call, Machine, Switch};
use crate::faults::Stopping;
use crate::handle::{Next, Step};
use crate::sizes::{Sizes, Table};
use crate::system::ThreadKind;

impl<S: Sizes, M: Machine> Step<'_, S, M> {
    /// Carries out a system call of the running thread.
    #[inline(always)]
    pub fn call(&mut self, Call { number, arguments: [first, ..] }: Call) -> Switch {
        const NULL: u32 = CallNumber::Null as u32;
        const YIELD: u32 = CallNumber::Yield as u32;
        match number {
            NULL => {
                self.machine.answer(self.state.running, [0, 0]);
                Switch::Stay
            }
            YIELD => self.yield_processor(),
            _ => self.apart().long_call(number, first),
        }
    }

    /// Carries out any other call, or refuses it. `first` is its first argument.
    #[inline(never)]
    fn long_call(&mut self, number: u32, first: u32) -> Switch {
        let next = match CallNumber::decode(number) {
            Some(number) => self.known_call(number, first),
            None => self.refuse(CallError::UnknownCall),
        };
        self.conclude(next)
    }

    fn known_call(&mut self, number: CallNumber, first: u32) -> Next {
        match number {
            CallNumber::Null | CallNumber::Yield => Next::Stay,
            CallNumber::Complete => self.complete(),
            CallNumber::DriverDone => self.driver_done(first != 0),
            CallNumber::ExecutionTime => {
                self.charge_until_now();
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
                self.state.stopping = Some(Stopping::Thread(self.state.running));
                Next::Again
            }
        }
    }

    /// The caller is the most urgent thread, so the next of its priority is, once it comes first.
    #[inline(always)]
    fn yield_processor(&mut self) -> Switch {
        let running = self.state.running;
        let next = self.state.bands.rotate(self.system, &self.state.threads, running);
        self.machine.answer(running, [0, 0]);
        if next == running {
            return Switch::Stay;
        }
        let now = self.machine.moment();
        self.hand_over(next, now)
    }

    fn answer(&mut self, values: [u32; 2]) -> Next {
        self.machine.answer(self.state.running, values);
        Next::Stay
    }

    pub fn refuse(&mut self, error: CallError) -> Next {
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
