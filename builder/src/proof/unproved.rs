//! What the proof doesn't cover, in words: work and waiting for times that nobody has declared, and the threads
//! whose proof is spoiled by that.

use std::collections::BTreeSet;

use crate::assembly::{Assembly, Policy, Role, Thread, Use, lenders};
use crate::description::Waits;

/// Something that could make jobs late and isn't counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubt {
    /// A sentence.
    pub said: String,
    /// The threads whose jobs it could make late, in the order of the table.
    pub whom: BTreeSet<usize>,
}

/// Everything that could make a job late and isn't counted, a sentence each. Nothing if the proof is whole.
#[must_use]
pub fn unproved(assembly: &Assembly) -> Vec<String> {
    doubts(assembly).into_iter().map(|doubt| doubt.said).collect()
}

/// The same, with the threads that it concerns. Jobs of other threads are proved.
#[must_use]
pub fn doubts(assembly: &Assembly) -> Vec<Doubt> {
    let view = View::of(assembly);
    if view.proved.is_empty() {
        return Vec::new();
    }
    let mut doubts = Vec::new();
    doubts.extend(indices(assembly).filter_map(|thread| view.beside(thread)));
    doubts.extend(indices(assembly).filter_map(|thread| view.below_bandwidth(thread)));
    doubts.extend(indices(assembly).filter_map(|thread| view.sections_of_bandwidth(thread)));
    doubts.extend(view.below_code());
    doubts.extend(view.locks());
    doubts.extend(view.nested());
    doubts.extend(view.proved.iter().filter_map(|thread| view.waiting(*thread)));
    doubts.extend(view.interrupts());
    doubts
}

/// Threads that run for unknown times: they have no period and no separation, and aren't servers whose time is part
/// of their clients' times.
#[must_use]
pub fn without_times(assembly: &Assembly) -> Vec<&Thread> {
    let view = View::of(assembly);
    let is_unknown = |index: &usize| {
        matches!(view.thread(*index).role, Role::Free { sporadic: None, .. })
            && view.thread(*index).enforced_budget().is_none()
            && !view.is_counted_server(*index)
    };
    indices(assembly).filter(is_unknown).map(|index| &assembly.threads[index]).collect()
}

/// Whether the analysis counts a thread's jobs.
fn is_proved(assembly: &Assembly, thread: usize) -> bool {
    let thread = &assembly.threads[thread];
    thread.has_jobs() || thread.enforced_budget().is_some()
}

fn indices(assembly: &Assembly) -> std::ops::Range<usize> {
    0..assembly.threads.len()
}

pub(super) struct View<'a> {
    pub(super) assembly: &'a Assembly,
    /// The threads whose jobs the analysis counts.
    proved: Vec<usize>,
}

impl<'a> View<'a> {
    pub(super) fn of(assembly: &'a Assembly) -> View<'a> {
        let proved = indices(assembly).filter(|thread| is_proved(assembly, *thread)).collect();
        View { assembly, proved }
    }

    pub(super) fn thread(&self, index: usize) -> &'a Thread {
        &self.assembly.threads[index]
    }

    /// The proved threads that fit.
    pub(super) fn those(&self, fits: impl Fn(usize) -> bool) -> BTreeSet<usize> {
        self.proved.iter().copied().filter(|thread| fits(*thread)).collect()
    }

    /// Whether a thread may take time of another one that isn't its own: who is in a partition has its windows only, and
    /// those are counted for all others, whatever is done in them.
    pub(super) fn meets(&self, thread: usize, other: usize) -> bool {
        let partition = |index| self.assembly.partition_of(self.thread(index));
        partition(thread).is_none() || partition(thread) == partition(other)
    }

    /// Whether a thread may run where another one is ready, in time that isn't counted as its own.
    pub(super) fn precedes(&self, thread: usize, other: usize) -> bool {
        if !self.meets(thread, other) {
            return false;
        }
        let (thread, other) = (self.thread(thread), self.thread(other));
        let same_band = thread.band == other.band;
        let dynamic = !matches!(self.assembly.bands[thread.band].policy, Policy::Fixed);
        thread.band < other.band || same_band && (dynamic || thread.most() >= other.least())
    }

    /// A thread without a period for which a proved thread may have to wait. The work of a server is counted if its
    /// clients' times contain it.
    fn beside(&self, index: usize) -> Option<Doubt> {
        let thread = self.thread(index);
        let Role::Free { sporadic: None, .. } = thread.role else { return None };
        if self.is_counted_server(index) || thread.enforced_budget().is_some() {
            return None;
        }
        let whom = self.those(|other| self.precedes(index, other));
        let first = &self.thread(*whom.first()?).name;
        let others = match whom.len() {
            1 => format!("`{first}`"),
            count => format!("`{first}` and {} more", count - 1),
        };
        let why = match thread.budget {
            Some(_) => "is only told: nothing ends what goes beyond its `budget`",
            None => "isn't declared: it has no `period` and `worst`, nor a `separation` or a `budget`",
        };
        let said = format!("thread `{}` may run before {others}, for how long {why}", thread.name);
        Some(Doubt { said, whom })
    }

    /// A deadline that is put off is still before all bands below: a thread with constant bandwidth takes what its own band
    /// leaves, as long as it likes.
    fn below_bandwidth(&self, index: usize) -> Option<Doubt> {
        let thread = self.thread(index);
        let whom = self.those(|other| {
            thread.has_bandwidth() && self.thread(other).band > thread.band && self.meets(index, other)
        });
        let said = format!(
            "`{}` stands below thread `{}`, whose `budget` has constant bandwidth: what that takes of the time that its own \
             band leaves isn't bounded",
            self.thread(*whom.first()?).name,
            thread.name
        );
        Some(Doubt { said, whom })
    }

    /// What a thread with constant bandwidth does inside a section isn't all paid by its budget, where others lend it their
    /// places; and under a ceiling it may keep others out with a deadline that was put off, beside another that does.
    fn sections_of_bandwidth(&self, index: usize) -> Option<Doubt> {
        let thread = self.thread(index);
        let objects = &self.assembly.objects;
        let name = |used: &Use| match *used {
            Use::Lock(lock) => Some(&objects.locks[lock].name),
            Use::Semaphore(semaphore) => Some(&objects.semaphores[semaphore].name),
            Use::Call(endpoint) | Use::Serve(endpoint) => Some(&objects.endpoints[endpoint].name),
            _ => None,
        };
        let is_alone = |used: &Use| lenders::users(self.assembly, *used).len() < 2;
        let is_section = |used: &&Use| match used {
            Use::Lock(_) => !is_alone(used),
            Use::Serve(_) | Use::Call(_) => true,
            Use::Semaphore(_) => self.is_turn(**used) && !is_alone(used),
            _ => false,
        };
        let used = thread.uses.iter().filter(|_| thread.has_bandwidth()).find(is_section)?;
        let said = format!(
            "the `budget` of `{}` has constant bandwidth, and it uses `{}`: sections of such a thread aren't counted",
            thread.name,
            name(used)?
        );
        Some(Doubt { said, whom: self.those(|_| true) })
    }

    /// Whether a thread only serves one endpoint, whose clients all declare how long a call takes; and whether it
    /// waits for nothing else than locks that are counted.
    fn is_counted_server(&self, index: usize) -> bool {
        let serves = |used: &&Use| matches!(used, Use::Serve(_));
        let uses = &self.thread(index).uses;
        let mut served = uses.iter().filter(serves);
        let (Some(Use::Serve(endpoint)), None) = (served.next(), served.next()) else { return false };
        uses.iter().filter(|used| !serves(used)).all(|used| self.is_counted(*used))
            && self.is_held_for_known_times(Use::Call(*endpoint))
    }

    /// Whether waiting for this, if there is any, is counted as blocking.
    fn is_counted(&self, used: Use) -> bool {
        match used {
            Use::Semaphore(index) => lenders::has_owner(self.assembly, index),
            Use::Call(index) => {
                let servers = lenders::users(self.assembly, Use::Serve(index));
                servers.into_iter().all(|server| self.is_counted_server(server))
            }
            Use::Condition(_)
            | Use::Send(_)
            | Use::Receive(_)
            | Use::Serve(_)
            | Use::AwaitBits(_)
            | Use::Await(_)
            | Use::Interrupt(_) => false,
            Use::Lock(_)
            | Use::Set(_)
            | Use::Notify(_)
            | Use::Write(_)
            | Use::Read(_)
            | Use::ReadSlow(_)
            | Use::Region(_)
            | Use::Slot(_)
            | Use::Trace
            | Use::Priority(_)
            | Use::Replace(_) => true,
        }
    }

    /// Whether who waits for this waits until others are done with it, not until something happens.
    pub(super) fn is_turn(&self, used: Use) -> bool {
        match used {
            Use::Semaphore(index) => lenders::has_owner(self.assembly, index),
            Use::Call(_) => true,
            _ => false,
        }
    }

    fn is_held_for_known_times(&self, used: Use) -> bool {
        let users = lenders::users(self.assembly, used);
        users.into_iter().all(|user| self.assembly.hold(self.thread(user), used).is_some())
    }

    /// A schedule may leave a ready task for a later block. So its band takes the processor from the bands below at
    /// times that the analysis doesn't expect. Schedules below expect any time.
    fn below_code(&self) -> Option<Doubt> {
        let is_code = |band: usize| matches!(self.assembly.bands[band].policy, Policy::Code { .. });
        let upper = self.assembly.bands_by_code().next()?;
        let whom =
            self.those(|thread| self.thread(thread).band > upper && !is_code(self.thread(thread).band));
        let said = format!(
            "`{}` stands below band `{}`, which is scheduled by code: when that takes the processor isn't counted",
            self.thread(*whom.first()?).name,
            self.assembly.bands[upper].name
        );
        Some(Doubt { said, whom })
    }

    /// Locks whose holders may keep others waiting for times that aren't declared.
    fn locks(&self) -> Vec<Doubt> {
        let objects = &self.assembly.objects;
        let locks = objects.locks.iter().enumerate().map(|(index, row)| (Use::Lock(index), &row.name));
        let owned = objects.semaphores.iter().enumerate();
        let owned = owned.filter(|(index, _)| lenders::has_owner(self.assembly, *index));
        let owned = owned.map(|(index, row)| (Use::Semaphore(index), &row.name));
        locks.chain(owned).filter_map(|(used, name)| self.lock(used, name)).collect()
    }

    fn lock(&self, used: Use, name: &str) -> Option<Doubt> {
        let users = lenders::users(self.assembly, used);
        let by_code = users.iter().map(|user| self.thread(*user).band);
        let by_code = by_code.clone().find(|band| self.assembly.bands_by_code().any(|code| code == *band));
        if let Some(band) = by_code.filter(|_| users.len() > 1) {
            let said = format!(
                "lock `{name}` is used in band `{}`, which is scheduled by code: blocking there isn't counted",
                self.assembly.bands[band].name
            );
            return Some(Doubt { said, whom: self.those(|_| true) });
        }
        let unknown = users.iter().filter(|user| self.assembly.hold(self.thread(**user), used).is_none());
        let mut whom = BTreeSet::new();
        let mut first = None;
        for holder in unknown {
            let held_up = self.those(|thread| self.is_held_up(thread, *holder, used, &users));
            first = first.or_else(|| (!held_up.is_empty()).then_some(*holder));
            whom.extend(held_up);
        }
        let said = format!(
            "blocking by lock `{name}` isn't counted: how long `{}` holds it isn't declared, write a `hold`",
            self.thread(first?).name
        );
        Some(Doubt { said, whom })
    }

    /// Whether a holder may keep a thread waiting: a less urgent one because a thread at least as urgent uses the lock, or
    /// lends its place to one that does; any one because its budget doesn't pay for that place, and no other does.
    pub(super) fn is_held_up(&self, thread: usize, holder: usize, used: Use, users: &[usize]) -> bool {
        let is_ceiling = matches!(used, Use::Lock(_));
        let is_less = self.thread(thread).highest_level() > self.thread(holder).least_level()
            || !is_ceiling && self.same_dynamic(thread, holder);
        let others = users.iter().copied().filter(|user| *user != holder);
        let lending = others.clone().flat_map(|user| lenders::of(self.assembly, user));
        let all: BTreeSet<usize> = others.chain(lending).collect();
        let is_unpaid = |user: usize| {
            let lender = self.thread(user);
            !is_ceiling && self.thread(holder).has_budget_alone() && lender.has_jobs() && !lender.is_limited()
        };
        thread != holder
            && all.iter().any(|user| self.precedes(*user, thread) && (is_less || is_unpaid(*user)))
    }

    fn same_dynamic(&self, one: usize, other: usize) -> bool {
        let band = self.thread(one).band;
        band == self.thread(other).band && !matches!(self.assembly.bands[band].policy, Policy::Fixed)
    }

    /// Where several threads nest their sections, it isn't known how much inheritance helps: a lock is handed on by
    /// the waiters' own urgencies. Whoever is more urgent than all in whose places they may run waits for none of them.
    fn nested(&self) -> Option<Doubt> {
        let inherits = |used: &&Use| match **used {
            Use::Semaphore(index) => {
                lenders::has_owner(self.assembly, index)
                    && lenders::users(self.assembly, Use::Semaphore(index)).len() > 1
            }
            Use::Call(_) | Use::Serve(_) => true,
            _ => false,
        };
        let several = |thread: &usize| self.thread(*thread).uses.iter().filter(inherits).count() > 1;
        let nesting: Vec<usize> = indices(self.assembly).filter(several).collect();
        let [first, second, ..] = nesting.as_slice() else { return None };
        let said = format!(
            "`{}` and `{}` use two or more binary semaphores or servers each, and may hold one while they wait for another: \
             that isn't counted",
            self.thread(*first).name,
            self.thread(*second).name
        );
        let lending = nesting.iter().flat_map(|thread| lenders::of(self.assembly, *thread));
        let all: BTreeSet<usize> = nesting.iter().copied().chain(lending).collect();
        let whom = self.those(|thread| all.iter().any(|other| self.precedes(*other, thread)));
        (!whom.is_empty()).then_some(Doubt { said, whom })
    }

    /// What a thread's jobs may wait for. A sporadic thread's wait for its next job isn't such a wait. While a job
    /// waits, less urgent threads run, and there is less time for them later.
    fn waiting(&self, index: usize) -> Option<Doubt> {
        let thread = self.thread(index);
        if matches!(thread.role, Role::Free { .. }) {
            return None;
        }
        let objects = &self.assembly.objects;
        let name = |used: &Use| match *used {
            _ if self.is_counted(*used) => None,
            // The kernel lets it wait for its turns only, or for nothing.
            _ if thread.waits == Waits::Never || thread.is_prompt() && !self.is_turn(*used) => None,
            Use::Semaphore(index) => Some(&objects.semaphores[index].name),
            Use::Condition(index) => Some(&objects.conditions[index].name),
            Use::Send(index) | Use::Receive(index) => Some(&objects.mailboxes[index].name),
            Use::Call(index) | Use::Serve(index) => Some(&objects.endpoints[index].name),
            Use::AwaitBits(index) => Some(&objects.event_groups[index].name),
            Use::Await(index) => Some(&objects.notifications[index].name),
            Use::Interrupt(index) => Some(&objects.interrupts[index].name),
            _ => None,
        };
        let names: Vec<_> = thread.uses.iter().filter_map(name).map(|name| format!("`{name}`")).collect();
        if names.is_empty() {
            return None;
        }
        let said = format!(
            "`{}` may wait for {}: waiting inside of jobs isn't counted",
            thread.name,
            names.join(", ")
        );
        Some(Doubt { said, whom: self.those(|other| self.precedes(index, other)) })
    }

    fn interrupts(&self) -> Vec<Doubt> {
        let rows = self.assembly.objects.interrupts.iter().enumerate();
        // The programs of tasks keep the distance of those that release one, a sporadic thread's is declared.
        // Whoever has an enforced budget pays from it for each. A gate keeps the distance of its line.
        let is_declared = |thread: usize| {
            matches!(self.thread(thread).role, Role::Free { sporadic: Some(_), .. })
                || self.thread(thread).enforced_budget().is_some()
        };
        let has_gate = |index| self.assembly.gate(Use::Interrupt(index)).is_some();
        let unknown = rows.filter(|(index, row)| {
            row.thread.is_some_and(|thread| !is_declared(thread)) && !has_gate(*index)
        });
        let said = |(_, row): (usize, &crate::assembly::objects::Interrupt)| Doubt {
            said: format!(
                "how often interrupt `{}` comes isn't declared: the kernel's steps for it aren't counted",
                row.name
            ),
            whom: self.those(|_| true),
        };
        unknown.map(said).collect()
    }
}
