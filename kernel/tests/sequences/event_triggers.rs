//! Triggers on interrupts, completions and ports.

use beryl_abi::CallNumber::Complete;
use beryl_abi::{Line, ThreadId};
use beryl_syscode::{Condition, PortId, Relation};

use crate::assert_story;
use crate::host::Do::{Alarm, At, Call, Interrupt, Late, Write};
use crate::host::code::{RELEASES, RETURN, call, future, phase, release, when};
use crate::host::draft::{Draft, Queue, Swapping};
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
fn waiting_for(condition: Condition, length: u8) -> Draft<Swapping> {
    let mut draft = Draft::<Swapping>::new(&[Queue::Dynamic(2)]);
    let changes = draft.copy(NOBODY, 0x100, 0x104, 4);
    let follows = draft.copy(NOBODY, 0x108, 0x10C, 4);
    let code = [call(follows), when(0, 3), RETURN, call(follows), when(0, 3), RETURN];
    let program = draft.program(&[], &code);
    draft.program(&[10], &[phase(RELEASES), call(changes), future(0, 0), RETURN]);
    draft.conditions(program, &[condition]);
    draft.port(0, 0x104, length);
    draft
}

#[test]
fn a_port_that_changes_is_a_trigger_when_everything_else_of_the_instant_is_done() {
    let system = waiting_for(Condition::Changed(PortId(0)), 4).finish().0;
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
    let system = waiting_for(Condition::Compare(PortId(0), Relation::AtLeast, 7), 4).finish().0;
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
    let system = waiting_for(Condition::Changed(PortId(0)), 4).finish().0;
    let script = [At(9), Write(0x100, 7), Late(25), Alarm];
    assert_story(
        &records(&system, &script)[3..],
        &["25 driver 0 at 10 = 7", "25 driver 1 at 10 = 0", "25 driver 0 at 20 = 7"],
    );
}

#[test]
fn ports_are_as_long_as_they_are() {
    for (length, value, expected) in [(1, 0xFFFF_FF00, 2), (2, 0xFFFF_0000, 2), (4, 0xFFFF_0000, 3)] {
        let system = waiting_for(Condition::Changed(PortId(0)), length).finish().0;
        let story = records(&system, &[At(9), Write(0x100, value), At(10)]);
        let follows = story.iter().filter(|line| line.contains("driver 1")).count();
        assert_eq!(follows + 1, expected, "{length} bytes: {story:?}");
    }
    let below = Condition::Compare(PortId(0), Relation::Less, 0);
    for (length, expected) in [(1, 1), (2, 2), (4, 1)] {
        let system = waiting_for(below, length).finish().0;
        let story = records(&system, &[At(9), Write(0x100, 0x0000_8000), At(10)]);
        let follows = story.iter().filter(|line| line.contains("driver 1")).count();
        assert_eq!(follows, expected, "{length} bytes: {story:?}");
    }
}
