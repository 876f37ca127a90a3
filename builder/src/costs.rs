//! Costs: what the kernel takes of the processor, computed once for a system and its programs, and read from
//! here by all that follows.
//!
//! Steps of the emulated board are charged, each with a bound in instructions (`costs/kinds.rs`), as the
//! analysis wants them.

mod kind;
mod kinds;
mod rates;
mod rounds;
mod terms;
mod tracing;
mod waiting;
mod waits;

pub use kind::Kind;
pub use rates::Steps;
pub use waiting::most_waiting;
pub use waits::promised;
pub(crate) use waits::reports;

use std::sync::Arc;

use beryl_abi::Duration;
use beryl_analysis::{KernelCosts, Ticks};
use beryl_kernel::Charges;

use crate::assembly::{Assembly, OnSpent, Thread, lenders};
use crate::code::Program;
use crate::description::Description;
use rates::Rates;
use terms::Terms;

/// A system of which is known what the kernel takes for it: what the question to the analysis is made of.
#[derive(Clone, Debug)]
pub struct Costed {
    /// The system description.
    pub description: Arc<Description>,
    /// The description and the timing program, joined.
    pub assembly: Arc<Assembly>,
    /// What the kernel takes.
    pub costs: Costs,
}

/// The costs of a system, with these programs of its modules and bands, and these others that may take over.
#[must_use]
pub fn costed(
    description: &Arc<Description>,
    assembly: &Arc<Assembly>,
    programs: &[Program],
    alternatives: &[Program],
) -> Costed {
    let costs = Costs::of(description, assembly, programs, alternatives);
    Costed { description: description.clone(), assembly: assembly.clone(), costs }
}

impl Costed {
    /// Nanoseconds a tick of the board.
    #[must_use]
    pub fn tick(&self) -> u32 {
        self.description.board.nanoseconds()
    }

    /// What a thread's jobs take behind each, or behind what it may use in a period; of a budget that several share, what
    /// the ends of all of them take, in ticks. What is owed then is at most the longest section of one of them, and who
    /// is stopped for it is stopped with all that it holds.
    #[must_use]
    pub fn ends(&self, thread: &Thread) -> u64 {
        let payers = self.assembly.payers(thread);
        let longest = |payer: &&&Thread| lenders::longest_section(&self.assembly, payer);
        let first = payers.iter().max_by_key(longest).copied().unwrap_or(thread);
        let (rates, assembly) = (&self.costs.rates, &self.assembly);
        let each = payers.into_iter().map(|payer| {
            let is_stopped = payer.budget.is_some_and(|budget| budget.on_spent == OnSpent::Faults);
            let once = |payer| waits::after_job(rates, assembly, payer);
            match is_stopped || payer.name == first.name {
                true => once(payer).saturating_add(waits::further_ends(rates, assembly, payer)),
                false => waits::another_end(rates, assembly, payer),
            }
        });
        each.fold(0, u64::saturating_add)
    }

    /// What is used behind a job by one that pays from a budget that it shares, but for the end of that, in ticks.
    #[must_use]
    pub fn behind_job(&self, thread: &Thread) -> u64 {
        waits::behind_job(&self.costs.rates, &self.assembly, thread)
    }

    /// What those who share a budget may use of it beyond its end, in ticks: each until it is seen that nothing is left,
    /// and one of them a section.
    #[must_use]
    pub fn owed(&self, payers: &[&Thread]) -> u64 {
        let (rates, assembly) = (&self.costs.rates, &self.assembly);
        let section = payers.iter().map(|payer| lenders::longest_section(assembly, payer)).max();
        let section = section.map(|section| waits::enforced(rates, section));
        let ends = payers.iter().map(|payer| waits::another_end(rates, assembly, payer));
        ends.fold(section.unwrap_or(0), u64::saturating_add)
    }

    /// How long a section may take that is ended if it takes longer, in ticks: its `hold`, and the decision within which that
    /// begins to count.
    #[must_use]
    pub fn enforced(&self, hold: Duration) -> u64 {
        waits::enforced(&self.costs.rates, hold)
    }

    /// That a thread is found raised for too long, in ticks: an alarm, a tick, and the steps until it is being stopped.
    #[must_use]
    pub fn end_of_policed(&self, thread: &Thread) -> u64 {
        waits::another_end(&self.costs.rates, &self.assembly, thread)
    }

    /// That a thread has waited long enough, in ticks: it leaves the queue in which it waits, its place goes
    /// in, and it takes what it was promised.
    #[must_use]
    pub fn end_of_wait(&self, thread: &Thread) -> u64 {
        waits::end_of_wait(&self.costs.rates, &self.assembly, thread)
    }
}

/// What the kernel takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Costs {
    /// What each kind of kernel step is charged on the board; a line of the description replaces the board's.
    /// The proof counts with this table, and the simulator lets what is in it pass.
    pub charges: Charges,
    /// The same as the analysis wants it, in ticks.
    pub kernel: KernelCosts,
    /// Steps of a program at an instant, with what rounds add to those of the program that they add most to.
    pub program_steps: u64,
    /// Steps at an instant for triggers that look at ports.
    pub looks: u64,
    /// What the steps of one more program take at an instant at which another one has some, too, in ticks.
    pub another_program: u64,
    /// What an instant takes beside the code of programs, in ticks: looks at ports, and the last look.
    pub around_code: u64,
    /// How much of what follows a job may be under way when somebody's turn comes, in ticks.
    pub after_jobs: u64,
    /// A timer that goes off, in ticks: the alarm, the step that finds it and sets the next, and the look
    /// into the queues by which its instant ends.
    pub timer: u64,
    rates: Rates,
    /// What instants take by the description, and how many steps that are: others than the board's.
    own_instant: Option<[u64; 2]>,
    /// The longest call, with the steps that it leaves over, in ticks.
    whole_call: u64,
}

impl Costs {
    fn of(
        description: &Description,
        assembly: &Assembly,
        programs: &[Program],
        alternatives: &[Program],
    ) -> Costs {
        let rates = Rates::of(description, assembly);
        let program_steps = rounds::program_steps(assembly, programs, alternatives);
        let terms = Terms { rates, own: description.costs, assembly, program_steps, looks: looks(assembly) };
        let charges = terms.charges();
        let own_instant = description.costs.instant.map(|_| [charges.instant.ticks(), terms.instant_steps()]);
        let mut costs = Costs {
            charges,
            kernel: terms.kernel(&charges),
            program_steps,
            looks: terms.looks,
            another_program: terms.another_program(&charges),
            around_code: 0,
            after_jobs: waits::after_jobs(&rates, assembly),
            timer: 0,
            rates,
            own_instant,
            whole_call: terms.call().saturating_add(terms.left_over()),
        };
        costs.around_code = costs.around(terms.looks);
        costs.timer = charges
            .alarm
            .ticks()
            .saturating_add(costs.steps(Kind::Release, 1).saturating_add(costs.steps_of_instants(1)));
        // Whoever is woken from a deep sleep by an interrupt may see the alarm that would have ended it, once until
        // the processor sleeps again.
        let early = if assembly.sleeps.is_empty() { 0 } else { costs.timer };
        costs.kernel.timers = Ticks::new(terms.timers(costs.timer).saturating_add(early));
        costs
    }

    /// The time of so many steps of a kind, in ticks.
    #[must_use]
    pub fn steps(&self, kind: Kind, count: u64) -> u64 {
        self.rates.steps(kind, count)
    }

    /// The time of steps that are left over from another, in ticks.
    #[must_use]
    pub fn ticks(&self, steps: Steps) -> u64 {
        steps.ticks(&self.rates)
    }

    /// The time of so many steps of which any may be one of an instant, and any of those the last, in ticks:
    /// a term of the description may make these longer than others.
    #[must_use]
    pub fn steps_of_instants(&self, count: u64) -> u64 {
        let of_instants =
            self.own_instant.map_or(0, |[instant, steps]| instant.saturating_mul(count) / steps.max(1));
        let others = [Kind::EMachine, Kind::Decision].map(|kind| self.steps(kind, count));
        others.into_iter().fold(of_instants, u64::max)
    }

    /// What the end of a section in a lock takes beside it: the call, with the steps that it leaves over, and
    /// where the lock was lent the switches to its holder and back.
    #[must_use]
    pub fn end_of_section(&self, is_lent: bool) -> u64 {
        let switches = if is_lent { self.kernel.switch.get().saturating_mul(2) } else { 0 };
        self.whole_call.saturating_add(switches)
    }

    fn around(&self, looks: u64) -> u64 {
        match self.own_instant {
            Some(_) => self.steps_of_instants(looks.saturating_add(terms::BARE_INSTANT_STEPS)),
            None => self
                .steps(Kind::EMachine, looks)
                .saturating_add(self.steps(Kind::Decision, terms::BARE_INSTANT_STEPS)),
        }
    }
}

/// Steps at an instant for triggers that look at ports: one for each trigger that doesn't wait for time, and
/// two to begin and to end.
fn looks(assembly: &Assembly) -> u64 {
    match assembly.event_triggers() {
        0 => 0,
        count => u64::try_from(count).unwrap_or(u64::MAX).saturating_add(3),
    }
}
