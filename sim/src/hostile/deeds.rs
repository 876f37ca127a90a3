//! How misdeeds are drawn: mostly near to what would be right, at times anything.

use beryl_abi::call::{FOREVER, LONGEST_WAIT, POLL};
use beryl_abi::{CallNumber, Duration, Fault, FaultKind, Instant, Line, Range};

use super::{Act, Misdeed, Own};
use crate::times::SplitMix64;

/// What a hostile thread knows of.
#[derive(Debug)]
pub(super) struct Around {
    words: u32,
    /// What it may write to: its stack, then its process's memory.
    writable: Vec<Range>,
    /// What it may not.
    others: Vec<Range>,
    lines: Vec<Line>,
}

/// Between two misdeeds, in ticks, at most.
const LONGEST_PAUSE: u64 = 40;

/// A short time.
pub(super) fn pause(random: &mut SplitMix64) -> Duration {
    Duration::from_ticks(1 + random.up_to(LONGEST_PAUSE))
}

impl Around {
    pub(super) fn new(own: Own, lines: &[Line]) -> Around {
        let memory = own.memory.into_iter().filter(|range| range.length >= 4);
        let writable = [own.stack].into_iter().chain(memory).collect();
        let others = own.others.into_iter().filter(|range| range.length >= 4).collect();
        Around { words: own.words, writable, others, lines: lines.to_vec() }
    }

    /// Where it may put something for the kernel to read: the far end of its stack.
    pub(super) fn scratch(&self) -> u32 {
        self.writable.first().map_or(0, |stack| stack.address)
    }

    /// What a misdeed is this time, and the time that passes after it.
    pub(super) fn draw(
        &self,
        misdeed: Misdeed,
        now: Instant,
        random: &mut SplitMix64,
    ) -> (Option<Act>, Duration) {
        let act = match misdeed {
            Misdeed::Spin => return (None, self.spin(random)),
            Misdeed::Call | Misdeed::Keep => self.any_call(random),
            Misdeed::Flood => self.call(one(&FLOODING, random), random),
            Misdeed::Clock => self
                .call(one(&[CallNumber::Time, CallNumber::ExecutionTime, CallNumber::Null], random), random),
            Misdeed::Wait => self.wait(now, random),
            Misdeed::Forge => self.forge(random),
            Misdeed::Storm => match self.lines.is_empty() {
                true => self.any_call(random),
                false => Act::Raise(one(&self.lines, random)),
            },
            Misdeed::Swap => self.call(one(&SWAPPING, random), random),
            Misdeed::Fault => Act::Fault(self.fault(random)),
        };
        (Some(act), pause(random))
    }

    /// Mostly a part of a job, at times several jobs, seldom all time that there is.
    fn spin(&self, random: &mut SplitMix64) -> Duration {
        Duration::from_ticks(match random.up_to(63) {
            0 => 1 << 40,
            1..=8 => random.up_to(2_500_000),
            _ => random.up_to(25_000),
        })
    }

    fn any_call(&self, random: &mut SplitMix64) -> Act {
        let last = CallNumber::ALL.len() as u64;
        let Act::Call { arguments, .. } = self.call(CallNumber::Null, random) else { unreachable!("a call") };
        let number = match random.up_to(15) {
            0 => word(random),
            _ => u32::try_from(random.up_to(last)).unwrap_or(0),
        };
        // A thread that has stopped does nothing any more.
        let stops = number == CallNumber::Stop as u32 && random.up_to(31) > 0;
        Act::Call { number: if stops { CallNumber::Null as u32 } else { number }, arguments }
    }

    fn call(&self, number: CallNumber, random: &mut SplitMix64) -> Act {
        let arguments = [operand(random), self.argument(random), self.argument(random), timeout(random)];
        Act::Call { number: number as u32, arguments }
    }

    fn wait(&self, now: Instant, random: &mut SplitMix64) -> Act {
        let until = match random.up_to(7) {
            0 => u64::from(word(random)) << 32 | u64::from(word(random)),
            1 => now.ticks().saturating_add(u64::from(LONGEST_WAIT)).wrapping_add(random.up_to(2)),
            _ => now.ticks().wrapping_add(random.up_to(25_000)),
        };
        let number = one(&WAITING, random);
        match (number, self.call(number, random)) {
            (CallNumber::SleepUntil, Act::Call { number, arguments: [operand, .., last] }) => {
                let [low, high] = [until as u32, (until >> 32) as u32];
                Act::Call { number, arguments: [operand, low, high, last] }
            }
            (_, act) => act,
        }
    }

    /// Its raised word, what the kernel has published there, or any word of its own.
    fn forge(&self, random: &mut SplitMix64) -> Act {
        let address = match random.up_to(3) {
            0 | 1 => self.words,
            2 => self.words.wrapping_add(4),
            _ => self.own_word(random),
        };
        let word = match random.up_to(3) {
            0 => u32::MAX,
            1 => word(random),
            2 => 0,
            _ => small(random, 40),
        };
        Act::Store { address, word }
    }

    fn fault(&self, random: &mut SplitMix64) -> Fault {
        let kind = one(&FaultKind::ALL, random);
        Fault { kind, address: self.address(random), instruction: 0 }
    }

    fn argument(&self, random: &mut SplitMix64) -> u32 {
        match random.up_to(3) {
            0 => small(random, 40),
            1 => word(random),
            _ => self.address(random),
        }
    }

    /// Of its own, at an edge of that, off by some bytes, somebody else's, or anywhere.
    fn address(&self, random: &mut SplitMix64) -> u32 {
        let own = self.own_word(random);
        match random.up_to(7) {
            0 => word(random),
            1 => own.wrapping_add(small(random, 3)),
            2 => one(&self.writable, random).address.wrapping_sub(small(random, 40) & !3),
            3 => {
                let range = one(&self.writable, random);
                range.address.wrapping_add(range.length).wrapping_sub(small(random, 40) & !3)
            }
            4 | 5 if !self.others.is_empty() => word_in(one(&self.others, random), random),
            _ => own,
        }
    }

    fn own_word(&self, random: &mut SplitMix64) -> u32 {
        word_in(one(&self.writable, random), random)
    }
}

/// A word in a range, which has one.
fn word_in(range: Range, random: &mut SplitMix64) -> u32 {
    range.address.wrapping_add(small(random, range.length.saturating_sub(4)) & !3)
}

/// Calls that bring something to others.
const FLOODING: [CallNumber; 9] = [
    CallNumber::MailboxSend,
    CallNumber::Notify,
    CallNumber::EventGroupSet,
    CallNumber::EndpointCall,
    CallNumber::SemaphoreSignal,
    CallNumber::ConditionBroadcast,
    CallNumber::TraceEvent,
    CallNumber::SetPriority,
    CallNumber::Yield,
];

/// Calls of program slots.
const SWAPPING: [CallNumber; 5] = [
    CallNumber::SlotWrite,
    CallNumber::SlotCheck,
    CallNumber::SlotRollback,
    CallNumber::SlotRecord,
    CallNumber::SlotRead,
];

/// Calls that may wait.
const WAITING: [CallNumber; 8] = [
    CallNumber::SleepUntil,
    CallNumber::SemaphoreWait,
    CallNumber::ConditionWait,
    CallNumber::MailboxReceive,
    CallNumber::MailboxSend,
    CallNumber::EndpointReceive,
    CallNumber::NotificationWait,
    CallNumber::EventGroupWait,
];

/// An object, and at times a semaphore to own on return.
fn operand(random: &mut SplitMix64) -> u32 {
    match random.up_to(7) {
        0 => word(random),
        1 => small(random, 255),
        2 => small(random, 7) | small(random, 7) << 8,
        _ => small(random, 7),
    }
}

/// Mostly none, so that the thread goes on.
fn timeout(random: &mut SplitMix64) -> u32 {
    match random.up_to(15) {
        0 => one(&[FOREVER, LONGEST_WAIT, LONGEST_WAIT + 1, FOREVER - 1], random),
        1 => word(random),
        2..=5 => small(random, 25_000),
        _ => POLL,
    }
}

fn word(random: &mut SplitMix64) -> u32 {
    small(random, u32::MAX)
}

fn small(random: &mut SplitMix64, most: u32) -> u32 {
    u32::try_from(random.up_to(most.into())).unwrap_or(most)
}

/// One of a list that isn't empty.
fn one<T: Copy>(of: &[T], random: &mut SplitMix64) -> T {
    let last = u64::try_from(of.len()).unwrap_or(u64::MAX).saturating_sub(1);
    of[usize::try_from(random.up_to(last)).unwrap_or(0)]
}
