//! Rows of the kernel's tables as Rust source: the one printer of values.

use beryl_abi::{Duration, Journal, Line, Range, ThreadId};
use beryl_kernel::{
    Asked, Band, Budget, ComesBack, Condition, Depth, Driver, DriverKind, Endpoint, EventGroup, Fed,
    Followed, Gate, Gated, Interrupt, Limit, Mailbox, Notification, OnFault, OnSpent, Place, Policy, Pooled,
    Port, Process, Program, Rank, Replaceable, ReportId, Restart, Rule, Semaphore, SemaphoreKind,
    StateMessage, Telling, Thread, Watchdog, Watched, Window,
};

use crate::board::Image;
use crate::rows::Row;

/// What can be written as an expression of Rust.
pub(super) trait Source {
    /// The expression.
    fn source(&self) -> String;
}

/// Several of them.
pub(super) fn sources<S: Source>(values: &[S]) -> Vec<String> {
    values.iter().map(Source::source).collect()
}

/// A row behind its number and name, as a comment.
pub(super) fn numbered<R: Source>(number: usize, row: &Row<R>) -> String {
    format!("/* {number} {} */ {}", row.name, row.row.source())
}

/// A row behind its name, as a comment.
impl<R: Source> Source for Row<R> {
    fn source(&self) -> String {
        format!("/* {} */ {}", self.name, self.row.source())
    }
}

impl Source for Duration {
    fn source(&self) -> String {
        match *self {
            Duration::FOREVER => "Duration::FOREVER".to_owned(),
            other => format!("Duration::from_ticks({})", other.ticks()),
        }
    }
}

impl Source for Range {
    fn source(&self) -> String {
        match self.length {
            0 => "Range::EMPTY".to_owned(),
            length => format!("Range::new({:#010x}, {length})", self.address),
        }
    }
}

impl Source for ThreadId {
    fn source(&self) -> String {
        match self.is_some() {
            true => format!("ThreadId({})", self.0),
            false => "ThreadId::NONE".to_owned(),
        }
    }
}

impl Source for Rank {
    fn source(&self) -> String {
        match self.as_fixed() {
            Some(number) => format!("Rank::fixed({number})"),
            None => format!("Rank::dynamic({})", self.number()),
        }
    }
}

impl Source for Place {
    fn source(&self) -> String {
        match *self {
            Place::Dynamic { slot } => format!("Place::Dynamic {{ slot: {slot} }}"),
            Place::Offered { slot, program } => {
                format!("Place::Offered {{ slot: {slot}, program: ProgramId({}) }}", program.0)
            }
            Place::Coded { program } => format!("Place::Coded {{ program: ProgramId({}) }}", program.0),
            Place::Fixed { priority, least, most } if [least, most] == [priority; 2] => {
                format!("Place::fixed({priority})")
            }
            Place::Fixed { priority, least, most } => {
                format!("Place::Fixed {{ priority: {priority}, least: {least}, most: {most} }}")
            }
        }
    }
}

impl Source for Thread {
    fn source(&self) -> String {
        let completion = match self.on_completion {
            Some((program, address)) => format!("Some((ProgramId({}), {address}))", program.0),
            None => "None".to_owned(),
        };
        format!(
            "Thread {{ kind: ThreadKind::{:?}, process: ProcessId({}), band: BandId({}), place: {}, rank: {}, level: {}, \
             highest_ceiling: {}, catch_up: {}, period: {}, offset: {}, deadline: {}, worst: {}, stack: {}, words: {:#010x}, \
             on_completion: {completion} }}",
            self.kind,
            self.process.0,
            self.band.0,
            self.place.source(),
            self.rank.source(),
            self.level,
            self.highest_ceiling,
            self.catch_up,
            self.period.source(),
            self.offset.source(),
            self.deadline.source(),
            self.worst.source(),
            self.stack.source(),
            self.words,
        )
    }
}

impl Source for Budget {
    fn source(&self) -> String {
        if !self.is_some() {
            return "Budget::NONE".to_owned();
        }
        let Budget { amount, comes_back, reaction, hold, woken, background } = *self;
        let comes_back = match comes_back {
            ComesBack::WithJobs => "WithJobs".to_owned(),
            ComesBack::Every(period) => format!("Every({period})"),
        };
        let background = match reaction {
            OnSpent::Lower => format!("background: {}, ", background.source()),
            _ => String::new(),
        };
        format!(
            "Budget {{ amount: {amount}, comes_back: ComesBack::{comes_back}, reaction: OnSpent::{reaction:?}, hold: {hold}, \
             woken: {woken}, {background}..Budget::NONE }}"
        )
    }
}

impl Source for Rule {
    fn source(&self) -> String {
        format!("Rule::{self:?}")
    }
}

impl Source for Pooled {
    fn source(&self) -> String {
        match *self {
            Pooled::ALONE => "Pooled::ALONE".to_owned(),
            Pooled { purse, next } => {
                format!("Pooled {{ purse: ThreadId({}), next: ThreadId({}) }}", purse.0, next.0)
            }
        }
    }
}

impl Source for Gate {
    fn source(&self) -> String {
        let Gate { before, separation, early } = *self;
        let before = match before {
            Gated::Nothing => return "Gate::NONE".to_owned(),
            Gated::Line(Line(line)) => format!("Line(Line({line}))"),
            Gated::Notification(object) => format!("Notification(NotificationId({}))", object.0),
            Gated::Mailbox(object) => format!("Mailbox(MailboxId({}))", object.0),
            Gated::Endpoint(object) => format!("Endpoint(EndpointId({}))", object.0),
            Gated::EventGroup(object) => format!("EventGroup(EventGroupId({}))", object.0),
        };
        format!("Gate {{ before: Gated::{before}, separation: {separation}, early: OnEarly::{early:?} }}")
    }
}

impl Source for Limit {
    fn source(&self) -> String {
        let Limit { of, client, first, requests, within } = *self;
        let of = match of {
            Asked::Nothing => return "Limit::NONE".to_owned(),
            Asked::Mailbox(object) => format!("Mailbox(MailboxId({}))", object.0),
            Asked::Endpoint(object) => format!("Endpoint(EndpointId({}))", object.0),
        };
        let client = client.0;
        format!(
            "Limit {{ of: Asked::{of}, client: ProcessId({client}), first: {first}, requests: {requests}, within: {within} }}"
        )
    }
}

impl Source for Watched {
    fn source(&self) -> String {
        let report = |report: &ReportId| match *report {
            ReportId::NONE => "ReportId::NONE".to_owned(),
            ReportId(number) => format!("ReportId({number})"),
        };
        match *self {
            Watched::NONE => "Watched::NONE".to_owned(),
            Watched { reports } => {
                format!("Watched {{ reports: [{}] }}", reports.each_ref().map(report).join(", "))
            }
        }
    }
}

impl Source for Telling {
    fn source(&self) -> String {
        format!("Telling {{ mailbox: MailboxId({}) }}", self.mailbox.0)
    }
}

impl Source for Watchdog {
    fn source(&self) -> String {
        let Watchdog { thread, mailbox, within } = *self;
        format!(
            "Watchdog {{ thread: ThreadId({}), mailbox: MailboxId({}), within: {within} }}",
            thread.0, mailbox.0
        )
    }
}

impl Source for Window {
    fn source(&self) -> String {
        format!("Window {{ lasts: {}, eligible: {:#034b} }}", self.lasts, self.eligible)
    }
}

impl Source for Depth {
    fn source(&self) -> String {
        let Depth { wake, early, least } = *self;
        format!("Depth {{ wake: {wake}, early: {early}, least: {least} }}")
    }
}

impl Source for Restart {
    fn source(&self) -> String {
        match *self {
            Restart::NONE => "Restart::NONE".to_owned(),
            Restart { most, within } => format!("Restart {{ most: {most}, within: {} }}", within.source()),
        }
    }
}

impl Source for Replaceable {
    fn source(&self) -> String {
        let Replaceable { writers, rooms: [first, second], size, layout: [low, high] } = *self;
        match *self {
            Replaceable::NONE => "Replaceable::NONE".to_owned(),
            _ => format!(
                "Replaceable {{ writers: {writers:#x}, rooms: [{first:#010x}, {second:#010x}], size: {size}, \
                 layout: [{low:#010x}, {high:#010x}] }}"
            ),
        }
    }
}

impl Source for Process {
    fn source(&self) -> String {
        let on_fault: OnFault = self.on_fault;
        let memory: Vec<_> = self.memory.iter().map(Source::source).collect();
        let journal = match self.journal {
            Journal::NONE => "Journal::NONE".to_owned(),
            Journal { address, places } => {
                format!("Journal {{ address: {address:#010x}, places: {places} }}")
            }
        };
        format!(
            "Process {{ driver_thread: {}, on_fault: OnFault::{on_fault:?}, memory: [{}], journal: {journal} }}",
            self.driver_thread.source(),
            memory.join(", ")
        )
    }
}

impl Source for Band {
    fn source(&self) -> String {
        let policy: Policy = self.policy;
        format!("Band {{ policy: Policy::{policy:?} }}")
    }
}

impl Source for Followed {
    fn source(&self) -> String {
        let [writer, message] = [self.writer.0, self.message.0];
        format!(
            "beryl_kernel::Followed {{ writer: ThreadId({writer}), message: beryl_abi::StateMessageId({message}) }}"
        )
    }
}

impl Source for Driver {
    fn source(&self) -> String {
        let kind = match self.kind {
            DriverKind::Copy => "Copy".to_owned(),
            DriverKind::Input => "Input".to_owned(),
            DriverKind::Ahead { by } => format!("Ahead {{ by: {} }}", by.source()),
            DriverKind::Arrival => "Arrival".to_owned(),
            DriverKind::Getter { function, shared, budget } => {
                format!("Getter {{ function: {function}, shared: {shared:#x}, budget: {} }}", budget.source())
            }
            DriverKind::Setter { function, budget } => {
                format!("Setter {{ function: {function}, budget: {} }}", budget.source())
            }
            DriverKind::Guard { function, budget } => {
                format!("Guard {{ function: {function}, budget: {} }}", budget.source())
            }
        };
        let others = match self.others[0].is_some() {
            true => format!("others: [{}, {}], ", self.others[0].source(), self.others[1].source()),
            false => String::new(),
        };
        format!(
            "Driver {{ kind: DriverKind::{kind}, process: ProcessId({}), task: {}, from: {:#010x}, to: {:#010x}, length: {}, \
             {others}..Driver::NONE }}",
            self.process.0,
            self.task.source(),
            self.from,
            self.to,
            self.length,
        )
    }
}

impl Source for Fed {
    fn source(&self) -> String {
        match self {
            Fed::Nothing => "Fed::Nothing".to_owned(),
            Fed::Fetch { writer, link } => {
                format!("Fed::Fetch {{ writer: {}, link: {link} }}", writer.source())
            }
            Fed::Feed { link } => format!("Fed::Feed {{ link: {link} }}"),
        }
    }
}

/// A program's fields behind those of its text, which are statics of their own.
pub(super) fn program(row: &Program, has_conditions: bool, index: usize) -> String {
    let mut fields = vec![format!("first_trigger: {}", row.first_trigger)];
    if let [safety, Program::NO_HANDLER] = row.handlers
        && safety != Program::NO_HANDLER
    {
        fields.push(format!("handlers: [{safety}, Program::NO_HANDLER]"));
    }
    if has_conditions {
        fields.push(format!("conditions: &CONDITIONS_{index}"));
    }
    if row.slot != Program::NONE.slot {
        fields.push(format!("slot: SlotId({})", row.slot.0));
    }
    if row.schedules != 0 {
        fields.push(format!("first_schedule: {}", row.first_schedule));
        fields.push(format!("schedules: {}", row.schedules));
        fields.push(format!("rank: {}", row.rank.source()));
    }
    format!(
        "Program {{ code: &CODE_{index}, durations: &DURATIONS_{index}, start: {}, {}, ..Program::NONE }}",
        row.start,
        fields.join(", ")
    )
}

impl Source for Semaphore {
    fn source(&self) -> String {
        let kind = match self.kind {
            SemaphoreKind::Counting { initial, most } => {
                format!("Counting {{ initial: {initial}, most: {most} }}")
            }
            SemaphoreKind::Binary { word } => format!("Binary {{ word: {word:#010x} }}"),
        };
        format!("Semaphore {{ processes: {:#x}, kind: SemaphoreKind::{kind} }}", self.processes)
    }
}

impl Source for Condition {
    fn source(&self) -> String {
        format!("Condition {{ processes: {:#x} }}", self.processes)
    }
}

impl Source for Mailbox {
    fn source(&self) -> String {
        let Mailbox { senders, receivers, base, length, capacity, first_come } = *self;
        format!(
            "Mailbox {{ senders: {senders:#x}, receivers: {receivers:#x}, base: {base:#010x}, length: {length}, \
             capacity: {capacity}, first_come: {first_come} }}"
        )
    }
}

impl Source for Endpoint {
    fn source(&self) -> String {
        let Endpoint { callers, server, request, reply } = *self;
        let server = server.source();
        format!("Endpoint {{ callers: {callers:#x}, server: {server}, request: {request}, reply: {reply} }}")
    }
}

impl Source for EventGroup {
    fn source(&self) -> String {
        format!("EventGroup {{ sources: {:#x}, waiters: {:#x} }}", self.sources, self.waiters)
    }
}

impl Source for Notification {
    fn source(&self) -> String {
        let Notification { senders, thread, bits } = *self;
        format!("Notification {{ senders: {senders:#x}, thread: {}, bits: {bits:#x} }}", thread.source())
    }
}

impl Source for Interrupt {
    fn source(&self) -> String {
        let Interrupt { line, thread, bits } = *self;
        format!("Interrupt {{ line: Line({}), thread: {}, bits: {bits:#x} }}", line.0, thread.source())
    }
}

impl Source for StateMessage {
    fn source(&self) -> String {
        let StateMessage { readers, index, base, length, depth } = *self;
        format!(
            "StateMessage {{ readers: {readers:#x}, index: {index:#010x}, base: {base:#010x}, length: {length}, depth: {depth} }}"
        )
    }
}

impl Source for Port {
    fn source(&self) -> String {
        format!("Port {{ address: {:#010x}, holds: Held::{:?} }}", self.address, self.holds)
    }
}

impl Source for Image {
    fn source(&self) -> String {
        let Image { load, address, length, zeros } = *self;
        format!("Image {{ load: {load:#010x}, address: {address:#010x}, length: {length}, zeros: {zeros} }}")
    }
}
