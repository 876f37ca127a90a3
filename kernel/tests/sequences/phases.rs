//! Several programs at one instant: rule 2 of the timing language.

use beryl_abi::CallNumber::Complete;
use beryl_kernel::StepKind::{Instant, Look};
use beryl_kernel::System;

use crate::assert_story;
use crate::host::Do::{At, Call, Write};
use crate::host::code::{ACTUATORS, RELEASES, RETURN, call, future, phase, release};
use crate::host::draft::{Draft, Queue, Small};
use crate::host::{Step, only_records, play, records, run};

/// Where a task's ports are: input, private output, visible output, and its module's actuator.
const PORTS: [[u32; 4]; 2] = [[0x100, 0x110, 0x120, 0x130], [0x200, 0x210, 0x220, 0x230]];

/// Two modules with a task each that reads what the other published. Drivers 0, 1 publish, 2, 3
/// are actuators, 4, 5 inputs. Threads 0 and 1 are the tasks, 2 idles.
fn two_modules(periods: [u64; 2]) -> System<Small> {
    let mut draft = Draft::<Small>::new(&[Queue::Dynamic(2)]);
    let tasks = [draft.task(0, 0, 0), draft.task(1, 0, 0)];
    let publish = [0, 1].map(|k: usize| draft.copy(tasks[k], PORTS[k][1], PORTS[k][2], 4));
    let none = beryl_abi::ThreadId::NONE;
    let actuate = [0, 1].map(|k: usize| draft.copy(none, PORTS[k][2], PORTS[k][3], 4));
    let read = [0, 1].map(|k: usize| draft.copy(tasks[k], PORTS[1 - k][2], PORTS[k][0], 4));
    for k in 0..2 {
        let code = [
            call(publish[k]),
            phase(ACTUATORS),
            call(actuate[k]),
            phase(RELEASES),
            call(read[k]),
            release(tasks[k], 0),
            future(0, 0),
            RETURN,
        ];
        draft.program(&[periods[k]], &code);
    }
    draft.finish().0
}

#[test]
fn each_phase_is_done_for_every_module_before_the_next() {
    let script =
        [At(2), Write(PORTS[0][1], 7), Call(Complete), At(4), Write(PORTS[1][1], 9), Call(Complete), At(10)];
    let at_10: Vec<_> =
        run(&two_modules([10, 10]), &script).into_iter().filter(|line| line.starts_with("10 ")).collect();
    assert_story(
        &only_records(at_10),
        &[
            // outputs of both modules become visible
            "10 driver 0 at 10 = 7",
            "10 driver 1 at 10 = 9",
            // then the actuators of both
            "10 driver 2 at 10 = 7",
            "10 driver 3 at 10 = 9",
            // then inputs and releases of both: each task reads what the other has just published
            "10 driver 4 at 10 = 9",
            "10 release 0 at 10 by 20",
            "10 driver 5 at 10 = 7",
            "10 release 1 at 10 by 20",
            "10 switch 2 to 0",
        ],
    );
}

#[test]
fn a_phase_goes_through_the_queue_only_where_another_module_comes_between() {
    let script = [At(2), Call(Complete), Call(Complete), At(10), Call(Complete), At(20)];
    let rig = play(&two_modules([10, 20]), &script);
    let is_of = |step: &&Step, ticks| matches!(step.kind, Instant | Look) && step.instant.ticks() == ticks;
    let of_instant = |ticks| rig.charged.iter().filter(|step| is_of(step, ticks)).count();
    // to be selected, two phases, `future`, `return`, and nothing left
    assert_eq!(of_instant(10), 6);
    // both are selected for each of three phases, set two, and have a `future` and a `return`; then nothing is left
    assert_eq!(of_instant(20), 2 * (3 + 2 + 2) + 1);
}

#[test]
fn a_module_that_rests_at_an_instant_has_no_part_in_it() {
    let script = [
        At(1),
        Write(PORTS[0][1], 7),
        Call(Complete),
        At(10),
        Call(Complete),
        At(12),
        Call(Complete),
        At(20),
    ];
    let story = records(&two_modules([10, 20]), &script);
    let later: Vec<_> = story.into_iter().skip_while(|line| !line.starts_with("10 ")).collect();
    assert_story(
        &later,
        &[
            // at 10 module 0 alone; module 1's task is at work and isn't touched
            "10 driver 0 at 10 = 7",
            "10 driver 2 at 10 = 7",
            "10 driver 4 at 10 = 0",
            "10 release 0 at 10 by 20",
            // deadlines are equal: the first row goes first
            "10 switch 1 to 0",
            "10 complete 0",
            "10 switch 0 to 1",
            "12 complete 1",
            "12 switch 1 to 2",
            // at 20 both, phase by phase
            "20 driver 0 at 20 = 7",
            "20 driver 1 at 20 = 0",
            "20 driver 2 at 20 = 7",
            "20 driver 3 at 20 = 0",
            "20 driver 4 at 20 = 0",
            "20 release 0 at 20 by 30",
            "20 driver 5 at 20 = 7",
            "20 release 1 at 20 by 40",
            "20 switch 2 to 0",
        ],
    );
}

#[test]
fn a_late_alarm_carries_out_each_instant_at_its_own_logical_time() {
    use crate::host::Do::{Alarm, Late};
    let script = [At(1), Call(Complete), Call(Complete), Late(23), Alarm];
    let story = records(&two_modules([10, 20]), &script);
    let later: Vec<_> = story.into_iter().filter(|line| line.starts_with("23 ")).collect();
    assert_story(
        &later,
        &[
            // the instant 10, at 23: nothing drifts, the deadline counts from 10
            "23 driver 0 at 10 = 0",
            "23 driver 2 at 10 = 0",
            "23 driver 4 at 10 = 0",
            "23 release 0 at 10 by 20",
            // the instant 20 follows before anybody has run, so the job of 10 couldn't be done
            "23 violation 0 at 20",
            "23 driver 1 at 20 = 0",
            "23 driver 2 at 20 = 0",
            "23 driver 3 at 20 = 0",
            "23 driver 4 at 20 = 0",
            "23 release 0 at 20 by 30",
            "23 driver 5 at 20 = 0",
            "23 release 1 at 20 by 40",
            "23 switch 2 to 0",
        ],
    );
}
