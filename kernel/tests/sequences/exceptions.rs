//! Exceptions: what programs do themselves about violations of time safety.

use beryl_abi::CallNumber::Complete;
use beryl_abi::{DriverId, Duration, FaultKind, ProcessId, ThreadId};
use beryl_kernel::{Driver, DriverKind, Program, System};
use beryl_syscode::Instruction;

use crate::assert_story;
use crate::host::Do::{At, Call, Fault};
use crate::host::code::{RETURN, call, future, release};
use crate::host::draft::{Draft, Queue, Swapping};
use crate::host::records;

const TERMINATE: Instruction = Instruction::Terminate {};
const RESUME: Instruction = Instruction::Resume {};
const RETRY: Instruction = Instruction::Retry {};
const TOLERATE_NONE: Instruction = Instruction::Tolerate { most: 0 };

/// Publishes what task 0 has done (driver 0), copies something else (driver 1) and releases the task, every
/// 10 ticks. An exception goes through `handler`, which follows the code.
fn every_10(handler: &[Instruction]) -> System<Swapping> {
    let mut draft = Draft::<Swapping>::new(&[Queue::Dynamic(2)]);
    let task = draft.task(1, 0, 0);
    let publish = draft.copy(task, 0x100, 0x104, 4);
    draft.copy(ThreadId::NONE, 0x108, 0x10C, 4);
    let mut code = vec![call(publish), release(task, 0), future(0, 0), RETURN];
    let begin = u16::try_from(code.len()).unwrap();
    code.extend(handler);
    let program = draft.program(&[10], &code);
    draft.handlers(program, begin, Program::NO_HANDLER);
    draft.finish().0
}

/// What happens at 10, where the task is still at work, and at 20.
fn story(handler: &[Instruction]) -> Vec<String> {
    let story = records(&every_10(handler), &[At(15), Call(Complete), At(20)]);
    story.into_iter().filter(|line| !line.starts_with("0 ")).collect()
}

#[test]
fn resume_leaves_the_instruction_out() {
    assert_story(
        &story(&[RESUME]),
        &[
            // the driver, then the release
            "10 violation 0 at 10",
            "10 violation 0 at 10",
            "15 complete 0",
            "15 miss 0 by 10",
            "15 switch 0 to 1",
            "20 driver 0 at 20 = 0",
            "20 release 0 at 20 by 30",
            "20 switch 1 to 0",
        ],
    );
}

#[test]
fn terminate_stops_the_job_and_retry_carries_out() {
    assert_story(
        &story(&[TERMINATE, RETRY]),
        &[
            "10 violation 0 at 10",
            "10 driver 0 at 10 = 0",
            "10 release 0 at 10 by 20",
            "10 switch 0 to 0",
            "15 complete 0",
            "15 switch 0 to 1",
            "20 driver 0 at 20 = 0",
            "20 release 0 at 20 by 30",
            "20 switch 1 to 0",
        ],
    );
}

#[test]
fn retry_alone_carries_out_in_spite_of_the_job() {
    assert_story(
        &story(&[RETRY]),
        &[
            "10 violation 0 at 10",
            // the driver, though the task is at work
            "10 driver 0 at 10 = 0",
            // the release: the new job takes the place of the old one
            "10 violation 0 at 10",
            "10 release 0 at 10 by 20",
            "10 switch 0 to 0",
            "15 complete 0",
            "15 switch 0 to 1",
            "20 driver 0 at 20 = 0",
            "20 release 0 at 20 by 30",
            "20 switch 1 to 0",
        ],
    );
}

#[test]
fn a_handler_can_carry_out_another_driver() {
    assert_story(
        &story(&[call(DriverId(1)), TERMINATE, RESUME]),
        &[
            "10 violation 0 at 10",
            "10 driver 1 at 10 = 0",
            // the driver is left out, and nothing is in the way of the release
            "10 release 0 at 10 by 20",
            "10 switch 0 to 0",
            "15 complete 0",
            "15 switch 0 to 1",
            "20 driver 0 at 20 = 0",
            "20 release 0 at 20 by 30",
            "20 switch 1 to 0",
        ],
    );
}

#[test]
fn a_handler_can_change_the_mode_and_what_was_waiting_is_dropped() {
    let mut draft = Draft::<Swapping>::new(&[Queue::Dynamic(2)]);
    let task = draft.task(1, 0, 0);
    let publish = draft.copy(task, 0x100, 0x104, 4);
    let other = draft.copy(ThreadId::NONE, 0x108, 0x10C, 4);
    let code = [
        // at 10 the other driver, at 4 what isn't done yet
        future(0, 4),
        future(1, 6),
        release(task, 0),
        RETURN,
        call(other),
        RETURN,
        call(publish),
        RETURN,
        // the handler
        Instruction::Change { address: 9 },
        // the other mode: every 10
        call(other),
        future(0, 9),
        RETURN,
    ];
    let program = draft.program(&[10, 4], &code);
    draft.handlers(program, 8, Program::NO_HANDLER);
    let system = draft.finish().0;
    assert_story(
        &records(&system, &[At(24)]),
        &[
            "0 release 0 at 0 by 10",
            "0 switch 1 to 0",
            "4 violation 0 at 4",
            // nothing comes at 10
            "4 driver 1 at 4 = 0",
            "14 driver 1 at 14 = 0",
            "24 driver 1 at 24 = 0",
        ],
    );
}

#[test]
fn in_a_handler_the_default_applies() {
    // The handler itself touches the ports of the task.
    assert_story(
        &story(&[call(DriverId(0)), RETRY]),
        &[
            "10 violation 0 at 10",
            "10 violation 0 at 10",
            // the job was stopped by default, so what was tried first is carried out
            "10 driver 0 at 10 = 0",
            "10 release 0 at 10 by 20",
            "10 switch 0 to 0",
            "15 complete 0",
            "15 switch 0 to 1",
            "20 driver 0 at 20 = 0",
            "20 release 0 at 20 by 30",
            "20 switch 1 to 0",
        ],
    );
}

#[test]
fn by_default_the_next_job_gets_its_input() {
    let mut draft = Draft::<Swapping>::new(&[Queue::Dynamic(2)]);
    let task = draft.task(1, 0, 0);
    let input = draft.input(task, 0x100, 0x104, 4);
    draft.program(&[10], &[call(input), release(task, 0), future(0, 0), RETURN]);
    assert_story(
        &records(&draft.finish().0, &[At(10)]),
        &[
            "0 driver 0 at 0 = 0",
            "0 release 0 at 0 by 10",
            "0 switch 1 to 0",
            "10 violation 0 at 10",
            "10 driver 0 at 10 = 0",
            "10 release 0 at 10 by 20",
            "10 switch 0 to 0",
        ],
    );
}

/// A run of drivers whose second and third meet a task at work: each is an exception of its own.
#[test]
fn a_run_means_the_same_as_its_objects_one_by_one() {
    let run = |handler: &[Instruction]| {
        let mut draft = Draft::<Swapping>::new(&[Queue::Dynamic(2)]);
        let task = draft.task(1, 0, 0);
        for owner in [ThreadId::NONE, task, task, ThreadId::NONE] {
            draft.copy(owner, 0x100, 0x104, 4);
        }
        let calls = Instruction::Calls { first: DriverId(0), count: 4 };
        let mut code = vec![release(task, 0), future(0, 3), RETURN, calls, RETURN];
        code.extend(handler);
        let program = draft.program(&[10], &code);
        draft.handlers(program, 5, Program::NO_HANDLER);
        let story = records(&draft.finish().0, &[At(10)]);
        story.into_iter().skip(2).collect::<Vec<_>>()
    };
    assert_story(
        &run(&[RESUME]),
        &["10 driver 0 at 10 = 0", "10 violation 0 at 10", "10 violation 0 at 10", "10 driver 3 at 10 = 0"],
    );
    assert_story(
        &run(&[RETRY]),
        &[
            "10 driver 0 at 10 = 0",
            "10 violation 0 at 10",
            "10 driver 1 at 10 = 0",
            "10 violation 0 at 10",
            "10 driver 2 at 10 = 0",
            "10 driver 3 at 10 = 0",
        ],
    );
    // A run inside of the handler, which begins at its own beginning.
    assert_story(
        &run(&[TERMINATE, Instruction::Calls { first: DriverId(2), count: 2 }, RETRY]),
        &[
            "10 driver 0 at 10 = 0",
            "10 violation 0 at 10",
            "10 driver 2 at 10 = 0",
            "10 driver 3 at 10 = 0",
            "10 driver 1 at 10 = 0",
            "10 driver 2 at 10 = 0",
            "10 driver 3 at 10 = 0",
            "10 switch 0 to 1",
        ],
    );
}

/// A driver that touches the ports of two tasks: each of them is in its way.
#[test]
fn a_row_of_the_matrix_has_as_many_bits_as_the_driver_touches_tasks() {
    let mut draft = Draft::<Swapping>::new(&[Queue::Dynamic(4)]);
    let first = draft.task(1, 0, 0);
    let second = draft.task(1, 0, 0);
    let row = Driver {
        kind: DriverKind::Copy,
        process: ProcessId(1),
        task: first,
        others: [ThreadId(1), ThreadId::NONE],
        from: 0x100,
        to: 0x104,
        length: 4,
        is_own_word: false,
    };
    let both = draft.driver(row);
    draft.program(&[10], &[call(both), release(first, 0), release(second, 0), future(0, 0), RETURN]);
    let system = draft.finish().0;
    assert_story(
        &records(&system, &[At(1), Call(Complete), At(10)]),
        &[
            "0 driver 0 at 0 = 0",
            "0 release 0 at 0 by 10",
            "0 release 1 at 0 by 10",
            "0 switch 2 to 0",
            "1 complete 0",
            "1 switch 0 to 1",
            // the second is still at work: what it was working on isn't published
            "10 violation 1 at 10",
            "10 release 0 at 10 by 20",
            "10 release 1 at 10 by 20",
            "10 switch 1 to 0",
        ],
    );
}

/// What a handler calls may go wrong, and its process be stopped as a whole: then there is no job any more
/// that `tolerate` could stop, and none begins.
#[test]
fn nothing_of_a_stopped_process_runs_again() {
    let mut draft = Draft::<Swapping>::new(&[Queue::Dynamic(2)]);
    let task = draft.task(1, 0, 0);
    draft.driver_thread(1);
    let publish = draft.copy(task, 0x100, 0x104, 4);
    let setter = draft.driver(Driver {
        kind: DriverKind::Getter { function: 7, shared: 0, budget: Duration::from_ticks(5) },
        process: ProcessId(1),
        ..Driver::NONE
    });
    let code = [call(publish), release(task, 0), future(0, 0), RETURN, call(setter), TOLERATE_NONE];
    let program = draft.program(&[10], &code);
    draft.handlers(program, 4, Program::NO_HANDLER);
    let story = records(&draft.finish().0, &[At(10), Fault(FaultKind::Data), At(20), At(30)]);
    let story: Vec<_> = story.into_iter().filter(|line| !line.starts_with("0 ")).collect();
    assert_story(
        &story,
        &[
            "10 violation 0 at 10",
            "10 switch 0 to 1",
            "10 fault 1: access to memory that isn't its own",
            // the publication and the release
            "10 skip of 0 at 10",
            "10 skip of 0 at 10",
            "10 switch 1 to 2",
            "20 skip of 0 at 20",
            "20 skip of 0 at 20",
            "30 skip of 0 at 30",
            "30 skip of 0 at 30",
        ],
    );
}
