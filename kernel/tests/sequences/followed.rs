//! State messages that are followed: what was written there is told when the kernel is entered, the last value and how
//! often.

use beryl_abi::{CallNumber, Classes, Instant, Kind, Line, Range, Record, StateMessageId, ThreadId};
use beryl_kernel::{Call, Event, StateMessage};
use beryl_testing::{Draw, XorShiftStar as Random};

use crate::host::Rig;
use crate::host::draft::{Draft, Following, Queue};
use crate::host::objects::memory;

/// The messages: two words in four buffers, one word, three words in two buffers, again one word, and one that isn't
/// followed. The first has its count right before its buffers, others elsewhere.
const MESSAGES: [StateMessage; 5] = [
    message(0x7000, 0x7004, 8, 4),
    message(0, 0x7100, 4, 1),
    message(0x7200, 0x7280, 12, 2),
    message(0, 0x7300, 4, 1),
    message(0x7400, 0x7404, 8, 2),
];
/// Who writes each of them.
const WRITERS: [u8; 5] = [1, 1, 2, 1, 1];

const fn message(index: u32, base: u32, length: u16, depth: u8) -> StateMessage {
    StateMessage { readers: 0, index, base, length, depth }
}

/// Three threads, the last the most urgent, while the host listens to these classes.
fn begun(classes: Classes) -> Rig<Following> {
    let mut draft = Draft::<Following>::new(&[Queue::Fixed]);
    for thread in 0..3 {
        draft.free(thread, 0, 5 + thread);
    }
    let mut system = draft.finish().0;
    (0..3).for_each(|process| system.processes[process].memory[0] = memory(u8::try_from(process).unwrap()));
    system.state_messages = MESSAGES;
    let mut rig = Rig::new(&system);
    rig.kernel.state.record(classes);
    rig.raise(Event::Start);
    rig
}

/// A value whose words are this number and those behind it is written, as `user` does: to the buffer behind the newest,
/// then the count goes on.
fn write(rig: &mut Rig<Following>, message: usize, first: u32) {
    let StateMessage { index, base, length, depth, .. } = MESSAGES[message];
    let host = rig.host();
    let count = if index == 0 { 0 } else { host.word(index).wrapping_add(1) };
    let buffer = base + (count & (u32::from(depth) - 1)) * u32::from(length);
    host.memory.extend((0..u32::from(length) / 4).map(|word| (buffer + 4 * word, first.wrapping_add(word))));
    if index != 0 {
        host.memory.insert(index, count);
    }
}

fn sleep(rig: &mut Rig<Following>, until: u32) {
    let call = Call { number: CallNumber::SleepUntil as u32, arguments: [255, until, 0, 0] };
    rig.raise(Event::Call(call));
}

/// What was told since somebody looked last: the message, how often it was written, and the words of its value.
fn told(rig: &mut Rig<Following>) -> Vec<(u8, u32, Vec<u32>)> {
    let records = std::mem::take(&mut rig.host().records);
    let told = |record| {
        let Record::State { message: StateMessageId(number), writes, value } = record else { return None };
        Some((number, writes, words(rig, value)))
    };
    records.into_iter().filter_map(told).collect()
}

fn words(rig: &Rig<Following>, Range { address, length }: Range) -> Vec<u32> {
    let host = &rig.kernel.machine;
    (0..length / 4).map(|word| host.word(address + 4 * word)).collect()
}

fn value(first: u32, words: u32) -> Vec<u32> {
    (0..words).map(|word| first.wrapping_add(word)).collect()
}

#[test]
fn what_a_thread_has_written_is_told_before_all_that_the_kernel_does() {
    let mut rig = begun(Classes::STATES.with(Classes::SWITCHES));
    rig.host().records.clear();
    // The most urgent one runs, writes its own three times, and sleeps then.
    [10, 20, 30].into_iter().for_each(|first| write(&mut rig, 2, first));
    sleep(&mut rig, 100);
    let records = rig.host().records.clone();
    assert!(
        matches!(
            records.as_slice(),
            [
                Record::State { message: StateMessageId(2), writes: 3, .. },
                Record::Switch { to: ThreadId(1), from: ThreadId(2) }
            ]
        ),
        "{records:?}"
    );
    assert_eq!(told(&mut rig), [(2, 3, value(30, 3))]);
    // The next one has three, of which it writes two, in another order, and one of which nobody is told.
    write(&mut rig, 4, 1);
    write(&mut rig, 1, 5);
    write(&mut rig, 0, 7);
    rig.raise(Event::Interrupt(Line(77)));
    assert_eq!(told(&mut rig), [(0, 1, value(7, 2)), (1, 1, value(5, 1))]);
    // Nothing is told twice. A word that is written anew with what it is counts as nothing; a counted value is told.
    write(&mut rig, 1, 5);
    write(&mut rig, 0, 7);
    rig.raise(Event::Interrupt(Line(77)));
    assert_eq!(told(&mut rig), [(0, 1, value(7, 2))]);
    rig.raise(Event::Interrupt(Line(77)));
    assert_eq!(told(&mut rig), []);
    // What it writes until the alarm is told before the more urgent one has the processor again.
    write(&mut rig, 3, 9);
    rig.host().clock = Instant::from_ticks(100);
    rig.raise(Event::Alarm);
    assert_eq!(told(&mut rig), [(3, 1, value(9, 1))]);
}

#[test]
fn while_nobody_listens_nothing_is_told_and_what_was_written_is_counted_afterwards() {
    let mut rig = begun(Classes::SWITCHES);
    [10, 20].into_iter().for_each(|first| write(&mut rig, 2, first));
    rig.raise(Event::Interrupt(Line(77)));
    assert_eq!(told(&mut rig), []);
    rig.kernel.state.record(Classes::STATES);
    write(&mut rig, 2, 30);
    rig.raise(Event::Interrupt(Line(77)));
    assert_eq!(told(&mut rig), [(2, 3, value(30, 3))]);
}

#[test]
fn the_buffer_gets_the_beginning_of_a_value_behind_its_note() {
    let mut rig = begun(Classes::NONE);
    sleep(&mut rig, 1_000_000);
    sleep(&mut rig, 1_000_000);
    let call = |number: CallNumber, arguments| Event::Call(Call { number: number as u32, arguments });
    // Thread 0 reads, and is preempted by whoever writes.
    rig.raise(call(CallNumber::TraceClasses, [Classes::STATES.0.into(), 0, 0, 0]));
    rig.host().clock = Instant::from_ticks(1_000_000);
    rig.raise(Event::Alarm);
    write(&mut rig, 2, 40);
    sleep(&mut rig, 2_000_000);
    write(&mut rig, 1, 50);
    sleep(&mut rig, 2_000_000);
    let Range { address, .. } = memory(0);
    rig.raise(call(CallNumber::TraceRead, [0, address, 16 * 4, 0]));
    let note = |rig: &Rig<Following>, number: u32| {
        let [header, _, first, second] =
            [0, 4, 8, 12].map(|word| rig.kernel.machine.word(address + 16 * number + word));
        (header & 0xFF, header >> 8 & 0xFFFF, header >> 24 & 0xF, first, second)
    };
    let [state, part, class] = [Kind::State as u32, Kind::Part as u32, 13];
    assert_eq!(
        [0, 1, 2, 3].map(|number| note(&rig, number)),
        [
            (state, 2, class, 1, 12),
            (part, 0, class, 40, 41),
            (part, 0, class, 42, 0),
            (state, 1, class, 1, 4)
        ]
    );
}

/// Threads write whatever they like, also where the count stands, and the kernel is entered now and then: what is told is
/// what a plain list has.
#[test]
fn whatever_is_written_the_kernel_tells_as_a_plain_list_does() {
    const SEED: u64 = 121;
    let mut random = Random::from_zero(SEED);
    let mut rig = begun(Classes::STATES);
    rig.host().records.clear();
    let mut marks = [0_u32; 5];
    let mut running = 2_u8;
    for round in 0..3000 {
        for _ in 0..random.below(4) {
            let mine: Vec<usize> = (0..5).filter(|message| WRITERS[*message] == running).collect();
            let Some(message) = mine.get(random.below(4)) else { continue };
            write(&mut rig, *message, u32::try_from(random.below(3)).unwrap());
            let index = MESSAGES[*message].index;
            if index != 0 && random.below(20) == 0 {
                let forged = u32::try_from(random.below(1 << 32)).unwrap();
                rig.host().memory.insert(index, forged);
            }
        }
        // In the order of the table: by writers, then as declared.
        let mut expected = Vec::new();
        for message in [0, 1, 3, 2].into_iter().filter(|message| WRITERS[*message] == running) {
            let StateMessage { index, base, length, depth, .. } = MESSAGES[message];
            let mark = rig.host().word(if index == 0 { base } else { index });
            let before = std::mem::replace(&mut marks[message], mark);
            if mark != before {
                let count = if index == 0 { 0 } else { mark };
                let place = base + (count & (u32::from(depth) - 1)) * u32::from(length);
                let writes = if index == 0 { 1 } else { mark.wrapping_sub(before) };
                let value = words(&rig, Range::new(place, length.into()));
                expected.push((u8::try_from(message).unwrap(), writes, value));
            }
        }
        match (random.below(3), running) {
            (0, 1 | 2) => {
                let until = rig.host().clock.ticks() + 1_000;
                sleep(&mut rig, u32::try_from(until).unwrap());
                running -= 1;
            }
            (1, 0) => {
                rig.host().clock = Instant::from_ticks(rig.host().clock.ticks() + 1_000);
                rig.raise(Event::Alarm);
                running = 2;
            }
            _ => {
                rig.raise(Event::Interrupt(Line(77)));
            }
        }
        assert_eq!(told(&mut rig), expected, "seed {SEED}, round {round}");
    }
}
