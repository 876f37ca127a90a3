//! A device server whose packets come at random, a controller, and something that is never done.
#![no_std]
#![forbid(unsafe_code)]

mod wire;

use beryl_user::call::{self, keep_busy};
use beryl_user::interrupt::Interrupt;
use beryl_user::period::Period;
use beryl_user::time::{Duration, microseconds, milliseconds};
use wire::Wire;

/// How long a packet takes.
const PACKET: Duration = microseconds(150);
/// How long a job of the controller takes.
const JOB: Duration = milliseconds(10);

/// Serves the network.
pub fn receive(packet: Interrupt) -> ! {
    serve(packet, Wire::with(milliseconds(2)))
}

/// Serves a network that brings more than anybody could take: a packet each 105 us on average.
pub fn flooded(packet: Interrupt) -> ! {
    serve(packet, Wire::with(microseconds(200)))
}

/// The device interrupts for the first of several packets; the line stays masked until none is left.
fn serve(mut packet: Interrupt, mut wire: Wire) -> ! {
    loop {
        wire.interrupt_for_the_next();
        if packet.wait().is_err() {
            call::stop();
        }
        wire.acknowledge();
        while wire.has_brought_a_packet() {
            keep_busy(PACKET);
        }
    }
}

/// Steers.
pub fn steer(mut period: Period) -> ! {
    loop {
        keep_busy(JOB);
        period.wait();
    }
}

/// Does what can wait, without end.
pub fn compile() -> ! {
    loop {
        keep_busy(JOB);
    }
}
