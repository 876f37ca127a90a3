//! Beryl's rows next to those of other kernels: the page, its chart, and the first rows for the front page.

use anyhow::Result;

use super::{Page, markdown};
use crate::grid::{Cell, Grid, Group, Row};
use crate::metric;
use crate::peers::{Cost, Operation, Peers};
use crate::recorded::Recorded;
use crate::step;

/// A comparison: its name, our recorded row (bench, and case if there are several), and the operation
/// measured for the peers.
type Compared = (&'static str, &'static str, &'static str, &'static str);

/// Kernels with preemptive threads, which have columns in the chart.
const KERNELS: [&str; 7] = ["FreeRTOS", "ThreadX", "ThreadX, fast", "RTX5", "ChibiOS", "uC/OS-III", "RIOT"];
/// Frameworks whose tasks share a stack, or don't preempt each other.
const FRAMEWORKS: [&str; 3] = ["RTIC", "embassy", "lilos"];
/// How many rows the front page shows.
const FIRST: usize = 7;

const EARLY: &str = "early, fixed band, 3 threads";
const STANDARD: &str = "standard, fixed band, 3 threads";

const OPERATIONS: [Compared; 13] = [
    ("yield to a thread of the same urgency", "yield/same-process", "", "yield"),
    ("semaphore, take and give; one process", "semaphore/pair", "", "semaphore"),
    ("semaphore, take and give; two processes", "semaphore/pair-across", "", "semaphore"),
    ("give, until the thread that waits runs", "semaphore/wake", "", "wake"),
    ("message of 8 bytes, send and receive", "mailbox/pair-8", "", "message"),
    ("message, until the thread that waits runs", "mailbox/wake-8", "", "message-to-waiting"),
    ("interrupt, until its thread runs", "interrupt/to-thread", "", "interrupt"),
    ("interrupt, its thread, and back", "interrupt/round-trip", "", "interrupt-round-trip"),
    ("lock that inherits, free; one process", "semaphore/pair", "", "lock"),
    ("lock that inherits, free; two processes", "semaphore/pair-across", "", "lock"),
    ("lock that inherits, handed over", "semaphore/handover", "", "hand-over"),
    ("contention for a lock, whole cycle", "semaphore/full-cycle", STANDARD, "cycle"),
    ("contention, the wait names the lock", "semaphore/full-cycle", EARLY, "cycle"),
];
const JOBS: [Compared; 5] = [
    ("one job among 5 threads", "job/one/5", "fixed band", "one-job/5"),
    ("one job among 15 threads", "job/one/15", "fixed band", "one-job/15"),
    ("one job among 50 threads", "job/one/50", "fixed band", "one-job/50"),
    ("one of 15 jobs at one instant", "job/all/15", "fixed band", "all-jobs/15"),
    ("one job among 15; Beryl's by deadline", "job/one/15", "dynamic band", "one-job/15"),
];
const METRIC: [Compared; 10] = [
    ("cooperative scheduling", "metric/cooperative", "", "metric/cooperative"),
    ("preemptive scheduling", "metric/preemptive", "", "metric/preemptive"),
    ("message processing", "metric/message-16", "", "metric/message"),
    ("synchronisation; one process", "metric/synchronisation", metric::WITHIN, "metric/synchronisation"),
    ("synchronisation; two processes", "metric/synchronisation", metric::ACROSS, "metric/synchronisation"),
    (
        "synchronisation; a counting semaphore",
        "metric/synchronisation",
        metric::UNITS,
        "metric/synchronisation",
    ),
    ("interrupt; a call in its place", "metric/interrupt", metric::CALLED, "metric/interrupt"),
    ("interrupt; a bit of the same thread", "metric/interrupt", metric::OWN, "metric/interrupt"),
    ("interrupt; a more urgent thread signals", "metric/interrupt", metric::SERVED, "metric/interrupt"),
    ("interrupt preemption", "metric/interrupt-preemption", "", "metric/interrupt-preemption"),
];
/// The same over a library, beside the peers' own calls.
const METRIC_CMSIS: [Compared; 4] = [
    ("cooperative scheduling", "metric-cmsis/cooperative", "", "metric/cooperative"),
    ("preemptive scheduling", "metric-cmsis/preemptive", "", "metric/preemptive"),
    ("message processing", "metric-cmsis/message-16", "", "metric/message"),
    ("synchronisation", "metric-cmsis/synchronisation", "", "metric/synchronisation"),
];
const GROUPS: [(&str, &[Compared]); 3] = [
    ("Operations", &OPERATIONS),
    ("Periodic jobs, by priority", &JOBS),
    ("Thread-Metric, an iteration", &METRIC),
];

const WITH_FRAMEWORKS: [Compared; 12] = [
    ("yield to a task of the same urgency", "yield/same-process", "", "yield"),
    ("semaphore, take and give", "semaphore/pair", "", "semaphore"),
    ("ceiling lock, enter and leave", "ceiling-lock/pair", "", "lock"),
    ("contention for a lock, whole cycle", "semaphore/full-cycle", STANDARD, "cycle"),
    ("give, until the task that waits runs", "semaphore/wake", "", "wake"),
    ("message of 8 bytes, send and receive", "mailbox/pair-8", "", "message"),
    ("message, until the task that waits runs", "mailbox/wake-8", "", "message-to-waiting"),
    ("interrupt, until its task runs", "interrupt/to-thread", "", "interrupt"),
    ("one job among 5 tasks", "job/one/5", "fixed band", "one-job/5"),
    ("one job among 15 tasks", "job/one/15", "fixed band", "one-job/15"),
    ("one job among 50 tasks", "job/one/50", "fixed band", "one-job/50"),
    ("one of 15 jobs at one instant", "job/all/15", "fixed band", "all-jobs/15"),
];

/// The page with its chart.
pub fn page(recorded: &Recorded) -> Result<Page> {
    let peers = Peers::read()?;
    let mut tables = vec![("peers", described(&peers))];
    for ((_, lines), name) in GROUPS.iter().zip(["operations", "jobs", "metric"]) {
        let columns: &[&str] = if name == "metric" { &KERNELS[..3] } else { &KERNELS };
        tables.push((name, compared(recorded, &peers, lines, columns)?));
    }
    tables.push(("metric-cmsis", compared(recorded, &peers, &METRIC_CMSIS, &KERNELS[..3])?));
    tables.push(("frameworks", compared(recorded, &peers, &WITH_FRAMEWORKS, &FRAMEWORKS)?));
    tables.push(("balance", balance(recorded, &peers)?));
    tables.push(("masked", masked(recorded, &peers)?));
    tables.push(("sizes", sizes(recorded, &peers)?));
    Ok(Page { file: "peers.md", tables, plots: vec![("peers.svg", grid(recorded, &peers)?.svg())] })
}

/// The first rows, for the front page.
pub fn first(recorded: &Recorded) -> Result<String> {
    compared(recorded, &Peers::read()?, &OPERATIONS[..FIRST], &KERNELS)
}

/// The costs of each kernel for a row, ours first.
struct Costs<'a> {
    ours: Cost<'static>,
    theirs: Vec<Option<Cost<'a>>>,
}

impl<'a> Costs<'a> {
    fn of(recorded: &Recorded, peers: &'a Peers, line: &Compared, columns: &[&str]) -> Result<Costs<'a>> {
        let (_, bench, case, operation) = *line;
        let row = if case.is_empty() { recorded.only(bench)? } else { recorded.row(bench, case)? };
        let operation = peers.operation(operation)?;
        let theirs = columns.iter().map(|peer| operation.cost(peer)).collect();
        Ok(Costs { ours: Cost::of(row.figures.min, row.figures.max), theirs })
    }

    fn all(&self) -> impl Iterator<Item = Option<Cost<'_>>> {
        std::iter::once(Some(self.ours)).chain(self.theirs.iter().copied())
    }

    /// The least upper cost of any of them; unlike operations don't count.
    fn least(&self) -> u64 {
        let same = self.all().flatten().filter(|cost| cost.unlike.is_none());
        same.map(|cost| cost.most).min().unwrap_or_default()
    }

    fn is_least(&self, cost: &Cost<'_>) -> bool {
        cost.unlike.is_none() && cost.most == self.least()
    }
}

/// A table with our figures and theirs; the least is bold, unlike operations have a star and are named below.
fn compared(recorded: &Recorded, peers: &Peers, lines: &[Compared], columns: &[&str]) -> Result<String> {
    let header: Vec<_> =
        ["instructions", "Beryl"].iter().chain(columns).map(|name| (*name).to_owned()).collect();
    let mut rows = Vec::new();
    let mut notes: Vec<String> = Vec::new();
    for line in lines {
        let costs = Costs::of(recorded, peers, line, columns)?;
        let cells =
            costs.all().map(|cost| cost.map_or(String::new(), |cost| cell(&cost, costs.is_least(&cost))));
        rows.push(std::iter::once(line.0.to_owned()).chain(cells).collect::<Vec<_>>());
        for (peer, cost) in columns.iter().zip(&costs.theirs) {
            let note = cost.and_then(|cost| cost.unlike).map(|unlike| format!("{peer}: {unlike}"));
            notes.extend(note.filter(|note| !notes.contains(note)));
        }
    }
    let notes = match notes.is_empty() {
        true => String::new(),
        false => format!("\n\\* Something else. {}.\n", notes.join("; ")),
    };
    Ok(markdown(&header, &rows) + &notes)
}

fn cell(cost: &Cost<'_>, is_least: bool) -> String {
    let text = if cost.least == cost.most {
        cost.most.to_string()
    } else {
        format!("{} to {}", cost.least, cost.most)
    };
    match (is_least, cost.unlike) {
        (true, _) => format!("**{text}**"),
        (false, Some(_)) => format!("{text}\\*"),
        (false, None) => text,
    }
}

/// The list of the peers.
fn described(peers: &Peers) -> String {
    let rows: Vec<_> = peers
        .peers
        .iter()
        .map(|peer| vec![peer.name.clone(), peer.version.clone(), peer.configuration.clone()])
        .collect();
    markdown(&["peer", "version", "configuration"].map(str::to_owned), &rows).replace("--:", "---")
}

/// In how many rows ours is cheaper than each of them, and in how many it isn't.
fn balance(recorded: &Recorded, peers: &Peers) -> Result<String> {
    let mut rows = Vec::new();
    for (column, peer) in KERNELS.iter().enumerate() {
        let (mut cheaper, mut equal, mut dearer) = (0, 0, 0);
        for line in GROUPS.iter().flat_map(|(_, lines)| *lines) {
            let costs = Costs::of(recorded, peers, line, &KERNELS)?;
            let Some(theirs) = costs.theirs[column].filter(|cost| cost.unlike.is_none()) else { continue };
            match costs.ours.most.cmp(&theirs.most) {
                std::cmp::Ordering::Less => cheaper += 1,
                std::cmp::Ordering::Equal => equal += 1,
                std::cmp::Ordering::Greater => dearer += 1,
            }
        }
        let numbers =
            [cheaper + equal + dearer, cheaper, equal, dearer].map(|number: u32| number.to_string());
        rows.push([vec![(*peer).to_owned()], numbers.to_vec()].concat());
    }
    let header = ["beside", "rows", "Beryl is cheaper", "as cheap", "Beryl is dearer"].map(str::to_owned);
    Ok(markdown(&header, &rows))
}

/// The longest times for which interrupts are masked.
fn masked(recorded: &Recorded, peers: &Peers) -> Result<String> {
    let loads = ["masked/mixed", "masked/5-jobs", "masked/30-jobs"].map(|load| peers.operation(load));
    let loads: Vec<&Operation> = loads.into_iter().collect::<Result<_>>()?;
    let mut rows = Vec::new();
    for (name, case) in [
        ("Beryl, longest step seen: the helicopter", step::OBSERVED),
        ("Beryl, bound from the binary: the helicopter", step::STATIC),
        ("Beryl, bound from the binary: all kinds of objects", step::STATIC_OBJECTS),
    ] {
        let step = recorded.row("kernel/step", case)?.figures.max.to_string();
        let is_bound = case != step::OBSERVED;
        rows.push(vec![
            name.to_owned(),
            step.clone(),
            if is_bound { step.clone() } else { String::new() },
            if is_bound { step } else { String::new() },
        ]);
    }
    for peer in KERNELS {
        let cells = loads.iter().map(|load| load.cost(peer).map_or(String::new(), |cost| cell(&cost, false)));
        rows.push(std::iter::once(peer.to_owned()).chain(cells).collect());
    }
    let header = ["instructions at most", "mixed calls", "5 jobs at one instant", "30 jobs at one instant"];
    Ok(markdown(&header.map(str::to_owned), &rows))
}

/// Bytes of code and data.
fn sizes(recorded: &Recorded, peers: &Peers) -> Result<String> {
    let bytes = |bench: &str| Ok::<_, anyhow::Error>(recorded.only(bench)?.figures.max.to_string());
    let ours = ["size/kernel-text", "", "size/kernel-data", "size/data-per-thread"];
    let ours = ours.map(|bench| if bench.is_empty() { Ok(String::new()) } else { bytes(bench) });
    let ours: Vec<_> = ours.into_iter().collect::<Result<_>>()?;
    let mut rows = vec![[vec!["Beryl, the helicopter's kernel".to_owned()], ours].concat()];
    let columns = ["text/small", "text/fast", "ram", "ram/thread"].map(|name| peers.operation(name));
    let columns: Vec<&Operation> = columns.into_iter().collect::<Result<_>>()?;
    for peer in KERNELS.iter().chain(&FRAMEWORKS) {
        let cells =
            columns.iter().map(|column| column.cost(peer).map_or(String::new(), |cost| cell(&cost, false)));
        rows.push(std::iter::once((*peer).to_owned()).chain(cells).collect());
    }
    let header = ["bytes", "code, for size", "code, for speed", "data", "for each thread"].map(str::to_owned);
    Ok(markdown(&header, &rows))
}

fn grid(recorded: &Recorded, peers: &Peers) -> Result<Grid> {
    let row = |line: &Compared| -> Result<Row> {
        let costs = Costs::of(recorded, peers, line, &KERNELS)?;
        let cell = |cost: Cost<'_>| Cell {
            value: cost.most,
            is_unlike: cost.unlike.is_some(),
            is_least: costs.is_least(&cost),
        };
        let cells = costs.all().map(|cost| cost.map(cell)).collect();
        Ok(Row { name: line.0.to_owned(), cells })
    };
    let groups = GROUPS.iter().map(|(name, lines)| {
        let rows = lines.iter().map(row).collect::<Result<_>>()?;
        Ok(Group { name, rows })
    });
    Ok(Grid {
        title: "Beryl, protected, beside kernels that aren't",
        across: "instructions at most; each row has its own scale, its least number is bold, a hollow bar is of something else",
        columns: std::iter::once("Beryl").chain(KERNELS).map(str::to_owned).collect(),
        groups: groups.collect::<Result<_>>()?,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::aims::aim;

    /// The operations of the page's last two tables, which have a row per kernel and per peer.
    const MASKED: [&str; 3] = ["masked/mixed", "masked/5-jobs", "masked/30-jobs"];
    const SIZES: [&str; 4] = ["text/small", "text/fast", "ram", "ram/thread"];

    #[test]
    fn every_figure_of_the_peers_is_on_the_page() -> Result<()> {
        let peers = Peers::read()?;
        let columns: Vec<_> = KERNELS.iter().chain(&FRAMEWORKS).copied().collect();
        let names = |lines: &[Compared]| lines.iter().map(|line| line.3).collect::<Vec<_>>();
        let tables = [
            (names(&OPERATIONS), &KERNELS[..]),
            (names(&JOBS), &KERNELS),
            (names(&METRIC), &KERNELS[..3]),
            (names(&WITH_FRAMEWORKS), &FRAMEWORKS),
            (MASKED.to_vec(), &KERNELS),
            (SIZES.to_vec(), &columns),
        ];
        let cells = |(names, columns): &(Vec<&'static str>, &[&'static str])| -> Vec<_> {
            names.iter().flat_map(|name| columns.iter().map(move |peer| (*name, *peer))).collect()
        };
        let shown: BTreeSet<(&str, &str)> = tables.iter().flat_map(cells).collect();
        for operation in &peers.operations {
            for peer in columns.iter().filter(|peer| operation.cost(peer).is_some()) {
                let is_shown = shown.contains(&(operation.name.as_str(), *peer));
                assert!(is_shown, "`{}` of {peer} is nowhere on the page", operation.name);
            }
        }
        let named: Vec<_> = peers.peers.iter().map(|peer| peer.name.as_str()).collect();
        assert_eq!(named, columns);
        Ok(())
    }

    #[test]
    fn nothing_in_the_picture_runs_into_something_else() -> Result<()> {
        let grid = grid(&Recorded::read()?, &Peers::read()?)?;
        assert_eq!(grid.too_long(), Vec::<String>::new());
        Ok(())
    }

    /// `40 ChibiOS` in the table of results must match the file of the peers.
    #[test]
    fn aims_name_the_figures_of_the_peers() -> Result<()> {
        let (recorded, peers) = (Recorded::read()?, Peers::read()?);
        let mut compared = 0;
        for (_, bench, case, operation) in GROUPS.iter().flat_map(|(_, lines)| *lines) {
            let row = if case.is_empty() { recorded.only(bench)? } else { recorded.row(bench, case)? };
            let Some(text) = aim(row, recorded.rows()).and_then(|aim| aim.peer) else { continue };
            let operation = peers.operation(operation)?;
            let mut number = 0;
            for part in text.split(", ") {
                let name = part.rsplit(' ').next().unwrap_or_default();
                number = part.split(' ').next().and_then(|number| number.parse().ok()).unwrap_or(number);
                let named = peers.peers.iter().filter(|peer| peer.name.starts_with(name));
                let is_there =
                    named.filter_map(|peer| operation.cost(&peer.name)).any(|cost| cost.most == number);
                // A semaphore of one process is also a lock: its aim quotes the others' semaphores.
                assert!(
                    is_there || operation.name == "lock",
                    "{bench}: {part} isn't what {} says",
                    operation.name
                );
                compared += 1;
            }
        }
        assert!(compared > 20, "{compared}");
        Ok(())
    }
}
