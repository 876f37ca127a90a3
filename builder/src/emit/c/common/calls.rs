//! The calls about objects by values, in one table.

use super::arms;
use crate::assembly::Assembly;
use crate::emit::c::plain::Call;
use crate::plan::Places;

/// How the glue does a call.
pub(super) enum Does {
    /// By the library's function, whatever the object is.
    ByLibrary,
    /// By an expression for each object, since messages have types.
    ByType {
        /// As the library calls the kind.
        kind: &'static str,
        side: &'static str,
        /// How long both messages are, as far as the caller says so.
        bytes: [&'static str; 2],
        arm: fn(&Assembly, &Places, usize) -> String,
    },
}

use Does::{ByLibrary, ByType};

/// All of them.
pub(super) static CALLS: [(Call, Does); 34] = [
    (
        Call {
            what: "The number of the calling thread, BERYL_THREAD_<name> of ports.h, less than BERYL_THREADS.",
            header: "uint32_t beryl_self(void)",
            glue: "beryl_self() -> u32",
            body: "own_number(&STACKS)",
        },
        ByLibrary,
    ),
    (
        Call {
            what: "Enters a lock. What comes back in `before` is for beryl_lock_leave. Locks are left in the opposite order, and a function keeps either to these calls or to those of the handle.",
            header: "beryl_status beryl_lock_enter(const beryl_lock *lock, uint32_t *before)",
            glue: "beryl_lock_enter(lock: *const Object, before: *mut u32) -> u32",
            body: "lock_enter(&STACKS, lock, before)",
        },
        ByLibrary,
    ),
    (
        Call {
            what: "Leaves a lock; BERYL_NOT_OWNER if its thread isn't inside.",
            header: "beryl_status beryl_lock_leave(const beryl_lock *lock, uint32_t before)",
            glue: "beryl_lock_leave(lock: *const Object, before: u32) -> u32",
            body: "lock_leave(&STACKS, lock, before)",
        },
        ByLibrary,
    ),
    (
        Call {
            what: "Where the value of a lock is; null if it has none.",
            header: "void *beryl_lock_value(const beryl_lock *lock)",
            glue: "beryl_lock_value(lock: *const Object) -> *mut u8",
            body: "lock_value(&STACKS, lock)",
        },
        ByLibrary,
    ),
    (
        Call {
            what: "Takes a unit, or the semaphore itself if it is a binary one.",
            header: "beryl_status beryl_semaphore_wait(const beryl_semaphore *semaphore, beryl_wait wait)",
            glue: "beryl_semaphore_wait(semaphore: *const Object, wait: u32) -> u32",
            body: "semaphore_wait(&STACKS, semaphore, wait)",
        },
        ByLibrary,
    ),
    (
        Call {
            what: "Gives a unit back, or a binary semaphore, which BERYL_NOT_OWNER refuses to who hasn't taken it.",
            header: "beryl_status beryl_semaphore_signal(const beryl_semaphore *semaphore)",
            glue: "beryl_semaphore_signal(semaphore: *const Object) -> u32",
            body: "semaphore_signal(&STACKS, semaphore)",
        },
        ByLibrary,
    ),
    (
        Call {
            what: "Where the value of a binary semaphore is; null if it has none.",
            header: "void *beryl_semaphore_value(const beryl_semaphore *semaphore)",
            glue: "beryl_semaphore_value(semaphore: *const Object) -> *mut u8",
            body: "semaphore_value(&STACKS, semaphore)",
        },
        ByLibrary,
    ),
    (
        Call {
            what: "Gives a binary semaphore up, waits for a condition, and takes the semaphore again, whatever the status is.",
            header: "beryl_status beryl_condition_wait(const beryl_condition *condition, const beryl_semaphore *semaphore, beryl_wait wait)",
            glue: "beryl_condition_wait(condition: *const Object, semaphore: *const Object, wait: u32) -> u32",
            body: "condition_wait(&STACKS, condition, semaphore, wait)",
        },
        ByLibrary,
    ),
    (
        Call {
            what: "Wakes one thread that waits for a condition.",
            header: "beryl_status beryl_condition_signal(const beryl_condition *condition)",
            glue: "beryl_condition_signal(condition: *const Object) -> u32",
            body: "condition_signal(&STACKS, condition)",
        },
        ByLibrary,
    ),
    (
        Call {
            what: "Wakes all threads that wait for a condition.",
            header: "beryl_status beryl_condition_broadcast(const beryl_condition *condition)",
            glue: "beryl_condition_broadcast(condition: *const Object) -> u32",
            body: "condition_broadcast(&STACKS, condition)",
        },
        ByLibrary,
    ),
    (
        Call {
            what: "Sends a message.",
            header: "beryl_status beryl_mailbox_send(const beryl_mailbox *mailbox, const void *message, uint32_t bytes, beryl_wait wait)",
            glue: "beryl_mailbox_send(mailbox: *const Object, message: *const u8, bytes: u32, wait: u32) -> u32",
            body: "",
        },
        ByType { kind: "MAILBOX", side: "First", bytes: ["Some(bytes)", "None"], arm: arms::send },
    ),
    (
        Call {
            what: "Receives a message.",
            header: "beryl_status beryl_mailbox_receive(const beryl_mailbox *mailbox, void *message, uint32_t bytes, beryl_wait wait)",
            glue: "beryl_mailbox_receive(mailbox: *const Object, message: *mut u8, bytes: u32, wait: u32) -> u32",
            body: "",
        },
        ByType { kind: "MAILBOX", side: "Second", bytes: ["Some(bytes)", "None"], arm: arms::receive },
    ),
    (
        Call {
            what: "Asks a server, and waits for its reply.",
            header: "beryl_status beryl_endpoint_call(const beryl_endpoint *endpoint, const void *request, uint32_t request_bytes, void *reply, uint32_t reply_bytes, beryl_wait wait)",
            glue: "beryl_endpoint_call(endpoint: *const Object, request: *const u8, request_bytes: u32, reply: *mut u8, reply_bytes: u32, wait: u32) -> u32",
            body: "",
        },
        ByType {
            kind: "ENDPOINT",
            side: "First",
            bytes: ["Some(request_bytes)", "Some(reply_bytes)"],
            arm: arms::ask,
        },
    ),
    (
        Call {
            what: "Waits for the first request.",
            header: "beryl_status beryl_endpoint_receive(const beryl_endpoint *endpoint, void *request, uint32_t request_bytes, beryl_wait wait)",
            glue: "beryl_endpoint_receive(endpoint: *const Object, request: *mut u8, request_bytes: u32, wait: u32) -> u32",
            body: "",
        },
        ByType { kind: "ENDPOINT", side: "Second", bytes: ["Some(request_bytes)", "None"], arm: arms::first },
    ),
    (
        Call {
            what: "Replies to a request, and waits for the next.",
            header: "beryl_status beryl_endpoint_reply(const beryl_endpoint *endpoint, const void *reply, uint32_t reply_bytes, void *request, uint32_t request_bytes)",
            glue: "beryl_endpoint_reply(endpoint: *const Object, reply: *const u8, reply_bytes: u32, request: *mut u8, request_bytes: u32) -> u32",
            body: "",
        },
        ByType {
            kind: "ENDPOINT",
            side: "Second",
            bytes: ["Some(request_bytes)", "Some(reply_bytes)"],
            arm: arms::next,
        },
    ),
    (
        Call {
            what: "Sets bits.",
            header: "beryl_status beryl_event_group_set(const beryl_event_group *group, uint32_t bits)",
            glue: "beryl_event_group_set(group: *const Object, bits: u32) -> u32",
            body: "event_group_set(&STACKS, group, bits)",
        },
        ByLibrary,
    ),
    (
        Call {
            what: "Sets bits; all of them as they are when the caller goes on come back in `now`.",
            header: "beryl_status beryl_event_group_set_and_read(const beryl_event_group *group, uint32_t bits, uint32_t *now)",
            glue: "beryl_event_group_set_and_read(group: *const Object, bits: u32, now: *mut u32) -> u32",
            body: "event_group_set_and_read(&STACKS, group, bits, now)",
        },
        ByLibrary,
    ),
    (
        Call {
            what: "Clears bits; all of them as they were come back in `before`.",
            header: "beryl_status beryl_event_group_clear(const beryl_event_group *group, uint32_t bits, uint32_t *before)",
            glue: "beryl_event_group_clear(group: *const Object, bits: u32, before: *mut u32) -> u32",
            body: "event_group_clear(&STACKS, group, bits, before)",
        },
        ByLibrary,
    ),
    (
        Call {
            what: "Waits for any of some bits; all that are set come back in `set`.",
            header: "beryl_status beryl_event_group_wait_any(const beryl_event_group *group, uint32_t bits, beryl_wait wait, uint32_t *set)",
            glue: "beryl_event_group_wait_any(group: *const Object, bits: u32, wait: u32, set: *mut u32) -> u32",
            body: "event_group_wait_any(&STACKS, group, bits, wait, set)",
        },
        ByLibrary,
    ),
    (
        Call {
            what: "Waits for all of some bits.",
            header: "beryl_status beryl_event_group_wait_all(const beryl_event_group *group, uint32_t bits, beryl_wait wait, uint32_t *set)",
            glue: "beryl_event_group_wait_all(group: *const Object, bits: u32, wait: u32, set: *mut u32) -> u32",
            body: "event_group_wait_all(&STACKS, group, bits, wait, set)",
        },
        ByLibrary,
    ),
    (
        Call {
            what: "Waits for any of some bits, and clears them.",
            header: "beryl_status beryl_event_group_take_any(const beryl_event_group *group, uint32_t bits, beryl_wait wait, uint32_t *set)",
            glue: "beryl_event_group_take_any(group: *const Object, bits: u32, wait: u32, set: *mut u32) -> u32",
            body: "event_group_take_any(&STACKS, group, bits, wait, set)",
        },
        ByLibrary,
    ),
    (
        Call {
            what: "Waits for all of some bits, and clears them.",
            header: "beryl_status beryl_event_group_take_all(const beryl_event_group *group, uint32_t bits, beryl_wait wait, uint32_t *set)",
            glue: "beryl_event_group_take_all(group: *const Object, bits: u32, wait: u32, set: *mut u32) -> u32",
            body: "event_group_take_all(&STACKS, group, bits, wait, set)",
        },
        ByLibrary,
    ),
    (
        Call {
            what: "Sets a notification's bits.",
            header: "beryl_status beryl_notification_notify(const beryl_notification *notification)",
            glue: "beryl_notification_notify(notification: *const Object) -> u32",
            body: "notification_notify(&STACKS, notification)",
        },
        ByLibrary,
    ),
    (
        Call {
            what: "Waits for a notification, as the thread whose it is.",
            header: "beryl_status beryl_notification_wait(const beryl_notification *notification, beryl_wait wait)",
            glue: "beryl_notification_wait(notification: *const Object, wait: u32) -> u32",
            body: "notification_wait(&STACKS, notification, wait)",
        },
        ByLibrary,
    ),
    (
        Call {
            what: "A notification's bits, for beryl_wait_any; 0 if it isn't the caller's.",
            header: "uint32_t beryl_notification_bits(const beryl_notification *notification)",
            glue: "beryl_notification_bits(notification: *const Object) -> u32",
            body: "bits(&STACKS, notification, beryl_user::c::object::Kind::NOTIFICATION, beryl_user::c::object::Side::Second)",
        },
        ByLibrary,
    ),
    (
        Call {
            what: "Waits for an interrupt, whose line is let in meanwhile.",
            header: "beryl_status beryl_interrupt_wait(const beryl_interrupt *interrupt, beryl_wait wait)",
            glue: "beryl_interrupt_wait(interrupt: *const Object, wait: u32) -> u32",
            body: "interrupt_wait(&STACKS, interrupt, wait)",
        },
        ByLibrary,
    ),
    (
        Call {
            what: "Lets an interrupt's line in again.",
            header: "beryl_status beryl_interrupt_acknowledge(const beryl_interrupt *interrupt)",
            glue: "beryl_interrupt_acknowledge(interrupt: *const Object) -> u32",
            body: "interrupt_acknowledge(&STACKS, interrupt)",
        },
        ByLibrary,
    ),
    (
        Call {
            what: "An interrupt's bits, for beryl_wait_any; 0 if it isn't the caller's.",
            header: "uint32_t beryl_interrupt_bits(const beryl_interrupt *interrupt)",
            glue: "beryl_interrupt_bits(interrupt: *const Object) -> u32",
            body: "bits(&STACKS, interrupt, beryl_user::c::object::Kind::INTERRUPT, beryl_user::c::object::Side::First)",
        },
        ByLibrary,
    ),
    (
        Call {
            what: "Writes a state message.",
            header: "beryl_status beryl_state_write(const beryl_state *state, const void *value, uint32_t bytes)",
            glue: "beryl_state_write(state: *const Object, value: *const u8, bytes: u32) -> u32",
            body: "",
        },
        ByType { kind: "STATE", side: "First", bytes: ["Some(bytes)", "None"], arm: arms::write },
    ),
    (
        Call {
            what: "Reads a state message; BERYL_WOULD_BLOCK if it was written too often meanwhile to come whole.",
            header: "beryl_status beryl_state_read(const beryl_state *state, void *value, uint32_t bytes)",
            glue: "beryl_state_read(state: *const Object, value: *mut u8, bytes: u32) -> u32",
            body: "",
        },
        ByType { kind: "STATE", side: "Second", bytes: ["Some(bytes)", "None"], arm: arms::read },
    ),
    (
        Call {
            what: "Reads a state message by a call.",
            header: "beryl_status beryl_state_read_slow(const beryl_state *state, void *value, uint32_t bytes)",
            glue: "beryl_state_read_slow(state: *const Object, value: *mut u8, bytes: u32) -> u32",
            body: "",
        },
        ByType { kind: "STATE", side: "Third", bytes: ["Some(bytes)", "None"], arm: arms::read_slow },
    ),
    (
        Call {
            what: "Reads a word of a region; BERYL_OUT_OF_RANGE if there is no such word.",
            header: "beryl_status beryl_region_load(const beryl_region *region, uint32_t offset, uint32_t *value)",
            glue: "beryl_region_load(region: *const Object, offset: u32, value: *mut u32) -> u32",
            body: "region_load(&STACKS, region, offset, value)",
        },
        ByLibrary,
    ),
    (
        Call {
            what: "Writes a word of a region; BERYL_OUT_OF_RANGE if there is no such word.",
            header: "beryl_status beryl_region_store(const beryl_region *region, uint32_t offset, uint32_t value)",
            glue: "beryl_region_store(region: *const Object, offset: u32, value: u32) -> u32",
            body: "region_store(&STACKS, region, offset, value)",
        },
        ByLibrary,
    ),
    (
        Call {
            what: "Gives a thread another priority, among those that are declared for it; BERYL_OUT_OF_RANGE for others.",
            header: "beryl_status beryl_thread_set_priority(const beryl_thread *thread, uint32_t priority)",
            glue: "beryl_thread_set_priority(thread: *const Object, priority: u32) -> u32",
            body: "thread_set_priority(&STACKS, thread, priority)",
        },
        ByLibrary,
    ),
];
