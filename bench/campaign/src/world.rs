//! The world of a drawn system: interrupts as often as their threads declare, never more often, and nothing
//! else.

use beryl_abi::environment::Channel;
use beryl_abi::{Duration, Line};
use beryl_builder::Project;
use beryl_builder::assembly::{Role, Sporadic, Trigger, Use};
use beryl_sim::{Access, Environment, ExecutionTimes, Nanoseconds};
use beryl_testing::{Draw, SplitMix64 as Random};

use crate::further::LIMITED;
use crate::trial::Run;

/// When a thread could first have been woken, for each of its jobs.
#[derive(Clone, Debug)]
pub struct Arrivals {
    /// The thread.
    pub thread: usize,
    from: From,
}

#[derive(Clone, Debug)]
enum From {
    /// Each response counts from these instants, in ticks.
    Known(Vec<u64>),
    /// Responses count from when another thread says that it wakes this one.
    Told(Channel),
}

impl Arrivals {
    /// When each response begins, in ticks.
    pub fn from(&self, accesses: &[Access], tick: u64) -> Vec<u64> {
        match &self.from {
            From::Known(instants) => instants.clone(),
            From::Told(channel) => {
                let told = accesses.iter().filter(|access| access.channel == *channel);
                told.map(|access| access.instant.count() / tick).collect()
            }
        }
    }
}

/// The channel on which a thread says that it wakes another: after those of ends of jobs.
pub fn wakes(thread: u32) -> Channel {
    const BEHIND: u32 = 100;
    Channel::new(BEHIND + thread)
}

/// Interrupts in order.
pub struct World {
    raised: Vec<(Nanoseconds, Line)>,
    next: usize,
}

impl World {
    /// Interrupts up to the end of a run, in ticks, and the threads that they and other threads wake.
    pub fn draw(project: &Project, until: u64, run: &Run) -> (World, Vec<Arrivals>) {
        let mut random = Random(run.seed);
        let mut world = World { raised: Vec::new(), next: 0 };
        let mut all = Vec::new();
        for (thread, row) in project.assembly.threads.iter().enumerate() {
            let Role::Free { sporadic: Some(times), .. } = row.role else { continue };
            let interrupt = row.uses.iter().find_map(|used| match used {
                Use::Interrupt(index) => project.assembly.objects.interrupts.get(*index),
                _ => None,
            });
            let from = match interrupt {
                Some(interrupt) => {
                    From::Known(world.raise(project, interrupt.line, times, until, &mut random))
                }
                None => match waker(project, thread) {
                    // With random times, some time may pass between the thread's message and its action.
                    Some(_) if run.times != ExecutionTimes::Worst => continue,
                    Some(waker) => From::Told(wakes(waker)),
                    // When such a thread waits depends on its earlier actions, so only the others are checked
                    // against their promises.
                    None if row.name.contains(LIMITED) => continue,
                    None => From::Known(slept(times, until)),
                },
            };
            all.push(Arrivals { thread, from });
        }
        for row in &project.assembly.asynchronous {
            let Trigger::Interrupt(line) = row.trigger else { continue };
            let times =
                Sporadic { separation: row.separation, jitter: Duration::ZERO, worst: Duration::ZERO };
            world.raise(project, line, times, until, &mut random);
        }
        world.raised.sort_unstable_by_key(|(instant, _)| *instant);
        (world, all)
    }

    /// Raises a line as often as allowed; returns when each job begins to count.
    fn raise(
        &mut self,
        project: &Project,
        line: u16,
        times: Sporadic,
        until: u64,
        random: &mut Random,
    ) -> Vec<u64> {
        let tick = u64::from(project.tick());
        let (separation, jitter) = (times.separation.ticks(), times.jitter.ticks());
        let phase = if random.chance(60) { 0 } else { random.within(0, separation) };
        let is_late_first = random.chance(50);
        let mut from = Vec::new();
        // It is ready for the first time at the start.
        let mut at = separation + phase;
        while at < until {
            let late = match is_late_first {
                true if from.is_empty() => jitter,
                true => 0,
                false => random.within(0, jitter),
            };
            from.push(at);
            // Interrupts of one tick get distinct times by some nanoseconds before it.
            let before = u64::from(line) % tick;
            self.raised.push((Nanoseconds::new((at + late) * tick - before), Line(line)));
            let more = if random.chance(80) { 0 } else { random.within(0, separation / 4) };
            at += separation + more;
        }
        from
    }
}

/// The thread that wakes another, if one does.
fn waker(project: &Project, woken: usize) -> Option<u32> {
    let wakes = |used: &Use| match used {
        Use::Await(index) => Some(Use::Notify(*index)),
        Use::Receive(index) => Some(Use::Send(*index)),
        _ => None,
    };
    let threads = &project.assembly.threads;
    let by = threads[woken].uses.iter().find_map(wakes)?;
    u32::try_from(threads.iter().position(|thread| thread.uses.contains(&by))?).ok()
}

/// When a thread wakes up that sleeps until its separation is over.
fn slept(times: Sporadic, until: u64) -> Vec<u64> {
    let separation = times.separation.ticks().max(1);
    (1..).map(|count| count * separation).take_while(|at| *at < until).collect()
}

impl Environment for World {
    fn read(&mut self, _instant: Nanoseconds, _channel: Channel, _value: &mut [u8]) {}

    fn write(&mut self, _instant: Nanoseconds, _channel: Channel, _value: &[u8]) {}

    fn interrupts(&mut self, after: Nanoseconds) -> Option<(Nanoseconds, Line)> {
        while self.raised.get(self.next).is_some_and(|(instant, _)| *instant <= after) {
            self.next += 1;
        }
        self.raised.get(self.next).copied()
    }

    fn finish(&mut self, _instant: Nanoseconds) -> Result<String, String> {
        Ok(String::new())
    }
}
