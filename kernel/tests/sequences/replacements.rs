//! A process that arrives while the system runs and takes the place of another: written, checked, begun, ordered back;
//! and all that is refused.

use beryl_abi::process_image::{self, HEAD, Misfit, STRETCH, STRETCHES, offset};
use beryl_abi::{FaultKind, ProcessId, SlotId};
use beryl_kernel::System;

use crate::assert_story;
use crate::host::Do::{self, At, Fault};
use crate::host::asks::{check_slot, roll_back, sleep_until, write_slot};
use crate::host::draft::{Draft, Queue, Replacing};
use crate::host::objects::memory;
use crate::host::{Rig, play, without};
use crate::slots::load_into;

/// The process that is replaced, and its slot.
const PROCESS: u8 = 2;
const SLOT: SlotId = SlotId::of_process(ProcessId(PROCESS));
/// Where its rooms are.
const ROOMS: u32 = 0x9000;
const SIZE: u32 = 256;
/// The rows of threads of the kernels here.
const THREADS: u32 = 8;
/// Bytes before the code.
const CODE: u32 = HEAD + 4 * THREADS + STRETCH * STRETCHES as u32;
/// The entries and the stretches, in words.
const ENTRIES: usize = HEAD as usize / 4;
const STRETCHED: usize = ENTRIES + THREADS as usize;

/// Process 2 has thread 0, which works at once, begins anew twice in 100 ticks and can be replaced by process 1, whose
/// thread 1 is less urgent. Process 3 has thread 2, the least urgent. 3 idles.
fn replaceable() -> System<Replacing> {
    let mut draft = Draft::<Replacing>::new(&[Queue::Fixed]);
    draft.free(PROCESS, 0, 9);
    draft.free(1, 0, 5);
    draft.free(3, 0, 1);
    draft.restart(PROCESS, 2, 100);
    draft.replaceable(PROCESS, 1 << 1, ROOMS, SIZE);
    draft.finish().0
}

/// A process for the first or the second room: its thread begins at the second word of its code, and the first two words
/// of its memory are those of its code, the next two zero.
fn image(room: u32) -> Vec<u32> {
    let base = ROOMS + room * SIZE;
    let length = CODE + 16;
    let mut words = vec![process_image::MAGIC, process_image::VERSION, length, base, 0x11, 0x22];
    words.extend([THREADS | u32::from(STRETCHES) << 16, 0, base + CODE + 4 + 1]);
    words.extend([0; THREADS as usize - 1]);
    words.extend([base + CODE, memory(PROCESS).address, 8, 8]);
    words.extend([0, memory(PROCESS).address + 16, 0, 4]);
    words.extend([0xC0DE, 0xC0DF, room, 7]);
    sealed(words)
}

/// The same with the right checksum.
fn sealed(mut words: Vec<u32>) -> Vec<u32> {
    let sum = words[ENTRIES..].iter().copied().fold(process_image::NO_WORDS, process_image::and_word);
    words[offset::CHECKSUM as usize / 4] = sum;
    words
}

fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Thread 1 has written an image; 0 sleeps.
fn loaded(words: &[u32]) -> Rig<Replacing> {
    let mut rig = play(&replaceable(), &[sleep_until(900), At(1)]);
    load_into(SLOT, &bytes(words)).into_iter().for_each(|step| rig.step(step));
    rig
}

/// Checks until there is an answer; answers it, and after how many steps.
fn check(rig: &mut Rig<Replacing>) -> (String, usize) {
    for steps in 1..200 {
        rig.step(check_slot(SLOT));
        let log = &rig.host().log;
        let line = log.iter().rev().find(|line| line.contains("SlotCheck ")).expect("an answer");
        let (_, answer) = line.split_once("SlotCheck ").expect("an answer");
        if answer != "More" {
            return (answer.to_owned(), steps);
        }
    }
    panic!("the check never ends");
}

/// What one more step tells, but for alarms.
fn told(rig: &mut Rig<Replacing>, step: Do) -> Vec<String> {
    let begin = rig.host().log.len();
    rig.step(step);
    without(rig.host().log.split_off(begin), &["arm", "result", "status", "load"])
}

#[test]
fn what_fits_begins_in_its_room_with_its_own_memory_and_the_one_before_comes_back() {
    let mut rig = loaded(&image(0));
    let (answer, steps) = check(&mut rig);
    // one to begin, the numbers before, nine for the words, one for their checksum, eight threads and two stretches with
    // one each to see that there are no more
    assert_eq!((answer.as_str(), steps), ("Accepted", 1 + 1 + 3 + 1 + 9 + 3));
    let mine = memory(PROCESS).address;
    let room = ROOMS + CODE;
    assert_story(
        &told(&mut rig, check_slot(SLOT)),
        &[
            "1 restart 0",
            &format!("1 begin 0 at {:#x}", room + 5),
            "1 renewal of 2: 1 0 1",
            &format!("1 copy {room:#x} to {mine:#x}, 8 bytes"),
            "1 switch 1 to 0",
        ],
    );
    let words = [0, 4, 8, 12, 16].map(|offset| rig.host().word(mine + offset));
    assert_eq!(words, [0xC0DE, 0xC0DF, 0, 0, 0]);
    // What faults of the new one begins anew from the room, and then it was once too often.
    let story = told(&mut rig, Fault(FaultKind::Data));
    assert!(story.contains(&format!("1 begin 0 at {:#x}", room + 5)), "{story:#?}");
    assert!(story.contains(&"1 renewal of 2: 1 0 2".to_owned()), "{story:#?}");
    rig.step(sleep_until(900));
    // The way back waits until it may begin anew.
    rig.step(roll_back(SLOT));
    assert_eq!(check(&mut rig), ("Accepted".to_owned(), 1));
    rig.step(check_slot(SLOT));
    rig.step(sleep_until(150));
    rig.step(At(150));
    let story = told(&mut rig, check_slot(SLOT));
    assert!(story.contains(&"150 back: the memory of 2".to_owned()), "{story:#?}");
    assert!(!story.iter().any(|line| line.contains("begin 0")), "{story:#?}");
}

#[test]
fn one_that_stayed_stopped_runs_again_when_it_is_replaced() {
    let faults = [Fault(FaultKind::Data), Fault(FaultKind::Data), Fault(FaultKind::Data)];
    let mut rig = play(&replaceable(), &faults);
    assert!(rig.kernel.state.is_stopped(ProcessId(PROCESS)), "three were too many");
    load_into(SLOT, &bytes(&image(0))).into_iter().for_each(|step| rig.step(step));
    assert_eq!(check(&mut rig).0, "Accepted");
    rig.step(sleep_until(100));
    rig.step(At(100));
    let story = told(&mut rig, check_slot(SLOT));
    assert!(story.contains(&"100 switch 1 to 0".to_owned()), "{story:#?}");
    assert!(!rig.kernel.state.is_stopped(ProcessId(PROCESS)));
}

#[test]
fn what_does_not_fit_is_refused_and_the_old_one_goes_on() {
    let changed = |place: usize, word: u32| {
        let mut words = image(0);
        words[place] = word;
        sealed(words)
    };
    let mine = memory(PROCESS).address;
    let mut flipped = image(0);
    *flipped.last_mut().expect("words") ^= 1 << 31;
    let cases = [
        (changed(0, 0), Misfit::Format, 0),
        (changed(1, 2), Misfit::Format, 0),
        (changed(2, CODE), Misfit::Length, 0),
        (image(0)[..20].to_vec(), Misfit::Length, 0),
        (image(1), Misfit::Room, 0),
        (changed(4, 0x12), Misfit::Layout, 0),
        (changed(5, 0x23), Misfit::Layout, 0),
        (changed(6, THREADS), Misfit::Layout, 0),
        (flipped, Misfit::Checksum, 0),
        (changed(ENTRIES, ROOMS + CODE - 3), Misfit::Entry, 0),
        (changed(ENTRIES, ROOMS + CODE + 17), Misfit::Entry, 0),
        (changed(ENTRIES, 0), Misfit::Entry, 0),
        (changed(ENTRIES + 1, ROOMS + CODE), Misfit::Entry, 1),
        (changed(STRETCHED, ROOMS + SIZE), Misfit::Memory, 0),
        (changed(STRETCHED, 0x100), Misfit::Memory, 0),
        (changed(STRETCHED + 1, mine - 4), Misfit::Memory, 0),
        (changed(STRETCHED + 1, memory(1).address), Misfit::Memory, 0),
        (changed(STRETCHED + 1, mine + 2), Misfit::Memory, 0),
        (changed(STRETCHED + 2, 0xFFFF_FFF8), Misfit::Memory, 0),
        (changed(STRETCHED + 7, memory(PROCESS).length), Misfit::Memory, 1),
        (changed(STRETCHED + 7, 0xFFFF_FFFC), Misfit::Memory, 1),
    ];
    for (words, misfit, number) in cases {
        let mut rig = loaded(&words);
        let (answer, _) = check(&mut rig);
        assert_eq!(
            answer,
            format!("Refused {{ reason: {}, address: {number} }}", misfit as u16),
            "{misfit:?}"
        );
        let log = &rig.host().log;
        assert!(!log.iter().any(|line| line.contains("restart") || line.contains("renewal")), "{misfit:?}");
        // A right one can follow.
        load_into(SLOT, &bytes(&image(0))).into_iter().for_each(|step| rig.step(step));
        assert_eq!(check(&mut rig).0, "Accepted");
    }
}

#[test]
fn only_who_may_writes_and_in_order_and_not_what_is_being_checked() {
    let base = memory(1).address;
    let answer = |rig: &mut Rig<Replacing>, step: Do| {
        rig.step(step);
        rig.host().log.last().cloned().unwrap_or_default()
    };
    let mut rig = play(&replaceable(), &[sleep_until(900), At(1)]);
    let mut refused = |step: Do, why: &str| {
        let line = answer(&mut rig, step);
        assert!(line.ends_with(why), "{line}, not {why}");
    };
    refused(write_slot(SLOT, 32, base, 32), "SlotWrite OutOfPlace");
    refused(write_slot(SLOT, 0, base, 36), "SlotWrite OutOfPlace");
    refused(write_slot(SLOT, 0, memory(3).address, 32), "SlotWrite BadAddress");
    refused(write_slot(SlotId(0), 0, base, 32), "SlotWrite NoSuchObject");
    refused(write_slot(SlotId::of_process(ProcessId(3)), 0, base, 32), "SlotWrite NoSuchObject");
    refused(check_slot(SlotId::of_process(ProcessId(77))), "SlotCheck NoSuchObject");
    for part in 0..SIZE / 32 {
        refused(write_slot(SLOT, part * 32, base, 32), "SlotWrite Success");
    }
    refused(write_slot(SLOT, SIZE, base, 4), "SlotWrite OutOfPlace");
    refused(check_slot(SLOT), "SlotCheck More");
    refused(write_slot(SLOT, 0, base, 32), "SlotWrite WouldBlock");
    // the third thread is of a process without the right
    rig.step(sleep_until(900));
    let line = answer(&mut rig, write_slot(SLOT, 0, memory(3).address, 32));
    assert!(line.ends_with("SlotWrite NoSuchObject"), "{line}");
}
