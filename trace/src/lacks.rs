//! What threads asked for without a right to it, in words, with what the description would have to say.

use beryl_abi::{CallNumber, ThreadId};

use crate::names::{Names, ThreadKind};

/// A call that was refused, since the thread has no right to what it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lack {
    /// What the thread asked for, as what it does.
    pub asked: String,
    /// What its `uses` would have to name, if there is such an object.
    pub right: Option<String>,
}

impl Names {
    /// What a thread asked for, by the numbers of the call and of the object.
    #[must_use]
    pub fn lack(&self, thread: ThreadId, call: u8, object: u8) -> Lack {
        use CallNumber as C;
        let objects = &self.objects;
        let interrupts: Vec<_> = objects.interrupts.iter().map(|row| row.name.clone()).collect();
        let threads: Vec<_> = self.threads.iter().map(|row| row.name.clone()).collect();
        let trace = ["trace".to_owned()];
        let (does, kind, names, role) = match CallNumber::decode(call.into()) {
            Some(C::SemaphoreWait) => ("takes", "semaphore", &objects.semaphores[..], ""),
            Some(C::SemaphoreSignal) => ("gives back", "semaphore", &objects.semaphores[..], ""),
            Some(C::ConditionWait) => ("waits for", "condition", &objects.conditions[..], ""),
            Some(C::ConditionSignal | C::ConditionBroadcast) => {
                ("signals", "condition", &objects.conditions[..], "")
            }
            Some(C::MailboxSend) => ("sends to", "mailbox", &objects.mailboxes[..], ".send"),
            Some(C::MailboxReceive) => ("receives from", "mailbox", &objects.mailboxes[..], ".receive"),
            Some(C::EndpointCall) => ("asks", "endpoint", &objects.endpoints[..], ".call"),
            Some(C::EndpointReceive | C::EndpointReply) => {
                ("serves", "endpoint", &objects.endpoints[..], ".serve")
            }
            Some(C::Notify) => ("notifies", "notification", &objects.notifications[..], ".notify"),
            Some(C::NotificationWait) => ("waits for", "interrupt", &interrupts[..], ""),
            Some(C::Acknowledge) => ("acknowledges", "interrupt", &interrupts[..], ""),
            Some(C::EventGroupSet) => ("sets bits of", "event group", &objects.event_groups[..], ".set"),
            Some(C::EventGroupClear) => ("clears bits of", "event group", &objects.event_groups[..], ".set"),
            Some(C::EventGroupWait) => {
                ("waits for bits of", "event group", &objects.event_groups[..], ".wait")
            }
            Some(C::StateMessageRead) => ("reads", "state message", &objects.states[..], ".read_slow"),
            Some(C::SlotWrite | C::SlotCheck | C::SlotRollback | C::SlotRecord | C::SlotRead) => {
                ("uses", "slot", &objects.slots[..], "")
            }
            Some(C::SetPriority) => ("changes the priority of", "thread", &threads[..], ".priority"),
            Some(C::TraceRead | C::TraceClasses) => {
                return self.allowed(thread, "reads the trace buffer".to_owned(), trace.first(), "");
            }
            _ => return Lack { asked: format!("makes call {call}"), right: None },
        };
        let name = names.get(usize::from(object));
        let number = object.to_string();
        let asked = format!("{does} {kind} {}", name.unwrap_or(&number));
        self.allowed(thread, asked, name, role)
    }

    /// With the right that is missing, where a thread may have some.
    fn allowed(&self, thread: ThreadId, asked: String, name: Option<&String>, role: &str) -> Lack {
        let has_uses = self
            .known_thread(thread)
            .is_some_and(|thread| matches!(thread.kind, ThreadKind::Task | ThreadKind::Free));
        Lack { asked, right: name.filter(|_| has_uses).map(|name| format!("{name}{role}")) }
    }
}
