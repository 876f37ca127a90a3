//! Inputs that are fed: at the release, when the writer's job is done, or not at all.

use beryl_abi::CallNumber::Complete;
use beryl_abi::{FaultKind, ThreadId};
use beryl_kernel::{Budget, OnSpent, System};
use beryl_syscode::Instruction;

use crate::assert_story;
use crate::host::Do::{At, Call, Fault, Write};
use crate::host::code::{RETURN, call, future, release};
use crate::host::draft::{Draft, Queue, Tied};
use crate::host::{Do, records};

/// What the writer writes, what others see of it, and the reader's input.
const OWN: u32 = 0x100;
const SEEN: u32 = 0x200;
const INPUT: u32 = 0x300;

/// A writer, and a less urgent reader in another process. The code is given the writer, the reader, and the drivers that publish
/// the writer's output and fetch the reader's input.
fn tied(
    code: impl FnOnce([ThreadId; 2], [Instruction; 2]) -> Vec<Instruction>,
    change: impl FnOnce(&mut Draft<Tied>, ThreadId),
) -> System<Tied> {
    let mut draft = Draft::<Tied>::new(&[Queue::Fixed]);
    let tasks = [draft.task(0, 0, 9), draft.task(1, 0, 5)];
    let [writer, _] = tasks;
    let publish = draft.copy(writer, OWN, SEEN, 4);
    let [fetch, feed] = draft.link(0, tasks, OWN, INPUT);
    let mut code = code(tasks, [call(publish), call(fetch)]);
    let entry = u16::try_from(code.len()).unwrap();
    code.extend([call(feed), RETURN]);
    let program = draft.program(&[10, 20], &code);
    draft.on_completion(writer, program, entry);
    change(&mut draft, writer);
    draft.finish().0
}

fn unchanged(_: &mut Draft<Tied>, _: ThreadId) {}

/// What happens, without switches.
fn story(system: &System<Tied>, script: &[Do]) -> Vec<String> {
    records(system, script).into_iter().filter(|line| !line.contains(" switch ")).collect()
}

/// Both are released at 0 and at 20, the writer at 10, too.
fn twice([writer, reader]: [ThreadId; 2], [publish, fetch]: [Instruction; 2]) -> Vec<Instruction> {
    vec![
        release(writer, 0),
        fetch,
        release(reader, 1),
        future(0, 5),
        RETURN,
        publish,
        release(writer, 0),
        future(0, 9),
        RETURN,
        publish,
        Instruction::Jump { address: 0 },
    ]
}

#[test]
fn a_reader_is_fed_when_its_writer_is_done_and_only_by_the_job_that_it_waits_for() {
    let script = [
        Write(OWN, 7),
        At(3),
        Call(Complete),
        At(11),
        Write(OWN, 8),
        Call(Complete),
        At(14),
        Call(Complete),
        At(21),
        Write(OWN, 9),
        Call(Complete),
    ];
    assert_story(
        &story(&tied(twice, unchanged), &script),
        &[
            "0 release 0 at 0 by 10",
            "0 release 1 at 0 by 20",
            "3 complete 0",
            "3 driver 2 at 3 = 7",
            "10 driver 0 at 10 = 7",
            "10 release 0 at 10 by 20",
            // nobody waits for this one
            "11 complete 0",
            "14 complete 1",
            "20 driver 0 at 20 = 8",
            "20 release 0 at 20 by 30",
            "20 release 1 at 20 by 40",
            "21 complete 0",
            "21 driver 2 at 21 = 9",
        ],
    );
}

/// The writer at 0, the reader at 10, when the writer is done; nobody sees the output before.
#[test]
fn an_input_is_fetched_at_once_if_the_writer_is_done() {
    let code = |[writer, reader]: [ThreadId; 2], [_, fetch]: [Instruction; 2]| {
        vec![release(writer, 1), future(0, 3), RETURN, fetch, release(reader, 0), RETURN]
    };
    let script = [At(2), Write(OWN, 7), Call(Complete), At(12)];
    assert_story(
        &story(&tied(code, unchanged), &script),
        &["0 release 0 at 0 by 20", "2 complete 0", "10 driver 1 at 10 = 7", "10 release 1 at 10 by 20"],
    );
}

/// Before the writer's first job its output has its initial value.
#[test]
fn an_input_is_fetched_before_the_first_job() {
    let code = |[_, reader]: [ThreadId; 2], [_, fetch]: [Instruction; 2]| {
        vec![future(0, 2), RETURN, fetch, release(reader, 0), RETURN]
    };
    let script = [Write(OWN, 5), At(12)];
    assert_story(
        &story(&tied(code, unchanged), &script),
        &["10 driver 1 at 10 = 5", "10 release 1 at 10 by 20"],
    );
}

/// A job that is late is stopped. Its reader runs with what it had, and isn't fed in the middle of that.
#[test]
fn nobody_is_fed_with_what_a_stopped_job_wrote_or_by_the_next_one() {
    let code = |[writer, reader]: [ThreadId; 2], [publish, fetch]: [Instruction; 2]| {
        vec![
            release(writer, 0),
            fetch,
            release(reader, 1),
            future(0, 5),
            RETURN,
            publish,
            future(0, 8),
            RETURN,
            fetch,
            release(reader, 1),
            future(0, 12),
            RETURN,
            release(writer, 0),
            RETURN,
        ]
    };
    let script = [
        Write(OWN, 7),
        At(12),
        Call(Complete),
        At(31),
        Write(OWN, 8),
        Call(Complete),
        At(33),
        Call(Complete),
    ];
    assert_story(
        &story(&tied(code, unchanged), &script),
        &[
            "0 release 0 at 0 by 10",
            "0 release 1 at 0 by 20",
            "10 violation 0 at 10",
            "12 complete 1",
            // the last job of the writer has left half of something
            "20 skip of 0 at 20",
            "20 release 1 at 20 by 40",
            "30 release 0 at 30 by 40",
            // the reader is in the middle of its job
            "31 complete 0",
            "33 complete 1",
        ],
    );
}

/// A job that has used its budget is ended. It counts as at work until its program finds it.
#[test]
fn nobody_is_fed_by_a_job_that_was_ended_for_its_budget() {
    let ends = |draft: &mut Draft<Tied>, writer: ThreadId| {
        draft.budget(writer, Budget { amount: 2, reaction: OnSpent::EndJob, ..Budget::NONE });
    };
    let script = [Write(OWN, 7), At(5), Call(Complete), At(11), Write(OWN, 8), Call(Complete)];
    let told = story(&tied(twice, ends), &script);
    assert!(!told.iter().any(|line| line.contains(" driver 2 ")), "{told:?}");
    assert!(told.iter().any(|line| line.contains("complete 1")), "{told:?}");
}

/// A process that begins anew has had a job that isn't done.
#[test]
fn nobody_is_fed_from_a_process_that_begins_anew() {
    let code = |[writer, reader]: [ThreadId; 2], [_, fetch]: [Instruction; 2]| {
        vec![
            release(writer, 0),
            fetch,
            release(reader, 0),
            future(0, 5),
            RETURN,
            fetch,
            release(reader, 0),
            future(0, 9),
            RETURN,
            release(writer, 0),
            fetch,
            release(reader, 0),
            RETURN,
        ]
    };
    let restarts = |draft: &mut Draft<Tied>, _: ThreadId| draft.restart(0, 3, 1000);
    let script = [
        At(1),
        Fault(FaultKind::Data),
        At(3),
        Call(Complete),
        At(12),
        Call(Complete),
        At(21),
        Write(OWN, 9),
        Call(Complete),
    ];
    let told = story(&tied(code, restarts), &script);
    let of_links: Vec<_> =
        told.iter().filter(|line| line.contains(" driver ") || line.contains(" skip ")).collect();
    assert_eq!(of_links, ["10 skip of 0 at 10", "21 driver 2 at 21 = 9"], "{told:?}");
}
