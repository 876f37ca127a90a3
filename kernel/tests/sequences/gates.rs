//! Gates: what comes too early waits or is dropped, and what passes is at least the separation apart.

use beryl_abi::call::LONGEST_WAIT;
use beryl_abi::{InterruptId, Line, NotificationId, ThreadId};
use beryl_kernel::Gated as Before;
use beryl_kernel::OnEarly::{Drop, Keep};
use beryl_kernel::System;

use crate::assert_story;
use crate::host::Do::{At, Interrupt, Late};
use crate::host::asks::Wait::{AtMost, Forever, Poll};
use crate::host::asks::{
    acknowledge, await_bits, await_group, await_interrupt, clear_group, notify, set_group, sleep_until,
};
use crate::host::draft::{Draft, Gated, Queue};
use crate::host::{Rig, play, run, story, without};

/// Thread 0 serves line 10, which may come every 20 ticks; thread 1 is less urgent; 2 idles.
fn served() -> (System<Gated>, InterruptId) {
    let mut draft = Draft::<Gated>::new(&[Queue::Fixed]);
    let server = draft.free(0, 0, 9);
    draft.free(0, 0, 1);
    let interrupt = draft.interrupt(10, server, 1);
    draft.gate(Before::Line(Line(10)), 20, Keep);
    (draft.finish().0, interrupt)
}

fn is_unmasked(rig: &Rig<Gated>) -> bool {
    rig.kernel.machine.unmasked.contains(&Line(10))
}

#[test]
fn a_line_stays_masked_until_its_separation_is_over() {
    let (system, interrupt) = served();
    let script = [
        await_interrupt(interrupt, 1, Forever),
        At(5),
        Interrupt(10),
        At(7),
        await_interrupt(interrupt, 1, Forever),
        At(25),
        Interrupt(10),
        await_interrupt(interrupt, 1, Forever),
    ];
    assert_story(
        &without(run(&system, &script), &["status"]),
        &[
            "0 unmask 10",
            "0 arm 1073741824",
            "0 switch 2 to 0",
            // nothing has passed yet
            "0 unmask 10",
            "0 switch 0 to 1",
            "5 mask 10",
            "5 result of 0: 0x1 0x0",
            "5 switch 1 to 0",
            // its thread is done, and the line may come again at 25, not before
            "7 arm 25",
            "7 switch 0 to 1",
            "25 unmask 10",
            "25 arm 1073741824",
            "25 mask 10",
            "25 result of 0: 0x1 0x0",
            "25 switch 1 to 0",
            "25 arm 45",
            "25 switch 0 to 1",
        ],
    );
}

#[test]
fn who_acknowledges_late_gets_the_line_at_once() {
    let (system, interrupt) = served();
    let mut rig =
        play(&system, &[await_bits(1, Forever), At(5), Interrupt(10), Late(25), acknowledge(interrupt)]);
    assert!(is_unmasked(&rig), "the separation was over");
    rig.step(Interrupt(10));
    rig.step(acknowledge(interrupt));
    assert!(!is_unmasked(&rig));
    // Once more, and a wait: the line opens once.
    rig.step(acknowledge(interrupt));
    rig.step(await_interrupt(interrupt, 1, AtMost(3)));
    rig.step(await_interrupt(interrupt, 1, Forever));
    rig.step(At(44));
    assert!(!is_unmasked(&rig));
    rig.step(At(45));
    assert!(is_unmasked(&rig));
}

/// What waits for a line is its thread's wait, which ends by itself meanwhile: the line opens all the same.
#[test]
fn a_time_limit_that_ends_meanwhile_changes_nothing() {
    let (system, interrupt) = served();
    let script = [
        await_interrupt(interrupt, 1, Forever),
        At(5),
        Interrupt(10),
        await_interrupt(interrupt, 1, AtMost(4)),
        At(9),
        await_interrupt(interrupt, 1, AtMost(16)),
        At(25),
    ];
    assert_story(
        &without(run(&system, &script)[8..].to_vec(), &["status"]),
        &[
            "5 arm 9",
            "5 switch 0 to 1",
            "9 arm 25",
            "9 switch 1 to 0",
            "9 switch 0 to 1",
            "25 unmask 10",
            "25 arm 1073741824",
            "25 switch 1 to 0",
        ],
    );
}

#[test]
fn a_line_whose_server_was_stopped_stays_masked() {
    let (system, _) = served();
    let script =
        [await_bits(1, Forever), At(5), Interrupt(10), crate::host::Do::Call(beryl_abi::CallNumber::Stop)];
    let mut rig = play(&system, &script);
    rig.step(At(100));
    assert!(!is_unmasked(&rig));
}

/// Thread 0 has a bell behind a gate of 20 ticks and one without; thread 1 rings them; 2 idles.
fn bells(early: beryl_kernel::OnEarly) -> (System<Gated>, [NotificationId; 2]) {
    let mut draft = Draft::<Gated>::new(&[Queue::Fixed]);
    let receiver = draft.free(0, 0, 9);
    draft.free(0, 0, 1);
    let (bell, other) = (draft.notification(receiver, 0b111), draft.notification(receiver, 0b1000));
    draft.gate(Before::Notification(bell), 20, early);
    (draft.finish().0, [bell, other])
}

#[test]
fn early_bits_become_one_and_come_when_the_gate_opens() {
    let (system, [bell, other]) = bells(Keep);
    let script = [
        await_bits(0, Forever),
        At(5),
        notify(bell, 1),
        await_bits(0, Forever),
        At(6),
        notify(bell, 0b10),
        At(7),
        notify(bell, 0b100),
        // nothing that waits before the gate comes with others
        notify(other, 0),
        await_bits(0, Poll),
        await_bits(0, Forever),
        At(25),
        await_bits(0, Forever),
        // a separation behind what has passed
        notify(bell, 1),
        At(45),
        await_bits(0, Forever),
        // and at once, if nothing has
        At(65),
        notify(bell, 0),
    ];
    assert_story(
        &story(&system, &script),
        &[
            "0 switch 2 to 0",
            "0 switch 0 to 1",
            "5 switch 1 to 0",
            "5 returns to 0: NotificationWait Success 1",
            "5 switch 0 to 1",
            "5 returns to 1: Notify Success",
            "6 returns to 1: Notify Success",
            "7 returns to 1: Notify Success",
            "7 switch 1 to 0",
            "7 returns to 0: NotificationWait Success 8",
            "7 returns to 0: NotificationWait WouldBlock",
            "7 switch 0 to 1",
            "7 returns to 1: Notify Success",
            "25 switch 1 to 0",
            "25 returns to 0: NotificationWait Success 6",
            "25 switch 0 to 1",
            "25 returns to 1: Notify Success",
            "45 switch 1 to 0",
            "45 returns to 0: NotificationWait Success 1",
            "45 switch 0 to 1",
            "65 switch 1 to 0",
            "65 returns to 0: NotificationWait Success 7",
        ],
    );
}

#[test]
fn early_bits_are_dropped_and_counted_where_that_is_declared() {
    let (system, [bell, _]) = bells(Drop);
    let script = [
        await_bits(0, Forever),
        At(5),
        notify(bell, 1),
        await_bits(0, Forever),
        At(24),
        notify(bell, 0b10),
        notify(bell, 0b10),
        At(25),
        notify(bell, 0b100),
    ];
    assert_story(
        &story(&system, &script),
        &[
            "0 switch 2 to 0",
            "0 switch 0 to 1",
            "5 switch 1 to 0",
            "5 returns to 0: NotificationWait Success 1",
            "5 switch 0 to 1",
            "5 returns to 1: Notify Success",
            "24 returns to 1: Notify WouldBlock",
            "24 returns to 1: Notify WouldBlock",
            "25 switch 1 to 0",
            "25 returns to 0: NotificationWait Success 4",
        ],
    );
    assert_eq!(play(&system, &script).state().dropped(0), 2);
}

/// A gate's instant is a word, which comes round every 2^32 ticks: what is long past isn't mistaken for what is to
/// come.
#[test]
fn an_instant_that_is_long_past_is_past() {
    let (system, [bell, _]) = bells(Drop);
    let far = 5 * u64::from(LONGEST_WAIT);
    for later in [far / 2, far, far + 5, 2 * far] {
        let mut rig =
            play(&system, &[await_bits(0, Forever), At(5), notify(bell, 1), await_bits(0, Forever)]);
        rig.step(At(later));
        rig.step(notify(bell, 1));
        assert_eq!(rig.state().running(), ThreadId(0), "{later}");
    }
}

#[test]
fn what_waits_for_a_stopped_thread_is_nobodys() {
    let (system, [bell, _]) = bells(Keep);
    let script = [
        sleep_until(3),
        notify(bell, 1),
        notify(bell, 1),
        At(3),
        crate::host::Do::Call(beryl_abi::CallNumber::Stop),
        At(20),
        notify(bell, 1),
        At(60),
    ];
    let rig = play(&system, &script);
    assert_eq!(rig.state().running(), ThreadId(1));
}

/// Thread 0 waits for bits of a group behind a gate of 20 ticks, and so does thread 1; thread 2 sets them; 3 idles.
#[test]
fn early_bits_of_a_group_become_one_and_can_be_cleared() {
    let mut draft = Draft::<Gated>::new(&[Queue::Fixed]);
    draft.all_free(&[9, 8, 1]);
    let group = draft.event_group();
    draft.gate(Before::EventGroup(group), 20, Keep);
    let any = |bits| await_group(group, bits, 0, Forever);
    let script = [
        any(1),
        any(0b110),
        set_group(group, 1),
        any(0b10),
        At(3),
        set_group(group, 0b1110),
        clear_group(group, 0b1000),
        At(20),
        any(0b1000),
        any(0b1000),
        clear_group(group, u32::MAX),
        set_group(group, 1),
    ];
    assert_story(
        &story(&draft.finish().0, &script)[3..],
        &[
            "0 switch 2 to 0",
            "0 returns to 0: EventGroupWait Success 1",
            "0 switch 0 to 2",
            "0 returns to 2: EventGroupSet Success",
            "3 returns to 2: EventGroupSet Success",
            "3 returns to 2: EventGroupClear Success 1",
            // both were waiting
            "20 switch 2 to 0",
            "20 returns to 0: EventGroupWait Success 7",
            "20 switch 0 to 1",
            "20 returns to 1: EventGroupWait Success 7",
            "20 switch 1 to 2",
            "20 returns to 2: EventGroupClear Success 7",
            "20 returns to 2: EventGroupSet Success",
        ],
    );
}
