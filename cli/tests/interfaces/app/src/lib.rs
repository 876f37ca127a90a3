//! Each way in which the interface lets a thread go on: with another thread, with a device, with time.
//!
//! Everybody tells three events: that it begins to wait, that somebody is about to make it go on, and that it goes on.
#![no_std]
#![forbid(unsafe_code)]

use beryl_user::call;
use beryl_user::condition::Condition;
use beryl_user::endpoint::{Client, Server};
use beryl_user::event_group::{Source, Waiter, all, any};
use beryl_user::interrupt::Interrupt;
use beryl_user::lock::Lock;
use beryl_user::mailbox::{Receiver, Sender};
use beryl_user::notification::{Notification, Notifier, wait_any};
use beryl_user::period::Period;
use beryl_user::region::Region;
use beryl_user::semaphore::{Binary, Counting};
use beryl_user::state::{Reader, SlowReader, Writer};
use beryl_user::time::{self, Duration, Wait, milliseconds};
use beryl_user::trace::tell;

/// What is told of a way.
const WAITS: u32 = 0;
const WAKES: u32 = 1;
const GOES_ON: u32 = 2;

/// The ways, as `cli/tests/interfaces.rs` has them.
const TOLD: u16 = 1;
const TOLD_OF_ANY: u16 = 2;
const UNIT: u16 = 3;
const SOME: u16 = 4;
const ALL: u16 = 5;
const SIGNALLED: u16 = 6;
const ALL_SIGNALLED: u16 = 7;
const SIGNALLED_INSIDE: u16 = 8;
const MESSAGE: u16 = 9;
const REQUEST: u16 = 10;
const REPLY: u16 = 11;
const OWNED: u16 = 12;
const LATER: u16 = 13;
const LINE: u16 = 14;
const ANY_LINE: u16 = 15;
const MASKED: u16 = 16;
const PERIOD: u16 = 17;
const SLEEPS: u16 = 18;
const SLEEP: u16 = 19;
const LIMITED: u16 = 20;
const LETTER: u16 = 40;
const STATE: u16 = 41;
const SLOW_STATE: u16 = 42;
const SHARED: u16 = 43;
const LOCKED: u16 = 44;
const HANDED_ON: u16 = 45;

const MOMENT: Duration = milliseconds(2);
const BYTE: i8 = 42;

/// A byte, as it is told.
fn told_as(byte: i8) -> u32 {
    byte.cast_unsigned().into()
}

/// Waits, and tells that.
fn waits<R>(way: u16, wait: impl FnOnce() -> R) -> R {
    tell(way, WAITS);
    let result = wait();
    tell(way, GOES_ON);
    result
}

/// Is about to make somebody go on, a little after what came before.
fn wakes<R>(way: u16, wake: impl FnOnce() -> R) -> R {
    let _ = time::sleep(MOMENT);
    tell(way, WAKES);
    wake()
}

/// Makes all the others go on.
#[allow(clippy::too_many_arguments)]
pub fn waker(
    mut told: Notifier,
    _first: Notifier,
    mut second: Notifier,
    mut units: Counting,
    mut some: Source,
    mut every: Source,
    mut held: Binary<()>,
    once: Condition,
    always: Condition,
    mut inside: Lock<i32>,
    opened: Condition,
    mut letters: Sender<i8>,
    mut questions: Client<i8, i8>,
    mut owned: Binary<i8>,
    mut later: Notifier,
    mut value: Writer<i8>,
    mut slow_value: Writer<i8>,
    mut frame: Region,
) -> ! {
    let mut mine = owned.wait();
    let _ = time::sleep(milliseconds(10));
    wakes(TOLD, || told.notify());
    wakes(TOLD_OF_ANY, || second.notify());
    wakes(UNIT, || units.signal()).ok();
    wakes(SOME, || some.set(0b10));
    every.set(0b01);
    wakes(ALL, || every.set(0b10));
    wakes(SIGNALLED, || drop(held.wait().map(|_held| once.signal())));
    wakes(ALL_SIGNALLED, || drop(held.wait().map(|_held| always.broadcast())));
    wakes(SIGNALLED_INSIDE, || inside.with(|value| *value = BYTE.into()));
    opened.signal();
    wakes(MESSAGE, || letters.send(&BYTE)).ok();
    wakes(REQUEST, || {
        let answer = questions.call(&BYTE);
        tell(REPLY, answer.map_or(0, told_as));
    });
    if let Ok(mine) = &mut mine {
        **mine = BYTE;
    }
    wakes(OWNED, || drop(mine));
    wakes(LATER, || later.notify());
    value.write(&BYTE);
    slow_value.write(&BYTE);
    let _ = frame.store(0, told_as(BYTE));
    call::stop()
}

/// A notification.
pub fn told(mut told: Notification) -> ! {
    waits(TOLD, || told.wait()).ok();
    call::stop()
}

/// One of two.
pub fn told_of_any(first: Notification, second: Notification) -> ! {
    waits(TOLD_OF_ANY, || wait_any(first.bits() | second.bits(), Wait::Forever)).ok();
    call::stop()
}

/// A unit of a counting semaphore.
pub fn takes_unit(mut units: Counting) -> ! {
    waits(UNIT, || units.wait()).ok();
    call::stop()
}

/// One of two bits.
pub fn sees_some(mut some: Waiter) -> ! {
    waits(SOME, || some.wait(any(0b11))).ok();
    call::stop()
}

/// Both bits.
pub fn sees_all(mut every: Waiter) -> ! {
    waits(ALL, || every.wait(all(0b11))).ok();
    call::stop()
}

/// A condition, of which one hears.
pub fn signalled(mut held: Binary<()>, once: Condition) -> ! {
    if let Ok(mut held) = held.wait() {
        waits(SIGNALLED, || once.wait(&mut held)).ok();
    }
    call::stop()
}

/// A condition, of which all hear.
pub fn all_signalled(mut held: Binary<()>, always: Condition) -> ! {
    if let Ok(mut held) = held.wait() {
        waits(ALL_SIGNALLED, || always.wait(&mut held)).ok();
    }
    call::stop()
}

/// A condition inside of a ceiling lock.
pub fn signalled_inside(mut inside: Lock<i32>, opened: Condition) -> ! {
    let is_there = |value: &mut i32| (*value != 0).then_some(());
    waits(SIGNALLED_INSIDE, || inside.with_when(&opened, Wait::Forever, is_there)).ok();
    call::stop()
}

/// A message.
pub fn receives(mut letters: Receiver<i8>) -> ! {
    let letter = waits(MESSAGE, || letters.receive());
    tell(LETTER, letter.map_or(0, told_as));
    call::stop()
}

/// A request.
pub fn serves(mut questions: Server<i8, i8>) -> ! {
    tell(REQUEST, WAITS);
    questions.serve(|question| {
        tell(REQUEST, GOES_ON);
        question
    })
}

/// A semaphore that another thread owns.
pub fn owns(mut owned: Binary<i8>) -> ! {
    let _ = time::sleep(milliseconds(5));
    let mine = waits(OWNED, || owned.wait());
    tell(HANDED_ON, mine.map_or(0, |mine| told_as(*mine)));
    call::stop()
}

/// A notification, and what follows a moment later.
pub fn works_later(mut later: Notification) -> ! {
    waits(LATER, || {
        let _ = later.wait();
        time::sleep(MOMENT)
    })
    .ok();
    call::stop()
}

/// An interrupt; and as long as it isn't acknowledged, no other one.
pub fn hears(mut line: Interrupt) -> ! {
    waits(LINE, || line.wait()).ok();
    waits(MASKED, || time::sleep(milliseconds(5))).ok();
    line.acknowledge();
    call::stop()
}

/// An interrupt, or a notification.
pub fn hears_any(line: Interrupt, never: Notification) -> ! {
    waits(ANY_LINE, || wait_any(line.bits() | never.bits(), Wait::Forever)).ok();
    call::stop()
}

/// Values that others have left.
pub fn reads(
    mut period: Period,
    mut value: Reader<i8>,
    mut slow_value: SlowReader<i8>,
    frame: Region,
    mut inside: Lock<i32>,
) -> ! {
    tell(STATE, value.read().map_or(0, told_as));
    tell(SLOW_STATE, slow_value.read().map_or(0, told_as));
    tell(SHARED, frame.load(0).unwrap_or(0));
    tell(LOCKED, inside.with(|value| value.cast_unsigned()));
    loop {
        period.wait();
    }
}

/// A period.
pub fn in_periods(mut period: Period) -> ! {
    loop {
        waits(PERIOD, || period.wait());
    }
}

/// The same by instants.
pub fn in_sleeps() -> ! {
    let mut next = time::now();
    loop {
        next = next.after(milliseconds(20));
        waits(SLEEPS, || time::sleep_until(next)).ok();
    }
}

/// Waits that end by themselves.
#[allow(clippy::too_many_arguments)]
pub fn nothing_comes(
    mut silent: Notification,
    mut no_line: Interrupt,
    mut no_units: Counting,
    mut no_bits: Waiter,
    mut no_letters: Receiver<i8>,
    mut no_questions: Server<i8, i8>,
    mut slept_on: Binary<()>,
    no_signal: Condition,
    mut deaf: Client<i8, i8>,
    mut full: Sender<i8>,
    mut kept: Binary<()>,
) -> ! {
    let limit = Wait::AtMost(MOMENT);
    waits(SLEEP, || time::sleep(MOMENT)).ok();
    waits(LIMITED, || silent.wait_for(limit)).ok();
    waits(LIMITED + 1, || wait_any(silent.bits(), limit)).ok();
    waits(LIMITED + 2, || no_line.wait_for(limit)).ok();
    waits(LIMITED + 3, || no_units.wait_for(limit)).ok();
    waits(LIMITED + 4, || no_bits.wait_for(any(1), limit)).ok();
    waits(LIMITED + 5, || no_letters.receive_for(limit)).ok();
    waits(LIMITED + 6, || no_questions.receive_for(limit).map(drop)).ok();
    if let Ok(mut held) = slept_on.wait() {
        waits(LIMITED + 7, || no_signal.wait_for(&mut held, limit)).ok();
    }
    waits(LIMITED + 8, || deaf.call_for(&BYTE, limit)).ok();
    let _ = full.try_send(&BYTE);
    waits(LIMITED + 9, || full.send_for(&BYTE, limit)).ok();
    waits(LIMITED + 10, || kept.wait_for(limit).map(drop)).ok();
    call::stop()
}

/// Might make that one go on, and doesn't.
#[allow(clippy::too_many_arguments)]
pub fn does_nothing(
    _silent: Notifier,
    _no_units: Counting,
    _no_bits: Source,
    _no_letters: Sender<i8>,
    _no_questions: Client<i8, i8>,
    _slept_on: Binary<()>,
    _no_signal: Condition,
    _deaf: Server<i8, i8>,
    _full: Receiver<i8>,
    _never: Notifier,
) -> ! {
    sleeps_for_ever()
}

/// Keeps what it owns.
pub fn keeps(mut kept: Binary<()>) -> ! {
    let _mine = kept.wait();
    sleeps_for_ever()
}

fn sleeps_for_ever() -> ! {
    loop {
        let _ = time::sleep(milliseconds(1000));
    }
}
