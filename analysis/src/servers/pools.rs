//! Pools: tasks of a [`System`] that share one deferrable budget, and how long their jobs take beneath it.
//!
//! To everybody else a pool is one task, which stands where its most urgent member does. To its members it is a
//! supply. For one member, let *its level* be what is at least as urgent as it.
//!
//! **What is left in a period.** Of the budget, what is owed from the period before is gone ([`Pool::owed`]), and
//! once in each period what the pool pays while somebody less urgent is in the way: sections in its places, and
//! timers. What remains, less what is charged, is the level's. It comes with the period, and it is used by `served`: the
//! longest that it takes beside everything outside that is as urgent, and beside who was in the way. In no period is it
//! later, so the level has a deferrable server's supply ([`deferrable`](super::deferrable)), but for what the kernel has
//! under way for a member that is less urgent, where the level's work begins. If the kernel also charges what takes no
//! time, the budget may be used up where the period has just begun, and the level waits for all of it.
//!
//! **Who is outside, and not above all of the pool**, may have to wait for a member that is more urgent than both.
//! So its jobs may be left over where the period begins: those that came within its deadline before. What is above
//! the whole pool leaves nothing over that hasn't kept the pool from running, too.
//!
//! **What is charged.** The clock doesn't ask for whom the kernel works. So all of its work above the bands that comes
//! until the level has used what it has, and the switches to who is more urgent outside, are paid from it, too. They count
//! outside besides: who pays depends on who ran. The tasks that stand for other budgets may have all of theirs in wake-ups
//! that the kernel does ([`Pool::waking`]), so all of that counts twice.
//!
//! *Safe*, if no member suspends itself inside of a job, and nobody without jobs is in the pool who is as urgent as
//! a member. Then the members' jobs are tasks by fixed priorities beneath the supply ([`under`](super::under)).

use super::Server;
use super::supply::Whole;
use super::under::Level;
use crate::demand::{Load, Stream, requested};
use crate::failure::Failure;
use crate::locks::in_the_way;
use crate::model::{KernelCosts, System, Task};
use crate::proof::TaskProof;
use crate::schedule::TaskIndex;
use crate::ticks::{Ticks, TimesTooLarge};

/// Tasks that share a budget.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pool {
    /// The task that stands for all of them: its place is that of the most urgent.
    pub server: TaskIndex,
    /// What they have.
    pub budget: Server,
    /// What of it may be gone in each period without any work of theirs: for ends of the budget, and for wake-ups of
    /// who is less urgent.
    pub owed: Ticks,
    /// Whether the kernel charges more than the time that passes.
    pub is_charged: bool,
    /// The tasks that stand for other budgets of those whose wake-ups the kernel charges to these.
    pub waking: Vec<TaskIndex>,
    /// The members, each in a fixed band.
    pub members: Vec<Member>,
}

/// A task that pays from a pool's budget.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its band.
    pub band: usize,
    /// What it does. Its overhead is charged to the pool.
    pub task: Task,
}

/// How many times a deadline a response may take that is told though it isn't in time.
const MUCH_LONGER: u64 = 8;

/// Which work is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    /// Above all bands, and from this band on upwards all that has at least this priority.
    AsUrgent(usize, u32),
    /// The kernel's: above all bands, and the switches to any job.
    Charged,
}

/// Everything that isn't in pools.
pub(crate) struct Outside<'a> {
    pub(crate) system: &'a System,
    /// What comes at equal distances, at least.
    pub(crate) load: &'a Load,
    /// The same without what others have for themselves: of it, what is above all jobs the kernel may do in the pool's time.
    pub(crate) kernels: &'a Load,
    /// The bands whose members are asked for; all of them, if none are named.
    pub(crate) bands: Option<&'a [usize]>,
    /// The positions of its rows in the bands, if others are left out of it.
    pub(crate) positions: Option<&'a [Vec<usize>]>,
    /// What modules that switch modes ask, in a window.
    pub(crate) modules: &'a dyn Fn(Asked, Ticks) -> Result<Ticks, Failure>,
    /// The tasks of these modules, each with the longest time from a release to its deadline.
    pub(crate) modal: &'a [(TaskIndex, Ticks)],
}

/// The proofs of all members, each with its band.
pub(crate) fn prove(outside: &Outside) -> Result<Vec<(usize, TaskProof)>, Failure> {
    let mut proofs = Vec::new();
    for pool in &outside.system.pools {
        let is_asked = |member: &&Member| outside.bands.is_none_or(|bands| bands.contains(&member.band));
        for member in pool.members.iter().filter(is_asked) {
            proofs.push((member.band, outside.prove(pool, member)?));
        }
    }
    Ok(proofs)
}

/// Whether all members meet their deadlines.
pub(crate) fn hold(outside: &Outside) -> Result<bool, Failure> {
    match prove(outside) {
        Ok(_) => Ok(true),
        Err(Failure::TimesTooLarge) => Err(Failure::TimesTooLarge),
        Err(_) => Ok(false),
    }
}

impl<'a> Outside<'a> {
    /// Where everything comes at equal distances.
    pub(crate) fn of(system: &'a System, load: &'a Load) -> Outside<'a> {
        Outside {
            system,
            load,
            kernels: load,
            bands: None,
            positions: None,
            modules: &|_, _| Ok(Ticks::ZERO),
            modal: &[],
        }
    }

    fn prove(&self, pool: &Pool, member: &Member) -> Result<TaskProof, Failure> {
        let task = &member.task;
        let (name, deadline) = (task.name.clone(), task.limit());
        let Some(response) = self.response(pool, member, deadline)? else {
            // How much longer it takes is of use, if it isn't for ever.
            let response = self.response(pool, member, deadline.times(MUCH_LONGER)?)?;
            let response = response.map_or_else(|| deadline.plus(Ticks::new(1)), Ok)?;
            return Err(Failure::NotProved { task: name, deadline, response });
        };
        let blocking = self.in_the_way(member, KernelCosts::default())?;
        Ok(TaskProof { name, response, blocking, observed: None, deadline, margin: deadline.less(response) })
    }

    /// The longest response of a member, if it is within a limit.
    fn response(&self, pool: &Pool, member: &Member, limit: Ticks) -> Result<Option<Ticks>, Failure> {
        let as_urgent = |other: &&Member| {
            other.band < member.band
                || other.band == member.band && other.task.priority >= member.task.priority
        };
        let Some((left, served)) = self.left(pool, member)? else { return Ok(None) };
        let under_way = self.system.costs.under_way;
        let used = if pool.is_charged { Ticks::ZERO } else { left.budget.less(under_way) };
        let supply = left.pulses(left.period.less(used), served)?;
        let others = pool.members.iter().filter(as_urgent).filter(|other| !std::ptr::eq(*other, member));
        let above = others.map(|other| self.stream(&other.task)).collect::<Result<Vec<_>, _>>()?;
        let task = self.stream(&member.task)?;
        Level { task, above: &above, blocking: Ticks::ZERO, supply: &supply }.response(limit)
    }

    /// What a member's level has for certain in each period, and by when it has been used; nothing if nothing is certain.
    fn left(&self, pool: &Pool, member: &Member) -> Result<Option<(Server, Ticks)>, Failure> {
        let (costs, level) = (self.system.costs, Asked::AsUrgent(member.band, member.task.priority));
        let blocking = self.in_the_way(member, costs)?;
        let paid = self.in_the_way(member, KernelCosts { under_way: Ticks::ZERO, ..costs })?;
        let Server { budget, period } = pool.budget;
        let most = budget.less(pool.owed.plus(paid)?);
        let (beside, left_over) = (self.beside(pool, member), self.left_over(pool, member));
        let asked = |window: Ticks| {
            let modules = (self.modules)(level, window.plus(left_over)?)?;
            Ok(requested(&beside, window)?.plus(modules)?.plus(blocking)?)
        };
        let charged = self.charged(pool, member)?;
        // With less left it is used sooner, and no more is charged by then.
        let longest = Server::new(most, period).served_beneath(&Whole, asked)?.unwrap_or(period);
        let charged = requested(&charged, longest)?.plus((self.modules)(Asked::Charged, longest)?)?;
        let left = Server::new(most.less(charged), period);
        if left.budget == Ticks::ZERO {
            return Ok(None);
        }
        Ok(left.served_beneath(&Whole, asked)?.map(|served| (left, served)))
    }

    /// How long somebody less urgent is in a member's way, with these costs for what the kernel does for them.
    fn in_the_way(&self, member: &Member, costs: KernelCosts) -> Result<Ticks, TimesTooLarge> {
        in_the_way(self.system, costs, member.band, member.task.priority)
    }

    /// A member's jobs, with all that the kernel does in the pool's time for them.
    fn stream(&self, task: &Task) -> Result<Stream, TimesTooLarge> {
        Ok(Stream { jitter: task.jitter, ..Stream::new(task.period, self.system.costs.job(task)?) })
    }

    /// Everything outside that comes at equal distances and is as urgent as a member.
    fn beside(&self, pool: &Pool, member: &Member) -> Vec<Stream> {
        let jobs = self.as_urgent(pool, member).map(|(_, stream)| stream);
        self.load.above_jobs().chain(jobs).collect()
    }

    /// What of that the kernel may do in the pool's time.
    fn charged(&self, pool: &Pool, member: &Member) -> Result<Vec<Stream>, TimesTooLarge> {
        let switches = self.system.costs.switch.times(2)?;
        let jobs = self.as_urgent(pool, member).map(|(place, stream)| match pool.waking.contains(&place) {
            true => stream,
            false => Stream { cost: switches, ..stream },
        });
        Ok(self.kernels.above_jobs().chain(jobs).collect())
    }

    /// The jobs outside that are as urgent as a member.
    fn as_urgent(&self, pool: &Pool, member: &Member) -> impl Iterator<Item = (TaskIndex, Stream)> {
        let (band, priority) = (member.band, member.task.priority);
        let rows = self.load.bands.iter().enumerate().take(band + 1);
        rows.flat_map(move |(band, rows)| {
            rows.iter().enumerate().map(move |(row, demand)| (band, row, demand))
        })
        .filter(move |(of, _, demand)| *of < band || demand.priority >= priority)
        .map(|(band, row, demand)| {
            let task = self.positions.map_or(Some(row), |all| all.get(band)?.get(row).copied());
            (TaskIndex { band, task: task.unwrap_or(row) }, demand)
        })
        .filter(|(place, _)| *place != pool.server)
        .map(|(place, demand)| {
            let left_over = match self.is_above_all(pool, place.band, demand.priority) {
                true => Ticks::ZERO,
                false => demand.latest.max(demand.limit),
            };
            (place, Stream { jitter: demand.stream.jitter.max(left_over), ..demand.stream })
        })
    }

    /// How long ago jobs of modules may have come that are left over, if any are as urgent as a member without being
    /// above the whole pool.
    fn left_over(&self, pool: &Pool, member: &Member) -> Ticks {
        let priority = |place: TaskIndex| self.system.bands[place.band].tasks[place.task].priority;
        let is_beside = |place: TaskIndex| {
            let as_urgent = place.band < member.band
                || place.band == member.band && priority(place) >= member.task.priority;
            as_urgent && !self.is_above_all(pool, place.band, priority(place))
        };
        let beside = self.modal.iter().filter(|(place, _)| is_beside(*place));
        beside.map(|(_, longest)| *longest).max().unwrap_or(Ticks::ZERO)
    }

    /// Whether somebody goes before all members.
    fn is_above_all(&self, pool: &Pool, band: usize, priority: u32) -> bool {
        pool.members
            .iter()
            .all(|member| band < member.band || band == member.band && priority > member.task.priority)
            && {
                let TaskIndex { band: of, task } = pool.server;
                band < of || band == of && priority > self.system.bands[of].tasks[task].priority
            }
    }
}
