//! Handles whose other end is the test's, in all ways in which messages travel.

use std::rc::Rc;
use std::{panic, vec};

use core::cell::Cell;

use beryl_abi::{CallError, Duration, Instant};

use super::{End, Fake};
use crate::call::spend;
use crate::endpoint::{Client, Server};
use crate::environment::{self, Channel};
use crate::interrupt::Interrupt;
use crate::mailbox::{Receiver, Sender};
use crate::notification::{Notification, wait_any};
use crate::period::Period;
use crate::time::{Wait, now, sleep};
use crate::trace::tell;

/// Longer than what travels in registers.
type Long = [i32; 5];

const LONG: Long = [1, 2, 3, 4, 5];

fn ticks(count: u64) -> Duration {
    Duration::from_ticks(count)
}

#[test]
fn sensors_give_what_the_test_says_and_actuators_keep_what_they_got() {
    let fake = Fake::new();
    let [speed, place, lamp] = [3, 4, 5].map(Channel::new);
    fake.sensor(speed, [1.5_f32, 2.5]);
    let read = || {
        let (mut fast, mut far) = (0.0_f32, [7_i16, 8]);
        environment::read(speed, &mut fast);
        environment::read(place, &mut far);
        environment::write(lamp, &(fast > 2.0));
        (fast, far)
    };
    assert_eq!(fake.run(|| [(); 3].map(|()| read())), [(1.5, [7, 8]), (2.5, [7, 8]), (2.5, [7, 8])]);
    assert_eq!(fake.written::<bool>(lamp), [false, true, true]);
    assert_eq!(fake.written::<bool>(lamp), [], "taken already");
    fake.sensor(speed, [9.0_f32]);
    assert_eq!(fake.run(read), (9.0, [7, 8]));
}

#[test]
fn a_value_of_another_length_is_the_tests_or_the_applications_mistake() {
    let fake = Fake::new();
    fake.sensor(Channel::new(0), [1_i16]);
    let read = || fake.run(|| environment::read(Channel::new(0), &mut 0_i32));
    assert!(panic::catch_unwind(panic::AssertUnwindSafe(read)).is_err());
    fake.run(|| environment::write(Channel::new(1), &1_i32));
    let written = || fake.written::<i16>(Channel::new(1));
    assert!(panic::catch_unwind(panic::AssertUnwindSafe(written)).is_err());
}

fn count(mut period: Period) -> ! {
    let mut jobs = 0;
    loop {
        jobs += 1;
        tell(jobs, now().ticks() as u32);
        spend(ticks(10));
        period.wait();
    }
}

#[test]
fn a_thread_has_as_many_jobs_as_the_test_says() {
    let fake = Fake::new();
    let period = fake.period(ticks(250), 3);
    assert_eq!(fake.thread(|| count(period)), End::NoRelease);
    assert_eq!(fake.told(), [(1, 0), (2, 250), (3, 500)]);
    assert_eq!((fake.spent(), fake.now()), (ticks(30), Instant::from_ticks(500)));
}

fn forward<T: crate::port::Plain>(mut from: Receiver<T>, mut to: Sender<T>) -> ! {
    loop {
        if let Ok(message) = from.receive() {
            let _ = to.send(&message);
        }
    }
}

#[test]
fn messages_of_any_length_come_through_mailboxes() {
    let fake = Fake::new();
    let (from, (to, sent)) = (fake.receiver([7_i16, -8]), fake.sender(2));
    assert_eq!(fake.thread(|| forward(from, to)), End::NoMessage);
    assert_eq!((sent.take(), sent.take()), (vec![7, -8], vec![]));
    let other: Long = [-1; 5];
    let (from, (to, sent)) = (fake.receiver([LONG, other]), fake.sender(1));
    assert_eq!(fake.thread(|| forward(from, to)), End::NoRoom);
    assert_eq!(sent.take(), [LONG]);
}

#[test]
fn who_waits_with_a_limit_has_waited_so_long() {
    let fake = Fake::new();
    let (mut from, (mut to, _)) = (fake.receiver::<i32>([]), fake.sender::<i32>(0));
    fake.run(|| {
        assert_eq!(from.try_receive(), Err(CallError::WouldBlock));
        assert_eq!(to.try_send(&1), Err(CallError::WouldBlock));
        assert_eq!(from.receive_for(Wait::AtMost(ticks(70))), Err(CallError::TimedOut));
        assert_eq!(now(), Instant::from_ticks(70));
        sleep(ticks(30)).expect("a sleep");
    });
    assert_eq!(fake.now(), Instant::from_ticks(100));
    fake.go_on_to(Instant::from_ticks(1000));
    assert_eq!(fake.run(now), Instant::from_ticks(1000));
}

#[test]
fn a_client_is_answered_by_the_test() {
    let fake = Fake::new();
    let asked = Rc::new(Cell::new(0));
    let counted = asked.clone();
    let mut short: Client<i32, i32> = fake.client(move |number: i32| {
        counted.set(counted.get() + 1);
        number * 2
    });
    let mut long: Client<i32, Long> = fake.client(|number| LONG.map(|part| part * number));
    let mut longer: Client<Long, i32> = fake.client(|parts: Long| parts.iter().sum());
    let answers = fake.run(|| (short.call(&4), short.call(&-4), long.call(&3), longer.call(&LONG)));
    assert_eq!(answers, (Ok(8), Ok(-8), Ok([3, 6, 9, 12, 15]), Ok(15)));
    assert_eq!(asked.get(), 2);
}

fn serve<Q: crate::port::Plain>(mut requests: Server<Q, i32>, answer: impl Fn(Q) -> i32) -> ! {
    requests.serve(answer)
}

#[test]
fn a_server_is_asked_by_the_test() {
    let fake = Fake::new();
    let (server, replies) = fake.server([1_i16, 2, 3]);
    assert_eq!(fake.thread(|| serve(server, |number| i32::from(number) * 100)), End::NoRequest);
    assert_eq!(replies.take(), [100, 200, 300]);
    let (server, replies) = fake.server([LONG]);
    assert_eq!(fake.thread(|| serve(server, |parts: Long| parts.iter().sum())), End::NoRequest);
    assert_eq!(replies.take(), [15]);
}

#[test]
fn state_messages_have_the_newest_value() {
    let fake = Fake::new();
    let (mut one, mut seen) = fake.state(5_i32);
    let (mut many, mut all) = fake.state(LONG);
    fake.run(|| {
        assert_eq!((seen.read(), all.read()), (Ok(5), Ok(LONG)));
        for round in 0..9 {
            one.write(&round);
            many.write(&[round; 5]);
            assert_eq!((seen.read(), all.read()), (Ok(round), Ok([round; 5])));
        }
    });
}

#[test]
fn what_is_printed_is_kept_and_stopping_ends() {
    let fake = Fake::new();
    let end = fake.thread(|| {
        crate::println!("{} and {}", 1, 2);
        crate::call::stop()
    });
    assert_eq!((end, fake.printed().as_str(), fake.printed().as_str()), (End::Stopped, "1 and 2\n", ""));
}

#[test]
fn a_panic_is_the_tests_and_a_call_that_is_none_of_the_fakes_says_where_to_go() {
    let fake = Fake::new();
    let said = |body: &dyn Fn()| {
        let panic = panic::catch_unwind(panic::AssertUnwindSafe(|| fake.thread(body))).expect_err("a panic");
        let text = panic.downcast_ref::<std::string::String>().cloned();
        text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).into())).expect("words")
    };
    assert_eq!(said(&|| panic!("its own")), "its own");
    assert!(said(&crate::call::complete).contains("Complete: try what needs it in the simulator"));
}

#[test]
fn a_lock_excludes_waiting_and_its_value_is_seen() {
    let fake = Fake::new();
    let ((mut lock, shared), mut from) = (fake.lock(LONG), fake.receiver([1]));
    let inside = fake.run(|| {
        lock.with(|value| {
            value[0] += 10;
            from.receive()
        })
    });
    assert_eq!((inside, shared.get()), (Err(CallError::Raised), [11, 2, 3, 4, 5]));
    shared.set([0; 5]);
    assert_eq!(fake.run(|| (lock.with(|value| value[4]), from.receive())), (0, Ok(1)));
}

#[test]
fn a_binary_semaphore_is_the_threads_or_anothers() {
    let fake = Fake::new();
    let (mut semaphore, shared, ownership) = fake.semaphore(7_i32);
    fake.run(|| {
        let mut held = semaphore.wait().expect("free");
        assert!(ownership.is_held() && !held.owner_died());
        *held += 1;
    });
    assert_eq!((ownership.is_held(), shared.get()), (false, 8));
    ownership.hold();
    let limit = Wait::AtMost(ticks(5));
    let refused = fake.run(|| (semaphore.try_wait().err(), semaphore.wait_for(limit).err()));
    assert_eq!(
        (refused, fake.now()),
        ((Some(CallError::WouldBlock), Some(CallError::TimedOut)), Instant::from_ticks(5))
    );
    assert_eq!(fake.thread(|| semaphore.wait().map(|held| *held)), End::NotFree);
    ownership.give_back();
    let end = fake.thread(|| {
        let _held = semaphore.wait();
        crate::call::stop()
    });
    assert_eq!((end, ownership.is_held()), (End::Stopped, false));
    assert!(fake.run(|| semaphore.wait().is_ok_and(|held| held.owner_died())), "its owner has stopped");
    ownership.owner_dies();
    let told = |semaphore: &mut crate::semaphore::Binary<i32>| semaphore.wait().map(|held| held.owner_died());
    assert_eq!(fake.run(|| (told(&mut semaphore), told(&mut semaphore))), (Ok(true), Ok(false)));
}

#[test]
fn who_receives_may_own_a_semaphore_then() {
    let fake = Fake::new();
    let ((mut semaphore, _, ownership), mut from) = (fake.semaphore(()), fake.receiver([4]));
    fake.run(|| {
        let (message, held) = from.receive_then(&mut semaphore).expect("a message");
        assert_eq!((message, ownership.is_held()), (4, true));
        drop(held);
    });
    assert!(!ownership.is_held());
    ownership.hold();
    let mut from = fake.receiver([4]);
    assert_eq!(fake.thread(|| from.receive_then(&mut semaphore).is_ok()), End::NotFree);
}

#[test]
fn units_are_taken_and_given_back() {
    let fake = Fake::new();
    let (mut semaphore, units) = fake.counting(1, 2);
    fake.run(|| {
        assert_eq!((semaphore.wait(), semaphore.wait_for(Wait::Poll)), (Ok(()), Err(CallError::WouldBlock)));
        units.give(1);
        assert_eq!(semaphore.wait(), Ok(()));
        let given = [(); 3].map(|()| semaphore.signal());
        assert_eq!(given, [Ok(()), Ok(()), Err(CallError::Overflow)]);
    });
    assert_eq!(units.count(), 2);
    assert_eq!(fake.thread(|| while semaphore.wait().is_ok() {}), End::NoUnit);
}

#[test]
fn others_change_what_a_condition_waits_for() {
    let fake = Fake::new();
    let (mut lock, shared) = fake.lock(0_i32);
    let seen = shared.clone();
    let (condition, signals) = fake.condition(move || {
        seen.set(seen.get() + 2);
        seen.get() <= 6
    });
    fake.run(|| {
        let three = lock.with_when(&condition, Wait::Forever, |value| (*value >= 3).then_some(*value));
        assert_eq!(three, Ok(4));
        condition.signal();
        condition.broadcast();
        assert_eq!(
            lock.with_when(&condition, Wait::Poll, |value| (*value > 4).then_some(())),
            Err(CallError::WouldBlock)
        );
    });
    assert_eq!((signals.take(), signals.take(), shared.get()), (2, 0, 4));
    let end = fake.thread(|| lock.with_when(&condition, Wait::Forever, |value| (*value > 6).then_some(())));
    assert_eq!((end, shared.get()), (End::NoSignal, 8));

    let ((mut semaphore, shared, ownership), before) = (fake.semaphore(1_i32), shared.get());
    let (meanwhile, free) = (shared.clone(), ownership.clone());
    let (condition, _) = fake.condition(move || {
        assert!(!free.is_held(), "it is given up for the wait");
        meanwhile.set(5);
        true
    });
    let five = fake.run(|| {
        let mut held = semaphore.wait()?;
        condition.wait(&mut held)?;
        assert!(ownership.is_held());
        Ok::<_, CallError>(*held)
    });
    assert_eq!((five, before), (Ok(5), 8));
}

#[test]
fn bits_come_when_the_thread_waits_in_vain() {
    let fake = Fake::new();
    let (mut source, mut waiter, group) = fake.event_group([0b01, 0b10, 0b100]);
    fake.run(|| {
        use crate::event_group::{all, any};
        assert_eq!(waiter.wait_for(any(1), Wait::Poll), Err(CallError::WouldBlock));
        assert_eq!(waiter.wait(all(0b11).taking()), Ok(0b11));
        assert_eq!((group.bits(), waiter.wait(any(0))), (0, Err(CallError::NoBits)));
        source.set(0b1000);
        assert_eq!((waiter.wait(any(0b1100)), group.bits()), (Ok(0b1000), 0b1000));
        assert_eq!((source.clear(0b1000), group.bits()), (0b1000, 0));
    });
    assert_eq!(fake.thread(|| waiter.wait(crate::event_group::any(1))), End::NoBits);
    assert_eq!(group.bits(), 0b100);
}

#[test]
fn notifications_come_in_the_order_of_the_test() {
    let fake = Fake::new();
    let (mut stop, mut go) = (fake.notification(), fake.notification());
    let (mut done, sent) = fake.notifier();
    fake.coming([go.bits(), go.bits() | stop.bits()]);
    let end = fake.thread(|| {
        loop {
            let come = wait_any(stop.bits() | go.bits(), Wait::Forever);
            tell(u16::from(come.is_ok_and(|come| come.has(stop.bits()))), 0);
            done.notify();
        }
    });
    assert_eq!((end, fake.told(), sent.take()), (End::NoNotification, vec![(0, 0), (1, 0)], 2));
    fake.coming([stop.bits()]);
    let limit = Wait::AtMost(ticks(9));
    assert_eq!(fake.run(|| (go.wait_for(limit), stop.wait())), (Err(CallError::TimedOut), Ok(())));
}

#[test]
fn an_interrupt_that_is_never_unmasked_comes_once() {
    let fake = Fake::new();
    let (mut line, unmasked) = fake.interrupt();
    fake.coming([line.bits(), line.bits(), line.bits()]);
    let end = fake.thread(|| while line.wait().is_ok() {});
    assert_eq!((end, unmasked.take()), (End::NoNotification, 3));
    fake.coming([line.bits(), line.bits()]);
    let bits = line.bits();
    let polite = fake.thread(|| {
        while wait_any(bits, Wait::Forever).is_ok() {
            tell(1, 0);
            line.acknowledge();
        }
    });
    assert_eq!((polite, fake.told().len()), (End::NoNotification, 2));
    fake.coming([bits, bits]);
    let forgetful = fake.thread(|| {
        while wait_any(bits, Wait::Forever).is_ok() {
            tell(1, 0)
        }
    });
    assert_eq!((forgetful, fake.told().len()), (End::NoNotification, 1));
}

/// Reads a meter each time that it says so, until it is told to stop.
fn read_meter(mut line: Interrupt, quit: Notification) -> ! {
    loop {
        match wait_any(line.bits() | quit.bits(), Wait::Forever) {
            Ok(come) if come.has(quit.bits()) => crate::call::stop(),
            _ => line.acknowledge(),
        }
    }
}

#[test]
fn a_server_of_an_interrupt_is_told_to_stop() {
    let fake = Fake::new();
    let (line, unmasked) = fake.interrupt();
    let (quit, bits) = (fake.notification(), line.bits());
    fake.coming([bits, bits, quit.bits()]);
    let end = fake.thread(|| read_meter(line, quit));
    assert_eq!((end, unmasked.take()), (End::Stopped, 2));
}
