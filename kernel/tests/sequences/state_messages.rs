//! State messages that are read by a call: short ones at once, long ones in pieces between which nobody runs.

use beryl_abi::{Line, StateMessageId, ThreadId};
use beryl_kernel::{Call, Event, Switch, System};

use crate::assert_story;
use crate::host::Do::Write;
use crate::host::asks::Wait::Forever;
use crate::host::asks::{await_bits, read_state};
use crate::host::draft::{Draft, Queue, Small};
use crate::host::objects::memory;
use crate::host::{Do, Rig, play, run, without};

const INDEX: u32 = memory(1).address + 0x800;
const BASE: u32 = INDEX + 4;
const TO: u32 = memory(0).address;

/// The writer, more urgent, which waits for interrupt 10; the reader; and a message of two buffers of so many bytes.
fn two(length: u16) -> (System<Small>, ThreadId, StateMessageId) {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    let writer = draft.free(1, 0, 9);
    draft.free(0, 0, 5);
    draft.interrupt(10, writer, 1);
    let message = draft.state_message(INDEX, BASE, length, 2);
    (draft.finish().0, writer, message)
}

#[test]
fn a_short_value_is_copied_in_the_calls_own_step() {
    let (system, _, message) = two(64);
    let script = [await_bits(1, Forever), Write(INDEX, 3), read_state(message, TO)];
    let mut rig = play(&system, &script[..2]);
    assert_eq!(rig.raise(event(script[2])), 1, "steps");
    assert_story(
        &without(run(&system, &script), &["unmask", "arm", "status"]),
        &[
            "0 switch 2 to 0",
            "0 switch 0 to 1",
            // the third write is in the second buffer
            "0 copy 0x301844 to 0x300000, 64 bytes",
        ],
    );
}

#[test]
fn a_long_value_is_copied_in_pieces() {
    let (system, _, message) = two(200);
    let script = [await_bits(1, Forever), Write(INDEX, 3), read_state(message, TO)];
    let mut rig = play(&system, &script[..2]);
    // the call, four pieces, the decision
    assert_eq!(rig.raise(event(script[2])), 6, "steps");
    assert_story(
        &without(run(&system, &script), &["unmask", "arm", "status"]),
        &[
            "0 switch 2 to 0",
            "0 switch 0 to 1",
            "0 copy 0x3018cc to 0x300000, 64 bytes",
            "0 copy 0x30190c to 0x300040, 64 bytes",
            "0 copy 0x30194c to 0x300080, 64 bytes",
            "0 copy 0x30198c to 0x3000c0, 8 bytes",
        ],
    );
}

/// Wherever the interrupt comes between the pieces, the writer runs behind the last one.
#[test]
fn nobody_runs_between_the_pieces() {
    let (system, writer, message) = two(200);
    for at in 2..7 {
        let mut rig = play(&system, &[await_bits(1, Forever)]);
        let mut next = event(read_state(message, TO));
        let mut copied = 0;
        for step in 1.. {
            if step == at {
                assert_eq!(rig.kernel.handle(Event::Interrupt(Line(10))), Switch::Again);
            }
            let answer = rig.kernel.handle(next);
            copied = pieces(&rig);
            if answer != Switch::Again {
                assert_eq!(answer, Switch::To(writer), "interrupt before step {at}");
                break;
            }
            next = Event::Continue;
        }
        assert_eq!(copied, 4, "pieces before the writer runs, interrupt before step {at}");
    }
}

fn pieces(rig: &Rig<Small>) -> usize {
    rig.kernel.machine.log.iter().filter(|line| line.contains("copy")).count()
}

fn event(ask: Do) -> Event {
    match ask {
        Do::Ask(number, arguments) => Event::Call(Call { number: number as u32, arguments }),
        other => panic!("{other:?} isn't a call"),
    }
}
