//! Budget servers and partitions: what a budget with a rule of replenishment costs others, and what it leaves
//! to the work that it serves.
//!
//! A budget server ([`Server`]) has a place among tasks and a budget in every period. Work that nobody knows
//! the arrivals of runs at that place while there is budget. The policies differ in when a budget comes back:
//!
//! | policy | who pays when idle | replenishment | interference on lower | supply to its own work | source |
//! |---|---|---|---|---|---|
//! | [`polling`] | the work that comes next: the budget is lost | whole, at each multiple of the period | a periodic task's | first after a period more | Lehoczky, Sha, Strosnider 1987 |
//! | [`deferrable`] | everybody lower: the budget is kept, and may be used twice in a row | whole, at each multiple of the period | a periodic task's with a jitter of period less budget | a periodic resource's | Strosnider, Lehoczky, Sha 1995 |
//! | [`sporadic`] | nobody: the budget is kept, and what is used of it comes back a period later | what was used, a period after it could be used | a periodic task's | a periodic resource's; with few replenishments as polling | Sprunt, Sha, Lehoczky 1989; Stanovich and others 2010 |
//! | [`bandwidth`] | nobody: a deadline that budget and time don't fit any more is postponed | whole, at the server's deadline or with a new one | its share of each window, in a dynamic band | a periodic resource's | Abeni, Buttazzo 1998, hard |
//!
//! For each there are three functions: what it costs others in a window ([`Policy::interference`]), what it
//! leaves to its own work ([`Policy::supply`]), and with [`under`] how long that work takes. Each says for what
//! it is exact or safe. All times are whole ticks, so are arrivals.
//!
//! **Partitions** are supplies, too: a budget that comes in each period at an unknown place
//! ([`supply::Pulses::of_resource`]), or the windows of a table ([`table`]). [`under`] says whether tasks hold
//! beneath a supply, and [`Server::served`] what a server inside a partition has left, which is the next
//! supply, to any depth.
//!
//! Two policies without a budget serve such work as soon as no deadline is endangered: [`slack`] steals what
//! tasks don't need, and [`promotion`] says how long they may wait behind it.
//!
//! [`model`] runs them all, event by event. It shares no formula with the bounds, which are compared with it.
//!
//! Elsewhere in Beryl a *server* is a thread that answers; here it is only a budget with a rule.

use crate::demand::{Patience, Stream, requested};
use crate::failure::{Failure, Fault};
use crate::sporadic::{Deadlines, Sporadic, validate};
use crate::ticks::Ticks;
use crate::utilisation::Utilisation;

pub mod bandwidth;
pub mod deferrable;
pub mod model;
pub mod polling;
pub mod pools;
pub mod promotion;
pub mod slack;
pub mod sporadic;
pub mod supply;
pub mod table;
pub mod under;

pub use supply::Supply;

use supply::Pulses;

/// A budget in every period.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Server {
    /// How much processor time is had in a period, in ticks; positive, at most the period.
    pub budget: Ticks,
    /// The period, in ticks; positive.
    pub period: Ticks,
}

/// When a budget comes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Policy {
    /// At multiples of the period, and only for work that is there.
    Polling,
    /// At multiples of the period.
    Deferrable,
    /// What was used, a period after it could be used.
    Sporadic {
        /// How many replenishments may be pending at a time; at least one.
        pending: usize,
    },
    /// At the server's deadline, in a dynamic band.
    Bandwidth,
}

impl Server {
    /// A server of so many ticks in a period of so many.
    pub const fn new(budget: Ticks, period: Ticks) -> Server {
        Server { budget, period }
    }

    /// Its share of the processor.
    pub fn utilisation(&self) -> Utilisation {
        Utilisation::new(self.budget, self.period)
    }

    /// The longest time from when the whole budget could be used until it has been, with these tasks above it
    /// and beneath a supply; `None` if that isn't certain within a period, so that there is no guarantee.
    ///
    /// *Exact* for sporadic tasks above and supplies that can be as late as they are said to be, otherwise
    /// *safe*. Cost: a fixed point.
    ///
    /// # Errors
    /// [`Failure::Invalid`] names the server, or a task above; [`Failure::TimesTooLarge`];
    /// [`Failure::TooLong`].
    pub fn served(&self, place: &impl Supply, above: &[Sporadic]) -> Result<Option<Ticks>, Failure> {
        self.validate()?;
        validate(above, Deadlines::Arbitrary)?;
        let above: Vec<Stream> = above.iter().map(Sporadic::stream).collect();
        self.served_beneath(place, |window| Ok(requested(&above, window)?))
    }

    /// The same with whatever is asked above it in a window.
    fn served_beneath(
        &self,
        place: &impl Supply,
        asked: impl Fn(Ticks) -> Result<Ticks, Failure>,
    ) -> Result<Option<Ticks>, Failure> {
        let mut window = Ticks::ZERO;
        let mut patience = Patience::default();
        while window <= self.period {
            patience.step()?;
            let next = place.longest(self.budget.plus(asked(window)?)?)?;
            if next <= window {
                return Ok(Some(window));
            }
            window = next;
        }
        Ok(None)
    }

    fn validate(&self) -> Result<(), Failure> {
        let fault = if self.period == Ticks::ZERO {
            Fault::NoPeriod
        } else if self.budget == Ticks::ZERO || self.budget > self.period {
            Fault::BudgetOutOfRange
        } else {
            return Ok(());
        };
        Err(Failure::Invalid { name: "the server".to_owned(), fault })
    }

    /// How much a task that runs at once has in a window that begins with a job: the budget at the beginning
    /// of every period.
    fn at_once(&self, window: Ticks) -> Result<Ticks, Failure> {
        let periods = self.budget.times(window.whole(self.period))?;
        let begun = window.less(self.period.times(window.whole(self.period))?);
        Ok(periods.plus(begun.min(self.budget))?)
    }

    /// The supply whose first budget is over that long after the work came, counted without the budget, when
    /// a budget that can be used is served within `served`.
    fn pulses(&self, waits: Ticks, served: Ticks) -> Result<Pulses, Failure> {
        self.validate()?;
        if served < self.budget || served > self.period {
            return Err(Failure::Invalid { name: "the server".to_owned(), fault: Fault::BudgetTooLate });
        }
        Ok(Pulses::new(waits.plus(served.less(self.budget))?, self.budget, self.period))
    }
}

impl Policy {
    /// All of them; the sporadic one with as many replenishments as could ever be pending.
    pub const ALL: [Policy; 4] =
        [Policy::Polling, Policy::Deferrable, Policy::Sporadic { pending: usize::MAX }, Policy::Bandwidth];

    /// What it is called.
    pub const fn name(self) -> &'static str {
        match self {
            Policy::Polling => "polling",
            Policy::Deferrable => "deferrable",
            Policy::Sporadic { .. } => "sporadic",
            Policy::Bandwidth => "constant bandwidth",
        }
    }

    /// The most that the server runs in a window of this length, for what is less urgent than it: the window
    /// begins where nothing as urgent as the server is left to do, or the server is the most urgent of all and
    /// the window begins anywhere. The policy's own page says for what it is exact.
    ///
    /// # Errors
    /// [`Failure::Invalid`] names the server; [`Failure::TimesTooLarge`].
    pub fn interference(self, server: &Server, window: Ticks) -> Result<Ticks, Failure> {
        match self {
            Policy::Polling => polling::interference(server, window),
            Policy::Deferrable => deferrable::interference(server, window),
            Policy::Sporadic { .. } => sporadic::interference(server, window),
            Policy::Bandwidth => bandwidth::interference(server, window),
        }
    }

    /// The least that the server's own work has, when a budget that can be used is served within `served`
    /// ([`Server::served`]); under constant bandwidth the period is taken for that.
    ///
    /// # Errors
    /// [`Failure::Invalid`] names the server; [`Failure::TimesTooLarge`].
    pub fn supply(self, server: &Server, served: Ticks) -> Result<Pulses, Failure> {
        match self {
            Policy::Polling => polling::supply(server, served),
            Policy::Deferrable => deferrable::supply(server, served),
            Policy::Sporadic { pending } => sporadic::supply(server, served, pending),
            Policy::Bandwidth => bandwidth::supply(server),
        }
    }

    /// The task that stands for the server in tests of what is less urgent, in a fixed band; in a dynamic band
    /// with implicit deadlines for constant bandwidth ([`bandwidth::holds`] for others).
    pub const fn as_task(self, server: &Server) -> Sporadic {
        let task = Sporadic::implicit(server.period, server.budget);
        match self {
            Policy::Deferrable => task.released_within(deferrable::jitter(server)),
            Policy::Polling | Policy::Sporadic { .. } | Policy::Bandwidth => task,
        }
    }
}

/// The largest budget, of a server with this period above all tasks, with which these hold under fixed
/// priorities; `None` if there is none.
///
/// The class is that of [`Policy::as_task`] in [`crate::fixed_priority::holds`]. Constant bandwidth has no
/// place in a fixed band; it counts as a periodic task. Cost: that test as often as the period has bits.
///
/// # Errors
/// Those of [`crate::fixed_priority::holds`].
pub fn capacity(policy: Policy, period: Ticks, tasks: &[Sporadic]) -> Result<Option<Ticks>, Failure> {
    let holds = |budget: u64| {
        let server = policy.as_task(&Server::new(Ticks::new(budget), period));
        let all: Vec<Sporadic> = std::iter::once(server).chain(tasks.iter().copied()).collect();
        crate::fixed_priority::holds(&all, &[])
    };
    let (mut least, mut most) = (0, period.get());
    while least < most {
        let middle = least + (most - least).div_ceil(2);
        match holds(middle)? {
            true => least = middle,
            false => most = middle - 1,
        }
    }
    Ok(Some(Ticks::new(least)).filter(|budget| *budget > Ticks::ZERO))
}
