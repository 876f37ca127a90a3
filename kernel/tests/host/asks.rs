//! What threads ask of the kernel, and how its answers read in a story.

use beryl_abi::call::{FOREVER, OWNER_DIED, Operand, POLL, SUCCESS};
use beryl_abi::{
    CallError, CallNumber, ConditionId, EndpointId, EventGroupId, InterruptId, MailboxId, NotificationId,
    Progress, SemaphoreId, SlotId, StateMessageId, ThreadId,
};

use beryl_kernel::{Call, Event};

use super::Do;

/// How long a call may wait.
#[derive(Clone, Copy, Debug)]
pub enum Wait {
    Poll,
    Forever,
    /// So many ticks.
    AtMost(u32),
}

impl Wait {
    /// As register r12 has it.
    pub const fn register(self) -> u32 {
        match self {
            Wait::Poll => POLL,
            Wait::Forever => FOREVER,
            Wait::AtMost(ticks) => ticks,
        }
    }
}

/// Takes a semaphore.
pub const fn take(semaphore: SemaphoreId) -> Do {
    take_for(semaphore, Wait::Forever)
}

/// Takes a semaphore, if it comes in time.
pub const fn take_for(semaphore: SemaphoreId, wait: Wait) -> Do {
    Do::Ask(CallNumber::SemaphoreWait, [Operand::object(semaphore.0).0, 0, 0, wait.register()])
}

/// Takes one semaphore, then another.
pub const fn take_then(semaphore: SemaphoreId, next: SemaphoreId) -> Do {
    Do::Ask(CallNumber::SemaphoreWait, [Operand::then(semaphore.0, next).0, 0, 0, FOREVER])
}

/// Gives a semaphore back.
pub const fn give(semaphore: SemaphoreId) -> Do {
    Do::Ask(CallNumber::SemaphoreSignal, [semaphore.0 as u32, 0, 0, 0])
}

/// Waits for a condition; `lock` is the semaphore that protects it.
pub const fn await_condition(condition: ConditionId, lock: SemaphoreId, wait: Wait) -> Do {
    Do::Ask(CallNumber::ConditionWait, [Operand::then(condition.0, lock).0, 0, 0, wait.register()])
}

/// Waits for a condition under a ceiling lock.
pub const fn await_lowered(condition: ConditionId, wait: Wait) -> Do {
    Do::Ask(CallNumber::ConditionWait, [Operand::object(condition.0).0, 0, 0, wait.register()])
}

/// Wakes one.
pub const fn signal(condition: ConditionId) -> Do {
    Do::Ask(CallNumber::ConditionSignal, [condition.0 as u32, 0, 0, 0])
}

/// Wakes all.
pub const fn broadcast(condition: ConditionId) -> Do {
    Do::Ask(CallNumber::ConditionBroadcast, [condition.0 as u32, 0, 0, 0])
}

/// Sends a message: its two words, or its address.
pub const fn send(mailbox: MailboxId, message: [u32; 2], wait: Wait) -> Do {
    let [first, second] = message;
    Do::Ask(CallNumber::MailboxSend, [Operand::object(mailbox.0).0, first, second, wait.register()])
}

/// Receives a message; a long one goes to `to`.
pub const fn receive(mailbox: MailboxId, to: u32, wait: Wait) -> Do {
    Do::Ask(CallNumber::MailboxReceive, [Operand::object(mailbox.0).0, to, 0, wait.register()])
}

/// Receives a short message, then takes a semaphore.
pub const fn receive_then(mailbox: MailboxId, next: SemaphoreId, wait: Wait) -> Do {
    Do::Ask(CallNumber::MailboxReceive, [Operand::then(mailbox.0, next).0, 0, 0, wait.register()])
}

/// Asks a server.
pub const fn call(endpoint: EndpointId, request: [u32; 2]) -> Do {
    call_for(endpoint, request, Wait::Forever)
}

/// Asks a server, if it answers in time.
pub const fn call_for(endpoint: EndpointId, request: [u32; 2], wait: Wait) -> Do {
    let [first, second] = request;
    Do::Ask(CallNumber::EndpointCall, [Operand::object(endpoint.0).0, first, second, wait.register()])
}

/// Asks a server, if it answers in time, then takes a semaphore.
pub const fn call_then(endpoint: EndpointId, request: [u32; 2], next: SemaphoreId, wait: Wait) -> Do {
    let [first, second] = request;
    Do::Ask(CallNumber::EndpointCall, [Operand::then(endpoint.0, next).0, first, second, wait.register()])
}

/// Waits for a request.
pub const fn await_request(endpoint: EndpointId, to: u32, wait: Wait) -> Do {
    Do::Ask(CallNumber::EndpointReceive, [Operand::object(endpoint.0).0, to, 0, wait.register()])
}

/// Answers, and waits for the next request.
pub const fn reply(endpoint: EndpointId, values: [u32; 2]) -> Do {
    Do::Ask(CallNumber::EndpointReply, [endpoint.0 as u32, values[0], values[1], 0])
}

/// Sets bits of a notification.
pub const fn notify(notification: NotificationId, bits: u32) -> Do {
    Do::Ask(CallNumber::Notify, [notification.0 as u32, bits, 0, 0])
}

/// Waits for bits of the caller's notification.
pub const fn await_bits(bits: u32, wait: Wait) -> Do {
    Do::Ask(CallNumber::NotificationWait, [Operand::NO_OBJECT as u32, bits, 0, wait.register()])
}

/// Waits for bits, then takes a semaphore.
pub const fn await_bits_then(bits: u32, next: SemaphoreId, wait: Wait) -> Do {
    Do::Ask(
        CallNumber::NotificationWait,
        [Operand::then(Operand::NO_OBJECT, next).0, bits, 0, wait.register()],
    )
}

/// Lets an interrupt come again and waits for bits.
pub const fn await_interrupt(interrupt: InterruptId, bits: u32, wait: Wait) -> Do {
    Do::Ask(CallNumber::NotificationWait, [Operand::object(interrupt.0).0, bits, 0, wait.register()])
}

/// Lets an interrupt come again.
pub const fn acknowledge(interrupt: InterruptId) -> Do {
    Do::Ask(CallNumber::Acknowledge, [interrupt.0 as u32, 0, 0, 0])
}

/// Sets bits of an event group.
pub const fn set_group(group: EventGroupId, bits: u32) -> Do {
    Do::Ask(CallNumber::EventGroupSet, [group.0 as u32, bits, 0, 0])
}

/// Clears bits of an event group.
pub const fn clear_group(group: EventGroupId, bits: u32) -> Do {
    Do::Ask(CallNumber::EventGroupClear, [group.0 as u32, bits, 0, 0])
}

/// Waits for bits of an event group.
pub const fn await_group(group: EventGroupId, bits: u32, how: u32, wait: Wait) -> Do {
    Do::Ask(CallNumber::EventGroupWait, [Operand::object(group.0).0, bits, how, wait.register()])
}

/// Waits for bits of an event group, then takes a semaphore.
pub const fn await_group_then(group: EventGroupId, bits: u32, how: u32, next: SemaphoreId, wait: Wait) -> Do {
    Do::Ask(CallNumber::EventGroupWait, [Operand::then(group.0, next).0, bits, how, wait.register()])
}

/// Changes a thread's priority.
pub const fn set_priority(thread: ThreadId, priority: u32) -> Do {
    Do::Ask(CallNumber::SetPriority, [thread.0 as u32, priority, 0, 0])
}

/// Copies the newest value of a state message.
pub const fn read_state(message: StateMessageId, to: u32) -> Do {
    Do::Ask(CallNumber::StateMessageRead, [message.0 as u32, to, 0, 0])
}

/// Writes a part of a program into a slot.
pub const fn write_slot(slot: SlotId, offset: u32, from: u32, length: u32) -> Do {
    Do::Ask(CallNumber::SlotWrite, [slot.0 as u32, offset, from, length])
}

/// Does a step of the check of what is in a slot.
pub const fn check_slot(slot: SlotId) -> Do {
    Do::Ask(CallNumber::SlotCheck, [slot.0 as u32, 0, 0, 0])
}

/// Lets the program before take over again.
pub const fn roll_back(slot: SlotId) -> Do {
    Do::Ask(CallNumber::SlotRollback, [slot.0 as u32, 0, 0, 0])
}

/// Records the next period of a slot's module.
pub const fn record_slot(slot: SlotId) -> Do {
    Do::Ask(CallNumber::SlotRecord, [slot.0 as u32, 0, 0, 0])
}

/// Copies a part of what was recorded.
pub const fn read_slot(slot: SlotId, offset: u32, to: u32, length: u32) -> Do {
    Do::Ask(CallNumber::SlotRead, [slot.0 as u32, offset, to, length])
}

/// Ends the job of a periodic thread.
pub const fn await_period() -> Do {
    Do::Ask(CallNumber::WaitPeriod, [Operand::NO_OBJECT as u32, 0, 0, 0])
}

/// Ends the job of a periodic thread; the next begins with a semaphore.
pub const fn await_period_then(next: SemaphoreId) -> Do {
    Do::Ask(CallNumber::WaitPeriod, [Operand::then(Operand::NO_OBJECT, next).0, 0, 0, 0])
}

/// Sleeps until an instant.
pub const fn sleep_until(instant: u64) -> Do {
    let (low, high) = (instant as u32, (instant >> 32) as u32);
    Do::Ask(CallNumber::SleepUntil, [Operand::NO_OBJECT as u32, low, high, 0])
}

/// The same; the caller comes back with a semaphore.
pub const fn sleep_until_then(instant: u64, next: SemaphoreId) -> Do {
    let (low, high) = (instant as u32, (instant >> 32) as u32);
    Do::Ask(CallNumber::SleepUntil, [Operand::then(Operand::NO_OBJECT, next).0, low, high, 0])
}

/// A call as the kernel sees it.
pub fn event(ask: Do) -> Event {
    let Do::Ask(number, arguments) = ask else { panic!("{ask:?} is no call") };
    Event::Call(Call { number: number as u32, arguments })
}

/// The caller has lowered its word below what the kernel published.
pub const fn preempt() -> Do {
    Do::Ask(CallNumber::Preempt, [0; 4])
}

/// An answer in words: its status, and the values that the call has.
pub fn answer(number: u32, [status, first, second]: [u32; 3]) -> String {
    let values = match CallNumber::decode(number) {
        Some(CallNumber::Time | CallNumber::ExecutionTime) => return format!("{first} {second}"),
        _ if status != SUCCESS && status != OWNER_DIED => 0,
        Some(
            CallNumber::MailboxReceive
            | CallNumber::EndpointCall
            | CallNumber::EndpointReceive
            | CallNumber::EndpointReply,
        ) => 2,
        Some(
            CallNumber::WaitPeriod
            | CallNumber::NotificationWait
            | CallNumber::EventGroupWait
            | CallNumber::EventGroupClear
            | CallNumber::SlotRead,
        ) => 1,
        _ => 0,
    };
    if number == CallNumber::SlotCheck as u32 && status == SUCCESS {
        return format!("{:?}", Progress::decode([first, second]));
    }
    let mut words = vec![name(status)];
    words.extend([first, second].iter().take(values).map(ToString::to_string));
    words.join(" ")
}

/// A call as a word.
pub fn call_name(number: u32) -> String {
    CallNumber::decode(number).map_or(format!("{number:#x}"), |number| format!("{number:?}"))
}

/// A status as a word.
pub fn name(status: u32) -> String {
    match status {
        SUCCESS => "Success".into(),
        OWNER_DIED => "OwnerDied".into(),
        error => CallError::decode(error).map_or(format!("{error:#x}"), |error| format!("{error:?}")),
    }
}
