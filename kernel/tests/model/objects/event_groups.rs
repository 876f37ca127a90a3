//! Event groups: bits that are there or not, and threads that want some.

use beryl_kernel::Sizes;

use super::semaphores::Patience;
use super::{Answer, Index, Model, Outcome, Reason};

/// What a thread wants of a group's bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Want {
    pub mask: u32,
    pub all: bool,
    pub take: bool,
}

impl Want {
    pub fn of(mask: u32, how: u32) -> Want {
        Want { mask, all: how % 2 == 1, take: how / 2 % 2 == 1 }
    }

    pub fn is_there(self, bits: u32) -> bool {
        let single = (0..32).map(|bit| 1 << bit).filter(|bit| self.mask & bit != 0);
        let there: Vec<_> = single.map(|bit| bits & bit != 0).collect();
        if self.all { !there.contains(&false) } else { there.contains(&true) }
    }
}

impl<S: Sizes> Model<'_, S> {
    /// All who wait are asked about the same bits; what those take who have theirs is gone afterwards.
    pub fn event_group_set(&mut self, group: Index, bits: u32) {
        let bits = self.event_groups[group] | bits;
        let mut taken = 0;
        let has_its_bits =
            |reason: &Reason| matches!(reason, Reason::Group(g, want) if *g == group && want.is_there(bits));
        while let Some(thread) = self.most_urgent(has_its_bits) {
            let Some(Reason::Group(_, want)) = self.threads[thread].waiting().map(|wait| wait.reason.clone())
            else {
                unreachable!("it was found by that")
            };
            taken |= if want.take { want.mask } else { 0 };
            self.wake(thread, Answer::values(vec![bits]));
        }
        self.event_groups[group] = bits & !taken;
    }

    /// Answers the bits as they were.
    pub fn event_group_clear(&mut self, group: Index, bits: u32) -> Answer {
        let before = self.event_groups[group];
        self.event_groups[group] = before & !bits;
        Answer::values(vec![before])
    }

    pub fn event_group_wait(
        &mut self,
        me: Index,
        group: Index,
        want: Want,
        patience: Patience,
        then: Option<Index>,
    ) -> Outcome {
        let bits = self.event_groups[group];
        if !want.is_there(bits) {
            return self.begin_to_wait(me, Reason::Group(group, want), patience, then);
        }
        self.event_groups[group] = if want.take { bits & !want.mask } else { bits };
        self.go_on(me, Answer::values(vec![bits]), then)
    }
}
