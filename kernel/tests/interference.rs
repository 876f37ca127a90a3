//! Whatever threads of one process ask of the kernel, another process with which they share no object
//! doesn't notice: it gets the same answers at the same instants, and its memory holds the same.

mod host;

use beryl_abi::{CallNumber, Fault, FaultKind, ThreadId};
use beryl_kernel::{Call, Event, System, Table, ThreadKind};
use beryl_testing::{Draw, XorShiftStar as Random};

use host::Rig;
use host::asks::Wait::{AtMost, Forever, Poll};
use host::asks::*;
use host::draft::{Draft, Large, Queue};
use host::objects::{memory, stack};
use host::user::level;
use host::{Do, EFFECTS, without};

/// The process that minds its own business, and the one that asks for anything.
const QUIET: u8 = 0;
const NOISY: u8 = 1;

/// Threads 0 to 2 are quiet and in the band above; 3 to 6 are noisy, of every kind. Each process has an
/// object of each kind to itself: the quiet one's come first.
fn system() -> System<Large> {
    let mut draft = Draft::<Large>::new(&[Queue::Fixed, Queue::Dynamic(4), Queue::Fixed]);
    let task = draft.task(NOISY, 2, 5);
    let quiet = [draft.free(QUIET, 0, 9), draft.free(QUIET, 0, 8), draft.periodic(QUIET, 0, 7, 40)];
    let noisy = [draft.within(NOISY, 1, 30), draft.periodic(NOISY, 1, 0, 25), draft.free(NOISY, 2, 3)];
    draft.release_every(task, 35);
    for thread in noisy {
        draft.row(thread).highest_ceiling = 3;
    }
    for (process, threads) in [(QUIET, quiet), (NOISY, noisy)] {
        draft.binary();
        draft.word(process, memory(process).address);
        draft.condition();
        draft.mailbox(8, 1);
        draft.mailbox(16, 1);
        draft.endpoint(threads[1], 8, 8);
        draft.event_group();
        draft.notification(threads[0], 0xF);
        draft.interrupt(10 + u16::from(process), threads[2], 1);
        draft.state_message(memory(process).address + 8, memory(process).address + 16, 12, 2);
    }
    let (mut system, _) = draft.finish();
    separate(&mut system);
    system
}

/// Every object is its process's alone.
fn separate(system: &mut System<Large>) {
    let mask = |index: usize, each: usize| if index < each { 1 << QUIET } else { 1 << NOISY };
    (0..4).for_each(|index| system.semaphores.at_mut(index).processes = mask(index, 2));
    (0..2).for_each(|index| system.conditions.at_mut(index).processes = mask(index, 1));
    for index in 0..4 {
        let row = system.mailboxes.at_mut(index);
        (row.senders, row.receivers) = (mask(index, 2), mask(index, 2));
    }
    for index in 0..2 {
        system.endpoints.at_mut(index).callers = mask(index, 1);
        let row = system.event_groups.at_mut(index);
        (row.sources, row.waiters) = (mask(index, 1), mask(index, 1));
        system.notifications.at_mut(index).senders = mask(index, 1);
        system.state_messages.at_mut(index).readers = mask(index, 1);
    }
}

/// What a quiet thread asks for next: among others of its own process, and by itself.
fn quiet_call(random: &mut Random, system: &System<Large>, me: ThreadId) -> Do {
    use beryl_abi::{ConditionId, EndpointId, EventGroupId, MailboxId, NotificationId, SemaphoreId};
    let wait = *random.one_of(&[Poll, Forever, AtMost(3), AtMost(17)]);
    let semaphore = SemaphoreId(random.below(2) as u8);
    let at = stack(me).address;
    let words = [random.next() as u32, random.next() as u32];
    match random.below(19) {
        0 | 1 => take_for(semaphore, wait),
        2..=4 => give(semaphore),
        5 => await_condition(ConditionId(0), semaphore, wait),
        6 => broadcast(ConditionId(0)),
        7 => send(MailboxId(0), words, wait),
        8 => receive_then(MailboxId(0), semaphore, wait),
        9 => send(MailboxId(1), [at, 0], wait),
        10 => receive(MailboxId(1), at, wait),
        11 => call(EndpointId(0), words),
        12 if random.once_in(2) => reply(EndpointId(0), words),
        12 => await_request(EndpointId(0), 0, wait),
        13 => notify(NotificationId(0), words[0] & 7),
        14 => await_bits(words[0] & 7, wait),
        15 => set_group(EventGroupId(0), words[0] & 7),
        16 => clear_group(EventGroupId(0), words[0] & 7),
        17 => await_group(EventGroupId(0), words[0] & 7, words[1] & 3, wait),
        _ if system.threads.at(me.index()).kind == ThreadKind::Periodic => await_period(),
        _ => sleep_until(words[0].into()),
    }
}

/// Anything: every number, every object, every address.
fn noisy_call(random: &mut Random) -> Event {
    if random.once_in(300) {
        return Event::Fault(Fault { kind: *random.one_of(&FaultKind::ALL), address: 0, instruction: 0 });
    }
    let mut word = || match random.below(8) {
        0 => random.next() as u32,
        1 => memory(random.below(2) as u8).address + 4 * random.below(16) as u32,
        2 => stack(ThreadId(random.below(7) as u8)).address,
        3 => random.below(8) as u32 | (random.below(6) as u32) << 8,
        4 => 0xFF | (random.below(6) as u32) << 8,
        _ => random.below(7) as u32,
    };
    let number = if word() % 30 == 0 { word() } else { word() % 35 };
    Event::Call(Call { number, arguments: [word(), word(), word(), word()] })
}

/// What the quiet process sees, with or without noise; and how often the others asked for anything.
fn run(seed: u64, noise: bool) -> (Vec<String>, Vec<(u32, u32)>, usize) {
    let system = system();
    let (mut quiet, mut loud) = (Random::from_zero(seed), Random::from_zero(seed ^ 0xBAD));
    let mut rig = Rig::new(&system);
    rig.raise(Event::Start);
    let mut asked = 0;
    for round in 1..60 {
        for _ in 0..6 {
            let me = rig.state().running();
            let row = system.threads.at(me.index());
            match row.kind {
                ThreadKind::Idle => break,
                _ if row.process.0 == QUIET => {
                    let ask = quiet_call(&mut quiet, &system, me);
                    // sleeps are about as long as a round
                    let ask = match ask {
                        Do::Ask(CallNumber::SleepUntil, [operand, low, ..]) => {
                            let until = rig.host().clock.ticks() + u64::from(low % 9);
                            Do::Ask(CallNumber::SleepUntil, [operand, until as u32, 0, 0])
                        }
                        other => other,
                    };
                    rig.step(ask);
                }
                _ if noise => {
                    asked += 1;
                    if loud.once_in(8) {
                        rig.host().memory.insert(level(me), loud.below(5) as u32);
                        rig.host().memory.insert(memory(NOISY).address, loud.next() as u32);
                    }
                    rig.raise(noisy_call(&mut loud));
                }
                _ => rig.step(Do::Call(CallNumber::Null)),
            }
        }
        if quiet.once_in(5) {
            rig.step(Do::Interrupt(10));
        }
        rig.step(Do::At(5 * round));
    }
    let log = without(rig.host().log.clone(), &EFFECTS);
    let seen = |line: &String| (1..4).any(|thread| line.contains(&format!("returns to {thread}: ")));
    let own = |address: &u32| {
        let stacks = (1..4).map(|thread| stack(ThreadId(thread)));
        stacks.chain([memory(QUIET)]).any(|range| range.contains(beryl_abi::Range::new(*address, 4)))
    };
    let memory = rig.host().memory.clone().into_iter().filter(|(address, value)| own(address) && *value != 0);
    (log.into_iter().filter(seen).collect(), memory.collect(), asked)
}

#[test]
fn a_process_does_not_notice_what_another_one_asks_for() {
    let (mut asked, mut answers) = (0, 0);
    for seed in 0..500 {
        let (calm, noisy) = (run(seed, false), run(seed, true));
        assert_eq!(calm.0, noisy.0, "seed {seed}");
        assert_eq!(calm.1, noisy.1, "seed {seed}");
        asked += noisy.2;
        answers += noisy.0.len();
    }
    assert!(asked > 12_000 && answers > 15_000, "{asked} calls of noise, {answers} answers");
}
