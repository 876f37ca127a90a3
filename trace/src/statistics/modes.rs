//! How long modules were in each mode, and how often they switched.

use std::collections::BTreeMap;

use beryl_abi::{Duration, ProgramId};
use serde::Serialize;

use super::Statistics;
use crate::clock::Nanoseconds;
use crate::modes::{Modes, Which};
use crate::names::Names;
use crate::table::table;

/// One mode of a module.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ModeStatistics {
    /// The module.
    pub module: String,
    /// The mode.
    pub mode: String,
    /// How often it was entered.
    pub entered: usize,
    /// The total time in it, in logical time.
    #[serde(rename = "whole_ns")]
    pub whole: Nanoseconds,
    /// The longest time without a switch.
    #[serde(rename = "longest_ns")]
    pub longest: Nanoseconds,
    /// The share of the module's known time, from 0 to 1.
    pub share: f64,
}

/// The sums for one mode.
#[derive(Clone, Copy, Default)]
struct Sums {
    entered: usize,
    whole: Duration,
    longest: Duration,
}

/// A line for each mode that was used, of modules with several modes, in text order.
pub(super) fn modes(modes: &Modes, names: &Names) -> Vec<ModeStatistics> {
    let mut sums: BTreeMap<(ProgramId, Which), Sums> = BTreeMap::new();
    for stretch in modes.stretches.iter().filter(|stretch| names.has_several_modes(stretch.program)) {
        let sum = sums.entry((stretch.program, stretch.mode)).or_default();
        sum.whole = sum.whole.plus(stretch.length());
        sum.longest = sum.longest.max(stretch.length());
    }
    for switch in modes.switches() {
        if let Some(sum) = sums.get_mut(&(switch.program, switch.to)) {
            sum.entered += 1;
        }
    }
    let whole_of = |program| {
        let own = sums.iter().filter(|((other, _), _)| *other == program);
        own.fold(Duration::ZERO, |whole, (_, sum)| whole.plus(sum.whole))
    };
    let line = |(&(program, mode), sum): (&(ProgramId, Which), &Sums)| ModeStatistics {
        module: names.program(program),
        mode: names.mode(program, mode),
        entered: sum.entered,
        whole: names.tick.length(sum.whole),
        longest: names.tick.length(sum.longest),
        share: sum.whole.ticks() as f64 / whole_of(program).ticks().max(1) as f64,
    };
    sums.iter().map(line).collect()
}

impl Statistics {
    /// The table of modes.
    #[must_use]
    pub fn mode_table(&self) -> String {
        let rows = self.modes.iter().map(|row| {
            let share = format!("{:.2} %", row.share * 100.0);
            let (whole, longest) = (row.whole.to_string(), row.longest.to_string());
            [row.module.clone(), row.mode.clone(), row.entered.to_string(), whole, share, longest]
        });
        table(["module", "mode", "entered", "in it", "share", "longest"], &rows.collect::<Vec<_>>())
    }
}

#[cfg(test)]
mod tests {
    use beryl_abi::Instant;

    use super::*;
    use crate::modes::{InMode, ModeName, ModuleModes};

    #[test]
    fn times_and_switches_of_each_mode_are_added_up() {
        let mut names = Names::parse(include_str!("../../tests/names.json")).expect("names");
        let mode = |name: &str, from| ModeName { name: name.into(), from, asks: vec![] };
        let module = |program, modes| ModuleModes { program, tasks: vec![], start: 0, modes };
        names.modes =
            vec![module(0, vec![mode("fly", 1)]), module(1, vec![mode("shut", 1), mode("open", 20)])];
        let stretch = |program, position, from, to| InMode {
            program: ProgramId(program),
            mode: Which::Mode(position),
            from: Instant::from_ticks(from),
            to: Instant::from_ticks(to),
        };
        // Between 120 and 200 something was lost.
        let stretches = vec![
            stretch(0, 0, 0, 400),
            stretch(1, 0, 0, 50),
            stretch(1, 1, 50, 70),
            stretch(1, 0, 70, 120),
            stretch(1, 0, 200, 280),
            stretch(1, 1, 280, 300),
        ];
        let found = modes(&Modes { stretches }, &names);
        let told: Vec<_> = found
            .iter()
            .map(|row| {
                (
                    row.mode.as_str(),
                    row.entered,
                    row.whole.number() / 40,
                    row.longest.number() / 40,
                    row.share,
                )
            })
            .collect();
        assert_eq!(told, [("shut", 1, 180, 80, 180.0 / 220.0), ("open", 2, 40, 20, 40.0 / 220.0)]);
    }
}
