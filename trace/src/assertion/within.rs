//! The mode in which an assertion holds, and which instants belong to it.

use beryl_abi::{Instant, ProgramId};

use super::Evidence;
use crate::lookup::{self, NotOne};
use crate::modes::{Modes, Which};
use crate::names::Names;

/// A mode of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mode {
    /// The module's program.
    pub program: ProgramId,
    /// The position among its modes.
    pub position: usize,
}

/// To which mode an event at the instant of a switch belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edge {
    /// To the mode being entered.
    Begin,
    /// To the mode being left.
    End,
    /// To both.
    Both,
}

/// When an assertion applies: always, or while a module is in a mode.
#[derive(Clone, Debug)]
pub(super) struct When(Option<Stretches>);

#[derive(Clone, Debug)]
struct Stretches {
    /// In order, and without overlap.
    all: Vec<(Instant, Instant)>,
    /// Whether the module starts in this mode, which it may leave at once.
    is_first: bool,
}

impl Mode {
    /// Reads `Door.open`, or `open` if no other module has a mode of this name.
    ///
    /// # Errors
    /// If there is no such mode, or several.
    pub fn named(text: &str, names: &Names) -> Result<Mode, NotOne> {
        let modules = names.modes.iter().map(|module| ProgramId(module.program));
        let own = modules.filter_map(|program| Some((program, text.strip_prefix(&names.program(program))?)));
        // The module's name may precede any of its modes.
        for (program, name) in own.filter_map(|(program, rest)| Some((program, rest.strip_prefix('.')?))) {
            if let Some(position) = names.mode_position(program, name) {
                return Ok(Mode { program, position });
            }
        }
        let all = Mode::known(names);
        lookup::one("mode", text, all.iter().map(|(name, mode)| (name.as_str(), *mode)))
    }

    /// All modes; the module's name comes first if another module has a mode of the same name.
    #[must_use]
    pub fn known(names: &Names) -> Vec<(String, Mode)> {
        let modules = names.modes.iter().map(|module| (ProgramId(module.program), &module.modes));
        let modes = modules.flat_map(|(program, modes)| {
            modes.iter().enumerate().map(move |(position, mode)| (mode, Mode { program, position }))
        });
        let modes: Vec<_> = modes.collect();
        let is_unique = |name: &str| modes.iter().filter(|(other, _)| other.name == name).count() == 1;
        let called = |name: &str, mode: &Mode| match is_unique(name) {
            true => name.to_owned(),
            false => format!("{}.{name}", names.program(mode.program)),
        };
        modes.iter().map(|(known, mode)| (called(&known.name, mode), *mode)).collect()
    }
}

impl When {
    /// In a mode, or always.
    pub(super) fn of(mode: Option<Mode>, evidence: Evidence) -> When {
        let stretches = |mode: Mode| {
            let modes = Modes::of(evidence.events, evidence.names);
            let own = modes.of_program(mode.program);
            let own = own.filter(|stretch| stretch.mode == Which::Mode(mode.position));
            let all = own.map(|stretch| (stretch.from, stretch.to)).collect();
            let module = evidence.names.modes.iter().find(|module| module.program == mode.program.0);
            Stretches { all, is_first: module.is_some_and(|module| module.start == mode.position) }
        };
        When(mode.map(stretches))
    }

    /// Whether it covers an event at an instant.
    pub(super) fn holds(&self, at: Instant, edge: Edge) -> bool {
        let Some(Stretches { all, is_first }) = &self.0 else { return true };
        let behind = all.partition_point(|(from, _)| *from <= at);
        let last = behind.checked_sub(1).map(|last| all[last]);
        let before = behind.checked_sub(2).map(|before| all[before]);
        let begun = last.is_some_and(|(_, to)| at < to);
        // Events at the system's start belong to the first mode, even if that is left at once.
        let ended = match at == Instant::START {
            true => *is_first,
            false => {
                last.is_some_and(|(from, to)| from < at && at <= to) || before.is_some_and(|(_, to)| at == to)
            }
        };
        match edge {
            Edge::Begin => begun,
            Edge::End => ended,
            Edge::Both => begun || ended,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn at_a_switch_each_belongs_to_its_mode() {
        let at = Instant::from_ticks;
        let all = vec![(at(0), at(10)), (at(20), at(30)), (at(30), at(40))];
        let when = When(Some(Stretches { all, is_first: true }));
        let holds = |edge| [0, 5, 10, 15, 20, 30, 40, 41].map(|ticks| when.holds(at(ticks), edge));
        assert_eq!(holds(Edge::Begin), [true, true, false, false, true, true, false, false]);
        assert_eq!(holds(Edge::End), [true, true, true, false, false, true, true, false]);
        assert_eq!(holds(Edge::Both), [true, true, true, false, true, true, true, false]);
        assert!(When(None).holds(at(99), Edge::Begin));
    }
}
