//! Which features of the kernel are compiled into a system's kernel. What isn't needed isn't there.
//!
//! The compiler sees the tables. If a table has one row, it leaves out what that row doesn't need. So kernels differ
//! by whether there is none, one, or several of something.

use super::sizes::Sizes;
use crate::assembly::objects::Count;
use crate::assembly::{Assembly, Role};

/// The features, in the order of [`features`].
pub const NAMES: [&str; COUNT] = [
    "always",
    "levels of the timer queue",
    "several processes",
    "several programs",
    "tasks",
    "periodic threads",
    "other threads",
    "system code that schedules",
    "triggers on ports and interrupts",
    "triggers on ports that are no numbers",
    "handlers of exceptions",
    "objects or ceilings",
    "one counting semaphore",
    "one binary semaphore",
    "several semaphores",
    "one condition",
    "several conditions",
    "one mailbox",
    "several mailboxes",
    "one endpoint",
    "several endpoints",
    "one notification",
    "several notifications",
    "one interrupt",
    "several interrupts",
    "one state message read by a call",
    "several state messages read by a call",
    "one event group",
    "several event groups",
    "places that are lent",
    "places that are lent without tasks",
    "telling",
    "tasks beside objects or ceilings",
    "tasks beside several semaphores",
    "tasks beside one notification",
    "tasks that are told",
    "tasks with one driver",
    "several mailboxes, but where places are lent without tasks",
    "one state message read by a call, without mailboxes",
    "neither mailboxes nor one counting semaphore",
    "several conditions without several event groups",
    "several semaphores without several notifications",
    "neither several notifications nor several interrupts",
    "one interrupt beside other threads",
    "one interrupt beside places that are lent",
    "system code that schedules beside triggers on ports and interrupts",
    "slots",
    "slots for certified programs only",
    "slots that take over tasks",
    "slots that take over tasks, for certified programs only",
    "slots beside native drivers",
    "slots beside several programs",
    "slots beside several programs and system code that schedules",
    "slots beside objects or ceilings",
    "slots beside handlers of exceptions",
    "ceilings",
];
const COUNT: usize = 56;

/// How much of each a system has.
#[must_use]
pub fn features(assembly: &Assembly) -> [u32; COUNT] {
    let sizes = Sizes::of(assembly);
    let objects = &assembly.objects;
    let has = u32::from;
    let levels = |number: usize| number.max(1).next_power_of_two().ilog2();
    let any = |is: fn(&Role) -> bool| assembly.threads.iter().any(|thread| is(&thread.role));
    let [one_semaphore, semaphores] = some(objects.semaphores.len());
    let counts = objects.semaphores.iter().any(|row| matches!(row.count, Count::Counting { .. }));
    let [one_condition, conditions] = some(objects.conditions.len());
    let [one_mailbox, mailboxes] = some(objects.mailboxes.len());
    let [one_endpoint, endpoints] = some(objects.endpoints.len());
    let [one_notification, notifications] = some(objects.notifications.len());
    let [one_interrupt, interrupts] = some(objects.interrupts.len());
    let [one_state, states] = some(objects.known_states().count());
    let [one_group, groups] = some(objects.event_groups.len());
    let has_mailboxes = one_mailbox || mailboxes;
    let has_endpoints = one_endpoint || endpoints;
    let lends = one_semaphore && !counts || semaphores || has_endpoints;
    let (tasks, native) =
        (any(|role| matches!(role, Role::Task(_))), any(|role| matches!(role, Role::Drivers)));
    let free = any(|role| matches!(role, Role::Free { .. }));
    let (shared, told) = (objects.count() > 0 || sizes.ceilings, sizes.trace.is_some());
    let slots = !objects.slots.is_empty();
    let (certified, offers) = (slots && sizes.certified_only, assembly.offers().next().is_some());
    [
        1,
        levels(sizes.threads),
        has(sizes.processes > 1),
        has(sizes.programs > 1),
        has(tasks),
        has(sizes.has_periodic),
        has(free),
        has(sizes.schedules > 0),
        has(sizes.event_triggers > 0),
        has(sizes.kept > 0),
        has(sizes.handlers),
        has(shared),
        has(one_semaphore && counts),
        has(one_semaphore && !counts),
        has(semaphores),
        has(one_condition),
        has(conditions),
        has(one_mailbox),
        has(mailboxes),
        has(one_endpoint),
        has(endpoints),
        has(one_notification),
        has(notifications),
        has(one_interrupt),
        has(interrupts),
        has(one_state),
        has(states),
        has(one_group),
        has(groups),
        has(lends),
        has(lends && !tasks),
        has(told),
        has(tasks && shared),
        has(tasks && semaphores),
        has(tasks && one_notification),
        has(tasks && told),
        has(tasks && sizes.drivers == 1),
        has(mailboxes && (tasks || !lends)),
        has(one_state && !has_mailboxes),
        has(!(has_mailboxes || one_semaphore && counts)),
        has(conditions && !groups),
        has(semaphores && !notifications),
        has(!notifications && !interrupts),
        has(one_interrupt && free),
        has(one_interrupt && lends),
        has(sizes.schedules > 0 && sizes.event_triggers > 0),
        has(slots),
        has(certified),
        has(offers),
        has(offers && certified),
        has(slots && native),
        has(slots && sizes.programs > 1),
        has(slots && sizes.programs > 1 && sizes.schedules > 0),
        has(slots && shared),
        has(slots && sizes.handlers),
        has(sizes.ceilings),
    ]
}

/// Whether there is one, and whether there are more.
fn some(count: usize) -> [bool; 2] {
    [count == 1, count > 1]
}
