//! Programs that are made of a recorded run: what is written, and why there may be none.

use beryl_abi::{Duration, Instant, Record, ThreadId};
use beryl_syscode::container::Content;
use beryl_syscode::generate::{
    Kept, Recorded, Recorder, Recording, Reordering, Unwritten, Workshop, preemptions, reordered,
};
use beryl_syscode::{Condition, Container, Exception, Instruction};

const RETURN: Instruction = Instruction::Return {};

const fn release(task: u8, at: u64, due: u64) -> Record {
    let (instant, deadline) = (Instant::from_ticks(at), Instant::from_ticks(due));
    Record::Release { task: ThreadId(task), instant, deadline }
}

const fn runs(task: u8) -> Record {
    Record::Switch { from: ThreadId(9), to: ThreadId(task) }
}

/// A module that releases the first `tasks` tasks, somehow.
fn module(content: &Content<'_>, tasks: u8) -> Vec<u8> {
    let durations = [Duration::from_ticks(10)];
    let releases = Instruction::Releases { first: ThreadId(0), deadline: 0, count: tasks };
    let code = [releases.encode(), RETURN.encode()];
    let mut bytes = Vec::new();
    Container::write(&Content { code: &code, durations: &durations, ..*content }, &mut bytes);
    bytes
}

/// Room for so many notes, instructions, durations and bytes.
struct Room {
    notes: usize,
    code: usize,
    durations: usize,
    bytes: usize,
}

const ENOUGH: Room = Room { notes: 100, code: 100, durations: 8, bytes: 500 };

/// Tells of a record, and before of a period's begin or end if it is the first release from 10 or from 20 on.
fn tell(recorder: &mut Recorder, record: &Record, room: &mut [u8]) {
    if let Record::Release { instant, .. } = record {
        let turns = [(10, Recorded::Asked), (20, Recorded::Begun)];
        for (turn, before) in turns.map(|(at, before)| (Instant::from_ticks(at), before)) {
            if *instant >= turn && recorder.recorded() == before {
                recorder.turn(turn, room);
            }
        }
    }
    recorder.take(record, room);
}

/// The words of what is recorded of the ten ticks from 10 on.
fn recorded(records: &[Record], notes: usize) -> Vec<u32> {
    let mut notes = vec![0; 8 + 12 * notes];
    let mut recorder = Recorder::asked(Instant::START);
    records.iter().for_each(|record| tell(&mut recorder, record, &mut notes));
    let words = notes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word));
    words.take(usize::from(recorder.length()) / 4).collect()
}

/// What is written of them.
fn written(records: &[Record], module: &[u8], room: &Room) -> Result<Vec<Instruction>, Unwritten> {
    kept_written(records, Kept::NONE, module, room)
}

/// The same with some instants kept.
fn kept_written(
    records: &[Record],
    kept: Kept,
    module: &[u8],
    room: &Room,
) -> Result<Vec<Instruction>, Unwritten> {
    let words = recorded(records, room.notes);
    let recording = Recording::new(&words);
    let (mut code, mut durations) = (vec![0; room.code], vec![Duration::ZERO; room.durations]);
    let mut conditions = [Condition::Clock(0); 8];
    let workshop = Workshop { code: &mut code, durations: &mut durations, conditions: &mut conditions };
    let mut bytes = vec![0; room.bytes];
    let module = Container::read(module).expect("a fresh container");
    let length = reordered(&recording, &module, kept, workshop, &mut bytes)?;
    let program = Container::read(&bytes[..length]).expect("a whole container");
    assert_eq!(program.interface(), module.interface());
    Ok(program.code().map(|word| Instruction::decode(word).expect("an instruction")).collect())
}

/// The tasks of each block of a program.
fn blocks(code: &[Instruction]) -> Vec<Vec<u8>> {
    let ends = |instruction: &Instruction| matches!(instruction, Instruction::Idle { .. });
    let tasks = |block: &[Instruction]| {
        let tasks = block.iter().filter_map(|instruction| match instruction {
            Instruction::DispatchUntil { task, .. } => Some(task.0),
            _ => None,
        });
        tasks.collect()
    };
    let mut blocks: Vec<Vec<u8>> = code.split(ends).map(tasks).collect();
    // What follows the last block begins again.
    assert_eq!(blocks.pop(), Some(vec![]));
    blocks
}

#[test]
fn a_block_lists_what_ran_and_then_who_may_be_late() {
    let records = [
        release(0, 10, 14),
        release(1, 10, 20),
        release(2, 10, 16),
        // they ran in another order than that of their deadlines
        runs(2),
        runs(0),
        runs(2),
        runs(7),
        // due at 14: done, whatever happened; the others may be at work
        release(3, 14, 18),
        runs(3),
        runs(1),
        release(0, 16, 20),
        release(0, 20, 24),
    ];
    let code = written(&records, &module(&Content::default(), 4), &ENOUGH).expect("a period");
    assert_eq!(blocks(&code), [vec![2, 0, 1], vec![2, 3, 1], vec![3, 1, 0]]);
}

/// Task 0 is at work when 1 comes, which is due earlier; at 16 task 2 comes, and 1 again.
const PREEMPTED: [Record; 12] = [
    release(0, 10, 20),
    runs(0),
    release(1, 13, 16),
    runs(1),
    runs(7),
    runs(0),
    release(2, 16, 18),
    release(1, 16, 19),
    runs(2),
    runs(1),
    runs(0),
    release(0, 20, 30),
];

#[test]
fn where_an_instant_is_kept_those_of_before_come_first_in_their_order() {
    let module = module(&Content::default(), 3);
    let kept = |kept| blocks(&kept_written(&PREEMPTED, kept, &module, &ENOUGH).expect("a period"));
    assert_eq!(kept(Kept::NONE), [vec![0], vec![1, 0], vec![2, 1, 0]]);
    assert_eq!(kept(Kept::NONE.with(1)), [vec![0], vec![0, 1], vec![2, 1, 0]]);
    assert_eq!(kept(Kept::NONE.with(2)), [vec![0], vec![1, 0], vec![0, 2, 1]]);
    // The job of task 1 that comes at 16 is another one: it comes behind.
    assert_eq!(kept(Kept::ALL), [vec![0], vec![0, 1], vec![0, 2, 1]]);
    assert_eq!(kept(Kept::NONE.with(32)), kept(Kept::NONE), "beyond the first 32");
}

#[test]
fn a_preemption_is_a_task_that_goes_on_behind_another_one() {
    let module = module(&Content::default(), 3);
    let module = Container::read(&module).expect("a fresh container");
    let count = |records: &[Record]| preemptions(&Recording::new(&recorded(records, 100)), &module);
    assert_eq!(count(&PREEMPTED), Ok(2));
    // Threads that aren't the module's preempt nobody, and who is released anew goes on with nothing.
    let others = [release(0, 10, 15), runs(0), runs(7), runs(0), release(0, 15, 20), runs(0), PREEMPTED[11]];
    assert_eq!(count(&others), Ok(0));
    assert_eq!(count(&PREEMPTED[..11]), Err(Unwritten::Unfinished));
}

#[test]
fn all_instants_are_tried_and_then_one_after_the_other() {
    let (module, words) = (module(&Content::default(), 3), recorded(&PREEMPTED, 100));
    let module = Container::read(&module).expect("a fresh container");
    let recording = Recording::new(&words);
    let mut search = Reordering::new(2);
    let mut try_next = |came: Option<u32>| {
        let candidate = search.candidate(&recording, &module).expect("a period");
        (candidate, candidate.is_some() && search.came_to(came), search.preemptions())
    };
    let [first, second] = [1, 2].map(|number| Kept::NONE.with(number));
    assert_eq!(try_next(None), (Some(Kept::ALL), false, 2));
    // No better isn't worse: what is spared here may come at the next instant.
    assert_eq!(try_next(Some(2)), (Some(first), true, 2));
    assert_eq!(try_next(Some(3)), (Some(first.with(2)), false, 2));
    assert_eq!(try_next(None), (None, false, 2));
    assert_eq!(search.best(), first);
    assert_ne!(search.best(), second);
    // Where nobody is preempted nothing is tried, nor behind all instants.
    assert_eq!(Reordering::new(0).candidate(&recording, &module), Ok(None));
    let mut search = Reordering::new(2);
    assert_eq!(search.candidate(&recording, &module), Ok(Some(Kept::ALL)));
    assert!(search.came_to(Some(1)) && search.best() == Kept::ALL);
    assert_eq!(search.candidate(&recording, &module), Ok(None));
}

#[test]
fn tasks_of_other_modules_mean_nothing() {
    let records = [release(0, 10, 20), release(5, 12, 15), runs(5), runs(0), release(5, 20, 30)];
    let code = written(&records, &module(&Content::default(), 2), &ENOUGH).expect("a period");
    assert_eq!(blocks(&code), [[0]]);
}

#[test]
fn nothing_is_released_at_the_beginning() {
    let records = [release(5, 10, 15), release(0, 12, 20), runs(0), release(0, 22, 30)];
    let code = written(&records, &module(&Content::default(), 2), &ENOUGH).expect("a period");
    assert_eq!(blocks(&code), [vec![], vec![0]]);
}

#[test]
fn each_reason_has_a_recording_of_which_nothing_is_written() {
    let plain = module(&Content::default(), 40);
    let whole = [release(0, 10, 20), runs(0), release(0, 20, 30)];
    assert!(written(&whole, &plain, &ENOUGH).is_ok());
    let refused =
        |records: &[Record], module: &[u8], room: Room| written(records, module, &room).unwrap_err();
    assert_eq!(refused(&whole[..2], &plain, ENOUGH), Unwritten::Unfinished);
    assert_eq!(refused(&[release(0, 0, 10)], &plain, ENOUGH), Unwritten::Unfinished);
    // nothing was released
    assert_eq!(refused(&whole[2..], &plain, ENOUGH), Unwritten::Nothing);
    let (task, deadline) = (ThreadId(3), Instant::from_ticks(12));
    let late = [whole[0], Record::Miss { task, deadline }, whole[2]];
    assert_eq!(refused(&late, &plain, ENOUGH), Unwritten::Spoiled);
    assert_eq!(refused(&whole, &plain, Room { notes: 1, ..ENOUGH }), Unwritten::Crowded);
    let foreign = [release(50, 10, 20), release(50, 20, 30)];
    assert_eq!(refused(&foreign, &plain, ENOUGH), Unwritten::Nothing);
    for content in [
        Content { thread_places: 1, ..Content::default() },
        Content { completions: &[(0, 1)], ..Content::default() },
        Content { handlers: &[(Exception::Safety, 1)], ..Content::default() },
    ] {
        assert_eq!(refused(&whole, &module(&content, 40), ENOUGH), Unwritten::NotPlain);
    }
    let many: Vec<_> = (0..33).map(|task| release(task, 10, 20)).chain([whole[2]]).collect();
    assert!(written(&[&many[..32], &many[33..]].concat(), &plain, &ENOUGH).is_ok());
    assert_eq!(refused(&many, &plain, ENOUGH), Unwritten::Jobs);
    assert_eq!(refused(&whole, &plain, Room { code: 6, ..ENOUGH }), Unwritten::Pools);
    assert_eq!(refused(&whole, &plain, Room { durations: 0, ..ENOUGH }), Unwritten::Pools);
    assert_eq!(refused(&whole, &plain, Room { bytes: 60, ..ENOUGH }), Unwritten::Long);
}

#[test]
fn a_recording_tells_how_far_it_has_come() {
    let (mut recorder, mut room) = (Recorder::asked(Instant::START), [0; 8 + 12 * 4]);
    let records = [release(0, 0, 10), runs(0), release(0, 10, 20), runs(0), release(0, 20, 30), runs(0)];
    let told = records.map(|record| {
        tell(&mut recorder, &record, &mut room);
        (recorder.recorded(), recorder.length())
    });
    use Recorded::{Asked, Begun, Complete};
    let expected = [(Asked, 8), (Asked, 8), (Begun, 20), (Begun, 32), (Complete, 32), (Complete, 32)];
    assert_eq!(told, expected);
}
