//! The instructions executed in parts of a run, from the emulator's log: each part lies between two readings
//! of a timer.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// A part of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// From the clock reading with the first of these values to the one with the second.
    Ticks(u32, u32),
    /// Begins after the instruction at which the processor last fell asleep before this many readings of the
    /// device that wakes it; ends at the last of these readings.
    SinceSleep(usize),
    /// From the handler of the last interrupt before the clock read this value, up to that reading.
    SinceInterrupt(u32),
}

/// The most instructions of a part that begins with sleep or an interrupt.
const LONGEST: usize = 100_000;

/// Follows a log and keeps the instructions of the parts.
pub struct Executed {
    parts: Vec<(Part, State)>,
    /// Instructions that put the processor to sleep.
    sleeps: BTreeSet<u32>,
    since_sleep: Vec<u32>,
    /// The first instructions of the interrupt handlers.
    interrupts: BTreeSet<u32>,
    since_interrupt: Vec<u32>,
    /// Logged, but perhaps not executed.
    pending: Option<u32>,
    readings: usize,
}

enum State {
    Before,
    Within(Vec<u32>),
    Done(Vec<u32>),
}

/// The meaning of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    Instruction(u32),
    NotExecuted,
    Clock(u32),
    Waker,
}

impl Executed {
    /// Looks for these parts.
    pub fn new(parts: &[Part], sleeps: BTreeSet<u32>, interrupts: BTreeSet<u32>) -> Executed {
        let parts = parts.iter().map(|part| (*part, State::Before)).collect();
        let (since_sleep, since_interrupt) = (Vec::new(), Vec::new());
        Executed { parts, sleeps, since_sleep, interrupts, since_interrupt, pending: None, readings: 0 }
    }

    /// Takes the next line of the log. Breaks when all parts are complete.
    pub fn line(&mut self, line: &str) -> ControlFlow<()> {
        match Line::of(line) {
            // An instruction that reads a device is restarted, so it is logged twice.
            Some(Line::Instruction(address)) if self.pending != Some(address) => {
                self.commit();
                self.pending = Some(address);
            }
            Some(Line::NotExecuted) => self.pending = None,
            Some(Line::Clock(value)) => {
                self.commit();
                return self.at_ticks(value);
            }
            Some(Line::Waker) => {
                self.commit();
                self.readings += 1;
                return self.at_waker();
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    /// The instructions of each part; `None` for a part that isn't complete.
    pub fn parts(self) -> Vec<Option<Vec<u32>>> {
        let done = self.parts.into_iter().map(|(_, state)| match state {
            State::Done(addresses) => Some(addresses),
            State::Before | State::Within(_) => None,
        });
        done.collect()
    }

    fn commit(&mut self) {
        let Some(address) = self.pending.take() else { return };
        for (_, state) in &mut self.parts {
            if let State::Within(addresses) = state {
                addresses.push(address);
            }
        }
        if self.sleeps.contains(&address) {
            self.since_sleep.clear();
        } else if self.since_sleep.len() < LONGEST {
            self.since_sleep.push(address);
        }
        if self.interrupts.contains(&address) {
            self.since_interrupt.clear();
        }
        if self.since_interrupt.len() < LONGEST {
            self.since_interrupt.push(address);
        }
    }

    fn at_ticks(&mut self, value: u32) -> ControlFlow<()> {
        let mut is_end = false;
        for (part, state) in &mut self.parts {
            let (begin, end) = match *part {
                Part::Ticks(begin, end) => (begin, end),
                Part::SinceInterrupt(end) if end == value => {
                    *state = State::Done(self.since_interrupt.clone());
                    is_end = true;
                    continue;
                }
                Part::SinceInterrupt(_) | Part::SinceSleep(_) => continue,
            };
            if let State::Within(addresses) = state
                && end == value
            {
                *state = State::Done(std::mem::take(addresses));
                is_end = true;
            } else if begin == value {
                *state = State::Within(Vec::new());
            }
        }
        self.unless_done(is_end)
    }

    fn at_waker(&mut self) -> ControlFlow<()> {
        let mut is_end = false;
        for (part, state) in &mut self.parts {
            if *part == Part::SinceSleep(self.readings) {
                *state = State::Done(self.since_sleep.clone());
                is_end = true;
            }
        }
        self.unless_done(is_end)
    }

    fn unless_done(&self, is_end: bool) -> ControlFlow<()> {
        match is_end && self.parts.iter().all(|(_, state)| matches!(state, State::Done(_))) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}

impl Line {
    fn of(line: &str) -> Option<Line> {
        let (word, rest) = line.split_once(' ')?;
        match word {
            // `Trace 0: <host address> [<flags>/<address>/..] <symbol>`
            "Trace" => {
                let address = rest.split_once('[')?.1.split('/').nth(1)?;
                Some(Line::Instruction(u32::from_str_radix(address, 16).ok()?))
            }
            "Stopped" => Some(Line::NotExecuted),
            // The timers count down from all ones.
            "cmsdk_apb_timer_read" => value(rest).map(|value| Line::Clock(!value)),
            "cmsdk_apb_dualtimer_read" => value(rest).map(|_| Line::Waker),
            _ => None,
        }
    }
}

/// The value read from a timer, in `.. read: offset 0x4 data 0x.. size 4`.
fn value(access: &str) -> Option<u32> {
    let data = access.split_once("offset 0x4 data 0x")?.1;
    u32::from_str_radix(data.split_whitespace().next()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "\
Trace 0: 0x7f0 [00000000/00000100/00000110/ff000201] a
cpu_io_recompile: rewound execution of TB to 00000100
Trace 0: 0x7f0 [00000000/00000100/00000110/ff000201] a
cmsdk_apb_timer_read CMSDK APB timer read: offset 0x4 data 0xfffffff0 size 4
Trace 0: 0x7f1 [00000000/00000102/00000110/ff000201] a
Stopped execution of TB chain before 0x7f1 [00000102] a
Trace 0: 0x7f2 [00000000/00000010/00000110/ff000201] kernel
Trace 0: 0x7f2 [00000000/00000102/00000110/ff000201] a
Trace 0: 0x7f2 [00000000/00000104/00000110/ff000201] a
cmsdk_apb_timer_read CMSDK APB timer read: offset 0x4 data 0xffffffe0 size 4
Trace 0: 0x7f2 [00000000/00000106/00000110/ff000201] a
cmsdk_apb_timer_read CMSDK APB timer read: offset 0x8 data 0xffffffd0 size 4
Trace 0: 0x7f2 [00000000/00000200/00000110/ff000201] idle
Trace 0: 0x7f2 [00000000/00000010/00000110/ff000201] kernel
cmsdk_apb_dualtimer_read CMSDK APB dualtimer read: offset 0x4 data 0xfffff000 size 4
Trace 0: 0x7f2 [00000000/00000200/00000110/ff000201] idle
Trace 0: 0x7f2 [00000000/00000012/00000110/ff000201] kernel
cmsdk_apb_dualtimer_read CMSDK APB dualtimer read: offset 0x4 data 0xfffff000 size 4
";

    #[test]
    fn a_part_lies_between_two_readings_without_what_was_not_executed() {
        let mut executed = Executed::new(
            &[Part::Ticks(0xF, 0x1F), Part::Ticks(0x1F, 0x2F)],
            BTreeSet::new(),
            BTreeSet::new(),
        );
        assert!(LOG.lines().all(|line| executed.line(line).is_continue()), "the second one has no end");
        assert_eq!(executed.parts(), [Some(vec![0x10, 0x102, 0x104]), None]);
    }

    #[test]
    fn a_part_begins_where_the_processor_fell_asleep() {
        let parts = [Part::SinceSleep(2), Part::Ticks(0xF, 0x1F)];
        let mut executed = Executed::new(&parts, [0x200].into(), BTreeSet::new());
        let lines = LOG.lines().take_while(|line| executed.line(line).is_continue()).count();
        assert_eq!(lines + 1, LOG.lines().count(), "then all is there");
        assert_eq!(executed.parts()[0], Some(vec![0x12]));
    }

    #[test]
    fn a_part_begins_with_the_last_interrupt() {
        let mut executed = Executed::new(&[Part::SinceInterrupt(0x1F)], BTreeSet::new(), [0x10].into());
        let lines = LOG.lines().take_while(|line| executed.line(line).is_continue()).count();
        assert!(lines + 1 < LOG.lines().count(), "then all is there");
        assert_eq!(executed.parts()[0], Some(vec![0x10, 0x102, 0x104]));
    }
}
