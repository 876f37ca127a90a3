//! A kernel with a core of its own beside the ordinary one, on the same board: three threads whose jobs all take as long, in periods of
//! 4, 10 and 15 ms, and a call. After the hardware RTOS of OSPERT 2014 (section 5).

use std::fs;
use std::ops::Range;

use anyhow::{Context, Result, ensure};
use beryl_abi::Instant;
use beryl_builder::board::{BOARDS, Board};
use beryl_builder::emulator::{self, Accesses, Core, LOG, log};
use beryl_builder::plugged;
use beryl_builder::workshop::Workshop;
use object::{Object, ObjectSymbol};

use crate::generated::project;
use crate::observed::{self, image};
use crate::row::Row;
use crate::step::Kernel;

/// The benches in this file.
pub const NAMES: &[&str] = &[JOB, ENTRIES, BESIDE, CALL, SWITCHES];
/// A job of the most urgent thread: what its core carries out from its beginning to its end.
pub const JOB: &str = "apart/job";
/// How often the kernel is entered on that core meanwhile.
pub const ENTRIES: &str = "apart/entries";
/// What another core of the kernel's carries out meanwhile.
pub const BESIDE: &str = "apart/beside";
/// A call that lets its caller go on: what its core carries out, all of it and without the rounds in which it waits for the answer.
pub const CALL: &str = "apart/call";
/// A call that lets a more urgent thread go on, until that has made the next, and the first goes on: two calls that switch.
pub const SWITCHES: &str = "apart/switches";
/// Where the kernel is.
pub const CASES: [&str; 2] = ["same core", "other core"];
/// A call without waiting.
pub const WITHOUT_WAITING: &str = "other core, without waiting";

/// How long is looked, in ticks of 50 ns: all of 60 ms, in which the periods meet in each way, and some more.
const JOBS: Instant = Instant::from_ticks(1_300_000);
const CALLS: Instant = Instant::from_ticks(1_000_000);
/// The first samples are left out: they meet the start of the system.
const FIRST: usize = 1;
/// The core of the threads, and how many there are.
const THREADS: usize = 0;

/// Builds both systems with either kernel, runs them, and counts.
///
/// # Errors
/// Those of building and running; samples are missing; the job of a thread whose kernel is elsewhere isn't always the same.
pub fn rows(workshop: &Workshop) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for (case, kernel) in CASES.into_iter().zip(["same core", "other core"]) {
        let jobs = Runs::of(kernel, Measured::Jobs, JOBS, workshop)?;
        let each = |count: fn(&Span) -> u64| jobs.spans.iter().skip(FIRST).map(count).collect::<Vec<_>>();
        let totals = each(|span| span.own);
        if kernel == "other core" {
            ensure!(totals.windows(2).all(|pair| pair[0] == pair[1]), "jobs differ: {totals:?}");
        }
        rows.push(Row::instructions(JOB, case, &totals)?);
        rows.push(Row::counts(ENTRIES, case, &each(|span| span.entries))?);
        rows.push(Row::instructions(BESIDE, case, &each(|span| span.beside))?);
        for (bench, measured) in [(CALL, Measured::Calls), (SWITCHES, Measured::Switches)] {
            let calls = Runs::of(kernel, measured, CALLS, workshop)?;
            let each =
                |count: fn(&Span) -> u64| calls.spans.iter().skip(FIRST).map(count).collect::<Vec<_>>();
            rows.push(Row::instructions(bench, case, &each(|span| span.own))?);
            if kernel == "other core" {
                rows.push(Row::instructions(bench, WITHOUT_WAITING, &each(|span| span.without_waiting))?);
            }
        }
    }
    Ok(rows)
}

/// What is between two marks of a thread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Span {
    /// Instructions of its core.
    own: u64,
    /// Of these, without all but the first of rounds in which it waits.
    without_waiting: u64,
    /// How often an interrupt has entered the kernel on it.
    entries: u64,
    /// Instructions of the other core.
    beside: u64,
}

/// The marks in the order of the run.
struct Runs {
    spans: Vec<Span>,
}

/// Where a thread's marks are, and where interrupts come in.
struct Marks {
    begin: u32,
    end: Range<u32>,
    interrupt: u32,
}

impl Runs {
    fn of(kernel: &str, measured: Measured, end: Instant, workshop: &Workshop) -> Result<Runs> {
        let name = measured.name(kernel);
        let board = BOARDS.iter().find(|board| board.apart.is_some());
        let board = board.context("no board has a core for the kernel alone")?;
        let project = project(workshop, &name, &described(&name, board, kernel, measured))?;
        let kernel = Kernel::of(project, workshop)?;
        let board = kernel.project.description.board.board.value;
        let path = workshop.folder(&name).join("own.elf");
        let process = fs::read(&path).with_context(|| format!("reading {}", path.display()))?;
        let place = |function: &str| function_of(&process, function);
        let others = place("spend_others").unwrap_or_default();
        let marks = Marks {
            begin: place("mark_job")?.start,
            end: place("mark_done")?,
            interrupt: function_of(&kernel.elf, kernel.processor().entries.lines.symbol)?.start,
        };
        let all = image(&kernel.project);
        let code = match others.is_empty() {
            true => vec![all],
            false => vec![all.start..others.start, others.end..all.end],
        };
        Ok(Runs { spans: marks.spans(&executed(&kernel, board, &code, end, workshop)?) })
    }
}

/// What both cores carry out, in the order of the run, with the number of each one's core.
fn executed(
    kernel: &Kernel,
    board: &'static Board,
    code: &[Range<u32>],
    end: Instant,
    workshop: &Workshop,
) -> Result<Vec<(usize, u32)>> {
    let Kernel { project, built, .. } = kernel;
    if !board.has_kernel_apart() {
        let mut executed = observed::executed(project, built, workshop, image(project), end)?;
        executed.retain(|address| code.iter().any(|range| range.contains(address)));
        return Ok(executed.into_iter().map(|address| (THREADS, address)).collect());
    }
    let name = &project.assembly.name;
    let window = Accesses::default().window_without_trace(board, end)?;
    let core = Core { number: 0, name, board, image: built.image.clone(), window, speaks: true };
    let turns = plugged::build_turns_of_both(project, workshop)?;
    let folder = workshop.folder(name).join("steps");
    emulator::on_one_board_logged(&[core], project.description.board.speed, &turns, &folder, code)?;
    let path = folder.join(LOG);
    let text = fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
    // Nobody reads it again, and it may be large.
    fs::remove_file(&path).with_context(|| format!("removing {}", path.display()))?;
    Ok(log::executed_in_order(&text, board.processors))
}

impl Marks {
    /// All whole spans of a run.
    fn spans(&self, executed: &[(usize, u32)]) -> Vec<Span> {
        let (mut spans, mut under_way) = (Vec::new(), None::<(Span, Vec<u32>)>);
        for (core, address) in executed {
            if *core != THREADS {
                under_way.iter_mut().for_each(|(span, _)| span.beside += 1);
            } else if *address == self.begin {
                under_way = Some(Default::default());
            } else if *address == self.end.start {
                spans.extend(under_way.take().map(|(span, _)| span));
            } else if let Some((span, places)) = &mut under_way {
                span.own += 1;
                span.without_waiting += u64::from(!is_again(places, *address));
                span.entries += u64::from(*address == self.interrupt);
            }
        }
        spans
    }
}

/// Whether this instruction is one of the last few that were carried out: then it waits. Notes it.
fn is_again(last: &mut Vec<u32>, address: u32) -> bool {
    /// More than a round has, and fewer than anything that is done twice has.
    const ROUND: usize = 8;
    let is_again = last.contains(&address);
    last.push(address);
    if last.len() > ROUND {
        last.remove(0);
    }
    is_again
}

/// Where a function of a program is.
fn function_of(program: &[u8], name: &str) -> Result<Range<u32>> {
    let file = object::File::parse(program)?;
    let found = file.symbols().find(|symbol| symbol.name().is_ok_and(|symbol| symbol.contains(name)));
    let found = found.with_context(|| format!("there is no `{name}`"))?;
    let first = u32::try_from(found.address() & !1)?;
    Ok(first..first.saturating_add(u32::try_from(found.size())?))
}

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Measured {
    Jobs,
    Calls,
    Switches,
}

impl Measured {
    /// The system's name.
    fn name(self, kernel: &str) -> String {
        let what = match self {
            Measured::Jobs => "jobs",
            Measured::Calls => "calls",
            Measured::Switches => "switches",
        };
        format!("bench_apart_{what}_{}", kernel.replace(' ', "_"))
    }

    /// How fast the emulator is.
    const fn speed(self) -> u8 {
        match self {
            Measured::Jobs => 5,
            // Each core carries out an instruction, and then the other one: who waits, waits as many as the other one needs.
            Measured::Calls | Measured::Switches => 10,
        }
    }
}

/// The description of a case.
fn described(name: &str, board: &Board, kernel: &str, measured: Measured) -> String {
    let (board, speed) = (board.name, measured.speed());
    let mut text = format!(
        "# Written by ./x bench; changes are lost.\n[system]\nname = {name:?}\napplication = \"{{bench}}/cores/app\"\n\n\
         [board]\nname = {board:?}\nkernel = {kernel:?}\nflash = \"128k\"\nram = \"32k\"\nspeed = {speed}\n\n\
         [[band]]\nname = \"threads\"\npolicy = \"fixed\"\n\n[process.own]\nmemory = \"64\"\n\n"
    );
    let mut thread = |name: &str, priority: u8, keys: &str| {
        text += &format!(
            "[thread.{name}]\nprocess = \"own\"\nband = \"threads\"\npriority = {priority}\nstack = \"512\"\n{keys}\n"
        );
    };
    match measured {
        Measured::Jobs => {
            for (priority, entry, period) in
                [(3, "often", "4ms"), (2, "seldom", "10ms"), (1, "seldom", "15ms")]
            {
                let keys = format!("entry = {entry:?}\nperiod = {period:?}\nworst = \"2300us\"\n");
                thread(&format!("each_{period}"), priority, &keys);
            }
        }
        Measured::Calls | Measured::Switches => {
            let keys = "entry = \"calls\"\nperiod = \"2ms\"\nworst = \"500us\"\nuses = [\"near.notify\"]\n";
            thread("calls", 3, keys);
            let priority = if measured == Measured::Calls { 2 } else { 4 };
            thread("is_called", priority, "entry = \"is_called\"\nuses = [\"near.wait\"]\n");
            text += "[notification.near]\n";
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_waits_is_counted_once_and_what_the_other_core_does_apart() {
        let marks = Marks { begin: 10, end: 20..22, interrupt: 40 };
        // A job, in which one core waits in rounds of two instructions, an interrupt comes, and the other core carries out three.
        let own = [10, 11, 30, 31, 30, 31, 30, 31, 32, 40, 41, 20];
        let other = [(1, 90), (1, 91), (1, 92)];
        let run: Vec<_> = own[..5].iter().map(|address| (0, *address)).chain(other).collect();
        let run =
            [run, own[5..].iter().map(|address| (0, *address)).collect(), vec![(1, 93), (0, 10)]].concat();
        assert_eq!(marks.spans(&run), [Span { own: 10, without_waiting: 6, entries: 1, beside: 3 }]);
    }

    #[test]
    fn only_the_place_of_the_kernel_differs() {
        for measured in [Measured::Jobs, Measured::Calls, Measured::Switches] {
            let [same, other] = CASES.map(|kernel| described("some", &BOARDS[0], kernel, measured));
            assert_eq!(same.replace("same core", "other core"), other);
        }
    }
}
