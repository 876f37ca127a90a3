//! Contention for a semaphore, a cycle at a time: each of its operations is a sample.

use bench_board::enclosed;
use beryl_queues::contention::{Contention, List, Scheme};
use beryl_user::println;

/// Cycles of each kind.
const CYCLES: u32 = 5;

/// An operation, as a function of a task.
type Operation<L> = extern "C" fn(&mut Contention<L>, u32, u64) -> u32;

/// A scheme on one kind of list.
#[inline(never)]
pub fn measure<L: List>(tasks: u8, scheme: Scheme) {
    let mut band = Contention::<L>::new(scheme, tasks);
    let (owner, urgent) = (tasks - 1, tasks - 2);
    let (signal, give, wait) = (
        ("signal", signal::<L> as Operation<L>, urgent),
        ("give", release::<L> as _, urgent),
        ("wait", wait::<L> as _, urgent),
    );
    let (acquire, release) = (("acquire", acquire::<L> as _, urgent), ("release", release::<L> as _, owner));
    let (way, cycle) = match scheme {
        Scheme::Standard => ("standard", [signal, acquire, release, give, wait]),
        // It asks when it has it already.
        Scheme::Early => ("early", [signal, release, acquire, give, wait]),
    };
    for _ in 0..CYCLES {
        band.acquire(owner);
        for (operation, function, task) in cycle {
            let (sample, _) = enclosed(function, &mut band, task.into(), 0);
            let instructions = sample.instructions();
            println!("tally contention/{way}/{}/{tasks}/{operation} {instructions}x1", L::NAME);
        }
    }
}

extern "C" fn signal<L: List>(band: &mut Contention<L>, task: u32, _: u64) -> u32 {
    band.signal(task as u8).into()
}

extern "C" fn acquire<L: List>(band: &mut Contention<L>, task: u32, _: u64) -> u32 {
    band.acquire(task as u8).into()
}

extern "C" fn release<L: List>(band: &mut Contention<L>, task: u32, _: u64) -> u32 {
    band.release(task as u8).into()
}

extern "C" fn wait<L: List>(band: &mut Contention<L>, task: u32, _: u64) -> u32 {
    band.wait(task as u8).into()
}
