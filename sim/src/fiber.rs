//! Fibers: application code that runs natively until it asks for something or faults.
//!
//! A fiber is left in one of two ways. Application code suspends it with a request, or a signal handler makes
//! it return because of a trap. In both cases [`Fiber::resume`] returns how the segment ended; after a trap
//! the fiber can only be restarted.

mod arena;
mod borders;
mod host;
#[cfg_attr(target_arch = "x86_64", path = "fiber/registers_x86_64.rs")]
#[cfg_attr(target_arch = "aarch64", path = "fiber/registers_aarch64.rs")]
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod registers;
mod running;
#[cfg_attr(
    all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")),
    path = "fiber/traps_linux.rs"
)]
#[cfg_attr(
    not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))),
    path = "fiber/traps_none.rs"
)]
mod traps;

use std::io;
use std::ops::Range as Bytes;
use std::ptr;
use std::rc::Rc;

use beryl_abi::environment::Channel;
use beryl_abi::{CallNumber, Duration, Fault, FaultKind, Moment};
use beryl_user::platform::with_host;
use corosensei::stack::DefaultStack;
use corosensei::{Coroutine, CoroutineResult};

use crate::hostile::Act;
use crate::place;

pub(crate) use arena::Arena;
pub(crate) use borders::Borders;
pub(crate) use running::Own;
pub(crate) use traps::Traps;

/// Whether application code has control.
pub(crate) fn is_in_application() -> bool {
    running::in_application().is_some()
}

use host::{FiberHost, Link};
use running::Running;

/// Where a thread's code begins.
pub(crate) type Entry = extern "C" fn() -> !;

/// How a segment ended.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) enum End {
    /// With a system call.
    Call { number: CallNumber, arguments: [u32; 4] },
    /// Before an access to memory that threads share.
    Point,
    /// Behind all that a job computes: the rest of its time passes.
    Rest,
    /// With virtual time to spend.
    Spend(Duration),
    /// With a request for a sensor's value, and the previous value.
    Read { channel: Channel, value: Vec<u8> },
    /// With a value for an actuator.
    Write { channel: Channel, value: Vec<u8> },
    /// With text for the console.
    Print(String),
    /// With a byte for the console device.
    Transmit(u8),
    /// With a request for the byte that the console device has received.
    Receive,
    /// With what a hostile thread does between its code's own operations.
    Misdeed(Act),
    /// With a fault. The code can't go on.
    Fault(Fault),
}

/// A segment doesn't end: it used too much of this machine's processor time. It can't go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Endless;

/// Why a signal handler made a fiber return.
#[derive(Clone, Copy, Debug)]
enum Trap {
    /// A fault of this kind, at an address of this machine, by an instruction of its program.
    Fault(FaultKind, usize, usize),
    /// It was found at this instruction.
    Endless(usize),
}

type Code = Coroutine<Answer, End, Trap, DefaultStack>;

/// What a suspended fiber gets when it goes on.
#[derive(Debug, Hash)]
pub(crate) enum Answer {
    /// Nothing but the processor.
    Nothing,
    /// The registers r0, r1 and r2 after a system call.
    Values([u32; 3]),
    /// A sensor's value, or the byte that the console has received.
    Bytes(Vec<u8>),
}

/// The least stack of a fiber: unoptimised code for this machine needs far more than the target's.
const LEAST_STACK: usize = 256 * 1024;

/// A thread's code and its progress.
pub(crate) struct Fiber {
    entry: Entry,
    own: Own,
    /// The stack that it runs on.
    stack: Bytes<usize>,
    borders: Rc<Borders>,
    /// Present except while [`Fiber::restart`] moves the stack from the old coroutine to the new.
    coroutine: Option<Code>,
    /// How the code suspends itself; set by the code when it begins.
    link: *const Link,
}

impl Fiber {
    /// A fiber that begins at `entry` when it is first resumed.
    pub(crate) fn new(entry: Entry, stack: usize, own: Own, borders: &Rc<Borders>) -> io::Result<Fiber> {
        let native = DefaultStack::new(stack.max(LEAST_STACK))?;
        let (stack, borders) = (borders.add(&native, own.stack), Rc::clone(borders));
        let coroutine = Some(coroutine(entry, native));
        Ok(Fiber { entry, own, stack, borders, coroutine, link: ptr::null() })
    }

    /// Runs the code to the end of its next segment, at `moment`, while traps are caught.
    pub(crate) fn resume(
        &mut self,
        answer: Answer,
        memory: &Arena,
        _traps: &Traps,
        moment: Moment,
    ) -> Result<End, Endless> {
        let Some(coroutine) = &mut self.coroutine else { unreachable!("a fiber has a coroutine") };
        self.borders.open_only(&self.stack);
        let running = Running::new(coroutine.trap_handler(), self.link, memory, &self.own, moment);
        let (result, link) = running.during(|| with_host(&FiberHost, || coroutine.resume(answer)));
        self.link = link;
        match result {
            CoroutineResult::Yield(end) => Ok(end),
            CoroutineResult::Return(Trap::Fault(kind, address, instruction)) => {
                place::come_to(traps::place(instruction));
                Ok(End::Fault(self.fault(kind, address)))
            }
            CoroutineResult::Return(Trap::Endless(instruction)) => {
                place::come_to(traps::place(instruction));
                Err(Endless)
            }
        }
    }

    /// The trapped fault, with addresses as the target tells them. For another thread's stack it is the
    /// beginning of that stack, since its bytes have no address on the target. Other addresses beyond 32 bits
    /// are this machine's, and differ from run to run.
    fn fault(&self, kind: FaultKind, address: usize) -> Fault {
        if let (FaultKind::Data, Some(stack)) = (kind, self.borders.owner(address)) {
            return Fault { kind: FaultKind::AnothersStack, address: stack.address, instruction: 0 };
        }
        Fault { kind, address: u32::try_from(address).unwrap_or(0), instruction: 0 }
    }

    /// Restarts at the entry, with an empty stack.
    pub(crate) fn restart(&mut self) {
        self.borders.open_only(&self.stack);
        if let Some(mut old) = self.coroutine.take() {
            discard(&mut old);
            self.coroutine = Some(coroutine(self.entry, old.into_stack()));
        }
    }
}

impl Drop for Fiber {
    fn drop(&mut self) {
        self.borders.remove(&self.stack);
        self.coroutine.as_mut().map(discard);
    }
}

fn coroutine(entry: Entry, stack: DefaultStack) -> Code {
    Coroutine::with_stack(stack, move |link, _nothing| {
        running::begin(link);
        entry()
    })
}

/// Drops the contents of a fiber's stack, as a restart does on the target.
fn discard(coroutine: &mut Code) {
    // SAFETY: The frames are dropped without their destructors, like those of a thread that the kernel stops
    // on the target. Ours (`host`) hold nothing with a destructor while suspended; those of the application
    // belong to foreign functions entered through `extern "C"`, which must not rely on destructors: nothing
    // outside the fiber points into its stack.
    unsafe { coroutine.force_reset() };
}
