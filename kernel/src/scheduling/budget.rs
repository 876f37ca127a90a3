//! The state of a place's budget.

#[cfg(test)]
mod tests;

use beryl_abi::{Moment, ThreadId};

use crate::rows::budgets::{Budget, ComesBack};
use crate::rows::rank::Rank;
use crate::table::Blank;

/// The state of a place's budget.
///
/// ```text
///                                 used up, not in a section (3)
///         +---------------------------------------------------------+
///         |                                                         v
///       Whole --used up while lent (2)--> Lent --its own turn (3)-> Spent
///       ^ ^ ^                              | ^      or `hold`        ^
///       | | |                              v |                       |
///       | | +--------------------------- Holding ---section ends (3)-+
///       | |       comes back (1)              or `hold` is over      |
///       | +----------------------------------------------------------+
///       +-- comes back (1): from everywhere        None: there is no budget
/// ```
/// (1) [`come_back`](BudgetState::come_back), (2) [`go_into_debt`](BudgetState::go_into_debt),
/// (3) [`be_spent`](BudgetState::be_spent).
///
/// Only the functions here write it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BudgetState {
    /// What whoever runs in its place may use before the kernel has to look, in ticks; below zero it was used until
    /// the kernel saw it. Time in the place is taken from it whether or not there is a budget, so a switch asks nothing: where
    /// time isn't charged, it is [`BOUNDLESS`] again before it ends.
    allowed: i32,
    /// What has to be added for the balance: while time isn't charged, from [`BOUNDLESS`]; where its thread holds something,
    /// `hold` less; and what others have used of it that share it.
    aside: i32,
    /// When it comes back, if it does by itself.
    pub(in crate::scheduling) back: Moment,
    funds: Funds,
    /// The rank to which its place returns, if it was lowered.
    pub(crate) returns_to: Rank,
}

/// How a budget stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Funds {
    /// There is no budget.
    None,
    /// Its place may use it.
    Whole,
    /// Used up while somebody else ran in its place, who may go on until the end of the section.
    Lent,
    /// Used up while its own thread held something, which may go on until it doesn't.
    Holding,
    /// Used up, and what is to happen then has begun. Nothing is charged to it.
    Spent,
}

/// So much may be used where time isn't charged: it doesn't end before any alarm, which is at most 2^30 ticks ahead.
const BOUNDLESS: i32 = 3 << 29;

impl Blank for BudgetState {
    const BLANK: BudgetState = BudgetState {
        allowed: 0,
        aside: 0,
        back: Moment::from_ticks(0),
        funds: Funds::None,
        returns_to: Rank::fixed(0),
    };
}

impl BudgetState {
    /// There is none.
    pub(crate) const NONE: BudgetState =
        BudgetState { allowed: BOUNDLESS, returns_to: Rank::NONE, ..BudgetState::BLANK };

    /// A budget as it is at the start.
    pub(crate) fn begin(&mut self, row: &Budget, start: Moment) {
        if row.is_some() {
            (self.allowed, self.funds) = (row.amount as i32, Funds::Whole);
            if let ComesBack::Every(period) = row.comes_back {
                self.back = start.after(period);
            }
        }
    }

    /// How it stands.
    #[inline(always)]
    pub(crate) fn funds(&self) -> Funds {
        self.funds
    }

    /// When it comes back next, if it does by itself.
    #[inline(always)]
    pub(crate) fn back(&self) -> Moment {
        self.back
    }

    /// What is left, in ticks; below zero it is a debt, or what was used until the kernel saw it.
    pub(crate) fn balance(&self) -> i32 {
        let allowed = if self.pays() { self.allowed } else { BOUNDLESS };
        allowed.wrapping_add(self.aside)
    }

    /// The same where several places share it: then no time passes that isn't charged.
    #[inline(always)]
    pub(crate) fn shared_balance(&self) -> i32 {
        self.allowed.wrapping_add(self.aside)
    }

    /// So much is left.
    pub(in crate::scheduling) fn balance_at(&mut self, left: i32) {
        match self.pays() {
            true => self.allowed = left.wrapping_sub(self.aside),
            false => (self.allowed, self.aside) = (BOUNDLESS, left.wrapping_sub(BOUNDLESS)),
        }
    }

    /// It stands otherwise, with the same balance.
    fn turn(&mut self, funds: Funds, hold: u32) {
        let left = self.balance();
        (self.allowed, self.aside) = match funds {
            Funds::Whole | Funds::Lent => (left, 0),
            Funds::Holding => (left.wrapping_add(hold as i32), (hold as i32).wrapping_neg()),
            Funds::None | Funds::Spent => (BOUNDLESS, left.wrapping_sub(BOUNDLESS)),
        };
        self.funds = funds;
    }

    /// Whether time in its place is charged to it.
    #[inline(always)]
    pub(crate) fn pays(&self) -> bool {
        !matches!(self.funds, Funds::None | Funds::Spent)
    }

    /// Time has passed in its place.
    #[inline(always)]
    pub(crate) fn pass(&mut self, ticks: u32) {
        // What is used up is seen at the next alarm, long before this could wrap.
        self.allowed = self.allowed.wrapping_sub(ticks as i32);
    }

    /// Its place pays for something.
    #[inline(always)]
    pub(crate) fn charge(&mut self, ticks: u32) {
        if self.pays() {
            self.pass(ticks);
        }
    }

    /// As much was used of what several places share.
    pub(crate) fn be_used(&mut self, ticks: u32) {
        self.aside = self.aside.wrapping_sub(ticks as i32);
    }

    /// What may be used before the kernel has to look, as far as nobody shares it and it is the place's own thread that
    /// runs, or a debt of it has not begun.
    #[inline(always)]
    pub(crate) fn allowed(&self) -> i32 {
        self.allowed
    }

    /// The same with all that has to be asked for that. Where time isn't charged, there is as much as ever again if what
    /// there is would be too short.
    #[inline(always)]
    pub(crate) fn allowed_alone(
        &mut self,
        hold: u32,
        is_own: bool,
        is_short: impl FnOnce(i32) -> bool,
    ) -> i32 {
        match self.funds {
            Funds::None | Funds::Spent => {
                if is_short(self.allowed) {
                    self.be_boundless();
                }
                return BOUNDLESS;
            }
            Funds::Lent if is_own => return -1,
            Funds::Lent => return self.allowed.wrapping_add(hold as i32),
            Funds::Whole | Funds::Holding => {}
        }
        self.allowed
    }

    /// Time isn't charged to it: as much as there is may be used, again.
    pub(crate) fn be_boundless(&mut self) {
        self.allowed = BOUNDLESS;
    }

    /// Whether more of it was used than there was.
    pub(crate) fn is_in_debt(&self) -> bool {
        self.balance() < 0
    }

    /// (1) Its place may use what is left again, if anything is.
    pub(crate) fn be_whole(&mut self) {
        if self.funds != Funds::None {
            self.turn(Funds::Whole, 0);
        }
    }

    /// (1) It is whole again, with the next job. Nothing is left of the last one's debt.
    #[inline(always)]
    pub(crate) fn come_back(&mut self, amount: u32) {
        if self.funds != Funds::None {
            (self.allowed, self.aside, self.funds) = (amount as i32, 0, Funds::Whole);
        }
    }

    /// (1) It is back because its period is over, less its debt.
    pub(crate) fn come_back_less_debt(&mut self, amount: u32, period: u32) {
        let debt = self.balance().min(0);
        self.back = self.back.after(period);
        self.come_back(amount);
        self.balance_at(self.balance().saturating_add(debt));
    }

    /// (1) Its place goes on, if there is something to use. Returns whether there is.
    pub(crate) fn goes_on_again(&mut self) -> bool {
        let has_some = self.balance() > 0;
        if has_some {
            self.turn(Funds::Whole, 0);
        }
        has_some
    }

    /// (2) It is used up inside a section, which may go on for so much longer.
    pub(crate) fn go_into_debt(&mut self, funds: Funds, hold: u32) {
        self.turn(funds, hold);
    }

    /// (3) It is used up.
    pub(crate) fn be_spent(&mut self) {
        if self.pays() {
            self.aside = self.aside.wrapping_add(self.allowed.wrapping_sub(BOUNDLESS));
        }
        (self.allowed, self.funds) = (BOUNDLESS, Funds::Spent);
    }

    /// What more may be used before the kernel has to look, where so much is left: none if its own thread comes to run again that
    /// lent its place where it was used up, since that section is over.
    #[inline(always)]
    pub(crate) fn allowed_of(
        &self,
        left: impl FnOnce() -> i32,
        hold: impl FnOnce() -> u32,
        is_own: bool,
    ) -> i32 {
        match self.funds {
            Funds::None | Funds::Spent => BOUNDLESS,
            Funds::Whole => left(),
            Funds::Lent if is_own => -1,
            Funds::Lent | Funds::Holding => left().wrapping_add(hold() as i32),
        }
    }

    /// For hosts that compare states: without what nobody will read again.
    pub(crate) fn forget(&mut self) {
        if self.funds != Funds::None {
            (self.allowed, self.aside, self.funds) = (0, 0, Funds::Whole);
        }
    }

    /// The same of how much there is where time isn't charged.
    pub(crate) fn forget_what_passed(&mut self) {
        if !self.pays() {
            self.be_boundless();
        }
    }
}

/// The first moment at which more is used than is allowed, if that has been in use since then.
#[inline(always)]
pub(crate) fn end(allowed: i32, since: Moment) -> Moment {
    // Just what it may use isn't too much: a tick more is. If that was used already, the end is past.
    since.after((allowed as u32).wrapping_add(1))
}

/// Who pays for the time that passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Payment {
    /// The place that pays, from its budget if it has one.
    pub(crate) payer: ThreadId,
    /// The place whose budget was seen to be used up, until that is dealt with.
    pub(crate) spent: ThreadId,
    /// The next semaphore of which is asked whether its thread holds it.
    pub(crate) asked: u8,
    /// The lowered place whose budget has come back, until it returns.
    pub(crate) raised: ThreadId,
    /// What the alarm of the machine is set to: what the kernel wants, or the end of the payer's budget.
    pub(crate) armed: Moment,
}

impl Payment {
    /// Nobody pays yet.
    pub(crate) const NONE: Payment = Payment {
        payer: ThreadId::NONE,
        spent: ThreadId::NONE,
        asked: 0,
        raised: ThreadId::NONE,
        armed: Moment::from_ticks(0),
    };
}

impl Blank for Payment {
    const BLANK: Payment =
        Payment { payer: ThreadId(0), spent: ThreadId(0), raised: ThreadId(0), ..Payment::NONE };
}
