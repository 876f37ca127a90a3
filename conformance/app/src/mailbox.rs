//! Mailboxes: senders wait where it is full, receivers where it is empty, for as long as they say.

use beryl_user::mailbox::{Receiver, Sender};
use beryl_user::period::Period;
use beryl_user::time::{Wait, microseconds};

use crate::work;

/// Sends four messages at a time where two have room.
pub fn burst(mut period: Period, mut letters: Sender<[i32; 4]>) -> ! {
    let mut number = 0_i32;
    loop {
        for _ in 0..4 {
            number = number.wrapping_add(1);
            let _ = letters.send(&[number, 1, 2, 3]);
            work(100);
        }
        period.wait();
    }
}

/// Sends one and waits no longer than 1 ms for the room.
pub fn impatient(mut period: Period, mut letters: Sender<[i32; 4]>) -> ! {
    loop {
        work(120);
        let wait = Wait::AtMost(microseconds(1_000));
        let spoilt = letters.send_for(&[0, 0, 0, 1], wait).is_err();
        work(if spoilt { 700 } else { 60 });
        period.wait();
    }
}

/// Receives, works, and hands on a short message; the urgent half of the readers.
pub fn reader(mut letters: Receiver<[i32; 4]>, mut notes: Sender<i32>) -> ! {
    loop {
        if let Ok([number, ..]) = letters.receive() {
            work(if number % 2 == 0 { 800 } else { 1_300 });
            let _ = notes.try_send(&number);
        }
    }
}

/// Takes notes; works longer when none came for 7 ms.
pub fn taker(mut notes: Receiver<i32>) -> ! {
    loop {
        match notes.receive_for(Wait::AtMost(microseconds(7_000))) {
            Ok(_) => work(150),
            Err(_) => work(950),
        }
    }
}
