//! Programs that schedule: their threads dispatch tasks, one at a time, and nobody else does.

use beryl_abi::CallNumber::Complete;
use beryl_abi::ThreadId;
use beryl_syscode::Condition::Clock;
use beryl_syscode::Instruction::{Dispatch, DispatchUntil, Fork, Jump, Releases};

use crate::assert_story;
use crate::host::Do::{At, Call};
use crate::host::asks::sleep_until;
use crate::host::code::{RETURN, future};
use crate::host::draft::{Draft, Queue, Taking};
use crate::host::records;

/// The first task has 5 ticks, the second as long as it takes: what was set for the first one, which is done before that, doesn't end the
/// second one's. Thread 2, which is more urgent than both, sleeps meanwhile.
#[test]
fn what_ends_a_dispatch_in_time_ends_no_later_one() {
    let mut draft = Draft::<Taking>::new(&[Queue::Fixed, Queue::Dynamic(2)]);
    let [first, second] = [draft.task(0, 1, 0), draft.task(0, 1, 0)];
    draft.free(0, 0, 9);
    let code = [
        Fork { address: 4 },
        Releases { first, deadline: 1, count: 2 },
        future(1, 0),
        RETURN,
        DispatchUntil { task: first, until: 0, otherwise: 0 },
        Jump { address: 7 },
        RETURN,
        Dispatch { task: second },
        RETURN,
    ];
    let program = draft.program(&[5, 20], &code);
    draft.conditions(program, &[Clock(0)]);
    draft.schedule(program, 1);
    let (mut system, idle) = draft.finish();
    system.programs[program.index()].rank = system.threads[first.index()].rank;
    assert_eq!([first, second, idle], [0, 1, 3].map(ThreadId));
    let script = [sleep_until(90), At(2), Call(Complete), At(9), Call(Complete), At(20)];
    assert_story(
        &records(&system, &script),
        &[
            "0 release 0 at 0 by 20",
            "0 release 1 at 0 by 20",
            "0 switch 3 to 2",
            "0 switch 2 to 0",
            "2 complete 0",
            "2 switch 0 to 1",
            "9 complete 1",
            "9 switch 1 to 3",
            "20 release 0 at 20 by 40",
            "20 release 1 at 20 by 40",
            "20 switch 3 to 0",
        ],
    );
}
