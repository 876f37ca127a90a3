//! A guess that doesn't come back in one of its jobs, a controller that goes by it, and the warden of both.
#![no_std]
#![forbid(unsafe_code)]

use core::hint::black_box;

use beryl_user::call::spend;
use beryl_user::environment::{self, Channel};
use beryl_user::state::{Reader, Writer};
use beryl_user::supervisor::{Incident, Report, Supervisor};
use beryl_user::time::Duration;
use beryl_user::trace;

/// The valve.
pub const VALVE: Channel = Channel::new(0);

/// The job that doesn't come back.
const LOST: i32 = 3;

/// Who is watched, as the description names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watched {
    /// The task that may take too long.
    Guess,
    /// The controller.
    Steady,
}

/// Hears of everything, and warns of a guess that takes too long.
pub fn warden(mut reports: Supervisor<Watched>, mut warning: Writer<i32>) -> ! {
    loop {
        let Ok(Report { who, what, count, .. }) = reports.hear() else { continue };
        trace::tell(what as u16, u32::from(count));
        if who == Watched::Guess && what == Incident::Overrun {
            warning.write(&1);
        }
    }
}

/// Guesses, a little more with each job.
pub fn guess_impl(jobs: &mut i32, opening: &mut i32) {
    *jobs = jobs.saturating_add(1);
    if *jobs == LOST {
        run_away();
    }
    *opening = jobs.saturating_mul(10);
}

/// Guesses the same each time.
pub fn simple_impl(opening: &mut i32) {
    *opening = 7;
}

/// Opens the valve as far as was guessed, and says how often it did so, and whether it was warned.
pub fn steady_impl(
    opening: &i32,
    jobs: &mut i32,
    opened: &mut i32,
    warned: &mut i32,
    mut warning: Reader<i32>,
) {
    *jobs = jobs.saturating_add(1);
    *opened = opening.saturating_mul(1000).saturating_add(*jobs);
    *warned = warning.read().unwrap_or_default();
}

/// Sets the valve.
pub fn set_valve(opened: &i32) {
    environment::write(VALVE, opened);
}

/// Whether the controller was warned.
pub fn is_warned(warned: &i32) -> bool {
    *warned != 0
}

/// Takes ten seconds: in the simulator as virtual time, on the board by work.
fn run_away() {
    spend(Duration::from_ticks(250_000_000));
    if cfg!(target_os = "none") {
        for round in 0..u32::MAX {
            black_box(round);
        }
    }
}
