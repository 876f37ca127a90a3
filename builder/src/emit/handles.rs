//! The handles that threads and tasks get as parameters, as Rust expressions. All numbers are constants, so nothing is
//! left of a handle at run time.

use beryl_timing::Type;

use crate::assembly::objects::{Count, Value};
use crate::assembly::{Assembly, Use};
use crate::code::SlotCode;
use crate::emit::reports;
use crate::plan::Places;
use crate::project::Project;

/// The handles of a thread or task, in the order of its `uses`.
#[must_use]
pub fn handles(project: &Project, thread: usize) -> Vec<String> {
    let (assembly, slots, places) = (&project.assembly, &project.slots, &project.places);
    let glue = Glue { assembly, slots, thread, places };
    assembly.threads[thread].uses.iter().map(|used| glue.handle(*used)).collect()
}

/// The handle of a state message, of those who need no call.
pub(super) fn state(assembly: &Assembly, places: &Places, side: &str, index: usize) -> String {
    let state = &assembly.objects.states[index];
    let address = |cell| places.address(&assembly.cells, cell);
    format!(
        "state::{side}::<{}>::new({:#010x}, {:#010x}, {})",
        state.kind.rust_name(),
        state.index.map_or(0, address),
        address(state.buffers),
        state.depth
    )
}

struct Glue<'a> {
    assembly: &'a Assembly,
    slots: &'a [SlotCode],
    thread: usize,
    places: &'a Places,
}

impl Glue<'_> {
    fn handle(&self, used: Use) -> String {
        let objects = &self.assembly.objects;
        match used {
            Use::Lock(index) => self.lock(index),
            Use::Semaphore(index) => self.semaphore(index),
            Use::Condition(index) => format!("condition::Condition::new(ConditionId({index}))"),
            Use::Send(index) => {
                let kind = objects.mailboxes[index].kind.rust_name();
                format!("mailbox::Sender::<{kind}>::new(MailboxId({index}))")
            }
            Use::Receive(index) if self.assembly.reports_in(index).is_some() => {
                let first = self.assembly.reports_in(index).map_or(0, |(first, _)| first);
                format!(
                    "supervisor::Supervisor::<{}>::new(MailboxId({index}), {first}, &REPORTS_{index})",
                    reports::Who::of(self.assembly, index).kind()
                )
            }
            Use::Receive(index) => {
                let kind = objects.mailboxes[index].kind.rust_name();
                format!("mailbox::Receiver::<{kind}>::new(MailboxId({index}))")
            }
            Use::Call(index) => self.endpoint("Client", index),
            Use::Serve(index) => self.endpoint("Server", index),
            Use::Set(index) => format!("event_group::Source::new(EventGroupId({index}))"),
            Use::AwaitBits(index) => format!("event_group::Waiter::new(EventGroupId({index}))"),
            Use::Notify(index) => {
                let bits = objects.notifications[index].bits;
                format!("notification::Notifier::new(NotificationId({index}), {bits:#x})")
            }
            Use::Await(index) => {
                format!("notification::Notification::new({:#x})", objects.notifications[index].bits)
            }
            Use::Interrupt(index) => {
                let interrupt = &objects.interrupts[index];
                let bits = if interrupt.is_silent { 0 } else { interrupt.bits };
                format!("interrupt::Interrupt::new(InterruptId({index}), {bits:#x})")
            }
            Use::Write(index) => self.state("Writer", index),
            Use::Read(index) => self.state("Reader", index),
            Use::ReadSlow(index) => {
                let state = &objects.states[index];
                let id = state.id.map_or(0, |id| id.0);
                format!("state::SlowReader::<{}>::new(StateMessageId({id}))", state.kind.rust_name())
            }
            Use::Priority(index) => format!("thread::Thread::new(ThreadId({}))", objects.priorities[index]),
            Use::Trace => {
                let classes = objects.trace.map_or(0, |trace| trace.classes.0);
                format!("trace::Trace::new(Classes({classes:#x}), &IDENTITY)")
            }
            Use::Slot(index) => {
                format!("slot::Slot::new(SlotId({index}), &IDENTITY, &{:?})", self.slots[index].program)
            }
            Use::Replace(index) => {
                let process = objects.replaceable[index].process;
                format!("slot::Slot::new(SlotId::of_process(ProcessId({process})), &IDENTITY, &[])")
            }
            Use::Region(index) => {
                let address = self.places.regions[index].address;
                format!("region::Region::new({address:#010x}, {})", objects.regions[index].size)
            }
        }
    }

    fn lock(&self, index: usize) -> String {
        let lock = &self.assembly.objects.locks[index];
        format!(
            "lock::Lock::<{}>::new({:#010x}, {}, {})",
            self.kind(lock.value.as_ref()),
            self.places.words(self.thread),
            lock.ceiling,
            self.value(lock.value.as_ref())
        )
    }

    fn semaphore(&self, index: usize) -> String {
        match &self.assembly.objects.semaphores[index].count {
            Count::Counting { .. } => format!("semaphore::Counting::new(SemaphoreId({index}))"),
            Count::Binary { word, value } => {
                let word = word.map_or("0".to_owned(), |word| {
                    format!("{:#010x}", self.places.address(&self.assembly.cells, word))
                });
                format!(
                    "semaphore::Binary::<{}>::new(SemaphoreId({index}), {word}, ThreadId({}), {})",
                    self.kind(value.as_ref()),
                    self.thread,
                    self.value(value.as_ref())
                )
            }
        }
    }

    fn endpoint(&self, side: &str, index: usize) -> String {
        let endpoint = &self.assembly.objects.endpoints[index];
        let [request, reply] = [&endpoint.request, &endpoint.reply].map(Type::rust_name);
        format!("endpoint::{side}::<{request}, {reply}>::new(EndpointId({index}))")
    }

    fn state(&self, side: &str, index: usize) -> String {
        state(self.assembly, self.places, side, index)
    }

    /// The type of what is protected; nothing at all where it lies elsewhere.
    fn kind(&self, value: Option<&Value>) -> String {
        value.map_or("()".to_owned(), |value| value.kind.rust_name())
    }

    fn value(&self, value: Option<&Value>) -> String {
        let address = |value: &Value| self.places.address(&self.assembly.cells, value.cell);
        value.map_or("0".to_owned(), |value| format!("{:#010x}", address(value)))
    }
}
