//! A sporadic budget in front of others is a periodic job: every order of waking, sleeping and being kept from
//! running, tick by tick, against that bound.

use std::vec::Vec;

use beryl_abi::Moment;

use super::Chunks;
use crate::rows::budgets::{Budget, ComesBack};
use crate::scheduling::budget::BudgetState;
use crate::scheduling::timers::HORIZON;
use crate::table::Blank;

/// What happens in a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tick {
    /// Its thread sleeps.
    Sleeps,
    /// It wants the processor, and somebody more urgent has it.
    Waits,
    /// It runs, if it has something to use.
    Runs,
    /// The same, and inside a section: it runs in any case, up to what may be owed.
    Holds,
}

use Tick::{Holds, Runs, Sleeps, Waits};

/// A place, as the kernel keeps it.
struct Place {
    chunks: Chunks,
    budget: BudgetState,
    period: u32,
    was_asleep: bool,
}

impl Place {
    fn new(amount: u32, period: u32) -> Place {
        let row = Budget { amount, comes_back: ComesBack::Every(period), ..Budget::NONE };
        let (mut chunks, mut budget) = (Chunks::BLANK, BudgetState::BLANK);
        budget.begin(&row, Moment::from_ticks(0));
        chunks.begin(amount, Moment::from_ticks(0));
        Place { chunks, budget, period, was_asleep: true }
    }

    /// Whether a tick is used.
    fn tick(&mut self, now: u32, tick: Tick, hold: i32) -> bool {
        let moment = Moment::from_ticks(now);
        if tick == Sleeps {
            self.was_asleep = true;
            return false;
        }
        if std::mem::replace(&mut self.was_asleep, false) {
            self.chunks.date_anew(&mut self.budget, self.period, moment);
        }
        if self.budget.balance() == 0 {
            self.chunks.take_due(&mut self.budget, [self.period, 0], moment);
        }
        let runs =
            tick == Runs && self.budget.balance() > 0 || tick == Holds && self.budget.balance() > -hold;
        if runs {
            self.budget.charge(1);
        }
        if self.budget.balance() <= 0 {
            self.chunks.take_due(&mut self.budget, [self.period, 0], moment);
        }
        runs
    }

    /// Whether it has work for the processor that isn't done.
    fn is_backlogged(&self) -> bool {
        !self.was_asleep && self.budget.balance() > 0
    }
}

/// The most that a job of the budget in each period, and what may be owed once, takes of a window.
fn periodic(window: u32, amount: u32, period: u32, hold: u32) -> u32 {
    window / period * amount + amount.min(window % period) + hold
}

/// Tries every order of these ticks: no window that begins where nothing was left to do has more than the bound.
fn try_all(ticks: &[Tick], length: u32, [amount, period, hold]: [u32; 3]) -> u32 {
    let orders = (ticks.len() as u64).pow(length);
    let mut most = 0;
    for order in 0..orders {
        let mut place = Place::new(amount, period);
        let (mut used, mut begins) = (Vec::new(), Vec::new());
        let (mut rest, mut story) = (order, Vec::new());
        for at in 0..length {
            begins.push(!place.is_backlogged());
            let tick = ticks[(rest % ticks.len() as u64) as usize];
            rest /= ticks.len() as u64;
            story.push(tick);
            used.push(place.tick(at, tick, hold as i32));
        }
        for begin in (0..length).filter(|begin| begins[*begin as usize]) {
            let mut sum = 0;
            for end in begin..length {
                sum += u32::from(used[end as usize]);
                let bound = periodic(end + 1 - begin, amount, period, hold);
                assert!(sum <= bound, "{sum} of {bound} from {begin} to {end}: {story:?}");
            }
            most = most.max(sum);
        }
    }
    most
}

#[test]
fn it_takes_no_more_than_a_periodic_job() {
    for (amount, period) in [(1, 3), (2, 4), (2, 5), (3, 5), (4, 5)] {
        assert!(try_all(&[Sleeps, Waits, Runs], 11, [amount, period, 0]) > amount, "and as much");
    }
}

#[test]
fn parts_for_which_there_is_no_room_come_back_no_earlier() {
    // Five ticks of a period, each apart, of which the fifth comes back while the run lasts.
    for (amount, period) in [(5, 9), (6, 10)] {
        try_all(&[Sleeps, Runs], 18, [amount, period, 0]);
    }
}

#[test]
fn what_is_owed_comes_on_top_once() {
    for [amount, period, hold] in [[1, 3, 1], [2, 5, 1], [2, 5, 2], [3, 6, 2]] {
        try_all(&[Sleeps, Waits, Runs, Holds], 9, [amount, period, hold]);
    }
}

#[test]
fn who_sleeps_for_longer_than_moments_can_tell_has_its_whole_budget_a_period_later_at_most() {
    let mut place = Place::new(4, 10);
    for at in 0..3 {
        assert!(place.tick(at, Runs, 0));
    }
    place.tick(3, Sleeps, 0);
    // Its timer has a reminder as often as one may be set. What isn't put down yet is dated to the last of them.
    let mut now = 3_u32;
    for _ in 0..9 {
        now = now.wrapping_add(HORIZON);
        place.chunks.keep_near(Moment::from_ticks(now));
    }
    let used: Vec<_> = (1..=15).map(|tick| place.tick(now.wrapping_add(tick), Runs, 0)).collect();
    let expected: Vec<_> = (1..=15).map(|tick| tick == 1 || (10..14).contains(&tick)).collect();
    assert_eq!(used, expected, "from {now} on");
}
