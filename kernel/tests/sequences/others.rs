//! Objects that all belong to somebody else, for those who ask what they have no right to.

use beryl_abi::{
    ConditionId, EndpointId, EventGroupId, InterruptId, MailboxId, NotificationId, StateMessageId, ThreadId,
};
use beryl_kernel::{Sizes, System, Table};

use crate::host::draft::Draft;
use crate::host::objects::memory;

/// The processes that have a right: the second.
pub const PROCESSES: u32 = 1 << 2;

/// Thread 0 of process 1 runs; everything there is belongs to process 2, with this thread in it.
pub struct Others {
    pub thread: ThreadId,
    pub condition: ConditionId,
    pub mailbox: MailboxId,
    pub endpoint: EndpointId,
    pub group: EventGroupId,
    pub notification: NotificationId,
    pub interrupt: InterruptId,
    pub message: StateMessageId,
}

impl Others {
    pub fn drawn<S: Sizes>(draft: &mut Draft<S>) -> Others {
        draft.free(1, 0, 9);
        let thread = draft.free(2, 0, 1);
        Others {
            thread,
            condition: draft.condition(),
            mailbox: draft.mailbox(8, 1),
            endpoint: draft.endpoint(thread, 8, 8),
            group: draft.event_group(),
            notification: draft.notification(thread, 1),
            interrupt: draft.interrupt(10, thread, 1),
            message: draft.state_message(0, memory(2).address, 4, 1),
        }
    }

    /// The system that was drafted, in which nobody else has a right to them.
    pub fn own<S: Sizes>(mut system: System<S>) -> System<S> {
        system.conditions.at_mut(0).processes = PROCESSES;
        let mailbox = system.mailboxes.at_mut(0);
        (mailbox.senders, mailbox.receivers) = (PROCESSES, PROCESSES);
        system.endpoints.at_mut(0).callers = PROCESSES;
        system.notifications.at_mut(0).senders = PROCESSES;
        system.state_messages.at_mut(0).readers = PROCESSES;
        let group = system.event_groups.at_mut(0);
        (group.sources, group.waiters) = (PROCESSES, PROCESSES);
        system
    }
}
