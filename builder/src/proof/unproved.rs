//! What the proof doesn't cover, in words: work and waiting whose length nobody has declared.

use crate::assembly::{Assembly, Policy, Role, Thread, Use};

/// Everything that could make a job late and isn't counted, a sentence each; nothing if the proof is whole.
#[must_use]
pub fn unproved(assembly: &Assembly) -> Vec<String> {
    let proved: Vec<&Thread> = assembly.threads.iter().filter(|thread| is_proved(thread)).collect();
    if proved.is_empty() {
        return Vec::new();
    }
    let mut said = Vec::new();
    said.extend(assembly.threads.iter().filter_map(|thread| beside(assembly, thread, &proved)));
    said.extend(proved.iter().filter_map(|thread| beyond_the_period(thread)));
    said.extend(below_code(assembly, &proved));
    said.extend(blocking(assembly, &proved));
    said.extend(proved.iter().filter_map(|thread| waiting(assembly, thread)));
    said.extend(interrupts(assembly));
    said
}

/// Whether the analysis counts its jobs.
fn is_proved(thread: &Thread) -> bool {
    matches!(thread.role, Role::Task(_) | Role::Periodic(_))
}

/// A thread without a period that something proved must wait for.
fn beside(assembly: &Assembly, thread: &Thread, proved: &[&Thread]) -> Option<String> {
    let Role::Free { .. } = thread.role else { return None };
    let late: Vec<_> = proved.iter().filter(|other| precedes(assembly, thread, other)).collect();
    let first = late.first()?;
    let others = match late.len() {
        1 => format!("`{}`", first.name),
        count => format!("`{}` and {} more", first.name, count - 1),
    };
    Some(format!(
        "thread `{}` may run before {others}, for how long isn't declared: it has no `period` and `worst`",
        thread.name
    ))
}

/// Whether a thread may run where another one is ready.
fn precedes(assembly: &Assembly, thread: &Thread, other: &Thread) -> bool {
    let same_band = thread.band == other.band;
    let dynamic = !matches!(assembly.bands[thread.band].policy, Policy::Fixed);
    thread.band < other.band || same_band && (dynamic || thread.place >= other.place)
}

fn beyond_the_period(thread: &Thread) -> Option<String> {
    match &thread.role {
        Role::Periodic(times) if times.deadline > times.period => Some(format!(
            "the deadline of thread `{}` lies beyond its period: what is proved is that its jobs complete within \
             the period; late ones that it makes up for aren't counted",
            thread.name
        )),
        _ => None,
    }
}

/// A schedule leaves a ready task for a later block, so its band takes the processor from those below at times that the
/// analysis doesn't count on. Schedules below count on any.
fn below_code(assembly: &Assembly, proved: &[&Thread]) -> Option<String> {
    let is_code = |band: usize| matches!(assembly.bands[band].policy, Policy::Code { .. });
    let upper = assembly.bands_by_code().next()?;
    let below = proved.iter().find(|thread| thread.band > upper && !is_code(thread.band))?;
    Some(format!(
        "`{}` stands below band `{}`, which is scheduled by code: when that takes the processor isn't counted",
        below.name, assembly.bands[upper].name
    ))
}

/// Locks that raise a thread above something proved, which then waits for as long as the section takes.
fn blocking(assembly: &Assembly, proved: &[&Thread]) -> Vec<String> {
    let locks = assembly
        .objects
        .locks
        .iter()
        .filter(|lock| lock.ceiling > 0 && proved.iter().any(|thread| thread.level <= lock.ceiling));
    let said = |lock: &crate::assembly::objects::Lock| {
        format!("blocking by lock `{}` isn't counted: how long it is held isn't declared", lock.name)
    };
    locks.map(said).collect()
}

/// What the jobs of a thread may wait for.
fn waiting(assembly: &Assembly, thread: &Thread) -> Option<String> {
    let objects = &assembly.objects;
    let name = |used: &Use| match *used {
        Use::Semaphore(index) => Some(&objects.semaphores[index].name),
        Use::Condition(index) => Some(&objects.conditions[index].name),
        Use::Send(index) | Use::Receive(index) => Some(&objects.mailboxes[index].name),
        Use::Call(index) | Use::Serve(index) => Some(&objects.endpoints[index].name),
        Use::Await(index) => Some(&objects.notifications[index].name),
        Use::Interrupt(index) => Some(&objects.interrupts[index].name),
        Use::Lock(_)
        | Use::Notify(_)
        | Use::Write(_)
        | Use::Read(_)
        | Use::ReadSlow(_)
        | Use::Region(_)
        | Use::Slot(_)
        | Use::Trace => None,
    };
    let names: Vec<_> = thread.uses.iter().filter_map(name).map(|name| format!("`{name}`")).collect();
    (!names.is_empty()).then(|| {
        format!("`{}` may wait for {}: waiting inside of jobs isn't counted", thread.name, names.join(", "))
    })
}

fn interrupts(assembly: &Assembly) -> Vec<String> {
    let said = |interrupt: &crate::assembly::objects::Interrupt| {
        format!(
            "how often interrupt `{}` comes isn't declared: the kernel's steps for it aren't counted",
            interrupt.name
        )
    };
    // The programs of tasks keep the distance of those that release one.
    assembly.objects.interrupts.iter().filter(|interrupt| interrupt.thread.is_some()).map(said).collect()
}
