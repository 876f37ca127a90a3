//! How large the rows of the kernel's tables are on the board. The compiler lays them out; a recorded probe asks it.

/// Declares the rows: a name, and the type with its path in a crate that calls the board's port so.
macro_rules! rows {
    ($($(#[$doc:meta])* $name:ident: $path:literal,)*) => {
        /// Bytes of a row of each table.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Rows {
            $($(#[$doc])* pub $name: u32,)*
        }

        impl Rows {
            /// The names, and the types whose sizes they are.
            pub const TYPES: &[(&str, &str)] = &[$((stringify!($name), $path)),*];

            /// Rows of which each has the size that is known by its name.
            #[must_use]
            pub fn of(size: impl Fn(&str) -> u32) -> Rows {
                Rows { $($name: size(stringify!($name)),)* }
            }
        }
    };
}

rows! {
    /// A thread.
    thread: "beryl_kernel::Thread",
    /// What changes of a thread.
    thread_state: "beryl_kernel::row::ThreadState",
    /// The budget of a thread's place.
    budget: "beryl_kernel::Budget",
    /// What changes of it.
    budget_state: "beryl_kernel::row::BudgetState",
    /// By which rule a budget comes back.
    rule: "beryl_kernel::Rule",
    /// The parts of a sporadic one.
    chunks: "beryl_kernel::row::Chunks",
    /// With whom a place pays.
    pooled: "beryl_kernel::Pooled",
    /// Who pays from a budget.
    payment: "beryl_kernel::row::Payment",
    /// A gate.
    gate: "beryl_kernel::Gate",
    /// Which gate stands before something.
    door: "beryl_kernel::GateId",
    /// What changes of a gate.
    gate_state: "beryl_kernel::row::GateState",
    /// Which gate waits for its timer.
    opening: "beryl_kernel::row::Opening",
    /// A limit of a client.
    limit: "beryl_kernel::Limit",
    /// Which limit a client has.
    client: "beryl_kernel::LimitId",
    /// What changes of a limit.
    limit_state: "beryl_kernel::row::LimitState",
    /// When a credit is back.
    credit: "beryl_kernel::row::Credit",
    /// A depth of sleep.
    depth: "beryl_kernel::Depth",
    /// How deep the processor sleeps.
    depth_state: "beryl_kernel::row::DepthState",
    /// How often a process begins anew.
    restart: "beryl_kernel::Restart",
    /// When it did.
    restarts: "beryl_kernel::row::Restarts",
    /// The process that begins anew.
    renewal: "beryl_kernel::row::Renewal",
    /// Where the rooms of a process are.
    replaceable: "beryl_kernel::Replaceable",
    /// Whose code a process runs.
    replacement: "beryl_kernel::row::Replacement",
    /// A crash record.
    crash: "beryl_kernel::row::Crash",
    /// The one that is being written.
    crashes: "beryl_kernel::row::Crashes",
    /// Which reports there are of a thread or gate.
    watched: "beryl_kernel::Watched",
    /// Who gets a report.
    telling: "beryl_kernel::Telling",
    /// What changes of a report.
    report_state: "beryl_kernel::row::ReportState",
    /// A state message that is told in the trace.
    followed: "beryl_kernel::Followed",
    /// What was told of it last.
    followed_state: "u32",
    /// The window that is open.
    open_window: "beryl_kernel::WindowId",
    /// The ranks that count in it.
    eligible: "u32",
    /// How long a thread may keep others out.
    hold: "u32",
    /// Its section.
    section: "beryl_kernel::row::Section",
    /// How much longer it may work for a request.
    allowance: "beryl_kernel::row::Allowance",
    /// Which part a driver has in a link between tasks.
    fed: "beryl_kernel::Fed",
    /// What is known of a link between tasks.
    link_state: "beryl_kernel::row::LinkState",
    /// What a thread has no right to.
    lacked: "beryl_kernel::row::Lacked",
    /// Which reports have yet to be sent.
    unsent: "beryl_kernel::row::Unsent",
    /// What watches over a supervisor.
    watchdog: "beryl_kernel::Watchdog",
    /// Which watchdog looks after whom a mailbox tells something.
    watchdog_id: "beryl_kernel::WatchdogId",
    /// What changes of a watchdog.
    watchdog_state: "beryl_kernel::row::WatchdogState",
    /// What has yet to be done about watchdogs.
    alert: "beryl_kernel::row::Alert",
    /// A window of the frame.
    window: "beryl_kernel::Window",
    /// What the port keeps of a thread.
    context: "port::Context",
    /// Where a thread is.
    thread_layout: "port::ThreadLayout",
    /// What memory holds at the start.
    image: "port::Image",
    /// The layout, without what it refers to.
    layout: "port::Layout",
    /// A process.
    process: "beryl_kernel::Process",
    /// What changes of a process.
    process_state: "beryl_kernel::row::ProcessState",
    /// A band.
    band: "beryl_kernel::Band",
    /// Which thread has a place in a dynamic band.
    slot: "beryl_abi::ThreadId",
    /// A key of a tree.
    key: "beryl_kernel::row::Key",
    /// A node of a tree.
    node: "u8",
    /// A key of the timer queue.
    moment: "beryl_abi::Moment",
    /// A driver.
    driver: "beryl_kernel::Driver",
    /// A timing program.
    program: "beryl_kernel::Program",
    /// What changes of a timing program.
    program_state: "beryl_kernel::row::ProgramState",
    /// An instruction of system code.
    instruction: "u32",
    /// A duration that system code names.
    duration: "beryl_abi::Duration",
    /// What a thread of system code waits for.
    until: "beryl_kernel::row::Until",
    /// A thread of system code.
    schedule: "beryl_kernel::row::ScheduleState",
    /// A trigger.
    trigger: "beryl_kernel::row::TriggerState",
    /// A trigger on anything but time.
    event_trigger: "beryl_kernel::row::EventTriggerState",
    /// A port at which triggers may look.
    port: "beryl_kernel::Port",
    /// A semaphore.
    semaphore: "beryl_kernel::Semaphore",
    /// What changes of a semaphore.
    semaphore_state: "beryl_kernel::row::SemaphoreState",
    /// A condition.
    condition: "beryl_kernel::Condition",
    /// Who waits for a condition.
    queue: "beryl_kernel::row::Queue",
    /// A mailbox.
    mailbox: "beryl_kernel::Mailbox",
    /// What changes of a mailbox.
    mailbox_state: "beryl_kernel::row::MailboxState",
    /// An endpoint.
    endpoint: "beryl_kernel::Endpoint",
    /// What changes of an endpoint.
    endpoint_state: "beryl_kernel::row::EndpointState",
    /// An event group.
    event_group: "beryl_kernel::EventGroup",
    /// What changes of an event group.
    event_group_state: "beryl_kernel::row::EventGroupState",
    /// A notification.
    notification: "beryl_kernel::Notification",
    /// An interrupt.
    interrupt: "beryl_kernel::Interrupt",
    /// Which interrupt comes by which line: a table of the least length.
    lines: "beryl_kernel::Lines",
    /// A state message that is read by a call.
    state_message: "beryl_kernel::StateMessage",
    /// A slot for other programs.
    program_slot: "beryl_kernel::ProgramSlot",
    /// What changes of a slot.
    program_slot_state: "beryl_kernel::row::ProgramSlotState",
    /// The longest time of a task's job, for the checker.
    task_time: "beryl_kernel::row::time::Task",
    /// Who runs of a rank, for the checker.
    policy: "beryl_kernel::row::time::Policy",
    /// What a module doesn't get, for the checker.
    loss: "beryl_kernel::row::time::Loss",
    /// A line for which programs may wait.
    line: "beryl_abi::Line",
    /// A note in the trace buffer.
    note: "beryl_kernel::row::Stored",
}
