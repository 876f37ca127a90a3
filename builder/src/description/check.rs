//! The rules that a description must keep, beyond the kinds of its values.

use super::diagnostic::{Problem, Reporter};
use super::duplicates::refuse_duplicates;
use super::readable::Parts;
use super::section::Section;
use super::suggestion::{Quoted, meant};
use super::{
    Placed, apart, bell_ends, cmsis, code, cores, delayed, nodes, offers, partitions, replicas, shared,
    sleep, tells, times, usage,
};
use crate::board::{BOARDS, Board, Device};
use crate::interval::Interval;
use crate::quantity::{Bytes, Nanoseconds};
use beryl_timing::Help;
use miette::SourceSpan;

/// The exception frame of 32 bytes twice, and as much for the thread itself.
const LEAST_STACK: u32 = 128;
/// Bands of a description.
const MOST_BANDS: usize = 31;
/// The processes that may name an object are the bits of a word.
pub(crate) const MOST_PROCESSES: usize = 32;

/// Checks all rules that need the whole description. Those about parts wait until all parts can be read.
/// What holds of nodes holds of the whole.
pub(super) fn check(parts: &Parts, file: &Section<'_>, is_whole: bool, reporter: &mut Reporter) {
    check_presence(parts, file, reporter);
    if !reporter.is_clean() {
        return;
    }
    check_counts(parts, reporter);
    check_names(parts, reporter);
    check_stacks(parts, reporter);
    check_driver_stacks(parts, reporter);
    check_board(parts, reporter);
    check_devices(parts, reporter);
    check_floating(parts, reporter);
    apart::check(parts, reporter);
    times::check(parts, reporter);
    shared::check(parts, reporter);
    sleep::check(parts, reporter);
    partitions::check(parts, reporter);
    usage::check(parts, reporter);
    tells::check(parts, reporter);
    offers::check(parts, reporter);
    delayed::check(parts, reporter);
    if is_whole {
        nodes::check(parts, reporter);
        cores::check(parts, reporter);
        bell_ends::check(parts, reporter);
        replicas::check(parts, reporter);
    }
}

fn check_presence(parts: &Parts, file: &Section<'_>, reporter: &mut Reporter) {
    if file.count("process") == 0 {
        file.missing("[process.name]", "everything runs in a process: add at least one", reporter);
    }
    if file.count("band") == 0 {
        file.missing(
            "[[band]]",
            "add a band with its name and policy, \"dynamic\", \"fixed\" or \"code\"",
            reporter,
        );
    }
    if let Some(system) = &parts.system
        && system.timing.is_empty()
        && file.count("thread") == 0
        && !file.has(cmsis::TABLE)
    {
        reporter.report(Problem {
            code: code::MISSING,
            place: system.name.place,
            message: "the system has neither a timing program nor a thread, so nothing would ever run"
                .to_owned(),
            label: "this system".to_owned(),
            help: "add `timing = [\"...\"]`, or a [thread.name]".into(),
        });
    }
}

/// Processes and bands are bits of a word each, and one band is for idling.
fn check_counts(parts: &Parts, reporter: &mut Reporter) {
    let process = parts.processes.get(MOST_PROCESSES).map(|process| process.name.place);
    let band = parts.bands.get(MOST_BANDS).map(|band| band.name.place);
    for (kind, most, place) in [("processes", MOST_PROCESSES, process), ("bands", MOST_BANDS, band)] {
        let Some(place) = place else { continue };
        reporter.report(Problem {
            code: code::TOO_MANY,
            place,
            message: format!("a system has at most {most} {kind}"),
            label: "one too many".to_owned(),
            help: format!("join some of the {kind}").into(),
        });
    }
}

/// What the thread is called that the builder adds.
pub const IDLE: &str = "idle";

/// TOML itself refuses a table that stands twice; threads named like tasks are left.
fn check_names(parts: &Parts, reporter: &mut Reporter) {
    let tasks = parts.tasks.iter().filter(|task| task.module.is_none()).map(|task| &task.name);
    let threads: Vec<_> = tasks.chain(parts.threads.iter().map(|thread| &thread.name)).collect();
    refuse_duplicates("task or thread", &threads, reporter);
    for task in parts.tasks.iter().map(|task| &task.name).filter(|name| name.value == IDLE) {
        reporter.report(not_idle(task, "rename the task here and in its timing program".into()));
    }
    for thread in parts.threads.iter().map(|thread| &thread.name).filter(|name| name.value == IDLE) {
        let help = Help::from("give it another name").or(thread.place, "spare");
        reporter.report(not_idle(thread, help));
    }
}

fn not_idle(name: &Placed<String>, help: Help<SourceSpan>) -> Problem {
    Problem {
        code: code::DUPLICATE_NAME,
        place: name.place,
        message: format!("each system has a thread `{IDLE}`, which runs while no other does"),
        label: "the name is taken".to_owned(),
        help,
    }
}

fn check_stacks(parts: &Parts, reporter: &mut Reporter) {
    let tasks = parts.tasks.iter().map(|task| task.stack);
    let threads = parts.threads.iter().map(|thread| thread.stack);
    let drivers = parts.processes.iter().filter_map(|process| process.driver_stack);
    let mut stacks: Vec<_> = tasks.chain(threads).chain(drivers).collect();
    // Threads of a pool have theirs at one place.
    stacks.dedup_by_key(|stack| stack.place);
    for stack in stacks.into_iter().filter(|stack| stack.below(LEAST_STACK)) {
        reporter.out_of_range(
            stack.place,
            format!("a stack of {} bytes has no room for an exception and any work", stack.get()),
            Help::from(format!("write at least \"{LEAST_STACK}\""))
                .or(stack.place, format!("\"{LEAST_STACK}\"")),
        );
    }
}

/// A process with native drivers needs a thread for them, and that a stack.
fn check_driver_stacks(parts: &Parts, reporter: &mut Reporter) {
    for (driver, process) in
        parts.drivers.iter().filter_map(|driver| Some((driver, parts.processes.get(driver.process.index())?)))
    {
        if process.driver_stack.is_none() {
            let problem = Problem {
                code: code::MISSING,
                place: process.name.place,
                message: format!("process `{}` runs drivers and has no `driver_stack`", process.name.value),
                label: "`driver_stack` is missing".to_owned(),
                help: with_driver_stack(process.name.place, reporter),
            };
            reporter.report_with(problem, driver.name.place, "a driver of it");
        }
    }
}

fn with_driver_stack(place: SourceSpan, reporter: &Reporter) -> Help<SourceSpan> {
    let help = Help::from("add `driver_stack = \"512\"` or what its drivers need");
    let line = reporter.behind_head(place);
    line.into_iter().fold(help, |help, line| help.or(line, "\ndriver_stack = \"512\""))
}

fn check_board(parts: &Parts, reporter: &mut Reporter) {
    let Some(used) = &parts.board else { return };
    for (memory, limit, interval) in
        [("flash", used.flash, used.board.flash), ("RAM", used.ram, used.board.ram)]
    {
        check_limit(memory, limit, interval, reporter);
    }
}

fn check_limit(memory: &str, limit: Placed<Bytes>, interval: Interval, reporter: &mut Reporter) {
    if limit.value == Bytes::ZERO || limit.value > interval.length() {
        let has = interval.length();
        let message = format!("the board has {has} of {memory}, so {} can't be its limit", limit.value);
        let help = Help::from(format!("write a size from \"1\" to \"{has}\""));
        reporter.out_of_range(limit.place, message, help.or(limit.place, format!("\"{has}\"")));
    }
}

fn check_devices(parts: &Parts, reporter: &mut Reporter) {
    for process in &parts.processes {
        let names: Vec<_> =
            process.devices.iter().map(|device| Placed::new(device.name.to_owned(), device.place)).collect();
        refuse_duplicates("device", &names.iter().collect::<Vec<_>>(), reporter);
    }
}

impl Reporter {
    /// Says that nothing is called `name`, and what there is.
    pub(super) fn unknown(&mut self, kind: &str, name: &Placed<String>, known: &[&str]) {
        self.report(Problem {
            code: code::UNKNOWN_NAME,
            place: name.place,
            message: format!("there is no {kind} `{}`", name.value),
            label: "unknown".to_owned(),
            help: meant(name.place, name, known, "known ones", Quoted::Yes),
        });
    }

    /// The board's device of this name.
    pub(super) fn device(&mut self, name: Placed<String>, board: &'static Board) -> Option<Placed<Device>> {
        let found = board.device(&name);
        if found.is_none() {
            let known: Vec<&str> = board.devices.iter().map(|device| device.name).collect();
            self.unknown("device", &name, &known);
        }
        Some(Placed::new(*found?, name.place))
    }

    /// Refuses a worst case of zero, or below the best.
    pub(super) fn check_times(&mut self, best: Option<Placed<Nanoseconds>>, worst: Placed<Nanoseconds>) {
        if worst.value == Nanoseconds::ZERO {
            let message = "a worst case of no time at all can't be kept".to_owned();
            self.out_of_range(worst.place, message, Help::from("write the longest time that it takes"));
        } else if let Some(best) = best.filter(|best| best.value > worst.value) {
            let problem = Problem {
                code: code::CONFLICT,
                place: best.place,
                message: format!("the best case, {}, is longer than the worst, {}", best.value, worst.value),
                label: "longer".to_owned(),
                help: "exchange the two, or correct one of them".into(),
            };
            self.report_with(problem, worst.place, "than this");
        }
    }

    fn out_of_range(&mut self, place: SourceSpan, message: String, help: Help<SourceSpan>) {
        self.report(Problem { code: code::RANGE, place, message, label: "out of range".to_owned(), help });
    }
}

/// Refuses floating point in hardware on a board that has none.
fn check_floating(parts: &Parts, reporter: &mut Reporter) {
    let Some(board) = parts.board.as_ref().map(|used| used.board) else { return };
    if board.floating.is_some() {
        return;
    }
    let with = BOARDS.iter().filter(|board| board.floating.is_some());
    let with: Vec<_> = with.map(|board| format!("`{}`", board.name)).collect();
    for process in parts.processes.iter().filter(|process| process.is_floating()) {
        let Some(floating) = process.floating else { continue };
        reporter.report(Problem {
            code: code::CONFLICT,
            place: floating.place,
            message: format!(
                "process `{}` computes with floating point in hardware, and board `{}` has none",
                process.name.value, board.name
            ),
            label: "not on this board".to_owned(),
            help: Help::from(format!(
                "write `floating = \"software\"`: the results have the same bits; or take a board that has it, {}",
                with.join(" or ")
            ))
            .or(floating.place, "\"software\""),
        });
    }
}
