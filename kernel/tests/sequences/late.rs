//! Who is in the way, who was late, and what is owed to whom: programs of the image in a system without slots.

use beryl_abi::CallNumber::Complete;
use beryl_abi::ThreadId;
use beryl_kernel::Program;
use beryl_syscode::Instruction;

use crate::assert_story;
use crate::host::Do::{At, Call};
use crate::host::code::{RETURN, call, future, release};
use crate::host::draft::{Draft, Handling, Queue};
use crate::host::records;

const TASKS: [ThreadId; 2] = [ThreadId(0), ThreadId(1)];

/// Two tasks every 10 ticks, with their outputs (drivers 0 and 1) and something else (driver 2), the first in
/// a band above the second. `asked` stands behind the outputs; a handler and the entry of the first task's
/// completion follow.
fn story(
    asked: &[Instruction],
    handler: &[Instruction],
    completion: &[Instruction],
    script: &[crate::host::Do],
) -> Vec<String> {
    let mut draft = Draft::<Handling>::new(&[Queue::Fixed]);
    for (number, task) in TASKS.into_iter().enumerate() {
        assert_eq!(draft.task(0, 0, 31 - u8::try_from(number).unwrap()), task);
        draft.distance(task, 10);
    }
    let publish = TASKS.map(|task| draft.copy(task, 0x100, 0x104, 4));
    draft.copy(ThreadId::NONE, 0x108, 0x10C, 4);
    let mut code = publish.map(call).to_vec();
    code.extend(asked);
    code.extend(TASKS.map(|task| release(task, 0)));
    code.extend([future(0, 0), RETURN]);
    let begin = u16::try_from(code.len()).unwrap();
    code.extend(handler);
    let entry = u16::try_from(code.len()).unwrap();
    code.extend(completion);
    let program = draft.program(&[10], &code);
    draft.handlers(program, begin, Program::NO_HANDLER);
    if !completion.is_empty() {
        draft.on_completion(TASKS[0], program, entry);
    }
    let lines = records(&draft.finish().0, script);
    lines.into_iter().filter(|line| !line.starts_with("0 ") && !line.contains(" switch ")).collect()
}

const TERMINATE: Instruction = Instruction::Terminate {};
const RESUME: Instruction = Instruction::Resume {};
const OTHER: Instruction = call(beryl_abi::DriverId(2));

#[test]
fn a_handler_tells_tasks_apart() {
    // The second task's job goes on, the first one's is stopped with something in its place.
    let handler = [Instruction::Offender { task: TASKS[1], address: 8 }, RESUME, OTHER, TERMINATE, RESUME];
    let expected = [
        "10 violation 0 at 10",
        "10 driver 2 at 10 = 0",
        // the output of the second, later its release
        "10 violation 1 at 10",
        "10 release 0 at 10 by 20",
        "10 violation 1 at 10",
        "12 complete 0",
        "15 complete 1",
        "15 miss 1 by 10",
        "20 driver 0 at 20 = 0",
        "20 driver 1 at 20 = 0",
        "20 release 0 at 20 by 30",
        "20 release 1 at 20 by 30",
    ];
    assert_story(
        &story(&[], &handler, &[], &[At(12), Call(Complete), At(15), Call(Complete), At(20)]),
        &expected,
    );
}

#[test]
fn lateness_is_told_once() {
    // Asks for the second task: the other driver at the instant at which it was late, and not at the next one.
    let asked = [Instruction::Late { task: TASKS[1], address: 4 }, OTHER];
    let script = [At(3), Call(Complete), At(11), Call(Complete), At(12), Call(Complete), At(20)];
    let expected = [
        "3 complete 0",
        "10 driver 0 at 10 = 0",
        "10 violation 1 at 10",
        "10 driver 2 at 10 = 0",
        "10 release 0 at 10 by 20",
        "10 release 1 at 10 by 20",
        "11 complete 0",
        "12 complete 1",
        "20 driver 0 at 20 = 0",
        "20 driver 1 at 20 = 0",
        "20 release 0 at 20 by 30",
        "20 release 1 at 20 by 30",
    ];
    assert_story(&story(&asked, &[TERMINATE, RESUME], &[], &script), &expected);
}

#[test]
fn a_job_is_tolerated_for_so_many_releases() {
    let handler = [Instruction::Tolerate { most: 2 }];
    let script = [
        At(3),
        Call(Complete),
        At(11),
        Call(Complete),
        At(21),
        Call(Complete),
        At(31),
        Call(Complete),
        At(32),
    ];
    let expected = [
        "3 complete 0",
        // the second task's output and its release, twice
        "10 driver 0 at 10 = 0",
        "10 violation 1 at 10",
        "10 release 0 at 10 by 20",
        "10 violation 1 at 10",
        "11 complete 0",
        "20 driver 0 at 20 = 0",
        "20 violation 1 at 20",
        "20 release 0 at 20 by 30",
        "20 violation 1 at 20",
        "21 complete 0",
        // its output finds it once more: it is stopped, and released
        "30 driver 0 at 30 = 0",
        "30 violation 1 at 30",
        "30 release 0 at 30 by 40",
        "30 release 1 at 30 by 40",
        "31 complete 0",
    ];
    assert_story(&story(&[], &handler, &[], &script), &expected);
}

#[test]
fn what_is_owed_comes_at_the_completion_and_is_due_when_it_would_have_been() {
    let handler = [Instruction::Postpone { most: 2 }];
    let entry = [Instruction::Owed { task: TASKS[0], address: 9 }, release(TASKS[0], 0), RETURN];
    // The second task's jobs never run: what is owed to it is never made up for.
    let script = [At(35), Call(Complete), At(36), Call(Complete), At(38), Call(Complete), At(40)];
    let late = |at: u32| {
        [
            format!("{at} violation 0 at {at}"),
            format!("{at} violation 1 at {at}"),
            format!("{at} violation 0 at {at}"),
            format!("{at} violation 1 at {at}"),
        ]
    };
    let told = [
        "35 complete 0",
        "35 miss 0 by 10",
        // two of three releases: those of 10 and of 20
        "35 release 0 at 35 by 20",
        "36 complete 0",
        "36 miss 0 by 20",
        "36 release 0 at 36 by 30",
        "38 complete 0",
        "38 miss 0 by 30",
        "40 driver 0 at 40 = 0",
        "40 violation 1 at 40",
        "40 release 0 at 40 by 50",
        "40 violation 1 at 40",
    ];
    let expected: Vec<_> = [10, 20, 30].into_iter().flat_map(late).chain(told.map(str::to_owned)).collect();
    let expected: Vec<_> = expected.iter().map(String::as_str).collect();
    assert_story(&story(&[], &handler, &entry, &script), &expected);
}
