//! Jobs at work: how long each takes, what is left of it, and what comes to the kernel next.

use std::iter::Peekable;

use beryl_abi::{CallNumber, Instant, Line};
use beryl_kernel::{Call, Event, Sizes};

use super::host::Host;

/// How long a task's job of that number takes, on the kernel and on the reference machine: one tick at least, and up
/// to its bound.
pub fn execution(seed: u64, bound: u64, task: usize, number: usize) -> u64 {
    let mixed = (seed ^ (task as u64) << 8 ^ (number as u64) << 16).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
    1 + mixed % bound
}

/// An interrupt of a line at a tick.
pub type Interrupt = (u64, u16);

/// What is left of each task's job, and how many jobs each has had.
pub struct Jobs {
    left: Vec<u64>,
    numbers: Vec<usize>,
}

impl Jobs {
    /// None yet, of so many tasks.
    pub fn of(tasks: usize) -> Jobs {
        Jobs { left: vec![0; tasks], numbers: vec![0; tasks] }
    }

    /// A job is released, which takes as long as its task and number say.
    pub fn release(&mut self, task: usize, execution: impl FnOnce(usize, usize) -> u64) {
        self.left[task] = execution(task, self.numbers[task]);
        self.numbers[task] += 1;
    }

    /// From now on jobs are counted from the first one again.
    pub fn count_anew(&mut self) {
        self.numbers.fill(0);
    }

    /// Lets a task work until something comes to the kernel, or until the end of the run, where there is nothing. A
    /// job that is done at the instant of an interrupt or an alarm comes first (Algorithm 6).
    pub fn pass<S: Sizes, A>(
        &mut self,
        host: &mut Host<S, A>,
        running: Option<usize>,
        interrupt: Option<Interrupt>,
        until: u64,
    ) -> Option<Event> {
        let (now, alarm) = (host.now.ticks(), host.alarm.ticks());
        let done = running.map_or(u64::MAX, |task| now + self.left[task]);
        let interrupted = interrupt.map_or(u64::MAX, |(at, _)| at);
        let next = done.min(interrupted).min(alarm).min(until);
        if let Some(task) = running {
            self.left[task] -= next - now;
        }
        host.now = Instant::from_ticks(next);
        if next == done {
            return Some(Event::Call(Call { number: CallNumber::Complete as u32, arguments: [0; 4] }));
        }
        if let Some((at, line)) = interrupt
            && at == next
        {
            return Some(Event::Interrupt(Line(line)));
        }
        (next == alarm).then(|| {
            host.alarm = Instant::NEVER;
            Event::Alarm
        })
    }

    /// The same with the interrupts that are still to come. Ends also at the first tick at which things come together
    /// that the reference machine has at one instant and a processor one after the other; says which.
    pub fn pass_alone<S: Sizes, A>(
        &mut self,
        host: &mut Host<S, A>,
        running: Option<usize>,
        waiting: &mut Peekable<impl Iterator<Item = Interrupt>>,
        until: u64,
    ) -> Result<Event, u64> {
        let interrupt = waiting.peek().copied();
        let next = self.pass(host, running, interrupt, until);
        let now = host.now.ticks();
        match next {
            Some(Event::Call(_)) if interrupt.is_some_and(|(at, _)| at == now) => Err(now),
            Some(event) if now < until => {
                waiting.next_if(|_| matches!(event, Event::Interrupt(_)));
                Ok(event)
            }
            _ => Err(now),
        }
    }
}
