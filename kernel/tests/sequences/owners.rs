//! Semaphores whose owners are policed: whoever owns one for which others wait keeps them out for so long, and no longer.

use beryl_abi::{SemaphoreId, ThreadId};
use beryl_kernel::Event;

use crate::assert_story;
use crate::host::Do::{self, At};
use crate::host::asks::Wait::{AtMost, Forever};
use crate::host::asks::{
    await_bits, await_bits_then, await_period, give, notify, preempt, set_priority, sleep_until, take,
    take_for,
};
use crate::host::draft::{Draft, Policed, Queue};
use crate::host::{Rig, only_records};

const HIGH: ThreadId = ThreadId(0);
const LOW: ThreadId = ThreadId(1);
const WORD: u32 = 0x20_0000;

/// Thread 0 is more urgent than 1, and 2 more urgent than both, 3 idles; 1 may keep others out for three ticks. They are of
/// a process each, or all of one.
fn three(is_one: bool) -> Draft<Policed> {
    let mut draft = Draft::<Policed>::new(&[Queue::Fixed]);
    for (process, priority) in [(0, 5), (1, 2), (2, 9)] {
        draft.free(if is_one { 0 } else { process }, 0, priority);
    }
    draft
}

fn started(draft: Draft<Policed>) -> Rig<Policed> {
    let mut rig = Rig::new(&draft.finish().0);
    rig.raise(Event::Start);
    rig
}

fn play(rig: &mut Rig<Policed>, script: &[Do]) {
    script.iter().for_each(|step| rig.step(*step));
}

/// 2 sleeps until this tick, 0 until that one, and 1 runs.
fn begun(draft: Draft<Policed>, highest: u64, high: u64, script: &[Do]) -> Rig<Policed> {
    let mut rig = started(draft);
    play(&mut rig, &[sleep_until(highest), sleep_until(high)]);
    assert_eq!(rig.state().running(), LOW);
    play(&mut rig, script);
    rig
}

/// What was told since the first two threads went to sleep.
fn told(rig: &Rig<Policed>) -> Vec<String> {
    let told = only_records(rig.kernel.machine.log.clone());
    told.into_iter().skip_while(|line| line.starts_with("0 ")).collect()
}

fn fault(at: u64) -> String {
    format!("{at} fault 1: lock held for longer than its hold")
}

/// One that nobody takes by a word, and the draft.
fn owned() -> (Draft<Policed>, SemaphoreId) {
    let mut draft = three(false);
    let lock = draft.binary();
    (draft, lock)
}

/// 0 waits for it from 5 on, and gets it from who is stopped.
#[test]
fn who_owns_what_others_wait_for_is_stopped_with_the_tick_that_is_too_much() {
    let (draft, lock) = owned();
    let rig = begun(draft, 1000, 5, &[take(lock), At(5), take(lock), At(8), At(100)]);
    assert_story(&told(&rig), &["5 switch 1 to 0", "5 switch 0 to 1", &fault(9), "9 switch 1 to 0"]);
    assert!(rig.kernel.machine.log.iter().any(|line| line == "9 returns to 0: SemaphoreWait OwnerDied"));
}

/// It took the semaphore by its word, so the kernel knows of it when 0 comes.
#[test]
fn a_word_makes_no_difference() {
    let mut draft = three(true);
    let lock = draft.word(0, WORD);
    draft.stop_only_the_thread(0);
    let mut rig = begun(draft, 1000, 5, &[]);
    assert!(rig.host().take_word(WORD, LOW));
    play(&mut rig, &[At(5), take(lock), At(100)]);
    assert_story(&told(&rig), &["5 switch 1 to 0", "5 switch 0 to 1", &fault(9), "9 switch 1 to 0"]);
}

/// It had the semaphore for 400 ticks before, and 0 has it for as long as it likes: nobody polices 0.
#[test]
fn what_it_did_before_somebody_came_is_nobodys_loss() {
    let (draft, lock) = owned();
    let script =
        [take(lock), At(400), take(lock), At(403), give(lock), At(600), give(lock), sleep_until(700)];
    let rig = begun(draft, 1000, 400, &script);
    assert_story(
        &told(&rig),
        &["400 switch 1 to 0", "400 switch 0 to 1", "403 switch 1 to 0", "600 switch 0 to 1"],
    );
}

/// It gives the semaphore back in time, twice; the second time others wait from 15 on.
#[test]
fn who_gives_it_back_in_time_may_keep_others_waiting_again() {
    let (draft, lock) = owned();
    let once = [take(lock), At(5), take(lock), At(8), give(lock), give(lock), sleep_until(15)];
    let again = [take(lock), At(15), take(lock), At(18), give(lock), At(100)];
    let rig = begun(draft, 1000, 5, &[&once[..], &again].concat());
    assert_eq!(rig.state().running(), HIGH);
    assert!(!told(&rig).iter().any(|line| line.contains("fault")));
}

/// 2 keeps it away from 6 to 10.
#[test]
fn while_it_is_preempted_its_time_does_not_pass() {
    let (draft, lock) = owned();
    let rig = begun(draft, 6, 5, &[take(lock), At(5), take(lock), At(10), sleep_until(1000), At(100)]);
    assert_story(
        &told(&rig),
        &[
            "5 switch 1 to 0",
            "5 switch 0 to 1",
            "6 switch 1 to 2",
            "10 switch 2 to 1",
            &fault(13),
            "13 switch 1 to 0",
        ],
    );
}

/// 0 gives up at 7. From 20 on it waits again: that counts anew.
#[test]
fn who_waits_no_more_is_kept_out_no_more() {
    let (draft, lock) = owned();
    let given_up = [take(lock), At(5), take_for(lock, AtMost(2)), At(7), sleep_until(20)];
    let again = [At(20), take(lock), At(23), give(lock), At(100)];
    let rig = begun(draft, 1000, 5, &[&given_up[..], &again].concat());
    assert_eq!(rig.state().running(), HIGH);
    assert!(!told(&rig).iter().any(|line| line.contains("fault")));
}

/// 2 waits for one from 5 on, 0 for the other from 6 on. Giving one back doesn't prolong the other.
#[test]
fn who_keeps_several_has_the_time_of_one() {
    let mut draft = three(false);
    let (one, other) = (draft.binary(), draft.binary());
    let script = [take(one), take(other), At(5), take(one), At(7), give(one), take(other), At(100)];
    let mut rig = started(draft);
    play(&mut rig, &[sleep_until(5), sleep_until(1000)]);
    play(&mut rig, &script);
    // 2 waited for both in turn: from 5 to 7 for one, then for the other.
    let (fault, last) = (fault(11), "11 switch 1 to 2");
    assert_story(
        &told(&rig),
        &["5 switch 1 to 2", "5 switch 2 to 1", "7 switch 1 to 2", "7 switch 2 to 1", &fault, last],
    );
    // Kept waiting for `other` by nobody else: while 2 waits for one, 0 comes for the other.
    let mut draft = three(false);
    let (one, other) = (draft.binary(), draft.binary());
    let script = [take(one), take(other), At(5), take(one), At(6), take(other), At(8), give(one), At(100)];
    let mut rig = started(draft);
    play(&mut rig, &[sleep_until(6), sleep_until(5)]);
    play(&mut rig, &script);
    assert!(told(&rig).contains(&self::fault(9)), "{:#?}", told(&rig));
}

/// 0 owns it and sleeps until 8; 1 and 2 wait for it meanwhile. 2 is the next owner, and keeps 1 waiting from then on.
#[test]
fn the_next_owner_is_policed_from_when_it_gets_it() {
    let (draft, lock) = owned();
    let mut rig = started(draft);
    play(&mut rig, &[sleep_until(3), take(lock), sleep_until(8), take(lock), At(3), take(lock), At(8)]);
    assert_eq!(rig.state().running(), HIGH);
    play(&mut rig, &[give(lock), At(100)]);
    let stopped = "12 fault 2: lock held for longer than its hold";
    let told = told(&rig);
    assert_story(&told[told.len() - 3..], &["8 switch 0 to 2", stopped, "12 switch 2 to 0"]);
}

/// It sleeps with the semaphore; 0 comes at 5 and would run in its place. No `hold` counts for who sleeps.
#[test]
fn who_sleeps_with_it_is_stopped_when_others_would_run() {
    let (draft, lock) = owned();
    let script = [take(lock), sleep_until(50), At(5), take(lock), At(100)];
    let rig = begun(draft, 1000, 5, &script);
    assert_story(&told(&rig), &["0 switch 0 to 1", "0 switch 1 to 3", "5 switch 3 to 0", &fault(5)][2..]);
    assert!(rig.kernel.machine.log.iter().any(|line| line == "5 returns to 0: SemaphoreWait OwnerDied"));
}

/// While others wait already, sleeping is found at once.
#[test]
fn who_goes_to_sleep_while_others_wait_is_stopped_at_once() {
    let (draft, lock) = owned();
    let script = [take(lock), At(5), take(lock), At(6), sleep_until(50), At(100)];
    let rig = begun(draft, 1000, 5, &script);
    assert_story(&told(&rig), &["5 switch 1 to 0", "5 switch 0 to 1", &fault(6), "6 switch 1 to 0"]);
}

/// Nobody polices 0. It owns it and sleeps; 2 waits until it wakes.
#[test]
fn who_is_not_policed_may_sleep_with_it() {
    let (draft, lock) = owned();
    let mut rig = started(draft);
    play(&mut rig, &[sleep_until(5), take(lock), sleep_until(50), At(5), take(lock), At(50), give(lock)]);
    assert!(!told(&rig).iter().any(|line| line.contains("fault")));
    assert_eq!(rig.state().running(), ThreadId(2));
}

/// 0 waits for bits and is promised the semaphore, for which it waits when the owner itself wakes it: that counts from
/// then on.
#[test]
fn who_wakes_somebody_that_was_promised_its_semaphore_keeps_it_waiting() {
    let (mut draft, lock) = owned();
    let bits = draft.notification(HIGH, u32::MAX);
    let mut rig = started(draft);
    play(&mut rig, &[sleep_until(1000), await_bits_then(1, lock, Forever), take(lock), At(20)]);
    play(&mut rig, &[notify(bits, 1), At(23), At(100)]);
    assert!(told(&rig).contains(&fault(24)), "{:#?}", told(&rig));
}

/// Raised and with a semaphore: it lowers itself, and still keeps 0 waiting.
#[test]
fn a_raised_section_ends_and_the_semaphores_goes_on() {
    let mut draft = three(false);
    draft.row(LOW).highest_ceiling = 2;
    let lock = draft.binary();
    let mut rig = begun(draft, 1000, 5, &[take(lock), At(5), take(lock)]);
    let before = rig.host().raise_word(LOW, 2);
    play(&mut rig, &[At(7)]);
    if rig.host().lower_word(LOW, before) {
        play(&mut rig, &[preempt()]);
    }
    play(&mut rig, &[At(8), await_bits(1, AtMost(1))]);
    assert!(told(&rig).contains(&fault(8)), "{:#?}", told(&rig));
}

/// Raised as well: it gives back what others waited for and keeps nobody out any more. Once it has lowered itself, what comes
/// is a new section. 0, which waits for the semaphore from 5 on, is the less urgent one from then on until 20.
#[test]
fn a_section_that_is_raised_after_others_waited_ends_where_it_is_lowered() {
    let mut draft = three(true);
    draft.range(HIGH, [1, 5]);
    draft.row(LOW).highest_ceiling = 9;
    let lock = draft.binary();
    let mut rig = begun(draft, 1000, 5, &[take(lock), At(5), take(lock), set_priority(HIGH, 1), At(6)]);
    let before = rig.host().raise_word(LOW, 9);
    play(&mut rig, &[give(lock)]);
    assert_eq!(rig.state().running(), LOW);
    assert!(rig.host().lower_word(LOW, before), "it has to say that its section is over");
    play(&mut rig, &[preempt(), At(20)]);
    let before = rig.host().raise_word(LOW, 9);
    play(&mut rig, &[set_priority(HIGH, 5), At(23)]);
    assert!(rig.host().lower_word(LOW, before));
    play(&mut rig, &[preempt(), At(100)]);
    assert_story(&told(&rig), &["5 switch 1 to 0", "5 switch 0 to 1", "23 switch 1 to 0"]);
}

/// 1 has a job every ten ticks, two of which it misses. It asks for the next one, which is due, while 0 waits: that one keeps
/// 0 waiting as much as the one before.
#[test]
fn a_new_job_gives_no_new_time() {
    let mut draft = Draft::<Policed>::new(&[Queue::Fixed]);
    draft.free(0, 0, 5);
    let owner = draft.periodic(1, 0, 2, 10);
    draft.row(owner).catch_up = 1;
    draft.free(2, 0, 9);
    let lock = draft.binary();
    let mut rig = started(draft);
    play(&mut rig, &[sleep_until(1000), sleep_until(25), take(lock), At(25), take(lock)]);
    play(&mut rig, &[At(27), await_period(), At(100)]);
    assert!(told(&rig).contains(&fault(29)), "{:#?}", told(&rig));
}
