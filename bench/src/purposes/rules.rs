//! Which source code has which purpose.
//!
//! An instruction has a chain: its function, and those that this one was inlined into, the innermost first. A
//! rule covers one function. Rules that claim *inlined* code take precedence: all of it has their purpose,
//! including table lookups. Of the others, the rule for the innermost function counts. Comparisons, additions
//! and the like are helpers and have their caller's purpose; for any other function without a rule the
//! purpose is unknown, whatever its caller. Of several rules for one function the first counts.
//!
//! The compiler moves instructions, and for some gives only the linked function: an address that serves
//! several purposes is computed once for all of them. Then the purpose is unknown too, unless all moved code
//! in that function has the same one.
//!
//! Two purposes are known without the source: entry code is in assembly, and its function and operands show
//! what it does; and a function that uses the kernel's own stack does so because it needs registers.

use beryl_builder::board::SWITCH;
use beryl_path::Frame;

use super::origin::Origin;
use super::purpose::Purpose::{self, *};

/// A rule: the beginning of a path from the root of the sources; names of functions, with `*` for any ending;
/// their purpose.
struct Rule {
    path: &'static str,
    functions: &'static [&'static str],
    purpose: Purpose,
    reach: Reach,
}

/// The code that a rule covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    /// The lines of its functions.
    Lines,
    /// Also the code that the compiler moved within them.
    Moved,
    /// Also all code inlined into them.
    Inlined,
}

const fn of(path: &'static str, functions: &'static [&'static str], purpose: Purpose) -> Rule {
    Rule { path, functions, purpose, reach: Reach::Lines }
}

const fn moved_of(path: &'static str, functions: &'static [&'static str], purpose: Purpose) -> Rule {
    Rule { path, functions, purpose, reach: Reach::Moved }
}

const fn all_of(path: &'static str, functions: &'static [&'static str], purpose: Purpose) -> Rule {
    Rule { path, functions, purpose, reach: Reach::Inlined }
}

const ANY: &[&str] = &["*"];

/// The table.
const RULES: &[Rule] = &[
    all_of("kernel/src/handle.rs", &["charge*"], Clock),
    all_of("kernel/src/tracing", ANY, TracePoints),
    all_of("kernel/src/handle.rs", &["tell_of_switch"], TracePoints),
    all_of("kernel/src/scheduling/waits.rs", &["arm*"], Time),
    all_of("kernel/src/scheduling/bands", ANY, Queues),
    all_of("kernel/src/scheduling/rings.rs", ANY, Queues),
    all_of("kernel/src/scheduling/timers.rs", ANY, Queues),
    all_of("kernel/src/scheduling/tree.rs", ANY, Queues),
    all_of("kernel/src/objects/queue.rs", ANY, Queues),
    all_of("kernel/src/machine/agenda.rs", ANY, Queues),
    // Code that refuses, or falls back to the long way, anywhere.
    moved_of("kernel/src", &["must_*"], Guards),
    of("kernel/src", &["is_plain*", "wakes_plainly", "wakes_alone", "first_plain_release"], Guards),
    of("kernel/src/ways.rs", ANY, Guards),
    of("kernel/src/scheduling/caller.rs", ANY, Guards),
    of(
        "kernel/src/scheduling/processor.rs",
        &["caller", "is_in_own_place", "is_displaced", "ask", "settle"],
        Guards,
    ),
    of("kernel/src/scheduling/processor.rs", ANY, Decision),
    of("kernel/src/handle.rs", &["handle*", "settle"], Guards),
    of("kernel/src/handle.rs", ANY, Decision),
    of("kernel/src/scheduling/ceilings.rs", ANY, Guards),
    of("kernel/src/scheduling/decisions.rs", ANY, Decision),
    of("kernel/src/exits.rs", ANY, Decision),
    of("kernel/src/scheduling/deferred.rs", ANY, Decision),
    // Rows and rights.
    of("kernel/src/table.rs", ANY, Rows),
    of("kernel/src/rows", ANY, Rows),
    of("kernel/src/arguments.rs", &["is_short"], Guards),
    of("kernel/src/arguments.rs", ANY, Rows),
    of("kernel/src/calls.rs", &["number", "caller", "caller_kind"], Rows),
    of("kernel/src/calls/semaphores.rs", &["semaphore", "lock"], Rows),
    of("kernel/src/calls/mailboxes.rs", &["mailbox"], Rows),
    of("kernel/src/calls/endpoints.rs", &["endpoint"], Rows),
    of("kernel/src/calls/event_groups.rs", &["event_group"], Rows),
    of("kernel/src/calls/notifications.rs", &["own_interrupt", "who_serves"], Rows),
    // Calls, and their effects on objects.
    of("kernel/src/calls.rs", &["answer", "deliver", "tell_*"], Answers),
    of("kernel/src/calls.rs", &["yield_processor"], Guards),
    of("kernel/src/calls.rs", ANY, Decision),
    of("kernel/src/calls/promises.rs", &["is_promise"], Guards),
    moved_of("kernel/src/calls/semaphores.rs", &["owner_by_word"], Objects),
    of("kernel/src/calls", ANY, Objects),
    of("kernel/src/objects", ANY, Objects),
    of("kernel/src/scheduling/inheritance.rs", ANY, Objects),
    of("kernel/src/scheduling/thread.rs", &["lend"], Objects),
    // Threads and jobs.
    of("kernel/src/scheduling/thread.rs", ANY, States),
    of("kernel/src/scheduling/waits.rs", ANY, States),
    of("kernel/src/scheduling/periods.rs", ANY, Jobs),
    of("kernel/src/scheduling/jobs.rs", ANY, Jobs),
    of("kernel/src/machine/e_machine.rs", &["release_in_a_row"], Jobs),
    moved_of("kernel/src/machine/batches.rs", ANY, Instants),
    of("kernel/src/machine", ANY, Instants),
    // The port and the board.
    of("kernel/ports/cortex-m/src/processor/host.rs", &["context", "frame", "running", "system"], Rows),
    of(
        "kernel/ports/cortex-m/src/processor/host.rs",
        &["tell", "answer", "result", "deliver", "status", "put", "stack_pointer"],
        Answers,
    ),
    of("kernel/ports/cortex-m/src/processor/host.rs", &["copy*", "load", "store"], Objects),
    of("kernel/ports/cortex-m/src/processor/host.rs", &["arm", "now", "moment"], Time),
    of("kernel/ports/cortex-m/src/processor/host.rs", &["call"], Entry),
    of("kernel/ports/cortex-m/src/processor/host.rs", &["mask", "unmask"], Objects),
    of("kernel/ports/cortex-m/src/processor/host.rs", &["go_on", "is_pending", "take"], Instants),
    of("kernel/ports/cortex-m/src/processor/host.rs", &["switch"], Decision),
    of("kernel/ports/cortex-m/src/processor/registers.rs", &["write*"], Objects),
    of("kernel/ports/cortex-m/src/processor/registers.rs", ANY, Instants),
    of("kernel/ports/cortex-m/src/processor/kernel.rs", ANY, Entry),
    of("kernel/ports/common/src/threads.rs", &["context", "position"], Rows),
    of("kernel/ports/common/src/images.rs", ANY, Objects),
    of("kernel/ports/common/src/steps.rs", ANY, Entry),
    of("kernel/ports/common/src/memory.rs", ANY, Entry),
    of("kernel/boards/emulated/src/board.rs", &["arm", "acknowledge", "now", "moment"], Time),
    of("kernel/boards/emulated/src/time.rs", ANY, Time),
    of("kernel/boards/mps2/src/devices.rs", &["acknowledge", "count", "set"], Time),
];

/// Routines that copy and fill memory.
const MEMORY: [&str; 2] = ["__aeabi_mem", "mem"];

/// The purpose of an instruction.
pub fn purpose(origin: &Origin) -> Purpose {
    let Origin { symbol, chain, text, is_entry } = origin;
    if *is_entry {
        return Entry;
    } else if symbol == SWITCH {
        return of_switch(text);
    } else if is_of_stack(text) {
        return Stack;
    } else if chain.is_empty() && MEMORY.iter().any(|name| symbol.starts_with(name)) {
        return Objects;
    }
    let mut rules = chain.iter().filter_map(rule);
    if let Some(claiming) = rules.find(|rule| rule.reach == Reach::Inlined) {
        return claiming.purpose;
    }
    let first = chain.iter().find(|frame| !is_helper(frame)).and_then(rule);
    let is_moved = matches!(chain.as_slice(), [frame] if frame.line == 0);
    let reaching = first.filter(|rule| !is_moved || rule.reach == Reach::Moved);
    reaching.map_or(NotAttributed, |rule| rule.purpose)
}

/// Whether a function has its caller's purpose.
fn is_helper(frame: &Frame) -> bool {
    let is_of_kernel =
        ["kernel/src", "kernel/ports", "kernel/boards"].iter().any(|path| frame.file.starts_with(path));
    let is_closure = frame.function.as_deref().is_none_or(|name| name.starts_with("{closure"));
    !is_of_kernel || is_closure || HELPERS.iter().any(|path| frame.file.starts_with(path))
}

/// Kernel functions that have their caller's purpose.
const HELPERS: [&str; 3] =
    ["kernel/src/event.rs", "kernel/src/state.rs", "kernel/boards/mps2/src/register.rs"];

/// The rule for a function: one that claims inlined code before others.
fn rule(frame: &Frame) -> Option<&'static Rule> {
    let function = plain(frame.function.as_deref()?);
    let names = |pattern: &&str| match pattern.strip_suffix('*') {
        Some(begin) => function.starts_with(begin),
        None => function == *pattern,
    };
    let fits = |rule: &&Rule| frame.file.starts_with(rule.path) && rule.functions.iter().any(names);
    let claiming = RULES.iter().find(|rule| rule.reach == Reach::Inlined && fits(rule));
    claiming.or_else(|| RULES.iter().find(fits))
}

/// A function's name without its module and type arguments.
fn plain(name: &str) -> &str {
    let name = name.split('<').next().unwrap_or(name);
    name.rsplit("::").next().unwrap_or(name)
}

/// Entry code uses r12 for the registers of the protection unit and r1 for a thread's regions; all other
/// registers belong to threads.
fn of_switch(text: &str) -> Purpose {
    let (operation, operands) = text.split_once(' ').unwrap_or((text, ""));
    let is_load = operation.starts_with("ld");
    let is_of_regions =
        operands.starts_with("r1,") || operands.starts_with("r1!") || operands.contains("[r1");
    if operands.contains("ip") || operands.contains("r12") || is_load && is_of_regions {
        Protection
    } else if ["dsb", "isb", "bx", "b"].contains(&operation.split('.').next().unwrap_or_default()) {
        Entry
    } else {
        Registers
    }
}

/// Whether an instruction exists because a function keeps something on its stack.
fn is_of_stack(text: &str) -> bool {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric());
    words.into_iter().any(|word| ["push", "pop", "sp"].contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(file: &str, function: &str) -> Frame {
        Frame { function: Some(function.to_owned()), file: file.to_owned(), line: 7 }
    }

    fn origin(chain: &[(&str, &str)], text: &str) -> Origin {
        let chain = chain.iter().map(|(file, function)| frame(file, function)).collect();
        Origin { symbol: "beryl_yield_now".to_owned(), chain, text: text.to_owned(), is_entry: false }
    }

    const TABLE: (&str, &str) =
        ("kernel/src/table.rs", "at<beryl_kernel::scheduling::thread::ThreadState, 8>");
    const GUARD: (&str, &str) = ("kernel/src/handle.rs", "handle_ordinarily<tables::Sizes>");
    const CHARGE: (&str, &str) = ("kernel/src/handle.rs", "charge_until<tables::Sizes>");
    const CORE: (&str, &str) = ("library/core/src/num/uint_macros.rs", "wrapping_add");

    #[test]
    fn the_innermost_function_with_a_rule_says_what_an_instruction_is_for() {
        assert_eq!(purpose(&origin(&[TABLE, GUARD], "and r0, r1, 0x7")), Rows);
        assert_eq!(purpose(&origin(&[CORE, GUARD], "cmp r0, 0x20")), Guards);
        assert_eq!(purpose(&origin(&[CORE], "adds r0, r1")), NotAttributed);
        assert_eq!(purpose(&origin(&[], "adds r0, r1")), NotAttributed);
        let closure = ("kernel/src/handle.rs", "{closure#0}<tables::Sizes>");
        assert_eq!(purpose(&origin(&[closure, CORE, GUARD], "cmp r0, 0x20")), Guards);
    }

    #[test]
    fn what_has_no_rule_is_not_its_callers() {
        let unknown = ("kernel/src/nowhere.rs", "do_something");
        assert_eq!(purpose(&origin(&[unknown, GUARD], "cmp r0, 0x20")), NotAttributed);
    }

    #[test]
    fn what_was_moved_is_known_only_where_all_of_the_function_is_for_one_purpose() {
        let moved = |place: (&str, &str)| {
            let mut origin = origin(&[place], "movt r1, 0x4000");
            origin.chain[0].line = 0;
            purpose(&origin)
        };
        assert_eq!(moved(GUARD), NotAttributed);
        assert_eq!(moved(("kernel/src/scheduling/tree.rs", "play")), Queues);
        assert_eq!(moved(("kernel/src/machine/batches.rs", "release_coded")), Instants);
    }

    #[test]
    fn a_rule_that_claims_takes_what_was_inlined() {
        assert_eq!(purpose(&origin(&[TABLE, CHARGE, GUARD], "add r0, r1")), Clock);
        assert_eq!(purpose(&origin(&[CORE, CHARGE], "adds r0, r1")), Clock);
    }

    #[test]
    fn where_the_processor_enters_everything_is_entry_code() {
        let entry = Origin { is_entry: true, ..origin(&[GUARD], "push {r4, lr}") };
        assert_eq!(purpose(&entry), Entry);
    }

    #[test]
    fn a_prologue_is_known_by_its_instructions() {
        for text in
            ["push {r4, lr}", "pop.w {r4, r5, pc}", "str r0, [sp, 0x4]", "sub sp, 0x8", "stmdb sp!, {r4}"]
        {
            assert_eq!(purpose(&origin(&[GUARD], text)), Stack, "{text}");
        }
        assert_eq!(purpose(&origin(&[GUARD], "str r0, [r1, 0x4]")), Guards);
    }

    #[test]
    fn a_switch_is_registers_regions_and_the_way_out() {
        let of_switch = |text: &str| {
            let origin = Origin { symbol: SWITCH.to_owned(), text: text.to_owned(), ..Origin::default() };
            purpose(&origin)
        };
        for text in ["mrs.w r3, cpsr", "stm.w r1, {r3, r4}", "ldm.w r0, {r3, r4}", "msr.w apsr_nzcvq, r3"] {
            assert_eq!(of_switch(text), Registers, "{text}");
        }
        for text in [
            "ldr r1, [r0, 0x24]",
            "ldr.w ip, [pc, 0x34]",
            "ldm.w r1!, {r4}",
            "stm.w ip, {r4}",
            "ldrd r4, r5, [r1]",
        ] {
            assert_eq!(of_switch(text), Protection, "{text}");
        }
        assert_eq!([of_switch("dsb.w 0xf"), of_switch("bx lr")], [Entry, Entry]);
    }

    #[test]
    fn names_are_plain() {
        assert_eq!(plain("charge_until<a::B, c::D<e>>"), "charge_until");
        assert_eq!(plain("beryl_kernel::scheduling::decide"), "decide");
        assert_eq!(plain("{closure#0}"), "{closure#0}");
    }
}
