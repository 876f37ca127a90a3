//! Times far apart: further than a word of ticks reaches, which is 171 s at 25 MHz.

use beryl_abi::CallNumber::{Complete, ExecutionTime};

use crate::assert_story;
use crate::host::Do::{At, Call};
use crate::host::asks::{await_period, sleep_until};
use crate::host::code::{RETURN, call, future, release};
use crate::host::draft::{Draft, Queue, Small};
use crate::host::{story, ticks};

/// A day in ticks of 40 ns.
const DAY: u64 = 24 * 3600 * 25_000_000;
/// Twice as long as a word of ticks wraps.
const OVERDUE: u64 = 1 << 33;

/// A task whose logical execution time is a day: what it writes shows when that is over, however long ago it was done.
#[test]
fn a_logical_execution_time_may_be_a_day() {
    let mut draft = Draft::<Small>::new(&[Queue::Dynamic(2)]);
    let task = draft.task(0, 0, 0);
    let output = draft.copy(task, 0x100, 0x104, 4);
    draft.program(&[DAY], &[call(output), release(task, 0), future(0, 0), RETURN]);
    let script = [At(7), Call(Complete), At(2 * DAY - 5), Call(Complete), At(2 * DAY + 3)];
    assert_story(
        &story(&draft.finish().0, &script),
        &[
            "0 driver 0 at 0 = 0",
            "0 release 0 at 0 by 2160000000000",
            "0 switch 1 to 0",
            "7 complete 0",
            "7 switch 0 to 1",
            "2160000000000 driver 0 at 2160000000000 = 0",
            "2160000000000 release 0 at 2160000000000 by 4320000000000",
            "2160000000000 switch 1 to 0",
            "2160000000000 returns to 0: Complete Success",
            // done a moment before the end
            "4319999999995 complete 0",
            "4319999999995 switch 0 to 1",
            "4320000000000 driver 0 at 4320000000000 = 0",
            "4320000000000 release 0 at 4320000000000 by 6480000000000",
            "4320000000000 switch 1 to 0",
            "4320000000000 returns to 0: Complete Success",
        ],
    );
}

/// A job is at work for as long: it is late, its clock says how long it took, and what comes next comes in time.
#[test]
fn a_job_may_be_overdue_for_longer_than_a_word_of_ticks() {
    let mut draft = Draft::<Small>::new(&[Queue::Dynamic(2)]);
    let task = draft.task(0, 0, 0);
    draft.program(&[10, OVERDUE + 90], &[release(task, 0), future(1, 0), RETURN]);
    let script = [At(OVERDUE + 30), Call(ExecutionTime), Call(Complete), At(OVERDUE + 90)];
    assert_story(
        &story(&draft.finish().0, &script),
        &[
            "0 release 0 at 0 by 10",
            "0 switch 1 to 0",
            // two words of ticks, and 30
            "8589934622 returns to 0: ExecutionTime 30 2",
            "8589934622 complete 0",
            "8589934622 miss 0 by 10",
            "8589934622 switch 0 to 1",
            "8589934682 release 0 at 8589934682 by 8589934692",
            "8589934682 switch 1 to 0",
            "8589934682 returns to 0: Complete Success",
        ],
    );
}

/// The same of a periodic thread that catches up with two of the jobs which it missed: those that were
/// released last, although more were missed than are counted.
#[test]
fn who_is_overdue_for_so_long_catches_up_with_its_last_jobs() {
    let mut draft = Draft::<Small>::new(&[Queue::Dynamic(2)]);
    let period = OVERDUE / 512;
    let thread = draft.periodic(0, 0, 0, period);
    let row = draft.row(thread);
    (row.deadline, row.catch_up) = (ticks(period), 2);
    let script = [At(OVERDUE + 30), await_period(), await_period(), await_period(), At(OVERDUE + period)];
    let mut story = story(&draft.finish().0, &script);
    story.retain(|line| !line.contains(" miss "));
    assert_story(
        &story,
        &[
            "0 release 0 at 0 by 16777216",
            "0 switch 1 to 0",
            "8589934622 complete 0",
            // the next release less two periods
            "8589934622 release 0 at 8573157376 by 8589934592",
            "8589934622 returns to 0: WaitPeriod Success 255",
            "8589934622 complete 0",
            "8589934622 release 0 at 8589934592 by 8606711808",
            "8589934622 returns to 0: WaitPeriod Success 1",
            "8589934622 complete 0",
            "8589934622 switch 0 to 1",
            "8606711808 release 0 at 8606711808 by 8623489024",
            "8606711808 switch 1 to 0",
            "8606711808 returns to 0: WaitPeriod Success 0",
        ],
    );
}

/// Two threads, of which one sleeps for as long as a call may ask for; the other one is at work meanwhile and
/// has its clock.
#[test]
fn who_sleeps_as_long_as_it_may_wakes_in_time_whatever_the_word_was() {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    draft.free(0, 0, 2);
    draft.free(0, 0, 1);
    let longest = u64::from(beryl_abi::call::LONGEST_WAIT);
    let sleep = |from: u64| [At(from), sleep_until(from + longest)];
    let script =
        [&sleep(5)[..], &[At(5 + longest), Call(ExecutionTime)], &sleep(3 << 31), &[At((3 << 31) + longest)]];
    assert_story(
        &story(&draft.finish().0, &script.concat()),
        &[
            "0 switch 2 to 0",
            "5 switch 0 to 1",
            "1073741829 switch 1 to 0",
            "1073741829 returns to 0: SleepUntil Success",
            "1073741829 returns to 0: ExecutionTime 5 0",
            "6442450944 switch 0 to 1",
            "7516192768 switch 1 to 0",
            "7516192768 returns to 0: SleepUntil Success",
        ],
    );
}
