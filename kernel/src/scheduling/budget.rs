//! The state of a place's budget.

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
    /// What is left, in ticks; below zero it is a debt, or what was used until the kernel saw it.
    pub(crate) left: i32,
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

impl Blank for BudgetState {
    const BLANK: BudgetState =
        BudgetState { left: 0, back: Moment::from_ticks(0), funds: Funds::None, returns_to: Rank::fixed(0) };
}

impl BudgetState {
    /// There is none.
    pub(crate) const NONE: BudgetState = BudgetState { returns_to: Rank::NONE, ..BudgetState::BLANK };

    /// A budget as it is at the start.
    pub(crate) fn begin(&mut self, row: &Budget, start: Moment) {
        if row.is_some() {
            (self.left, self.funds) = (row.amount as i32, Funds::Whole);
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

    /// Whether it isn't used up.
    pub(crate) fn has_some(&self) -> bool {
        self.funds == Funds::Whole && self.left >= 0
    }

    /// Whether time in its place is charged to it.
    #[inline(always)]
    pub(crate) fn pays(&self) -> bool {
        !matches!(self.funds, Funds::None | Funds::Spent)
    }

    /// Time was used in its place.
    #[inline(always)]
    pub(crate) fn charge(&mut self, ticks: u32) {
        if self.pays() {
            // What is used up is seen at the next alarm, long before this could wrap.
            self.left = self.left.wrapping_sub(ticks as i32);
        }
    }

    /// As much was used of what several places share.
    pub(crate) fn be_used(&mut self, ticks: u32) {
        self.left = self.left.wrapping_sub(ticks as i32);
    }

    /// The same, where so much is left: several places may share that.
    #[inline(always)]
    pub(crate) fn with_left(&self, left: i32) -> BudgetState {
        BudgetState { left, ..*self }
    }

    /// Whether more of it was used than there was.
    pub(crate) fn is_in_debt(&self) -> bool {
        self.left < 0
    }

    /// (1) Its place may use what is left again, if anything is.
    pub(crate) fn be_whole(&mut self) {
        if self.funds != Funds::None {
            self.funds = Funds::Whole;
        }
    }

    /// (1) It is whole again, with the next job. Nothing is left of the last one's debt.
    #[inline(always)]
    pub(crate) fn come_back(&mut self, amount: u32) {
        if self.funds != Funds::None {
            (self.left, self.funds) = (amount as i32, Funds::Whole);
        }
    }

    /// (1) It is back because its period is over, less its debt.
    pub(crate) fn come_back_less_debt(&mut self, amount: u32, period: u32) {
        let debt = self.left.min(0);
        self.back = self.back.after(period);
        self.come_back(amount);
        self.left = self.left.saturating_add(debt);
    }

    /// (1) So much of it is back, before its place is asked whether it goes on.
    pub(crate) fn gain(&mut self, amount: u32) {
        self.left = self.left.saturating_add_unsigned(amount);
    }

    /// What is left, if anything.
    pub(crate) fn left(&self) -> u32 {
        self.left.max(0).unsigned_abs()
    }

    /// Its place pays for what the kernel does so that it comes back.
    pub(crate) fn pay_for_return(&mut self, ticks: u32) {
        self.left = self.left.saturating_sub_unsigned(ticks);
    }

    /// (1) Its place goes on, if there is something to use. Returns whether there is.
    pub(crate) fn goes_on_again(&mut self) -> bool {
        let has_some = self.left > 0;
        if has_some {
            self.funds = Funds::Whole;
        }
        has_some
    }

    /// (2) It is used up inside a section, which may go on.
    pub(crate) fn go_into_debt(&mut self, funds: Funds) {
        self.funds = funds;
    }

    /// What was used, debt included.
    pub(crate) fn used(&self, amount: u32) -> u32 {
        amount.wrapping_sub(self.left as u32)
    }

    /// Whether it would be used up if it were longer by `hold`.
    pub(crate) fn exceeds(&self, hold: u32) -> bool {
        self.left.saturating_add(hold as i32) < 0
    }

    /// (3) It is used up.
    pub(crate) fn be_spent(&mut self) {
        self.funds = Funds::Spent;
    }

    /// What more may be used before the kernel has to look, where so much is left: none if its own thread comes to run again that
    /// lent its place where it was used up, since that section is over.
    #[inline(always)]
    fn allowed(&self, left: impl FnOnce() -> i32, hold: impl FnOnce() -> u32, is_own: bool) -> i32 {
        match self.funds {
            Funds::None | Funds::Whole | Funds::Spent => left(),
            Funds::Lent if is_own => -1,
            Funds::Lent | Funds::Holding => left().saturating_add(hold() as i32),
        }
    }

    /// Whether more was used than may be.
    #[inline(always)]
    pub(crate) fn is_overdrawn(
        &self,
        left: impl FnOnce() -> i32,
        hold: impl FnOnce() -> u32,
        is_own: bool,
    ) -> bool {
        self.pays() && self.allowed(left, hold, is_own) < 0
    }

    /// The first moment at which more is used than may be, if its place has been in use since then.
    #[inline(always)]
    pub(crate) fn end(
        &self,
        left: impl FnOnce() -> i32,
        hold: impl FnOnce() -> u32,
        is_own: bool,
        since: Moment,
    ) -> Moment {
        // Just what it may use isn't too much: a tick more is. If that was used already, the end is past.
        since.after((self.allowed(left, hold, is_own) as u32).wrapping_add(1))
    }

    /// For hosts that compare states: without what nobody will read again.
    pub(crate) fn forget(&mut self) {
        if self.funds != Funds::None {
            (self.left, self.funds) = (0, Funds::Whole);
        }
    }
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
