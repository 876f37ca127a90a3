#![no_std]
#![forbid(unsafe_code)]
//! Drivers as two papers have them, and as they should be.

use beryl_user::call::{self, keep_busy};
use beryl_user::endpoint::{Client, Server};
use beryl_user::interrupt::Interrupt;
use beryl_user::mailbox::{Receiver, Sender};
use beryl_user::notification::wait_any;
use beryl_user::period::Period;
use beryl_user::time::{Duration, Instant, Wait};
use beryl_user::trace::tell;

/// What a packet takes, and from one to the next: 300 us in a millisecond.
const PACKET: Duration = Duration::from_ticks(7_500);
const EACH: Duration = Duration::from_ticks(25_000);
/// Other work: 15 ms.
const PLAIN: Duration = Duration::from_ticks(375_000);
/// What the completion of a disk takes: 50 us.
const COMPLETION: Duration = Duration::from_ticks(1_250);

/// Works only while somebody waits, at that one's urgency; packets are taken in their order.
pub fn passive(mut asked: Server<i32, i32>) -> ! {
    let mut next = Instant::from_ticks(0);
    asked.serve(|_| {
        while next <= call::time() {
            keep_busy(PACKET);
            next = next.after(EACH);
        }
        0
    })
}

/// Works for each packet when it comes, at an urgency of its own.
pub fn active(mut period: Period, mut packets: Sender<i32>) -> ! {
    loop {
        keep_busy(PACKET);
        let _ = packets.try_send(&0);
        period.wait();
    }
}

/// Needs the network each period.
pub fn asker(mut period: Period, mut network: Client<i32, i32>) -> ! {
    loop {
        let _ = network.call(&0);
        period.wait();
    }
}

/// The same, from what is there.
pub fn reader(mut period: Period, mut packets: Receiver<i32>) -> ! {
    loop {
        while packets.try_receive().is_ok() {}
        period.wait();
    }
}

/// Needs no network.
pub fn plain(mut period: Period) -> ! {
    loop {
        keep_busy(PLAIN);
        period.wait();
    }
}

/// Serves two devices with one budget.
pub fn both(mut network: Interrupt, mut disk: Interrupt) -> ! {
    loop {
        network.acknowledge();
        disk.acknowledge();
        let Ok(bits) = wait_any(network.bits() | disk.bits(), Wait::Forever) else { call::stop() };
        if bits.has(network.bits()) {
            keep_busy(PACKET);
        }
        if bits.has(disk.bits()) {
            complete();
        }
    }
}

/// Serves the network alone.
pub fn network(mut network: Interrupt) -> ! {
    while network.wait().is_ok() {
        keep_busy(PACKET);
    }
    call::stop()
}

/// Serves the disk alone.
pub fn disk(mut disk: Interrupt) -> ! {
    while disk.wait().is_ok() {
        complete();
    }
    call::stop()
}

fn complete() {
    keep_busy(COMPLETION);
    tell(1, 0);
}
