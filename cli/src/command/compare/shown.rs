//! What was found as a table: machines across, schedulers and speeds down; reasons below.

use beryl_builder::Project;
use beryl_builder::board::Board;
use beryl_builder::rescheduled::SCHEDULERS;
use beryl_trace::Recording;
use serde_json::{Value, json};

use super::{Compare, Found, Row, SIM, Tried};
use crate::console::Console;

impl Row {
    fn name(self) -> String {
        match self {
            Row::Described => "as described".to_owned(),
            Row::Scheduler(scheduler) => scheduler.name().to_owned(),
            Row::Speed(speed) => format!("speed {speed}"),
        }
    }
}

/// The rows that were tried anywhere, in order.
fn rows(tried: &[Tried]) -> Vec<Row> {
    let speeds = (0..=10).rev().map(Row::Speed);
    let all = [Row::Described].into_iter().chain(SCHEDULERS.map(Row::Scheduler)).chain(speeds);
    all.filter(|row| tried.iter().any(|tried| tried.row == *row)).collect()
}

/// The table, the reasons, and a line with what it comes to.
pub fn show(
    project: &Project,
    tried: &[Tried],
    boards: &[&Board],
    asked: &Compare,
    expected: &Recording,
    console: &Console,
) {
    let machines: Vec<&str> = [SIM].into_iter().chain(boards.iter().map(|board| board.name)).collect();
    let cell = |row: Row, machine: &str| match (row, machine) {
        (Row::Described, SIM) => "same",
        _ => {
            let found = tried.iter().find(|tried| tried.row == row && tried.machine == machine);
            found.map_or("-", |tried| tried.found.in_words().0)
        }
    };
    let mut lines =
        vec![[String::new()].into_iter().chain(machines.iter().map(|name| (*name).to_owned())).collect()];
    for row in rows(tried) {
        let cells = machines.iter().map(|machine| cell(row, machine).to_owned());
        lines.push([row.name()].into_iter().chain(cells).collect());
    }
    let reasons =
        reasons(tried).into_iter().map(|(reason, of)| format!("{}: {}", of.join(", "), reason.trim_end()));
    let said: Vec<_> = aligned(&lines).into_iter().chain(reasons).collect();
    console.title("Compared");
    said.iter().for_each(|line| console.say(format_args!("  {line}")));
    let count = |wanted: &str| tried.iter().filter(|tried| tried.found.in_words().0 == wanted).count();
    let [same, differ] = ["same", "differs"].map(count);
    let (name, writes) = (&project.assembly.name, expected.actuators.len());
    console.say(format_args!(
        "{name}: {writes} actuator writes in {}; {same} runs wrote the same, {differ} differ",
        asked.length
    ));
    console.object(&json!({
        "system": name, "actuator_writes": writes, "same": same, "differ": differ, "said": said,
    }));
}

/// Each reason once, with the runs that it is of.
fn reasons(tried: &[Tried]) -> Vec<(&str, Vec<String>)> {
    let mut reasons: Vec<(&str, Vec<String>)> = Vec::new();
    for Tried { row, machine, found } in tried {
        let (_, Some(reason)) = found.in_words() else { continue };
        let what = format!("{} on {machine}", row.name());
        match reasons.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, of)) => of.push(what),
            None => reasons.push((reason, vec![what])),
        }
    }
    reasons
}

/// Columns as wide as their widest cells.
fn aligned(lines: &[Vec<String>]) -> Vec<String> {
    let width = |column: usize| {
        lines.iter().filter_map(|line| line.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let padded = |line: &Vec<String>| {
        let cells = line.iter().enumerate().map(|(column, cell)| format!("{cell:<0$}  ", width(column)));
        cells.collect::<String>().trim_end().to_owned()
    };
    lines.iter().map(padded).collect()
}

/// A run for machines.
pub fn object(project: &Project, row: Row, machine: &str, found: &Found) -> Value {
    let (found, reason) = found.in_words();
    let (scheduler, speed) = match row {
        Row::Described => (None, None),
        Row::Scheduler(scheduler) => (Some(scheduler.name()), None),
        Row::Speed(speed) => (None, Some(speed)),
    };
    json!({
        "system": project.assembly.name, "machine": machine, "scheduler": scheduler, "speed": speed,
        "found": found, "reason": reason,
    })
}
