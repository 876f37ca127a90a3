//! What the threads of an application do: hard jobs and soft work take their times, and a scheduler changes priorities,
//! at instants that are known before or when it is told something.

use std::cell::RefCell;

use beryl_abi::call::{CallNumber, FOREVER, LONGEST_WAIT, OWNER_DIED, Operand};
use beryl_abi::environment::Channel;
use beryl_abi::{Duration, Range};
use beryl_builder::Project;
use beryl_builder::assembly::Role;
use beryl_builder::plan::SHARED_WORDS;
use beryl_sim::ThreadCode;
use beryl_user::{call, platform};

use super::promoter::Promoter;
use super::scheduler::Scheduler;
use crate::bodies::{MOST, sleep};

/// The channel on which soft work says that it is done.
pub const DONE: Channel = Channel::new(0);

/// A thread's part. Times are in ticks.
#[derive(Clone, Debug)]
pub enum Part {
    /// Jobs that take so long each, and perhaps tell their ends.
    Jobs(Vec<u64>, Option<u32>),
    /// Work that comes at an instant and takes so long, and perhaps tells when it is there and when it is done.
    Work(Vec<(u64, u64)>, Option<[u32; 2]>),
    /// Changes of priorities: an instant, a thread, and its priority from then on.
    Changes(Vec<(u64, u32, u32)>),
    /// Changes of a priority as slack goes.
    Steals(Box<Scheduler>),
    /// Changes of priorities, at instants that move.
    Promotes(Box<Promoter>),
    /// Nothing.
    Nothing,
}

thread_local! {
    static PARTS: RefCell<Vec<Part>> = const { RefCell::new(Vec::new()) };
}

/// Gives the threads of a system their parts until the next system does; returns their code.
pub fn codes(project: &Project, parts: Vec<Part>) -> Vec<ThreadCode> {
    PARTS.set(parts);
    let threads = project.assembly.threads.iter().enumerate();
    threads
        .map(|(index, thread)| {
            let stack = project.places.stacks.get(index).copied().unwrap_or(Range::EMPTY);
            ThreadCode {
                name: "thread",
                entry: if matches!(thread.role, Role::Idle) { None } else { ENTRIES.get(index).copied() },
                best: Duration::ZERO,
                worst: Duration::ZERO,
                stack: 1024,
                memory: Range::new(stack.address, stack.length.max(SHARED_WORDS)),
                hold: Duration::FOREVER,
                section: None,
                drivers: &[],
            }
        })
        .collect()
}

macro_rules! entries {
    ($($number:literal)*) => { [$(run::<$number>),*] };
}

const ENTRIES: [extern "C" fn() -> !; MOST] = entries! {
    0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
};

/// The code of thread number `N`.
extern "C" fn run<const N: usize>() -> ! {
    // Nothing that has to be dropped is held across a call that may not come back.
    for step in 0.. {
        let one = PARTS.with_borrow(|parts| parts.get(N).and_then(|part| part.step(step)));
        match one {
            Some(one) => one.perform(N),
            None => break,
        }
    }
    call::stop()
}

#[derive(Clone, Copy)]
enum Step {
    Job(u64, Option<u32>),
    Work(u64, u64, Option<[u32; 2]>),
    Change(u64, u32, u32),
    Turn(Option<u64>),
}

impl Part {
    fn step(&self, step: usize) -> Option<Step> {
        match self {
            Part::Jobs(all, end) => all.get(step).map(|takes| Step::Job(*takes, *end)),
            Part::Work(all, tells) => all.get(step).map(|(at, takes)| Step::Work(*at, *takes, *tells)),
            Part::Changes(all) => all.get(step).map(|(at, who, what)| Step::Change(*at, *who, *what)),
            Part::Steals(scheduler) => Some(Step::Turn(scheduler.limit())),
            Part::Promotes(promoter) => Some(Step::Turn(Some(promoter.promoting.limit()))),
            Part::Nothing => None,
        }
    }

    /// A scheduler's turn at an instant, with these bits: how long it reckons.
    fn turn(&mut self, now: u64, bits: u32) -> u64 {
        match self {
            Part::Steals(scheduler) => scheduler.turn(now, bits),
            Part::Promotes(promoter) => {
                promoter.turn(now, bits);
                0
            }
            _ => 0,
        }
    }

    /// A thread, and the priority that the scheduler has still to give it.
    fn change(&mut self) -> Option<[u32; 2]> {
        match self {
            Part::Steals(scheduler) => scheduler.change(),
            Part::Promotes(promoter) => promoter.changes.pop(),
            _ => None,
        }
    }
}

/// Asks the part of a thread, which isn't held while the thread makes calls.
fn ask<Answer>(me: usize, ask: impl FnOnce(&mut Part) -> Option<Answer>) -> Option<Answer> {
    PARTS.with_borrow_mut(|parts| parts.get_mut(me).and_then(ask))
}

fn tell(notification: Option<u32>) {
    if let Some(notification) = notification {
        platform::call(CallNumber::Notify, [Some(notification), Some(0), None, None]);
    }
}

/// Waits for bits of the caller's word; none after so long.
fn told(limit: Option<u64>) -> u32 {
    let nothing = Operand::object(Operand::NO_OBJECT).0;
    let limit = limit.map(|limit| u32::try_from(limit).unwrap_or(LONGEST_WAIT).min(LONGEST_WAIT));
    let arguments = [Some(nothing), Some(0), None, Some(limit.unwrap_or(FOREVER))];
    let [status, bits, _] = platform::call(CallNumber::NotificationWait, arguments);
    if status <= OWNER_DIED { bits } else { 0 }
}

impl Step {
    /// As thread number `me`.
    fn perform(self, me: usize) {
        match self {
            Step::Job(takes, end) => {
                platform::spend(Duration::from_ticks(takes));
                tell(end);
                let nothing = Operand::object(Operand::NO_OBJECT).0;
                platform::call(CallNumber::WaitPeriod, [Some(nothing), None, None, None]);
            }
            Step::Work(at, takes, tells) => {
                sleep(at);
                tell(tells.map(|[came, _]| came));
                platform::spend(Duration::from_ticks(takes));
                platform::environment_write(DONE, &[]);
                tell(tells.map(|[_, gone]| gone));
            }
            Step::Change(at, who, what) => {
                sleep(at);
                platform::call(CallNumber::SetPriority, [Some(who), Some(what), None, None]);
            }
            Step::Turn(limit) => {
                let bits = told(limit);
                let now = call::time().ticks();
                let reckons = ask(me, |part| Some(part.turn(now, bits)));
                platform::spend(Duration::from_ticks(reckons.unwrap_or(0)));
                // bound: a change for each task.
                while let Some([who, what]) = ask(me, Part::change) {
                    platform::call(CallNumber::SetPriority, [Some(who), Some(what), None, None]);
                }
            }
        }
    }
}
