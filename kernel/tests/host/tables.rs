//! How large the tables of tested systems are, and which parts their kernels have.

use beryl_abi::{StateMessageId, ThreadId};
use beryl_kernel::{Followed, Waits, sizes};

sizes! {
    /// Room for what one test needs. Its tables are powers of two.
    pub struct Small {
        threads: 8, processes: 4, bands: 4, slots: 16, drivers: 16, programs: 4, triggers: 4,
        semaphores: 4, conditions: 2, mailboxes: 2, endpoints: 2, notifications: 4, interrupts: 2,
        state_messages: 2, event_groups: 2
    }
}

sizes! {
    /// The same, and values come from other kernels and go to them.
    pub struct Linked {
        threads: 8, processes: 4, bands: 4, slots: 16, drivers: 16, programs: 4, triggers: 4,
        semaphores: 4, conditions: 2, mailboxes: 2, endpoints: 2, notifications: 4, interrupts: 2,
        state_messages: 2, event_groups: 2, linked: true
    }
}

sizes! {
    /// The same, and inputs of tasks are fed.
    pub struct Tied {
        threads: 8, processes: 4, bands: 4, slots: 16, drivers: 16, programs: 4, triggers: 4,
        semaphores: 4, conditions: 2, mailboxes: 2, endpoints: 2, notifications: 4, interrupts: 2,
        state_messages: 2, event_groups: 2, budgets: 8, restarts: 4, links: 2
    }
}

sizes! {
    /// The same, and places may have budgets.
    pub struct Budgeted {
        threads: 8, processes: 4, bands: 4, slots: 16, drivers: 16, programs: 4, triggers: 4,
        semaphores: 4, conditions: 2, mailboxes: 2, endpoints: 2, notifications: 4, interrupts: 2,
        state_messages: 2, event_groups: 2, handlers: true, budgets: 8
    }
}

sizes! {
    /// The same, and all but the first thread may keep others out for a while only.
    pub struct LargePoliced {
        threads: 13, processes: 3, bands: 5, slots: 64, drivers: 39, programs: 3, triggers: 8,
        semaphores: 7, conditions: 3, mailboxes: 5, endpoints: 3, notifications: 6, interrupts: 3,
        state_messages: 3, event_groups: 3, looks: 1, holds: &[0, 3, 9, 1, 5, 2, 7, 4, 20, 3, 6, 8, 2], budgets: 13
    }
}

sizes! {
    /// The same, and all but the first two threads may work for a request for a while only.
    pub struct LargeAnswering {
        threads: 13, processes: 3, bands: 5, slots: 64, drivers: 39, programs: 3, triggers: 8,
        semaphores: 7, conditions: 3, mailboxes: 5, endpoints: 3, notifications: 6, interrupts: 3,
        state_messages: 3, event_groups: 3, looks: 1, holds: &[0, 3, 9, 1, 5, 2, 7, 4, 20, 3, 6, 8, 2],
        answers: &[0, 0, 3, 2, 1, 9, 5, 2, 4, 12, 3, 1, 6], budgets: 13
    }
}

sizes! {
    /// The same, and they may come back by any rule.
    pub struct Ruled {
        threads: 8, processes: 4, bands: 4, slots: 16, drivers: 16, programs: 4, triggers: 4,
        semaphores: 4, conditions: 2, mailboxes: 2, endpoints: 2, notifications: 4, interrupts: 2,
        state_messages: 2, event_groups: 2, handlers: true, budgets: 8, rules: 8
    }
}

sizes! {
    /// The same, and they may have constant bandwidth.
    pub struct Constant {
        threads: 8, processes: 4, bands: 4, slots: 16, drivers: 16, programs: 4, triggers: 4,
        semaphores: 4, conditions: 2, mailboxes: 2, endpoints: 2, notifications: 4, interrupts: 2,
        state_messages: 2, event_groups: 2, handlers: true, budgets: 8, rules: 8, constant: true, restarts: 4
    }
}

sizes! {
    /// Several places may share a budget, and processes begin anew.
    pub struct Pooling {
        threads: 8, processes: 4, bands: 4, slots: 16, drivers: 16, programs: 4, triggers: 4,
        semaphores: 4, conditions: 2, mailboxes: 2, endpoints: 2, notifications: 4, interrupts: 2,
        state_messages: 2, event_groups: 2, handlers: true, budgets: 8, pools: 8, restarts: 4
    }
}

sizes! {
    /// Places have no budgets, and there may be gates.
    pub struct Gated {
        threads: 8, processes: 4, bands: 4, slots: 16, drivers: 16, programs: 4, triggers: 4,
        semaphores: 4, conditions: 2, mailboxes: 2, endpoints: 2, notifications: 4, interrupts: 2,
        state_messages: 2, event_groups: 2, gates: 4
    }
}

sizes! {
    /// The same, and clients may have limits.
    pub struct Limited {
        threads: 8, processes: 4, bands: 4, slots: 16, drivers: 16, programs: 4, triggers: 4,
        semaphores: 4, conditions: 2, mailboxes: 2, endpoints: 2, notifications: 4, interrupts: 2,
        state_messages: 2, event_groups: 2, gates: 4, limits: 4, credits: 16
    }
}

sizes! {
    /// The processor has two depths of sleep beside the lightest.
    pub struct Sleeping {
        threads: 4, processes: 2, bands: 2, slots: 2, drivers: 1, programs: 1, triggers: 2,
        semaphores: 1, conditions: 1, mailboxes: 1, endpoints: 1, notifications: 1, interrupts: 1,
        state_messages: 1, depths: 2
    }
}

sizes! {
    /// The same, and places may have budgets.
    pub struct SleepingBudgeted {
        threads: 4, processes: 2, bands: 2, slots: 2, drivers: 1, programs: 1, triggers: 2,
        semaphores: 1, conditions: 1, mailboxes: 1, endpoints: 1, notifications: 1, interrupts: 1,
        state_messages: 1, budgets: 4, depths: 2
    }
}

sizes! {
    /// The same, and processes may begin anew.
    pub struct Restarted {
        threads: 8, processes: 4, bands: 4, slots: 16, drivers: 16, programs: 4, triggers: 4,
        semaphores: 4, conditions: 2, mailboxes: 2, endpoints: 2, notifications: 4, interrupts: 2,
        state_messages: 2, event_groups: 2, handlers: true, budgets: 8, restarts: 4
    }
}

sizes! {
    /// The same, with gates, and threads may supervise others.
    pub struct Supervised {
        threads: 8, processes: 4, bands: 4, slots: 16, drivers: 16, programs: 4, triggers: 4,
        semaphores: 4, conditions: 2, mailboxes: 2, endpoints: 2, notifications: 4, interrupts: 2,
        state_messages: 2, event_groups: 2, handlers: true, budgets: 8, gates: 2, restarts: 4, reports: 16
    }
}

sizes! {
    /// The same, and supervisors may have watchdogs.
    pub struct WatchedOver {
        threads: 8, processes: 4, bands: 4, slots: 16, drivers: 16, programs: 4, triggers: 4,
        semaphores: 4, conditions: 2, mailboxes: 2, endpoints: 2, notifications: 4, interrupts: 2,
        state_messages: 2, event_groups: 2, handlers: true, budgets: 8, gates: 2, restarts: 4, reports: 16, watchdogs: 2
    }
}

sizes! {
    /// Bands count in three windows.
    pub struct Partitioned {
        threads: 8, processes: 4, bands: 4, slots: 16, drivers: 16, programs: 4, triggers: 4,
        semaphores: 4, conditions: 2, mailboxes: 2, endpoints: 2, notifications: 4, interrupts: 2,
        state_messages: 2, event_groups: 2, handlers: true, restarts: 4, windows: 3
    }
}

sizes! {
    /// The same, and places may have budgets, which come back by any rule, or which several share.
    pub struct Nested {
        threads: 8, processes: 4, bands: 4, slots: 16, drivers: 16, programs: 4, triggers: 4,
        semaphores: 4, conditions: 2, mailboxes: 2, endpoints: 2, notifications: 4, interrupts: 2,
        state_messages: 2, event_groups: 2, handlers: true, budgets: 8, rules: 8, pools: 8, restarts: 4, windows: 3
    }
}

sizes! {
    /// It is counted what threads have no right to.
    pub struct Counted {
        threads: 8, processes: 4, bands: 4, slots: 16, drivers: 16, programs: 4, triggers: 4,
        semaphores: 4, conditions: 2, mailboxes: 2, endpoints: 2, notifications: 4, interrupts: 2,
        state_messages: 2, event_groups: 2, gates: 2, reports: 16, lacked: 8
    }
}

sizes! {
    /// The second thread waits for its turns only, the third for nothing.
    pub struct Prompt {
        threads: 8, processes: 4, bands: 4, slots: 16, drivers: 16, programs: 4, triggers: 4,
        semaphores: 4, conditions: 2, mailboxes: 2, endpoints: 2, notifications: 4, interrupts: 2,
        state_messages: 2, event_groups: 2, waits: &[Waits::Freely, Waits::Turns, Waits::Never]
    }
}

sizes! {
    /// Room for four notes, which thread 0 reads.
    pub struct Noting {
        threads: 4, processes: 4, bands: 4, slots: 16, drivers: 16, programs: 4, triggers: 4,
        semaphores: 1, conditions: 1, mailboxes: 1, endpoints: 1, notifications: 1, interrupts: 1,
        state_messages: 1, notes: 4, reader: 0, told: 0, journal: 4
    }
}

sizes! {
    /// Room for eight notes, which thread 0 reads; what thread 1 writes into three state messages is told, and what
    /// thread 2 writes into one. Nobody is told of the last one.
    pub struct Following {
        threads: 4, processes: 4, bands: 4, slots: 16, drivers: 16, programs: 4, triggers: 4,
        semaphores: 1, conditions: 1, mailboxes: 1, endpoints: 1, notifications: 1, interrupts: 1,
        state_messages: 5, notes: 8, reader: 0, told: 0, followed: &[
            Followed { writer: ThreadId(1), message: StateMessageId(0) },
            Followed { writer: ThreadId(1), message: StateMessageId(1) },
            Followed { writer: ThreadId(1), message: StateMessageId(3) },
            Followed { writer: ThreadId(2), message: StateMessageId(2) },
        ]
    }
}

sizes! {
    /// The second thread and those behind it may keep others out for three ticks; nobody polices the first.
    pub struct Policed {
        threads: 8, processes: 4, bands: 4, slots: 16, drivers: 16, programs: 4, triggers: 4,
        semaphores: 4, conditions: 2, mailboxes: 2, endpoints: 2, notifications: 4, interrupts: 2,
        state_messages: 2, event_groups: 2, holds: &[0, 3, 3, 3, 3, 3, 3, 3], budgets: 8
    }
}

sizes! {
    /// The last of four threads may work for a request for three ticks.
    pub struct Answering {
        threads: 8, processes: 4, bands: 4, slots: 16, drivers: 16, programs: 4, triggers: 4,
        semaphores: 4, conditions: 2, mailboxes: 2, endpoints: 2, notifications: 4, interrupts: 2,
        state_messages: 2, event_groups: 2, answers: &[0, 0, 0, 3, 0, 0, 0, 0], budgets: 8, restarts: 4
    }
}

sizes! {
    /// Processes begin anew, and can be replaced.
    pub struct Replacing {
        threads: 8, processes: 4, bands: 4, slots: 16, drivers: 16, programs: 4, triggers: 4,
        semaphores: 4, conditions: 2, mailboxes: 2, endpoints: 2, notifications: 4, interrupts: 2,
        state_messages: 2, event_groups: 2, restarts: 4, replaced: 4
    }
}

sizes! {
    /// The same, with processes that begin anew, budgets, and room for two crash records.
    pub struct Crashing {
        threads: 4, processes: 4, bands: 4, slots: 16, drivers: 16, programs: 4, triggers: 4,
        semaphores: 1, conditions: 1, mailboxes: 1, endpoints: 1, notifications: 1, interrupts: 1,
        state_messages: 1, notes: 4, reader: 0, told: 0, budgets: 4, restarts: 4, crashes: 2
    }
}

sizes! {
    /// Room for random systems. Most of its tables aren't powers of two; who has several before it in a
    /// dynamic band is sorted in in steps.
    pub struct Large {
        threads: 13, processes: 3, bands: 5, slots: 64, drivers: 39, programs: 3, triggers: 8,
        semaphores: 7, conditions: 3, mailboxes: 5, endpoints: 3, notifications: 6, interrupts: 3,
        state_messages: 3, event_groups: 3, looks: 1
    }
}

sizes! {
    /// The same, and places may have budgets.
    pub struct LargeBudgeted {
        threads: 13, processes: 3, bands: 5, slots: 64, drivers: 39, programs: 3, triggers: 8,
        semaphores: 7, conditions: 3, mailboxes: 5, endpoints: 3, notifications: 6, interrupts: 3,
        state_messages: 3, event_groups: 3, looks: 1, budgets: 13
    }
}

sizes! {
    /// The same, and they may come back by any rule.
    pub struct LargeRuled {
        threads: 13, processes: 3, bands: 5, slots: 64, drivers: 39, programs: 3, triggers: 8,
        semaphores: 7, conditions: 3, mailboxes: 5, endpoints: 3, notifications: 6, interrupts: 3,
        state_messages: 3, event_groups: 3, looks: 1, budgets: 13, rules: 13
    }
}

sizes! {
    /// The same, and they may have constant bandwidth.
    pub struct LargeConstant {
        threads: 13, processes: 3, bands: 5, slots: 64, drivers: 39, programs: 3, triggers: 8,
        semaphores: 7, conditions: 3, mailboxes: 5, endpoints: 3, notifications: 6, interrupts: 3,
        state_messages: 3, event_groups: 3, looks: 1, budgets: 13, rules: 13, constant: true, restarts: 3
    }
}

sizes! {
    /// Several places may share a budget, and processes begin anew.
    pub struct LargePooling {
        threads: 13, processes: 3, bands: 5, slots: 64, drivers: 39, programs: 3, triggers: 8,
        semaphores: 7, conditions: 3, mailboxes: 5, endpoints: 3, notifications: 6, interrupts: 3,
        state_messages: 3, event_groups: 3, looks: 1, budgets: 13, pools: 13, restarts: 3
    }
}

sizes! {
    /// Places may have budgets, and processes may begin anew.
    pub struct LargeRestarted {
        threads: 13, processes: 3, bands: 5, slots: 64, drivers: 39, programs: 3, triggers: 8,
        semaphores: 7, conditions: 3, mailboxes: 5, endpoints: 3, notifications: 6, interrupts: 3,
        state_messages: 3, event_groups: 3, looks: 1, budgets: 13, restarts: 3
    }
}

sizes! {
    /// The same, threads may supervise others, and it is counted what they have no right to.
    pub struct LargeSupervised {
        threads: 13, processes: 3, bands: 5, slots: 64, drivers: 39, programs: 3, triggers: 8,
        semaphores: 7, conditions: 3, mailboxes: 5, endpoints: 3, notifications: 6, interrupts: 3,
        state_messages: 3, event_groups: 3, looks: 1, budgets: 13, restarts: 3, reports: 16, lacked: 13
    }
}

sizes! {
    /// The same, and supervisors have watchdogs.
    pub struct LargeWatchedOver {
        threads: 13, processes: 3, bands: 5, slots: 64, drivers: 39, programs: 3, triggers: 8,
        semaphores: 7, conditions: 3, mailboxes: 5, endpoints: 3, notifications: 6, interrupts: 3,
        state_messages: 3, event_groups: 3, looks: 1, budgets: 13, restarts: 3, reports: 16, lacked: 13, watchdogs: 2
    }
}

sizes! {
    /// The same without watchdogs, and some threads wait for their turns only or for nothing.
    pub struct LargePrompt {
        threads: 13, processes: 3, bands: 5, slots: 64, drivers: 39, programs: 3, triggers: 8,
        semaphores: 7, conditions: 3, mailboxes: 5, endpoints: 3, notifications: 6, interrupts: 3,
        state_messages: 3, event_groups: 3, looks: 1, budgets: 13, restarts: 3, reports: 16, lacked: 13,
        waits: &[
            Waits::Freely, Waits::Turns, Waits::Freely, Waits::Turns, Waits::Never, Waits::Freely, Waits::Freely,
            Waits::Turns, Waits::Freely, Waits::Never, Waits::Freely, Waits::Turns, Waits::Freely
        ]
    }
}

sizes! {
    /// Bands may count in some of five windows only, and processes begin anew.
    pub struct LargePartitioned {
        threads: 13, processes: 3, bands: 5, slots: 64, drivers: 39, programs: 3, triggers: 8,
        semaphores: 7, conditions: 3, mailboxes: 5, endpoints: 3, notifications: 6, interrupts: 3,
        state_messages: 3, event_groups: 3, looks: 1, restarts: 3, windows: 5
    }
}

sizes! {
    /// The same, and places may have budgets, which come back by any rule.
    pub struct LargeNested {
        threads: 13, processes: 3, bands: 5, slots: 64, drivers: 39, programs: 3, triggers: 8,
        semaphores: 7, conditions: 3, mailboxes: 5, endpoints: 3, notifications: 6, interrupts: 3,
        state_messages: 3, event_groups: 3, looks: 1, budgets: 13, rules: 13, restarts: 3, windows: 5
    }
}

sizes! {
    /// The same, and several places may share one.
    pub struct LargeNestedPooling {
        threads: 13, processes: 3, bands: 5, slots: 64, drivers: 39, programs: 3, triggers: 8,
        semaphores: 7, conditions: 3, mailboxes: 5, endpoints: 3, notifications: 6, interrupts: 3,
        state_messages: 3, event_groups: 3, looks: 1, budgets: 13, pools: 13, restarts: 3, windows: 5
    }
}

sizes! {
    /// Room for a dynamic band of which a step looks at four places, two from either end.
    pub struct Patient {
        threads: 8, processes: 2, bands: 2, slots: 8, drivers: 1, programs: 1, triggers: 2,
        semaphores: 1, conditions: 1, mailboxes: 1, endpoints: 1, notifications: 1, interrupts: 1,
        state_messages: 1, looks: 2
    }
}

sizes! {
    /// Room for a module that gets other programs, and for triggers on anything but time.
    pub struct Swapping {
        threads: 8, processes: 4, bands: 4, slots: 16, drivers: 16, programs: 2, triggers: 4,
        semaphores: 1, conditions: 1, mailboxes: 1, endpoints: 1, notifications: 1, interrupts: 1,
        state_messages: 1, program_slots: 1, rooms: 512, check_words: 128, trigger_places: 4, event_triggers: 3, ports: 2, kept: 4
    }
}

sizes! {
    /// Room for two modules that get other programs.
    pub struct Twofold {
        threads: 8, processes: 4, bands: 4, slots: 16, drivers: 16, programs: 2, triggers: 4,
        semaphores: 1, conditions: 1, mailboxes: 1, endpoints: 1, notifications: 1, interrupts: 1,
        state_messages: 1, program_slots: 2, rooms: 1024, check_words: 128
    }
}

sizes! {
    /// Room for four triggers a program.
    pub struct Crowded {
        threads: 4, processes: 2, bands: 2, slots: 4, drivers: 4, programs: 2, triggers: 8,
        semaphores: 1, conditions: 1, mailboxes: 1, endpoints: 1, notifications: 1, interrupts: 1,
        state_messages: 1, trigger_places: 8, event_triggers: 3, ports: 2, kept: 4
    }
}

sizes! {
    /// Programs of the image with handlers, and no others.
    pub struct Handling {
        threads: 4, processes: 2, bands: 2, slots: 4, drivers: 4, programs: 2, triggers: 2,
        semaphores: 1, conditions: 1, mailboxes: 1, endpoints: 1, notifications: 1, interrupts: 1,
        state_messages: 1, handlers: true
    }
}

sizes! {
    /// Room for a module that gets other programs, whose threads take over tasks of a band.
    pub struct Taking {
        threads: 8, processes: 4, bands: 4, slots: 16, drivers: 16, programs: 2, triggers: 8,
        semaphores: 1, conditions: 1, mailboxes: 1, endpoints: 1, notifications: 1, interrupts: 1,
        state_messages: 1, schedules: 2, program_slots: 1, rooms: 512, check_words: 512, looks: 1
    }
}
