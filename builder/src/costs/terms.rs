//! The terms of the charges: what calls, instants and what may be under way take, each from the rates of steps.

use beryl_abi::Duration;
use beryl_analysis::{KernelCosts, Ticks};
use beryl_kernel::Charges;

use super::kind::Kind;
use super::rates::{Rates, Steps};
use super::waiting::most_woken;
use super::waits::{after_jobs, end_of_wait, reports};
use crate::assembly::objects::State;
use crate::assembly::{Assembly, Role, Thread};
use crate::description;
use crate::quantity::Nanoseconds;

/// The last look into the queues, which decides who runs. Periodic threads are released by the alarm's own steps.
pub(super) const BARE_INSTANT_STEPS: u64 = 1;

/// What the charges of a system are made of.
pub(super) struct Terms<'a> {
    pub rates: Rates,
    /// Those of the description, which replace the board's.
    pub own: description::KernelCosts,
    pub assembly: &'a Assembly,
    pub program_steps: u64,
    pub looks: u64,
}

impl Terms<'_> {
    /// What each kind of kernel step is charged on the board; a line of the description replaces the board's.
    /// The proof counts with this table, and the simulator lets what is in it pass.
    pub fn charges(&self) -> Charges {
        let own = &self.own;
        let ticks = |own: Option<Nanoseconds>, bound: u64| {
            own.map_or(Duration::from_ticks(bound), |own| self.rates.rounded_up(own))
        };
        let step = |kind: Kind| self.rates.steps(kind, 1);
        let one = |kind: Kind| self.rates.one_step(self.rates.instructions(kind));
        let own_step = self.own_instant_step();
        Charges {
            alarm: ticks(own.alarm, step(Kind::Alarm)),
            release: ticks(own.release, step(Kind::Release)),
            sorting: one(Kind::Sorting),
            completion: ticks(own.completion, step(Kind::Completion)),
            driver: ticks(own.driver, self.driver()),
            // Every step's bound includes the way out to another thread.
            switch: ticks(own.switch, 0),
            instant: ticks(own.instant, self.instant()),
            instant_step: own_step.unwrap_or_else(|| one(Kind::EMachine)),
            look: own_step.unwrap_or_else(|| one(Kind::Decision)),
            e_machine: one(Kind::EMachine),
            decision: one(Kind::Decision),
            job: one(Kind::Job),
            stop: one(Kind::Stop),
            search: one(Kind::Search),
            call: self
                .rates
                .one_step(longest_call(&self.rates, self.assembly))
                .min(Duration::from_ticks(self.call())),
        }
    }

    /// The same as the analysis wants it, in ticks, but for timers.
    pub fn kernel(&self, charges: &Charges) -> KernelCosts {
        let ticks = |duration: Duration| Ticks::new(duration.ticks());
        KernelCosts {
            release: Ticks::new(
                charges
                    .release
                    .ticks()
                    .saturating_add(self.rates.steps(Kind::Sorting, self.assembly.sorting_steps())),
            ),
            completion: ticks(charges.completion),
            switch: ticks(charges.switch),
            instant: ticks(charges.instant),
            driver: ticks(charges.driver),
            alarm: ticks(charges.alarm),
            under_way: Ticks::new(self.under_way(charges)),
            timers: Ticks::ZERO,
        }
    }

    /// The longest that the kernel may still be at work for a less urgent thread when a thread's turn comes: a
    /// call with its deferred work, or the end of a job; and then a switch to a thread that isn't more urgent.
    fn under_way(&self, charges: &Charges) -> u64 {
        let call = self.call().saturating_add(self.left_over());
        let end = charges.completion.ticks().saturating_add(after_jobs(&self.rates, self.assembly));
        call.max(end).max(self.start(charges)).saturating_add(charges.switch.ticks())
    }

    /// What the start takes beyond the alarm of an instant, in ticks. Where nothing begins at the start, that is
    /// all of an instant. Nothing else can be under way then.
    fn start(&self, charges: &Charges) -> u64 {
        let assembly = self.assembly;
        let begins = |thread: &Thread| match &thread.role {
            Role::Periodic(times) => times.offset == Duration::ZERO,
            _ => false,
        };
        let start = self.rates.steps(Kind::Job, 1);
        match !assembly.modules.is_empty() || assembly.threads.iter().any(begins) {
            true => start.saturating_sub(charges.alarm.ticks()),
            false => start.saturating_add(charges.instant.ticks()),
        }
    }

    /// The longest call, in ticks.
    pub fn call(&self) -> u64 {
        let longest = self.rates.ticks(longest_call(&self.rates, self.assembly));
        // A cost of instants in the description is that of another kernel, whose other steps are no longer.
        longest.min(self.own_instant_step().map_or(u64::MAX, Duration::ticks))
    }

    /// A step of an instant if the description says what an instant takes: an equal part of it, rounded down.
    fn own_instant_step(&self) -> Option<Duration> {
        let own = self.rates.rounded_down(self.own.instant?);
        Some(Duration::from_ticks(own.ticks() / self.instant_steps().max(1)))
    }

    /// The deferred work of a call, in ticks. The place of its caller leaves its band, or that of the woken thread
    /// goes in; a timer is set, or a promised semaphore is taken; and it is decided who runs. If a call wakes all
    /// that wait for a condition, or for bits of an event group, they wake one by one: each is found, wakes, and
    /// takes what it was promised. A long state message is copied piece by piece. It would be more still if a
    /// thread slept while it holds a lock that others wait for; such a thread isn't in the proof at all.
    pub fn left_over(&self) -> u64 {
        const OF_CALLS: u64 = 2;
        const OF_A_WAKE: u64 = 3;
        let assembly = self.assembly;
        let calls = assembly.objects.count() > 0
            || assembly.threads.iter().any(|thread| matches!(thread.role, Role::Free { .. }));
        let woken = most_woken(assembly);
        let of_calls = Steps {
            jobs: woken.saturating_mul(OF_A_WAKE).saturating_add(OF_CALLS),
            sorting: woken.saturating_add(1).saturating_mul(assembly.sorting_steps()),
            decisions: 1,
        };
        // A call that is refused by a gate, or for want of a right, may be told of.
        let refused = reports(assembly, usize::from(assembly.has_told_refusals())).ticks(&self.rates);
        let of_calls = if calls { of_calls.ticks(&self.rates).saturating_add(refused) } else { 0 };
        of_calls.max(pieces(assembly).ticks(&self.rates)).max(after_jobs(&self.rates, self.assembly))
    }

    /// The steps of an instant, in ticks. The last one decides who runs.
    fn instant(&self) -> u64 {
        let before = self.instant_steps().saturating_sub(BARE_INSTANT_STEPS);
        let [step, look] = [Kind::EMachine, Kind::Decision].map(|kind| self.rates.instructions(kind));
        self.rates.ticks(before.saturating_mul(step).saturating_add(look))
    }

    /// How much longer a driver takes than any other step of the E machine, in ticks.
    fn driver(&self) -> u64 {
        let [driver, any] = [Kind::Driver, Kind::EMachine].map(|kind| self.rates.instructions(kind));
        self.rates.ticks(driver.saturating_sub(any))
    }

    /// The steps of one more program at an instant that another program has, too, in ticks.
    pub fn another_program(&self, charges: &Charges) -> u64 {
        let (of_all, count) = (charges.instant.ticks(), self.program_steps);
        match self.own.instant {
            Some(_) => of_all.div_ceil(self.instant_steps().max(1)).saturating_mul(count).min(of_all),
            None => self.rates.steps(Kind::EMachine, count).min(of_all),
        }
    }

    /// All steps of an instant.
    pub fn instant_steps(&self) -> u64 {
        self.program_steps + BARE_INSTANT_STEPS + self.looks
    }

    /// What the timers of threads that aren't in the proof may take, in ticks. These threads are less urgent than
    /// all that are in it, and each of their timers goes off once at most until its thread runs again. Servers
    /// also run in their clients' places; limits of their waits aren't counted, as CAVEATS.md says.
    pub fn timers(&self, timer: u64) -> u64 {
        let others = self.assembly.threads.iter();
        let others = others.filter(|thread| matches!(thread.role, Role::Free { sporadic: None, .. }));
        let each = others.map(|thread| timer.saturating_add(end_of_wait(&self.rates, self.assembly, thread)));
        each.fold(0, u64::saturating_add)
    }
}

/// The deferred work of the call that reads the longest state message: its pieces, and the decision.
fn pieces(assembly: &Assembly) -> Steps {
    let long = assembly.objects.known_states().filter(|row| row.slow_readers != 0);
    let long = long.map(State::pieces).filter(|pieces| *pieces > 1);
    match long.max() {
        Some(pieces) => Steps { jobs: pieces.into(), sorting: 0, decisions: 1 },
        None => Steps::default(),
    }
}

/// The instructions of the longest call that may be under way when a thread's turn comes. Where threads share
/// objects, or one reads the trace buffer, that is any call. Elsewhere it is one that needs no object, with what
/// may follow it.
fn longest_call(rates: &Rates, assembly: &Assembly) -> u64 {
    let is_short = assembly.objects.count() == 0 && assembly.objects.trace.is_none();
    match is_short {
        true => rates.instructions(Kind::Job).max(rates.instructions(Kind::Completion)),
        false => rates.instructions(Kind::Call),
    }
}
