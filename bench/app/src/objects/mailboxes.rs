//! Mailboxes: sending and receiving without a switch, and to a thread that waits.

use bench_board::{around, made, used};
use beryl_user::mailbox::{Receiver, Sender};

use crate::failed;
use crate::objects::{SAMPLES, repeat};

/// Thread: sends 8 bytes and receives them.
#[inline(always)]
pub fn mailbox_short(mut sender: Sender<[i32; 2]>, mut receiver: Receiver<[i32; 2]>) -> ! {
    for _ in 0..SAMPLES {
        let sent = around(|| send(&mut sender));
        let received = around(|| receive(&mut receiver));
        sent.print("mailbox/send-8");
        received.print("mailbox/receive-8");
    }
    repeat("mailbox/pair-8", || {
        send(&mut sender);
        receive(&mut receiver);
    })
}

/// Thread: sends 32 bytes and receives them.
#[inline(always)]
pub fn mailbox_long(mut sender: Sender<[i32; 8]>, mut receiver: Receiver<[i32; 8]>) -> ! {
    let message = [7; 8];
    repeat("mailbox/pair-32", || {
        if sender.send(&message).is_err() {
            failed();
        }
        match receiver.receive() {
            Ok(message) => used(message[7]),
            Err(_) => failed(),
        }
    })
}

/// Thread, urgent: waits for messages.
#[inline(always)]
pub fn mailbox_receiver(mut receiver: Receiver<[i32; 2]>) -> ! {
    repeat("mailbox/wake-8/to", || receive(&mut receiver))
}

/// Thread, less urgent: sends, whereupon the other runs.
#[inline(always)]
pub fn mailbox_sender(mut sender: Sender<[i32; 2]>) -> ! {
    repeat("mailbox/wake-8/from", || send(&mut sender))
}

#[inline(always)]
fn send(sender: &mut Sender<[i32; 2]>) {
    if sender.send(&[made(), made()]).is_err() {
        failed();
    }
}

#[inline(always)]
fn receive(receiver: &mut Receiver<[i32; 2]>) {
    match receiver.receive() {
        Ok([first, second]) => {
            used(first);
            used(second);
        }
        Err(_) => failed(),
    }
}
