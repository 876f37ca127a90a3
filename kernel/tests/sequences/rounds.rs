//! Rounds: a program whose activities come at different rates, at the instants of its round and no others.

use beryl_abi::CallNumber::Complete;
use beryl_syscode::Condition;
use beryl_syscode::Instruction::{Beat, Next, Round};

use crate::assert_story;
use crate::host::Do::{At, Call};
use crate::host::code::{RETURN, release};
use crate::host::draft::{Draft, Queue, Swapping};
use crate::host::records;

/// In a round of 6 ticks, a task every 2 and one every 3.
const ROUND: Condition = Condition::Round { length: 0, beats: [1, 2, 0, 0] };
const DURATIONS: [u64; 3] = [6, 2, 3];

#[test]
fn each_activity_comes_at_its_beats() {
    let mut draft = Draft::<Swapping>::new(&[Queue::Fixed]);
    let [often, seldom] = [9, 5].map(|priority| draft.task(0, 0, priority));
    let code = [
        Beat { beat: 1, address: 2 },
        release(often, 1),
        Beat { beat: 2, address: 4 },
        release(seldom, 2),
        Next { round: 0, address: 0 },
        RETURN,
    ];
    let program = draft.program(&DURATIONS, &code);
    draft.conditions(program, &[ROUND]);
    let done = Call(Complete);
    let script = [done, done, At(2), done, At(3), done, At(4), done, At(6)];
    let story = records(&draft.finish().0, &script);
    let releases: Vec<_> = story.into_iter().filter(|line| line.contains("release")).collect();
    assert_story(
        &releases,
        &[
            "0 release 0 at 0 by 2",
            "0 release 1 at 0 by 3",
            "2 release 0 at 2 by 4",
            "3 release 1 at 3 by 6",
            "4 release 0 at 4 by 6",
            "6 release 0 at 6 by 8",
            "6 release 1 at 6 by 9",
        ],
    );
}

/// At 2, in the middle of a round, another begins: so what comes every 3 ticks comes at 5.
#[test]
fn a_round_that_begins_counts_from_there() {
    let mut draft = Draft::<Swapping>::new(&[Queue::Fixed]);
    let task = draft.task(0, 0, 5);
    let code = [
        Next { round: 0, address: 2 },
        RETURN,
        Round {},
        Next { round: 0, address: 5 },
        RETURN,
        Beat { beat: 2, address: 7 },
        release(task, 2),
        Next { round: 0, address: 5 },
        RETURN,
    ];
    let program = draft.program(&DURATIONS, &code);
    draft.conditions(program, &[ROUND]);
    assert_story(
        &records(&draft.finish().0, &[At(5), Call(Complete), At(8)]),
        &[
            "0 switch 1 to 1",
            "5 release 0 at 5 by 8",
            "5 switch 1 to 0",
            "5 complete 0",
            "5 switch 0 to 1",
            "8 release 0 at 8 by 11",
            "8 switch 1 to 0",
        ],
    );
}
