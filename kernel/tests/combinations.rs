//! Kernels with and without their parts (`kernel/src/parts.rs`): a part that a system doesn't use changes
//! nothing by being left out.
//!
//! Each kernel runs random systems that use the parts which it has, step for step as the kernel with all
//! parts does. The kernels are those of an orthogonal array of strength three: of any three parts, all eight
//! ways to have and to lack them are there. Some have budgets, gates, windows, and processes that begin anew besides, and police sections and answers: of any two other parts, all
//! four ways are among them.

mod host;

use beryl_abi::CallNumber::{Complete, ExecutionTime, TraceClasses, TraceEvent, TraceRead, Yield};
use beryl_abi::{FaultKind, Incident, Line, SlotId};
use beryl_kernel::{Asked, Budget, ComesBack, Gated, OnEarly, OnSpent, Program, Sizes, System, Table};
use beryl_syscode::{Condition, Instruction};
use beryl_testing::{Draw, XorShiftStar as Random};
use host::asks::{
    Wait, await_group, await_period, await_request, call as ask_server, check_slot, clear_group, give,
    notify, preempt, receive, reply, send, set_group, set_priority, sleep_until, take, write_slot,
};
use host::code::{RETURN, call, future, release, when};
use host::draft::{Draft, Queue};
use host::user::level;
use host::{Do, play};

/// The parts of a kernel that a system may use.
#[derive(Clone, Copy, Debug)]
struct Has {
    shared: bool,
    grouped: bool,
    periodic: bool,
    handlers: bool,
    event_triggers: bool,
    turns: bool,
    rooms: bool,
    buffer: bool,
    ranged: bool,
    rounds: bool,
    ceilings: bool,
    budgeted: bool,
    pooled: bool,
    gated: bool,
    restarted: bool,
    supervised: bool,
    partitioned: bool,
}

impl Has {
    fn of<S: Sizes>() -> Has {
        Has {
            shared: S::SHARED,
            grouped: S::GROUPED,
            periodic: S::PERIODIC,
            handlers: S::HANDLERS,
            event_triggers: S::EventTriggers::LENGTH > 1,
            turns: S::Triggers::LENGTH > S::Programs::LENGTH,
            rooms: S::Rooms::LENGTH > 1,
            buffer: S::Notes::LENGTH > 1,
            ranged: S::RANGED,
            rounds: S::ROUNDS,
            ceilings: S::CEILINGS,
            budgeted: S::BUDGETED,
            pooled: S::POOLED,
            gated: S::GATED,
            restarted: S::RESTARTED,
            supervised: S::SUPERVISED,
            partitioned: S::PARTITIONED,
        }
    }
}

/// Declares a kernel: for each part `yes` or `no`.
macro_rules! kernels {
    ($($name:ident: $shared:ident $grouped:ident $periodic:ident $scheduled:ident $handlers:ident $event_triggers:ident $turns:ident $rooms:ident $buffer:ident $ranged:ident $rounds:ident $ceilings:ident;)+) => {
        $(kernels! { @groups $name [$shared $periodic $handlers $ranged $rounds $ceilings] [] $grouped $scheduled $rooms $event_triggers $turns $buffer })+

        #[test]
        fn parts_that_are_left_out_change_nothing() {
            $(assert_goes_as_with_all::<$name::Without>(stringify!($name));)+
        }
    };
    (@groups $name:ident $flags:tt [] yes $($rest:ident)+) => { kernels! { @schedules $name $flags [, event_groups: 2] $($rest)+ } };
    (@groups $name:ident $flags:tt [] no $($rest:ident)+) => { kernels! { @schedules $name $flags [] $($rest)+ } };
    (@schedules $name:ident $flags:tt [$($done:tt)*] yes $($rest:ident)+) => { kernels! { @rooms $name $flags [$($done)*, schedules: 2] $($rest)+ } };
    (@schedules $name:ident $flags:tt $done:tt no $($rest:ident)+) => { kernels! { @rooms $name $flags $done $($rest)+ } };
    (@rooms $name:ident $flags:tt [$($done:tt)*] yes $($rest:ident)+) => {
        kernels! { @event_triggers $name $flags [$($done)*, program_slots: 1, rooms: 512, check_words: 512] $($rest)+ }
    };
    (@rooms $name:ident $flags:tt $done:tt no $($rest:ident)+) => { kernels! { @event_triggers $name $flags $done $($rest)+ } };
    (@event_triggers $name:ident $flags:tt [$($done:tt)*] yes yes $buffer:ident) => {
        kernels! { @buffer $name $flags [$($done)*, trigger_places: 4, event_triggers: 3, ports: 2, kept: 4] $buffer }
    };
    (@event_triggers $name:ident $flags:tt [$($done:tt)*] yes no $buffer:ident) => {
        kernels! { @buffer $name $flags [$($done)*, trigger_places: 2, event_triggers: 3, ports: 2] $buffer }
    };
    (@event_triggers $name:ident $flags:tt [$($done:tt)*] no yes $buffer:ident) => {
        kernels! { @buffer $name $flags [$($done)*, trigger_places: 4, event_triggers: 0, ports: 1] $buffer }
    };
    (@event_triggers $name:ident $flags:tt $done:tt no no $buffer:ident) => { kernels! { @buffer $name $flags $done $buffer } };
    (@buffer $name:ident $flags:tt [$($done:tt)*] yes) => {
        kernels! { @made $name $flags [$($done)*, notes: 4, reader: 0, told: 0] }
    };
    (@buffer $name:ident $flags:tt $done:tt no) => { kernels! { @made $name $flags $done } };
    (@made $name:ident [$shared:ident $periodic:ident $handlers:ident $ranged:ident $rounds:ident $ceilings:ident] [$($done:tt)*]) => {
        #[allow(non_snake_case, reason = "the kernels have names")]
        mod $name {
            kernels! { @sized Without [$shared $periodic $handlers $ranged $rounds $ceilings] [$($done)*] [] }
            kernels! { @with $shared [$shared $periodic $handlers $ranged $rounds $ceilings] [$($done)*] }
        }
    };
    (@with yes $flags:tt $done:tt) => { kernels! { @sized With $flags $done [, holds: &[0, 3, 2, 4, 0, 0, 0, 0], answers: &[0, 4, 0, 0, 0, 0, 0, 0], budgets: 8, pools: 8, gates: 2, restarts: 4, limits: 2, credits: 4, reports: 4, lacked: 8, watchdogs: 2, windows: 3, waits: &[beryl_kernel::Waits::Freely; 8]] } };
    (@with no $flags:tt $done:tt) => { kernels! { @sized With $flags $done [, holds: &[0, 3, 2, 4, 0, 0, 0, 0], budgets: 8, restarts: 4, lacked: 8, windows: 3, waits: &[beryl_kernel::Waits::Freely; 8]] } };
    (@sized $name:ident [$shared:ident $periodic:ident $handlers:ident $ranged:ident $rounds:ident $ceilings:ident] [$($done:tt)*] [$($budgets:tt)*]) => {
        beryl_kernel::sizes! {
            pub struct $name {
                threads: 8, processes: 4, bands: 4, slots: 16, drivers: 4, programs: 2, triggers: 8,
                semaphores: 2, conditions: 1, mailboxes: 2, endpoints: 1, notifications: 2, interrupts: 1,
                state_messages: 1 $($done)*, handlers: kernels!(@is $handlers), rounds: kernels!(@is $rounds), shared: kernels!(@is $shared),
                ceilings: kernels!(@is $ceilings),
                periodic: kernels!(@is $periodic), ranged: kernels!(@is $ranged) $($budgets)*
            }
        }
    };
    (@is yes) => { true };
    (@is no) => { false };
}

// The columns are those of a matrix of Hadamard of order 12, with one of ones before it, each row followed by
// its opposite, so that any three parts come in all ways. Event groups and ceiling locks need what is shared,
// and are left out where that is.
kernels! {
    //  shared grouped periodic scheduled handlers event triggers turns rooms buffer ranged rounds ceilings
    A1: yes yes yes yes yes yes yes yes yes yes yes yes;
    A2: no no no no no no no no no no no no;
    B1: no no no yes no no no yes yes yes yes yes;
    B2: yes no yes no yes yes yes no no no no no;
    C1: no no yes no yes no no no yes yes yes yes;
    C2: yes no no yes no yes yes yes no no no no;
    D1: no no yes yes no yes no no no yes no yes;
    D2: yes yes no no yes no yes yes yes no yes no;
    E1: no no no yes yes no yes no no no yes yes;
    E2: yes no yes no no yes no yes yes yes no no;
    F1: no no yes no yes yes no yes no no yes yes;
    F2: yes no no yes no no yes no yes yes no no;
    G1: no no yes yes no yes yes no yes no yes yes;
    G2: yes no no no yes no no yes no yes no no;
    H1: no no yes yes yes no yes yes no yes no yes;
    H2: yes yes no no no yes no no yes no yes no;
    I1: no no no yes yes yes no yes yes no no yes;
    I2: yes yes yes no no no yes no no yes yes no;
    J1: no no no no yes yes yes no yes yes no yes;
    J2: yes yes yes yes no no no yes no no yes no;
    K1: no no no no no yes yes yes no yes yes yes;
    K2: yes no yes yes yes no no no yes no no no;
    L1: no no yes no no no yes yes yes no no yes;
    L2: yes yes no yes yes yes no no no yes yes no;
}

/// A system that uses the parts, with what happens to it.
fn drawn<S: Sizes>(has: Has, seed: u64) -> (System<S>, Vec<Do>) {
    let mut random = Random::from_zero(seed);
    let mut draft = Draft::<S>::new(&[Queue::Fixed, Queue::Dynamic(4)]);
    let high = draft.free(0, 0, 2);
    let low = draft.free(1, 0, 1);
    let task = draft.task(1, 1, 0);
    let copy = draft.copy(task, 0x100, 0x104, 4);
    let mut asks = vec![
        Do::Call(Yield),
        Do::Call(ExecutionTime),
        Do::Call(Complete),
        Do::Ask(TraceEvent, [7, 9, 0, 0]),
        sleep_until(40),
        Do::Fault(FaultKind::Usage),
        Do::Number(99),
    ];
    if has.shared {
        let (semaphore, mailbox) = (draft.binary(), draft.mailbox(4, 2));
        let notification = draft.notification(high, 1);
        asks.extend([take(semaphore), give(semaphore), take(semaphore), give(semaphore)]);
        asks.extend([send(mailbox, [5, 0], Wait::Poll), receive(mailbox, 0, Wait::AtMost(9))]);
        asks.push(notify(notification, 1));
        let endpoint = draft.endpoint(low, 4, 4);
        asks.extend([ask_server(endpoint, [3, 0]), reply(endpoint, [4, 0])]);
        asks.extend([Wait::AtMost(7), Wait::Forever].map(|wait| await_request(endpoint, 0, wait)));
        if has.gated {
            let early = *random.one_of(&[OnEarly::Keep, OnEarly::Drop]);
            draft.gate(Gated::Notification(notification), 15, early);
            draft.gate(Gated::Mailbox(mailbox), 20, early);
            draft.limit(Asked::Mailbox(mailbox), 0, 3, 40);
        }
    }
    if has.ceilings {
        draft.row(high).highest_ceiling = 3;
        let raises = |level_of_a_lock| Do::Write(level(high), level_of_a_lock);
        asks.extend([raises(3), raises(0), preempt(), raises(0), preempt()]);
    }
    if has.grouped {
        let group = draft.event_group();
        asks.extend([await_group(group, 1, 0, Wait::AtMost(20)), set_group(group, 1), clear_group(group, 1)]);
    }
    if has.periodic {
        draft.periodic(0, 1, 7, 20);
        asks.extend([await_period(); 3]);
    }
    if has.ranged {
        draft.range(high, [1, 3]);
        asks.extend((0..5).map(|priority| set_priority(high, priority)));
    }
    if has.buffer {
        asks.extend([Do::Ask(TraceRead, [0, 0x200, 64, 0]), Do::Ask(TraceClasses, [0xFFF, 0, 0, 0])]);
    }
    if has.rooms {
        asks.extend([write_slot(SlotId(0), 0, 0x200, 32), check_slot(SlotId(0))]);
    }
    if has.budgeted {
        let reaction = *random.one_of(&[OnSpent::EndJob, OnSpent::Tell, OnSpent::Stop]);
        draft.budget(task, Budget { amount: 2, reaction, hold: 2, ..Budget::NONE });
        let reaction = if has.ranged { OnSpent::Lower } else { OnSpent::Tell };
        let comes_back = ComesBack::Every(15);
        let budget = Budget { amount: 3, comes_back, reaction, hold: 1, ..Budget::NONE };
        match has.pooled {
            true => draft.pool(&[high, low], budget),
            false => draft.budget(high, budget),
        }
    }
    if has.restarted {
        draft.restart(0, 1, 40);
        draft.restart(1, 2, 30);
    }
    if has.partitioned {
        draft.windows(&[(7, &[0, 1]), (4, &[0]), (9, &[1])]);
    }
    if has.supervised {
        let mailbox = draft.box_of_reports(0, 4);
        for incident in [Incident::Fault, Incident::Overrun, Incident::Violation] {
            draft.tell(mailbox, task.index(), incident);
        }
        draft.tell(mailbox, S::Threads::LENGTH, Incident::Refusal);
        draft.watchdog(high, mailbox, 12);
        asks.extend([receive(mailbox, 0, Wait::AtMost(9)), receive(mailbox, 0, Wait::Poll)]);
    }
    let mut code = vec![call(copy), release(task, 0), future(0, 0)];
    if has.rounds {
        // The release comes with one beat of two.
        code[0] = Instruction::Beat { beat: 0, address: 2 };
        code[2] = Instruction::Next { round: 0, address: 0 };
    }
    if has.turns {
        // Something more, between two releases.
        code.push(future(1, 5));
        code.extend([RETURN, call(copy)]);
    }
    code.push(RETURN);
    let handler = u16::try_from(code.len()).unwrap();
    code.push(Instruction::Terminate {});
    let program = draft.program(&[10, 3, 30], &code);
    if has.rounds {
        draft.conditions(program, &[Condition::Round { length: 2, beats: [0, 1, 2, 2] }]);
    }
    if has.handlers {
        draft.handlers(program, handler, Program::NO_HANDLER);
    }
    if has.rooms {
        draft.slot(program, 7);
    }
    if has.event_triggers {
        let watching = draft.program(&[], &[when(0, 2), RETURN, call(copy), when(0, 2), RETURN]);
        draft.conditions(
            watching,
            &[if random.once_in(2) { Condition::Interrupt(Line(5)) } else { Condition::Completed(task) }],
        );
    }
    let mut now = 0;
    let script = (0..150).map(|_| match random.below(5) {
        0 | 1 => {
            now += random.within(1, 6);
            Do::At(now)
        }
        2 => Do::Interrupt(5),
        _ => *random.one_of(&asks),
    });
    let script = script.collect();
    (draft.finish().0, script)
}

/// What a kernel does with a script, as far as there is anybody who does something.
fn story<S: Sizes>((system, script): (System<S>, Vec<Do>)) -> Vec<String> {
    play(&system, &script).kernel.machine.log
}

fn assert_goes_as_with_all<S: Sizes>(name: &str) {
    let has = Has::of::<S>();
    for seed in 0..12 {
        let own = story(drawn::<S>(has, seed));
        let all = match has.budgeted {
            true => story(drawn::<A1::With>(has, seed)),
            false => story(drawn::<A1::Without>(has, seed)),
        };
        assert!(own.len() > 60, "{name}, seed {seed}: little happens");
        if let Some(at) = own.iter().zip(&all).position(|(own, all)| own != all) {
            let before = &own[at.saturating_sub(6)..at];
            panic!("{name}, seed {seed}, {has:?}: behind {before:#?}\n{} instead of\n{}", own[at], all[at]);
        }
        assert_eq!(own.len(), all.len(), "{name}, seed {seed}");
    }
}

#[test]
fn what_is_enforced_goes_with_all_parts_and_without() {
    macro_rules! each {
        ($($name:ident)+) => { $(assert_goes_as_with_all::<$name::With>(stringify!($name));)+ };
    }
    each! { A1 A2 D1 E1 G2 H2 I2 K2 L1 }
}
