//! Sporadic: what is used of the budget comes back a period after it could be used.
//!
//! ```text
//!   usable, of a date --used--> put down (1) --a period after the date--> due --asked for--> usable, of that date (2)
//!     ^ |                                                                                          |
//!     +-+ the thread wakes: dated anew (3)                                                         |
//!     +--------------------------------------------------------------------------------------------+
//! ```
//! (1) `put_down`, (2) `take_due`, (3) `date_anew`. What can be used and what was put down are the budget together,
//! always.
//!
//! 1. *Waking.* What was used so far is put down. From then on what can be used is dated to that instant.
//! 2. *Using* takes from what can be used. It comes back a period after the **date** of that, whenever it was used.
//! 3. *Coming back.* What is due may be used by whoever asks for it: a thread that wakes, or whose budget is
//!    used up. What has been used before is put down with its own date first; then the later date counts for
//!    all. Only who has nothing left has a timer, and it is left to that.
//! 4. *Few parts.* Where as many parts are put down as there is room for, the last takes in the new one, at the
//!    **later** of both instants.
//! 5. *Too much.* What was used with nothing left, inside a section, is used of what comes back next, and put
//!    down with that one's date.
//! 6. *Background.* What is used there is nobody's.
//!
//! So each tick of the budget is dated at instants a period apart or more, and used at or after its date: in front of
//! others it is so many sporadic jobs of a tick, which together are one periodic job of the whole budget. Parts only
//! ever move to later dates: in 3 and 4, where a thread that slept is charged, and where dates get too old to be told
//! from the future. POSIX's `SCHED_SPORADIC` dates what came back in between to when the thread woke (too early, by
//! 3), forgets what was used beyond the budget (by 5) and leaves the number of parts to the implementation, which may
//! drop them (by 4).
//!
//! Sprunt, Sha and Lehoczky, *Aperiodic task scheduling for hard real-time systems* (Real-Time Systems, 1989), with
//! the corrections of Stanovich, Baker, Wang and González Harbour, *Defects of the POSIX sporadic server and how to
//! correct them* (RTAS 2010). Unlike theirs, nothing is put down before somebody asks: a thread that sleeps has no
//! timer for its budget.

#[cfg(test)]
mod tests;

use beryl_abi::Moment;

use crate::rows::rules::Rule;
use crate::scheduling::budget::BudgetState;
use crate::scheduling::timers::HORIZON;
use crate::table::{Blank, Table};

/// A part of a budget that comes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Chunk {
    due: Moment,
    amount: u32,
}

impl Blank for Chunk {
    const BLANK: Chunk = Chunk { due: Moment::from_ticks(0), amount: 0 };
}

/// The parts of a sporadic budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Chunks {
    /// What could be used when it was dated; what isn't left of it was used since.
    usable: u32,
    date: Moment,
    /// What was put down, the first that is due first; parts of nothing behind.
    pending: [Chunk; Rule::REPLENISHMENTS],
    /// How many parts that is.
    count: u8,
}

impl Blank for Chunks {
    const BLANK: Chunks = Chunks {
        usable: 0,
        date: Moment::from_ticks(0),
        pending: [Chunk::BLANK; Rule::REPLENISHMENTS],
        count: 0,
    };
}

impl Chunks {
    /// As it is at the start.
    pub(crate) fn begin(&mut self, amount: u32, start: Moment) {
        *self = Chunks { usable: amount, date: start, ..Chunks::BLANK };
    }

    /// When the first part is due, if one was put down.
    #[inline(always)]
    pub(crate) fn first_due(&self) -> Option<Moment> {
        let first = self.pending.at(0);
        (first.amount > 0).then_some(first.due)
    }

    /// (1) What was used of what could be used comes back a period after its date.
    pub(crate) fn put_down(&mut self, balance: i32, period: u32) {
        let kept = balance.max(0).unsigned_abs().min(self.usable);
        let amount = self.usable.wrapping_sub(kept);
        self.usable = kept;
        if amount > 0 {
            self.add(Chunk { due: self.date.after(period), amount });
        }
    }

    /// Parts are added in the order in which they are due, since dates only become later. One that is due with the
    /// last one, or has no room of its own, comes back with it.
    fn add(&mut self, new: Chunk) {
        let is_full = usize::from(self.count) == Rule::REPLENISHMENTS;
        match self.count.checked_sub(1).map(|last| self.pending.at_mut(last.into())) {
            Some(last) if is_full || last.due == new.due => {
                *last = Chunk { due: new.due, amount: last.amount.wrapping_add(new.amount) };
            }
            _ => {
                *self.pending.at_mut(self.count.into()) = new;
                self.count = self.count.wrapping_add(1);
            }
        }
    }

    /// (2) What is due may be used, each part after what was used before it has been put down. Its place pays `price`
    /// for that. Returns whether anything was due. What is due after so many parts is left to the next time.
    pub(crate) fn take_due(
        &mut self,
        budget: &mut BudgetState,
        [period, price]: [u32; 2],
        now: Moment,
    ) -> bool {
        let mut balance = budget.balance();
        self.put_down(balance, period);
        let is_due = self.first_due().is_some_and(|due| !now.is_before(due));
        if is_due {
            balance = balance.saturating_sub_unsigned(price);
        }
        // bound: 4, the parts of a budget
        for _ in 0..Rule::REPLENISHMENTS {
            let Chunk { due, amount } = *self.pending.at(0);
            if amount == 0 || now.is_before(due) {
                break;
            }
            let [_, second, third, fourth] = self.pending;
            self.pending = [second, third, fourth, Chunk::BLANK];
            self.count = self.count.wrapping_sub(1);
            self.usable = self.usable.wrapping_add(amount);
            if self.date.is_before(due) {
                self.date = due;
            }
            balance = balance.saturating_add_unsigned(amount);
            self.put_down(balance, period);
        }
        budget.balance_at(balance);
        is_due
    }

    /// (3) The thread wakes. If nothing is left, what is due has a timer, and no date before this one.
    pub(crate) fn date_anew(&mut self, budget: &mut BudgetState, period: u32, now: Moment) {
        if budget.pays() {
            self.take_due(budget, [period, 0], now);
        }
        self.date = now;
    }

    /// Dates are compared with the present: those that get too old are as of now, and so is what has long been due.
    pub(crate) fn keep_near(&mut self, now: Moment) {
        if now.ticks_since(self.date) > HORIZON / 2 {
            self.date = now;
            // bound: 4, the parts of a budget
            for chunk in &mut self.pending {
                if !now.is_before(chunk.due) {
                    chunk.due = now;
                }
            }
        }
    }
}
