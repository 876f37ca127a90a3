//! Programs that arrive while the system runs: written, checked, taken over, rolled back; and all that is refused.

use beryl_abi::{DriverId, Duration, SlotId, ThreadId};
use beryl_kernel::System;
use beryl_syscode::container::Content;
use beryl_syscode::{Container, Instruction};

use crate::assert_story;
use crate::host::Do::{self, At, Call};
use crate::host::asks::{check_slot, roll_back, write_slot};
use crate::host::code::{RETURN, call, future, release};
use crate::host::draft::{Draft, Queue, Swapping, Twofold};
use crate::host::objects::memory;
use crate::host::{Rig, only_records, play};
use beryl_abi::CallNumber::Complete;

pub(super) const SLOT: SlotId = SlotId(0);
const PERIOD: Instruction = Instruction::Period {};
const FIRST: ThreadId = ThreadId(0);
const SECOND: ThreadId = ThreadId(1);

/// A program for the module of [`every_10`].
fn program(durations: &[u64], code: &[Instruction]) -> Vec<u8> {
    let durations: Vec<_> = durations.iter().map(|ticks| Duration::from_ticks(*ticks)).collect();
    let code: Vec<_> = code.iter().map(|instruction| instruction.encode()).collect();
    let content = Content {
        module: "m",
        durations: &durations,
        code: &code,
        tasks: &["first", "second"],
        drivers: &["copy"],
        ..Content::default()
    };
    let mut bytes = Vec::new();
    Container::write(&content, &mut bytes);
    bytes
}

/// Releases the second task every 5 ticks.
fn every_5() -> Vec<u8> {
    program(&[5], &[PERIOD, release(SECOND, 0), future(0, 0), RETURN])
}

/// The first task is released every 10 ticks, in a module with a slot. Thread 2 of process 1 loads, 3 idles.
pub(super) fn every_10() -> System<Swapping> {
    let mut draft = Draft::<Swapping>::new(&[Queue::Dynamic(2), Queue::Fixed]);
    draft.task(2, 0, 0);
    draft.task(2, 0, 0);
    draft.free(1, 1, 1);
    draft.copy(ThreadId::NONE, 0x100, 0x104, 4);
    let module = draft.program(&[10], &[PERIOD, release(FIRST, 0), future(0, 0), RETURN]);
    let bytes = every_5();
    draft.slot(module, Container::read(&bytes).unwrap().interface());
    draft.finish().0
}

/// Puts bytes where the loader may have them, and writes them into the slot, 32 at a time.
pub(super) fn load(bytes: &[u8]) -> Vec<Do> {
    load_into(SLOT, bytes)
}

pub(super) fn load_into(slot: SlotId, bytes: &[u8]) -> Vec<Do> {
    let base = memory(1).address;
    let mut script = Vec::new();
    for (index, part) in bytes.chunks(32).enumerate() {
        let part: Vec<_> = part.chunks(4).collect();
        for (place, word) in part.iter().enumerate() {
            let mut four = [0; 4];
            four[..word.len()].copy_from_slice(word);
            let address = base + 4 * u32::try_from(place).unwrap();
            script.push(Do::Write(address, u32::from_le_bytes(four)));
        }
        let offset = 32 * u32::try_from(index).unwrap();
        script.push(write_slot(slot, offset, base, 4 * u32::try_from(part.len()).unwrap()));
    }
    script
}

/// Checks to the end; answers what it came to, and after how many steps.
pub(super) fn check(rig: &mut Rig<Swapping>) -> (String, usize) {
    for steps in 1..2000 {
        rig.step(check_slot(SLOT));
        let line = rig.host().log.last().cloned().unwrap_or_default();
        let (_, answer) = line.split_once("SlotCheck ").expect("the call returns to the loader");
        if answer != "More" {
            return (answer.to_owned(), steps);
        }
    }
    panic!("the check never ends");
}

/// The loader of a running system has loaded these bytes while nothing else wants the processor.
fn loaded(bytes: &[u8]) -> Rig<Swapping> {
    let mut rig = play(&every_10(), &[Call(Complete), At(1)]);
    load(bytes).into_iter().for_each(|step| rig.step(step));
    rig
}

#[test]
fn a_program_takes_over_at_the_end_of_a_period_and_gives_way_again() {
    let mut rig = loaded(&every_5());
    let (answer, _) = check(&mut rig);
    assert_eq!(answer, "Accepted");
    let begin = rig.host().log.len();
    let script = [At(10), Call(Complete), check_slot(SLOT), At(15), Call(Complete), roll_back(SLOT)];
    let more = [check_slot(SLOT), At(20), Call(Complete), check_slot(SLOT), At(30), Call(Complete)];
    script.into_iter().chain(more).for_each(|step| rig.step(step));
    let mut story = crate::host::without(rig.host().log.split_off(begin), &crate::host::EFFECTS);
    story.retain(|line| !line.contains(": Complete"));
    assert_story(
        &story,
        &[
            // the period of the image's program ends, and nothing of its next has begun
            "10 swap 0 to room 1 at 10",
            "10 release 1 at 10 by 15",
            "10 switch 2 to 1",
            "10 complete 1",
            "10 switch 1 to 2",
            "10 returns to 2: SlotCheck Running",
            "15 release 1 at 15 by 20",
            "15 switch 2 to 1",
            "15 complete 1",
            "15 switch 1 to 2",
            "15 returns to 2: SlotRollback Success",
            "15 returns to 2: SlotCheck Accepted",
            "20 swap 0 to room 0 at 20",
            "20 release 0 at 20 by 30",
            "20 switch 2 to 0",
            "20 complete 0",
            "20 switch 0 to 2",
            "20 returns to 2: SlotCheck Running",
            "30 release 0 at 30 by 40",
            "30 switch 2 to 0",
            "30 complete 0",
            "30 switch 0 to 2",
        ],
    );
}

#[test]
fn the_third_program_is_prepared_where_the_first_was() {
    let mut rig = loaded(&every_5());
    check(&mut rig);
    rig.step(At(10));
    rig.step(Call(Complete));
    let second = program(&[2], &[PERIOD, call(DriverId(0)), future(0, 0), RETURN]);
    let third = program(&[5], &[PERIOD, release(FIRST, 0), future(0, 0), RETURN]);
    load(&second).into_iter().for_each(|step| rig.step(step));
    assert_eq!(check(&mut rig).0, "Accepted");
    rig.step(At(15));
    load(&third).into_iter().for_each(|step| rig.step(step));
    assert_eq!(check(&mut rig).0, "Accepted");
    let begin = rig.host().log.len();
    [At(17), Call(Complete), roll_back(SLOT), At(22)].into_iter().for_each(|step| rig.step(step));
    let records = only_records(rig.host().log.split_off(begin));
    assert_story(
        &records,
        &[
            "17 swap 0 to room 1 at 17",
            "17 release 0 at 17 by 22",
            "17 switch 2 to 0",
            "17 complete 0",
            "17 switch 0 to 2",
            // back to the second, which is still in the other room
            "22 swap 0 to room 2 at 22",
            "22 driver 0 at 22 = 0",
        ],
    );
}

#[test]
fn what_is_written_over_cannot_be_brought_back() {
    let mut rig = loaded(&every_5());
    check(&mut rig);
    [At(10), Call(Complete)].into_iter().for_each(|step| rig.step(step));
    load(&every_5()).into_iter().for_each(|step| rig.step(step));
    check(&mut rig);
    [At(15), Call(Complete)].into_iter().for_each(|step| rig.step(step));
    // A first part of another one, where the program before this one was.
    load(&every_5()[..32]).into_iter().for_each(|step| rig.step(step));
    let begin = rig.host().log.len();
    [roll_back(SLOT), At(20)].into_iter().for_each(|step| rig.step(step));
    let records = only_records(rig.host().log.split_off(begin));
    let expected = ["20 swap 0 to room 0 at 20", "20 release 0 at 20 by 30", "20 switch 2 to 0"];
    assert_story(&records, &expected);
}

#[test]
fn what_waits_to_take_over_can_be_called_off() {
    let mut rig = loaded(&every_5());
    check(&mut rig);
    let begin = rig.host().log.len();
    rig.step(roll_back(SLOT));
    rig.step(At(10));
    let records = only_records(rig.host().log.split_off(begin));
    assert_story(&records, &["10 release 0 at 10 by 20", "10 switch 2 to 0"]);
}

#[test]
fn nothing_is_written_while_the_kernel_checks_or_waits() {
    let mut rig = loaded(&every_5());
    let base = memory(1).address;
    rig.step(check_slot(SLOT));
    let busy = |rig: &mut Rig<Swapping>| {
        for offset in [0, 32, 64] {
            rig.step(write_slot(SLOT, offset, base, 32));
            assert!(rig.host().log.last().unwrap().ends_with("SlotWrite WouldBlock"));
        }
    };
    busy(&mut rig);
    assert_eq!(check(&mut rig).0, "Accepted");
    busy(&mut rig);
}

#[test]
fn parts_that_are_out_of_place_change_nothing() {
    let mut rig = loaded(&every_5()[..32]);
    let base = memory(1).address;
    for (offset, address, length, error) in [
        (0, base, 0, "OutOfPlace"),
        (32, base, 36, "OutOfPlace"),
        (32, base, 6, "OutOfPlace"),
        (36, base, 4, "OutOfPlace"),
        (28, base, 4, "OutOfPlace"),
        (u32::MAX, base, 4, "OutOfPlace"),
        (32, memory(2).address, 4, "BadAddress"),
        (32, base + 2, 4, "BadAddress"),
        (32, u32::MAX - 3, 4, "BadAddress"),
    ] {
        let before = rig.state().clone();
        rig.step(write_slot(SLOT, offset, address, length));
        let line = rig.host().log.last().unwrap().clone();
        assert!(line.ends_with(error), "{offset} {length}: {line}");
        assert!(*rig.state() == before, "{line} has changed something");
    }
    rig.step(write_slot(SlotId(1), 0, base, 4));
    assert!(rig.host().log.last().unwrap().ends_with("NoSuchObject"));
}

#[test]
fn a_slot_is_closed_to_other_processes() {
    let mut system = every_10();
    system.program_slots[0].processes = 1 << 2;
    let mut rig = play(&system, &[Call(Complete), At(1)]);
    for ask in [write_slot(SLOT, 0, memory(1).address, 4), check_slot(SLOT), roll_back(SLOT)] {
        rig.step(ask);
        assert!(rig.host().log.last().unwrap().ends_with("NoSuchObject"), "{:?}", rig.host().log.last());
    }
}

#[test]
fn a_slot_has_room_for_its_size_and_no_more() {
    let mut rig = play(&every_10(), &[Call(Complete), At(1)]);
    let base = memory(1).address;
    for offset in (0..256).step_by(32) {
        rig.step(write_slot(SLOT, offset, base, 32));
        assert!(rig.host().log.last().unwrap().ends_with("Success"));
    }
    rig.step(write_slot(SLOT, 256, base, 4));
    assert!(rig.host().log.last().unwrap().ends_with("OutOfPlace"));
    assert!(check(&mut rig).0.starts_with("Refused"));
}

/// Programs that break a rule, and the reason's number.
#[test]
fn bad_programs_are_refused_with_the_reason() {
    let good = [PERIOD, release(SECOND, 0), future(0, 0), RETURN];
    let mut foreign = Vec::new();
    let names =
        Content { module: "other", tasks: &["first", "second"], drivers: &["copy"], ..Content::default() };
    Container::write(&names, &mut foreign);
    let mut threads = Vec::new();
    let places = Content {
        module: "m",
        tasks: &["first", "second"],
        drivers: &["copy"],
        thread_places: 1,
        ..Content::default()
    };
    Container::write(&places, &mut threads);
    let mut triggers = Vec::new();
    let places = Content { trigger_places: 2, thread_places: 0, ..places };
    Container::write(&places, &mut triggers);
    for (bytes, reason, address) in [
        (b"nothing at all, but long enough".to_vec(), 0x100, 0),
        (every_5()[..40].to_vec(), 0x102, 0),
        (program(&[0], &good), 0x103, 0),
        (foreign, 0x200, 0),
        (triggers, 0x300, 0),
        (threads, 0x300, 0),
        (program(&[5], &[]), 0x400, 0),
        (program(&[5], &[PERIOD, release(ThreadId(2), 0), future(0, 0), RETURN]), 0x404, 1),
        (program(&[5], &[PERIOD, call(DriverId(1)), future(0, 0), RETURN]), 0x403, 1),
        (program(&[5], &[PERIOD, Instruction::Jump { address: 0 }, RETURN]), 0x409, 1),
        (program(&[5], &[future(0, 0), future(0, 0), RETURN]), 0x40C, 1),
        (program(&[5, 1 << 32], &good), 0x500, 0),
        // 4 of 4 ticks, but at times one is lost; two times 4 of 8
        (program(&[4], &good), 0x600, 1),
        (program(&[8], &[PERIOD, release(SECOND, 0), release(FIRST, 0), future(0, 0), RETURN]), 0x600, 1),
        // 2 each, and 1 for the period: 13 of 12 with the sixth
        (
            program(&[5], &[&[PERIOD], [call(DriverId(0)); 6].as_slice(), &[future(0, 0), RETURN]].concat()),
            0x700,
            6,
        ),
        // a change begins another activation at the same instant
        (program(&[5], &[PERIOD, Instruction::Change { address: 0 }, future(0, 0), RETURN]), 0x700, 1),
    ] {
        let mut rig = loaded(&bytes);
        let (answer, _) = check(&mut rig);
        let expected = format!("Refused {{ reason: {reason}, address: {address} }}");
        assert_eq!(answer, expected, "{:?}", String::from_utf8_lossy(&bytes));
        let begin = rig.host().log.len();
        rig.step(At(10));
        let records = only_records(rig.host().log.split_off(begin));
        assert_story(&records, &["10 release 0 at 10 by 20", "10 switch 2 to 0"]);
    }
}

/// Cut at every word, and every bit flipped: never accepted, and what runs goes on.
#[test]
fn what_is_damaged_on_the_way_is_never_accepted() {
    let whole = every_5();
    let cut = (4..whole.len()).step_by(4).map(|length| whole[..length].to_vec());
    let flipped = (0..whole.len() * 8).map(|bit| {
        let mut bytes = whole.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        bytes
    });
    for bytes in cut.chain(flipped) {
        let mut rig = loaded(&bytes);
        let (answer, _) = check(&mut rig);
        assert!(answer.starts_with("Refused"), "{answer} for {bytes:02x?}");
        let begin = rig.host().log.len();
        rig.step(At(10));
        let records = only_records(rig.host().log.split_off(begin));
        assert_story(&records, &["10 release 0 at 10 by 20", "10 switch 2 to 0"]);
    }
}

/// What the checks know lies in one memory: the second begins where the first is over, or can't go on.
#[test]
fn one_program_is_checked_at_a_time() {
    const OTHER: SlotId = SlotId(1);
    let mut draft = Draft::<Twofold>::new(&[Queue::Dynamic(2), Queue::Fixed]);
    draft.task(2, 0, 0);
    draft.task(2, 0, 0);
    draft.free(1, 1, 1);
    draft.copy(ThreadId::NONE, 0x100, 0x104, 4);
    let bytes = every_5();
    let interface = Container::read(&bytes).unwrap().interface();
    for task in [FIRST, SECOND] {
        let module = draft.program(&[10], &[PERIOD, release(task, 0), future(0, 0), RETURN]);
        draft.slot(module, interface);
    }
    let mut system = draft.finish().0;
    // Another process may use the other slot, too: it lives, so the other slot's check may go on.
    system.program_slots[1].processes |= 1 << 3;
    let run = |system: &System<Twofold>, script: &[Do]| {
        let mut rig = play(system, &[Call(Complete), Call(Complete), At(1)]);
        let both = [SLOT, OTHER].map(|slot| load_into(slot, &bytes));
        both.concat().iter().chain(script).for_each(|step| rig.step(*step));
        let lines = rig.host().log.iter().filter_map(|line| line.split_once("SlotCheck "));
        let answers: Vec<_> = lines.map(|(_, answer)| answer.to_owned()).collect();
        answers
    };
    let [one, other] = [SLOT, OTHER].map(check_slot);
    assert_eq!(run(&system, &[other, one, other, one]), ["More", "WouldBlock", "More", "WouldBlock"]);
    let to_the_end = vec![one; 200];
    let answers = run(&system, &[&to_the_end[..], &[other, other]].concat());
    assert!(answers.contains(&"Accepted".to_owned()), "{answers:?}");
    assert_eq!(answers[200..], ["More", "More"], "the first is over");
}
