//! Sections: how long the kernel excludes everything else, by the kind of object concerned, like the
//! Feather-Trace paper's study of Linux's locks (OSPERT 2007, section 5).
//!
//! The kernel has one lock, which no handler takes twice: all its exceptions have the same priority, so each
//! step is a section that nothing interrupts, and none nests.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};
use beryl_abi::{CallNumber, Instant};
use beryl_bench::events::Event;
use beryl_bench::observed::Seen;
use beryl_bench::plot::{Line, Plot};
use beryl_bench::step::Kernel;

use super::{NAME, alone, built, end, kernel, shared, workshop};

/// The run length of the system that shares everything, in ticks of 40 ns: 400 ms.
const LONG: Instant = Instant::from_ticks(10_000_000);

/// The purpose of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum For {
    /// Semaphores.
    Semaphores,
    /// Conditions.
    Conditions,
    /// Mailboxes.
    Mailboxes,
    /// Endpoints.
    Endpoints,
    /// Notifications, and waits for interrupts.
    Notifications,
    /// Event groups.
    EventGroups,
    /// State messages read by a call.
    StateMessages,
    /// A thread kept out by a ceiling.
    Ceilings,
    /// Ends of jobs and drivers, and sleeping.
    Jobs,
    /// Without an object: clocks, yields, slots, traces.
    Others,
    /// Interrupts and the alarm.
    Interrupts,
    /// A round of the kernel's loop: due work, deferred work or a decision.
    Rounds,
}

impl For {
    const ALL: [For; 12] = [
        For::Semaphores,
        For::Conditions,
        For::Mailboxes,
        For::Endpoints,
        For::Notifications,
        For::EventGroups,
        For::StateMessages,
        For::Ceilings,
        For::Jobs,
        For::Others,
        For::Interrupts,
        For::Rounds,
    ];

    fn name(self) -> &'static str {
        match self {
            For::Semaphores => "semaphores",
            For::Conditions => "conditions",
            For::Mailboxes => "mailboxes",
            For::Endpoints => "endpoints",
            For::Notifications => "notifications",
            For::EventGroups => "event groups",
            For::StateMessages => "state messages, slow",
            For::Ceilings => "ceiling locks",
            For::Jobs => "ends of jobs, sleeping",
            For::Others => "other calls",
            For::Interrupts => "interrupts, the alarm",
            For::Rounds => "rounds of the loop",
        }
    }

    /// The purpose of a step that begins with an event; `None` for the start, which comes before everything
    /// else.
    fn of(event: Event) -> Option<For> {
        use CallNumber as Call;
        Some(match event {
            Event::Start | Event::Fault => return None,
            Event::Alarm | Event::Interrupt(_) => For::Interrupts,
            Event::Round => For::Rounds,
            Event::UnknownCall => For::Others,
            Event::Call(number) => match number {
                Call::SemaphoreWait | Call::SemaphoreSignal => For::Semaphores,
                Call::ConditionWait | Call::ConditionSignal | Call::ConditionBroadcast => For::Conditions,
                Call::MailboxSend | Call::MailboxReceive => For::Mailboxes,
                Call::EndpointCall | Call::EndpointReceive | Call::EndpointReply => For::Endpoints,
                Call::Notify | Call::NotificationWait | Call::Acknowledge => For::Notifications,
                Call::EventGroupSet | Call::EventGroupClear | Call::EventGroupWait => For::EventGroups,
                Call::StateMessageRead => For::StateMessages,
                Call::Preempt => For::Ceilings,
                Call::Complete | Call::WaitPeriod | Call::SleepUntil | Call::DriverDone => For::Jobs,
                _ => For::Others,
            },
        })
    }
}

/// How often sections of each length were observed, by purpose.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Sections {
    lengths: BTreeMap<For, BTreeMap<u64, u64>>,
    /// The number of systems run.
    systems: u64,
}

/// Runs the system that shares everything, and systems drawn from a seed on, and reports each.
pub fn sections(from: u64, count: u64) -> Result<Sections> {
    let _alone = alone(NAME)?;
    let mut sections = Sections::default();
    sections.run(&kernel(shared::system(), None).context("the system that shares everything")?, LONG)?;
    for seed in (from..).take(usize::try_from(count)?) {
        if let Some(kernel) = built(seed, None)? {
            sections.run(&kernel, end(&kernel.project)).with_context(|| format!("seed {seed}"))?;
        }
        eprintln!("seed {seed}: {} systems were run", sections.systems);
    }
    Ok(sections)
}

impl Sections {
    fn run(&mut self, kernel: &Kernel, end: Instant) -> Result<()> {
        let bounds = kernel.bounds()?;
        let seen = kernel.steps(&workshop(), &bounds, end)?;
        ensure!(!seen.is_empty(), "no step was seen");
        self.systems += 1;
        for Seen { begin, instructions, .. } in seen {
            let bound = Event::bound(&bounds, begin, &kernel.project);
            ensure!(instructions <= bound, "{begin:?}: {instructions} instructions, bounded by {bound}");
            let events = Event::of_begin(begin, &kernel.project);
            if let Some(object) = events.into_iter().find_map(For::of) {
                *self.lengths.entry(object).or_default().entry(instructions).or_default() += 1;
            }
        }
        Ok(())
    }

    /// In a sentence.
    pub fn words(&self) -> String {
        let all: u64 = self.lengths.values().flat_map(BTreeMap::values).sum();
        format!("{} sections of {} systems.", all, self.systems)
    }

    /// The page's table.
    pub fn table(&self) -> String {
        let mut text = String::from(
            "| for | sections | shortest | median | mean | 93 % are no longer than | longest |\n|---|--:|--:|--:|--:|--:|--:|\n",
        );
        for object in For::ALL {
            let Some(lengths) = self.lengths.get(&object) else { continue };
            let lengths = Lengths(lengths);
            text += &format!(
                "| {} | {} | {} | {} | {} | {} | {} |\n",
                object.name(),
                lengths.count(),
                lengths.at(0),
                lengths.at(50),
                lengths.mean(),
                lengths.at(93),
                lengths.at(100)
            );
        }
        text
    }

    /// The percentage of sections up to each length.
    pub fn plot(&self) -> String {
        let line = |object: For| {
            let points = Lengths(self.lengths.get(&object)?).cumulative();
            Some(Line { name: object.name().to_owned(), points })
        };
        let lines = For::ALL.into_iter().filter_map(line).collect();
        Plot {
            title: "How long the kernel keeps everybody else out",
            across: "instructions",
            up: "per cent of sections that are no longer",
            lines,
        }
        .svg()
    }
}

/// How often each length was observed; at least one was.
struct Lengths<'a>(&'a BTreeMap<u64, u64>);

impl Lengths<'_> {
    fn count(&self) -> u64 {
        self.0.values().sum()
    }

    fn mean(&self) -> u64 {
        let sum: u64 = self.0.iter().map(|(length, count)| length * count).sum();
        sum.checked_div(self.count()).unwrap_or_default()
    }

    /// The length that this percentage doesn't exceed; the shortest for zero.
    fn at(&self, percent: u64) -> u64 {
        let wanted = (self.count() * percent).div_ceil(100).max(1);
        let mut passed = 0;
        let reaches = |(_, count): &(&u64, &u64)| {
            passed += **count;
            passed >= wanted
        };
        self.0.iter().find(reaches).map_or(0, |(length, _)| *length)
    }

    /// Steps: each length twice, with the shorter ones, and with those up to it.
    fn cumulative(&self) -> Vec<(u64, u64)> {
        let (all, mut passed) = (self.count(), 0);
        let percent = |part: u64| (part * 100).checked_div(all).unwrap_or_default();
        let stair = |(length, count): (&u64, &u64)| {
            let before = percent(passed);
            passed += count;
            [(*length, before), (*length, percent(passed))]
        };
        self.0.iter().flat_map(stair).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_told_by_their_parts() {
        let lengths = BTreeMap::from([(10, 6), (20, 3), (400, 1)]);
        let lengths = Lengths(&lengths);
        assert_eq!(
            [0, 50, 60, 61, 90, 91, 100].map(|percent| lengths.at(percent)),
            [10, 10, 10, 20, 20, 400, 400]
        );
        assert_eq!((lengths.count(), lengths.mean()), (10, 52));
        assert_eq!(lengths.cumulative(), [(10, 0), (10, 60), (20, 60), (20, 90), (400, 90), (400, 100)]);
    }

    /// Each kind of call occurs in one run, with the object free or taken, and none is longer than its bound.
    #[test]
    fn the_system_that_shares_everything_comes_to_sections_of_each_object() {
        let _alone = alone(NAME).expect("a lock");
        let kernel = kernel(shared::system(), None).expect("an image");
        let mut sections = Sections::default();
        sections.run(&kernel, LONG).expect("a run");
        println!("{}", sections.table());
        let missing: Vec<_> =
            For::ALL.into_iter().filter(|object| !sections.lengths.contains_key(object)).collect();
        assert_eq!(missing, []);
    }
}
