//! Triggers on interrupts, completions and ports.

use beryl_abi::CallNumber::Complete;
use beryl_abi::{Line, ThreadId};
use beryl_kernel::Held;
use beryl_syscode::{Condition, PortId, Relation};

use crate::assert_story;
use crate::host::Do::{self, Alarm, At, Call, Interrupt, Late, Write};
use crate::host::code::{RELEASES, RETURN, call, future, phase, release, when};
use crate::host::draft::{Crowded, Draft, Queue, Swapping};
use crate::host::{records, run};

const NOBODY: ThreadId = ThreadId::NONE;

/// Carries out a driver each time that line 5 is raised.
#[test]
fn an_interrupt_is_a_trigger_and_its_line_is_open_while_one_waits() {
    let mut draft = Draft::<Swapping>::new(&[Queue::Dynamic(2)]);
    let driver = draft.copy(NOBODY, 0x100, 0x104, 4);
    let program = draft.program(&[], &[when(0, 2), RETURN, call(driver), when(0, 2), RETURN]);
    draft.conditions(program, &[Condition::Interrupt(Line(5))]);
    let system = draft.finish().0;
    let script = [At(3), Write(0x100, 9), Interrupt(5), At(4), Interrupt(6), At(7), Interrupt(5)];
    assert_story(
        &run(&system, &script),
        &[
            "0 unmask 5",
            "0 arm 1073741824",
            "0 switch 0 to 0",
            "3 mask 5",
            "3 copy 0x100 to 0x104, 4 bytes",
            "3 driver 0 at 3 = 9",
            "3 unmask 5",
            "3 arm 1073741824",
            // a line that nobody waits for
            "4 mask 6",
            "4 stray 6",
            "7 mask 5",
            "7 copy 0x100 to 0x104, 4 bytes",
            "7 driver 0 at 7 = 9",
            "7 unmask 5",
            "7 arm 1073741824",
        ],
    );
}

#[test]
fn a_completion_is_a_trigger_at_its_instant() {
    let mut draft = Draft::<Swapping>::new(&[Queue::Dynamic(2)]);
    let task = draft.task(1, 0, 0);
    let driver = draft.copy(NOBODY, 0x100, 0x104, 4);
    let code = [when(0, 5), release(task, 0), future(0, 1), RETURN, RETURN, call(driver), when(0, 5), RETURN];
    let program = draft.program(&[10], &code);
    draft.conditions(program, &[Condition::Completed(task)]);
    let system = draft.finish().0;
    assert_story(
        &records(&system, &[At(3), Call(Complete), At(10), At(12), Call(Complete)]),
        &[
            "0 release 0 at 0 by 10",
            "0 switch 1 to 0",
            "3 complete 0",
            "3 driver 0 at 3 = 0",
            "3 switch 0 to 1",
            "10 release 0 at 10 by 20",
            "10 switch 1 to 0",
            "12 complete 0",
            "12 driver 0 at 12 = 0",
            "12 switch 0 to 1",
        ],
    );
}

/// One program copies 0x100 to the port at 0x104 every 10 ticks, in the phase of releases; the other waits
/// for the port.
fn waiting_for(condition: Condition, holds: Held) -> Draft<Swapping> {
    let mut draft = Draft::<Swapping>::new(&[Queue::Dynamic(2)]);
    let changes = draft.copy(NOBODY, 0x100, 0x104, 4);
    let follows = draft.copy(NOBODY, 0x108, 0x10C, 4);
    let code = [call(follows), when(0, 3), RETURN, call(follows), when(0, 3), RETURN];
    let program = draft.program(&[], &code);
    draft.program(&[10], &[phase(RELEASES), call(changes), future(0, 0), RETURN]);
    draft.conditions(program, &[condition]);
    draft.port(0, 0x104, holds);
    draft
}

#[test]
fn a_port_that_changes_is_a_trigger_when_everything_else_of_the_instant_is_done() {
    let system = waiting_for(Condition::Changed(PortId(0)), Held::Word).finish().0;
    let script = [At(9), Write(0x100, 7), At(29), Write(0x100, 0), At(30)];
    assert_story(
        &records(&system, &script),
        &[
            "0 driver 1 at 0 = 0",
            "0 driver 0 at 0 = 0",
            "0 switch 0 to 0",
            "10 driver 0 at 10 = 7",
            "10 driver 1 at 10 = 0",
            // as before
            "20 driver 0 at 20 = 7",
            "30 driver 0 at 30 = 0",
            "30 driver 1 at 30 = 0",
        ],
    );
}

#[test]
fn what_holds_already_comes_true_with_whatever_happens_next() {
    let system = waiting_for(Condition::Compare(PortId(0), Relation::AtLeast, 7), Held::Word).finish().0;
    let script = [At(9), Write(0x100, 7), At(29), Write(0x100, 6), At(40)];
    assert_story(
        &records(&system, &script),
        &[
            "0 driver 1 at 0 = 0",
            "0 driver 0 at 0 = 0",
            "0 switch 0 to 0",
            "10 driver 0 at 10 = 7",
            "10 driver 1 at 10 = 0",
            // set again at 10, where it holds already: the next instant is 20
            "20 driver 0 at 20 = 7",
            "20 driver 1 at 20 = 0",
            // at 30 the port changes before it is looked at
            "30 driver 0 at 30 = 6",
            "40 driver 0 at 40 = 6",
        ],
    );
}

#[test]
fn late_instants_are_looked_at_one_by_one() {
    let system = waiting_for(Condition::Changed(PortId(0)), Held::Word).finish().0;
    let script = [At(9), Write(0x100, 7), Late(25), Alarm];
    assert_story(
        &records(&system, &script)[3..],
        &["25 driver 0 at 10 = 7", "25 driver 1 at 10 = 0", "25 driver 0 at 20 = 7"],
    );
}

#[test]
fn numbers_are_as_long_as_they_are() {
    let lengths = [(Held::Byte, 0xFFFF_FF00, 2), (Held::Half, 0xFFFF_0000, 2), (Held::Word, 0xFFFF_0000, 3)];
    for (holds, value, expected) in lengths {
        let system = waiting_for(Condition::Changed(PortId(0)), holds).finish().0;
        let story = records(&system, &[At(9), Write(0x100, value), At(10)]);
        let follows = story.iter().filter(|line| line.contains("driver 1")).count();
        assert_eq!(follows + 1, expected, "{holds:?}: {story:?}");
    }
    let below = Condition::Compare(PortId(0), Relation::Less, 0);
    for (holds, expected) in [(Held::Byte, 1), (Held::Half, 2), (Held::Word, 1)] {
        let system = waiting_for(below, holds).finish().0;
        let story = records(&system, &[At(9), Write(0x100, 0x0000_8000), At(10)]);
        let follows = story.iter().filter(|line| line.contains("driver 1")).count();
        assert_eq!(follows, expected, "{holds:?}: {story:?}");
    }
}

/// One program copies four words at 0x100 to those at 0x200 every 10 ticks. The other waits for two ports there, and for each has a
/// driver that follows it.
fn followed(ports: [(Condition, u32, Held); 2], script: &[Do]) -> [usize; 2] {
    let mut draft = Draft::<Crowded>::new(&[Queue::Dynamic(2)]);
    let changes = draft.copy(NOBODY, 0x100, 0x200, 16);
    let [first, second] = [0x304, 0x308].map(|to| draft.copy(NOBODY, 0x300, to, 4));
    draft.program(&[10], &[phase(RELEASES), call(changes), future(0, 0), RETURN]);
    let begins = [when(0, 3), when(1, 6), RETURN];
    let code =
        [&begins[..], &[call(first), when(0, 3), RETURN], &[call(second), when(1, 6), RETURN]].concat();
    let program = draft.program(&[], &code);
    draft.conditions(program, &ports.map(|(condition, ..)| condition));
    for (number, (_, address, holds)) in (0..).zip(ports) {
        draft.port(number, address, holds);
    }
    let story = records(&draft.finish().0, script);
    [1, 2].map(|driver| story.iter().filter(|line| line.contains(&format!("driver {driver} "))).count())
}

#[test]
fn bytes_change_with_each_of_them_and_with_no_others() {
    for (offset, length) in (0..16).flat_map(|offset| (1..=16 - offset).map(move |length| (offset, length))) {
        let address = 0x200 + u32::from(offset);
        for byte in 0..16_u8 {
            let port = |number| (Condition::Changed(PortId(number)), address, Held::Bytes(length));
            let word = 0x100 + u32::from(byte & !3);
            let script = [At(9), Write(word, 1 << (8 * (byte & 3))), At(10), At(29), Write(word, 0), At(40)];
            let is_within = (offset..offset + length).contains(&byte);
            let expected = if is_within { 2 } else { 0 };
            assert_eq!(
                followed([port(0), port(1)], &script),
                [expected; 2],
                "{length} bytes behind {offset}, of which {byte} changes"
            );
        }
    }
}

#[test]
fn who_waits_for_bytes_sees_what_changed_since_it_began_whoever_else_waits_for_them() {
    let port = |number, length| (Condition::Changed(PortId(number)), 0x200, Held::Bytes(length));
    let script = [
        At(9),
        Write(0x10C, 1),
        At(19),
        Write(0x104, 2),
        At(29),
        Write(0x100, 3),
        // and back again
        At(39),
        Write(0x100, 0),
        At(60),
    ];
    assert_eq!(followed([port(0, 16), port(1, 8)], &script), [4, 3]);
}

#[test]
fn bytes_compare_with_no_number() {
    for relation in Relation::ALL.map(|(relation, _)| relation) {
        let port = |number| (Condition::Compare(PortId(number), relation, 0), 0x200, Held::Bytes(8));
        let script = [At(9), Write(0x100, 1), At(19), Write(0x104, u32::MAX), At(40)];
        assert_eq!(followed([port(0), port(1)], &script), [0, 0], "{relation:?}");
    }
}
