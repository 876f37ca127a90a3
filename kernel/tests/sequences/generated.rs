//! S code that is made of the default scheduler's run, while the system runs: recorded, generated, checked, taken over.

use beryl_abi::CallNumber::Complete;
use beryl_abi::{Duration, SemaphoreId, SlotId, ThreadId};
use beryl_kernel::System;
use beryl_kernel::row::time;
use beryl_syscode::container::Content;
use beryl_syscode::generate::{Recording, Unwritten, Workshop, generate};
use beryl_syscode::{Condition, Container, Instruction, Listing};

use crate::assert_story;
use crate::host::Do::{self, At, Call};
use crate::host::asks::{check_slot, give, read_slot, record_slot, roll_back, take, write_slot};
use crate::host::code::{RETURN, future, release};
use crate::host::draft::{Draft, Queue, Taking};
use crate::host::objects::memory;
use crate::host::{Rig, only_records, play};

const SLOT: SlotId = SlotId(0);
/// A semaphore that nobody has given at the start.
const LOCK: SemaphoreId = SemaphoreId(0);
const LONG: ThreadId = ThreadId(0);
const SHORT: ThreadId = ThreadId(1);

/// Both tasks every 10 ticks, the short one every 5.
const REACTIONS: [Instruction; 7] = [
    Instruction::Period {},
    release(LONG, 1),
    release(SHORT, 0),
    future(0, 5),
    RETURN,
    release(SHORT, 0),
    future(0, 0),
];

/// The module's program as its container.
fn module() -> Vec<u8> {
    let durations = [5, 10].map(Duration::from_ticks);
    let code: Vec<_> = REACTIONS.iter().chain([&RETURN]).map(|instruction| instruction.encode()).collect();
    let (tasks, drivers) = (&["long", "short"], &["copy"]);
    let content =
        Content { module: "m", durations: &durations, code: &code, tasks, drivers, ..Content::default() };
    let mut bytes = Vec::new();
    Container::write(&content, &mut bytes);
    bytes
}

/// A module with a slot whose two tasks, in a dynamic band, are offered to its programs. Thread 2 of process
/// 1 works in the background, 3 idles. A job of the long task takes up to `long` ticks, one of the short one
/// up to 2.
fn system(long: u32) -> System<Taking> {
    let mut draft = Draft::<Taking>::new(&[Queue::Dynamic(2), Queue::Fixed]);
    draft.task(2, 0, 0);
    draft.task(2, 0, 0);
    draft.free(1, 1, 1);
    draft.counting(0, 1);
    let code: Vec<_> = REACTIONS.into_iter().chain([RETURN]).collect();
    let program = draft.program(&[5, 10], &code);
    let module = module();
    draft.slot(program, Container::read(&module).unwrap().interface());
    draft.offer(program);
    let mut system = draft.finish().0;
    let task = |bound| time::Task { bound, rank: 0 };
    system.program_slots[0].terms.times = vec![task(long), task(2)].leak();
    system.program_slots[0].terms.losses = &[];
    // Eight instructions of a thread, twice, and the E code.
    system.program_slots[0].terms.costs.most = 20;
    system
}

/// What the last call came to.
fn answer(rig: &mut Rig<Taking>) -> String {
    let line = rig.host().log.last().cloned().unwrap_or_default();
    line.split_once(": ").map(|(_, answer)| answer.to_owned()).unwrap_or(line)
}

/// What the kernel has recorded, as the background thread reads it, in parts of so many bytes; or why it can't.
fn read(rig: &mut Rig<Taking>, part: u32) -> Result<Vec<u32>, String> {
    let base = memory(1).address;
    rig.step(read_slot(SLOT, 0, base, 4));
    let answer = answer(rig);
    let Some(length) = answer.strip_prefix("SlotRead Success ") else { return Err(answer) };
    let length: u32 = length.parse().expect("a length");
    let mut words = Vec::new();
    for offset in (0..length).step_by(part as usize) {
        let length = part.min(length - offset);
        rig.step(read_slot(SLOT, offset, base, length));
        words.extend((0..length).step_by(4).map(|byte| rig.host().memory[&(base + byte)]));
    }
    Ok(words)
}

/// Writes down the recorded period.
fn generated(rig: &mut Rig<Taking>) -> Result<Vec<u8>, Unwritten> {
    let words = read(rig, 32).map_err(|_| Unwritten::Unfinished)?;
    let recording = Recording::new(&words);
    let module = module();
    let module = Container::read(&module).unwrap();
    let (mut code, mut durations) = ([0; 32], [Duration::ZERO; 8]);
    let mut conditions = [Condition::Clock(0); 8];
    let workshop = Workshop { code: &mut code, durations: &mut durations, conditions: &mut conditions };
    let mut bytes = [0; 256];
    let length = generate(&recording, &module, workshop, &mut bytes)?;
    Ok(bytes[..length].to_vec())
}

/// Two periods under the default scheduler, of which the second is recorded. In that the long task takes
/// `long` ticks before the short one is released again.
fn recorded(system: &System<Taking>, long: u64) -> Rig<Taking> {
    play(system, &second_period(long))
}

/// The same as a script.
const fn second_period(long: u64) -> [Do; 18] {
    [
        // the first period: each job a tick
        At(1),
        Call(Complete),
        At(2),
        Call(Complete),
        record_slot(SLOT),
        At(6),
        Call(Complete),
        // the second one
        At(11),
        Call(Complete),
        At(11 + long),
        Call(Complete),
        At(16),
        Call(Complete),
        // the third: the background thread has the processor from 22 on
        At(21),
        Call(Complete),
        At(22),
        Call(Complete),
        At(23),
    ]
}

/// The background thread loads a program, and has it checked; answers what that came to.
fn loaded(rig: &mut Rig<Taking>, bytes: &[u8]) -> String {
    let base = memory(1).address;
    for (index, part) in bytes.chunks(32).enumerate() {
        let mut length = 0;
        for (word, four) in part.chunks(4).zip((0..).step_by(4)) {
            let mut value = [0; 4];
            value[..word.len()].copy_from_slice(word);
            rig.step(Do::Write(base + four, u32::from_le_bytes(value)));
            length = four + 4;
        }
        rig.step(write_slot(SLOT, 32 * u32::try_from(index).unwrap(), base, length));
    }
    for _ in 0..2000 {
        rig.step(check_slot(SLOT));
        let line = rig.host().log.last().cloned().unwrap_or_default();
        let (_, answer) = line.split_once("SlotCheck ").expect("the call returns to the loader");
        if answer != "More" {
            return answer.to_owned();
        }
    }
    panic!("the check never ends");
}

fn listing(bytes: &[u8]) -> Vec<String> {
    let container = Container::read(bytes).expect("a fresh container");
    let code: Vec<_> = container.code().collect();
    let durations: Vec<_> = container.durations().collect();
    let conditions: Vec<_> = container.conditions().collect();
    let listing = Listing {
        code: &code,
        durations: &durations,
        conditions: &conditions,
        tick: 0,
        driver: &|_| None,
        task: &|task| container.tasks().nth(task.into()),
        port: &|_| None,
    };
    listing.to_string().lines().map(str::to_owned).collect()
}

/// What the trace tells of a script from here on.
fn told(rig: &mut Rig<Taking>, script: &[Do]) -> Vec<String> {
    let begin = rig.host().log.len();
    script.iter().for_each(|step| rig.step(*step));
    only_records(rig.host().log.split_off(begin))
}

#[test]
fn what_the_default_scheduler_did_is_written_down() {
    let bytes = generated(&mut recorded(&system(4), 2)).expect("a whole period");
    assert_story(
        &listing(&bytes),
        &[
            "   0  fork     @9",
            // the module's own code, an instruction further on
            "   1  period",
            "   2  release  long, 10 ticks",
            "   3  release  short, 5 ticks",
            "   4  future   5 ticks, @6",
            "   5  return",
            "   6  release  short, 5 ticks",
            "   7  future   5 ticks, @1",
            "   8  return",
            // up to the second release of the short task
            "   9  dispatch short, 5 ticks, @12",
            "  10  dispatch long, 5 ticks, @12",
            "  11  idle     5 ticks",
            // the long one was done by then, but may not be another time
            "  12  dispatch short, 10 ticks, @15",
            "  13  dispatch long, 10 ticks, @15",
            "  14  idle     10 ticks",
            "  15  fork     @9",
            "  16  return",
        ],
    );
}

#[test]
fn a_generated_schedule_takes_over_from_the_default_scheduler_and_gives_back() {
    let mut rig = recorded(&system(4), 2);
    let bytes = generated(&mut rig).expect("a whole period");
    assert_eq!(loaded(&mut rig, &bytes), "Accepted");
    // From 30 on both tasks take as long as they may; at 35 both are due at 40.
    let script = [
        [At(26), Call(Complete), At(32), Call(Complete), At(37), Call(Complete), At(38), Call(Complete)]
            .as_slice(),
        &[roll_back(SLOT), At(42), Call(Complete), At(46), Call(Complete), At(48), Call(Complete), At(50)],
    ];
    assert_story(
        &told(&mut rig, &script.concat()),
        &[
            "25 release 1 at 25 by 30",
            "25 switch 2 to 1",
            "26 complete 1",
            "26 switch 1 to 2",
            "30 swap 0 to room 1 at 30",
            "30 release 0 at 30 by 40",
            "30 release 1 at 30 by 35",
            "30 switch 2 to 1",
            "32 complete 1",
            "32 switch 1 to 0",
            // the block of the long task ends, and in the next one the short one comes first
            "35 release 1 at 35 by 40",
            "35 switch 0 to 1",
            "37 complete 1",
            "37 switch 1 to 0",
            "38 complete 0",
            "38 switch 0 to 2",
            "40 swap 0 to room 0 at 40",
            "40 release 0 at 40 by 50",
            "40 release 1 at 40 by 45",
            "40 switch 2 to 1",
            "42 complete 1",
            "42 switch 1 to 0",
            // the same again under the default scheduler, which goes on with the long task: that was first
            "45 release 1 at 45 by 50",
            "46 complete 0",
            "46 switch 0 to 1",
            "48 complete 1",
            "48 switch 1 to 2",
            "50 release 0 at 50 by 60",
            "50 release 1 at 50 by 55",
            "50 switch 2 to 1",
        ],
    );
}

/// Threads of this program run the long task alone, in the second half of its period.
fn names_the_long_task() -> Vec<u8> {
    let durations = [5, 10].map(Duration::from_ticks);
    let conditions = [Condition::Clock(0), Condition::Clock(1)];
    let thread = [
        Instruction::Idle { until: 0 },
        Instruction::DispatchUntil { task: LONG, until: 1, otherwise: 1 },
        Instruction::Idle { until: 1 },
        Instruction::Fork { address: 9 },
        RETURN,
    ];
    let e_code = [
        Instruction::Fork { address: 9 },
        Instruction::Period {},
        release(LONG, 1),
        release(SHORT, 0),
        future(0, 6),
        RETURN,
        release(SHORT, 0),
        future(0, 1),
        RETURN,
    ];
    let code: Vec<_> = e_code.iter().chain(&thread).map(|instruction| instruction.encode()).collect();
    let content = Content {
        module: "m",
        durations: &durations,
        conditions: &conditions,
        code: &code,
        tasks: &["long", "short"],
        drivers: &["copy"],
        thread_places: 1,
        ..Content::default()
    };
    let mut bytes = Vec::new();
    Container::write(&content, &mut bytes);
    bytes
}

#[test]
fn tasks_that_it_does_not_name_stay_with_the_default_scheduler() {
    // In its half the long task keeps the short one from running for up to 3 ticks.
    let mut rig = recorded(&system(3), 2);
    assert_eq!(loaded(&mut rig, &names_the_long_task()), "Accepted");
    let script = [
        At(26),
        Call(Complete),
        At(32),
        Call(Complete),
        At(38),
        Call(Complete),
        At(39),
        Call(Complete),
        At(40),
    ];
    assert_story(
        &told(&mut rig, &script),
        &[
            "25 release 1 at 25 by 30",
            "25 switch 2 to 1",
            "26 complete 1",
            "26 switch 1 to 2",
            "30 swap 0 to room 1 at 30",
            "30 release 0 at 30 by 40",
            "30 release 1 at 30 by 35",
            "30 switch 2 to 1",
            "32 complete 1",
            // the long task is ready, but nothing except the thread runs it
            "32 switch 1 to 2",
            "35 release 1 at 35 by 40",
            "35 switch 2 to 0",
            "38 complete 0",
            "38 switch 0 to 1",
            "39 complete 1",
            "39 switch 1 to 2",
            "40 release 0 at 40 by 50",
            "40 release 1 at 40 by 45",
            "40 switch 2 to 1",
        ],
    );
}

#[test]
fn a_task_that_waits_under_a_schedule_goes_on_where_it_was() {
    let mut rig = recorded(&system(4), 2);
    let bytes = generated(&mut rig).expect("a whole period");
    assert_eq!(loaded(&mut rig, &bytes), "Accepted");
    // The long task waits for what the background thread gives it, once in its own block and once over the end of that.
    let first =
        [At(26), Call(Complete), At(31), Call(Complete), take(LOCK), At(33), give(LOCK), At(34), take(LOCK)];
    let then = [At(36), Call(Complete), At(38), give(LOCK), At(39), Call(Complete), At(40)];
    let story = [told(&mut rig, &first), told(&mut rig, &then)].concat();
    assert_story(
        &story[6..],
        &[
            "30 release 1 at 30 by 35",
            "30 switch 2 to 1",
            "31 complete 1",
            "31 switch 1 to 0",
            "31 switch 0 to 2",
            "33 switch 2 to 0",
            "34 switch 0 to 2",
            "35 release 1 at 35 by 40",
            "35 switch 2 to 1",
            "36 complete 1",
            // it is the long task's turn, but it waits
            "36 switch 1 to 2",
            "38 switch 2 to 0",
            "39 complete 0",
            "39 switch 0 to 2",
            "40 release 0 at 40 by 50",
            "40 release 1 at 40 by 45",
            "40 switch 2 to 1",
        ],
    );
}

#[test]
fn what_may_be_late_under_a_schedule_is_refused_and_nothing_changes() {
    for (long, bytes, answer) in [
        // 2 and 2 of 10 are the short task's
        (
            7,
            generated(&mut recorded(&system(7), 2)).expect("a period"),
            "Refused { reason: 1536, address: 2 }",
        ),
        // 4 and 2 of the second 5
        (4, names_the_long_task(), "Refused { reason: 1536, address: 3 }"),
    ] {
        let mut rig = recorded(&system(long), 2);
        assert_eq!(loaded(&mut rig, &bytes), answer);
        let story = told(&mut rig, &[At(26), Call(Complete), At(30)]);
        let expected = ["30 release 0 at 30 by 40", "30 release 1 at 30 by 35", "30 switch 2 to 1"];
        assert_story(&story[4..], &expected);
    }
}

#[test]
fn a_schedule_takes_over_only_where_none_of_its_tasks_is_at_work() {
    let mut rig = recorded(&system(4), 2);
    let bytes = generated(&mut rig).expect("a whole period");
    assert_eq!(loaded(&mut rig, &bytes), "Accepted");
    // The short task is late at 30, and in time at 40.
    let script = [At(32), Call(Complete), At(33), Call(Complete), At(36), Call(Complete), At(40)];
    let swaps: Vec<_> = told(&mut rig, &script).into_iter().filter(|line| line.contains("swap")).collect();
    assert_eq!(swaps, ["40 swap 0 to room 1 at 40"]);
}

#[test]
fn a_recording_is_whole_or_there_is_no_program() {
    let late =
        [At(1), Call(Complete), At(2), Call(Complete), record_slot(SLOT), At(6), Call(Complete), At(22)];
    let mut rig = play(&system(4), &late);
    // Both jobs were stopped at 20, and those from there on keep the background thread from reading.
    for step in [Call(Complete), Call(Complete), At(23)] {
        rig.step(step);
    }
    assert_eq!(generated(&mut rig), Err(Unwritten::Spoiled));
    let mut rig = play(&system(4), &late[..7]);
    assert_eq!(read(&mut rig, 4), Err("SlotRead WouldBlock".to_owned()));
    [At(11), Call(Complete), At(12), Call(Complete)].into_iter().for_each(|step| rig.step(step));
    assert_eq!(read(&mut rig, 4), Err("SlotRead WouldBlock".to_owned()));
    let rest = [At(16), Call(Complete), At(21), Call(Complete), At(22), Call(Complete)];
    rest.into_iter().for_each(|step| rig.step(step));
    assert!(read(&mut rig, 4).is_ok());
}

/// Task; release and deadline from the period's begin on, or zeros where it was given the processor.
const NOTES: [[u32; 3]; 8] =
    [[0, 0, 10], [1, 0, 5], [1, 0, 0], [0, 0, 0], [2, 0, 0], [1, 5, 10], [1, 0, 0], [2, 0, 0]];

#[test]
fn a_period_is_recorded_whether_the_host_is_told_or_not() {
    let (complete, period) = (2, 10);
    let expected = [[complete | 8 << 8, period].as_slice(), NOTES.as_flattened()].concat();
    for (is_told, part) in [(true, 32), (false, 32), (false, 4), (false, 12)] {
        let mut rig = Rig::new(&system(4));
        rig.kernel.state.set_tracing(is_told);
        rig.raise(beryl_kernel::Event::Start);
        for step in second_period(2) {
            rig.step(step);
        }
        assert_eq!(read(&mut rig, part).as_ref(), Ok(&expected), "told: {is_told}, in parts of {part}");
        assert_eq!(only_records(rig.host().log.clone()).is_empty(), !is_told);
    }
}

#[test]
fn a_recording_is_for_whoever_may_write_and_for_a_room_that_is_free() {
    let mut rig = recorded(&system(4), 2);
    let base = memory(1).address;
    let length = 8 + 12 * 8;
    let mut ask = |step: Do| {
        rig.step(step);
        answer(&mut rig)
    };
    assert_eq!(ask(read_slot(SLOT, length, base, 4)), "SlotRead OutOfPlace");
    assert_eq!(ask(read_slot(SLOT, length - 4, base, 8)), "SlotRead OutOfPlace");
    assert_eq!(ask(read_slot(SLOT, 0, base, 36)), "SlotRead OutOfPlace");
    assert_eq!(ask(read_slot(SLOT, 0, base, 0)), "SlotRead OutOfPlace");
    assert_eq!(ask(read_slot(SLOT, 2, base, 4)), "SlotRead OutOfPlace");
    assert_eq!(ask(read_slot(SLOT, 0, memory(0).address, 4)), "SlotRead BadAddress");
    assert_eq!(ask(read_slot(SlotId(1), 0, base, 4)), "SlotRead NoSuchObject");
    assert_eq!(ask(record_slot(SlotId(1))), "SlotRecord NoSuchObject");
    // What is written goes where the recording was, and is the kernel's while it is checked.
    assert_eq!(ask(write_slot(SLOT, 0, base, 32)), "SlotWrite Success");
    assert_eq!(ask(read_slot(SLOT, 0, base, 4)), "SlotRead OutOfPlace");
    assert_eq!(ask(check_slot(SLOT)), "SlotCheck More");
    assert_eq!(ask(record_slot(SLOT)), "SlotRecord WouldBlock");
    // A task of another process.
    ask(At(26));
    assert_eq!(ask(record_slot(SLOT)), "SlotRecord NoSuchObject");
}

#[test]
fn what_is_written_ends_a_recording() {
    for give_up in [write_slot(SLOT, 0, memory(1).address, 32), roll_back(SLOT)] {
        let mut rig = play(&system(4), &[At(1), Call(Complete), At(2), Call(Complete), record_slot(SLOT)]);
        let untold = || {
            let mut rig = play(&system(4), &[At(1), Call(Complete), At(2), Call(Complete)]);
            rig.step(give_up);
            rig
        };
        rig.step(give_up);
        assert_eq!(rig.kernel.state, untold().kernel.state);
        assert_eq!(read(&mut rig, 4), Err("SlotRead OutOfPlace".to_owned()));
    }
}
