//! Several triggers of one program at one instant: by their phases, and then in the order of their setting.

use beryl_abi::CallNumber::Complete;
use beryl_abi::{DriverId, Instant, Line, ThreadId};
use beryl_kernel::{Activity, Event, Program, Switch, System};
use beryl_syscode::{Condition, Instruction};

use crate::assert_story;
use crate::host::Do::{At, Call, Interrupt};
use crate::host::code::{RETURN, call, future, phase, release, when};
use crate::host::draft::{Crowded, Draft, Queue, Swapping};
use crate::host::{Rig, records};

/// A program with three drivers that copy what belongs to nobody.
fn three_drivers(durations: &[u64], code: &[Instruction], conditions: &[Condition]) -> System<Crowded> {
    let mut draft = Draft::<Crowded>::new(&[Queue::Dynamic(2)]);
    for number in 0..3 {
        draft.copy(ThreadId::NONE, 0x100 + 8 * number, 0x104 + 8 * number, 4);
    }
    let program = draft.program(durations, code);
    draft.conditions(program, conditions);
    draft.finish().0
}

fn driver(number: u16) -> Instruction {
    call(DriverId(number))
}

#[test]
fn those_of_one_phase_go_in_the_order_of_their_setting() {
    let code = [
        // the second place is that of what comes at 3, and then is set again for 10
        future(0, 4),
        future(1, 8),
        RETURN,
        RETURN,
        // at 10: first what was set first, in a later phase
        phase(2),
        driver(0),
        future(0, 4),
        RETURN,
        // at 3
        future(2, 12),
        future(2, 14),
        RETURN,
        RETURN,
        // at 10: the second and the third
        driver(1),
        RETURN,
        phase(2),
        driver(2),
        RETURN,
    ];
    let system = three_drivers(&[10, 3, 7], &code, &[]);
    assert_story(
        &records(&system, &[At(20)]),
        &[
            "0 switch 0 to 0",
            "10 driver 1 at 10 = 0",
            "10 driver 0 at 10 = 0",
            "10 driver 2 at 10 = 0",
            "20 driver 0 at 20 = 0",
        ],
    );
}

#[test]
fn what_waits_for_something_else_than_time_has_the_turn_of_its_setting() {
    let code = [
        future(0, 4),
        when(0, 6),
        future(0, 8),
        RETURN,
        // in this order, though the second is due only when the interrupt comes
        driver(0),
        RETURN,
        driver(1),
        RETURN,
        driver(2),
        RETURN,
    ];
    let system = three_drivers(&[10], &code, &[Condition::Interrupt(Line(5))]);
    let mut rig = Rig::new(&system);
    rig.raise(Event::Start);
    rig.step(At(9));
    rig.host().clock = Instant::from_ticks(10);
    rig.step(Interrupt(5));
    rig.step(At(12));
    let drivers = crate::host::only_records(rig.host().log.clone());
    assert_story(
        &drivers,
        &["0 switch 0 to 0", "10 driver 0 at 10 = 0", "10 driver 1 at 10 = 0", "10 driver 2 at 10 = 0"],
    );
}

/// An interrupt comes behind each step of the instant at which a program drops what it has waiting: what
/// waits for it is carried out if it came before, and never afterwards.
#[test]
fn nothing_that_is_dropped_comes_back() {
    let mut draft = Draft::<Swapping>::new(&[Queue::Dynamic(2)]);
    let task = draft.task(1, 0, 0);
    let publish = draft.copy(task, 0x100, 0x104, 4);
    let other = draft.copy(ThreadId::NONE, 0x108, 0x10C, 4);
    let code = [
        future(0, 5),
        when(0, 7),
        release(task, 0),
        RETURN,
        RETURN,
        call(publish),
        RETURN,
        call(other),
        RETURN,
        // the handler, and the other mode
        Instruction::Change { address: 10 },
        future(0, 4),
        RETURN,
    ];
    let program = draft.program(&[4], &code);
    draft.conditions(program, &[Condition::Interrupt(Line(5))]);
    draft.handlers(program, 9, Program::NO_HANDLER);
    let system = draft.finish().0;
    let mut while_dropping = 0;
    for step in 1..40 {
        let mut rig = Rig::new(&system);
        rig.raise(Event::Start);
        rig.step(At(3));
        rig.host().clock = Instant::from_ticks(4);
        let mut event = Event::Alarm;
        let mut was_dropping = false;
        for number in 1..100 {
            if rig.kernel.handle(event) != Switch::Again {
                break;
            }
            event = Event::Continue;
            if number == step {
                was_dropping = matches!(rig.state().activity(), Activity::Drop { .. });
                assert_eq!(rig.kernel.handle(Event::Interrupt(Line(5))), Switch::Again);
            }
        }
        if was_dropping {
            while_dropping += 1;
            rig.step(Call(Complete));
            rig.step(At(20));
            let story = crate::host::only_records(rig.host().log.clone());
            assert!(!story.iter().any(|line| line.contains("driver 1")), "step {step}: {story:?}");
        }
    }
    assert!(while_dropping > 4, "{while_dropping} steps");
}
