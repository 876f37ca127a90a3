//! Deliberate faults in a run: interrupts that don't come, or come late, twice or too often; bits that flip;
//! threads that fault.

use std::str::FromStr;

use beryl_abi::{Duration, Instant, Line, ThreadId};

/// Something that goes wrong from an instant on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Harm {
    /// When.
    pub at: Instant,
    /// What.
    pub what: What,
}

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum What {
    /// The next interrupt on a line doesn't come.
    Drop(Line),
    /// The next interrupt on a line comes later by this much.
    Delay(Line, Duration),
    /// The next interrupt on a line comes again after this time.
    Again(Line, Duration),
    /// An interrupt comes that its device didn't raise.
    Raise(Line),
    /// A bit of a byte of the system's memory changes.
    Flip(u32, u8),
    /// A thread panics at its next operation.
    Stop(ThreadId),
}

/// `drop:LINE@TICK`, `delay:LINE@TICK+TICKS`, `again:LINE@TICK+TICKS`, `raise:LINE@TICK`,
/// `flip:ADDRESS.BIT@TICK`, `stop:THREAD@TICK`.
impl FromStr for Harm {
    type Err = ();

    fn from_str(text: &str) -> Result<Harm, ()> {
        read(text).ok_or(())
    }
}

fn read(text: &str) -> Option<Harm> {
    let (what, rest) = text.split_once(':')?;
    let (whom, when) = rest.split_once('@')?;
    let (at, later) = when.split_once('+').unwrap_or((when, "0"));
    let line = || whom.parse().ok().map(Line);
    let later = Duration::from_ticks(later.parse().ok()?);
    let what = match what {
        "drop" => What::Drop(line()?),
        "delay" => What::Delay(line()?, later),
        "again" => What::Again(line()?, later),
        "raise" => What::Raise(line()?),
        "flip" => {
            let (address, bit) = whom.split_once('.')?;
            What::Flip(address.parse().ok()?, bit.parse().ok().filter(|bit| *bit < 8)?)
        }
        "stop" => What::Stop(ThreadId(whom.parse().ok()?)),
        _ => return None,
    };
    Some(Harm { at: Instant::from_ticks(at.parse().ok()?), what })
}

/// The faults of a run that are still to come.
#[derive(Clone, Debug, Default)]
pub(crate) struct Harms {
    left: Vec<Harm>,
    /// Interrupts that come late or again.
    later: Vec<(Instant, Line)>,
}

impl Harms {
    pub(crate) fn new(harms: &[Harm]) -> Harms {
        Harms { left: harms.to_vec(), later: Vec::new() }
    }

    /// When the next of them happens by itself.
    pub(crate) fn next(&self) -> Instant {
        let own = self.left.iter().filter(|harm| harm.what.is_by_itself()).map(|harm| harm.at);
        own.chain(self.later.iter().map(|(at, _)| *at)).min().unwrap_or(Instant::NEVER)
    }

    /// Meets an interrupt that its device raises: returns whether it comes now.
    pub(crate) fn meet(&mut self, line: Line, now: Instant) -> bool {
        let is_about = |harm: &Harm| harm.at.is_due(now) && harm.what.line_met() == Some(line);
        let Some(place) = self.left.iter().position(is_about) else { return true };
        match self.left.remove(place).what {
            What::Delay(_, later) => self.later.push((now.after(later), line)),
            What::Again(_, later) => {
                self.later.push((now.after(later), line));
                return true;
            }
            _ => {}
        }
        false
    }

    /// An interrupt that comes now: late, again, or for no reason.
    pub(crate) fn line(&mut self, now: Instant) -> Option<Line> {
        if let Some(place) = self.later.iter().position(|(at, _)| at.is_due(now)) {
            return Some(self.later.remove(place).1);
        }
        let is_due = |harm: &Harm| harm.at.is_due(now) && matches!(harm.what, What::Raise(_));
        let place = self.left.iter().position(is_due)?;
        match self.left.remove(place).what {
            What::Raise(line) => Some(line),
            _ => None,
        }
    }

    /// A bit that flips now, or a thread that faults.
    pub(crate) fn inside(&mut self, now: Instant) -> Option<What> {
        let is_due = |harm: &Harm| harm.at.is_due(now) && matches!(harm.what, What::Flip(..) | What::Stop(_));
        let place = self.left.iter().position(is_due)?;
        Some(self.left.remove(place).what)
    }
}

impl What {
    fn is_by_itself(self) -> bool {
        self.line_met().is_none()
    }

    /// The line whose next interrupt it affects.
    fn line_met(self) -> Option<Line> {
        match self {
            What::Drop(line) | What::Delay(line, _) | What::Again(line, _) => Some(line),
            What::Raise(_) | What::Flip(..) | What::Stop(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Harm, Harms, What};
    use beryl_abi::{Instant, Line, ThreadId};

    fn harms(texts: &[&str]) -> Harms {
        let read = |text: &&str| text.parse::<Harm>().unwrap_or_else(|()| panic!("{text}"));
        Harms::new(&texts.iter().map(read).collect::<Vec<_>>())
    }

    fn at(ticks: u64) -> Instant {
        Instant::from_ticks(ticks)
    }

    #[test]
    fn interrupts_are_dropped_delayed_and_come_again_once() {
        let mut harms = harms(&["drop:4@10", "delay:4@10+5", "again:7@0+2"]);
        assert_eq!(harms.next(), Instant::NEVER, "they wait for an interrupt");
        assert!(harms.meet(Line(4), at(9)) && harms.meet(Line(5), at(20)), "too early, another line");
        assert!(!harms.meet(Line(4), at(11)), "dropped");
        assert!(!harms.meet(Line(4), at(12)), "delayed");
        assert!(harms.meet(Line(4), at(13)) && harms.meet(Line(7), at(14)) && harms.meet(Line(7), at(15)));
        assert_eq!((harms.next(), harms.line(at(15))), (at(16), None));
        assert_eq!([16, 16, 17].map(|now| harms.line(at(now))), [Some(Line(7)), None, Some(Line(4))]);
    }

    #[test]
    fn what_happens_by_itself_happens_at_its_instant() {
        let mut harms = harms(&["raise:3@20", "flip:536870912.7@10", "stop:2@15"]);
        assert_eq!((harms.next(), harms.inside(at(9))), (at(10), None));
        assert_eq!(harms.inside(at(10)), Some(What::Flip(0x2000_0000, 7)));
        assert_eq!(harms.inside(at(16)), Some(What::Stop(ThreadId(2))));
        assert_eq!((harms.next(), harms.line(at(20)), harms.next()), (at(20), Some(Line(3)), Instant::NEVER));
        for wrong in
            ["drop", "drop:4", "drop:x@1", "flip:1.8@1", "flip:1@1", "stop:256@1", "rain:1@1", "delay:4@1+x"]
        {
            assert_eq!(wrong.parse::<Harm>(), Err(()), "{wrong}");
        }
    }
}
