//! What the threads of an application do: hard jobs and soft work take their times, and a scheduler changes priorities
//! at instants that are known before.

use std::cell::RefCell;

use beryl_abi::call::{CallNumber, Operand};
use beryl_abi::environment::Channel;
use beryl_abi::{Duration, Range};
use beryl_builder::Project;
use beryl_builder::assembly::Role;
use beryl_builder::plan::SHARED_WORDS;
use beryl_sim::ThreadCode;
use beryl_user::{call, platform};

use crate::bodies::{MOST, sleep};

/// The channel on which soft work says that it is done.
pub const DONE: Channel = Channel::new(0);

/// A thread's part. Times are in ticks.
#[derive(Clone, Debug)]
pub enum Part {
    /// Jobs that take so long each.
    Jobs(Vec<u64>),
    /// Work that comes at an instant and takes so long.
    Work(Vec<(u64, u64)>),
    /// Changes of priorities: an instant, a thread, and its priority from then on.
    Changes(Vec<(u64, u32, u32)>),
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
            Some(one) => one.perform(),
            None => break,
        }
    }
    call::stop()
}

#[derive(Clone, Copy)]
enum Step {
    Job(u64),
    Work(u64, u64),
    Change(u64, u32, u32),
}

impl Part {
    fn step(&self, step: usize) -> Option<Step> {
        match self {
            Part::Jobs(all) => all.get(step).map(|takes| Step::Job(*takes)),
            Part::Work(all) => all.get(step).map(|(at, takes)| Step::Work(*at, *takes)),
            Part::Changes(all) => all.get(step).map(|(at, who, what)| Step::Change(*at, *who, *what)),
            Part::Nothing => None,
        }
    }
}

impl Step {
    fn perform(self) {
        match self {
            Step::Job(takes) => {
                platform::spend(Duration::from_ticks(takes));
                let nothing = Operand::object(Operand::NO_OBJECT).0;
                platform::call(CallNumber::WaitPeriod, [Some(nothing), None, None, None]);
            }
            Step::Work(at, takes) => {
                sleep(at);
                platform::spend(Duration::from_ticks(takes));
                platform::environment_write(DONE, &[]);
            }
            Step::Change(at, who, what) => {
                sleep(at);
                platform::call(CallNumber::SetPriority, [Some(who), Some(what), None, None]);
            }
        }
    }
}
