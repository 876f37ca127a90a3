//! A client that babbles from some time on, a recorder and a server that it floods, and a controller that isn't late
//! for it.
#![no_std]
#![forbid(unsafe_code)]

use beryl_user::call;
use beryl_user::endpoint::{Client, Server};
use beryl_user::mailbox::{Receiver, Sender};
use beryl_user::period::Period;
use beryl_user::time::{self, Duration, Wait};

/// How many messages the radio sends, and how many jobs it does, before it babbles.
const CALM: i32 = 3;
/// How often it asks for a turn in a job when it babbles.
const OFTEN: i32 = 20;
/// How long a message takes, a turn of the wheel, and what the controller does besides, in microseconds.
const MESSAGE: u64 = 500;
const TURN: u64 = 450;
const JOB: u64 = 3_000;
/// From message to message, while the radio is calm and when it isn't, in microseconds.
const RARELY: u64 = 5_000;
const AT_ONCE: u64 = 20;
/// Ticks of kernel time in a microsecond.
const MICROSECOND: u64 = time::microseconds(1).ticks();

/// Writes down what it hears.
pub fn record(mut log: Receiver<[i32; 2]>) -> ! {
    while log.receive().is_ok() {
        work(MESSAGE);
    }
    call::stop()
}

/// Turns the wheel.
pub fn turn(mut wheel: Server<[i32; 2], i32>) -> ! {
    wheel.serve(|[_, angle]| {
        work(TURN);
        angle
    })
}

/// Asks for a turn once in each job, and from some job on as often as it can.
pub fn listen(mut period: Period, mut wheel: Client<[i32; 2], i32>) -> ! {
    for job in 0.. {
        for count in 0..if job < CALM { 1 } else { OFTEN } {
            // A turn that is refused is none.
            let _ = wheel.call_for(&[job, count], Wait::Poll);
        }
        period.wait();
    }
    call::stop()
}

/// Says something now and then, and from some time on all the time.
pub fn tell(mut log: Sender<[i32; 2]>) -> ! {
    for count in 0.. {
        // What isn't heard is lost.
        let _ = log.try_send(&[count, 0]);
        work(if count < CALM { RARELY } else { AT_ONCE });
    }
    call::stop()
}

/// Steers.
pub fn steer(mut period: Period, mut wheel: Client<[i32; 2], i32>) -> ! {
    loop {
        work(JOB);
        let _ = wheel.call(&[0, 1]);
        period.wait();
    }
}

/// Uses the processor for so many microseconds.
fn work(microseconds: u64) {
    call::keep_busy(Duration::from_ticks(microseconds * MICROSECOND));
}
