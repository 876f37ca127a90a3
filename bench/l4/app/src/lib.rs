//! What IPC takes on the board under L4's rules: ping-pong, a file server with its driver and clients, and a step of the
//! scheduler with threads left in a lazy queue. Counted on the board, so elsewhere it is empty.
#![no_std]
#![forbid(unsafe_code)]
#![cfg(target_arch = "arm")]

mod measured;

use bench_board::{Sample, Tally};
use beryl_l4::compared::{Compare, each};
use beryl_l4::workload::{LEFT, REQUESTS, Step, leave_stale, run_by};
use beryl_l4::{Ipc, L4, NotReady, Rules, Uncounted, ping_pong};
use beryl_user::println;

use measured::{Kinds, measured};

/// Thread: measures everything.
pub fn kernels() -> ! {
    each(&mut PingPong);
    each(&mut Work);
    each(&mut Left);
    bench_board::end()
}

/// A client and a server, with messages of several lengths.
struct PingPong;

impl Compare for PingPong {
    fn with<R: Rules>(&mut self) {
        for words in ping_pong::LENGTHS {
            report::<R>(round_trips::<R>(words));
        }
    }
}

#[inline(never)]
fn round_trips<R: Rules>(words: u8) -> Result<(), NotReady> {
    let mut kernel = ping_pong::ready::<R, Uncounted>()?;
    let (mut calls, mut answers) = (Tally::new(), Tally::new());
    for _ in 0..ping_pong::TRIPS {
        calls.add(measured(&mut kernel, Step::Ipc(ping_pong::call(words)))?);
        answers.add(measured(&mut kernel, Step::Ipc(ping_pong::answer(words)))?);
    }
    calls.print(format_args!("ping-pong/{}/{words}/call", R::NAME));
    answers.print(format_args!("ping-pong/{}/{words}/answer", R::NAME));
    Ok(())
}

/// A file server, a driver and clients.
struct Work;

impl Compare for Work {
    fn with<R: Rules>(&mut self) {
        report::<R>(requests::<R>());
    }
}

#[inline(never)]
fn requests<R: Rules>() -> Result<(), NotReady> {
    let mut kinds = Kinds::new();
    run_by::<R, Uncounted>(REQUESTS, |kernel, step| {
        kinds.add(step, measured(kernel, step)?);
        Ok(())
    })?;
    kinds.print(R::NAME);
    Ok(())
}

/// One step of the scheduler behind direct switches.
struct Left;

impl Compare for Left {
    fn with<R: Rules>(&mut self) {
        for number in LEFT {
            report::<R>(step_behind::<R>(number));
        }
    }
}

#[inline(never)]
fn step_behind<R: Rules>(number: u8) -> Result<(), NotReady> {
    let mut kernel = L4::<R, Uncounted>::new();
    leave_stale(&mut kernel, number);
    let Sample { before, after } = measured(&mut kernel, Step::Ipc(Ipc::wait()))?;
    println!("sample left/{}/{number} {before} {after}", R::NAME);
    Ok(())
}

/// Nobody is refused in any of this; a line that isn't a sample ends the measurement.
fn report<R: Rules>(result: Result<(), NotReady>) {
    if result.is_err() {
        println!("{}: an IPC was refused", R::NAME);
    }
}
