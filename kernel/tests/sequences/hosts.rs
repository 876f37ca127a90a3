//! Two hosts that share a bus by slots: Figure 14 of the programmable-microkernel paper, on two kernels whose clocks agree.
//!
//! ```text
//!         0      5      10     15     20
//!   h1:   t1            t1     r21          r21 receives what s21 sends; the driver di takes it at 20
//!   h2:   t2            t2     s21          s21 sends what the second job of t2 gave
//! ```

use beryl_abi::CallNumber::Complete;
use beryl_abi::{DriverId, ThreadId};
use beryl_kernel::System;
use beryl_syscode::Condition::Clock;
use beryl_syscode::Instruction;
use beryl_syscode::Instruction::{DispatchUntil, Fork, Idle};

use crate::assert_story;
use crate::host::Do::{At, Call, Write};
use crate::host::code::{RETURN, call, future, release};
use crate::host::draft::{Draft, Queue, Taking};
use crate::host::{Rig, only_records};

/// What `t2` gives, in the memory of its host.
const RESULT: u32 = 0x100;
/// What `r21` has received, in the memory of the other one.
const RECEIVED: u32 = 0x200;
/// The input of `t1`.
const INPUT: u32 = 0x300;

/// The tasks of each host: `t1` or `t2`, and `r21` or `s21`, which have the bus.
const OWN: ThreadId = ThreadId(0);
const EXCHANGE: ThreadId = ThreadId(1);
/// Places of durations and conditions.
const FIVE: u8 = 0;
const TEN: u8 = 1;
const FIFTEEN: u8 = 2;
const TWENTY: u8 = 3;
const TIMES: [u64; 4] = [5, 10, 15, 20];

/// The figure's S code, which is the same on both hosts but for the tasks: at this address.
fn schedule(begin: u16) -> [Instruction; 8] {
    let dispatch = |task, until| DispatchUntil { task, until, otherwise: 0 };
    [
        dispatch(OWN, FIVE),
        Idle { until: TEN },
        dispatch(OWN, FIFTEEN),
        Idle { until: FIFTEEN },
        dispatch(EXCHANGE, TWENTY),
        Idle { until: TWENTY },
        Fork { address: begin },
        RETURN,
    ]
}

/// A host whose program has this E code, and the figure's S code behind it.
fn host(e_code: &[Instruction], drivers: impl FnOnce(&mut Draft<Taking>)) -> System<Taking> {
    let mut draft = Draft::<Taking>::new(&[Queue::Dynamic(2)]);
    assert_eq!([draft.task(0, 0, 0), draft.task(0, 0, 0)], [OWN, EXCHANGE]);
    drivers(&mut draft);
    let begin = 1 + e_code.len() as u16;
    let program =
        draft.program(&TIMES, &[&[Fork { address: begin }], e_code, schedule(begin).as_slice()].concat());
    draft.conditions(program, &[FIVE, TEN, FIFTEEN, TWENTY].map(Clock));
    draft.schedule(program, 0);
    let (mut system, _) = draft.finish();
    system.programs[program.index()].rank = system.threads[OWN.index()].rank;
    system
}

/// The host of `t1`, which takes 20 and gets what has been received by then.
fn first() -> System<Taking> {
    let e_code =
        [call(DriverId(0)), release(EXCHANGE, TWENTY), release(OWN, TWENTY), future(TWENTY, 1), RETURN];
    host(&e_code, |draft| {
        draft.copy(OWN, RECEIVED, INPUT, 4);
    })
}

/// The host of `t2`, every 10.
fn second() -> System<Taking> {
    let once = [release(EXCHANGE, TWENTY), release(OWN, TEN), future(TEN, 5), RETURN];
    let twice = [release(OWN, TEN), future(TEN, 1), RETURN];
    host(&[once.as_slice(), &twice].concat(), |_| {})
}

/// Both hosts, tick by tick.
struct Hosts([Rig<Taking>; 2]);

impl Hosts {
    fn at(&mut self, instant: u64) {
        self.0.iter_mut().for_each(|rig| rig.step(At(instant)));
    }

    /// A host's task has written a word, and is done.
    fn complete(&mut self, host: usize, address: u32, value: u32) {
        self.0[host].step(Write(address, value));
        self.0[host].step(Call(Complete));
    }

    /// What was sent is received at the same instant, if both have the bus.
    fn exchange(&mut self) {
        assert_eq!(self.0.each_ref().map(|rig| rig.state().running()), [EXCHANGE; 2], "both have the bus");
        let sent = self.0[1].host().memory[&RESULT];
        self.0[1].step(Call(Complete));
        self.complete(0, RECEIVED, sent);
    }
}

#[test]
fn the_code_of_figure_14_runs_on_two_kernels_as_figure_15_draws_it() {
    let mut hosts = Hosts([first(), second()].map(|system| Rig::new(&system)));
    hosts.0.iter_mut().for_each(|rig| {
        rig.raise(beryl_kernel::Event::Start);
    });
    hosts.at(4);
    hosts.complete(1, RESULT, 51);
    hosts.at(13);
    hosts.complete(0, INPUT + 4, 0);
    hosts.at(14);
    hosts.complete(1, RESULT, 52);
    hosts.at(18);
    hosts.exchange();
    hosts.at(24);
    hosts.complete(1, RESULT, 53);
    hosts.at(25);
    let [first, second] = hosts.0.map(|mut rig| only_records(std::mem::take(&mut rig.host().log)));
    assert_story(
        &first,
        &[
            "0 driver 0 at 0 = 0",
            "0 release 1 at 0 by 20",
            "0 release 0 at 0 by 20",
            "0 switch 2 to 0",
            // t1 takes 8 of the slots from 0 to 5 and 10 to 15
            "5 switch 0 to 2",
            "10 switch 2 to 0",
            "13 complete 0",
            "13 switch 0 to 2",
            "15 switch 2 to 1",
            "18 complete 1",
            "18 switch 1 to 2",
            // di gives t1 what the second job of t2 gave in this period, on the other host
            "20 driver 0 at 20 = 52",
            "20 release 1 at 20 by 40",
            "20 release 0 at 20 by 40",
            "20 switch 2 to 0",
            "25 switch 0 to 2",
        ],
    );
    assert_story(
        &second,
        &[
            "0 release 1 at 0 by 20",
            "0 release 0 at 0 by 10",
            "0 switch 2 to 0",
            // t2 is done once in each slot
            "4 complete 0",
            "4 switch 0 to 2",
            "10 release 0 at 10 by 20",
            "10 switch 2 to 0",
            "14 complete 0",
            "14 switch 0 to 2",
            "15 switch 2 to 1",
            "18 complete 1",
            "18 switch 1 to 2",
            "20 release 1 at 20 by 40",
            "20 release 0 at 20 by 30",
            "20 switch 2 to 0",
            "24 complete 0",
            "24 switch 0 to 2",
        ],
    );
}
