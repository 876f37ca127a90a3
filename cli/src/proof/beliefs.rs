//! What a proof rests on, in words: what the kernel enforces, and what is believed.

use beryl_analysis::Ticks;
use beryl_builder::Project;
use beryl_builder::assembly::Sleep;
use beryl_builder::proof::{Enforced, Prompt};

use super::{milliseconds, nanoseconds};
use crate::console::Console;

/// Assumptions that nothing enforces.
pub(super) fn tell(project: &Project, console: &Console) {
    tell_enforced(project, console);
    super::demands::tell(project, console);
    tell_sleeps(project, console);
    let mut believed = beryl_builder::proof::believed(&project.assembly);
    believed.extend(beryl_builder::proof::believed_charges(project.description.board.board.value));
    if !believed.is_empty() {
        console.say("  believed, since nothing enforces it:");
        believed.iter().for_each(|belief| console.say(format_args!("  - {belief}")));
        console.object(&serde_json::json!({ "believed": believed }));
    }
}

/// Whose distances and execution times are enforced, if any are.
fn tell_enforced(project: &Project, console: &Console) {
    let quoted = |names: &[&str]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    if let Some((enforced, believed)) = beryl_builder::proof::separated(&project.assembly) {
        console.say(format_args!(
            "  enforced: {} is woken no more often than its separation says",
            quoted(&enforced)
        ));
        if !believed.is_empty() {
            console.say(format_args!("  believed: neither is any of {}", quoted(&believed)));
        }
        console
            .object(&serde_json::json!({ "separation_enforced": enforced, "separation_believed": believed }));
    }
    if let Some(Prompt { never, turns, believed }) = beryl_builder::proof::prompt(&project.assembly) {
        let said = [
            (&never, "enforced: no job of", "waits for anything"),
            (&turns, "enforced: no job of", "waits for anything but its turn"),
            (&believed, "believed: no job of", "waits or sleeps before it is done"),
        ];
        for (threads, who, what) in said.into_iter().filter(|(threads, ..)| !threads.is_empty()) {
            console.say(format_args!("  {who} {} {what}", quoted(threads)));
        }
        console.object(&serde_json::json!({
            "never_waits": never, "waits_for_turns": turns, "waits_believed": believed
        }));
    }
    let policed = beryl_builder::proof::policed(&project.assembly);
    if !policed.is_empty() {
        console.say(format_args!(
            "  enforced: inside a lock, {} keeps others out no longer than its longest hold, and what the end of that takes",
            quoted(&policed)
        ));
        console.object(&serde_json::json!({ "hold_enforced": policed }));
    }
    let answering = beryl_builder::proof::answering(&project.assembly);
    if !answering.is_empty() {
        console.say(format_args!(
            "  enforced: {} works for a request no longer than its endpoint's hold, and what the end of that takes",
            quoted(&answering)
        ));
        console.object(&serde_json::json!({ "answers_enforced": answering }));
    }
    let Some(all) = beryl_builder::proof::enforced(&project.assembly) else { return };
    let Enforced { jobs, budgets, shares, pools, believed } = &all;
    if !jobs.is_empty() {
        console.say(format_args!(
            "  enforced: no job of {} takes longer than its worst, and what ending it takes",
            quoted(jobs)
        ));
    }
    if !budgets.is_empty() {
        console.say(format_args!(
            "  enforced: in no period does {} take more than its budget, and what the end of that takes",
            quoted(budgets)
        ));
    }
    if !shares.is_empty() {
        console.say(format_args!(
            "  enforced: {} takes no more than its budget, in every period, of the time of others of its band, and what putting \
             its deadline off takes",
            quoted(shares)
        ));
        console.object(&serde_json::json!({ "shares_enforced": shares }));
    }
    if !pools.is_empty() {
        console.say(format_args!(
            "  enforced: in no period do all threads of {} together take more than its budget, and what the end of that takes",
            quoted(pools)
        ));
    }
    if !believed.is_empty() {
        let them = if jobs.is_empty() { "no job of" } else { "neither does any of" };
        let what = if jobs.is_empty() { " takes longer than its worst" } else { "" };
        console.say(format_args!("  believed: {them} {}{what}", quoted(believed)));
    }
    console.object(&serde_json::json!({
        "worst_enforced": jobs, "budgets_enforced": budgets, "shared_budgets_enforced": pools,
        "worst_believed": believed,
    }));
}

/// How long the processor takes to wake, and who may have to wait for that.
fn tell_sleeps(project: &Project, console: &Console) {
    let sleeps = &project.assembly.sleeps;
    if sleeps.is_empty() {
        return;
    }
    let wake = |sleep: &Sleep| Ticks::new(sleep.wake.ticks());
    let depths =
        sleeps.iter().map(|sleep| format!("`{}` in {}", sleep.name, milliseconds(project, wake(sleep))));
    console.say(format_args!(
        "  asleep: it wakes from {} at most, and is awake at each instant in time",
        depths.collect::<Vec<_>>().join(", from ")
    ));
    let late = beryl_builder::proof::woken(&project.assembly);
    if !late.is_empty() {
        let quoted: Vec<_> = late.iter().map(|name| format!("`{name}`")).collect();
        console.say(format_args!("  with the time to wake: {}, which interrupts release", quoted.join(", ")));
    }
    let depths: serde_json::Map<_, _> =
        sleeps.iter().map(|sleep| (sleep.name.clone(), nanoseconds(project, wake(sleep)).into())).collect();
    console.object(&serde_json::json!({ "wake_ns": depths, "with_time_to_wake": late }));
}
