//! What the paper's text tells of (EURASIP 2008, 1, sections 4.1 to 4.7): slices, donations, inversions, interrupts.

mod stage;

use beryl_abi::ThreadId;
use beryl_kernel::Rank;
use beryl_l4::{
    AnsweredFirst, ByTheBook, DirectEager, DirectLazy, FullEager, FullLazy, IDLE, Ipc, LineId, Rules, Slice,
};

use stage::{A, B, C, IRQ, Kernel, M, blocked, start};

#[test]
fn slices_last_whole_ticks_rounded_up() {
    // Alpha; AMD64, IA-32 and PowerPC32; Sparc64, PowerPC64, MIPS64 and IA-64; StrongARM; L4-embedded on XScale.
    for (tick, lasts) in [(976, 2928), (1953, 3906), (2000, 2000), (10_000, 10_000), (5000, 5000)] {
        let slice = Slice::microseconds(2000);
        assert_eq!(slice.lasts(tick), Some(lasts));
        let mut kernel = Kernel::<DirectLazy>::new();
        kernel.start(A, Rank::fixed(5), slice);
        kernel.start(B, Rank::fixed(5), slice);
        for turn in [A, B, A] {
            assert_eq!(kernel.running(), turn);
            let ticks = (1..).find(|_| kernel.tick(tick)).expect("it ends");
            assert_eq!(ticks * tick, lasts, "a tick of {tick}");
        }
    }
    assert_eq!(Slice::FOREVER.lasts(1000), None);
}

/// How many ticks a recipient has, of at most a hundred.
fn ticks_of_recipient<R: Rules>(donor: Slice, recipient: Slice) -> usize {
    let mut kernel = Kernel::<R>::new();
    kernel.start(B, Rank::fixed(9), recipient);
    kernel.start(A, Rank::fixed(5), donor);
    kernel.thread_switch(Some(B));
    (0..100)
        .take_while(|_| {
            kernel.running() == B && {
                kernel.tick(1000);
                true
            }
        })
        .count()
}

#[test]
fn a_donation_lasts_as_long_as_the_donors_slice_by_the_book_and_as_the_recipients_as_implemented() {
    let (two, five) = (Slice::microseconds(2000), Slice::microseconds(5000));
    assert_eq!(ticks_of_recipient::<ByTheBook>(two, five), 2);
    assert_eq!(ticks_of_recipient::<DirectLazy>(two, five), 5);
    // A slice without end isn't considered either.
    assert_eq!(ticks_of_recipient::<ByTheBook>(Slice::FOREVER, five), 100);
    assert_eq!(ticks_of_recipient::<DirectLazy>(Slice::FOREVER, five), 5);
    assert_eq!(ticks_of_recipient::<ByTheBook>(two, Slice::FOREVER), 2);
    assert_eq!(ticks_of_recipient::<DirectLazy>(two, Slice::FOREVER), 100);
}

#[test]
fn a_donation_that_is_donated_is_the_first_donors_by_the_book() {
    fn payer<R: Rules>() -> ThreadId {
        let mut kernel = Kernel::<R>::new();
        blocked(&mut kernel, C, 9, Ipc::wait());
        blocked(&mut kernel, B, 7, Ipc::wait());
        start(&mut kernel, A, 5);
        kernel.ipc(Ipc::call(B)).expect("it waits");
        kernel.ipc(Ipc::call(C)).expect("it waits");
        assert_eq!(kernel.running(), C);
        kernel.slice_of()
    }
    assert_eq!(payer::<ByTheBook>(), A);
    assert_eq!(payer::<DirectLazy>(), C);
}

/// Who runs when a thread of middle urgency comes, while the urgent one waits for a busy server of this priority.
fn comes_between(server: u8) -> ThreadId {
    let mut kernel = Kernel::<FullEager>::new();
    start(&mut kernel, B, server);
    start(&mut kernel, A, 2);
    if kernel.running() != A {
        kernel.thread_switch(Some(A));
    }
    kernel.ipc(Ipc::call(B)).expect("patient");
    assert_eq!(kernel.running(), B);
    start(&mut kernel, C, 5);
    kernel.running()
}

#[test]
fn scenario_1_a_busy_server_is_held_up_unless_it_is_as_urgent_as_its_callers() {
    assert_eq!(comes_between(9), C, "the urgent caller waits for both");
    assert_eq!(comes_between(2), B);
}

#[test]
fn scenario_2_a_direct_switch_passes_over_who_is_between() {
    fn order<R: Rules>() -> [ThreadId; 3] {
        let mut kernel = Kernel::<R>::new();
        blocked(&mut kernel, C, 9, Ipc::wait());
        start(&mut kernel, M, 5);
        start(&mut kernel, A, 2);
        kernel.ipc(Ipc::call(C)).expect("it waits");
        [(); 3].map(|()| {
            let running = kernel.running();
            match running {
                C => _ = kernel.ipc(Ipc::reply_wait(A)),
                _ => _ = kernel.ipc(Ipc::wait()),
            }
            running
        })
    }
    assert_eq!(order::<DirectLazy>(), [C, A, M]);
    assert_eq!(order::<FullLazy>(), [M, C, A]);
}

#[test]
fn scenario_3_a_loaded_server_keeps_who_was_served_from_going_on() {
    fn turns<R: Rules>() -> [u32; 3] {
        let clients = [10, 11, 12].map(ThreadId);
        let mut kernel = Kernel::<R>::new();
        blocked(&mut kernel, B, 2, Ipc::wait());
        clients.into_iter().for_each(|client| start(&mut kernel, client, 5));
        // All have asked: the first is being served, the others wait.
        kernel.ipc(Ipc::call(B)).expect("it waits");
        for client in &clients[1..] {
            kernel.thread_switch(Some(*client));
            kernel.ipc(Ipc::call(B)).expect("patient");
        }
        let mut turns = [0; 3];
        for _ in 0..60 {
            match clients.iter().position(|client| *client == kernel.running()) {
                Some(client) => {
                    turns[client] += 1;
                    kernel.ipc(Ipc::call(B)).expect("patient");
                }
                None => {
                    let client = kernel.heard(B);
                    kernel.ipc(Ipc::reply_wait(client)).expect("it waits");
                }
            }
        }
        turns
    }
    let next_first = turns::<DirectEager>();
    assert_eq!(next_first.iter().filter(|turns| **turns == 0).count(), 2, "{next_first:?}: two starve");
    let answered_first = turns::<AnsweredFirst>();
    assert!(answered_first.iter().all(|turns| *turns > 0), "{answered_first:?}");
}

#[test]
fn scenario_4_a_donor_without_end_gives_up_the_processor_for_good_by_the_book_only() {
    let own = Slice::microseconds(3000);
    assert_eq!(ticks_of_recipient::<ByTheBook>(Slice::FOREVER, own), 100);
    assert_eq!(ticks_of_recipient::<DirectEager>(Slice::FOREVER, own), 3);
}

#[test]
fn scenario_5_a_handler_that_never_ends_shares_the_processor_with_its_equals() {
    let turns = |rank: u8| {
        let mut kernel = Kernel::<FullEager>::new();
        kernel.start(B, Rank::fixed(rank), Slice::microseconds(1000));
        kernel.register(LineId(0), IRQ, B);
        kernel.ipc(Ipc::wait()).expect("patient");
        kernel.start(A, Rank::fixed(5), Slice::microseconds(1000));
        kernel.interrupt(LineId(0));
        let ran: Vec<_> = (0..40)
            .map(|_| {
                kernel.tick(1000);
                kernel.running()
            })
            .collect();
        [A, B].map(|thread| ran.iter().filter(|ran| **ran == thread).count())
    };
    assert_eq!(turns(5), [20, 20]);
    assert_eq!(turns(4), [0, 40], "above its equals it keeps the processor");
}

/// How often lines interrupt an urgent thread while devices raise them all the time.
fn taken_in_storm(replies: bool) -> u32 {
    let mut kernel = Kernel::<FullEager>::new();
    let lines = [0, 1, 2, 3].map(LineId);
    for line in lines {
        let handler = ThreadId(10 + line.0);
        start(&mut kernel, handler, 9);
        kernel.register(line, ThreadId(20 + line.0), handler);
        kernel.ipc(Ipc::wait()).expect("patient");
    }
    start(&mut kernel, A, 2);
    if replies {
        kernel.ipc(Ipc::wait()).expect("patient");
    }
    for _ in 0..1000 {
        lines.into_iter().for_each(|line| kernel.interrupt(line));
        assert!(replies || kernel.running() == A);
        if replies && kernel.running() != IDLE {
            let line = kernel.running().0 - 10;
            kernel.ipc(Ipc::reply_wait(ThreadId(20 + line))).expect("it waits");
        }
    }
    lines.into_iter().map(|line| kernel.taken(line)).sum()
}

#[test]
fn scenario_6_less_urgent_handlers_delay_a_thread_by_one_interrupt_of_each_line() {
    assert_eq!(taken_in_storm(false), 4);
    assert!(taken_in_storm(true) > 500, "with handlers that reply, lines come back");
}

#[test]
fn scenario_7_a_handler_that_never_replies_is_interrupted_once() {
    let mut kernel = Kernel::<DirectLazy>::new();
    start(&mut kernel, B, 5);
    kernel.register(LineId(0), IRQ, B);
    kernel.ipc(Ipc::wait()).expect("patient");
    (0..1000).for_each(|_| kernel.interrupt(LineId(0)));
    assert_eq!((kernel.taken(LineId(0)), kernel.running()), (1, B));
    kernel.ipc(Ipc::reply_wait(IRQ)).expect("it waits");
    assert_eq!((kernel.taken(LineId(0)), kernel.running()), (2, B), "one was kept by the controller");
}

#[test]
fn scenario_8_a_driver_and_its_handler_exclude_each_other_and_nobody_else() {
    const LOCK: ThreadId = ThreadId(6);
    const URGENT: ThreadId = ThreadId(7);
    // Steps of a section that the driver has: entering it, an interrupt within, the handler at the lock.
    for steps in 0..4 {
        let mut kernel = Kernel::<FullEager>::new();
        blocked(&mut kernel, LOCK, 3, Ipc::wait());
        start(&mut kernel, B, 4);
        kernel.register(LineId(0), IRQ, B);
        kernel.ipc(Ipc::wait()).expect("patient");
        start(&mut kernel, C, 8);
        let acts: [fn(&mut Kernel<FullEager>); 3] = [
            |kernel| {
                kernel.ipc(Ipc::call(LOCK)).expect("it waits");
                kernel
                    .ipc(Ipc { from: Some(beryl_l4::From::Thread(C)), ..Ipc::reply_wait(C) })
                    .expect("it waits");
            },
            |kernel| kernel.interrupt(LineId(0)),
            |kernel| kernel.ipc(Ipc::call(LOCK)).expect("patient"),
        ];
        acts.iter().take(steps).for_each(|act| act(&mut kernel));
        assert_eq!(kernel.running(), if steps == 2 { B } else { C }, "after {steps}");
        // However far they are, who is more urgent runs at once.
        start(&mut kernel, URGENT, 1);
        assert_eq!(kernel.running(), URGENT, "after {steps}");
    }
}
