//! Who runs: by looking at everybody.

use beryl_kernel::{Place, Sizes, Table, ThreadKind};

use super::{Index, Model, Phase, Reason};

impl<S: Sizes> Model<'_, S> {
    /// How urgent a thread's own place is: less is more urgent.
    pub fn urgency(&self, thread: Index) -> (u8, u64, u8) {
        let row = self.row(thread);
        match row.place {
            // Below everybody but the idle thread, each partition at a place of its own.
            _ if self.threads[thread].account.is_lowered => {
                (u8::MAX - 1, self.budget(thread).background.number().into(), 0)
            }
            _ if row.kind == ThreadKind::Idle => (u8::MAX, 0, 0),
            Place::Dynamic { slot, .. } => (row.band.0, self.threads[thread].deadline, slot),
            Place::Fixed { .. } => (row.band.0, u64::from(u8::MAX - self.threads[thread].priority), 0),
            Place::Offered { .. } | Place::Coded { .. } => unreachable!("no program schedules here"),
        }
    }

    /// The most urgent place of all that are in their bands, and count now.
    pub fn first_place(&self) -> Index {
        let here =
            self.indices().filter(|thread| self.threads[*thread].turn.is_some() && self.counts(*thread));
        here.min_by_key(|thread| (self.urgency(*thread), self.threads[*thread].turn)).unwrap()
    }

    /// Who has the lock that a thread waits for: whom it lends its place.
    pub fn lender_to(&self, thread: Index) -> Option<Index> {
        match self.threads[thread].waiting()?.reason {
            Reason::Semaphore(semaphore) if self.is_binary(semaphore) => self.owner(semaphore),
            Reason::Queue(endpoint, ..) | Reason::Reply(endpoint, _) => {
                Some(self.system.endpoints.at(endpoint).server.index())
            }
            _ => None,
        }
    }

    /// Everybody from a thread to the one that would have to run for it.
    pub fn chain(&self, thread: Index) -> Vec<Index> {
        let mut chain = vec![thread];
        while let Some(next) = self.lender_to(chain[chain.len() - 1]) {
            assert!(!chain.contains(&next), "a ring of locks: {chain:?} and {next}");
            chain.push(next);
        }
        chain
    }

    pub fn last_of_chain(&self, thread: Index) -> Index {
        self.chain(thread).pop().unwrap()
    }

    /// Whether a thread runs in its client's place, without one of its own.
    pub fn is_guest(&self, thread: Index) -> bool {
        let served = |endpoint: Index| matches!(self.serving[endpoint], Some(Some(_)));
        let own = |endpoint: &Index| self.system.endpoints.at(*endpoint).server.index() == thread;
        !self.alone.contains(&thread) && (0..self.serving.len()).filter(own).any(served)
    }

    /// The processor is given to whom it belongs.
    pub fn decide(&mut self) {
        self.send_reports();
        self.charge();
        let (place, next) = self.first_that_can_run();
        let running = self.running;
        if next == running && self.is_ready(running) {
            return self.pay(place);
        }
        self.running = self.take_turns(place, next);
        if self.running != running {
            self.end_section(running);
        }
        if self.running == next {
            self.pay(place);
        } else if self.running != running {
            // Its ceiling keeps that place out: it runs in its own.
            self.pay(self.running);
        }
    }

    /// The most urgent place through which somebody can run, and who that is. Places whose threads
    /// can't run are parked.
    fn first_that_can_run(&mut self) -> (Index, Index) {
        loop {
            let place = self.first_place();
            let last = self.last_of_chain(place);
            if self.is_ready(last) {
                return (place, last);
            }
            self.threads[place].parked = Some((last, self.turn()));
            self.threads[place].turn = None;
            self.look_at_sleeper(last);
        }
    }

    /// Whether a thread's place is the first among equals of its band.
    pub fn is_first_of_equals(&self, thread: Index) -> bool {
        let urgency = self.urgency(thread);
        let equals = self.indices().filter(|other| self.urgency(*other) == urgency);
        let here = equals.filter_map(|other| Some((self.threads[other].turn?, other)));
        here.min().is_some_and(|(_, first)| first == thread)
    }

    pub fn is_ready(&self, thread: Index) -> bool {
        self.threads[thread].phase == Phase::Ready && self.row(thread).kind != ThreadKind::Drivers
    }

    /// Who of those that fulfil something is the most urgent; the first who came among equals.
    pub fn most_urgent(&self, of: impl Fn(&Reason) -> bool) -> Option<Index> {
        self.waiters(of)
            .min_by_key(|(thread, since)| (self.urgency(*thread), *since))
            .map(|(thread, _)| thread)
    }

    /// Who came first.
    pub fn first_come(&self, of: impl Fn(&Reason) -> bool) -> Option<Index> {
        self.waiters(of).min_by_key(|(_, since)| *since).map(|(thread, _)| thread)
    }

    pub fn waiters(&self, of: impl Fn(&Reason) -> bool) -> impl Iterator<Item = (Index, u64)> {
        self.indices().filter_map(move |thread| {
            let waiting = self.threads[thread].waiting()?;
            of(&waiting.reason).then_some((thread, waiting.since))
        })
    }

    /// Urgency in words, for messages.
    pub fn describe(&self, thread: Index) -> String {
        format!("{thread} {:?} {:?}", self.urgency(thread), self.threads[thread])
    }
}
