//! What must hold of the bands in every state, for tests.

use std::vec::Vec;

use super::{Bands, RANKS, bit};
use beryl_abi::ThreadId;

use crate::rows::threads::Place;
use crate::scheduling::thread::{Standing, ThreadState};
use crate::sizes::Sizes;
use crate::system::System;
use crate::table::Table;

impl<S: Sizes> Bands<S> {
    /// Panics unless the bands hold exactly the places that claim to be there, and every bit, head and link
    /// agrees.
    pub fn assert_consistent(&self, system: &System<S>, threads: &S::ThreadStates) {
        for rank in 0..RANKS as u8 {
            let mut queued = self.queued(system, threads, rank);
            assert_eq!(
                !queued.is_empty(),
                self.occupied & bit(rank) != 0,
                "the bit of rank {rank}: {queued:?}"
            );
            queued.sort();
            assert_eq!(queued, members(system, threads, rank), "rank {rank}");
        }
    }

    /// The places of a rank, including the one that is being sorted in.
    fn queued(&self, system: &System<S>, threads: &S::ThreadStates, rank: u8) -> Vec<ThreadId> {
        let is_its =
            |thread: &ThreadId| thread.is_some() && system.threads.at(thread.index()).rank.number() == rank;
        let firsts = self.firsts.rows().iter().filter(|first| is_its(first));
        let mut places: Vec<_> = firsts.flat_map(|first| in_order(system, threads, *first)).collect();
        places.extend(Some(self.sorting).filter(is_its));
        if self.occupied & bit(rank) == 0 {
            return places;
        }
        let head = *self.heads.at(rank.into());
        let row = system.threads.at(head.index());
        match row.place {
            Place::Offered { .. } if self.is_taken(row) => places.push(head),
            Place::Offered { .. } => {
                assert_eq!(Some(&head), self.firsts.rows().iter().find(|first| is_its(first)), "rank {rank}");
            }
            Place::Dynamic { .. } => places.extend(in_order(system, threads, head)),
            Place::Fixed { .. } => places.extend(ring(threads, head)),
            Place::Coded { .. } => places.push(head),
        }
        places
    }
}

/// The members of a ring of a dynamic band. Panics if one stands before another with an earlier deadline.
fn in_order<S: Sizes>(system: &System<S>, threads: &S::ThreadStates, first: ThreadId) -> Vec<ThreadId> {
    let ring = ring(threads, first);
    let due = |thread: &ThreadId| {
        (threads.at(thread.index()).deadline, system.threads.at(thread.index()).place.slot())
    };
    assert!(ring.is_sorted_by_key(due), "{ring:?} isn't in the order of deadlines");
    ring
}

/// The members of a ring in order. Panics if the links disagree.
fn ring(threads: &impl Table<ThreadState>, head: ThreadId) -> Vec<ThreadId> {
    let mut ring = Vec::new();
    let mut thread = head;
    loop {
        assert!(!ring.contains(&thread), "{thread:?} is in a ring twice");
        ring.push(thread);
        let next = threads.at(thread.index()).next;
        assert_eq!(threads.at(next.index()).previous, thread, "{next:?} doesn't point back");
        if next == head {
            return ring;
        }
        thread = next;
    }
}

fn members<S: Sizes>(system: &System<S>, threads: &S::ThreadStates, rank: u8) -> Vec<ThreadId> {
    let is_in = |index: &usize| {
        let (row, state) = (system.threads.at(*index), threads.at(*index));
        row.kind.is_scheduled() && state.rank().number() == rank && state.standing() == Standing::In
    };
    (0..S::Threads::LENGTH).filter(is_in).map(|index| ThreadId(index as u8)).collect()
}
