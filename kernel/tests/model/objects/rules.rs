//! Rules by which budgets come back.

use beryl_abi::Incident;
use beryl_kernel::{ComesBack, Optional, Rule, Sizes};

use super::budgets::Funds;
use super::{Index, Model, Ticks};

impl<S: Sizes> Model<'_, S> {
    pub fn rule(&self, place: Index) -> Rule {
        self.system.rules.get(place).copied().unwrap_or(Rule::Deferrable)
    }

    fn period(&self, place: Index) -> Ticks {
        match self.budget(place).comes_back {
            ComesBack::Every(period) => period.into(),
            ComesBack::WithJobs => 0,
        }
    }

    /// When a budget comes back by itself.
    pub fn back(&self, place: Index) -> Option<Ticks> {
        let account = &self.threads[place].account;
        match self.rule(place) {
            Rule::Sporadic if account.funds != Funds::Spent => None,
            Rule::Sporadic => account.pending.keys().next().copied(),
            Rule::Deferrable | Rule::Polling => account.back,
            Rule::ConstantBandwidth => None,
        }
    }

    /// A thread wants the processor that slept.
    pub fn want_from_now_on(&mut self, thread: Index) {
        match self.rule(thread) {
            Rule::Deferrable => {}
            Rule::Sporadic => self.date(thread),
            Rule::ConstantBandwidth => self.arrive(thread),
            Rule::Polling => {
                let account = &mut self.threads[thread].account;
                if !account.is_lowered && account.funds != Funds::None {
                    (account.left, account.funds) = (account.left.min(0), Funds::Spent);
                    account.is_lowered = true;
                }
            }
        }
    }

    /// A budget of constant bandwidth is whole, with a deadline a period from now, unless what is left of it is less than
    /// its share of the time until its deadline.
    pub fn arrive(&mut self, place: Index) {
        if self.rule(place) != Rule::ConstantBandwidth || self.threads[place].account.funds == Funds::None {
            return;
        }
        self.charge();
        let (amount, period) = (u128::from(self.budget(place).amount), u128::from(self.period(place)));
        let left = self.threads[place].account.left;
        let until = u128::from(self.threads[place].deadline.saturating_sub(self.now));
        if u128::try_from(left.max(0)).unwrap() * period >= until * amount {
            self.threads[place].account.left = left.min(0) + i64::from(self.budget(place).amount);
            self.threads[place].deadline = self.now + self.period(place);
        } else {
            self.kept += 1;
        }
    }

    /// One that is used up is whole again, with a deadline a period later, as often as that takes.
    pub fn put_deadline_off(&mut self, place: Index) {
        while self.threads[place].account.left < 0 {
            self.threads[place].account.left += i64::from(self.budget(place).amount);
            self.threads[place].deadline += self.period(place);
            self.be_behind_its_equals(place);
            self.put_off += 1;
            self.put_off_while_lent += usize::from(self.lender_to(place).is_some());
            self.inform(place, Incident::Overrun);
        }
    }

    /// What is used of a sporadic budget from now on is dated now.
    pub fn date(&mut self, place: Index) {
        if self.rule(place) != Rule::Sporadic || self.threads[place].account.funds == Funds::None {
            return;
        }
        if self.threads[place].account.funds != Funds::Spent {
            self.use_due(place, 0);
        }
        self.threads[place].account.date = self.now;
    }

    /// What was used since then comes back a period after its date.
    pub fn put_down(&mut self, place: Index) {
        let period = self.period(place);
        if self.rule(place) != Rule::Sporadic {
            return;
        }
        let account = &mut self.threads[place].account;
        let used = account.usable - account.left.max(0);
        if used == 0 {
            return;
        }
        account.usable -= used;
        let due = account.date + period;
        let mut amount = used;
        if account.pending.len() == Rule::REPLENISHMENTS && !account.pending.contains_key(&due) {
            amount += account.pending.pop_last().unwrap().1;
        }
        *account.pending.entry(due).or_default() += amount;
    }

    /// Parts that are due are used, one after the other. Whether there were any.
    fn use_due(&mut self, place: Index, price: i64) -> bool {
        self.put_down(place);
        let is_due = self.threads[place].account.pending.keys().next().is_some_and(|due| *due <= self.now);
        if is_due {
            self.threads[place].account.left -= price;
        }
        for _ in 0..Rule::REPLENISHMENTS {
            let account = &mut self.threads[place].account;
            let Some(first) = account.pending.first_entry().filter(|first| *first.key() <= self.now) else {
                break;
            };
            let (due, amount) = first.remove_entry();
            (account.left, account.usable, account.date) =
                (account.left + amount, account.usable + amount, account.date.max(due));
            self.put_down(place);
        }
        is_due
    }

    /// What is due may be used, less what that takes. Whether there is anything.
    pub fn take_due(&mut self, place: Index) -> bool {
        if !self.use_due(place, self.budget(place).woken.into()) {
            return false;
        }
        let account = &mut self.threads[place].account;
        if account.left > 0 {
            account.funds = Funds::Whole;
        }
        account.left > 0
    }
}
