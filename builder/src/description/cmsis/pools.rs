//! What the pools are made of: threads and objects as any others, as if the description had them.

use super::Cmsis;
use crate::description::{Count, Lock, Objects, Placed, Semaphore, Thread, Timing, Use, Waits};

/// What pools' members are called, from nought on.
pub mod names {
    /// The lock around short sections.
    pub const GUARD: &str = "cmsis_guard";
    /// The function in C with which threads begin.
    pub const ENTRY: &str = "cmsis_begin";

    /// A thread.
    #[must_use]
    pub fn thread(index: u8) -> String {
        format!("cmsis_{index}")
    }

    /// The semaphore at which it waits for a function.
    #[must_use]
    pub fn gate(index: u8) -> String {
        format!("cmsis_{index}_gate")
    }

    /// The event group of its flags.
    #[must_use]
    pub fn flags(index: u8) -> String {
        format!("cmsis_{index}_flags")
    }

    /// What it is to its function: a variable in C.
    #[must_use]
    pub fn row(index: u8) -> String {
        format!("cmsis_{index}_row")
    }

    /// The semaphore of a mutex.
    #[must_use]
    pub fn mutex(index: u8) -> String {
        format!("cmsis_mutex_{index}")
    }

    /// The semaphore at which threads wait for one of the interface.
    #[must_use]
    pub fn semaphore(index: u8) -> String {
        format!("cmsis_semaphore_{index}")
    }

    /// The event group of event flags.
    #[must_use]
    pub fn event_flags(index: u8) -> String {
        format!("cmsis_events_{index}")
    }

    /// The semaphore at which threads wait for messages of a queue.
    #[must_use]
    pub fn messages(index: usize) -> String {
        format!("cmsis_queue_{index}_messages")
    }

    /// The semaphore at which they wait for room in it.
    #[must_use]
    pub fn room(index: usize) -> String {
        format!("cmsis_queue_{index}_room")
    }

    /// The semaphore at which threads wait for blocks of a memory pool.
    #[must_use]
    pub fn blocks(index: usize) -> String {
        format!("cmsis_memory_{index}")
    }
}

impl Cmsis {
    /// Adds the objects of the pools to those that the description has.
    pub(in crate::description) fn add_objects(&self, objects: &mut Objects) {
        let placed = |name: String| Placed::new(name, self.place);
        objects.locks.push(Lock { name: placed(names::GUARD.to_owned()), kind: None, hold: None });
        let binary = (0..self.mutexes).map(names::mutex).map(|name| (name, Count::Binary { kind: None }));
        let counted = self.counted().into_iter().map(|name| (name, UNITS));
        let semaphores = binary.chain(counted);
        let semaphore = |(name, count)| Semaphore { name: placed(name), count, hold: None };
        objects.semaphores.extend(semaphores.map(semaphore));
        objects.event_groups.extend(self.groups().into_iter().map(placed));
        objects.priorities.extend((0..self.threads).map(names::thread).map(placed));
    }

    /// The threads, which may use all objects of the pools, and what the description gives them.
    pub(in crate::description) fn make_threads(&self, objects: &Objects) -> Vec<Thread> {
        let uses: Vec<_> =
            self.own_uses(objects).into_iter().map(|used| Placed::new(used, self.place)).collect();
        let thread = |index| Thread {
            name: Placed::new(names::thread(index), self.place),
            process: self.process,
            band: self.band,
            priority: Some(super::NORMAL),
            priorities: Some(self.priorities),
            entry: Placed::new(names::ENTRY.to_owned(), self.place),
            stack: self.stack,
            timing: Timing::Free { deadline: None, sporadic: None },
            budget: None,
            group: None,
            tells: None,
            watchdog: None,
            argument: Some(Placed::new(names::row(index), self.place)),
            uses: uses.iter().chain(&self.uses).copied().collect(),
            holds: Vec::new(),
            on_hold: None,
            waits: Waits::default(),
        };
        (0..self.threads).map(thread).collect()
    }

    /// Counting semaphores.
    fn counted(&self) -> Vec<String> {
        let gates = (0..self.threads).map(names::gate);
        let semaphores = (0..self.semaphores).map(names::semaphore);
        let queues = (0..self.queues.len()).flat_map(|index| [names::messages(index), names::room(index)]);
        let blocks = (0..self.memory_pools.len()).map(names::blocks);
        gates.chain(semaphores).chain(queues).chain(blocks).collect()
    }

    /// Event groups.
    fn groups(&self) -> Vec<String> {
        let flags = (0..self.threads).map(names::flags);
        flags.chain((0..self.event_flags).map(names::event_flags)).collect()
    }

    /// Uses of all that was made from this table.
    fn own_uses(&self, objects: &Objects) -> Vec<Use> {
        let is_own = |name: &&Placed<String>| name.place == self.place;
        let own = |names: Vec<&Placed<String>>| -> Vec<usize> {
            names.iter().enumerate().filter(|(_, name)| is_own(name)).map(|(index, _)| index).collect()
        };
        let locks = own(objects.locks.iter().map(|row| &row.name).collect());
        let semaphores = own(objects.semaphores.iter().map(|row| &row.name).collect());
        let groups = own(objects.event_groups.iter().collect());
        let priorities = own(objects.priorities.iter().collect());
        let groups = groups.into_iter().flat_map(|index| [Use::Set(index), Use::AwaitBits(index)]);
        let uses = locks.into_iter().map(Use::Lock).chain(semaphores.into_iter().map(Use::Semaphore));
        uses.chain(groups).chain(priorities.into_iter().map(Use::Priority)).collect()
    }
}

/// What threads wait at: the library counts units, so a signal is always for somebody who waits.
const UNITS: Count = Count::Counting { initial: 0, most: u16::MAX };
