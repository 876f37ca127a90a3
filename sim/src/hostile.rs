//! Hostile processes: their threads do misdeeds between their own operations, drawn with a seed.
//!
//! A thread's code runs as ever, up to its next operation. Before that operation a hostile thread does none, one or many
//! misdeeds; what gives something back is left out at times. So whatever the code holds, serves or waits for, misdeeds
//! come in the middle of it. The kernel sees them as it would see them from a board: calls with any registers, words
//! that were written, lines that are up, faults, and time that passes.

mod deeds;
mod swaps;

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;
use std::str::FromStr;

use beryl_abi::{CallNumber, Duration, Fault, Instant, Line, ProcessId, Range, ThreadId};

use crate::fiber::End;
use crate::times::SplitMix64;
use deeds::Around;
pub use swaps::Arrival;

/// Who is hostile in a run, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hostile {
    /// The process.
    pub process: ProcessId,
    /// The same seed gives the same misdeeds.
    pub seed: u64,
    /// The misdeeds that may be drawn; at least one.
    pub kinds: Vec<Misdeed>,
    /// The interrupt lines of its devices.
    pub lines: Vec<Line>,
    /// Programs that it may send to slots.
    pub programs: Vec<Arrival>,
}

/// What a hostile thread does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Misdeed {
    /// Doesn't come back for a while, or ever.
    Spin,
    /// Makes any call, with any registers.
    Call,
    /// Makes the same call many times: messages, notifications, events, requests.
    Flood,
    /// Asks for the time again and again.
    Clock,
    /// Waits for something with a wild timeout.
    Wait,
    /// Leaves out what would give something back: a lock, an answer, an end.
    Keep,
    /// Writes to the words that it shares with the kernel, or to what else it may write to.
    Forge,
    /// Lets an interrupt of its devices come.
    Storm,
    /// Writes, checks, rolls back, records and reads programs: torn, flipped, early, forged, and in any order.
    Swap,
    /// Faults.
    Fault,
}

impl Misdeed {
    /// All of them, by name.
    pub const NAMES: [(&'static str, Misdeed); 10] = [
        ("spin", Misdeed::Spin),
        ("call", Misdeed::Call),
        ("flood", Misdeed::Flood),
        ("clock", Misdeed::Clock),
        ("wait", Misdeed::Wait),
        ("keep", Misdeed::Keep),
        ("forge", Misdeed::Forge),
        ("storm", Misdeed::Storm),
        ("swap", Misdeed::Swap),
        ("fault", Misdeed::Fault),
    ];

    fn of(name: &str) -> Option<Misdeed> {
        Misdeed::NAMES.iter().find(|(known, _)| *known == name).map(|(_, misdeed)| *misdeed)
    }
}

/// `PROCESS@SEED@KIND.KIND@LINE.LINE@SLOT:HEX.SLOT:HEX`; the last two parts may be empty, and the last may be missing.
impl FromStr for Hostile {
    type Err = ();

    fn from_str(text: &str) -> Result<Hostile, ()> {
        read(text).ok_or(())
    }
}

fn read(text: &str) -> Option<Hostile> {
    let mut parts = text.split('@');
    let process = ProcessId(parts.next()?.parse().ok()?);
    let seed = parts.next()?.parse().ok()?;
    let kinds = parts.next()?.split('.').map(Misdeed::of).collect::<Option<Vec<_>>>()?;
    let lines = parts.next()?.split('.').filter(|line| !line.is_empty());
    let lines = lines.map(|line| line.parse().ok().map(Line)).collect::<Option<Vec<_>>>()?;
    let programs = parts.next().unwrap_or_default().split('.').filter(|program| !program.is_empty());
    let programs = programs.map(Arrival::read).collect::<Option<Vec<_>>>()?;
    parts.next().is_none().then_some(Hostile { process, seed, kinds, lines, programs })
}

/// What was done in a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Misdeeds {
    /// How often each misdeed was.
    pub counts: BTreeMap<Misdeed, u64>,
    /// The faults, in their order.
    pub faults: Vec<(ThreadId, Fault)>,
}

impl Misdeeds {
    /// A line for each kind of misdeed with its count, and one for each fault with thread, kind and address.
    #[must_use]
    pub fn to_text(&self) -> String {
        let count = |(name, misdeed): &(&str, Misdeed)| {
            let count = self.counts.get(misdeed).copied().unwrap_or(0);
            format!("did {name} {count}\n")
        };
        let fault = |(thread, fault): &(ThreadId, Fault)| {
            format!("fault {} {} {}\n", thread.0, fault.kind as u8, fault.address)
        };
        let counts = Misdeed::NAMES.iter().map(count);
        counts.chain(self.faults.iter().map(fault)).collect()
    }
}

/// What all hostile threads of a run write down together.
pub(crate) type Shared = Rc<RefCell<Misdeeds>>;

/// A misdeed of which the machine has to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Act {
    /// A call, as registers say it.
    Call { number: u32, arguments: [u32; 4] },
    /// A word that is written.
    Store { address: u32, word: u32 },
    /// A line that comes up.
    Raise(Line),
    /// A fault.
    Fault(Fault),
}

/// What a hostile thread does where its code has come to an operation.
pub(crate) enum Deed {
    /// Its code's own operation.
    Own,
    /// This comes before it, if anything, and so much time passes after it.
    Before(Option<Act>, Duration),
    /// Its code's own operation is left out; the code is told that it was done.
    LeftOut,
}

/// A thread of a hostile process.
#[derive(Debug)]
pub(crate) struct HostileThread {
    thread: ThreadId,
    random: SplitMix64,
    kinds: Vec<Misdeed>,
    around: Around,
    burst: Burst,
    /// How many misdeeds come before the operation to which the code has come, if that was drawn.
    left: Option<u64>,
    /// What is done over and over, and how often it still is.
    again: Option<(Misdeed, Act, u64)>,
    /// Programs that it may send, and what is left of sending one.
    programs: Vec<Arrival>,
    sending: VecDeque<Act>,
    done: Shared,
}

/// What a hostile thread has of its own.
pub(crate) struct Own {
    pub(crate) thread: ThreadId,
    /// Its stack in the system's memory.
    pub(crate) stack: Range,
    /// The words that it shares with the kernel.
    pub(crate) words: u32,
    /// The memory of its process.
    pub(crate) memory: Vec<Range>,
    /// What is somebody else's: stacks and memory.
    pub(crate) others: Vec<Range>,
    /// Whether it runs drivers: they have budgets, and the first that uses up its own ends the process.
    pub(crate) runs_drivers: bool,
}

/// How many misdeeds come before one operation.
#[derive(Clone, Copy, Debug)]
enum Burst {
    /// Mostly some.
    Often,
    /// Mostly none.
    Seldom,
}

impl Burst {
    fn draw(self, random: &mut SplitMix64) -> u64 {
        match (self, random.up_to(63)) {
            (Burst::Often, 0..=20) | (Burst::Seldom, 1..) => 0,
            (Burst::Often, 21..=50) | (Burst::Seldom, _) => 1 + random.up_to(23),
            (Burst::Often, _) => 1 + random.up_to(249),
        }
    }
}

impl HostileThread {
    pub(crate) fn new(hostile: &Hostile, own: Own, done: &Shared) -> HostileThread {
        // Each thread draws from a sequence of its own.
        let mut seeds = SplitMix64(hostile.seed ^ u64::from(own.thread.0) << 32);
        HostileThread {
            thread: own.thread,
            random: SplitMix64(seeds.up_to(u64::MAX)),
            kinds: hostile.kinds.clone(),
            burst: if own.runs_drivers { Burst::Seldom } else { Burst::Often },
            around: Around::new(own, &hostile.lines),
            left: None,
            again: None,
            programs: hostile.programs.clone(),
            sending: VecDeque::new(),
            done: Rc::clone(done),
        }
    }

    /// What is done before the operation `own`, at `now`.
    pub(crate) fn next(&mut self, own: &End, now: Instant) -> Deed {
        if let Some(act) = self.sending.pop_front() {
            return Deed::Before(Some(act), deeds::pause(&mut self.random));
        }
        let (random, burst) = (&mut self.random, self.burst);
        let left = *self.left.get_or_insert_with(|| burst.draw(random));
        if left == 0 {
            self.left = None;
            return self.at_the_end(own);
        }
        self.left = Some(left - 1);
        let (misdeed, act, pause) = self.draw(now);
        self.note(misdeed, act);
        Deed::Before(act, pause)
    }

    /// The thread begins anew.
    pub(crate) fn restart(&mut self) {
        self.left = None;
        self.sending.clear();
    }

    fn at_the_end(&mut self, own: &End) -> Deed {
        if !self.kinds.contains(&Misdeed::Keep) || !gives_back(own) || self.random.up_to(3) > 0 {
            return Deed::Own;
        }
        self.note(Misdeed::Keep, None);
        Deed::LeftOut
    }

    fn draw(&mut self, now: Instant) -> (Misdeed, Option<Act>, Duration) {
        if let Some((misdeed, act, often)) = self.again {
            self.again = (often > 1).then_some((misdeed, act, often.saturating_sub(1)));
            return (misdeed, Some(act), deeds::pause(&mut self.random));
        }
        let most = u64::try_from(self.kinds.len()).unwrap_or(u64::MAX).saturating_sub(1);
        let drawn = usize::try_from(self.random.up_to(most)).unwrap_or(0);
        let drawn = self.kinds.get(drawn).copied().unwrap_or(Misdeed::Call);
        // Among others a fault is seldom: most end all that the process could do besides.
        let is_put_off = drawn == Misdeed::Fault && most > 0 && self.random.up_to(63) > 0;
        let misdeed = if is_put_off { Misdeed::Call } else { drawn };
        if misdeed == Misdeed::Swap && !self.programs.is_empty() && self.random.up_to(1) == 0 {
            return (misdeed, self.send(), deeds::pause(&mut self.random));
        }
        let (act, pause) = self.around.draw(misdeed, now, &mut self.random);
        if let (Misdeed::Flood | Misdeed::Clock | Misdeed::Storm, Some(act)) = (misdeed, act) {
            let often = 1 + self.random.up_to(7);
            self.again = Some((misdeed, act, often));
        }
        (misdeed, act, pause)
    }

    /// Begins to send one of its programs.
    fn send(&mut self) -> Option<Act> {
        let most = u64::try_from(self.programs.len()).unwrap_or(1).saturating_sub(1);
        let program = self.programs.get(usize::try_from(self.random.up_to(most)).unwrap_or(0))?;
        self.sending = program.acts(self.around.scratch(), &mut self.random);
        self.sending.pop_front()
    }

    fn note(&mut self, misdeed: Misdeed, act: Option<Act>) {
        let mut done = self.done.borrow_mut();
        *done.counts.entry(misdeed).or_default() += 1;
        if let Some(Act::Fault(fault)) = act {
            done.faults.push((self.thread, fault));
        }
    }
}

/// Whether an operation gives something back that others may wait for.
fn gives_back(own: &End) -> bool {
    use CallNumber::{Acknowledge, Complete, EndpointReply, SemaphoreSignal, WaitPeriod};
    let End::Call { number, .. } = own else { return false };
    matches!(number, Acknowledge | Complete | EndpointReply | SemaphoreSignal | WaitPeriod)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thread(text: &str, done: &Shared) -> HostileThread {
        let hostile = text.parse().unwrap_or_else(|()| panic!("{text}"));
        let stack = Range::new(0x2000_0000, 512);
        let memory = vec![Range::new(0x2000_0400, 64)];
        let own = Own {
            thread: ThreadId(3),
            stack,
            words: 0x2000_01F8,
            memory,
            others: Vec::new(),
            runs_drivers: false,
        };
        HostileThread::new(&hostile, own, done)
    }

    /// What is done before so many operations.
    fn acts(text: &str, operations: usize) -> (Vec<(Option<Act>, Duration)>, Misdeeds) {
        let done = Shared::default();
        let mut thread = thread(text, &done);
        let mut acts = Vec::new();
        let mut left = operations;
        while left > 0 {
            match thread.next(&End::Point, Instant::from_ticks(1000)) {
                Deed::Before(act, pause) => acts.push((act, pause)),
                Deed::Own | Deed::LeftOut => left -= 1,
            }
        }
        let done = done.borrow().clone();
        (acts, done)
    }

    #[test]
    fn the_same_seed_does_the_same_and_each_misdeed_is_counted() {
        let (acts_of_7, done) = acts("1@7@call.flood.clock.wait.forge.storm.swap.spin.fault@4.10", 200);
        assert_eq!(acts("1@7@call.flood.clock.wait.forge.storm.swap.spin.fault@4.10", 200).0, acts_of_7);
        assert_ne!(acts("1@8@call.flood.clock.wait.forge.storm.swap.spin.fault@4.10", 200).0, acts_of_7);
        assert_eq!(done.counts.values().sum::<u64>(), acts_of_7.len() as u64);
        assert_eq!(done.counts.len(), 9, "each kind but `keep`: {:?}", done.counts);
        let faults = acts_of_7.iter().filter(|(act, _)| matches!(act, Some(Act::Fault(_)))).count();
        assert!(faults > 0 && faults == done.faults.len(), "{faults}");
    }

    #[test]
    fn words_are_forged_only_where_the_process_may_write() {
        let (acts, _) = acts("1@3@forge@", 300);
        let is_own = |address: u32| {
            (0x2000_0000..0x2000_0200).contains(&address) || (0x2000_0400..0x2000_0440).contains(&address)
        };
        assert!(acts.len() > 300, "{}", acts.len());
        for (act, _) in acts {
            assert!(matches!(act, Some(Act::Store { address, .. }) if is_own(address)), "{act:x?}");
        }
    }

    #[test]
    fn only_what_gives_back_is_left_out() {
        let done = Shared::default();
        let mut thread = thread("1@3@keep@", &done);
        let mut left_out = |number| {
            let own = End::Call { number, arguments: [0; 4] };
            let deeds = (0..2000).map(|_| thread.next(&own, Instant::START));
            deeds.filter(|deed| matches!(deed, Deed::LeftOut)).count()
        };
        assert!(left_out(CallNumber::SemaphoreSignal) > 0 && left_out(CallNumber::WaitPeriod) > 0);
        assert_eq!([CallNumber::SemaphoreWait, CallNumber::Time].map(&mut left_out), [0, 0]);
    }

    #[test]
    fn who_is_hostile_is_read() {
        let hostile: Hostile = "2@9@spin.call@4.7".parse().expect("well written");
        assert_eq!((hostile.process, hostile.seed, hostile.lines), (ProcessId(2), 9, vec![Line(4), Line(7)]));
        assert_eq!(hostile.kinds, [Misdeed::Spin, Misdeed::Call]);
        assert_eq!(hostile.programs, []);
        let sends: Hostile = "2@9@swap@@0:00ff.1:7f".parse().expect("well written");
        assert_eq!(sends.programs.len(), 2);
        assert_eq!(sends.programs[0], Arrival { slot: 0, bytes: vec![0, 255] });
        for wrong in [
            "",
            "2",
            "2@9",
            "2@9@spin",
            "2@9@shout@",
            "2@9@spin@x",
            "2@9@spin@1@2",
            "2@9@swap@@0:00@",
            "300@1@spin@",
        ] {
            assert_eq!(wrong.parse::<Hostile>(), Err(()), "{wrong}");
        }
    }
}
