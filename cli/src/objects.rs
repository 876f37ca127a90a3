//! What threads and tasks share, in words: ceilings, inheritance, depths, and which processes can read it.

use beryl_abi::Duration;
use beryl_builder::Project;
use beryl_builder::assembly::objects::{Count, EventGroup, Lock, State};
use beryl_builder::assembly::{Assembly, Use};
use serde_json::json;

use crate::console::Console;

/// Savings of at least this many bytes are worth a proposal.
const WORTH_A_PROPOSAL: u32 = 256;

/// Prints all objects; nothing if there are none.
pub fn show(project: &Project, console: &Console) {
    let assembly = &project.assembly;
    if assembly.objects.is_empty() {
        return;
    }
    console.title("Objects");
    assembly.objects.locks.iter().for_each(|lock| show_lock(assembly, lock, console));
    for semaphore in &assembly.objects.semaphores {
        let name = &semaphore.name;
        match &semaphore.count {
            Count::Counting { initial, most } => console.say(format_args!(
                "  semaphore {name}: {initial} of at most {most} units; counting, so nobody inherits urgency"
            )),
            Count::Binary { word: Some(_), .. } => console.say(format_args!(
                "  semaphore {name}: binary, with inheritance; no system call while nobody waits"
            )),
            Count::Binary { word: None, .. } => {
                console.say(format_args!("  semaphore {name}: binary, with inheritance; across processes"));
            }
        }
    }
    for mailbox in &assembly.objects.mailboxes {
        let order = if mailbox.first_come { "in the order of arrival" } else { "by urgency" };
        console.say(format_args!(
            "  mailbox {}: {} messages of {} bytes; who waits is served {order}",
            mailbox.name,
            mailbox.capacity,
            mailbox.kind.size()
        ));
    }
    for (index, group) in assembly.objects.event_groups.iter().enumerate() {
        show_group(assembly, index, group, console);
    }
    assembly.objects.states.iter().for_each(|state| show_state(project, state, console));
    visible(assembly, console);
}

fn show_lock(assembly: &Assembly, lock: &Lock, console: &Console) {
    let index = assembly.objects.locks.iter().position(|other| std::ptr::eq(other, lock)).unwrap_or_default();
    let users = assembly.threads.iter().filter(|thread| thread.uses.contains(&Use::Lock(index)));
    let users: Vec<_> = users.map(|thread| format!("{} (level {})", thread.name, thread.level)).collect();
    let ceiling = match lock.ceiling {
        0 => "no ceiling, since it has one user".to_owned(),
        ceiling => format!("ceiling {ceiling}"),
    };
    console.say(format_args!("  lock {}: {ceiling}; used by {}", lock.name, users.join(", ")));
    console.object(&json!({ "lock": lock.name, "ceiling": lock.ceiling }));
}

fn show_group(assembly: &Assembly, index: usize, group: &EventGroup, console: &Console) {
    let names = |used: Use| -> Vec<&str> {
        let users = assembly.threads.iter().filter(|thread| thread.uses.contains(&used));
        users.map(|thread| thread.name.as_str()).collect()
    };
    let (sources, waiters) = (names(Use::Set(index)), names(Use::AwaitBits(index)));
    console.say(format_args!(
        "  event group {}: 32 bits; set by {}; waited for by {}, who wake by urgency",
        group.name,
        sources.join(", "),
        waiters.join(", ")
    ));
    console.object(&json!({ "event_group": group.name, "sources": sources, "waiters": waiters }));
}

fn show_state(project: &Project, state: &State, console: &Console) {
    let writer = &project.assembly.threads[state.writer].name;
    let (name, size) = (&state.name, state.bytes(state.depth));
    let depth = match (state.depth, state.window) {
        (1, _) => "one word, no buffer".to_owned(),
        (depth, Duration::ZERO) => format!("{depth} buffers, read by calls only"),
        (depth, window) => {
            format!("{depth} buffers, since a read may take {}", milliseconds(project, window))
        }
    };
    console.say(format_args!("  state message {name}: written by {writer}; {depth}; {size} bytes"));
    let saved = size.saturating_sub(state.bytes(State::DEPTH_BY_CALLS));
    if state.depth > 1 && saved >= WORTH_A_PROPOSAL {
        let steps = state.pieces() + 2;
        console.say(format_args!(
            "    {saved} bytes less if all readers use \"{name}.read_slow\"; then nobody else runs during {steps} kernel steps a read"
        ));
    }
    console.object(&json!({
        "state_message": name, "depth": state.depth, "bytes": size, "bytes_saved_by_slow_reads": saved,
    }));
}

/// Memory that more processes can read than requested.
fn visible(assembly: &Assembly, console: &Console) {
    let all = assembly.processes.len();
    for state in &assembly.objects.states {
        let own = assembly.threads[state.writer].process;
        let asked = |process: &usize| {
            let bit = u32::try_from(*process).ok().and_then(|process| state.readers.checked_shr(process));
            *process == own || bit.is_some_and(|rest| rest & 1 == 1)
        };
        let others: Vec<_> = (0..all).filter(|process| !asked(process)).collect();
        if !others.is_empty() {
            let names: Vec<_> =
                others.iter().map(|process| assembly.processes[*process].name.as_str()).collect();
            console.say(format_args!(
                "  visible to more than asked: {} can be read by {}, too, as all that is published",
                state.name,
                names.join(", ")
            ));
            console.object(&json!({ "state_message": state.name, "also_readable_by": names }));
        }
    }
}

fn milliseconds(project: &Project, time: Duration) -> String {
    let microseconds = time.ticks().saturating_mul(project.tick().into()) / 1000;
    format!("{}.{:03} ms", microseconds / 1000, microseconds % 1000)
}
