//! Budgets: who pays, and what happens when a place has no more.

use std::collections::BTreeMap;

use beryl_abi::Incident;
use beryl_kernel::{
    Budget, ComesBack, OnSpent, Optional, Place, Rule, SemaphoreKind, Sizes, Table, ThreadKind,
};

use super::{Answer, Index, Model, Phase, Reason, Ticks, Waiting};

/// What a place has.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Account {
    /// What is left; less than nothing is a debt.
    pub left: i64,
    pub funds: Funds,
    /// When it comes back by itself.
    pub back: Option<Ticks>,
    /// Whether its place is in the background.
    pub is_lowered: bool,
    /// Of a sporadic one: what could be used when it was dated, that date, and what comes back when.
    pub usable: i64,
    pub date: Ticks,
    pub pending: BTreeMap<Ticks, i64>,
}

/// How it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Funds {
    None,
    Whole,
    /// Used up by somebody else in its place.
    Lent,
    /// Used up while its thread held something.
    Holding,
    Spent,
}

impl Account {
    pub fn none() -> Account {
        Account {
            left: 0,
            funds: Funds::None,
            back: None,
            is_lowered: false,
            usable: 0,
            date: 0,
            pending: BTreeMap::new(),
        }
    }
}

impl<S: Sizes> Model<'_, S> {
    pub fn budget(&self, place: Index) -> Budget {
        self.system.budgets.get(place).copied().unwrap_or(Budget::NONE)
    }

    /// A place's budget at the start.
    pub fn begin_account(&mut self, place: Index) {
        let row = self.budget(place);
        if row.is_some() {
            let account = &mut self.threads[place].account;
            (account.left, account.funds) = (row.amount.into(), Funds::Whole);
            account.usable = row.amount.into();
            if let ComesBack::Every(period) = row.comes_back {
                account.back = Some(period.into());
            }
        }
    }

    /// All who pay with a place from one budget, the one with whose place it stands first; nobody if it pays alone.
    fn pool(&self, place: Index) -> Vec<Index> {
        let purse = |place| self.system.pools.get(place).map(|row| row.purse).filter(|purse| purse.is_some());
        let Some(own) = purse(place) else { return Vec::new() };
        let members = (0..self.threads.len()).filter(|member| purse(*member) == Some(own));
        let (first, others): (Vec<_>, Vec<_>) = members.partition(|member| *member >= own.index());
        first.into_iter().chain(others).collect()
    }

    fn purse(&self, place: Index) -> Index {
        self.pool(place).first().copied().unwrap_or(place)
    }

    fn left(&self, place: Index) -> i64 {
        self.threads[self.purse(place)].account.left
    }

    fn use_up(&mut self, place: Index, ticks: i64) {
        let purse = self.purse(place);
        self.threads[purse].account.left -= ticks;
    }

    fn pays(&self, place: Index) -> bool {
        !matches!(self.threads[place].account.funds, Funds::None | Funds::Spent)
    }

    /// Whoever pays is charged up to now.
    pub fn charge(&mut self) {
        let passed = self.now - std::mem::replace(&mut self.charged, self.now);
        self.use_section(passed);
        self.use_answer(passed);
        if let Some(payer) = self.payer.filter(|payer| self.pays(*payer)) {
            self.use_up(payer, i64::try_from(passed).unwrap());
        }
    }

    /// The place in which the running thread runs from now on.
    pub fn pay(&mut self, place: Index) {
        self.charge();
        self.payer = Some(place);
    }

    /// What the payer may use before somebody has to look.
    fn allowed(&self, place: Index) -> i64 {
        let account = &self.threads[place].account;
        match account.funds {
            Funds::Lent if place == self.running => -1,
            Funds::Lent | Funds::Holding => self.left(place) + i64::from(self.budget(place).hold),
            _ => self.left(place),
        }
    }

    /// When somebody has to look.
    pub fn end_of_budget(&self) -> Option<Ticks> {
        let payer = self.payer.filter(|payer| self.pays(*payer))?;
        Some(self.charged + u64::try_from(self.allowed(payer) + 1).unwrap_or(0))
    }

    /// The alarm: whether the payer has used more than it may.
    pub fn look_at_budget(&mut self) {
        self.charge();
        if let Some(payer) = self.payer.filter(|payer| self.pays(*payer) && self.allowed(*payer) < 0) {
            self.deal_with(payer);
        }
    }

    /// A thread that was in debt has made a call: its section may be over, and so may be the thread, which begins anew with
    /// what it owes.
    pub fn look_at_section(&mut self, thread: Index) {
        self.deal_with(thread);
    }

    fn deal_with(&mut self, place: Index) {
        let row = self.budget(place);
        if self.rule(place) == Rule::ConstantBandwidth {
            return self.put_deadline_off(place);
        }
        if self.rule(place) == Rule::Sporadic && self.take_due(place) {
            return;
        }
        // What came back is just what was used: it goes on until it uses more.
        let account = &self.threads[place].account;
        if account.funds == Funds::Whole && self.left(place) >= 0 {
            return;
        }
        let lends = self.lender_to(place).is_some();
        let is_in_time = row.hold > 0 && self.left(place) + i64::from(row.hold) >= 0;
        if !self.is_ready(place) && !lends {
            let ends = self.threads[place].waiting().is_none_or(|waiting| waiting.reason == Reason::Period);
            if ends {
                self.forget_debt(place);
            }
        } else if !is_in_time {
            self.react(place, row);
        } else if lends {
            self.threads[place].account.funds = Funds::Lent;
        } else if self.is_raised(place) || !self.owned_by(place).is_empty() {
            if !self.is_raised(place) {
                self.have_it_given_back_by_call(self.owned_by(place)[0]);
            }
            self.threads[place].account.funds = Funds::Holding;
            self.publish(place, 0);
        } else {
            self.react(place, row);
        }
    }

    /// Whoever owns a semaphore by its word has to call to give it back.
    fn have_it_given_back_by_call(&mut self, semaphore: Index) {
        if let SemaphoreKind::Binary { word } = self.system.semaphores.at(semaphore).kind
            && word != 0
        {
            self.semaphores[semaphore].owner = self.owner(semaphore);
            let owner = self.word(word);
            self.memory.insert(word, owner | 1 << 31);
        }
    }

    /// A debt is over with its job. Where there are no jobs it stays, for whoever begins anew.
    pub fn forget_debt(&mut self, place: Index) {
        if !matches!(self.threads[place].account.funds, Funds::Lent | Funds::Holding) {
            return;
        }
        if self.budget(place).comes_back != ComesBack::WithJobs || !self.pool(place).is_empty() {
            self.threads[place].account.funds = Funds::Whole;
            return;
        }
        self.threads[place].account.funds = Funds::Spent;
    }

    fn react(&mut self, place: Index, row: Budget) {
        let held = self.threads[place].account.funds == Funds::Holding;
        self.threads[place].account.funds = Funds::Spent;
        self.put_down(place);
        if held && !self.is_raised(place) {
            self.publish(place, 0);
        }
        self.inform(place, Incident::Overrun);
        let owned = self.owned_by(place);
        // A ceiling can't be in the background.
        let stops = row.reaction == OnSpent::Stop || row.reaction == OnSpent::Lower && self.is_raised(place);
        match row.reaction {
            OnSpent::EndJob => self.end_job(place),
            OnSpent::Lower if !stops && matches!(self.row(place).place, Place::Fixed { .. }) => {
                self.lower(place, true);
            }
            _ => {}
        }
        match row.reaction {
            _ if stops => self.stop_what_faults(place),
            OnSpent::EndJob => {
                for semaphore in owned {
                    self.pass_on(semaphore, true);
                }
                self.dismiss_clients(place);
            }
            _ => {}
        }
    }

    fn end_job(&mut self, thread: Index) {
        match self.row(thread).kind {
            ThreadKind::Task => self.withdraw(thread, Phase::Spent),
            ThreadKind::Periodic => {
                let since = self.turn();
                let waiting = Waiting { reason: Reason::Period, since, until: None, then: None };
                self.withdraw(thread, Phase::Waiting(waiting));
                self.threads[thread].missed = 0;
            }
            _ => unreachable!("it has no jobs"),
        }
    }

    /// A job begins. What is shared doesn't come back with it.
    pub fn budget_comes_back(&mut self, place: Index) {
        if self.pool(place).is_empty() {
            self.be_whole(place);
        }
    }

    fn be_whole(&mut self, place: Index) {
        let amount = self.budget(place).amount;
        let account = &mut self.threads[place].account;
        if account.funds != Funds::None {
            (account.left, account.funds) = (amount.into(), Funds::Whole);
        }
    }

    /// A period of a budget is over.
    pub fn budget_comes_back_less_debt(&mut self, place: Index, due: Ticks) {
        let ComesBack::Every(period) = self.budget(place).comes_back else { unreachable!() };
        self.charge();
        match self.rule(place) {
            Rule::Sporadic => {
                if self.take_due(place) && self.threads[place].account.is_lowered {
                    self.lower(place, false);
                }
                return;
            }
            Rule::Polling if !self.is_ready(place) && self.lender_to(place).is_none() => {
                let account = &mut self.threads[place].account;
                account.back = Some(due + Ticks::from(period));
                account.left =
                    (account.left + i64::from(self.system.budgets.get(place).unwrap().amount)).min(0);
                return;
            }
            Rule::Polling | Rule::Deferrable => {}
            Rule::ConstantBandwidth => unreachable!("it has no timer"),
        }
        let debt = self.threads[place].account.left.min(0);
        self.threads[place].account.back = Some(due + Ticks::from(period));
        self.be_whole(place);
        self.threads[place].account.left += debt;
        if self.threads[place].account.is_lowered {
            self.lower(place, false);
        }
        // If it wasn't used up, nobody who shares it has been lowered.
        for member in self.pool(place).into_iter().filter(|member| debt < 0 && *member != place) {
            self.threads[member].account.funds = Funds::Whole;
            if self.threads[member].account.is_lowered {
                self.lower(member, false);
            }
        }
    }

    /// A place goes to the background or comes from there, behind its new equals wherever it stands or waits.
    fn lower(&mut self, place: Index, is_lowered: bool) {
        self.threads[place].account.is_lowered = is_lowered;
        self.be_behind_its_equals(place);
    }

    /// The kernel works for a thread while others pay for the time.
    pub fn charge_for_waking(&mut self, thread: Index) {
        if self.pays(thread) {
            self.use_up(thread, self.budget(thread).woken.into());
        }
    }

    /// What is published to a thread in debt makes it call.
    pub fn least_published(&self, thread: Index) -> u32 {
        u32::from(self.threads[thread].account.funds == Funds::Holding)
    }

    /// The answer to a priority for a place that is kept low.
    pub fn keep_low(&mut self, place: Index, priority: u8) -> Option<Answer> {
        self.threads[place].account.is_lowered.then(|| {
            self.threads[place].priority = priority;
            Answer::success()
        })
    }
}
