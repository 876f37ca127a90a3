//! Whole sequences: what the kernel does from the start to the end of a short story, effect by
//! effect, each with its reason beside it.

#[path = "../host/mod.rs"]
mod host;

mod answers;
mod arriving;
mod bands;
mod bandwidth;
mod budgets;
mod calls;
mod ceilings;
mod certificates;
mod chains;
mod charged;
mod completion;
mod conditions;
mod crashes;
mod debts;
mod drivers;
mod endpoints;
mod event_groups;
mod event_triggers;
mod exceptions;
mod far;
mod faults;
mod fed;
mod flight;
mod followed;
mod gated_queues;
mod gates;
mod generated;
mod handover;
mod hosts;
mod impatience;
mod inheritance;
mod journals;
mod lacks;
mod late;
mod limits;
mod links;
mod mailboxes;
mod modes;
mod nested;
mod notifications;
mod others;
mod owners;
mod periods;
mod phases;
mod pools;
mod power;
mod priorities;
mod prompt;
mod refusals;
mod renewed;
mod replacements;
mod reports;
mod restarts;
mod rounds;
mod rules;
mod safety;
mod scheduled;
mod sections;
mod semaphores;
mod sensors;
mod slots;
mod state_messages;
mod supplies;
mod trace_buffer;
mod tracing;
mod trigger_order;
mod watchdogs;
mod windows;
mod words;
mod workload;

/// Compares a story with what was expected, and prints the whole story if they differ.
#[track_caller]
fn assert_story(story: &[String], expected: &[&str]) {
    assert!(
        story.iter().map(String::as_str).eq(expected.iter().copied()),
        "the story was\n{}",
        story.join("\n")
    );
}
