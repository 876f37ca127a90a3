//! The clients: one modest, one talkative, one wrong.

use beryl_user::mailbox::Sender;
use beryl_user::period::Period;

use crate::line::{Line, line};
use crate::wild;

/// The job in which [`gamma`] goes wrong.
const WRONG_JOB: u32 = 3;
/// Lines that [`beta`] has to say in a job: more than the mailbox holds, so that it waits for the server.
const LINES: u32 = 5;

/// Says a line a job.
pub fn alpha(mut period: Period, mut lines: Sender<Line>) -> ! {
    for job in 1.. {
        say(&mut lines, "alpha", job);
        period.wait();
    }
    unreachable!("there is always another job")
}

/// Says some lines a job.
pub fn beta(mut period: Period, mut lines: Sender<Line>) -> ! {
    for job in 0.. {
        for number in 1..=LINES {
            say(&mut lines, "beta", job * LINES + number);
        }
        period.wait();
    }
    unreachable!("there is always another job")
}

/// Says a line a job, until it reaches for the device itself.
pub fn gamma(mut period: Period, mut lines: Sender<Line>) -> ! {
    for job in 1.. {
        say(&mut lines, "gamma", job);
        if job == WRONG_JOB {
            wild::write_to_the_device();
        }
        period.wait();
    }
    unreachable!("there is always another job")
}

fn say(lines: &mut Sender<Line>, name: &str, number: u32) {
    // It waits for room; nothing can go wrong outside of locks.
    let _ = lines.send(&line(name, number));
}
