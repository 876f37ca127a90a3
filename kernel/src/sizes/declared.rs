//! How a system's sizes are declared: the macro that fills the trait from the numbers that a description gives.

/// The type of a table that a kernel may lack.
#[doc(hidden)]
#[macro_export]
macro_rules! optional {
    ($row:ty) => {
        $crate::row::Absent
    };
    ($row:ty, $number:expr) => {
        [$row; $number]
    };
}

/// Declares the sizes of a system. Sizes that are powers of two make the fastest tables. A table without
/// objects has one row that nobody may name.
///
/// `slots` and `triggers` are powers of two of at least two; `triggers` is at least `programs` (or
/// `trigger_places`, if some programs have more than one) plus `s_machine`. Without `s_machine` there is no S
/// code, nor the kernel's part that carries it out. `rooms` are the bytes of all rooms of slots.
/// `check_words` are the words that the checker needs: one for each instruction that fits in the largest
/// room, plus the words for the check of time; with `certified_only` there is no check for programs without a
/// certificate. `notes` is a power of two: the notes that the trace buffer holds for the thread with the
/// number `reader`; `told` are the classes that it keeps from the start.
///
/// `handlers` says whether programs of the image have handlers of exceptions, `rounds` whether they have
/// rounds, `shared` whether there are objects or ceiling locks, `ceilings` whether there are ceiling locks,
/// `periodic` whether there are periodic threads, `ranged` whether any thread has a range of priorities.
/// `looks` is how many places a step looks at, if it isn't [`MOST_LOOKS`](crate::MOST_LOOKS); `journal` is the number of events
/// in the largest journal of a process; `followed` are the state messages that are followed. Without `event_groups` there are none. `budgets`, if any place has
/// one, is the number of threads, and so are `rules`, if any comes back by another rule than the deferrable one (`constant` says whether any has constant bandwidth), and `pools`, if several places share one; `gates`, if there are any, is their number. `depths` is how many depths of
/// sleep there are beside the lightest; `restarts`, if any process begins anew after a fault, is the number of
/// processes; `limits`, if clients have any, is their number, and `credits` how many all of them have together;
/// `crashes` is how many crash records are kept; `reports`, if any thread supervises others, is the number of reports
/// that there may be, and `watchdogs`, if any of these has one, their number; `windows`, if bands are partitions, is the number of windows in the frame; `lacked`, if it is counted what threads have no right to, is the number of threads; `waits`, if any thread mayn't wait for all that it likes,
/// says of each what it may; `replaced`, if any process that begins anew can be replaced, is the number of processes; `lines`, if any that is used isn't below 32, is a power of two above all that are; `linked` says whether values come from other kernels or go to them; `links` is how many inputs of tasks are fed; `rings` says whether any notification is a doorbell at another core. The code for a part that is absent is left out.
#[macro_export]
macro_rules! sizes {
    ($(#[$doc:meta])* $visibility:vis struct $name:ident {
        threads: $threads:expr, processes: $processes:expr, bands: $bands:expr, slots: $slots:expr,
        drivers: $drivers:expr, programs: $programs:expr, triggers: $triggers:expr,
        semaphores: $semaphores:expr, conditions: $conditions:expr, mailboxes: $mailboxes:expr,
        endpoints: $endpoints:expr, notifications: $notifications:expr, interrupts: $interrupts:expr,
        state_messages: $state_messages:expr $(, event_groups: $event_groups:expr)? $(, schedules: $schedules:expr)?
        $(, program_slots: $program_slots:expr, rooms: $rooms:expr, check_words: $check_words:expr
            $(, certified_only: $certified_only:expr)?)?
        $(, trigger_places: $trigger_places:expr, event_triggers: $event_triggers:expr, ports: $ports:expr
            $(, kept: $kept:expr)?)?
        $(, notes: $notes:expr, reader: $reader:expr, told: $told:expr)?
        $(, handlers: $handlers:expr)?
        $(, rounds: $rounds:expr)?
        $(, shared: $shared:expr)?
        $(, ceilings: $ceilings:expr)?
        $(, periodic: $periodic:expr)?
        $(, ranged: $ranged:expr)?
        $(, looks: $looks:expr)?
        $(, journal: $journal:expr)?
        $(, followed: $followed:expr)?
        $(, holds: $holds:expr)? $(, answers: $answers:expr)?
        $(, budgets: $budgets:expr)?
        $(, rules: $rules:expr $(, constant: $constant:expr)?)?
        $(, pools: $pools:expr)?
        $(, gates: $gates:expr)?
        $(, depths: $depths:expr)?
        $(, restarts: $restarts:expr)?
        $(, limits: $limits:expr, credits: $credits:expr)?
        $(, crashes: $crashes:expr)?
        $(, reports: $reports:expr)?
        $(, lacked: $lacked:expr)?
        $(, watchdogs: $watchdogs:expr)?
        $(, windows: $windows:expr)?
        $(, waits: $waits:expr)?
        $(, replaced: $replaced:expr)?
        $(, lines: $lines:expr)?
        $(, linked: $linked:expr)?
        $(, links: $links:expr)?
        $(, rings: $rings:expr)? $(,)?
    }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        $visibility struct $name;

        impl $crate::Sizes for $name {
            type Threads = [$crate::Thread; $threads];
            type ThreadStates = [$crate::row::ThreadState; $threads];
            type Processes = [$crate::Process; $processes];
            type ProcessStates = [$crate::row::ProcessState; $processes];
            type Bands = [$crate::Band; $bands];
            type Slots = [$crate::row::ThreadId; $slots];
            type Firsts = [$crate::row::ThreadId; $bands];
            type Drivers = [$crate::Driver; $drivers];
            type Programs = [$crate::Program; $programs];
            type ProgramStates = [$crate::row::ProgramState; $programs];
            type Schedules = [$crate::row::ScheduleState; 1 $(* 0 + $schedules)?];
            type Triggers = [$crate::row::TriggerState; $crate::places_for($programs, 0 $(+ $trigger_places)?)];
            type EventTriggers = [$crate::row::EventTriggerState; 1 $(+ $event_triggers)?];
            type Ports = [$crate::Port; 1 $(* 0 + $ports)?];
            type Words = [u32; 1 $($(* 0 + $kept)?)?];
            type Kept = $crate::optional!(Self::Words $($(, 1 + $event_triggers + 0 * $kept)?)?);
            const HAS_LONG_PORTS: bool = false $($(|| $kept > 0)?)?;
            type TriggerKeys = [$crate::row::Key; $triggers];
            type TriggerNodes = [u8; 2 * $triggers];
            type Moments = [$crate::row::Moment; $crate::leaves_for($threads $(+ $gates)? $(+ $watchdogs)? $(+ 1 + 0 * $windows)?)];
            type MomentNodes = [u8; 2 * $crate::leaves_for($threads $(+ $gates)? $(+ $watchdogs)? $(+ 1 + 0 * $windows)?)];
            type Semaphores = [$crate::Semaphore; $semaphores];
            type SemaphoreStates = [$crate::row::SemaphoreState; $semaphores];
            type Conditions = [$crate::Condition; $conditions];
            type ConditionStates = [$crate::row::Queue; $conditions];
            type Mailboxes = [$crate::Mailbox; $mailboxes];
            type MailboxStates = [$crate::row::MailboxState; $mailboxes];
            type Endpoints = [$crate::Endpoint; $endpoints];
            type EndpointStates = [$crate::row::EndpointState; $endpoints];
            type EventGroups = [$crate::EventGroup; 1 $(* 0 + $event_groups)?];
            type EventGroupStates = [$crate::row::EventGroupState; 1 $(* 0 + $event_groups)?];
            type Notifications = [$crate::Notification; $notifications];
            type Interrupts = [$crate::Interrupt; $interrupts];
            type Lines = $crate::Lines<{ $crate::LEAST_LINES $(* 0 + $lines)? }>;
            type StateMessages = [$crate::StateMessage; $state_messages];
            type ProgramSlots = [$crate::ProgramSlot; 1 $(* 0 + $program_slots)?];
            type ProgramSlotStates = [$crate::row::ProgramSlotState; 1 $(* 0 + $program_slots)?];
            type Rooms = [u8; 1 $(* 0 + $rooms)?];
            type CheckMemory = [u32; 1 $(* 0 + $check_words)?];
            type Notes = [$crate::row::Stored; 1 $(* 0 + $notes)?];
            type Budgets = $crate::optional!($crate::Budget $(, $budgets)?);
            type BudgetStates = $crate::optional!($crate::row::BudgetState $(, $budgets)?);
            type Rules = $crate::optional!($crate::Rule $(, $rules)?);
            type Chunks = $crate::optional!($crate::row::Chunks $(, $rules)?);
            type Pools = $crate::optional!($crate::Pooled $(, $pools)?);
            type Payments = $crate::optional!($crate::row::Payment $(, 1 + 0 * $budgets)?);
            type FollowedStates = $crate::optional!(u32 $(, { let all: &[$crate::Followed] = $followed; all.len() })?);
            type Sections = $crate::optional!($crate::row::Section $(, { let all: &[u32] = $holds; all.len() })?);
            type Answers = $crate::optional!($crate::row::Allowance $(, { let all: &[u32] = $answers; all.len() })?);
            type Feds = $crate::optional!($crate::Fed $(, 0 * $links + $drivers)?);
            type LinkStates = $crate::optional!($crate::row::LinkState $(, $links)?);
            type Gates = $crate::optional!($crate::Gate $(, $gates)?);
            type Doors = $crate::optional!(
                $crate::GateId $(, 0 * $gates + $crate::door::<$name>($crate::Gated::Nothing))?
            );
            type GateStates = $crate::optional!($crate::row::GateState $(, $gates)?);
            type Openings = $crate::optional!($crate::row::Opening $(, 1 + 0 * $gates)?);
            type Limits = $crate::optional!($crate::Limit $(, $limits)?);
            type Clients = $crate::optional!(
                $crate::LimitId
                    $(, 0 * $limits + $crate::client::<$name>($crate::Asked::Nothing, $crate::row::ProcessId(0)))?
            );
            type LimitStates = $crate::optional!($crate::row::LimitState $(, $limits)?);
            type Credits = $crate::optional!($crate::row::Credit $(, $credits)?);
            type Lacked = $crate::optional!($crate::row::Lacked $(, $lacked)?);
            type Depths = $crate::optional!($crate::Depth $(, $depths)?);
            type DepthStates = $crate::optional!($crate::row::DepthState $(, 1 + 0 * $depths)?);
            type Restarts = $crate::optional!($crate::Restart $(, $restarts)?);
            type RestartStates = $crate::optional!($crate::row::Restarts $(, $restarts)?);
            type Renewals = $crate::optional!($crate::row::Renewal $(, 1 + 0 * $restarts)?);
            type Replaceables = $crate::optional!($crate::Replaceable $(, $replaced)?);
            type Replacements = $crate::optional!($crate::row::Replacement $(, $replaced)?);
            type Crashes = $crate::optional!($crate::row::Crash $(, $crashes)?);
            type Writing = $crate::optional!($crate::row::Crashes $(, 1 + 0 * $crashes)?);
            type Watched = $crate::optional!($crate::Watched $(, 0 * $reports + $crate::subjects::<$name>())?);
            type Tellings = $crate::optional!($crate::Telling $(, $reports)?);
            type ReportStates = $crate::optional!($crate::row::ReportState $(, $reports)?);
            type Unsents = $crate::optional!($crate::row::Unsent $(, 1 + 0 * $reports)?);
            type Watchdogs = $crate::optional!($crate::Watchdog $(, $watchdogs)?);
            type WatchdogOf = $crate::optional!($crate::WatchdogId $(, 0 * $watchdogs + $mailboxes)?);
            type WatchdogStates = $crate::optional!($crate::row::WatchdogState $(, $watchdogs)?);
            type Alerts = $crate::optional!($crate::row::Alert $(, 1 + 0 * $watchdogs)?);
            type Windows = $crate::optional!($crate::Window $(, $windows)?);
            type OpenWindows = $crate::optional!($crate::WindowId $(, 1 + 0 * $windows)?);
            type Eligible = $crate::optional!(u32 $(, 1 + 0 * $windows)?);
            const READER: u8 = u8::MAX $(* 0 + $reader)?;
            const TOLD: u16 = 0 $(+ $told)?;
            const CERTIFIED_ONLY: bool = false $($(|| $certified_only)?)?;
            const HANDLERS: bool = false $(|| $handlers)?;
            const ROUNDS: bool = false $(|| $rounds)?;
            const SCHEDULED: bool = false $(|| $schedules > 0)?;
            const SHARED: bool = true $(&& $shared)?;
            const CEILINGS: bool = Self::SHARED $(&& $ceilings)?;
            const PERIODIC: bool = true $(&& $periodic)?;
            const RANGED: bool = true $(&& $ranged)?;
            const GROUPED: bool = false $(|| $event_groups > 0)?;
            const BUDGETED: bool = false $(|| $budgets > 0)?;
            const RULED: bool = false $(|| $rules > 0 && Self::BUDGETED)?;
            const CONSTANT: bool = false $($(|| $constant && Self::RULED)?)?;
            const POOLED: bool = false $(|| $pools > 0 && Self::BUDGETED)?;
            const GATES: usize = 0 $(+ $gates)?;
            const LIMITS: usize = 0 $(+ $limits)?;
            const CREDITS: usize = 0 $(+ $credits)?;
            const DEPTHS: usize = 0 $(+ $depths)?;
            const RESTARTED: bool = false $(|| $restarts > 0)?;
            const REPLACED: bool = false $(|| $replaced > 0 && Self::RESTARTED)?;
            const CRASHES: usize = 0 $(+ $crashes)?;
            const SUPERVISED: bool = false $(|| $reports > 0)?;
            const WATCHDOGS: usize = 0 $(+ $watchdogs)?;
            const WINDOWS: usize = 0 $(+ $windows)?;
            const LACKING: usize = 0 $(+ $lacked)?;
            const LINKED: bool = false $(|| $linked)?;
            const LINKS: usize = 0 $(+ $links)?;
            const RINGS: bool = false $(|| $rings)?;
            $(const WAITS: &'static [$crate::Waits] = $waits;)?
            $(const LOOKS: usize = $looks;)?
            const JOURNAL: u32 = 0 $(+ $journal)?;
            $(const FOLLOWED: &'static [$crate::Followed] = $followed;)?
            $(const HOLDS: &'static [u32] = $holds;)?
            $(const ANSWERS: &'static [u32] = $answers;)?
        }

        $(const _: () = assert!($crate::power_of_two_from_two($notes));)?

        const _: () = assert!($crate::power_of_two_from_two($slots) && $crate::power_of_two_from_two($triggers)
            && $crate::fit_together(
                $crate::places_for($programs, 0 $(+ $trigger_places)?), 0 $(+ $schedules)?, $triggers
            ) && $threads $(+ $gates)? $(+ $watchdogs)? $(+ 1 + 0 * $windows)? <= $crate::MOST_THREADS);
        // The limits of bit and number widths: one bit for each band, five bits of a key for the program, a
        // byte for a slot, one bit for each process, a byte for an object with one number to spare. The
        // deferred work of event groups is done where threads may wait for each other, and gates stand before objects.
        // The alarm is set to the end of a section, and to when a server has to answer, where it is set to that of a budget.
        const _: () = assert!(<$name as $crate::Sizes>::HOLDS.is_empty() || <$name as $crate::Sizes>::BUDGETED);
        const _: () = assert!(<$name as $crate::Sizes>::ANSWERS.is_empty() || <$name as $crate::Sizes>::BUDGETED);
        const _: () = assert!(!<$name as $crate::Sizes>::GROUPED || <$name as $crate::Sizes>::SHARED);
        const _: () = assert!(!<$name as $crate::Sizes>::GATED || <$name as $crate::Sizes>::SHARED);
        const _: () = assert!(!<$name as $crate::Sizes>::LIMITED || <$name as $crate::Sizes>::SHARED);
        const _: () = assert!(<$name as $crate::Sizes>::LIMITS < 255 && <$name as $crate::Sizes>::CREDITS <= u16::MAX as usize);
        // A byte counts the crash records that are kept.
        const _: () = assert!(<$name as $crate::Sizes>::CRASHES <= 128);
        const _: () = assert!(!<$name as $crate::Sizes>::SUPERVISED || <$name as $crate::Sizes>::SHARED);
        const _: () = assert!(!<$name as $crate::Sizes>::WATCHED_OVER || <$name as $crate::Sizes>::SUPERVISED);
        // A byte names a link.
        const _: () = assert!(<$name as $crate::Sizes>::LINKS <= 256);
        // A byte names a window.
        const _: () = assert!(<$name as $crate::Sizes>::WINDOWS < 255);
        const _: () = assert!($bands <= 32 && $programs <= 32 && $slots <= 256 && $processes <= 32);
        const _: () = assert!($semaphores < 255 && $conditions < 255 && $mailboxes < 255 && $endpoints < 255
            && $notifications < 255 && $interrupts < 255 && $state_messages < 255 $(&& $event_groups < 255)?);
    };
}
