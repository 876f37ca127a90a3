//! Lazy, eager and later queues choose the same threads; full scheduling chooses the most urgent one; and what is left in
//! a lazy queue makes somebody wait.

mod stage;

use beryl_abi::ThreadId;
use beryl_kernel::Rank;
use beryl_l4::{
    Benno, DirectBenno, DirectEager, DirectLazy, FullEager, FullLazy, IDLE, Ipc, LineId, Phase, Queueing,
    Rules, Slice,
};
use beryl_testing::{Draw, XorShift};

use stage::{Kernel, blocked, start};

const THREADS: u8 = 8;

fn threads() -> impl Iterator<Item = ThreadId> {
    (0..=THREADS).map(ThreadId)
}

/// The queue holds what its rule says.
fn is_kept<R: Rules>(kernel: &Kernel<R>) {
    for thread in threads() {
        let (is_ready, runs) = (kernel.phase(thread) == Phase::Ready, kernel.running() == thread);
        let is_right = match R::POLICY.queueing {
            Queueing::Eager => kernel.is_queued(thread) == is_ready,
            Queueing::Lazy => kernel.is_queued(thread) || !is_ready || runs,
            Queueing::WithoutRunning => kernel.is_queued(thread) == (is_ready && !runs),
        };
        assert!(is_right, "{}: {thread:?} {:?}", R::NAME, kernel.phase(thread));
    }
}

/// No ready thread is more urgent than the one that runs.
fn most_urgent_runs<R: Rules>(kernel: &Kernel<R>) -> bool {
    let runs = kernel.rank(kernel.running());
    threads().all(|thread| kernel.phase(thread) != Phase::Ready || kernel.rank(thread) >= runs)
}

/// What the running thread does; the same of a seed in each kernel that has the same thread running. Returns who ran, step
/// by step, and whether each was the most urgent.
fn run<R: Rules>(seed: u64) -> (Vec<ThreadId>, bool) {
    let mut random = XorShift::new(seed);
    let mut kernel = Kernel::<R>::new();
    let mut ran = Vec::new();
    let mut is_urgent = true;
    for thread in 1..=THREADS {
        kernel.start(ThreadId(thread), Rank::fixed(2 * thread), Slice::microseconds(3000));
    }
    kernel.register(LineId(0), ThreadId(20), ThreadId(2));
    kernel.register(LineId(1), ThreadId(21), ThreadId(6));
    for _ in 0..400 {
        let (what, whom) = (random.below(10), ThreadId(1 + random.below(THREADS.into()) as u8));
        let running = kernel.running();
        match what {
            0 => _ = kernel.tick(1000),
            1 => kernel.interrupt(LineId((whom.0) % 2)),
            _ if running == IDLE => kernel.notify(whom, 1),
            _ if running == whom => _ = kernel.take_bits(),
            2 => kernel.notify(whom, 1),
            3 => _ = kernel.ipc(Ipc::send(whom)),
            4 => _ = kernel.ipc(Ipc::receive(whom)),
            5 => _ = kernel.ipc(Ipc::wait()),
            6 => _ = kernel.ipc(Ipc::reply_wait(ThreadId(20 + whom.0 % 2))),
            7 => _ = kernel.ipc(Ipc::reply_wait(whom)),
            _ => _ = kernel.ipc(Ipc::call(whom)),
        }
        is_kept(&kernel);
        is_urgent &= most_urgent_runs(&kernel);
        ran.push(kernel.running());
    }
    (ran, is_urgent)
}

#[test]
fn how_queues_are_kept_changes_nobodys_turn_where_priorities_differ() {
    let mut switched = 0;
    for seed in 1..=500 {
        let direct = run::<DirectLazy>(seed).0;
        assert_eq!(direct, run::<DirectEager>(seed).0, "seed {seed}");
        assert_eq!(direct, run::<DirectBenno>(seed).0, "seed {seed}");
        let full = run::<FullLazy>(seed).0;
        assert_eq!(full, run::<FullEager>(seed).0, "seed {seed}");
        assert_eq!(full, run::<Benno>(seed).0, "seed {seed}");
        switched += full.windows(2).filter(|pair| pair[0] != pair[1]).count();
    }
    assert!(switched > 5000, "only {switched} switches: the runs say little");
}

#[test]
fn with_full_scheduling_the_most_urgent_runs_and_with_direct_switches_it_does_not() {
    for seed in 1..=500 {
        for (_, is_urgent) in [run::<FullLazy>(seed), run::<FullEager>(seed), run::<Benno>(seed)] {
            assert!(is_urgent, "seed {seed}");
        }
    }
    assert!((1..=500).any(|seed| !run::<DirectEager>(seed).1), "direct switches never passed anybody over");
}

/// Who blocked and wasn't met keeps its old place among equals; eager queues put it behind them.
#[test]
fn among_equals_a_lazy_queue_keeps_an_old_place() {
    fn first_of_equals<R: Rules>() -> ThreadId {
        let [server, first, second] = [1, 2, 3].map(ThreadId);
        let mut kernel = Kernel::<R>::new();
        blocked(&mut kernel, server, 9, Ipc::wait());
        start(&mut kernel, first, 5);
        start(&mut kernel, second, 5);
        // The first calls and is answered: it blocked between, while the second was ready all the time.
        kernel.ipc(Ipc::call(server)).expect("it waits");
        kernel.ipc(Ipc::send(first)).expect("it waits");
        kernel.thread_switch(Some(server));
        kernel.ipc(Ipc::wait()).expect("patient");
        kernel.running()
    }
    assert_eq!(first_of_equals::<DirectLazy>(), ThreadId(2));
    assert_eq!(first_of_equals::<DirectEager>(), ThreadId(3));
}

/// So many threads block in direct switches, and then the scheduler runs: what one step takes out.
fn stale<R: Rules>(number: u8) -> u64 {
    let mut kernel = Kernel::<R>::new();
    beryl_l4::workload::leave_stale(&mut kernel, number);
    let before = kernel.counts().dequeues;
    kernel.ipc(Ipc::wait()).expect("patient");
    kernel.counts().dequeues - before
}

#[test]
fn one_step_takes_out_as_many_as_were_left_in_a_lazy_queue() {
    for number in [1, 2, 5, 10, 30] {
        assert_eq!(stale::<DirectLazy>(number), u64::from(number), "and the one that blocks was never in it");
        assert_eq!(stale::<DirectEager>(number), 1);
        assert_eq!(stale::<DirectBenno>(number), 1, "who runs next");
    }
}
