//! All interleavings of a reader's and a writer's accesses, by the protocol that ships.
//!
//! The writer does the same whatever readers do, so its accesses are written down first. Then the reader runs
//! once for each way to spread them over the gaps before its own accesses.

use core::cell::RefCell;
use core::ops::ControlFlow;
use std::collections::BTreeMap;
use std::vec;
use std::vec::Vec;

use super::protocol::{Access, Overrun, Ring};

const INDEX: u32 = 0x1000;
const BASE: u32 = 0x2000;

/// Memory, and the writer's stores that are still to come.
struct World {
    memory: BTreeMap<u32, u32>,
    stores: Vec<(u32, u32)>,
    done: usize,
    schedule: Schedule,
}

/// How many stores come before each of the reader's accesses: the ways are counted through like numbers, the
/// last place first.
#[derive(Default)]
struct Schedule {
    /// How many, and the most that there can be.
    places: Vec<(usize, usize)>,
    next: usize,
}

impl Schedule {
    fn choose(&mut self, most: usize) -> usize {
        if self.next == self.places.len() {
            self.places.push((0, most));
        }
        self.next += 1;
        self.places[self.next - 1].0
    }

    /// The next way, unless this was the last.
    fn advance(&mut self) -> ControlFlow<()> {
        self.next = 0;
        while let Some((chosen, most)) = self.places.pop() {
            if chosen < most {
                self.places.push((chosen + 1, most));
                return ControlFlow::Continue(());
            }
        }
        ControlFlow::Break(())
    }
}

/// The writer's side: notes the stores in order.
#[derive(Clone, Copy)]
struct Writing<'a>(&'a RefCell<World>);

impl Access for Writing<'_> {
    fn load(self, address: u32) -> u32 {
        assert_eq!(address, INDEX, "the writer reads nothing but its index");
        let world = self.0.borrow();
        let last = world.stores.iter().rev().find(|(place, _)| *place == INDEX);
        last.map_or(world.memory[&INDEX], |(_, index)| *index)
    }

    fn store(self, address: u32, word: u32) {
        self.0.borrow_mut().stores.push((address, word));
    }
}

/// The reader's side: some of the writer's stores happen before each of its accesses.
#[derive(Clone, Copy)]
struct Reading<'a>(&'a RefCell<World>);

impl Access for Reading<'_> {
    fn load(self, address: u32) -> u32 {
        let world = &mut *self.0.borrow_mut();
        let left = world.stores.len() - world.done;
        for _ in 0..world.schedule.choose(left) {
            let (place, word) = world.stores[world.done];
            world.memory.insert(place, word);
            world.done += 1;
        }
        world.memory[&address]
    }

    fn store(self, _: u32, _: u32) {
        panic!("a reader can't write");
    }
}

/// The value of a write: all of its words differ from each other, and from those of other writes.
fn value<const N: usize>(number: u32) -> [i32; N] {
    core::array::from_fn(|word| number.wrapping_mul(16).wrapping_add(word as u32) as i32)
}

/// The write that a value comes from, if it is whole.
fn number<const N: usize>(value: [i32; N], first: u32, writes: u32) -> Option<u32> {
    (0..=writes).find(|write| value == self::value(first.wrapping_add(*write)))
}

/// The reader's results over all interleavings.
#[derive(Debug, Default, PartialEq, Eq)]
struct Outcomes {
    whole: u32,
    torn: u32,
    /// Whole, but older than the newest value when reading began.
    stale: u32,
    overruns: u32,
}

/// All interleavings of one reading with `writes` writes into a ring of `depth` buffers. Write number `first`
/// is done before. `read` is told how many writes were done at its first load.
fn explore<const N: usize>(
    depth: u32,
    writes: u32,
    first: u32,
    read: fn(Ring, Reading<'_>) -> Result<[i32; N], Overrun>,
) -> Outcomes {
    let ring = Ring { index: INDEX, base: BASE, depth };
    let mut outcomes = Outcomes::default();
    let mut schedule = Schedule::default();
    loop {
        let memory = (0..depth * N as u32).map(|word| (BASE + 4 * word, 0xDEAD_0000 + word));
        let memory = memory.chain([(INDEX, first.wrapping_sub(1))]).collect();
        let world = RefCell::new(World { memory, stores: vec![], done: 0, schedule });
        ring.write(Writing(&world), &value::<N>(first).map(|word| word as u32));
        world.borrow_mut().finish();
        for write in 1..=writes {
            ring.write(Writing(&world), &value::<N>(first.wrapping_add(write)).map(|word| word as u32));
        }
        let result = read(ring, Reading(&world));
        let world = world.into_inner();
        // The newest value at the reader's first access: count the complete writes among the stores so far.
        let begun = u32::try_from(world.schedule.places[0].0 / (N + 1)).unwrap();
        match result.map(|value| number(value, first, writes)) {
            Err(Overrun) => outcomes.overruns += 1,
            Ok(None) => outcomes.torn += 1,
            Ok(Some(write)) if write < begun => outcomes.stale += 1,
            Ok(Some(_)) => outcomes.whole += 1,
        }
        schedule = world.schedule;
        if schedule.advance().is_break() {
            return outcomes;
        }
    }
}

impl World {
    /// Makes all remaining stores happen.
    fn finish(&mut self) {
        self.memory.extend(self.stores.drain(..));
    }
}

/// The protocol that ships.
fn checked<const N: usize>(ring: Ring, memory: Reading<'_>) -> Result<[i32; N], Overrun> {
    ring.read(memory)
}

/// The paper's protocol: doesn't check whether the index has moved.
fn unchecked<const N: usize>(ring: Ring, memory: Reading<'_>) -> Result<[i32; N], Overrun> {
    Ok(ring.copy(memory).0)
}

/// Numbers of the write before, including those at which the index wraps.
const FIRST: [u32; 3] = [1, u32::MAX - 1, u32::MAX];

fn holds<const N: usize>(depth: u32) {
    for first in FIRST {
        for writes in 0..depth {
            let outcomes = explore::<N>(depth, writes, first, checked);
            assert_eq!(
                Outcomes { whole: outcomes.whole, ..Outcomes::default() },
                outcomes,
                "{N} words, depth {depth}, {writes} writes after number {first}"
            );
            let outcomes = explore::<N>(depth, writes, first, unchecked);
            assert_eq!((outcomes.torn, outcomes.stale), (0, 0), "the depth alone is enough, too");
        }
    }
}

fn is_tight<const N: usize>(depth: u32) {
    for first in FIRST {
        let outcomes = explore::<N>(depth, depth, first, checked);
        assert_eq!((outcomes.torn, outcomes.stale), (0, 0), "{N} words, depth {depth}, after {first}");
        assert!(outcomes.overruns > 0 && outcomes.whole > 0, "{outcomes:?}");
        let outcomes = explore::<N>(depth, depth, first, unchecked);
        assert!(outcomes.torn > 0, "{outcomes:?}");
    }
}

#[test]
fn one_buffer_more_than_writes_under_way_gives_the_newest_value_whole() {
    holds::<2>(2);
    holds::<3>(2);
    holds::<4>(2);
    holds::<2>(4);
}

#[test]
fn one_buffer_less_tears_what_the_check_catches() {
    is_tight::<2>(2);
    is_tight::<3>(2);
    is_tight::<2>(4);
}

#[test]
fn nothing_torn_is_believed_however_many_writes_come() {
    for writes in 2..=4 {
        let outcomes = explore::<2>(2, writes, 1, checked);
        assert_eq!((outcomes.torn, outcomes.stale), (0, 0), "{writes} writes: {outcomes:?}");
        assert!(outcomes.overruns > 0);
    }
}

#[test]
fn the_depth_of_the_paper_is_too_small_for_its_own_kind_of_system() {
    // A writer with period 10 and deadline 2, a reader that takes up to 11: two writes can be under way,
    // while by the paper's formula (section 7.4) two buffers are enough.
    assert!(explore::<2>(2, 2, 1, unchecked).torn > 0);
    assert_eq!(explore::<2>(4, 2, 1, checked).overruns, 0);
}

#[test]
fn the_interleavings_are_all_there_are() {
    // Four accesses of the reader and three of the writer, of which some may come after the last: 7 over 4.
    let outcomes = explore::<2>(2, 1, 1, unchecked);
    assert_eq!(outcomes, Outcomes { whole: 35, ..Outcomes::default() });
}
