//! All interleavings of threads that write into one journal, and of the kernel between them, by the protocol
//! that ships.
//!
//! A thread's next access follows from the results of its earlier ones. So it is found by running the
//! protocol once more: the known accesses get their old results, one more is done, and the rest has no
//! effect. Each thread may come next at any time, and the kernel is entered in between, up to a limit.
//! Threads that never come again stand for those that died.

use core::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::vec::Vec;
use std::{format, vec};

use beryl_abi::Journal;

use super::protocol::{Access, write};

/// The journal's address: the first word of memory.
const JOURNAL: u32 = 0;

/// The result of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Brought {
    Words([u32; 2]),
    Nothing,
    Advanced(bool),
}

/// A thread that writes one event after the other: the current event, and the results of its accesses so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Writer {
    written: u32,
    brought: Vec<Brought>,
}

/// Everything that decides how it can go on, and the events that were told.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct World {
    memory: Vec<u32>,
    writers: Vec<Writer>,
    /// The thread that ran last.
    running: usize,
    told: Vec<[u32; 2]>,
    /// How often the kernel was entered.
    entries: u32,
}

/// What the kernel does when it is entered before another thread goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kernel {
    /// It reads the new events, and the journal moves on by a lap: as it ships.
    Ships,
    /// It reads, and a thread that was writing doesn't notice.
    OnlyReads,
    /// Nothing.
    Sleeps,
}

/// One access of a thread: earlier ones are known, later ones aren't done.
struct Turn<'a> {
    memory: RefCell<&'a mut Vec<u32>>,
    brought: RefCell<&'a mut Vec<Brought>>,
    next: Cell<usize>,
    is_cut: Cell<bool>,
}

impl Turn<'_> {
    fn access(&self, act: impl FnOnce(&mut Vec<u32>) -> Brought, behind: Brought) -> Brought {
        let number = self.next.replace(self.next.get() + 1);
        let brought = &mut *self.brought.borrow_mut();
        if let Some(known) = brought.get(number) {
            return *known;
        }
        if self.is_cut.get() {
            self.next.set(usize::MAX - 1);
            return behind;
        }
        self.is_cut.set(true);
        let result = act(&mut self.memory.borrow_mut());
        brought.push(result);
        result
    }
}

fn at(address: u32) -> usize {
    usize::try_from(address / 4).unwrap()
}

impl Access for &Turn<'_> {
    fn load(self, address: u32) -> u32 {
        match self.access(|memory| Brought::Words([memory[at(address)], 0]), Brought::Words([0; 2])) {
            Brought::Words([word, _]) => word,
            brought => panic!("{brought:?}"),
        }
    }

    fn load_two(self, address: u32) -> [u32; 2] {
        let words = |memory: &mut Vec<u32>| Brought::Words([memory[at(address)], memory[at(address) + 1]]);
        match self.access(words, Brought::Words([0, 1])) {
            Brought::Words(words) => words,
            brought => panic!("{brought:?}"),
        }
    }

    fn store(self, address: u32, word: u32) {
        let store = |memory: &mut Vec<u32>| {
            memory[at(address)] = word;
            Brought::Nothing
        };
        self.access(store, Brought::Nothing);
    }

    fn advance(self, address: u32, from: u32, to: u32) -> bool {
        let advance = |memory: &mut Vec<u32>| {
            let word = &mut memory[at(address)];
            let is_same = *word == from;
            *word = if is_same { to } else { *word };
            Brought::Advanced(is_same)
        };
        match self.access(advance, Brought::Advanced(true)) {
            Brought::Advanced(is_done) => is_done,
            brought => panic!("{brought:?}"),
        }
    }

    /// Times aren't checked here: any will do.
    fn moment(self) -> u32 {
        0
    }
}

impl World {
    fn new(writers: usize, places: u32, put: u32) -> World {
        let mut memory = vec![0; at(Journal::bytes(places))];
        let head = [put, put.wrapping_add(places), 1, places - 1];
        memory[..4].copy_from_slice(&head);
        World { memory, writers: vec![Writer::default(); writers], running: 0, told: Vec::new(), entries: 0 }
    }

    fn places(&self) -> u32 {
        self.memory[at(Journal::MASK)] + 1
    }

    /// The kernel is entered.
    fn enter(&mut self, kernel: Kernel) {
        self.entries += 1;
        if kernel == Kernel::Sleeps {
            return;
        }
        let [put, end] = [Journal::PUT, Journal::END].map(|word| self.memory[at(word)]);
        let first = end.wrapping_sub(self.places());
        for number in 0..put.wrapping_sub(first) {
            let place = Journal::place(JOURNAL, first.wrapping_add(number), self.places() - 1);
            self.told.push([self.memory[at(place)], self.memory[at(place) + 2]]);
        }
        let put = if kernel == Kernel::Ships { put.wrapping_add(self.places()) } else { put };
        self.memory[at(Journal::PUT)] = put;
        self.memory[at(Journal::END)] = put.wrapping_add(self.places());
    }

    /// A thread does its next access.
    fn step(&mut self, number: usize, kernel: Kernel) {
        if self.running != number {
            self.enter(kernel);
        }
        self.running = number;
        let event = event(number, self.writers[number].written);
        let mut writer = self.writers[number].clone();
        let turn = Turn {
            memory: RefCell::new(&mut self.memory),
            brought: RefCell::new(&mut writer.brought),
            next: Cell::new(0),
            is_cut: Cell::new(false),
        };
        let has_room = write(&turn, JOURNAL, event);
        let is_done = turn.next.get() <= turn.brought.borrow().len();
        if is_done {
            writer = Writer { written: writer.written + 1, brought: Vec::new() };
            if !has_room {
                // It calls the kernel.
                self.enter(Kernel::Ships);
                self.told.push(event);
            }
        }
        self.writers[number] = writer;
    }

    /// Whether a thread's events were told in order, whole, and none twice.
    fn is_right(&self, number: usize) -> bool {
        let own = |told: &&[u32; 2]| at(told[0] >> 8 << 2) == number;
        let expected = (0..).map(|written| event(number, written));
        self.told.iter().filter(own).zip(expected).all(|(told, expected)| *told == expected)
    }
}

/// A thread's event with a number, and its value, which no other event has.
fn event(writer: usize, written: u32) -> [u32; 2] {
    let writer = u32::try_from(writer).unwrap();
    [writer << 8 | written, 0xABC0 + (writer << 8 | written)]
}

/// Tries all ways in which threads write this many events, with at most this many entries of the kernel.
/// Returns the number of states, and whether all events are told correctly.
fn explore(first: World, events: u32, entries: u32, kernel: Kernel) -> (usize, bool) {
    let (mut known, mut open) = (HashSet::from([first.clone()]), vec![first]);
    let mut is_right = true;
    while let Some(world) = open.pop() {
        let mut read = world.clone();
        read.enter(Kernel::Ships);
        let writers = 0..world.writers.len();
        let written: u32 = world.writers.iter().map(|writer| writer.written).sum();
        is_right &= writers.clone().all(|number| read.is_right(number)) && read.told.len() == at(4 * written);
        let can_go_on = |number: &usize| world.writers[*number].written < events;
        let ways = writers.filter(can_go_on).map(|number| {
            let mut next = world.clone();
            next.step(number, kernel);
            next
        });
        // Or the kernel is entered, and the same thread goes on.
        for next in ways.chain([read]).filter(|next| next.entries <= entries) {
            if known.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    (known.len(), is_right)
}

#[test]
fn every_event_that_was_written_is_told_once_and_whole_whoever_is_preempted_or_dies() {
    for put in [0, u32::MAX - 1] {
        for (writers, events, places, entries) in [(2, 2, 2, 4), (2, 2, 4, 4), (3, 1, 2, 4)] {
            let (states, is_right) =
                explore(World::new(writers, places, put), events, entries, Kernel::Ships);
            let case = format!("{writers} threads, {events} events, {places} places: {states} states");
            assert!(is_right && states > 1000, "{case}");
        }
    }
}

/// A preempted thread's unfinished event may overwrite one that another is about to finish.
#[test]
fn a_kernel_that_only_reads_would_tell_what_nobody_wrote() {
    assert!(!explore(World::new(2, 2, 0), 2, 4, Kernel::OnlyReads).1);
}

#[test]
fn a_kernel_that_does_nothing_would_tell_what_nobody_wrote() {
    assert!(!explore(World::new(2, 4, 0), 2, 3, Kernel::Sleeps).1);
}
