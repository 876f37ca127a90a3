//! Kinds: how long steps can be of each kind that the proof charges separately, and the kind of an observed
//! step.
//!
//! An event determines the kind of the step that it begins. The kind of a round of the kernel's loop depends
//! on the functions that it calls: some are *marks*, and the first of [`Mark::ALL`] that a round reaches
//! decides. The bound of a kind is that of all paths that reach no mark of another kind. For each kernel a
//! check ensures that no path reaches two of them if that could hide a longer one.

use anyhow::{Context, Result, ensure};
use beryl_abi::CallNumber;
use beryl_builder::Project;
use beryl_builder::proof::{Kind, most_waiting};
use beryl_path::{Report, Request, longest_step};

use crate::events::Event;
use crate::observed::{Begin, Seen};
use crate::step::Kernel;

/// A mark of a round's kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// An interrupt or the alarm is taken.
    Interrupt,
    /// The search for a thread's place goes on.
    Sorting,
    /// Other deferred work.
    Deferred,
    /// The kernel decides which thread runs.
    Decision,
    /// A thread is placed into a band, or a timer is set.
    Placing,
    /// A driver is traced.
    Driver,
    /// A program continues.
    Program,
}

impl Mark {
    /// All marks; the first one that applies decides.
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
            Mark::Interrupt => &["::interrupt_at_length"],
            Mark::Sorting => &["::sort_on"],
            Mark::Deferred => &["::do_deferred"],
            Mark::Decision => &["::decide_at_length"],
            Mark::Placing => &[
                "Bands<S>::insert",
                "Timers<S>::set",
                "::set_timer",
                "::release_plainly",
                // whose timer is set again afterwards
                "::bring_budget_back",
            ],
            Mark::Driver => &["::tell_of_driver"],
            Mark::Program => &["::run", "::differs_from_kept"],
        }
    }

    /// The kind of the rounds that reach it.
    fn kind(self) -> Kind {
        match self {
            Mark::Interrupt | Mark::Deferred => Kind::Job,
            Mark::Sorting => Kind::Sorting,
            Mark::Decision => Kind::Decision,
            Mark::Placing => Kind::Release,
            Mark::Driver => Kind::Driver,
            Mark::Program => Kind::EMachine,
        }
    }
}

/// Other functions that the analysis would think a sorting round could reach: all those that are compiled
/// separately.
const NO_SORTING: [&str; 18] = [
    "::deal_with_budgets",
    "::date_or_lose",
    "::date",
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
/// Stopping isn't deferred work of a job.
pub(crate) const STOPPED: &str = "::stop_next";
/// Putting back to the start isn't part of a stop.
const RENEWED: &str = "::begin_renewal";
/// What stopping does where it finds something: a thread, its first registers, those who wait for its semaphores.
const FOUND: [&str; 4] = ["::stop_thread", "::withdraw", "Kernel<S,M>>::restart", "::pass_on"];

/// A thread that has missed a release begins with the missed one.
const CATCH_UP: &str = "::catch_up";

/// Calls that any thread may make, whatever objects there are. Proofs rely on their being no longer than the
/// end of a job, or than any other step that a job costs.
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
    /// The kind.
    pub kind: Kind,
    /// The steps that it covers.
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
        Event::Fault => Some(Kind::Search),
        Event::UnknownCall => Some(Kind::Call),
        Event::Round => None,
        Event::Call(number) => Some(match number {
            CallNumber::Complete | CallNumber::WaitPeriod => Kind::Completion,
            CallNumber::NotificationWait | CallNumber::SleepUntil => Kind::Completion,
            CallNumber::DriverDone => Kind::EMachine,
            _ => Kind::Call,
        }),
    }
}

/// The kind of an observed step. Faults and the start can't be told apart; no fault is ever observed.
#[must_use]
pub fn of(seen: &Seen, project: &Project) -> Kind {
    let of_round =
        || Mark::ALL.into_iter().find(|mark| seen.came_to.contains(mark)).map_or(Kind::EMachine, Mark::kind);
    match seen.begin {
        Begin::Look => of_round(),
        Begin::Other => Kind::Job,
        begin => Event::of_begin(begin, project).into_iter().find_map(of_event).unwrap_or(Kind::Call),
    }
}

/// Marks of rounds that don't belong to the E machine.
const BEFORE: [Mark; 3] = [Mark::Interrupt, Mark::Sorting, Mark::Deferred];
/// The other kinds, with the marks that their rounds may reach.
const ROUNDS: [(Kind, &str, &[Mark]); 4] = [
    (Kind::Decision, "a round that decides", &[Mark::Decision]),
    (Kind::Release, "a round that releases", &[Mark::Placing, Mark::Program]),
    (Kind::Driver, "a round that tells of a driver", &[Mark::Driver, Mark::Program]),
    (Kind::EMachine, "a round that does nothing else", &[Mark::Program]),
];

impl Kernel {
    /// Bounds the steps of each kind in a run without recording. Steps that check a program are excluded, and
    /// so are steps that no run reaches while the proof's assumptions hold. `left_out` excludes more.
    ///
    /// # Errors
    /// If a path has no bound, or one of two kinds is longer than either.
    pub fn bounds_of_kinds(&self, left_out: &[&str]) -> Result<Vec<Bound>> {
        let report = self.bounded(left_out)?;
        self.kinds(&report, left_out)
    }

    /// The same, if the steps of each event are already bounded.
    ///
    /// # Errors
    /// See [`Kernel::bounds_of_kinds`].
    pub fn kinds(&self, report: &Report, left_out: &[&str]) -> Result<Vec<Bound>> {
        let mut bounds = Vec::new();
        let assembly = &self.project.assembly;
        let longer = [Kind::Job, Kind::Completion].into_iter().max_by_key(|kind| kind.instructions(assembly));
        let longer = longer.unwrap_or(Kind::Job);
        // A thread that has missed a release isn't proved. If it may be at work for others, any call counts,
        // and without objects the end of any job.
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
        for (kind, of, functions) in [
            (Kind::Stop, "a round that stops something", &[][..]),
            (Kind::Search, "a look for what a stop leaves", &FOUND[..]),
        ] {
            let others = NO_SORTING.into_iter().filter(|function| *function != STOPPED);
            let functions = [functions, &["::sort_on", RENEWED], &others.collect::<Vec<_>>()].concat();
            let marks = Mark::ALL.into_iter().filter(|mark| ![Mark::Sorting, Mark::Deferred].contains(mark));
            let instructions = self.round(&functions, &marks.collect::<Vec<_>>(), left_out)?;
            bounds.push(Bound { kind, of: of.to_owned(), instructions });
        }
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

    /// The longest round that reaches none of the given functions and marks, if no more threads wait for an
    /// object than described.
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

    /// Checks the possible steps of each kind against their charges.
    ///
    /// # Errors
    /// All charges that are too low.
    pub fn hold_kinds(&self, left_out: &[&str]) -> Result<()> {
        let assembly = &self.project.assembly;
        let processor = self.processor();
        let mut low = Vec::new();
        for Bound { kind, of, instructions } in self.bounds_of_kinds(left_out)? {
            let charged = kind.charged(assembly, processor);
            if instructions > charged {
                low.push(format!("{}: {charged} are charged, {of} has {instructions}", kind.name()));
            }
        }
        ensure!(low.is_empty(), "the proofs of {} are wrong:\n{}", assembly.name, low.join("\n"));
        Ok(())
    }
}
