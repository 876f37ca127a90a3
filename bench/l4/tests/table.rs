//! The eighteen rows of Table 2 (EURASIP 2008, 1), each with all orders of priorities, under each way to keep the queue,
//! and under a rule that it isn't about.

mod stage;

use beryl_abi::ThreadId;
use beryl_kernel::Rank;
use beryl_l4::{
    AnsweredFirst, DirectBenno, DirectEager, DirectLazy, From, FullLazy, IDLE, Ipc, L4Ka, L4Mips,
    L4MipsLater, LineId, Rules, Slice,
};

use stage::{A, B, C, IRQ, Kernel, M, blocked, start};

const LINE: LineId = LineId(0);

/// The priorities of the three; smaller numbers are more urgent.
#[derive(Clone, Copy, Debug)]
struct Ranks {
    a: u8,
    b: u8,
    c: u8,
}

fn all_ranks() -> impl Iterator<Item = Ranks> {
    (0..27).map(|number| Ranks { a: 5 + number % 3, b: 5 + number / 3 % 3, c: 5 + number / 9 })
}

/// A situation: who runs after it.
type Situation = fn(Ranks) -> ThreadId;

/// Each order of priorities has what the table says.
fn holds(situations: &[Situation], expected: Situation) {
    for (queue, situation) in situations.iter().enumerate() {
        for ranks in all_ranks() {
            assert_eq!(situation(ranks), expected(ranks), "{ranks:?}, kernel {queue}");
        }
    }
}

/// Under this rule some order of priorities has something else.
fn fails(situation: Situation, expected: Situation) {
    assert!(all_ranks().any(|ranks| situation(ranks) != expected(ranks)), "the other rule does the same");
}

/// All three ready threads' kernel with A running, though M is ready and more urgent than all.
fn a_runs<R: Rules>(kernel: &mut Kernel<R>, ranks: Ranks) {
    kernel.start(A, Rank::fixed(ranks.a), Slice::microseconds(1000));
    start(kernel, M, 1);
    kernel.thread_switch(Some(A));
    assert_eq!(kernel.running(), A);
}

/// Row by row: what happens, with a kernel's rules.
mod happens {
    use super::*;

    pub fn switch_to<R: Rules>(ranks: Ranks) -> ThreadId {
        let mut kernel = Kernel::<R>::new();
        start(&mut kernel, B, ranks.b);
        a_runs(&mut kernel, ranks);
        kernel.thread_switch(Some(B));
        kernel.running()
    }

    pub fn switch_to_nobody<R: Rules>(ranks: Ranks) -> ThreadId {
        let mut kernel = Kernel::<R>::new();
        a_runs(&mut kernel, ranks);
        kernel.thread_switch(None);
        kernel.running()
    }

    pub fn slice_ends<R: Rules>(ranks: Ranks) -> ThreadId {
        let mut kernel = Kernel::<R>::new();
        a_runs(&mut kernel, ranks);
        assert!(kernel.tick(1000));
        kernel.running()
    }

    pub fn send_blocks<R: Rules>(ranks: Ranks) -> ThreadId {
        let mut kernel = Kernel::<R>::new();
        start(&mut kernel, B, ranks.b);
        a_runs(&mut kernel, ranks);
        kernel.ipc(Ipc::send(B)).expect("patient");
        kernel.running()
    }

    pub fn receive_blocks<R: Rules>(ranks: Ranks) -> ThreadId {
        let mut kernel = Kernel::<R>::new();
        start(&mut kernel, C, ranks.c);
        a_runs(&mut kernel, ranks);
        kernel.ipc(Ipc::receive(C)).expect("patient");
        kernel.running()
    }

    pub fn send<R: Rules>(ranks: Ranks) -> ThreadId {
        let mut kernel = Kernel::<R>::new();
        blocked(&mut kernel, B, ranks.b, Ipc::wait());
        a_runs(&mut kernel, ranks);
        kernel.ipc(Ipc::send(B)).expect("it waits");
        kernel.running()
    }

    /// Notifications follow the rule of a send.
    pub fn notify<R: Rules>(ranks: Ranks) -> ThreadId {
        let mut kernel = Kernel::<R>::new();
        blocked(&mut kernel, B, ranks.b, Ipc::wait());
        a_runs(&mut kernel, ranks);
        kernel.notify(B, 1);
        kernel.running()
    }

    pub fn receive<R: Rules>(ranks: Ranks) -> ThreadId {
        let mut kernel = Kernel::<R>::new();
        blocked(&mut kernel, C, ranks.c, Ipc::send(A));
        a_runs(&mut kernel, ranks);
        kernel.ipc(Ipc::receive(C)).expect("it sends");
        kernel.running()
    }

    pub fn call<R: Rules>(ranks: Ranks) -> ThreadId {
        let mut kernel = Kernel::<R>::new();
        blocked(&mut kernel, B, ranks.b, Ipc::wait());
        a_runs(&mut kernel, ranks);
        kernel.ipc(Ipc::call(B)).expect("it waits");
        kernel.running()
    }

    pub fn reply_wait<R: Rules>(ranks: Ranks) -> ThreadId {
        answers::<R>(ranks, Ipc::reply_wait(B))
    }

    pub fn send_and_receive<R: Rules>(ranks: Ranks) -> ThreadId {
        answers::<R>(ranks, Ipc { from: Some(From::Thread(C)), ..Ipc::send(B) })
    }

    fn answers<R: Rules>(ranks: Ranks, ipc: Ipc) -> ThreadId {
        let mut kernel = Kernel::<R>::new();
        blocked(&mut kernel, B, ranks.b, Ipc::receive(A));
        blocked(&mut kernel, C, ranks.c, Ipc::send(A));
        a_runs(&mut kernel, ranks);
        kernel.ipc(ipc).expect("both are there");
        kernel.running()
    }

    /// B waits for its line.
    fn handler<R: Rules>(ranks: Ranks) -> Kernel<R> {
        let mut kernel = Kernel::<R>::new();
        start(&mut kernel, B, ranks.b);
        kernel.register(LINE, IRQ, B);
        kernel.ipc(Ipc::wait()).expect("patient");
        kernel
    }

    pub fn interrupt<R: Rules>(ranks: Ranks) -> ThreadId {
        let mut kernel = handler::<R>(ranks);
        a_runs(&mut kernel, ranks);
        kernel.interrupt(LINE);
        kernel.running()
    }

    pub fn interrupt_when_idle<R: Rules>(ranks: Ranks) -> ThreadId {
        let mut kernel = handler::<R>(ranks);
        start(&mut kernel, M, 1);
        kernel.thread_switch(Some(IDLE));
        kernel.interrupt(LINE);
        kernel.running()
    }

    /// The line's thread delivers when it has the processor: A was as urgent as its handler.
    pub fn delivery<R: Rules>(ranks: Ranks) -> ThreadId {
        let mut kernel = handler::<R>(ranks);
        start(&mut kernel, A, ranks.b);
        kernel.interrupt(LINE);
        assert_eq!(kernel.running(), A);
        start(&mut kernel, M, 1);
        kernel.thread_switch(Some(IRQ));
        kernel.running()
    }

    /// The handler has replied; the device has interrupted meanwhile, or hasn't.
    fn replied<R: Rules>(ranks: Ranks, again: bool) -> ThreadId {
        let mut kernel = handler::<R>(ranks);
        kernel.interrupt(LINE);
        assert_eq!(kernel.running(), B);
        start(&mut kernel, M, 1);
        kernel.thread_switch(Some(B));
        if again {
            kernel.interrupt(LINE);
        }
        kernel.ipc(Ipc::reply_wait(IRQ)).expect("it waits for the reply");
        kernel.running()
    }

    pub fn replied_to_more<R: Rules>(ranks: Ranks) -> ThreadId {
        replied::<R>(ranks, true)
    }

    pub fn replied_to_all<R: Rules>(ranks: Ranks) -> ThreadId {
        replied::<R>(ranks, false)
    }
}

/// A situation under the three ways to keep the queue.
macro_rules! queues {
    ($situation:ident) => {
        &[
            happens::$situation::<DirectLazy> as Situation,
            happens::$situation::<DirectEager>,
            happens::$situation::<DirectBenno>,
        ]
    };
}

#[test]
fn row_1_a_switch_to_a_thread_is_a_donation() {
    holds(queues!(switch_to), |_| B);
}

#[test]
fn row_2_a_switch_to_nobody_asks_the_scheduler() {
    holds(queues!(switch_to_nobody), |_| M);
}

#[test]
fn row_3_the_end_of_a_slice_asks_the_scheduler() {
    holds(queues!(slice_ends), |_| M);
}

#[test]
fn row_4_a_send_that_blocks_asks_the_scheduler() {
    holds(queues!(send_blocks), |_| M);
}

#[test]
fn row_5_a_receive_that_blocks_asks_the_scheduler() {
    holds(queues!(receive_blocks), |_| M);
}

#[test]
fn row_6_a_send_switches_to_a_receiver_that_is_more_urgent() {
    let expected = |ranks: Ranks| if ranks.b < ranks.a { B } else { A };
    holds(queues!(send), expected);
    holds(queues!(notify), expected);
    fails(happens::send::<L4Mips>, expected);
    fails(happens::notify::<L4MipsLater>, expected);
}

#[test]
fn row_7_a_send_of_early_mips_switches_to_the_receiver() {
    holds(&[happens::send::<L4Mips>], |_| B);
    fails(happens::send::<DirectLazy>, |_| B);
}

#[test]
fn row_8_a_send_of_later_mips_goes_on() {
    holds(&[happens::send::<L4MipsLater>], |_| A);
    fails(happens::send::<DirectLazy>, |_| A);
}

#[test]
fn row_9_a_receive_switches_to_the_sender() {
    holds(queues!(receive), |_| C);
    fails(happens::receive::<FullLazy>, |_| C);
}

#[test]
fn row_10_a_call_switches_to_the_server() {
    holds(queues!(call), |_| B);
    fails(happens::call::<FullLazy>, |_| B);
}

#[test]
fn row_11_an_answer_with_an_open_receive_prefers_the_next_of_equals() {
    let expected = |ranks: Ranks| if ranks.b < ranks.c { B } else { C };
    holds(queues!(reply_wait), expected);
    fails(happens::reply_wait::<AnsweredFirst>, expected);
}

#[test]
fn row_12_an_answer_with_a_closed_receive_prefers_the_next_of_equals() {
    let expected = |ranks: Ranks| if ranks.b < ranks.c { B } else { C };
    holds(queues!(send_and_receive), expected);
    fails(happens::send_and_receive::<FullLazy>, expected);
}

#[test]
fn row_13_an_interrupt_switches_to_a_handler_that_is_more_urgent() {
    let expected = |ranks: Ranks| if ranks.b < ranks.a { B } else { A };
    holds(queues!(interrupt), expected);
    fails(happens::interrupt::<FullLazy>, expected);
}

#[test]
fn row_14_an_interrupt_of_the_idle_thread_switches_to_the_handler() {
    holds(queues!(interrupt_when_idle), |_| B);
    fails(happens::interrupt_when_idle::<FullLazy>, |_| B);
}

#[test]
fn row_15_a_line_that_delivers_switches_to_the_handler() {
    holds(queues!(delivery), |_| B);
    fails(happens::delivery::<FullLazy>, |_| B);
}

#[test]
fn row_16_a_line_with_more_to_deliver_switches_to_the_handler() {
    holds(queues!(replied_to_more), |_| B);
    fails(happens::replied_to_more::<FullLazy>, |_| B);
}

#[test]
fn row_17_a_line_without_more_asks_the_scheduler() {
    holds(queues!(replied_to_all), |_| M);
    fails(happens::replied_to_all::<L4Ka>, |_| M);
}

#[test]
fn row_18_a_line_without_more_goes_to_the_idle_thread_in_l4ka() {
    holds(&[happens::replied_to_all::<L4Ka>], |_| IDLE);
    fails(happens::replied_to_all::<DirectLazy>, |_| IDLE);
}
