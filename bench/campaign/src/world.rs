//! The world of a drawn system: interrupts as often as their threads declare, never more, and nothing else.

use beryl_abi::Line;
use beryl_abi::environment::Channel;
use beryl_builder::Project;
use beryl_builder::assembly::{Role, Use};
use beryl_sim::{Environment, Nanoseconds};

use crate::random::Random;

/// When a sporadic thread could first be woken, for each of its jobs; in ticks.
#[derive(Clone, Debug)]
pub struct Arrivals {
    /// The thread.
    pub thread: usize,
    /// From when each response counts.
    pub from: Vec<u64>,
}

/// Interrupts in their order.
pub struct World {
    raised: Vec<(Nanoseconds, Line)>,
    next: usize,
}

impl World {
    /// Interrupts up to the end of a run, in ticks, and what they are for.
    pub fn draw(project: &Project, until: u64, random: &mut Random) -> (World, Vec<Arrivals>) {
        let tick = u64::from(project.tick());
        let (mut raised, mut all) = (Vec::new(), Vec::new());
        for (thread, row) in project.assembly.threads.iter().enumerate() {
            let Role::Free { sporadic: Some(times), .. } = row.role else { continue };
            let served = row.uses.iter().find_map(|used| match used {
                Use::Interrupt(index) => project.assembly.objects.interrupts.get(*index),
                _ => None,
            });
            let Some(interrupt) = served else { continue };
            let (separation, jitter) = (times.separation.ticks(), times.jitter.ticks());
            let phase = if random.chance(60) { 0 } else { random.within(0, separation) };
            let is_late_first = random.chance(50);
            let mut from = Vec::new();
            // It is ready at the start for the first time.
            let mut at = separation + phase;
            while at < until {
                let late = match is_late_first {
                    true if from.is_empty() => jitter,
                    true => 0,
                    false => random.within(0, jitter),
                };
                from.push(at);
                // Lines of one tick are told apart by nanoseconds before it.
                let before = u64::from(interrupt.line) % tick;
                raised.push((Nanoseconds::new((at + late) * tick - before), Line(interrupt.line)));
                let more = if random.chance(80) { 0 } else { random.within(0, separation / 4) };
                at += separation + more;
            }
            all.push(Arrivals { thread, from });
        }
        raised.sort_unstable_by_key(|(instant, _)| *instant);
        (World { raised, next: 0 }, all)
    }
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
