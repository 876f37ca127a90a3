//! An interrupt, and the device server that waits for it in another process.

use bench_board::{around, device, ticker};
use beryl_user::call;
use beryl_user::interrupt::Interrupt;
use beryl_user::notification::Notifier;

use crate::failed;
use crate::objects::SAMPLES;

/// Thread, urgent: waits for the interrupt. In the second half it does nothing but what a server must.
#[inline(always)]
pub fn device_server(mut transmitter: Interrupt) -> ! {
    for _ in 0..SAMPLES {
        let sample = around(|| wait(&mut transmitter));
        device::quiet();
        sample.print("interrupt/to-thread/to");
    }
    loop {
        wait(&mut transmitter);
        device::quiet();
    }
}

#[inline(always)]
fn wait(transmitter: &mut Interrupt) {
    if transmitter.wait().is_err() {
        failed();
    }
}

/// Thread, less urgent: is interrupted. First it matters when the server runs, then when it is over.
#[inline(always)]
pub fn interrupted() -> ! {
    repeat_interrupt("interrupt/to-thread/from");
    repeat_interrupt("interrupt/round-trip");
    call::stop()
}

/// Thread, urgent: waits for an interrupt that comes while the processor idles.
#[inline(always)]
pub fn idle_server(mut tick: Interrupt, mut over: Notifier) -> ! {
    for _ in 0..SAMPLES {
        let sample = ticker::from_idle(|| wait(&mut tick));
        ticker::quiet();
        sample.print("interrupt/from-idle");
    }
    over.notify();
    call::stop()
}

fn repeat_interrupt(case: &str) {
    for _ in 0..SAMPLES {
        device::interrupt().print(case);
    }
}
