//! Notifications and interrupts: bits that wait for a thread, or a thread for them.

use beryl_abi::CallNumber::NotificationWait;
use beryl_abi::call::{FOREVER, LONGEST_WAIT, Operand};
use beryl_abi::{Line, ThreadId};

use crate::assert_story;
use crate::host::Do::{Ask, At, Interrupt};
use crate::host::asks::Wait::{AtMost, Forever, Poll};
use crate::host::asks::{acknowledge, await_bits, await_interrupt, notify, sleep_until};
use crate::host::draft::{Draft, Queue, Small};
use crate::host::{Rig, play, run, story, without};

#[test]
fn bits_add_up_until_they_are_waited_for_and_only_those_are_lost() {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    let receiver = draft.free(0, 0, 9);
    draft.free(0, 0, 1);
    let all = draft.notification(receiver, 0b1111);
    let one = draft.notification(receiver, 0b1_0000);
    let script = [
        await_bits(0b11, Forever),
        notify(all, 0b100),
        // one's own bits only: what else is asked for is left out
        notify(one, 0b11),
        notify(all, 0b110),
        await_bits(0b100, Poll),
        await_bits(0b100, Poll),
        await_bits(0b1_0001, Poll),
        // no bits means all of them
        notify(all, 0),
        await_bits(0, Poll),
        await_bits(1, AtMost(3)),
        At(3),
    ];
    assert_story(
        &story(&draft.finish().0, &script),
        &[
            "0 switch 2 to 0",
            "0 switch 0 to 1",
            "0 returns to 1: Notify Success",
            "0 returns to 1: Notify Success",
            "0 switch 1 to 0",
            // woken by bit 1; bit 2 stays
            "0 returns to 0: NotificationWait Success 2",
            "0 returns to 0: NotificationWait Success 4",
            "0 returns to 0: NotificationWait WouldBlock",
            "0 returns to 0: NotificationWait WouldBlock",
            "0 returns to 0: Notify Success",
            "0 returns to 0: NotificationWait Success 15",
            "0 switch 0 to 1",
            "0 returns to 1: Notify Success",
            "3 switch 1 to 0",
            "3 returns to 0: NotificationWait TimedOut",
        ],
    );
}

#[test]
fn an_interrupt_stays_masked_until_its_thread_says_so() {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    let server = draft.free(0, 0, 9);
    draft.free(0, 0, 1);
    let crank = draft.interrupt(10, server, 0b10);
    draft.interrupt(12, server, 0b100);
    let script = [
        await_bits(0b110, Forever),
        At(5),
        Interrupt(10),
        acknowledge(crank),
        await_bits(0b110, Forever),
        At(6),
        Interrupt(12),
        Interrupt(10),
        // what has come meanwhile is there at once, and its device has still to be served
        await_interrupt(crank, 0b10, Forever),
        await_interrupt(crank, 0b10, Forever),
    ];
    let story = without(run(&draft.finish().0, &script), &["arm", "status"]);
    assert_story(
        &story,
        &[
            // at the start, all that somebody serves
            "0 unmask 10",
            "0 unmask 12",
            "0 switch 2 to 0",
            "0 switch 0 to 1",
            "5 mask 10",
            "5 result of 0: 0x2 0x0",
            "5 switch 1 to 0",
            "5 unmask 10",
            "5 switch 0 to 1",
            "6 mask 12",
            "6 result of 0: 0x4 0x0",
            "6 switch 1 to 0",
            "6 mask 10",
            "6 result of 0: 0x2 0x0",
            "6 unmask 10",
            "6 switch 0 to 1",
        ],
    );
}

/// Starts a transfer and waits, twice: the device's line stays up until the next transfer begins. The first
/// completion comes while the line is unmasked and its thread doesn't wait.
#[test]
fn a_level_that_is_still_up_is_not_seen_again() {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    let server = draft.free(0, 0, 9);
    draft.free(0, 0, 1);
    let transfer = draft.interrupt(10, server, 1);
    let mut rig = play(&draft.finish().0, &[At(5), Interrupt(10)]);
    let is_unmasked = |rig: &mut Rig<Small>| rig.host().unmasked.contains(&Line(10));
    rig.step(await_interrupt(transfer, 1, Forever));
    assert_eq!(rig.host().log.last().unwrap(), "5 returns to 0: NotificationWait Success 1");
    assert!(!is_unmasked(&mut rig), "the level would be there a second time");
    rig.step(await_interrupt(transfer, 1, Forever));
    assert!(is_unmasked(&mut rig) && rig.state().running() != server, "it waits for the second transfer");
    rig.step(Interrupt(10));
    assert_eq!(rig.host().log.last().unwrap(), "5 returns to 0: NotificationWait Success 1");
}

#[test]
fn a_wait_that_fails_lets_no_interrupt_come() {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    let server = draft.free(0, 0, 9);
    let transfer = draft.interrupt(10, server, 1);
    let units = draft.counting(0, 1);
    let mut rig = play(&draft.finish().0, &[Interrupt(10), await_bits(1, Poll)]);
    let no_semaphore = Ask(NotificationWait, [u32::from(transfer.0) | 200 << 8, 1, 0, FOREVER]);
    let counting = Ask(NotificationWait, [Operand::then(transfer.0, units).0, 1, 0, FOREVER]);
    let far = Ask(NotificationWait, [200, 1, 0, FOREVER]);
    let too_long = await_interrupt(transfer, 1, AtMost(LONGEST_WAIT + 1));
    for ask in [await_interrupt(transfer, 1, Poll), too_long, no_semaphore, counting, far] {
        rig.step(ask);
        assert!(rig.host().unmasked.is_empty(), "{ask:?} has let it come");
    }
    rig.step(await_interrupt(transfer, 1, AtMost(3)));
    assert!(rig.host().unmasked.contains(&Line(10)));
}

#[test]
fn an_interrupt_is_only_its_own_threads_to_acknowledge() {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    draft.free(0, 0, 9);
    let server = draft.free(0, 0, 1);
    let crank = draft.interrupt(10, server, 1);
    assert_eq!(server, ThreadId(1));
    let script = [acknowledge(crank), await_interrupt(crank, 1, Forever), sleep_until(9), acknowledge(crank)];
    assert_story(
        &story(&draft.finish().0, &script),
        &[
            "0 switch 2 to 0",
            "0 returns to 0: Acknowledge NoSuchObject",
            "0 returns to 0: NotificationWait NoSuchObject",
            "0 switch 0 to 1",
            "0 returns to 1: Acknowledge Success",
        ],
    );
}
