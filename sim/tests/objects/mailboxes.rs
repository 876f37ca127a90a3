//! Mailboxes: order, full and empty ones, long messages, many senders.

use beryl_abi::MailboxId;
use beryl_kernel::Mailbox;
use beryl_user::mailbox::{Receiver, Sender};

use crate::scenario::{ALL, BASE, Scenario, at_most, elsewhere, end, free, note, sleep_until, spend};

/// A mailbox of two short messages.
const SHORT: Mailbox =
    Mailbox { senders: ALL, receivers: ALL, base: BASE + 0x100, length: 4, capacity: 2, first_come: false };

fn sender() -> Sender<i32> {
    // SAFETY: the first mailbox holds `i32`.
    unsafe { Sender::new(MailboxId(0)) }
}

fn receiver() -> Receiver<i32> {
    // SAFETY: as in `sender`.
    unsafe { Receiver::new(MailboxId(0)) }
}

extern "C" fn producer() -> ! {
    let mut mailbox = sender();
    for number in 1..=4 {
        mailbox.send(&number).unwrap();
        note(&format!("sent {number}"));
    }
    end("all sent")
}

extern "C" fn slow_consumer() -> ! {
    let mut mailbox = receiver();
    loop {
        spend(10);
        match mailbox.receive_for(at_most(15)) {
            Ok(number) => note(&format!("got {number}")),
            Err(error) => end(&format!("{error:?}")),
        }
    }
}

#[test]
fn a_full_mailbox_holds_the_sender_until_there_is_room() {
    let scenario = Scenario::new().thread(free(2), producer).thread(elsewhere(free(1)), slow_consumer);
    let expected = [
        "0 sent 1",
        "0 sent 2",  // the third has to wait
        "10 sent 3", // moves in when the first is taken; the sender is more urgent
        "10 got 1",
        "20 sent 4",
        "20 all sent",
        "20 got 2",
        "30 got 3",
        "40 got 4",
        "65 TimedOut",
    ];
    assert_eq!(scenario.with(|system| system.mailboxes[0] = SHORT).notes(100), expected);
}

extern "C" fn eager_consumer() -> ! {
    let mut mailbox = receiver();
    loop {
        let number = mailbox.receive().unwrap();
        note(&format!("got {number}"));
        spend(3);
    }
}

#[test]
fn a_waiting_receiver_gets_the_message_at_once() {
    let scenario = Scenario::new().thread(free(1), producer).thread(free(2), eager_consumer);
    let expected = [
        "0 got 1", // while the sender is still in its call
        "3 sent 1",
        "3 got 2",
        "6 sent 2",
        "6 got 3",
        "9 sent 3",
        "9 got 4",
        "12 sent 4",
        "12 all sent",
    ];
    assert_eq!(scenario.with(|system| system.mailboxes[0] = SHORT).notes(100), expected);
}

/// Eight words, longer than registers.
type Long = [i32; 8];

const LONG: Mailbox = Mailbox { length: 32, capacity: 1, base: BASE + 0x200, ..SHORT };

extern "C" fn long_sender<const NUMBER: i32>() -> ! {
    // SAFETY: the first mailbox holds `Long`.
    let mut mailbox: Sender<Long> = unsafe { Sender::new(MailboxId(0)) };
    mailbox.send(&std::array::from_fn(|place| NUMBER * 10 + i32::try_from(place).unwrap())).unwrap();
    end(&format!("{NUMBER} sent"))
}

extern "C" fn long_receiver() -> ! {
    // SAFETY: as in `long_sender`.
    let mut mailbox: Receiver<Long> = unsafe { Receiver::new(MailboxId(0)) };
    spend(5);
    for _ in 0..4 {
        note(&format!("{:?}", mailbox.receive().unwrap()));
    }
    end("received")
}

/// Senders of urgency 1, 3, 2 in this order of waiting, and one message that fills the mailbox.
fn many_senders(first_come: bool) -> Vec<String> {
    Scenario::new()
        .thread(free(10), long_sender::<0>)
        .thread(free(1), staggered::<1>)
        .thread(free(3), staggered::<2>)
        .thread(free(2), staggered::<3>)
        .thread(free(0), long_receiver)
        .with(|system| system.mailboxes[0] = Mailbox { first_come, ..LONG })
        .notes(100)
}

/// Sends at 1, 2 or 3.
extern "C" fn staggered<const NUMBER: i32>() -> ! {
    sleep_until(u64::try_from(NUMBER).unwrap());
    long_sender::<NUMBER>()
}

#[test]
fn waiting_senders_are_served_by_urgency() {
    let expected = [
        "0 0 sent",
        "5 2 sent",
        "5 [0, 1, 2, 3, 4, 5, 6, 7]",
        "5 3 sent",
        "5 [20, 21, 22, 23, 24, 25, 26, 27]",
        "5 1 sent",
        "5 [30, 31, 32, 33, 34, 35, 36, 37]",
        "5 [10, 11, 12, 13, 14, 15, 16, 17]",
        "5 received",
    ];
    assert_eq!(many_senders(false), expected);
}

#[test]
fn waiting_senders_are_served_in_the_order_of_arrival_where_so_declared() {
    let sent: Vec<_> = many_senders(true).into_iter().filter(|line| line.contains("sent")).collect();
    assert_eq!(sent, ["0 0 sent", "5 1 sent", "5 2 sent", "5 3 sent"]);
}
