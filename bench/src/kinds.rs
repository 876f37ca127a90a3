//! Kinds: how long a step of each kind can be that the proof charges by itself, and of which kind a step is that was seen.
//!
//! An event says of which kind the step is that it begins. A round of the kernel's loop is of one kind or another by what it comes to:
//! some functions are *marks*, and the first of [`Mark::ALL`] that a round comes to decides. The bound of a kind is that of all paths that
//! come to no mark of another. That no path comes to two of them, where that could hide a longer one, is looked at for each kernel.

use anyhow::{Context, Result, ensure};
use beryl_abi::CallNumber;
use beryl_builder::Project;
use beryl_builder::proof::{Kind, most_waiting};
use beryl_path::{Report, Request, longest_step};

use crate::events::Event;
use crate::observed::{Begin, Seen};
use crate::step::Kernel;

/// What a round may come to that tells of which kind it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// An interrupt or the alarm is taken.
    Interrupt,
    /// A place is looked for on.
    Sorting,
    /// Other deferred work.
    Deferred,
    /// It is decided who runs.
    Decision,
    /// A place goes into a band, or a timer is set.
    Placing,
    /// It is told of a driver.
    Driver,
    /// A program goes on.
    Program,
}

impl Mark {
    /// All of them, those that decide first in front.
    pub const ALL: [Mark; 7] = [
        Mark::Interrupt,
        Mark::Sorting,
        Mark::Deferred,
        Mark::Decision,
        Mark::Placing,
        Mark::Driver,
        Mark::Program,
    ];

    /// Its functions.
    pub fn functions(self) -> &'static [&'static str] {
        match self {
            Mark::Interrupt => &["kernel::interrupt_at_length"],
            Mark::Sorting => &["::sort_on"],
            Mark::Deferred => &["::do_deferred"],
            Mark::Decision => &["::decide_at_length"],
            Mark::Placing => &["Bands<S>::insert", "Timers<S>::set", "::set_timer", "::release_plainly"],
            Mark::Driver => &["::tell_of_driver"],
            Mark::Program => &["::run"],
        }
    }

    /// The kind of rounds that come to it.
    fn kind(self) -> Kind {
        match self {
            Mark::Interrupt | Mark::Deferred => Kind::Job,
            Mark::Sorting => Kind::Sorting,
            Mark::Decision => Kind::Decision,
            Mark::Placing => Kind::Release,
            Mark::Driver => Kind::Driver,
            Mark::Program => Kind::Reaction,
        }
    }
}

/// What else a round may do that sorts a place in, if nothing of it were known: all else that is a function of its own.
const NO_SORTING: [&str; 15] = [
    "::run",
    "::select",
    "::copy_chunk",
    "::let_drivers_run",
    "::wait_for_driver",
    "::return_to_band",
    "::take_promised",
    "::park",
    "::set_end_of_wait",
    "::time_out",
    "::wake_next",
    "::stop_next",
    "::bring_back_all",
    "::end_of_chain",
    "::copy",
];
/// What is stopped is no deferred work of a job.
const STOPPED: &str = "::stop_next";

/// Who has missed a release begins with what it missed.
const CATCH_UP: &str = "::catch_up";

/// Calls that any thread may make, whatever objects there are. Proofs count on it that they are no longer than the end of a job, or than
/// any other step that one costs.
const NEEDS_NO_OBJECT: [CallNumber; 7] = [
    CallNumber::Null,
    CallNumber::Yield,
    CallNumber::ExecutionTime,
    CallNumber::Time,
    CallNumber::Stop,
    CallNumber::Preempt,
    CallNumber::SetPriority,
];

/// A bound of a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound {
    /// Of which kind.
    pub kind: Kind,
    /// Of which steps.
    pub of: String,
    /// In instructions.
    pub instructions: u64,
}

/// The kind of the step that an event begins.
#[must_use]
pub fn of_event(event: Event) -> Option<Kind> {
    match event {
        Event::Alarm => Some(Kind::Alarm),
        Event::Interrupt(_) | Event::Start => Some(Kind::Job),
        Event::Fault | Event::UnknownCall => Some(Kind::Call),
        Event::Round => None,
        Event::Call(number) => Some(match number {
            CallNumber::Complete | CallNumber::WaitPeriod => Kind::Completion,
            CallNumber::NotificationWait | CallNumber::SleepUntil => Kind::Completion,
            CallNumber::DriverDone => Kind::Reaction,
            _ => Kind::Call,
        }),
    }
}

/// The kind of a step that was seen. Faults and the start aren't told apart; no fault is ever seen.
#[must_use]
pub fn of(seen: &Seen, project: &Project) -> Kind {
    let of_round =
        || Mark::ALL.into_iter().find(|mark| seen.came_to.contains(mark)).map_or(Kind::Reaction, Mark::kind);
    match seen.begin {
        Begin::Look => of_round(),
        Begin::Other => Kind::Job,
        begin => Event::of_begin(begin, project).into_iter().find_map(of_event).unwrap_or(Kind::Call),
    }
}

/// Marks of rounds that aren't one of the E machine's.
const BEFORE: [Mark; 3] = [Mark::Interrupt, Mark::Sorting, Mark::Deferred];
/// Kinds of the others, with the marks that their rounds may come to.
const ROUNDS: [(Kind, &str, &[Mark]); 4] = [
    (Kind::Decision, "a round that decides", &[Mark::Decision]),
    (Kind::Release, "a round that releases", &[Mark::Placing, Mark::Program]),
    (Kind::Driver, "a round that tells of a driver", &[Mark::Driver, Mark::Program]),
    (Kind::Reaction, "a round that does nothing else", &[Mark::Program]),
];

impl Kernel {
    /// Bounds the steps of each kind of a run without recording, but for those of checking a program and those that no run comes to that
    /// keeps what is proved. Others may be left out, too.
    ///
    /// # Errors
    /// A path that has no bound, and one of two kinds that is longer than either.
    pub fn bounds_of_kinds(&self, left_out: &[&str]) -> Result<Vec<Bound>> {
        let report = self.bounded(left_out)?;
        self.kinds(&report, left_out)
    }

    /// The same where the steps of each event are bounded already.
    ///
    /// # Errors
    /// See [`Kernel::bounds_of_kinds`].
    pub fn kinds(&self, report: &Report, left_out: &[&str]) -> Result<Vec<Bound>> {
        let mut bounds = Vec::new();
        let assembly = &self.project.assembly;
        let longer = [Kind::Job, Kind::Completion].into_iter().max_by_key(|kind| kind.instructions(assembly));
        let longer = longer.unwrap_or(Kind::Job);
        // A thread that has missed a release isn't proved. Where it may be at work for others, any call counts, and without objects the end of
        // any job.
        let counts_any = assembly.objects.count() > 0 || assembly.objects.trace.is_some();
        for event in Event::of(&self.project) {
            let name = event.name();
            let step = report.step(&name).with_context(|| format!("nothing is bounded of {name}"))?;
            let needs_none = matches!(event, Event::Call(number) if NEEDS_NO_OBJECT.contains(&number));
            for kind in [Kind::Call].into_iter().chain(needs_none.then_some(longer)) {
                bounds.push(Bound { kind, of: name.clone(), instructions: step.instructions });
            }
            let Some(kind) = of_event(event).filter(|kind| *kind != Kind::Call) else { continue };
            let instructions = match event {
                Event::Call(CallNumber::WaitPeriod) if counts_any => {
                    self.longest_of(event, self.request(&[left_out, &[CATCH_UP]].concat())?)?
                }
                _ => step.instructions,
            };
            bounds.push(Bound { kind, of: name, instructions });
        }
        let [job, both] = [self.round(&[STOPPED], &[], left_out)?, self.round(&[], &BEFORE, left_out)?];
        bounds.push(Bound { kind: Kind::Job, of: "any round".to_owned(), instructions: job });
        let mut longest = 0;
        for (kind, of, may) in ROUNDS {
            let others = Mark::ALL.into_iter().filter(|mark| !may.contains(mark));
            let instructions = self.round(&[], &others.collect::<Vec<_>>(), left_out)?;
            longest = longest.max(instructions);
            bounds.push(Bound { kind, of: of.to_owned(), instructions });
        }
        ensure!(
            both <= longest,
            "a round of {} that is of two kinds has {both} instructions, and the longest of one {longest}: kinds can't be told apart",
            self.project.assembly.name
        );
        if self.project.assembly.sorting_steps() > 0 {
            let others = Mark::ALL.into_iter().filter(|mark| ![Mark::Sorting, Mark::Deferred].contains(mark));
            let instructions = self.round(&NO_SORTING, &others.collect::<Vec<_>>(), left_out)?;
            bounds.push(Bound { kind: Kind::Sorting, of: "a round that sorts in".to_owned(), instructions });
        }
        Ok(bounds)
    }

    /// The longest round that comes to none of some functions and marks, where no more threads wait for an object than are described.
    fn round(&self, functions: &[&str], marks: &[Mark], left_out: &[&str]) -> Result<u64> {
        let marks = marks.iter().flat_map(|mark| mark.functions()).copied();
        let excluded: Vec<&str> = left_out.iter().chain(functions).copied().chain(marks).collect();
        let mut request = self.request(&excluded)?;
        let waiting = most_waiting(&self.project.assembly);
        request.bounds.insert("WAITERS".to_owned(), waiting.into());
        self.longest_of(Event::Round, request)
    }

    fn longest_of(&self, event: Event, request: Request) -> Result<u64> {
        let entries = vec![event.entry(&self.project)];
        Ok(longest_step(&self.elf, &Request { entries, ..request })?.longest)
    }

    /// Holds what steps of each kind can be against what they are charged.
    ///
    /// # Errors
    /// All bounds that are too low.
    pub fn hold_kinds(&self, left_out: &[&str]) -> Result<()> {
        let assembly = &self.project.assembly;
        let mut low = Vec::new();
        for Bound { kind, of, instructions } in self.bounds_of_kinds(left_out)? {
            let charged = kind.instructions(assembly);
            if instructions > charged {
                low.push(format!("{}: {charged} are charged, {of} has {instructions}", kind.name()));
            }
        }
        ensure!(low.is_empty(), "the proofs of {} are wrong:\n{}", assembly.name, low.join("\n"));
        Ok(())
    }
}
