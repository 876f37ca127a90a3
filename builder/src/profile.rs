//! Profiles: what a system may be held to beyond the rules for every system.
//!
//! A profile is a list of named rules. Each refuses something that is allowed elsewhere: because it can't be
//! analysed, or because a proof would rest on it although nothing enforces it. The book gives the reasons
//! (`docs/05-proof.md`).

use crate::Project;
use crate::assembly::{Assembly, Thread, Use, lenders};
use crate::proof::{believed, believed_charges, doubts, without_times};

/// A profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// For systems that somebody's safety depends on: everything that runs is declared, proved and fixed.
    HighIntegrity,
}

/// A rule of a profile.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// Its name, as it is printed.
    pub name: &'static str,
    /// What to do about a system that breaks it.
    pub proposal: &'static str,
    /// What breaks it in a system, a sentence each.
    broken: fn(&Project) -> Vec<String>,
}

/// A rule that a system breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The rule's name.
    pub rule: &'static str,
    /// What breaks it.
    pub said: String,
    /// What to do about it.
    pub proposal: &'static str,
}

const HIGH_INTEGRITY: &[Rule] = &[
    Rule {
        name: "proved-whole",
        proposal: "declare what is missing, or move the thread below everything that is proved",
        broken: |project| doubts(&project.assembly).into_iter().map(|doubt| doubt.said).collect(),
    },
    Rule {
        name: "times-declared",
        proposal: "give it `period` and `worst`, or `separation` and `worst`",
        broken: |project| unknown_times(&project.assembly),
    },
    Rule {
        name: "holds-declared",
        proposal: "say how long it is held at most: `hold = { .. }` of the thread",
        broken: |project| without_hold(&project.assembly),
    },
    Rule {
        name: "nothing-believed",
        proposal: "use a semaphore instead, or a process of its own for each level",
        broken: |project| believed(&project.assembly),
    },
    Rule {
        name: "charges-derived",
        proposal: "leave out `kernel = \"other core\"`",
        broken: |project| believed_charges(project.description.board.board.value).into_iter().collect(),
    },
    Rule {
        name: "no-arriving-programs",
        proposal: "leave the slot out, and flash an image with the other program",
        broken: |project| {
            let slots = project.assembly.objects.slots.iter();
            slots.map(|slot| format!("slot `{}` takes programs while the system runs", slot.name)).collect()
        },
    },
    Rule {
        name: "priorities-fixed",
        proposal: "give the thread one priority",
        broken: |project| {
            let ranged = project.assembly.threads.iter().filter(|thread| thread.priorities.is_some());
            ranged.map(|thread| format!("the priority of thread `{}` may change", thread.name)).collect()
        },
    },
    Rule {
        name: "processes-stop-whole",
        proposal: "leave `on_fault` out, and put what has to go on into a process of its own",
        broken: |project| {
            let partly = project.assembly.processes.iter().filter(|process| process.stops_thread_only);
            let said = |name: &str| {
                format!("a fault stops one thread of process `{name}`, whose memory others go on using")
            };
            partly.map(|process| said(&process.name)).collect()
        },
    },
    Rule {
        name: "no-warnings",
        proposal: "do what the warning proposes",
        broken: |project| project.assembly.warnings.iter().map(ToString::to_string).collect(),
    },
];

impl Profile {
    /// All of them.
    pub const ALL: &[Profile] = &[Profile::HighIntegrity];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Profile::HighIntegrity => "high-integrity",
        }
    }

    /// Its rules.
    #[must_use]
    pub const fn rules(self) -> &'static [Rule] {
        match self {
            Profile::HighIntegrity => HIGH_INTEGRITY,
        }
    }

    /// What a system breaks of it, in the order of the rules.
    #[must_use]
    pub fn broken(self, project: &Project) -> Vec<Broken> {
        let of_rule = |rule: &'static Rule| {
            let said = (rule.broken)(project).into_iter();
            said.map(|said| Broken { rule: rule.name, said, proposal: rule.proposal })
        };
        self.rules().iter().flat_map(of_rule).collect()
    }
}

/// Threads that run for unknown times.
fn unknown_times(assembly: &Assembly) -> Vec<String> {
    let said =
        |thread: &Thread| format!("nobody knows how often thread `{}` runs, and for how long", thread.name);
    without_times(assembly).into_iter().map(said).collect()
}

/// Locks, semaphores with an owner, and servers that are used for unknown times.
fn without_hold(assembly: &Assembly) -> Vec<String> {
    let objects = &assembly.objects;
    let held = |used: Use| match used {
        Use::Lock(index) => Some(("lock", &objects.locks[index].name)),
        Use::Semaphore(index) if lenders::has_owner(assembly, index) => {
            Some(("semaphore", &objects.semaphores[index].name))
        }
        Use::Call(index) => Some(("endpoint", &objects.endpoints[index].name)),
        _ => None,
    };
    let of_thread = |thread: &Thread| {
        let unknown = thread.uses.iter().filter(|used| assembly.hold(thread, **used).is_none());
        let said = |(kind, name): (&str, &String)| {
            format!("nobody knows how long thread `{}` holds {kind} `{name}`", thread.name)
        };
        unknown.filter_map(|used| held(*used)).map(said).collect::<Vec<_>>()
    };
    assembly.threads.iter().flat_map(of_thread).collect()
}
