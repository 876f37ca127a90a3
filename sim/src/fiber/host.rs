//! The host of application code on a fiber: each request suspends the fiber.

use beryl_abi::environment::Channel;
use beryl_abi::{CallNumber, Duration, Fault, FaultKind, Range};
use beryl_user::platform::Host;
use corosensei::Yielder;

use super::running::{enter_application, leave_application, running};
use super::{Answer, End};

/// How a fiber suspends itself.
pub(super) type Link = Yielder<Answer, End>;

/// The host of the application code on whichever fiber is running.
pub(super) struct FiberHost;

impl Host for FiberHost {
    fn call(&self, number: CallNumber, arguments: [u32; 4]) -> [u32; 3] {
        match suspend(End::Call { number, arguments }) {
            Answer::Values(values) => values,
            Answer::Nothing | Answer::Bytes(_) => [0; 3],
        }
    }

    fn point(&self) {
        suspend(End::Point);
    }

    fn rest(&self) {
        suspend(End::Rest);
    }

    fn stack(&self) -> Range {
        running().map_or(Range::EMPTY, |running| running.stack)
    }

    fn memory(&self, address: u32) -> *mut u8 {
        // SAFETY: `Fiber::resume` borrows the memory for as long as the fiber is running.
        let native = running().and_then(|running| unsafe { (*running.memory).native(address) });
        native.unwrap_or_else(|| fault(Fault { kind: FaultKind::Data, address, instruction: 0 }))
    }

    fn journal(&self) -> Option<u32> {
        running().and_then(|running| running.journal)
    }

    fn section(&self) -> Option<u8> {
        running().and_then(|running| running.section)
    }

    fn moment(&self) -> u32 {
        running().map_or(0, |running| running.moment.ticks())
    }

    fn spend(&self, duration: Duration) {
        suspend(End::Spend(duration));
    }

    fn environment_read(&self, channel: Channel, value: &mut [u8]) {
        leave_application();
        if let Answer::Bytes(bytes) = suspend(End::Read { channel, value: value.to_vec() }) {
            value.iter_mut().zip(&bytes).for_each(|(to, from)| *to = *from);
        }
    }

    fn environment_write(&self, channel: Channel, value: &[u8]) {
        leave_application();
        suspend(End::Write { channel, value: value.to_vec() });
    }

    fn print(&self, text: &str) {
        leave_application();
        suspend(End::Print(text.to_owned()));
    }

    fn transmit(&self, byte: u8) {
        suspend(End::Transmit(byte));
    }

    fn receive(&self) -> Option<u8> {
        match suspend(End::Receive) {
            Answer::Bytes(bytes) => bytes.first().copied(),
            Answer::Nothing | Answer::Values(_) => None,
        }
    }

    fn panicked(&self) -> ! {
        fault(Fault { kind: FaultKind::Panic, address: 0, instruction: 0 })
    }
}

/// Ends the fiber's life with a fault.
fn fault(fault: Fault) -> ! {
    suspend(End::Fault(fault));
    unreachable!("a fiber goes on after a fault")
}

/// Hands `end` to the code that resumed the running fiber and waits for its answer.
fn suspend(end: End) -> Answer {
    leave_application();
    let link = running().map_or(std::ptr::null(), |running| running.link);
    // SAFETY: The link is null or was set by the running fiber when it began, and lives on that
    // fiber's stack until the fiber ends. This code runs on that fiber: the simulator is a host
    // only inside `Fiber::resume`.
    let link = unsafe { link.as_ref() }.expect("this code runs on a fiber of the simulator");
    let answer = link.suspend(end);
    enter_application();
    answer
}
