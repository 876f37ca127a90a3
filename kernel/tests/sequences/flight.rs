//! The flight controller of the programmable-microkernel paper: Figure 3's E code gives the trace
//! of Figure 4.

use beryl_abi::CallNumber::Complete;
use beryl_abi::ThreadId;

use crate::assert_story;
use crate::host::Do::{At, Call, Write};
use crate::host::code::{RETURN, call, future, release};
use crate::host::draft::{Draft, Queue, Small};
use crate::host::{records, run};
use beryl_kernel::System;

const SENSOR: u32 = 0x100;
const NAVIGATION_INPUT: u32 = 0x200;
const NAVIGATION_RESULT: u32 = 0x204;
const CONTROL_INPUT: u32 = 0x300;
const CONTROL_RESULT: u32 = 0x304;
const ACTUATOR: u32 = 0x400;

/// The code of Figure 3. Thread 0 is the figure's `t2` (navigation, every 10), thread 1 its `t1`
/// (control, every 20), thread 2 idles. Drivers 0, 1, 2 are `da`, `ds`, `di`. Where deadlines are
/// equal, at 20, the earlier row of the table wins; the figure gives it to `t2`.
fn flight_controller() -> System<Small> {
    let mut draft = Draft::<Small>::new(&[Queue::Dynamic(2)]);
    let navigation = draft.task(1, 0, 0);
    let control = draft.task(2, 0, 0);
    let da = draft.copy(control, CONTROL_RESULT, ACTUATOR, 4);
    let ds = draft.copy(navigation, SENSOR, NAVIGATION_INPUT, 4);
    let di = draft.copy(control, NAVIGATION_RESULT, CONTROL_INPUT, 4);
    const TEN: u8 = 0;
    const TWENTY: u8 = 1;
    let a0 = [
        call(da),
        call(ds),
        call(di),
        release(control, TWENTY),
        release(navigation, TEN),
        future(TEN, 7),
        RETURN,
    ];
    let a1 = [call(ds), release(navigation, TEN), future(TEN, 0), RETURN];
    draft.program(&[10, 20], &[a0.as_slice(), a1.as_slice()].concat());
    draft.finish().0
}

#[test]
fn the_code_of_figure_3_runs_as_figure_4_draws_it() {
    let story = run(
        &flight_controller(),
        &[
            At(5),
            Write(NAVIGATION_RESULT, 51),
            Call(Complete),
            At(12),
            Write(SENSOR, 8),
            At(15),
            Write(NAVIGATION_RESULT, 52),
            Call(Complete),
            At(18),
            Write(CONTROL_RESULT, 61),
            Call(Complete),
            At(20),
        ],
    );
    assert_story(
        &story,
        &[
            // a0 at 0: drivers in the order of the code, then both tasks are released
            "0 copy 0x304 to 0x400, 4 bytes",
            "0 driver 0 at 0 = 0",
            "0 copy 0x100 to 0x200, 4 bytes",
            "0 driver 1 at 0 = 0",
            "0 copy 0x204 to 0x300, 4 bytes",
            "0 driver 2 at 0 = 0",
            "0 release 1 at 0 by 20",
            "0 release 0 at 0 by 10",
            // g is bound to a1; the E machine sleeps until 10
            "0 arm 10",
            // t2 has the earlier deadline: it runs first, although t1 was released first
            "0 switch 2 to 0",
            "5 complete 0",
            // then t1
            "5 switch 0 to 1",
            // a1 at 10 preempts t1
            "10 copy 0x100 to 0x200, 4 bytes",
            "10 driver 1 at 10 = 0",
            "10 release 0 at 10 by 20",
            "10 arm 20",
            "10 switch 1 to 0",
            "15 complete 0",
            // t1 resumes and completes
            "15 switch 0 to 1",
            "18 complete 1",
            "18 switch 1 to 2",
            // a0 at 20: the actuator gets t1's result, t1 gets t2's second result
            "20 copy 0x304 to 0x400, 4 bytes",
            "20 driver 0 at 20 = 61",
            "20 copy 0x100 to 0x200, 4 bytes",
            "20 driver 1 at 20 = 8",
            "20 copy 0x204 to 0x300, 4 bytes",
            "20 driver 2 at 20 = 52",
            "20 release 1 at 20 by 40",
            "20 release 0 at 20 by 30",
            "20 arm 30",
            "20 switch 2 to 0",
        ],
    );
}

#[test]
fn an_incomplete_navigation_at_10_is_a_time_safety_violation() {
    let story = records(&flight_controller(), &[At(10)]);
    let at_10: Vec<_> = story.into_iter().filter(|line| line.starts_with("10 ")).collect();
    assert_story(
        &at_10,
        &[
            // "the attempt by the sensor driver to overwrite a port read by t2" (section 2)
            "10 violation 0 at 10",
            // t2 is released again and begins anew
            "10 release 0 at 10 by 20",
            "10 switch 0 to 0",
        ],
    );
}

#[test]
fn the_trace_switch_changes_records_only() {
    use crate::host::Rig;
    use beryl_kernel::Event;
    let system = flight_controller();
    let script = [At(5), Call(Complete), At(13), Call(Complete), At(25), Call(Complete), At(40)];
    let story = |tracing| {
        let mut rig = Rig::new(&system);
        rig.kernel.state.set_tracing(tracing);
        rig.raise(Event::Start);
        script.iter().for_each(|step| rig.step(*step));
        rig.kernel.state.set_tracing(true);
        (rig.kernel.state, rig.kernel.machine)
    };
    let ((quiet_state, quiet), (state, host)) = (story(false), story(true));
    let records = crate::host::only_records(host.log.clone());
    let effects = host.log.iter().filter(|line| !records.contains(line));
    assert_eq!(quiet_state, state);
    assert!(effects.eq(quiet.log.iter()), "{:?}", quiet.log);
    assert_eq!(state.running(), ThreadId(0));
}
