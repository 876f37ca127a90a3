//! Bad handles, pointers, lengths and callers: each an error, and nothing has changed by it.

use beryl_abi::call::{LONGEST_WAIT, Operand, POLL};
use beryl_abi::{CallNumber, SemaphoreId, ThreadId, Wanted};
use beryl_kernel::{SemaphoreKind, Sizes};

use crate::host::Do::{self, Ask, Call, Interrupt, Number};
use crate::host::Rig;
use crate::host::asks::Wait::{AtMost, Forever, Poll};
use crate::host::asks::*;
use crate::host::draft::{Draft, Queue, Small};
use crate::host::objects::{memory, stack};
use crate::others::{Others, PROCESSES};

/// Asks, and expects to be refused: the kernel's state and all memory are as before.
#[track_caller]
fn refused<S: Sizes>(rig: &mut Rig<S>, ask: Do, error: &str) {
    let (state, memory) = (rig.state().clone(), rig.host().memory.clone());
    let unmasked = rig.host().unmasked.clone();
    rig.step(ask);
    let line = rig.host().log.last().cloned().unwrap_or_default();
    assert!(line.ends_with(&format!(" {error}")), "{ask:?}: {line}");
    assert!(*rig.state() == state, "{ask:?} has changed the kernel's state");
    assert_eq!(rig.host().memory, memory, "{ask:?}");
    assert_eq!(rig.host().unmasked, unmasked, "{ask:?}");
}

#[test]
fn objects_of_others_and_objects_that_there_are_not() {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    let others = Others::drawn(&mut draft);
    let Others { condition, mailbox, endpoint, group, notification, interrupt, message, .. } = others;
    let binary = draft.semaphore(PROCESSES, SemaphoreKind::Binary { word: 0 });
    let counting = draft.semaphore(PROCESSES, SemaphoreKind::Counting { initial: 1, most: 2 });
    let own = draft.binary();
    let system = Others::own(draft.finish().0);
    let mut rig = crate::host::play(&system, &[]);
    let asks = |far: u8| {
        let number = |id: u8| if far == 0 { id } else { far };
        [
            take(SemaphoreId(number(binary.0))),
            take(SemaphoreId(number(counting.0))),
            give(SemaphoreId(number(binary.0))),
            give(SemaphoreId(number(counting.0))),
            await_bits_then(1, SemaphoreId(number(binary.0)), Forever),
            await_bits_then(1, SemaphoreId(number(counting.0)), Forever),
            signal(beryl_abi::ConditionId(number(condition.0))),
            broadcast(beryl_abi::ConditionId(number(condition.0))),
            await_condition(beryl_abi::ConditionId(number(condition.0)), own, Forever),
            send(beryl_abi::MailboxId(number(mailbox.0)), [1, 2], Forever),
            receive(beryl_abi::MailboxId(number(mailbox.0)), 0, Forever),
            call(beryl_abi::EndpointId(number(endpoint.0)), [1, 2]),
            notify(beryl_abi::NotificationId(number(notification.0)), 1),
            acknowledge(beryl_abi::InterruptId(number(interrupt.0))),
            await_interrupt(
                beryl_abi::InterruptId(if far == 255 { 254 } else { number(interrupt.0) }),
                1,
                Forever,
            ),
            read_state(beryl_abi::StateMessageId(number(message.0)), stack(ThreadId(0)).address),
            set_group(beryl_abi::EventGroupId(number(group.0)), 1),
            clear_group(beryl_abi::EventGroupId(number(group.0)), 1),
            await_group(beryl_abi::EventGroupId(number(group.0)), 1, 0, Forever),
        ]
    };
    // of another process; the last row of a table, which nobody may name; beyond the tables
    for far in [0, 7, 200, 254] {
        for ask in asks(far) {
            refused(&mut rig, ask, "NoSuchObject");
        }
    }
}

#[test]
fn a_counting_semaphore_can_not_be_promised_nor_be_a_conditions_lock() {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    draft.free(0, 0, 9);
    let (units, condition) = (draft.counting(1, 1), draft.condition());
    let mut rig = crate::host::play(&draft.finish().0, &[]);
    refused(&mut rig, await_bits_then(1, units, Forever), "NoSuchObject");
    refused(&mut rig, await_condition(condition, units, Forever), "NoSuchObject");
}

#[test]
fn memory_that_is_not_the_callers() {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    let client = draft.free(1, 0, 9);
    let server = draft.free(1, 0, 10);
    let mailbox = draft.mailbox(64, 1);
    let endpoint = draft.endpoint(server, 64, 12);
    let message = draft.state_message(0, memory(0).address, 64, 1);
    let script = [await_request(endpoint, memory(1).address, Forever)];
    let mut rig = crate::host::play(&draft.finish().0, &script);
    assert_eq!(rig.state().running(), client);
    let (own, end) = (memory(1), memory(1).address + memory(1).length);
    let bad = [
        0,
        1,
        own.address + 2,
        own.address - 4,
        end - 60,
        end,
        u32::MAX - 3,
        u32::MAX,
        // another process's memory, and another thread's stack of the same process
        memory(2).address,
        stack(server).address,
        // in its own stack, but not in words
        stack(client).address + 2,
        // into the next stack
        stack(client).address + 0x100 - 60,
    ];
    for address in bad {
        refused(&mut rig, send(mailbox, [address, 0], Forever), "BadAddress");
        refused(&mut rig, receive(mailbox, address, Forever), "BadAddress");
        refused(&mut rig, read_state(message, address), "BadAddress");
        refused(&mut rig, call(endpoint, [address, own.address]), "BadAddress");
    }
    refused(&mut rig, call(endpoint, [own.address, end - 8]), "BadAddress");
    // the last that fits
    rig.step(call(endpoint, [end - 64, end - 12]));
    assert_eq!(rig.state().running(), server);
    refused(&mut rig, reply(endpoint, [own.address, end - 60]), "BadAddress");
    refused(&mut rig, reply(endpoint, [end - 8, own.address]), "BadAddress");
    rig.step(reply(endpoint, [end - 12, end - 64]));
    assert_eq!(rig.state().running(), client);
}

#[test]
fn timeouts_that_are_too_long() {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    let thread = draft.free(0, 0, 9);
    let (units, there, mailbox) = (draft.counting(0, 1), draft.counting(1, 1), draft.mailbox(8, 1));
    let (group, bits) = (draft.event_group(), draft.notification(thread, 2));
    let mut rig = crate::host::play(&draft.finish().0, &[notify(bits, 2)]);
    for ticks in [LONGEST_WAIT + 1, u32::MAX - 1] {
        refused(&mut rig, take_for(units, AtMost(ticks)), "TooLong");
        refused(&mut rig, receive(mailbox, 0, AtMost(ticks)), "TooLong");
        refused(&mut rig, await_bits(1, AtMost(ticks)), "TooLong");
        refused(&mut rig, await_group(group, 1, 0, AtMost(ticks)), "TooLong");
        // though nobody would have to wait
        refused(&mut rig, take_for(there, AtMost(ticks)), "TooLong");
        refused(&mut rig, send(mailbox, [1, 2], AtMost(ticks)), "TooLong");
        refused(&mut rig, await_bits(2, AtMost(ticks)), "TooLong");
    }
    rig.step(take_for(units, AtMost(LONGEST_WAIT)));
    assert_ne!(rig.state().running(), ThreadId(0));
}

#[test]
fn calls_that_are_not_for_threads_of_this_kind() {
    use CallNumber::{Complete, DriverDone, Stop, WaitPeriod};
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    let free = draft.free(0, 0, 9);
    let (semaphore, mailbox) = (draft.binary(), draft.mailbox(8, 1));
    let (condition, group) = (draft.condition(), draft.event_group());
    let endpoint = draft.endpoint(ThreadId(5), 8, 8);
    let (system, idle) = draft.finish();
    let mut rig = crate::host::play(&system, &[]);
    assert_eq!(rig.state().running(), free);
    for ask in [
        Call(Complete),
        Call(DriverDone),
        Ask(WaitPeriod, [Operand::NO_OBJECT.into(), 0, 0, POLL]),
        await_request(endpoint, 0, Forever),
        reply(endpoint, [0, 0]),
    ] {
        refused(&mut rig, ask, "WrongCaller");
    }
    for number in [CallNumber::ALL.len() as u32, 100, u32::MAX, 1 << 31] {
        refused(&mut rig, Number(number), "UnknownCall");
    }
    rig.step(Call(Stop));
    assert_eq!(rig.state().running(), idle);
    // who idles never waits, not even for what is there
    for ask in [
        Call(Stop),
        take_for(semaphore, Poll),
        receive(mailbox, 0, Poll),
        send(mailbox, [1, 2], Poll),
        call(endpoint, [1, 2]),
        await_condition(condition, semaphore, Poll),
        sleep_until(0),
        await_bits(1, Poll),
        await_group(group, 1, 0, Poll),
        await_period(),
    ] {
        refused(&mut rig, ask, "WrongCaller");
    }
}

#[test]
fn what_would_have_to_wait_is_refused_to_who_polls() {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    draft.free(0, 0, 9);
    let [a, b] = [(); 2].map(|()| draft.counting(0, 1));
    let (mailbox, interrupt) = (draft.mailbox(8, 1), draft.interrupt(10, ThreadId(0), 1));
    let group = draft.event_group();
    let script = [send(mailbox, [1, 2], Poll), Interrupt(10), await_bits(1, Poll), set_group(group, 0b10)];
    let mut rig = crate::host::play(&draft.finish().0, &script);
    refused(&mut rig, take_for(a, Poll), "WouldBlock");
    refused(&mut rig, take_for(b, Poll), "WouldBlock");
    refused(&mut rig, send(mailbox, [3, 4], Poll), "WouldBlock");
    refused(&mut rig, await_bits(1, Poll), "WouldBlock");
    refused(&mut rig, await_interrupt(interrupt, 1, Poll), "WouldBlock");
    refused(&mut rig, await_group(group, 0b11, Wanted::ALL | Wanted::TAKE, Poll), "WouldBlock");
    refused(&mut rig, await_group(group, 1, 0, Poll), "WouldBlock");
    // nothing could end such a wait, whatever is set
    for how in 0..4 {
        refused(&mut rig, await_group(group, 0, how, Forever), "NoBits");
    }
}

/// Thread 0 runs. 1 is of the same process, without a range; 2 is of another; 3 stands in a dynamic band; 4 is idle.
#[test]
fn priorities_of_others_and_beyond_the_range() {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed, Queue::Dynamic(2)]);
    let me = draft.free(1, 0, 9);
    let sibling = draft.free(1, 0, 4);
    let stranger = draft.free(2, 0, 3);
    let dynamic = draft.free(1, 1, 0);
    draft.range(me, [3, 12]);
    draft.range(stranger, [1, 5]);
    let (system, idle) = draft.finish();
    let mut rig = crate::host::play(&system, &[]);
    for priority in [2, 13, 31, 32, 256 + 9, u32::MAX] {
        refused(&mut rig, set_priority(me, priority), "OutOfRange");
    }
    for priority in [3, 5, 0x104] {
        refused(&mut rig, set_priority(sibling, priority), "OutOfRange");
    }
    refused(&mut rig, set_priority(dynamic, 0), "OutOfRange");
    // strangers, the idle thread of process 0, rows that fill the table, and beyond it
    for thread in [stranger, idle, ThreadId(7), ThreadId(8), ThreadId::NONE] {
        refused(&mut rig, set_priority(thread, 3), "NoSuchObject");
    }
}
