//! Readers of links that carry out an instant late, at any words of the writer's, beside a plain model: the list of all values.
//!
//! A writer's jobs begin and end at random times and publish in between. A reader looks at an instant, and each word that it
//! reads takes time, in which the writer goes on.

use beryl_abi::Instant;
use beryl_abi::link::{self, Words};
use beryl_testing::{Draw, SplitMix64, cases};

const BASE: u32 = 0x100;

/// Memory that begins with zeros.
#[derive(Default)]
struct Memory(std::collections::BTreeMap<u32, u32>);

/// The writer's side, which notes what it stores.
struct Writer<'a> {
    memory: &'a mut Memory,
    stores: Vec<(u32, u32)>,
}

impl Words for Writer<'_> {
    fn load(&mut self, address: u32) -> u32 {
        self.memory.0.get(&address).copied().unwrap_or_default()
    }

    fn store(&mut self, address: u32, word: u32) {
        self.memory.0.insert(address, word);
        self.stores.push((address, word));
    }
}

/// A value: from when on it counts, and its first word. The others follow from that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Value {
    counts: u64,
    word: u32,
}

/// When each of some words is stored or read, from one time to another: anywhere, or some at once and the others at the end.
fn times(random: &mut SplitMix64, count: usize, from: u64, to: u64) -> Vec<u64> {
    let anywhere = random.chance(50);
    let mut times: Vec<u64> = (0..count)
        .map(|_| if anywhere { random.within(from, to) } else { *random.one_of(&[from, to]) })
        .collect();
    times.sort_unstable();
    times
}

/// All that a writer ever does.
struct Life {
    length: u32,
    values: Vec<Value>,
    /// When each word is stored, in their order.
    stores: Vec<(u64, u32, u32)>,
}

impl Life {
    /// Jobs that follow each other at once or after a while, and take `shortest` ticks or more of logical execution time.
    fn draw(random: &mut SplitMix64, shortest: u64) -> Life {
        let length = 4 * random.within(1, 4) as u32;
        let mut life = Life { length, values: Vec::new(), stores: Vec::new() };
        let mut memory = Memory::default();
        // So late that the high words of instants change, too.
        let mut begin = (1 << 32) - random.within(0, 40 * shortest);
        for job in 1..=40 {
            begin += if random.chance(50) { 0 } else { random.within(0, 3 * shortest) };
            let end = begin + shortest + if random.chance(50) { 0 } else { random.within(0, 40) };
            let value = Value { counts: end, word: job * 1000 };
            let mut writer = Writer { memory: &mut memory, stores: Vec::new() };
            let counts = [end as u32, (end >> 32) as u32];
            link::publish(&mut writer, (BASE, length), counts, |_, offset| value.word + offset);
            let stores = times(random, writer.stores.len(), begin, end).into_iter().zip(writer.stores);
            life.stores.extend(stores.map(|(time, (place, word))| (time, place, word)));
            life.values.push(value);
            begin = end;
        }
        life
    }

    /// What counts at an instant, in the plainest words.
    fn counting(&self, now: u64) -> Option<Value> {
        self.values.iter().rev().find(|value| value.counts <= now).copied()
    }
}

/// The reader's side: time passes while it reads.
struct Reader<'a> {
    life: &'a Life,
    memory: Memory,
    /// How many words have been stored by now.
    stored: usize,
    /// When each word is read.
    times: std::vec::IntoIter<u64>,
}

impl<'a> Reader<'a> {
    /// One that carries out the instant `now`, and is done `late` ticks behind it.
    fn new(life: &'a Life, random: &mut SplitMix64, now: u64, late: u64) -> Reader<'a> {
        let most = 1 + 2 * link::ENTRIES + life.length / 4;
        let times = times(random, most as usize, now, now + late).into_iter();
        Reader { life, memory: Memory::default(), stored: 0, times }
    }

    /// The words of the value that counts, if there is one.
    fn read(mut self, now: u64) -> Option<Vec<u32>> {
        let length = self.life.length;
        let place = link::counting(&mut self, (BASE, length), Instant::from_ticks(now))?;
        Some((0..length).step_by(4).map(|offset| self.load(place + offset)).collect())
    }
}

impl Words for Reader<'_> {
    fn load(&mut self, address: u32) -> u32 {
        let now = self.times.next().expect("a time for each word that may be read");
        while let Some((_, place, word)) = self.life.stores.get(self.stored).filter(|(time, ..)| *time <= now)
        {
            self.memory.0.insert(*place, *word);
            self.stored += 1;
        }
        self.memory.0.get(&address).copied().unwrap_or_default()
    }

    fn store(&mut self, _address: u32, _word: u32) {
        panic!("readers don't write");
    }
}

const SHORTEST: u64 = 20;

/// Reads at a random instant, done `late` ticks behind it at most; says what was read wrongly.
fn try_one(seed: u64, late: u64) -> Result<(), String> {
    let mut random = SplitMix64(seed);
    let life = Life::draw(&mut random, SHORTEST);
    let first = life.values[0].counts;
    let last = life.values[life.values.len() - 4].counts;
    // Most of them at instants at which something begins to count, or as far behind as that value counts.
    let begins = life.values[random.below(life.values.len() - 3)].counts;
    let now = match random.below(3) {
        0 => begins,
        1 => (begins - 1).max(first),
        _ => random.within(first, last),
    };
    let expected = life
        .counting(now)
        .map(|value| (0..life.length).step_by(4).map(|offset| value.word + offset).collect::<Vec<_>>());
    let read = Reader::new(&life, &mut random, now, late).read(now);
    match read == expected {
        true => Ok(()),
        false => Err(format!("seed {seed}: at {now} {read:?} is read, and {expected:?} counts")),
    }
}

#[test]
fn who_is_done_within_a_logical_execution_time_reads_what_counts() {
    let wrong: Vec<_> =
        (0..cases(20_000, 1_000_000)).filter_map(|seed| try_one(seed, SHORTEST).err()).collect();
    assert_eq!(wrong, Vec::<String>::new());
}

/// The bound isn't larger than it says: otherwise three entries would be more than enough.
#[test]
fn who_is_later_may_find_it_overwritten() {
    let wrong = (0..20_000).filter_map(|seed| try_one(seed, SHORTEST + 1).err()).count();
    assert!(wrong > 0, "a reader that was too late always read what counts");
}
